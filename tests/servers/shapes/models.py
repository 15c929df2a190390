"""Shapes of language models behind HTTP: OpenAI and its kin, Anthropic, Gemini, Bedrock, DashScope, Ollama."""

from __future__ import annotations

from typing import Any

from aiohttp import web

from tests.servers.shapes.answers import answer
from tests.servers.shapes.serving import Call, Product, Refused, Shape, fresh, line, now, reply, sse

_THOUGHT = "The user wants to know something about the shop. I look it up and answer briefly."


def _last_of_user(call: Call, *keys: str | int, where: str = "messages") -> str:
    """The text of the last message, which must be the user's."""
    messages = call.json.get(where)
    if not isinstance(messages, list) or not messages or messages[-1].get("role") != "user":
        raise Refused(
            400, {"error": {"type": "invalid_request_error", "message": f"{where}: the last must be a user's"}}
        )
    return call.at(*keys, within=messages[-1])


def _usage(text: str) -> dict[str, Any]:
    return {"prompt_tokens": 17, "completion_tokens": len(text) // 4, "total_tokens": 17 + len(text) // 4}


def _completion(call: Call, text: str, **more: Any) -> dict[str, Any]:
    message = {"role": "assistant", "content": text, "refusal": None, "annotations": []}
    return {
        "id": fresh("chatcmpl-"),
        "object": "chat.completion",
        "created": now(),
        "model": f"gpt-4.1-2025-{call.number():02}",
        "choices": [{"index": 0, "message": message, "logprobs": None, "finish_reason": "stop", **more}],
        "usage": _usage(text),
        "system_fingerprint": fresh("fp_")[:12],
    }


def _chunks(call: Call, text: str) -> list[str]:
    """A streamed completion: the role, words, the reason of the end, usage."""
    head = {"id": fresh("chatcmpl-"), "object": "chat.completion.chunk", "created": now(), "model": "gpt-4.1"}

    def chunk(delta: dict[str, Any], reason: str | None = None) -> str:
        return sse(head | {"choices": [{"index": 0, "delta": delta, "logprobs": None, "finish_reason": reason}]})

    words = [chunk({"content": word}) for word in call.chunks(text)]
    usage = sse(head | {"choices": [], "usage": _usage(text)})
    return [chunk({"role": "assistant", "content": ""}), *words, chunk({}, "stop"), usage, sse("[DONE]")]


async def openai_chat(call: Call) -> web.StreamResponse:
    call.posts("/v1/chat/completions")
    call.need("Authorization", "Bearer sk-of-the-tests")
    call.at("model")
    text = answer(_last_of_user(call, "content"))
    if call.json.get("stream"):
        return await call.stream(_chunks(call, text))
    return reply(_completion(call, text))


async def azure_old(call: Call) -> web.StreamResponse:
    call.posts(r"/openai/deployments/gpt-4o/chat/completions")
    call.need("api-key", "azure-key-of-the-tests")
    if not call.request.query.get("api-version", "").startswith("2024-"):
        raise Refused(404, {"error": {"code": "404", "message": "Resource not found"}})
    calm = {name: {"filtered": False, "severity": "safe"} for name in ("hate", "self_harm", "sexual", "violence")}
    made = _completion(call, answer(_last_of_user(call, "content")), content_filter_results=calm)
    return reply(made | {"prompt_filter_results": [{"prompt_index": 0, "content_filter_results": calm}]})


async def azure_new(call: Call) -> web.StreamResponse:
    call.posts("/openai/v1/chat/completions")
    call.need("api-key", "azure-key-of-the-tests")
    call.at("model")
    text = answer(_last_of_user(call, "content"))
    asked = sse({"choices": [], "id": "", "model": "", "object": "", "prompt_filter_results": [{"prompt_index": 0}]})
    checked = {"choices": [{"index": 0, "delta": {}, "content_filter_offsets": {"check_offset": len(text)}}]}
    *chunks, end = _chunks(call, text)
    return await call.stream([asked, *chunks, sse(checked), end])


def _response(call: Call, text: str, status: str = "completed") -> dict[str, Any]:
    thought = {"id": fresh("rs_"), "type": "reasoning", "summary": [{"type": "summary_text", "text": _THOUGHT}]}
    said = [{"type": "output_text", "text": text, "annotations": []}]
    message = {"id": fresh("msg_"), "type": "message", "status": status, "role": "assistant", "content": said}
    return {
        "id": fresh("resp_"),
        "object": "response",
        "created_at": now(),
        "status": status,
        "error": None,
        "instructions": None,
        "model": "gpt-5",
        "output": [thought, message],
        "text": {"format": {"type": "text"}},
        "usage": {"input_tokens": 36, "output_tokens": call.number(), "total_tokens": 123},
    }


async def responses(call: Call) -> web.StreamResponse:
    call.posts("/v1/responses")
    call.need("Authorization", "Bearer sk-of-the-tests")
    call.at("model")
    given = call.json.get("input")
    text = answer(given if isinstance(given, str) else _last_of_user(call, "content", where="input"))
    whole = _response(call, text)
    if not call.json.get("stream"):
        return reply(whole)
    thought, message = whole["output"]
    begun = whole | {"output": [], "status": "in_progress", "usage": None}
    events: list[dict[str, Any]] = [
        {"type": "response.created", "response": begun},
        {"type": "response.output_item.added", "output_index": 0, "item": thought | {"summary": []}},
        *[{"type": "response.reasoning_summary_text.delta", "delta": word} for word in call.chunks(_THOUGHT)],
        {"type": "response.reasoning_summary_text.done", "text": _THOUGHT},
        {"type": "response.output_item.added", "output_index": 1, "item": message | {"content": []}},
        *[
            {"type": "response.output_text.delta", "item_id": message["id"], "delta": word, "obfuscation": fresh()[:9]}
            for word in call.chunks(text)
        ],
        {"type": "response.output_text.done", "item_id": message["id"], "text": text},
        {"type": "response.output_item.done", "output_index": 1, "item": message},
        {"type": "response.completed", "response": whole},
    ]
    return await call.stream([sse(each | {"sequence_number": i}, each["type"]) for i, each in enumerate(events)])


async def assistants(call: Call) -> web.StreamResponse:
    call.need("Authorization", "Bearer sk-of-the-tests")
    call.need("OpenAI-Beta", "assistants=v2", 400)
    if call.request.method == "POST":
        call.posts("/v1/threads/runs")
        call.at("assistant_id")
        run, thread = fresh("run_"), fresh("thread_")
        text = call.at("thread", "messages", -1, "content")
        call.memory.made[thread] = {"run": run, "asked": text, "polls": 0}
        return reply({"id": run, "object": "thread.run", "thread_id": thread, "status": "queued", "created_at": now()})
    thread = call.asks("GET", r"/v1/threads/(thread_\w+)/messages")[1]
    if not (found := call.memory.made.get(thread)):
        raise Refused(404, {"error": {"message": f"No thread found with id '{thread}'."}})
    found["polls"] += 1

    def message(role: str, text: str, run: str | None) -> dict[str, Any]:
        said = [{"type": "text", "text": {"value": text, "annotations": []}}] if text else []
        return {"id": fresh("msg_"), "role": role, "run_id": run, "thread_id": thread, "content": said}

    messages = [message("user", found["asked"], None)]
    if found["polls"] > 1:  # the bot's message is there before its text is
        messages.insert(0, message("assistant", answer(found["asked"]) if found["polls"] > 2 else "", found["run"]))
    return reply({"object": "list", "data": messages, "has_more": False})


async def anthropic(call: Call) -> web.StreamResponse:
    call.posts("/v1/messages")
    call.need("x-api-key", "sk-ant-of-the-tests")
    call.need("anthropic-version", "2023-06-01", 400)
    if not isinstance(call.json.get("max_tokens"), int):
        raise Refused(400, {"type": "error", "error": {"type": "invalid_request_error", "message": "max_tokens"}})
    text = answer(_last_of_user(call, "content"))
    head = {"id": fresh("msg_"), "type": "message", "role": "assistant", "model": call.at("model")}
    usage = {"input_tokens": call.number(), "output_tokens": len(text) // 4}
    thought = {"type": "thinking", "thinking": _THOUGHT, "signature": fresh()}
    if not call.json.get("stream"):
        said = [thought, {"type": "text", "text": text}]
        return reply(head | {"content": said, "stop_reason": "end_turn", "stop_sequence": None, "usage": usage})
    cut = (
        {"type": "content_block_delta", "index": 0, "delta": {"type": "thinking_delta", "thinking": word}}
        for word in call.chunks(_THOUGHT)
    )
    words = (
        {"type": "content_block_delta", "index": 1, "delta": {"type": "text_delta", "text": word}}
        for word in call.chunks(text)
    )
    signature = {"type": "signature_delta", "signature": fresh()}
    events: list[dict[str, Any]] = [
        {"type": "message_start", "message": head | {"content": [], "usage": usage}},
        {"type": "content_block_start", "index": 0, "content_block": thought | {"thinking": ""}},
        {"type": "ping"},
        *cut,
        {"type": "content_block_delta", "index": 0, "delta": signature},
        {"type": "content_block_stop", "index": 0},
        {"type": "content_block_start", "index": 1, "content_block": {"type": "text", "text": ""}},
        *words,
        {"type": "content_block_stop", "index": 1},
        {"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": usage},
        {"type": "message_stop"},
    ]
    return await call.stream([sse(each, each["type"]) for each in events])


async def gemini(call: Call) -> web.StreamResponse:
    how = call.posts(r"/v1beta/models/gemini-2.5-flash:(generateContent|streamGenerateContent)")[1]
    if call.request.headers.get("x-goog-api-key") != "AIza-of-the-tests":
        raise Refused(400, {"error": {"code": 400, "message": "API key not valid.", "status": "INVALID_ARGUMENT"}})
    text = answer(call.at("contents", -1, "parts", 0, "text"))
    usage = {"promptTokenCount": 8, "totalTokenCount": 8 + call.number()}
    head = {"modelVersion": "gemini-2.5-flash", "responseId": fresh(), "usageMetadata": usage}

    def said(*parts: dict[str, Any], **more: Any) -> dict[str, Any]:
        return {"candidates": [{"content": {"parts": list(parts), "role": "model"}, "index": 0, **more}], **head}

    thought = {"text": f"**Looking it up**\n\n{_THOUGHT}", "thought": True}
    if how == "generateContent":
        return reply(said(thought, {"text": text}, finishReason="STOP"))
    pieces = [said(thought), *[said({"text": word}) for word in call.chunks(text)]]
    pieces.append(said({"text": "", "thoughtSignature": fresh()}, finishReason="STOP"))
    if call.request.query.get("alt") != "sse":
        return reply(pieces)
    return await call.stream([sse(piece) for piece in pieces])


async def bedrock(call: Call) -> web.StreamResponse:
    call.posts(r"/model/anthropic.claude-sonnet-4-20250514-v1(:|%3A)0/converse")
    call.need("Authorization", "Bearer bedrock-api-key-of-the-tests", 403)
    text = answer(_last_of_user(call, "content", 0, "text"))
    thought = {"reasoningContent": {"reasoningText": {"text": _THOUGHT, "signature": fresh()}}}
    message = {"role": "assistant", "content": [thought, {"text": text}]}
    metrics = {"latencyMs": 300 + call.number()}
    return reply({"output": {"message": message}, "stopReason": "end_turn", "metrics": metrics, "usage": {"n": 30}})


async def dashscope(call: Call) -> web.StreamResponse:
    """Each message repeats all that was said before it."""
    call.posts("/api/v1/services/aigc/text-generation/generation")
    call.need("Authorization", "Bearer sk-dash-of-the-tests")
    call.need("X-DashScope-SSE", "enable", 400)
    text = answer(call.at("input", "messages", -1, "content"))
    request, words = fresh(), call.chunks(text)

    def piece(number: int) -> str:
        reason = "stop" if number == len(words) else "null"
        message = {"role": "assistant", "content": "".join(words[:number])}
        said = {"choices": [{"finish_reason": reason, "message": message}]}
        usage = {"total_tokens": 20 + number, "output_tokens": number, "input_tokens": 20}
        return (
            f"id:{number}\nevent:result\n:HTTP_STATUS/200\ndata:"
            + line({"output": said, "usage": usage, "request_id": request})
            + "\n"
        )

    return await call.stream([piece(number) for number in range(1, len(words) + 1)])


async def ollama(call: Call) -> web.StreamResponse:
    call.posts("/api/chat")
    call.any_type = True
    text = answer(_last_of_user(call, "content"))

    def piece(done: bool = False, **message: str) -> str:
        head = {"model": call.at("model"), "created_at": f"2026-11-02T10:{call.number() % 60:02}:00Z"}
        return line(head | {"message": {"role": "assistant", "content": "", **message}, "done": done})

    thought = [piece(thinking=word) for word in call.chunks(_THOUGHT)]
    words = [piece(content=word) for word in call.chunks(text)]
    return await call.stream([*thought, *words, piece(done=True)], "application/x-ndjson")


_KEY = dict.fromkeys(("OPENAI_API_KEY", "CHAT_API_KEY", "RESPONSES_API_KEY", "ASSISTANTS_TOKEN"), "sk-of-the-tests")
_AZURE = dict.fromkeys(("AZURE_OPENAI_API_KEY", "CHAT_API_KEY"), "azure-key-of-the-tests")
_ANTHROPIC = {"ANTHROPIC_API_KEY": "sk-ant-of-the-tests"}
_GEMINI = {"GEMINI_API_KEY": "AIza-of-the-tests"}

SHAPES = (
    Shape(
        "openai-chat",
        """curl BASE/v1/chat/completions \\
  -H "Content-Type: application/json" \\
  -H "Authorization: Bearer $OPENAI_API_KEY" \\
  -d '{
    "model": "gpt-4.1",
    "messages": [
      {"role": "developer", "content": "You are a helpful assistant."},
      {"role": "user", "content": "Hello!"}
    ]
  }'""",
        Product("OpenAI", {"https://api.openai.com": "BASE", "YOUR_MODEL": "gpt-4.1"}),
        openai_chat,
        _KEY,
    ),
    Shape(
        "openai-chat-stream",
        """curl BASE/v1/chat/completions \\
  -H "Content-Type: application/json" \\
  -H "Authorization: Bearer $OPENAI_API_KEY" \\
  -d '{
    "model": "gpt-4.1",
    "messages": [{"role": "user", "content": "Say this is a test"}],
    "stream": true,
    "stream_options": {"include_usage": true}
  }'""",
        """\
env: [OPENAI_API_KEY]
connect: {kind: openai, url: "BASE/v1", model: gpt-4.1, api_key: "{{ env.OPENAI_API_KEY }}", stream: true}
""",
        openai_chat,
        _KEY,
    ),
    Shape(
        "azure-openai-deployment",
        """curl "BASE/openai/deployments/gpt-4o/chat/completions?api-version=2024-10-21" \\
  -H "Content-Type: application/json" \\
  -H "api-key: $AZURE_OPENAI_API_KEY" \\
  -d '{"messages":[{"role": "system", "content": "You are a helpful assistant."},
    {"role": "user", "content": "Does Azure OpenAI support customer managed keys?"},
    {"role": "assistant", "content": "Yes, customer managed keys are supported by Azure OpenAI."},
    {"role": "user", "content": "Do other Azure AI services support this too?"}]}'""",
        Product(
            "Azure OpenAI deployments",
            {"https://YOUR_RESOURCE.openai.azure.com": "BASE", "YOUR_DEPLOYMENT": "gpt-4o", "YOUR_MODEL": "gpt-4o"},
        ),
        azure_old,
        _AZURE,
    ),
    Shape(
        "azure-openai-v1-stream",
        """curl -X POST BASE/openai/v1/chat/completions \\
  -H "Content-Type: application/json" \\
  -H "api-key: $AZURE_OPENAI_API_KEY" \\
  -d '{
      "model": "MODEL_NAME",
      "stream": true,
      "messages": [
        {"role": "developer", "content": "You are a helpful assistant that talks like a shop assistant."},
        {"role": "user", "content": "Can you help me?"}
      ]
  }'""",
        """\
env: [AZURE_OPENAI_API_KEY]
connect:
  kind: openai
  url: "BASE/openai/v1"
  model: MODEL_NAME
  stream: true
  headers: {api-key: "{{ env.AZURE_OPENAI_API_KEY }}"}
""",
        azure_new,
        _AZURE,
    ),
    Shape(
        "responses",
        """curl BASE/v1/responses \\
  -H "Content-Type: application/json" \\
  -H "Authorization: Bearer $OPENAI_API_KEY" \\
  -d '{
    "model": "gpt-5",
    "input": "Tell me a three sentence bedtime story about a unicorn."
  }'""",
        Product("OpenAI Responses", {"https://api.openai.com": "BASE", "YOUR_MODEL": "gpt-5"}),
        responses,
        _KEY,
    ),
    Shape(
        "responses-stream",
        """curl BASE/v1/responses \\
  -H "Content-Type: application/json" \\
  -H "Authorization: Bearer $OPENAI_API_KEY" \\
  -d '{"model": "gpt-5", "instructions": "You are a helpful assistant.", "input": "Hello!", "stream": true}'""",
        """\
env: [OPENAI_API_KEY]
connect:
  kind: http
  auth: {bearer: "{{ env.OPENAI_API_KEY }}"}
  request: {url: "BASE/v1/responses", json: {model: gpt-5, input: "{{ messages }}", stream: true}}
  stream: {events: [response.output_text.delta], done: {event: response.completed}}
  extract: {answer: "$.delta"}
""",
        responses,
        _KEY,
    ),
    Shape(
        "assistants-polling",
        """curl BASE/v1/threads/runs \\
  -H "Authorization: Bearer $OPENAI_API_KEY" \\
  -H "Content-Type: application/json" \\
  -H "OpenAI-Beta: assistants=v2" \\
  -d '{
      "assistant_id": "asst_abc123",
      "thread": {
        "messages": [
          {"role": "user", "content": "Explain deep learning to a 5 year old."}
        ]
      }
    }'""",
        Product(
            "OpenAI Assistants",
            {"https://api.openai.com": "BASE", "YOUR_ASSISTANT": "asst_abc123", "every: 1s": "every: 10ms"},
        ),
        assistants,
        _KEY,
    ),
    Shape(
        "anthropic",
        """curl BASE/v1/messages \\
     --header "x-api-key: $ANTHROPIC_API_KEY" \\
     --header "anthropic-version: 2023-06-01" \\
     --header "content-type: application/json" \\
     --data \\
'{
    "model": "claude-sonnet-4-5",
    "max_tokens": 16000,
    "thinking": {"type": "enabled", "budget_tokens": 10000},
    "messages": [
        {"role": "user", "content": "Are there an infinite number of prime numbers such that n mod 4 == 3?"}
    ]
}'""",
        Product("Anthropic", {"https://api.anthropic.com": "BASE", "YOUR_MODEL": "claude-sonnet-4-5"}),
        anthropic,
        _ANTHROPIC,
    ),
    Shape(
        "anthropic-stream",
        """curl BASE/v1/messages \\
     --header "anthropic-version: 2023-06-01" \\
     --header "content-type: application/json" \\
     --header "x-api-key: $ANTHROPIC_API_KEY" \\
     --data '{
  "model": "claude-sonnet-4-5",
  "messages": [{"role": "user", "content": "Hello"}],
  "max_tokens": 256,
  "stream": true
}'""",
        """\
env: [ANTHROPIC_API_KEY]
connect:
  kind: http
  auth: {api_key: {header: x-api-key, value: "{{ env.ANTHROPIC_API_KEY }}"}}
  request:
    url: "BASE/v1/messages"
    headers: {anthropic-version: "2023-06-01"}
    json: {model: claude-sonnet-4-5, max_tokens: 1024, messages: "{{ messages }}", stream: true}
  stream: {events: [content_block_delta], done: {event: message_stop, at: $.type}}
  extract: {answer: "$.delta.text"}
""",
        anthropic,
        _ANTHROPIC,
    ),
    Shape(
        "gemini",
        """curl "BASE/v1beta/models/gemini-2.5-flash:generateContent" \\
  -H "x-goog-api-key: $GEMINI_API_KEY" \\
  -H 'Content-Type: application/json' \\
  -X POST \\
  -d '{
    "contents": [
      {
        "parts": [
          {
            "text": "How does AI work?"
          }
        ]
      }
    ],
    "generationConfig": {"thinkingConfig": {"includeThoughts": true}}
  }'""",
        Product("Gemini", {"https://generativelanguage.googleapis.com": "BASE", "YOUR_MODEL": "gemini-2.5-flash"}),
        gemini,
        _GEMINI,
    ),
    Shape(
        "gemini-stream",
        """curl "BASE/v1beta/models/gemini-2.5-flash:streamGenerateContent?alt=sse" \\
  -H "x-goog-api-key: $GEMINI_API_KEY" \\
  -H 'Content-Type: application/json' \\
  --no-buffer \\
  -d '{"contents": [{"role": "user", "parts": [{"text": "Explain how AI works"}]}]}'""",
        """\
env: [GEMINI_API_KEY]
connect:
  kind: http
  auth: {api_key: {header: x-goog-api-key, value: "{{ env.GEMINI_API_KEY }}"}}
  request:
    url: "BASE/v1beta/models/gemini-2.5-flash:streamGenerateContent"
    query: {alt: sse}
    json: {contents: [{role: user, parts: [{text: "{{ question }}"}]}]}
  stream: {done: {at: "$.candidates[0].finishReason"}}
  extract: {answer: "$.candidates[0].content.parts[?!@.thought].text"}
""",
        gemini,
        _GEMINI,
    ),
    Shape(
        "bedrock-converse",
        """curl -X POST "BASE/model/anthropic.claude-sonnet-4-20250514-v1:0/converse" \\
  -H "Content-Type: application/json" \\
  -H "Authorization: Bearer $AWS_BEARER_TOKEN_BEDROCK" \\
  -d '{
    "messages": [
        {
            "role": "user",
            "content": [{"text": "Hello"}]
        }
    ]
  }'""",
        Product(
            "Amazon Bedrock",
            {
                "https://bedrock-runtime.us-east-1.amazonaws.com": "BASE",
                "YOUR_MODEL": "anthropic.claude-sonnet-4-20250514-v1:0",
            },
        ),
        bedrock,
        {"AWS_BEARER_TOKEN_BEDROCK": "bedrock-api-key-of-the-tests"},
    ),
    Shape(
        "dashscope-cumulative",
        """curl --location "BASE/api/v1/services/aigc/text-generation/generation" \\
--header "Authorization: Bearer $DASHSCOPE_API_KEY" \\
--header "Content-Type: application/json" \\
--header "X-DashScope-SSE: enable" \\
--data '{
    "model": "qwen-plus",
    "input":{
        "messages":[
            {"role": "system", "content": "You are a helpful assistant."},
            {"role": "user", "content": "你是谁？"}
        ]
    },
    "parameters": {"result_format": "message"}
}'""",
        Product("Qwen", {"https://dashscope-intl.aliyuncs.com": "BASE", "YOUR_MODEL": "qwen-plus"}),
        dashscope,
        dict.fromkeys(("DASHSCOPE_API_KEY", "STREAM_TOKEN"), "sk-dash-of-the-tests"),
    ),
    Shape(
        "ollama-chat",
        """curl BASE/api/chat -d '{
  "model": "deepseek-r1",
  "messages": [
    {
      "role": "user",
      "content": "how many r in the word strawberry?"
    }
  ],
  "think": true
}'""",
        """\
connect:
  kind: http
  request: {url: "BASE/api/chat", json: {model: deepseek-r1, messages: "{{ messages }}"}}
  stream: {format: ndjson, done: {at: $.done}}
  extract: {answer: "$.message.content"}
""",
        ollama,
    ),
)
