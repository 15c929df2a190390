"""Shapes of enterprise assistants with intents, and of chat platforms whose reply is a list of messages."""

from __future__ import annotations

import base64
from typing import Any

from aiohttp import web

from tests.servers.shapes.answers import answer
from tests.servers.shapes.serving import Call, Product, Refused, Shape, fresh, now, reply


async def voiceflow(call: Call) -> web.StreamResponse:
    """The trace of a turn: what was run beside what was said, and buttons after it."""
    call.posts(r"/state/user/[\w-]+/interact")
    call.need("Authorization", "VF.DM.of-the-tests")
    if call.at("action", "type") != "text":
        raise Refused(400, {"error": "unknown action"})
    said = answer(call.at("action", "payload"))
    buttons = [
        {"name": name, "request": {"type": fresh("path-"), "payload": {"label": name}}} for name in ("Yes", "No")
    ]
    debug = {"message": f"matched intent **faq_{call.number()}** - confidence interval _97.12%_"}
    trace: list[dict[str, Any]] = [
        {"type": "path", "payload": {"path": "next"}},
        {"type": "debug", "payload": debug | {"type": "intent", "query": call.at("action", "payload")}},
        {"type": "flow", "payload": {"diagramID": fresh()}},
        {"type": "text", "payload": {"slate": {"id": fresh()}, "message": said, "delay": 1000, "ai": False}},
        {"type": "debug", "payload": {"message": "API call successfully triggered", "type": "api"}},
        {"type": "choice", "payload": {"buttons": buttons}},
    ]
    return reply([{"time": now(), **each} for each in trace])


async def dialogflow(call: Call) -> web.StreamResponse:
    place = r"/v3/projects/shop-7/locations/global/agents/3c1e/sessions/[\w-]{1,36}:detectIntent"
    call.posts(place)
    if call.request.headers.get("Authorization") != "Bearer ya29.of-the-tests":
        raise Refused(
            401, {"error": {"code": 401, "status": "UNAUTHENTICATED", "message": "Request had invalid token"}}
        )
    call.at("queryInput", "languageCode")
    asked = call.at("queryInput", "text", "text")
    confidence = round(0.5 + call.number() % 50 / 100, 2)
    first, *others = answer(asked).split("\n")
    messages: list[dict[str, Any]] = [{"text": {"text": [text]}, "responseType": "HANDLER_PROMPT"} for text in others]
    messages.insert(0, {"text": {"text": [first]}, "source": "VIRTUAL_AGENT"})
    messages.append({"payload": {"richContent": [[{"type": "chips", "options": [{"text": "Opening hours"}]}]]}})
    result = {
        "text": asked,
        "languageCode": "en",
        "responseMessages": messages,
        "currentPage": {"displayName": "Start Page"},
        "intent": {"displayName": "faq"},
        "intentDetectionConfidence": confidence,
        "match": {"matchType": "INTENT", "confidence": confidence},
        "diagnosticInfo": {"Session Id": fresh(), "Transition Targets Chain": []},
    }
    return reply({"responseId": fresh(), "queryResult": result, "responseType": "FINAL"})


async def lex(call: Call) -> web.StreamResponse:
    call.posts(r"/bots/BOTID7/botAliases/TSTALIASID/botLocales/en_US/sessions/[\w.:-]{2,100}/text")
    signed = call.request.headers.get("Authorization", "")
    if not signed.startswith("AWS4-HMAC-SHA256 Credential=AKIATESTS/") or "Signature=" not in signed:
        raise Refused(403, {"message": "Missing Authentication Token"})
    if "X-Amz-Date" not in call.request.headers:
        raise Refused(403, {"message": "Authorization header requires existence of 'X-Amz-Date'"})
    messages = [{"content": text, "contentType": "PlainText"} for text in answer(call.at("text")).split("\n")]
    intents = [{"intent": {"name": "Faq", "state": "Fulfilled"}, "nluConfidence": {"score": 0.9}}]
    state = {"dialogAction": {"type": "Close"}, "originatingRequestId": fresh()}
    return reply({"sessionId": fresh(), "messages": messages, "interpretations": intents, "sessionState": state})


async def watson(call: Call) -> web.StreamResponse:
    """A session must be made, and is forgotten in the end: the one in the documentation is."""
    secret = base64.b64encode(b"apikey:watson-key-of-the-tests").decode()
    call.need("Authorization", f"Basic {secret}")
    if not call.request.query.get("version"):
        raise Refused(400, {"error": "Invalid version", "code": 400})
    if call.path.endswith("/sessions"):
        call.posts("/v2/assistants/7ec5/sessions")
        call.memory.made[session := fresh()] = True
        return reply({"session_id": session}, 201)
    session = call.posts(r"/v2/assistants/7ec5/sessions/([\w-]+)/message")[1]
    if session not in call.memory.made:
        raise Refused(404, {"error": "Invalid Session", "code": 404})
    said = answer(call.at("input", "text"))
    options = [{"label": label, "value": {"input": {"text": label}}} for label in ("Talk to somebody", "Start again")]
    generic: list[dict[str, Any]] = [
        {"response_type": "text", "text": said},
        {"response_type": "option", "title": "What next?", "options": options},
    ]
    intents = [{"intent": "faq", "confidence": 0.99}]
    return reply({"output": {"generic": generic, "intents": intents, "entities": []}, "user_id": fresh()})


async def direct_line(call: Call) -> web.StreamResponse:
    """The answer comes later, to who looks for it: after a greeting, a sign that the bot types, and our own message."""
    call.need("Authorization", "Bearer directline-of-the-tests", 403)
    if call.path.endswith("/conversations"):
        call.posts("/v3/directline/conversations")
        name = fresh()
        greeting = {"type": "message", "id": f"{name}|0000000", "text": "Welcome! How can I help?"}
        call.memory.made[name] = [greeting]
        return reply({"conversationId": name, "token": fresh(), "expires_in": 1800}, 201)
    name = call.asks(call.request.method, r"/v3/directline/conversations/(\w+)/activities")[1]
    if (activities := call.memory.made.get(name)) is None:
        raise Refused(404, {"error": {"code": "BadArgument", "message": "Unknown conversation"}})
    if call.request.method == "POST":
        call.at("from", "id")
        asked = f"{name}|{len(activities):07}"
        back = {"replyToId": asked, "from": {"id": "bot"}}
        activities += [
            {**call.json, "id": asked},
            {"type": "typing", "id": fresh(), **back},
            {"type": "message", "id": fresh(), "text": answer(call.at("text")), **back},
        ]
        return reply({"id": asked})
    seen = int(call.request.query.get("watermark") or 0)
    ready = len(activities) - 1 if call.number() % 2 else len(activities)
    return reply({"activities": activities[seen:ready], "watermark": str(ready)})


async def _room(call: Call, newest_first: bool) -> web.StreamResponse:
    """A conversation for each visitor: its greeting, all that was said, and a note of the system after each answer."""
    call.posts("/api/v2/rooms/messages")
    call.need("X-App-Id", "app-7", 403)
    asked = call.at("message", "body")
    visitor = call.at("visitor")
    room = call.memory.made.setdefault(visitor, [])

    def add(author: str, text: str) -> None:
        room.append({"id": fresh("m_"), "author": {"type": author}, "body": text, "created_at": now()})

    if not room:
        add("bot", "Hello! I am Mia, your assistant.")
    add("visitor", asked)
    add("bot", answer(asked))
    add("system", "Mia has answered.")
    messages = room[::-1] if newest_first else room
    return reply({"conversation": {"id": fresh(), "visitor": visitor, "messages": messages, "unread": len(room)}})


async def newest_last(call: Call) -> web.StreamResponse:
    return await _room(call, newest_first=False)


async def newest_first(call: Call) -> web.StreamResponse:
    return await _room(call, newest_first=True)


_ROOM_CURL = """curl -X POST 'BASE/api/v2/rooms/messages' \\
  -H 'content-type: application/json' -H 'x-app-id: app-7' \\
  --data-raw '{"visitor":"VISITOR","message":{"body":"Hi, is anybody there?","type":"text"}}'"""
_ROOM = """\
connect:
  kind: http
  request:
    url: "BASE/api/v2/rooms/messages"
    headers: {X-App-Id: app-7}
    json: {visitor: "{{ session }}", message: {body: "{{ question }}", type: text}}
  extract: {answer: "$.conversation.messages[?@.author.type == 'bot'].body", several: WHICH}
"""

SHAPES = (
    Shape(
        "voiceflow-trace",
        """curl --request POST 'BASE/state/user/userID-1/interact' \\
  --header 'Authorization: VF.DM.of-the-tests' \\
  --header 'Content-Type: application/json' \\
  --header 'versionID: production' \\
  --data '{
    "action": {"type": "text", "payload": "I would like a large pizza"},
    "config": {"tts": false, "stripSSML": true}
  }'""",
        Product("Voiceflow", {"https://general-runtime.voiceflow.com": "BASE"}),
        voiceflow,
        {"INTENTS_TOKEN": "VF.DM.of-the-tests"},
    ),
    Shape(
        "dialogflow-cx",
        """curl -X POST \\
  -H "Authorization: Bearer $GOOGLE_ACCESS_TOKEN" \\
  -H "x-goog-user-project: shop-7" \\
  -H "Content-Type: application/json; charset=utf-8" \\
  -d '{
    "queryInput": {"text": {"text": "hello"}, "languageCode": "en"},
    "queryParams": {"timeZone": "America/Los_Angeles"}
  }' \\
  "BASE/v3/projects/shop-7/locations/global/agents/3c1e/sessions/session-12345:detectIntent" """,
        Product(
            "Dialogflow CX",
            {"https://dialogflow.googleapis.com": "BASE", "YOUR_PROJECT": "shop-7", "YOUR_AGENT": "3c1e"},
        ),
        dialogflow,
        dict.fromkeys(("GOOGLE_ACCESS_TOKEN", "INTENTS_TOKEN"), "ya29.of-the-tests"),
    ),
    Shape(
        "lex",
        """curl -X POST "BASE/bots/BOTID7/botAliases/TSTALIASID/botLocales/en_US/sessions/session-1/text" \\
  --user "$AWS_ACCESS_KEY_ID:$AWS_SECRET_ACCESS_KEY" \\
  --aws-sigv4 "aws:amz:us-east-1:lex" \\
  -H "Content-Type: application/json" \\
  -d '{"text": "I want to book a hotel"}'""",
        Product(
            "Amazon Lex",
            {
                "https://runtime-v2-lex.us-east-1.amazonaws.com": "BASE",
                "{aws: {}}": "{aws: {region: us-east-1, service: lex}}",
                "YOUR_BOT": "BOTID7",
                "YOUR_ALIAS": "TSTALIASID",
            },
        ),
        lex,
        {"AWS_ACCESS_KEY_ID": "AKIATESTS", "AWS_SECRET_ACCESS_KEY": "aws-secret-of-the-tests"},
    ),
    Shape(
        "watson-session",
        """curl -X POST -u "apikey:$WATSON_API_KEY" \\
  --header "Content-Type:application/json" \\
  --data '{"input": {"text": "Hello"}}' \\
  "BASE/v2/assistants/7ec5/sessions/a7d5c6f2-1e4b-44a8/message?version=2024-08-25" """,
        Product(
            "Watson Assistant",
            {
                "https://api.us-south.assistant.watson.cloud.ibm.com/instances/YOUR_INSTANCE": "BASE",
                "YOUR_ASSISTANT": "7ec5",
            },
        ),
        watson,
        dict.fromkeys(("WATSON_API_KEY", "INTENTS_TOKEN"), "watson-key-of-the-tests"),
    ),
    Shape(
        "direct-line",
        """curl -X POST BASE/v3/directline/conversations/abc123/activities \\
  -H "Authorization: Bearer $DIRECTLINE_SECRET" \\
  -H "Content-Type: application/json" \\
  -d '{
    "locale": "en-EN",
    "type": "message",
    "from": {"id": "user1"},
    "text": "hello"
  }'""",
        Product(
            "Bot Framework",
            {"https://directline.botframework.com": "BASE", "every: 500ms": "every: 10ms", "quiet: 1s": "quiet: 0s"},
        ),
        direct_line,
        {"DIRECTLINE_SECRET": "directline-of-the-tests"},
    ),
    Shape(
        "rooms-newest-last",
        _ROOM_CURL.replace("VISITOR", "b1946ac9-2f4a-4e0c"),
        _ROOM.replace("WHICH", "last"),
        newest_last,
    ),
    Shape(
        "rooms-newest-first",
        _ROOM_CURL.replace("VISITOR", "591785b7-94d6-4c8e"),
        _ROOM.replace("WHICH", "first"),
        newest_first,
    ),
)
