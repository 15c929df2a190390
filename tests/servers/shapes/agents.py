"""Shapes of agents, of a query language, and of sockets."""

from __future__ import annotations

import json
from typing import Any

from aiohttp import WSMsgType, web

from tests.servers.shapes.answers import answer
from tests.servers.shapes.serving import Call, Product, Refused, Shape, fresh, now, reply, sse


def _rpc(call: Call, method: str) -> dict[str, Any]:
    """The parameters of a JSON-RPC call."""
    if call.json.get("jsonrpc") != "2.0" or call.json.get("method") != method:
        raise Refused(200, {"jsonrpc": "2.0", "id": None, "error": {"code": -32601, "message": "Method not found"}})
    found: dict[str, Any] = call.json.get("params", {})
    return found


async def a2a(call: Call) -> web.StreamResponse:
    """A task with what it made and all that was said. A message that was sent before gets its old task."""
    call.posts("/a2a")
    message = _rpc(call, "message/send").get("message", {})
    key = call.at("messageId", within=message)
    if key not in call.memory.made:
        asked = call.at("parts", 0, "text", within=message)
        made = [{"artifactId": fresh(), "name": "answer", "parts": [{"kind": "text", "text": answer(asked)}]}]
        working = {"role": "agent", "parts": [{"kind": "text", "text": "Working on it."}], "messageId": fresh()}
        call.memory.made[key] = {
            "id": fresh(),
            "contextId": fresh(),
            "status": {"state": "completed", "timestamp": f"2026-11-02T10:00:{call.number() % 60:02}Z"},
            "artifacts": made,
            "history": [message, working],
            "kind": "task",
        }
    return reply({"jsonrpc": "2.0", "id": call.json.get("id"), "result": call.memory.made[key]})


async def mcp(call: Call) -> web.StreamResponse:
    """A tool that answers questions, behind streamable HTTP: to be opened by two calls, known by a header."""
    call.posts("/mcp")
    accepted = call.request.headers.get("Accept", "")
    if "application/json" not in accepted or "text/event-stream" not in accepted:
        raise Refused(406, {"jsonrpc": "2.0", "id": None, "error": {"code": -32000, "message": "Not Acceptable"}})
    method = call.at("method")
    if method == "initialize":
        call.memory.made[session := fresh()] = "new"
        result = {"protocolVersion": "2025-06-18", "capabilities": {"tools": {}}, "serverInfo": {"name": "shop"}}
        made = {"jsonrpc": "2.0", "id": call.json.get("id"), "result": result}
        return await call.stream([sse(made, "message")], **{"Mcp-Session-Id": session})
    session = call.request.headers.get("Mcp-Session-Id", "")
    if session not in call.memory.made:
        error = {"code": -32001, "message": "Session not found"}
        raise Refused(404 if session else 400, {"jsonrpc": "2.0", "id": None, "error": error})
    if method == "notifications/initialized":
        call.memory.made[session] = "ready"
        return web.Response(status=202)
    params = _rpc(call, "tools/call")
    if call.memory.made[session] != "ready" or params.get("name") != "ask_shop":
        raise Refused(200, {"jsonrpc": "2.0", "id": 1, "error": {"code": -32602, "message": "Unknown tool"}})
    said = [{"type": "text", "text": answer(call.at("arguments", "question", within=params))}]
    note = {"jsonrpc": "2.0", "method": "notifications/message", "params": {"level": "info", "data": "looking it up"}}
    result = {"jsonrpc": "2.0", "id": call.json.get("id"), "result": {"content": said, "isError": False}}
    return await call.stream([sse(note, "message"), sse(result, "message")])


async def graphql(call: Call) -> web.StreamResponse:
    """A mutation with nested variables. Its own key of a request is taken once."""
    call.posts("/graphql")
    call.need("X-Api-Key", "da2-of-the-tests")
    query, given = call.at("query"), call.json.get("variables") or {}
    if "mutation" not in query or "sendMessage(input: $input)" not in query:
        raise Refused(400, {"errors": [{"message": "Syntax Error: Unexpected Name."}], "data": None})
    key = call.at("input", "clientMutationId", within=given)
    asked = call.at("input", "message", "content", "text", within=given)
    if key in call.memory.made:
        return reply({"data": {"sendMessage": None}, "errors": [{"message": f"clientMutationId {key} was used"}]})
    call.memory.made[key] = True
    user = {"id": fresh(), "author": "USER", "content": {"text": asked}}
    bot = {"id": fresh(), "author": "ASSISTANT", "content": {"text": answer(asked)}}
    sent = {"clientMutationId": key, "conversation": {"id": fresh()}, "userMessage": user, "reply": bot}
    return reply({"data": {"sendMessage": sent}, "extensions": {"requestId": fresh(), "took": call.number()}})


async def socket(call: Call) -> web.StreamResponse:
    """JSON messages: a greeting, an acknowledgement, words, the end."""
    if call.request.query.get("token") != "socket-token-of-the-tests":
        raise Refused(401, {"error": "token"})
    room = web.WebSocketResponse()
    await room.prepare(call.request)
    await room.send_json({"type": "welcome", "text": "Hello! Ask me anything.", "session": fresh()})
    async for message in room:
        if message.type is not WSMsgType.TEXT:
            break
        asked = json.loads(message.data)
        if asked.get("type") != "user_message":
            await room.send_json({"type": "error", "text": "unknown type"})
            continue
        await room.send_json({"type": "ack", "at": now()})
        for word in call.chunks(answer(asked["text"])):
            await room.send_json({"type": "chunk", "text": word})
        await room.send_json({"type": "end", "id": fresh()})
    return room


async def socket_io(call: Call) -> web.StreamResponse:
    """Frames of Engine.IO and Socket.IO: open, connect, events; a ping between them."""
    if call.request.query.get("EIO") != "4":
        raise Refused(400, {"code": 5, "message": "Unsupported protocol version"})
    room = web.WebSocketResponse()
    await room.prepare(call.request)
    await room.send_str("0" + json.dumps({"sid": fresh(), "upgrades": [], "pingInterval": 25000}))
    async for message in room:
        if message.type is not WSMsgType.TEXT:
            break
        if message.data.startswith("40"):
            await room.send_str("40" + json.dumps({"sid": fresh()}))
        elif message.data.startswith("42"):
            name, given = json.loads(message.data[2:])
            if name != "user_uttered":
                continue
            await room.send_str("2")
            for text in answer(given["message"]).split("\n"):
                await room.send_str("42" + json.dumps(["bot_uttered", {"text": text, "quick_replies": []}]))
    return room


_GRAPHQL = (
    "mutation Send($input: SendMessageInput!) "
    "{ sendMessage(input: $input) { clientMutationId reply { content { text } } } }"
)
_VARIABLES = (
    '{"input":{"clientMutationId":"c5a1c9f0-6a1f-4c3e","conversationId":"conv-81723",'
    '"message":{"content":{"text":"How do I reset my password?"},"kind":"TEXT"}}}'
)

SHAPES = (
    Shape(
        "a2a",
        """curl -X POST BASE/a2a \\
  -H "Content-Type: application/json" \\
  -d '{
    "jsonrpc": "2.0",
    "id": 1,
    "method": "message/send",
    "params": {
      "message": {
        "role": "user",
        "parts": [{"kind": "text", "text": "tell me a joke"}],
        "messageId": "9229e770-767c-417b-a0b0-f0741243c589"
      },
      "metadata": {}
    }
  }'""",
        Product("A2A", {"https://YOUR_HOST": "BASE"}),
        a2a,
        {"AGENT_TOKEN": "none"},
    ),
    Shape(
        "mcp-tool",
        """curl -X POST BASE/mcp \\
  -H "Content-Type: application/json" \\
  -H "Accept: application/json, text/event-stream" \\
  -H "Mcp-Session-Id: 1868a90c7b1f4e0f" \\
  -d '{
    "jsonrpc": "2.0",
    "id": 2,
    "method": "tools/call",
    "params": {"name": "ask_shop", "arguments": {"question": "What are your opening hours?"}}
  }'""",
        Product("MCP", {"https://YOUR_HOST": "BASE", "YOUR_TOOL": "ask_shop", "YOUR_ARGUMENT": "question"}),
        mcp,
        {"AGENT_TOKEN": "none"},
    ),
    Shape(
        "graphql",
        f"""curl 'BASE/graphql' \\
  -H 'content-type: application/json' \\
  -H 'x-api-key: da2-of-the-tests' \\
  --data-raw '{{"operationName":"Send","query":"{_GRAPHQL}","variables":{_VARIABLES}}}'""",
        Product("AWS AppSync", {"https://YOUR_HOST": "BASE"}),
        graphql,
        {"GRAPHQL_TOKEN": "da2-of-the-tests"},
    ),
    Shape(
        "websocket-json",
        """curl 'SOCKET/chat?token=socket-token-of-the-tests' \\
  -H 'Upgrade: websocket' \\
  -H 'Connection: Upgrade' \\
  -H 'Sec-WebSocket-Version: 13' \\
  -H 'Sec-WebSocket-Key: q4xkcO32u266gldTuKaSOw=='""",
        Product("WebSocket", {"wss://YOUR_HOST": "SOCKET"}),
        socket,
        {"CHAT_TOKEN": "socket-token-of-the-tests"},
    ),
    Shape(
        "socket-io",
        """curl 'SOCKET/socket.io/?EIO=4&transport=websocket' \\
  -H 'Upgrade: websocket' \\
  -H 'Connection: Upgrade' \\
  -H 'Sec-WebSocket-Version: 13' \\
  -H 'Sec-WebSocket-Key: NVwjmQUcWCenfWu98asDmg=='""",
        Product("Rasa socket", {"ws://127.0.0.1:5005": "SOCKET", "quiet: 2s": "quiet: 100ms"}),
        socket_io,
        {"CHAT_TOKEN": "none"},
    ),
)
