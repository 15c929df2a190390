"""Servers of the OpenAI shape: `POST …/chat/completions`, hosted or local."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property, partial
from pathlib import Path
from typing import Annotated, Any, ClassVar

from botattack.errors import RequestRefused, TargetError
from botattack.model import TOOLS, Prompt, Reply
from botattack.options import Count, Read, word
from botattack.places import PlaceKind
from botattack.protocols import Explained, Masks, TargetKind
from botattack.targets.http.blame import WHO_ASKS
from botattack.targets.http.documents import Documents
from botattack.targets.http.http_conversation import HttpConversation
from botattack.targets.http.http_kind import Http, HttpTarget, TlsFiles
from botattack.targets.http.logins import Auth, Secret
from botattack.targets.http.streams import Mark, Stream
from botattack.targets.messages.calls import Headers, Pairs, ProxyUrl, Request, Text, Url, template
from botattack.targets.messages.chat_messages import Chat
from botattack.targets.messages.extraction import Extract
from botattack.targets.messages.selectors import SelectedByCode, StreamInstead, selector
from botattack.targets.messages.signs import NO_SIGNS, Signs

_FIELDS = {"finish_reason": "$.choices[0].finish_reason", "model": "$.model", "usage": "$.usage"}
# Some servers end without [DONE]; the usage comes after the reason why the answer ended.
_STREAM = Stream(
    done=Mark(data="[DONE]"),
    whole=Mark(at=selector("$.choices[0].finish_reason")),
)
# The code of an error, or why the answer ended. Quotes inside what the model says are escaped, so they never match; a
# JSONPath that filters would take a hundred times as long for each piece of a stream.
_FILTERED = selector({"regex": r'"(?:code|type|finish_reason)"\s*:\s*"content_filter"'})
_EMPTY = selector(
    "$.choices[?@.message.content == null && (!@.message.refusal || @.message.refusal == null)"
    " && !@.message.tool_calls[0]]"
)
_SIGNS = Signs(refused=(_FILTERED,), failed=(selector("$.error"),))
_REFUSED = {401: "connect.api_key", 403: "connect.api_key", 404: "connect.url", 405: "connect.url"}
_OWN = {
    "connect.request.headers.": "connect.headers.",
    "connect.request.json.": "connect.fields.",
    "connect.request.url": "connect.url",
    "connect.request": "connect",
    "connect.auth": "connect.api_key",
    "connect.chat.": "connect.",
    "connect.extract": "connect.url",
    "connect.stream": "connect.stream",
}
"""Places of the request, and what they are made of. No key says where an answer stands: then the URL is wrong."""


def _read_model(value: object) -> str:
    """A text that is placed in the body, so it may have placeholders."""
    template(word(value))
    return str(value)


Model = Annotated[str, Read(_read_model, {"type": "string", "minLength": 1})]


@dataclass(frozen=True)
class FieldsAlone:
    """What else to keep of a reply, in which the place of the answer is known."""

    fields: Mapping[str, SelectedByCode] = field(default_factory=dict)
    """Anything else to keep, by name, as with kind: http: `sources` and `tools` get figures of their own."""


@dataclass(frozen=True)
class OpenAI(TargetKind):
    """A chat server of the OpenAI shape. Turns and passages of a question become messages."""

    url: Url
    """The server's base, such as http://127.0.0.1:8080/v1; a query, as ?api-version=2024-10-21, stays at the end."""
    model: Model
    """The model's name."""
    api_key: Secret | None = None
    """{{ env.NAME }}, or {file: NAME}."""
    system: Text = None
    """The system's message."""
    user: Text = None
    """The last message; by default the passages, if there are any, and the question."""
    temperature: float | None = 0.0
    """0 for the same answer each time; null leaves it to the server."""
    max_tokens: Count | None = None
    """The longest answer."""
    seed: bool = True
    """Send a seed that derives from the unit."""
    stream: bool = False
    """Let the answer come in pieces, and record when the first one came."""
    fields: Pairs = None
    """More fields of the request."""
    headers: Headers = None
    """More headers of the request."""
    extract: FieldsAlone = field(default_factory=FieldsAlone)
    """What else to keep of a reply: `{fields: {sources: "$.sources[*].id"}}`."""
    tls: TlsFiles | None = None
    """Certificate files."""
    proxy: ProxyUrl = None
    """The URL of a proxy; none is taken from the environment."""
    max_body: Count = field(default=Http.max_body)
    """The most bytes of a reply, after decompression."""
    documents: Documents | None = None
    """How documents are added to what the bot reads, and removed again."""
    sign_types: ClassVar = Http.sign_types

    @cached_property
    def http(self) -> Http:
        """The same bot, told in HTTP."""
        base, mark, query = str(self.url.source).partition("?")
        told = Http(
            Request(
                template(f"{base.rstrip('/')}/chat/completions{mark}{query}"),
                headers=self.headers,
                json=template(self._body()),
            ),
            extract=self._extract(),
            stream=_STREAM if self.stream else None,
            auth=Auth(bearer=self.api_key) if self.api_key is not None else None,
            chat=Chat(self.system, self.user),
            tls=self.tls,
            proxy=self.proxy,
            max_body=self.max_body,
            documents=self.documents,
        )
        return told.heeding((self.signs or NO_SIGNS) + _SIGNS + Signs(refused=() if self.stream else (_EMPTY,)))

    def _body(self) -> dict[str, object]:
        body: dict[str, object] = {"model": self.model, "messages": "{{ messages }}"}
        wanted = {
            "temperature": self.temperature,
            "max_tokens": self.max_tokens,
            "seed": "{{ seed }}" if self.seed else None,
            "stream": self.stream or None,
            "stream_options": {"include_usage": True} if self.stream else None,
        }
        more = self.fields.source if self.fields is not None else {}
        return body | {name: value for name, value in wanted.items() if value is not None} | more

    def _extract(self) -> Extract:
        """Null content and a refusal both come; whichever contains a text is the answer."""
        message = "$.choices[0].delta" if self.stream else "$.choices[0].message"
        fields = {name: selector(place) for name, place in (_FIELDS | {TOOLS: f"{message}.tool_calls[*]"}).items()}
        return Extract(selector(f"{message}['content','refusal']"), fields={**fields, **self.extract.fields})

    def unasked(self) -> str:
        """The option that should place the question, if it does not."""
        return "user" if self.http.unasked() else ""

    def carries(self, folder: Path) -> frozenset[PlaceKind]:
        return self.http.carries(folder)

    @property
    def tools(self) -> tuple[str, ...] | None:
        return self.http.tools

    def reach(self) -> Iterator[str]:
        return self.http.reach()

    def address(self, env: Mapping[str, str]) -> str:
        """With its port: two servers of one machine are two bots."""
        return self.http.address(env)

    @property
    def requests_a_document(self) -> int:
        return self.http.requests_a_document

    @property
    def holds_passages(self) -> bool:
        return self.http.holds_passages

    def hosts(self, env: Mapping[str, str]) -> dict[tuple[str | int, ...], str]:
        """Each host that requests may go to, by its place under `connect`."""
        return {("url",) if place[0] == "request" else place: host for place, host in self.http.hosts(env).items()}

    def target(self, name: str, env: Mapping[str, str], folder: Path) -> HttpTarget:
        """Raises ConfigError if an environment name contains no URL, or a file cannot be used."""
        return self.http.target(name, env, folder, partial(_ChatConversation, self))

    def explain(self, raw: str) -> Explained:
        """How a recorded reply is read, step by step. What this kind reads by itself, no key of a file names."""
        for place, source, took in self.http.explain(raw):
            yield place.removeprefix("connect.extract."), source, took

    def extractor(self, folder: Path) -> Callable[[str], Reply]:
        """Reads `Reply.raw` of a recording again."""
        read = self.http.extractor(folder)

        def again(raw: str) -> Reply:
            with self.in_own_keys():
                return read(raw)

        return again

    def masked(self, raw: str, masks: Masks) -> str | None:
        return self.http.masked(raw, masks)

    @contextmanager
    def in_own_keys(self) -> Iterator[None]:
        """What is wrong is reported at a place of this kind, not at that of the request it makes."""
        try:
            yield
        except TargetError as error:
            if isinstance(error, StreamInstead):
                error.advise("connect.stream", "stream: true")
            error.args = (str(error).replace(WHO_ASKS, "see api_key and headers"),)
            error.place = self._own(error)
            raise

    def _own(self, error: TargetError) -> str:
        if isinstance(error, RequestRefused) and error.status in _REFUSED:
            return _REFUSED[error.status]
        if error.place.removeprefix("connect.extract.fields.") in self.extract.fields:
            return error.place
        for place, own in _OWN.items():
            if error.place.startswith(place):
                return own + error.place.removeprefix(place) if place.endswith(".") else own
        return error.place


class _ChatConversation(HttpConversation):
    def __init__(self, options: OpenAI, *begin: Any, **more: Any) -> None:
        super().__init__(*begin, **more)
        self._options = options

    async def ask(self, prompt: Prompt) -> Reply:
        with self._options.in_own_keys():
            return await super().ask(prompt)
