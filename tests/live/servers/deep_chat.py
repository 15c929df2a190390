"""deep-chat's page with a small server: python deep_chat.py FAQ PORT MODULES

`/` answers in one piece (JSON), `/stream` in pieces (server-sent events). The page sends what was said so far.
"""

from __future__ import annotations

import json
import sys
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from faq import Faq

known, port = Faq(Path(sys.argv[1])), int(sys.argv[2])
bundle = Path(sys.argv[3]) / "node_modules" / "deep-chat" / "dist" / "deepChat.bundle.js"
PAGE = """<!doctype html>
<title>Ravensbrook helpdesk</title>
<script type="module" src="/deepChat.bundle.js"></script>
<deep-chat connect='{"url": "%s"%s}' requestBodyLimits='{"maxMessages": -1}' style="height: 400px"></deep-chat>
"""
PAGES = {"/": PAGE % ("/chat", ""), "/stream": PAGE % ("/pieces", ', "stream": true')}


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        if self.path in PAGES:
            self._send(PAGES[self.path].encode(), "text/html; charset=utf-8")
        elif self.path == "/deepChat.bundle.js":
            self._send(bundle.read_bytes(), "text/javascript")
        else:
            self.send_error(404)

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        texts = [message["text"] for message in body["messages"] if message.get("role", "user") == "user"]
        answer = known.answer(texts[-1], texts[:-1])
        if self.path == "/chat":
            self._send(json.dumps({"text": answer}).encode(), "application/json")
        else:
            self._pieces(answer)

    def _pieces(self, answer: str) -> None:
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("connection", "close")
        self.end_headers()
        self.close_connection = True
        for piece in known.pieces(answer):
            self.wfile.write(f"data: {json.dumps({'text': piece})}\n\n".encode())
            self.wfile.flush()
            time.sleep(0.1)

    def _send(self, content: bytes, kind: str) -> None:
        self.send_response(200)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *args: object) -> None:
        """Nothing."""


ThreadingHTTPServer(("127.0.0.1", port), Handler).serve_forever()
