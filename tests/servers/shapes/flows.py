"""Shapes of workflow builders and chat interfaces that stream their answers."""

from __future__ import annotations

from typing import Any

from aiohttp import web

from tests.servers.shapes.answers import answer
from tests.servers.shapes.serving import Call, Product, Refused, Shape, fresh, line, now, reply, sse

_THOUGHT = "First I look for the topic of the question. Then I choose a short answer."


async def ui_messages(call: Call) -> web.StreamResponse:
    """Typed pieces: steps, reasoning, text, sources. A message's id is taken once."""
    call.posts("/api/chat")
    message = call.json.get("messages", [{}])[-1]
    known = call.memory.made.setdefault("ids", set())
    if (key := call.at("id", within=message)) in known:
        raise Refused(409, {"error": f"message {key} exists"})
    known.add(key)
    if call.at("role", within=message) != "user":
        raise Refused(400, {"error": "the last message must be a user's"})
    text = answer(call.at("parts", 0, "text", within=message))
    thought, said = fresh("rs_"), fresh("msg_")
    reasoning = [{"type": "reasoning-delta", "id": thought, "delta": word} for word in call.chunks(_THOUGHT)]
    words = [{"type": "text-delta", "id": said, "delta": word} for word in call.chunks(text)]
    half = len(words) // 2
    note = [{"type": "reasoning-delta", "id": thought, "delta": "Half of it is said."}]
    source = {"type": "source-url", "sourceId": fresh(), "url": "https://shop.example/faq", "title": "Questions"}
    parts: list[dict[str, Any]] = [
        {"type": "start", "messageId": fresh()},
        {"type": "start-step"},
        {"type": "reasoning-start", "id": thought},
        *reasoning,
        {"type": "text-start", "id": said},
        *words[:half],
        *note,
        *words[half:],
        {"type": "reasoning-end", "id": thought},
        {"type": "text-end", "id": said},
        source,
        {"type": "finish-step"},
        {"type": "finish", "finishReason": "stop"},
    ]
    events = [*map(sse, parts), sse("[DONE]")]
    return await call.stream(events, **{"x-vercel-ai-ui-message-stream": "v1"})


async def ui_lines(call: Call) -> web.StreamResponse:
    """The older form: a letter for the kind, a colon, JSON."""
    call.posts("/api/completion")
    text = answer(call.at("prompt"))
    head = [f"f:{line({'messageId': fresh('msg-')})}", *[f"g:{line(word)}" for word in call.chunks(_THOUGHT)]]
    usage = {"finishReason": "stop", "usage": {"promptTokens": 12, "completionTokens": call.number()}}
    tail = [f"e:{line(usage | {'isContinued': False})}", f"d:{line(usage)}"]
    words = [f"0:{line(word)}" for word in call.chunks(text)]
    return await call.stream([*head, *words, *tail], "text/plain; charset=utf-8")


async def dify(call: Call) -> web.StreamResponse:
    call.posts("/v1/chat-messages")
    call.need("Authorization", "Bearer app-of-the-tests")
    call.at("user")
    if conversation := call.json.get("conversation_id"):
        if conversation not in call.memory.made:
            raise Refused(404, {"code": "not_found", "message": "Conversation Not Exists.", "status": 404})
    else:
        call.memory.made[conversation := fresh()] = True
    text = answer(call.at("query"))
    ids = {"task_id": fresh(), "message_id": fresh(), "conversation_id": conversation, "created_at": now()}
    found = {
        "position": 1,
        "document_name": "List of questions",
        "score": 0.98,
        "content": "Questions of our customers",
    }
    metadata = {"usage": {"total_tokens": 90, "latency": 0.7}, "retriever_resources": [found]}
    if call.json.get("response_mode") != "streaming":
        head = {"event": "message", "id": fresh(), "mode": "chat"}
        return reply(head | ids | {"answer": text, "metadata": metadata})
    node = {"id": fresh(), "node_id": "llm", "title": "Answer", "inputs": {"sys.query": call.at("query")}}
    events: list[dict[str, Any]] = [
        {"event": "workflow_started", "workflow_run_id": fresh(), "data": {"id": fresh(), "inputs": {}}},
        {"event": "node_started", "data": node},
        {"event": "agent_thought", "thought": _THOUGHT, "tool": "search"},
        *[
            {"event": "message", "answer": word, "from_variable_selector": ["llm", "text"]}
            for word in call.chunks(text)
        ],
        {"event": "node_finished", "data": node | {"outputs": {"text": text}, "status": "succeeded"}},
        {"event": "workflow_finished", "data": {"outputs": {"answer": text}, "elapsed_time": 1.2}},
        {"event": "message_end", "metadata": metadata},
    ]
    return await call.stream(["event: ping\n\n", *[sse(ids | event) for event in events]])


async def flowise(call: Call) -> web.StreamResponse:
    """Objects with the keys `event` and `data`, in the data lines of events that begin with a line `message:`."""
    call.posts("/api/v1/prediction/1b6d2f4e")
    call.need("Authorization", "Bearer flowise-key-of-the-tests")
    question = call.at("question")
    text = answer(question)
    flow = [{"nodeLabel": "Agent", "data": {"input": {"question": question}}, "status": "FINISHED"}]
    metadata = {"chatId": fresh(), "chatMessageId": fresh(), "question": question, "sessionId": fresh()}
    events: list[dict[str, Any]] = [
        {"event": "agentFlowEvent", "data": "INPROGRESS"},
        {"event": "start", "data": ""},
        *[{"event": "token", "data": word} for word in call.chunks(text)],
        {"event": "sourceDocuments", "data": [{"pageContent": "Questions of our customers", "metadata": {}}]},
        {"event": "agentFlowExecutedData", "data": flow},
        {"event": "metadata", "data": metadata},
        {"event": "end", "data": "[DONE]"},
    ]
    return await call.stream(["message:\n" + f"data:{line(event)}\n" for event in events])


async def coze(call: Call) -> web.StreamResponse:
    """Words, then the whole answer, a note of the system, and questions to ask next."""
    call.posts("/v3/chat")
    if call.request.headers.get("Authorization") != "Bearer pat_of_the_tests":  # which the service says with a 200
        return reply({"code": 4100, "msg": "authentication is invalid"})
    call.at("bot_id")
    text = answer(call.at("additional_messages", -1, "content"))
    chat = {"conversation_id": fresh(), "bot_id": call.at("bot_id")}
    ids = chat | {"id": fresh(), "role": "assistant", "content_type": "text", "chat_id": fresh()}

    def message(kind: str, content: str, event: str = "completed") -> str:
        return sse(ids | {"type": kind, "content": content}, f"conversation.message.{event}")

    done = '{"msg_type":"generate_answer_finish","data":"{\\"finish_reason\\":0}"}'
    return await call.stream(
        [
            sse(chat | {"id": ids["chat_id"], "status": "created"}, "conversation.chat.created"),
            sse(chat | {"id": ids["chat_id"], "status": "in_progress"}, "conversation.chat.in_progress"),
            *[message("answer", word, "delta") for word in call.chunks(text)],
            message("answer", text),
            message("verbose", done),
            message("follow_up", "What else do you sell?"),
            message("follow_up", "Where is the shop?"),
            sse(chat | {"status": "completed", "usage": {"token_count": 633}}, "conversation.chat.completed"),
            sse('"[DONE]"', "done"),
        ]
    )


async def langserve(call: Call) -> web.StreamResponse:
    call.posts("/shop/stream")
    text = answer(call.at("input", "question"))
    run = fresh()

    def piece(content: str, **more: Any) -> str:
        return sse({"content": content, "additional_kwargs": {}, "type": "AIMessageChunk", "id": run, **more}, "data")

    words = map(piece, call.chunks(text))
    end = piece("", response_metadata={"finish_reason": "stop"})
    return await call.stream([sse({"run_id": run}, "metadata"), *words, end, sse("", "end")])


async def bare_words(call: Call) -> web.StreamResponse:
    """Text as it is, and one object with the conversation's id, which the next message may give."""
    call.posts("/v1/ask")
    call.need("X-Widget-Key", "wk_of_the_tests", 403)
    text = answer(call.at("message"))
    ids = sse({"conversation_id": call.json.get("conversation_id") or fresh(), "message_id": fresh()})
    return await call.stream([ids, *map(sse, call.chunks(text)), sse("[DONE]")])


async def progress(call: Call) -> web.StreamResponse:
    """What the assistant is doing, then its answer in pieces, then what to ask next."""
    call.posts("/api/assistant/query")
    call.at("tenant")
    text = answer(call.at("query"))
    said: list[dict[str, Any]] = [
        {"kind": "progress", "text": "Looking at your question …", "step": 1},
        {"kind": "progress", "text": f"Reading {3 + call.number() % 5} documents …", "step": 2},
        *[{"kind": "answer", "text": word} for word in call.chunks(text)],
        {"kind": "suggestion", "text": "Do you have vouchers?"},
        {"kind": "suggestion", "text": "Can I speak to somebody?"},
        {"kind": "end", "trace": fresh(), "took": call.number() / 100},
    ]
    return await call.stream(map(line, said), "application/jsonl; charset=utf-8")


_DIFY = dict.fromkeys(("DIFY_API_KEY", "WORKFLOW_TOKEN"), "app-of-the-tests")

SHAPES = (
    Shape(
        "ui-message-stream",
        """curl 'BASE/api/chat' \\
  -H 'accept: */*' \\
  -H 'content-type: application/json' \\
  -H 'user-agent: ai-sdk/5.0.0' \\
  --data-raw '{"id":"x1QK9cIu3pG1bT2e","messages":[{"parts":[{"type":"text","text":"Hi, who are you?"}],'\
'"id":"8Q0lvKx5jFqXb3rA","role":"user"}],"trigger":"submit-message"}'""",
        Product("Vercel AI SDK", {"https://YOUR_SITE": "BASE"}),
        ui_messages,
    ),
    Shape(
        "ui-data-lines",
        """curl -X POST BASE/api/completion -H 'Content-Type: application/json' \\
  -d '{"prompt": "Why is the sky blue?"}'""",
        """\
connect:
  kind: http
  request: {url: "BASE/api/completion", json: {prompt: "{{ question }}"}}
  stream: {format: ndjson}
  extract: {answer: [{regex: '^0:(".*")$'}, $]}
""",
        ui_lines,
    ),
    Shape(
        "dify-chat",
        """curl -X POST 'BASE/v1/chat-messages' \\
--header "Authorization: Bearer $DIFY_API_KEY" \\
--header 'Content-Type: application/json' \\
--data-raw '{
    "inputs": {},
    "query": "What are the specs of the iPhone 13 Pro Max?",
    "response_mode": "blocking",
    "conversation_id": "",
    "user": "abc-123"
}'""",
        Product("Dify", {"https://api.dify.ai": "BASE"}),
        dify,
        _DIFY,
    ),
    Shape(
        "dify-stream",
        """curl -X POST 'BASE/v1/chat-messages' \\
--header "Authorization: Bearer $DIFY_API_KEY" \\
--header 'Content-Type: application/json' \\
--data-raw '{
    "inputs": {},
    "query": "What are the specs of the iPhone 13 Pro Max?",
    "response_mode": "streaming",
    "conversation_id": "",
    "user": "abc-123"
}'""",
        Product("Dify streaming", {"https://api.dify.ai": "BASE"}),
        dify,
        _DIFY,
    ),
    Shape(
        "flowise-stream",
        """curl BASE/api/v1/prediction/1b6d2f4e \\
     -X POST \\
     -d '{"question": "Hey, how are you?", "streaming": true}' \\
     -H "Content-Type: application/json" \\
     -H "Authorization: Bearer $FLOWISE_API_KEY" """,
        Product("Flowise streaming", {"http://127.0.0.1:3000": "BASE", "YOUR_FLOW_ID": "1b6d2f4e"}),
        flowise,
        dict.fromkeys(("FLOWISE_API_KEY", "WORKFLOW_TOKEN"), "flowise-key-of-the-tests"),
    ),
    Shape(
        "coze-stream",
        """curl --location --request POST 'BASE/v3/chat' \\
--header "Authorization: Bearer $COZE_API_TOKEN" \\
--header 'Content-Type: application/json' \\
--data-raw '{
    "bot_id": "734829333445931****",
    "user_id": "123456789",
    "stream": true,
    "auto_save_history": true,
    "additional_messages": [
        {
            "role": "user",
            "content": "What is the weather like in Shanghai today?",
            "content_type": "text"
        }
    ]
}'""",
        Product("Coze streaming", {"https://api.coze.com": "BASE", "YOUR_BOT_ID": '"734829333445931****"'}),
        coze,
        dict.fromkeys(("COZE_API_TOKEN", "WORKFLOW_TOKEN"), "pat_of_the_tests"),
    ),
    Shape(
        "langserve-stream",
        """curl --location --request POST 'BASE/shop/stream' \\
    --header 'Content-Type: application/json' \\
    --data-raw '{
        "input": {"question": "Tell me about cats", "language": "English"},
        "config": {}
    }'""",
        Product("LangServe streaming", {"http://127.0.0.1:8000": "BASE", "YOUR_CHAIN": "shop"}),
        langserve,
        {"WORKFLOW_TOKEN": "none"},
    ),
    Shape(
        "bare-words",
        """curl 'BASE/v1/ask' \\
  -H 'Accept: text/event-stream' \\
  -H 'Content-Type: application/json' \\
  -H 'X-Widget-Key: wk_of_the_tests' \\
  --data-raw '{"message":"Do you have this in red?","conversation_id":null,"page":"https://shop.example/shirts"}' \\
  --compressed""",
        """\
env: [WIDGET_KEY]
connect:
  kind: http
  auth: {api_key: {header: X-Widget-Key, value: "{{ env.WIDGET_KEY }}"}}
  request: {url: "BASE/v1/ask", json: {message: "{{ question }}", conversation_id: null}}
  stream: {done: {data: "[DONE]"}}
  extract: {answer: {regex: '(?s)\\A(?!\\{"conversation_id").*'}}
""",
        bare_words,
        {"WIDGET_KEY": "wk_of_the_tests"},
    ),
    Shape(
        "progress-and-suggestions",
        """curl -N BASE/api/assistant/query -H 'Content-Type: application/json' \\
  -d '{"query": "Where is my parcel?", "tenant": "shop-7", "locale": "en-GB"}'""",
        """\
connect:
  kind: http
  request: {url: "BASE/api/assistant/query", json: {query: "{{ question }}", tenant: shop-7, locale: en-GB}}
  stream: {format: ndjson, where: {kind: answer}, done: {where: {kind: end}}}
  extract: {answer: $.text}
""",
        progress,
    ),
)
