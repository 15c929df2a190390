"""Shapes whose reply is no plain JSON: a page, XML, a script, base64, JSON inside a string."""

from __future__ import annotations

import base64
import html
import json
from xml.sax.saxutils import escape

from aiohttp import web

from tests.servers.shapes.answers import answer
from tests.servers.shapes.serving import Call, Refused, Shape, fresh, now, reply


async def page(call: Call) -> web.StreamResponse:
    """A form is sent, a piece of a page comes back: the question again, the answer, links."""
    call.posts("/chat/send")
    form = await call.request.post()
    if form.get("csrf") != "3f2a91" or not isinstance(form.get("msg"), str):
        raise Refused(403, {"error": "csrf"})
    asked = str(form["msg"])
    said = html.escape(answer(asked)).replace("\n", "<br>")
    more = '<ul class="chips"><li>Opening hours</li><li>Returns</li></ul>'
    text = (
        f'<div class="row user"><p>{html.escape(asked)}</p></div>\n'
        f'<div class="row bot" id="{fresh("m")}"><p>{said}</p><time>{now()}</time></div>\n{more}'
    )
    return web.Response(text=text, content_type="text/html")


async def xml(call: Call) -> web.StreamResponse:
    """The reply of AIML bots: what was said to them, and what they say to that."""
    call.posts("/pandora/talk-xml")
    form = await call.request.post()
    if form.get("botid") != "b0dafd24" or "input" not in form:
        raise Refused(404, {"status": "no such bot"})
    asked = str(form["input"])
    customer = form.get("custid") or fresh()
    text = (
        f'<?xml version="1.0" encoding="UTF-8"?>\n<result status="0" botid="b0dafd24" custid="{customer}">'
        f"<input>{escape(asked)}</input><that>{escape(answer(asked))}</that></result>"
    )
    return web.Response(text=text, content_type="text/xml")


async def script(call: Call) -> web.StreamResponse:
    """JSON as the argument of a function that the question names."""
    call.asks("GET", "/widget/ask")
    query = call.request.query
    if query.get("key") != "pub-7" or not query.get("callback"):
        raise Refused(403, {"error": "key"})
    made = {
        "id": fresh(),
        "q": query["q"],
        "reply": {"text": answer(query["q"]), "score": 0.5 + call.number() % 50 / 100},
    }
    text = f"/**/{query['callback']}({json.dumps(made)});"
    return web.Response(text=text, content_type="application/javascript")


async def encoded(call: Call) -> web.StreamResponse:
    call.posts("/v1/message")
    call.need("X-Device", "kiosk-7", 403)
    said = base64.b64encode(answer(call.at("text")).encode()).decode()
    return reply({"messageId": fresh(), "contentType": "text/plain;charset=utf-8", "payload": said, "ts": now()})


async def gateway(call: Call) -> web.StreamResponse:
    """A function behind a gateway: its JSON is a text. A key of a request gets the same reply for ever."""
    call.posts("/prod/chat")
    key = call.request.headers.get("Idempotency-Key")
    if not key:
        raise Refused(400, {"message": "Idempotency-Key is missing"})
    if key not in call.memory.made:
        inner = {"answer": answer(call.at("prompt")), "sessionId": fresh(), "tookMs": call.number()}
        outer = {"statusCode": 200, "headers": {"Content-Type": "application/json"}, "requestId": fresh()}
        call.memory.made[key] = outer | {"body": json.dumps(inner, ensure_ascii=False)}
    return reply(call.memory.made[key])


SHAPES = (
    Shape(
        "html-fragment",
        """curl 'BASE/chat/send' \\
  -H 'Content-Type: application/x-www-form-urlencoded; charset=UTF-8' \\
  -H 'X-Requested-With: XMLHttpRequest' \\
  --data-raw 'csrf=3f2a91&msg=How+much+is+the+%22blue%22+one%3F&lang=en'""",
        """\
connect:
  kind: http
  request: {url: "BASE/chat/send", form: {csrf: 3f2a91, msg: "{{ question }}", lang: en}}
  extract: {answer: {regex: '<div class="row bot"[^>]*><p>(.*?)</p>'}, html: true}
""",
        page,
    ),
    Shape(
        "xml-aiml",
        """curl BASE/pandora/talk-xml -d botid=b0dafd24 -d custid=d2228e2ee6f5 \\
  --data-urlencode 'input=What is your name?'""",
        """\
connect:
  kind: http
  request: {url: "BASE/pandora/talk-xml", form: {botid: b0dafd24, input: "{{ question }}"}}
  extract: {answer: {regex: '(?s)<that>(.*?)</that>'}, html: true}
""",
        xml,
    ),
    Shape(
        "jsonp",
        """curl 'BASE/widget/ask?key=pub-7&q=where%20are%20you%3F&callback=jQuery36009_1761900000000&_=1761900000001' \\
  -H 'Referer: https://shop.example/' --compressed""",
        """\
connect:
  kind: http
  request: {url: "BASE/widget/ask", query: {key: pub-7, q: "{{ question }}", callback: cb}}
  extract: {answer: [{regex: '\\((.*)\\);$'}, $.reply.text]}
""",
        script,
    ),
    Shape(
        "base64-payload",
        """curl -X POST BASE/v1/message -H 'Content-Type: application/json' -H 'X-Device: kiosk-7' \\
  -d '{"text": "Where do I find the toilets?", "device": {"os": "linux", "build": 118}}'""",
        """\
connect:
  kind: http
  request: {url: "BASE/v1/message", headers: {X-Device: kiosk-7}, json: {text: "{{ question }}"}}
  extract: {answer: [$.payload, base64]}
""",
        encoded,
    ),
    Shape(
        "json-in-string",
        """curl -X POST 'BASE/prod/chat' \\
  -H 'Content-Type: application/json' \\
  -H 'Idempotency-Key: 7f6c1e52-0d7c-4f2b-9b57-0c1f2f8a9d11' \\
  -d '{"prompt": "Can I change my order?", "client": "web/4.2"}'""",
        """\
connect:
  kind: http
  request: {url: "BASE/prod/chat", headers: {Idempotency-Key: "{{ uuid }}"}, json: {prompt: "{{ question }}"}}
  extract: {answer: [$.body, $.answer]}
""",
        gateway,
    ),
)
