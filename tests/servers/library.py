"""A bot that reads: what it is sent, what was said before, and the documents of its knowledge base."""

from __future__ import annotations

import asyncio
import re
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from tests.servers.http import Received, response

UNKNOWN = "I do not know."
_ASKED = re.compile(r"What is the code of (\w+)\?")


@dataclass
class Library:
    """Answers `What is the code of NAME?` with the CODE of the last text it finds that says `The code of NAME is CODE.`

    `fails(method, path)` gives a status to answer with in place of doing anything; `while_adding` is called once a
    document was added and before that is said.
    """

    documents: dict[str, tuple[str, str]] = field(default_factory=dict)
    """(name, text) by id."""
    asked: list[tuple[str, tuple[str, ...]]] = field(default_factory=list)
    """Each message, and what was in the knowledge base then."""
    added: int = 0
    sessions: set[str] = field(default_factory=set)
    """In which documents were added."""
    said: defaultdict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    fails: Callable[[str, str], int] = lambda *_: 0
    headers: dict[str, str] = field(default_factory=dict)
    """Those of what fails."""
    while_adding: Callable[[], object] = lambda: None
    latency: float = 0.0

    async def __call__(self, request: Received, writer: asyncio.StreamWriter) -> None:
        status, body = await self._do(request)
        writer.write(response(body, status, **(self.headers if status >= 400 else {})))

    async def _do(self, request: Received) -> tuple[int, Any]:
        method, path = request.method, request.target
        await asyncio.sleep(self.latency)
        if status := self.fails(method, path):
            return status, {}
        if method == "POST" and path == "/documents":
            return 200, self._add(request.json)
        if path.startswith("/documents/"):
            return self._one(method, path.rpartition("/")[2])
        return 200, {"answer": await self._answer(request.json)}

    def _add(self, document: Any) -> Any:
        self.added += 1
        self.sessions.add(document["session"])
        name = f"id-{self.added}"
        self.documents[name] = (document["name"], document["text"])
        self.while_adding()
        return {"id": name}

    def _one(self, method: str, name: str) -> tuple[int, Any]:
        """By its id or its name."""
        found = [one for one, (called, _) in self.documents.items() if name in (one, called)]
        if not found:
            return 404, {}
        if method == "DELETE":
            del self.documents[found[0]]
        return 200, {"id": found[0]}

    async def _answer(self, asked: Any) -> str:
        message, session = asked["question"], self.said[asked["session"]]
        there = tuple(text for _, text in self.documents.values())
        self.asked.append((message, there))
        texts = [*there, *asked.get("passages", ()), *session, message]
        session.append(message)
        names = _ASKED.findall(message)
        known = re.compile(rf"The code of {names[-1]} is (\w+)\.") if names else re.compile("$^")
        codes = [code for text in texts for code in known.findall(text)]
        return f"It is {codes[-1]}." if codes else UNKNOWN


CONNECT = """\
connect:
  kind: http
  request:
    url: "{url}/ask"
    json: {{question: "{{{{ question }}}}", passages: "{{{{ passages }}}}", session: "{{{{ session }}}}"}}
  extract: {{answer: $.answer}}
  documents:
    add:
      url: "{url}/documents"
      json: {{name: "{{{{ document.name }}}}", text: "{{{{ document.text }}}}", session: "{{{{ session }}}}"}}
      take: {{id: $.id}}
    ready: {{url: "{url}/documents/{{{{ add.id }}}}"}}
{documents}\
limits: {{rate: unlimited, concurrency: 4, retries: 0}}
signs: {{refused: ["I do not know."]}}
{consent}
"""
BY_ID = '    remove: {{method: DELETE, url: "{url}/documents/{{{{ add.id }}}}"}}\n'
FIND = '    find: {{url: "{url}/documents/{{{{ document.name }}}}", take: {{id: $.id}}}}\n'
BY_NAME = '    remove: {{method: DELETE, url: "{url}/documents/{{{{ document.name }}}}"}}\n'
CONSENT = "consent: {authorised_by: the tests, until: 2099-01-01, writes: documents}"


def target_file(url: str, documents: str = BY_NAME, consent: str = CONSENT) -> str:
    """The target file of a library that listens there."""
    return CONNECT.format(url=url, documents=documents.format(url=url), consent=consent)
