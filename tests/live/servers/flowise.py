"""flowise-embed's page with a small server in place of Flowise: python flowise.py FAQ PORT MODULES"""

from __future__ import annotations

import json
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from faq import Faq

known, port = Faq(Path(sys.argv[1])), int(sys.argv[2])
bundle = Path(sys.argv[3]) / "node_modules" / "flowise-embed" / "dist" / "web.js"
PAGE = """<!doctype html>
<title>Ravensbrook helpdesk</title>
<h1>Ravensbrook</h1>
<script type="module">
  import Chatbot from "./web.js";
  Chatbot.init({chatflowid: "faq", apiHost: location.origin});
</script>
"""


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        if self.path == "/":
            self._send(PAGE.encode(), "text/html; charset=utf-8")
        elif self.path == "/web.js":
            self._send(bundle.read_bytes(), "text/javascript")
        elif self.path.startswith("/api/v1/"):
            self._send(b'{"isStreaming": false}', "application/json")
        else:
            self.send_error(404)

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["content-length"])))
        answer = known.answer(asked["question"], [])
        self._send(json.dumps({"text": answer, "chatId": asked.get("chatId", "1")}).encode(), "application/json")

    def _send(self, content: bytes, kind: str) -> None:
        self.send_response(200)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *args: object) -> None:
        """Nothing."""


ThreadingHTTPServer(("127.0.0.1", port), Handler).serve_forever()
