"""What the signs of the shapes' target files make of the replies that documentation shows for refusals and errors."""

from __future__ import annotations

import json
import re
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from botattack.audit.starting.shapes import file_for, to_fill_in
from botattack.config.target import load_target
from botattack.errors import AskedTooOften, ServerFailed
from botattack.targets.http.streams import StreamPiece, pack

BUSY, FAILED, REFUSED, SILENT = "busy", "failed", "refused", "silent"
ROWS: list[tuple[str, str, Any]] = [
    ("OpenAI", BUSY, {"error": {"code": "rate_limit_exceeded", "message": "Rate limit reached for gpt-4.1"}}),
    ("OpenAI", FAILED, {"error": {"code": "server_error", "message": "The server had an error"}}),
    ("OpenAI", REFUSED, {"choices": [{"message": {"content": ""}, "finish_reason": "content_filter"}]}),
    ("Azure OpenAI", REFUSED, {"error": {"code": "content_filter", "status": 400, "message": "The response was"}}),
    (
        "OpenAI Responses",
        REFUSED,
        {"output": [{"type": "message", "content": [{"type": "refusal", "refusal": "I’m"}]}]},
    ),
    ("OpenAI Responses", REFUSED, {"status": "incomplete", "incomplete_details": {"reason": "content_filter"}}),
    ("OpenAI Responses", BUSY, {"status": "failed", "error": {"code": "rate_limit_exceeded", "message": "later"}}),
    ("OpenAI Responses", FAILED, {"status": "failed", "error": {"code": "server_error", "message": "sorry"}}),
    ("Azure AI Foundry Agents", FAILED, {"error": {"code": "server_error", "message": "sorry"}}),
    ("Coze", BUSY, {"code": 4013, "msg": "The number of requests has exceeded the limit"}),
    ("Anthropic", BUSY, {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}),
    ("Anthropic", FAILED, {"type": "error", "error": {"type": "api_error", "message": "Internal server error"}}),
    ("Anthropic", REFUSED, {"type": "message", "content": [], "stop_reason": "refusal"}),
    ("Gemini", REFUSED, {"promptFeedback": {"blockReason": "PROHIBITED_CONTENT"}}),
    ("Gemini", REFUSED, {"candidates": [{"finishReason": "SAFETY", "index": 0}]}),
    ("Gemini", BUSY, {"error": {"code": 429, "status": "RESOURCE_EXHAUSTED", "message": "quota"}}),
    ("Gemini", FAILED, {"error": {"code": 500, "status": "INTERNAL", "message": "An internal error has occurred"}}),
    (
        "Amazon Bedrock",
        REFUSED,
        {"output": {"message": {"content": [{"text": "No."}]}}, "stopReason": "guardrail_intervened"},
    ),
    ("Amazon Bedrock", BUSY, {"__type": "ThrottlingException", "message": "Too many requests"}),
    ("Vercel AI SDK", FAILED, [{"type": "start"}, {"type": "error", "errorText": "An error occurred."}]),
    ("Vercel AI SDK", REFUSED, [{"type": "start"}, {"type": "finish", "finishReason": "content-filter"}]),
    ("Qwen", REFUSED, [{"code": "DataInspectionFailed", "message": "Input data may contain inappropriate content."}]),
    ("Qwen", BUSY, [{"code": "Throttling.RateQuota", "message": "Requests rate limit exceeded"}]),
    ("Dify", BUSY, {"code": "rate_limit_error", "message": "later", "status": 429}),
    ("Dify streaming", FAILED, [{"event": "error", "status": 400, "code": "completion_request_error"}]),
    ("Flowise streaming", FAILED, [{"event": "error", "data": "Error: flow"}]),
    ("Dialogflow CX", SILENT, {"queryResult": {"text": "what?", "responseMessages": []}}),
    ("Dialogflow CX", BUSY, {"error": {"code": 429, "status": "RESOURCE_EXHAUSTED"}}),
    ("Dialogflow ES", FAILED, {"error": {"code": 503, "status": "UNAVAILABLE"}}),
    ("Bot Framework", FAILED, {"error": {"code": "BotError", "message": "Failed to send activity"}}),
    ("Rasa", SILENT, []),
    ("A2A", REFUSED, {"result": {"kind": "task", "status": {"state": "rejected"}}}),
    ("A2A", FAILED, {"jsonrpc": "2.0", "error": {"code": -32603, "message": "Internal error"}}),
    ("MCP", FAILED, [{"result": {"content": [{"type": "text", "text": "no such row"}], "isError": True}}]),
    ("AWS AppSync", BUSY, {"data": None, "errors": [{"errorType": "ThrottlingException", "message": "later"}]}),
    ("GraphQL", FAILED, {"data": None, "errors": [{"message": "Internal server error"}]}),
    ("WebSocket", FAILED, [{"type": "error", "text": "something broke"}]),
]


def extractor(product: str, folder: Path) -> Any:
    text = file_for(product, "bot")
    environ = dict.fromkeys(re.findall(r"\b[A-Z]+(?:_[A-Z]+)+\b", text), "secret")
    for word in to_fill_in(text):
        text = text.replace(word, word.lower().replace("_", "-"))
    (folder / "bot.yaml").write_text(f"{text}consent: {{authorised_by: me, until: 2027-01-31}}\n", "utf-8")
    found = load_target(
        folder / "bot.yaml", environ=environ, today=date(2026, 11, 2), resolve=lambda _: ["203.0.113.7"]
    )
    return found.options.extractor(folder)


def raw(product: str, said: Any) -> str:
    if product == "WebSocket":
        return pack(StreamPiece(json.dumps(each)) for each in said)
    return (
        "".join(f"data: {json.dumps(each)}\n\n" for each in said)
        if said and isinstance(said, list)
        else json.dumps(said)
    )


@pytest.mark.parametrize(("product", "outcome", "said"), ROWS)
def test_signs(product: str, outcome: str, said: Any, tmp_path: Path) -> None:
    read = extractor(product, tmp_path)
    if outcome in (REFUSED, SILENT):
        reply = read(raw(product, said))
        assert (reply.text, bool(reply.refused)) == ("", outcome == REFUSED)
        return
    with pytest.raises(AskedTooOften if outcome == BUSY else ServerFailed):
        read(raw(product, said))
