"""Bots that are asked over HTTP."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from ssl import PROTOCOL_TLS_CLIENT, SSLContext
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal

from botattack.errors import ConfigError, Problem
from botattack.limits import Limits
from botattack.model import Prompt, Reply, Unit, called
from botattack.options import BadValue, Count, FileName, OneOrMore
from botattack.places import PlaceKind, carried_by
from botattack.protocols import Explained, Learn, Masks, Pace, Target, TargetKind, Tell
from botattack.targets.http.aws import Scope
from botattack.targets.http.documents import Documents, HttpLibrary
from botattack.targets.http.http_conversation import HttpConversation, Shared, may_be_a_stream
from botattack.targets.http.logins import Auth, Credentials, SignIn, by_call, by_oauth
from botattack.targets.http.pieces import masked_messages, masked_stream
from botattack.targets.http.streams import POLLED, Gathering, Stream, ending, gather, split, unpack
from botattack.targets.messages.calls import (
    OF_DOCUMENTS,
    STEPS,
    Host,
    Poll,
    ProxyUrl,
    Request,
    host_in,
    host_of,
    known_url,
)
from botattack.targets.messages.chat_messages import Chat, ChatFiller
from botattack.targets.messages.extraction import Extract
from botattack.targets.messages.filling import Caller
from botattack.targets.messages.selectors import Body, stream_format
from botattack.targets.messages.signs import IN_A_BODY

if TYPE_CHECKING:
    from botattack.net.hosts import Hosts

_CARRYING = frozenset({"session", "history", "messages"})
"""Placeholders that tell a bot which conversation goes on, or all of it."""


@dataclass(frozen=True)
class TlsFiles:
    """PEM files in the folder of the target file. Certificates are always verified."""

    ca: FileName | None = None
    """Further authorities to trust."""
    cert: FileName | None = None
    """The client certificate (mutual TLS)."""
    key: FileName | None = None
    """The key of `cert`, if it is not in the same file."""


@dataclass(frozen=True)
class Http(TargetKind):
    """A bot that is asked by HTTP requests."""

    request: Request
    """Asks the question."""
    extract: Extract = field(default_factory=Extract)
    """Where the answer is in the reply."""
    stream: Stream | None = None
    """How the reply (of `poll`, if there is one) comes in pieces."""
    open: Annotated[tuple[Request, ...], OneOrMore()] = ()
    """Opens a conversation, before its first question: a request, or a list of them."""
    poll: Poll | None = None
    """Fetches the answer, if the reply to `request` does not contain it."""
    close: Request | None = None
    """Ends the conversation; its failure is ignored."""
    login: Request | None = None
    """Sent once for all conversations, and again on 401; use its `take` values as {{ login.NAME }}."""
    auth: Auth | None = None
    """Who asks."""
    chat: Chat = field(default_factory=Chat)
    """How {{ messages }} is made."""
    conversation: Literal["fresh", "reuse"] = "fresh"
    """`fresh`: a new conversation for each question; `reuse`: the same ones for all, so one question may change the
    answer to the next."""
    history: Literal["place", "ask"] = "place"
    """Earlier messages: `place`, by templates; or `ask`, sent first, one by one."""
    tls: TlsFiles | None = None
    """Certificate files."""
    proxy: ProxyUrl = None
    """The URL of a proxy; none is taken from the environment."""
    hosts_: tuple[Host, ...] = ()
    """Further hosts (name or name:port) that may be asked, other than those in the URLs here."""
    max_body: Count = 1_000_000
    """The most bytes of a reply, after decompression."""
    documents: Documents | None = None
    """How documents are added to what the bot reads, and removed again."""
    sign_types: ClassVar = (int, *IN_A_BODY)

    def __post_init__(self) -> None:
        for step, request in self.steps().items():
            if wrong := sorted(request.names & OF_DOCUMENTS):
                raise BadValue(f"{{{{ {wrong[0]} }}}} is there below documents alone", (step,), "leave it out")
            for name, part in sorted(pair for template in request.templates for pair in template.parts):
                self._check_taken(step, name, part)
        if self.login is not None and self.auth is not None and self.auth.oauth is not None:
            raise BadValue("login and auth.oauth cannot be used together", hint="keep one of them")

    def _check_taken(self, step: str, call: str, name: str) -> None:
        """Refuses {{ request.id }} that no reply gives."""
        takes = {key: request.take for key, request in self.steps().items() if key.partition("[")[0] == call}
        is_known = call not in STEPS or any(name in take for take in takes.values())
        if not is_known and not (call == "login" and self.auth is not None and self.auth.oauth is not None):
            sentence = f"no reply gives {{{{ {call}.{name} }}}}"
            raise BadValue(sentence, (*_path(step),), f"add {name} to take: of {call}")

    def steps(self) -> dict[str, Request]:
        """The calls of a conversation, by name."""
        several = len(self.open) > 1
        named = {f"open[{at}]" if several else "open": request for at, request in enumerate(self.open)} | {
            "request": self.request,
            "poll": self.poll,
            "close": self.close,
            "login": self.login,
        }
        return {name: request for name, request in named.items() if request is not None}

    def all_steps(self) -> dict[str, Request]:
        """All calls, by their place below `connect`."""
        return self.steps() | (self.documents.steps() if self.documents else {})

    def reach(self) -> Iterator[str]:
        if self.documents is not None and self.documents.may_lose:
            yield "note       a crash between adding a document and its reply leaves one to remove by hand: add find"
        if self.documents is not None and self.documents.find is None:
            yield "note       that a document is added or removed is believed by the reply's status alone: add find"

    @property
    def requests_a_document(self) -> int:
        # What is found confirms twice: that the document is there, and that it is gone.
        steps = self.documents.steps() if self.documents else {}
        return len(steps) + ("documents.find" in steps)

    @property
    def holds_passages(self) -> bool:
        return self.documents is not None and self.documents.holds_passages

    @property
    def _names(self) -> frozenset[str]:
        """The placeholders of the calls that are made for a question."""
        return frozenset[str]().union(*(request.names for request in self._calls))

    @property
    def _calls(self) -> list[Request]:
        return [request for request in (self.request, self.poll) if request is not None]

    def unasked(self) -> str:
        """The option that should place the question, where no call that has it does."""
        return "" if self.chat.asks(self._names) else "request"

    def carries(self, folder: Path) -> frozenset[PlaceKind]:
        return carried_by(self.chat.placed(self._names), history=self.history == "ask")

    @property
    def tools(self) -> tuple[str, ...] | None:
        sent = self.request.json.source if self.request.json else None
        declared = sent.get("tools") if isinstance(sent, Mapping) else None
        return None if self.extract.tools is None else tuple(call.name for call in called(declared))

    @property
    def requests_each(self) -> int:
        """How many requests an asking takes, as far as is known: polling may take more."""
        apart = ("login",) if self.conversation == "fresh" else ("login", "open", "close")
        return sum(not step.startswith(apart) for step in self.steps())

    @property
    def extra(self) -> str:
        signs = self.auth is not None and self.auth.aws is not None
        return "aws" if signs or (self.stream is not None and self.stream.format == "aws") else ""

    @property
    def polls(self) -> bool:
        return self.poll is not None

    @property
    def _goes_on(self) -> bool:
        return self.poll is not None and self.stream is None and self.poll.goes_on

    @property
    def reuses_conversations(self) -> bool:
        return self.conversation == "reuse"

    def address(self, env: Mapping[str, str]) -> str:
        known = self.urls(env)
        return known.get(("request", "url")) or next(iter(known.values()), "")

    def advice(self, limits: Limits, raw: str) -> Iterator[str]:
        if self.stream is None and (form := stream_format(raw)):
            yield f"the reply is a stream of pieces and is read as one text: set stream: {{format: {form}}}"
        stream, body = self.stream, Body.of_raw(raw).text
        if stream and not stream.done and (mark := ending([split(body, stream.format)])[0]):
            yield f"a reply that breaks off is graded as a whole one: set connect.stream.done: {json.dumps(mark)}"

    def urls(self, env: Mapping[str, str]) -> dict[tuple[str | int, ...], str]:
        """Every URL that is known before the run, by its place under `connect`."""
        known: dict[tuple[str | int, ...], str] = {
            (*_path(step), "url"): known_url(request.url, env) for step, request in self.all_steps().items()
        }
        if self.auth is not None and self.auth.oauth is not None:
            known["auth", "oauth", "url"] = known_url(self.auth.oauth.url, env)
        return {place: url for place, url in known.items() if url}

    def hosts(self, env: Mapping[str, str]) -> dict[tuple[str | int, ...], str]:
        """Each host that requests may go to, by its place under `connect`."""
        found: dict[tuple[str | int, ...], str] = {}
        for place, url in self.urls(env).items():
            found[place] = host_in(url)
        for index, host in enumerate(self.hosts_):
            found["hosts", index] = host_of(host)
        if self.proxy is not None:
            found["proxy",] = host_in(known_url(self.proxy, env))
        return found

    def target(
        self, name: str, env: Mapping[str, str], folder: Path, begin: Callable[..., HttpConversation] = HttpConversation
    ) -> HttpTarget:
        """`begin` makes its conversations. Raises ConfigError if an environment name contains no URL, or a file cannot
        be used."""
        if self.auth is not None and self.auth.aws is not None:
            for url in self.urls(env).values():
                Scope(self.auth.aws.region, self.auth.aws.service).of(url)
        try:
            return HttpTarget(name, replace(self, extract=self.extract.bound(folder, self.signs)), env, folder, begin)
        except (ValueError, OSError) as error:
            raise ConfigError((Problem(name, 1, 1, "connect", str(error)),)) from error

    def explain(self, raw: str) -> Explained:
        """How a recorded reply is read, step by step; raises what `Extract.reply` raises."""
        body = Body.of_raw(raw)
        if self._goes_on:
            yield "connect.poll", "replies with something new", [piece.data for piece in unpack(body.text)]
        elif self.stream is None:
            with may_be_a_stream():
                yield from self.extract.explain(body)
        else:
            yield "connect.stream", self.stream.format, [piece.data for piece in split(body.text, self.stream.format)]

    def extractor(self, folder: Path) -> Callable[[str], Reply]:
        """Reads `Reply.raw` of a recording again; raises what `Extract.reply` raises."""
        return replace(self, extract=self.extract.bound(folder, self.signs)).read_raw

    def masked(self, raw: str, masks: Masks) -> str | None:
        if self._goes_on and not Body.of_raw(raw).status:
            return masked_messages(raw, masks)
        in_pieces = self.stream is not None and not Body.of_raw(raw).status
        return masked_stream(raw, self.stream.format, masks) if self.stream is not None and in_pieces else None

    def read_raw(self, raw: str) -> Reply:
        body = Body.of_raw(raw)
        if self._goes_on and not body.status:
            return gather(unpack(body.text), Gathering(POLLED, self.extract, body.values))
        if self.stream is None or body.status:
            with may_be_a_stream():
                return self.extract.reply(body)
        return gather(split(body.text, self.stream.format), Gathering(self.stream, self.extract, body.values))


class ClientTarget(Target):
    """Asks over one pool of connections, with the credentials of its file. `options` are those of its kind."""

    def __init__(self, name: str, options: Any, env: Mapping[str, str], folder: Path, hosts: Hosts) -> None:
        from botattack.net.client import Client

        self.name = name
        self.env = env
        self.client = Client(
            hosts,
            tls=load_tls(options.tls, folder),
            proxy=known_url(options.proxy, env) if options.proxy else "",
            max_body=options.max_body,
        )
        self.chat = ChatFiller(options.chat, env)
        self._credentials = Credentials(env, folder)
        self.authorise = self._credentials.authorise(options.auth)

    def confide(self, learn: Learn) -> None:
        """Passes on the secrets that came from files."""
        learn(self._credentials.from_files)

    def stay_here(self) -> None:
        """Connects to loopback addresses only."""
        self.client.here = True

    def watch(self, tell: Tell) -> None:
        """Reports what it sends and what comes from now on."""
        self.client.tell = tell


class HttpTarget(ClientTarget):
    """Every conversation has cookies and values of its own."""

    def __init__(
        self,
        name: str,
        options: Http,
        env: Mapping[str, str],
        folder: Path,
        begin: Callable[..., HttpConversation] = HttpConversation,
    ) -> None:
        from botattack.net.hosts import Hosts

        super().__init__(name, options, env, folder, Hosts.of(options.urls(env).values(), options.hosts_))
        self.options = options
        self._begin = begin
        self.callers = {step: Caller(request, env, f"connect.{step}") for step, request in options.all_steps().items()}
        self.sign_in = self._sign_in()
        self._shared = Shared(
            self.client,
            self.callers,
            self.chat,
            env,
            self.authorise,
            self.sign_in,
            options.extract,
            options.stream,
            options.poll,
        )
        self._idle: list[HttpConversation] = []

    def _sign_in(self) -> SignIn | None:
        if "login" in self.callers:
            return by_call(self.client, self.callers["login"], self.env)
        oauth = self.options.auth and self.options.auth.oauth
        return by_oauth(self.client, oauth, self._credentials, self.env) if oauth else None

    def confide(self, learn: Learn) -> None:
        """Passes on those that logging in brings, too."""
        super().confide(learn)
        if self.sign_in is not None:
            self.sign_in.learn = learn

    @property
    def may_remember(self) -> bool:
        """A reply may set a cookie; without one, the file must send what names or repeats the conversation."""
        steps = [step for step in self.callers if step.startswith(("open", "request", "poll"))]
        sent = frozenset[str]().union(*(self._shared.names[step] for step in steps))
        takes = any(self.callers[step].request.take for step in steps)
        return bool(self.options.open) or takes or bool(sent & _CARRYING) or self.client.sets_cookies

    def library(self, run: str) -> HttpLibrary | None:
        wanted, unit = self.options.documents, Unit((Prompt(""),), variant_id="documents", run=run)
        return HttpLibrary(wanted, self._shared, unit) if wanted else None

    def session(self, unit: Unit, pace: Pace) -> AbstractAsyncContextManager[HttpConversation]:
        return self._reused(unit, pace) if self.options.conversation == "reuse" else self._conversation(unit, pace)

    def _conversation(self, unit: Unit, pace: Pace) -> HttpConversation:
        return self._begin(self._shared, unit, pace, ask_history=self.options.history == "ask")

    @asynccontextmanager
    async def _reused(self, unit: Unit, pace: Pace) -> AsyncIterator[HttpConversation]:
        """One that nobody uses now; a conversation that has failed is not used again."""
        if self._idle:
            conversation = self._idle.pop()
            conversation.go_on(pace)
        else:
            conversation = self._conversation(unit, pace)
            await conversation.open()
        yield conversation
        self._idle.append(conversation)

    def literals(self) -> Iterator[object]:
        for caller in self.callers.values():
            request = caller.request
            yield request.url.source
            parts = (request.headers, request.query, request.json, request.form, request.text)
            yield from (part.source for part in parts if part)

    async def close(self) -> None:
        """Ends the conversations that were reused, and closes all connections."""
        await asyncio.gather(*[conversation.close() for conversation in self._idle])
        await self.client.close()


def _path(step: str) -> Iterator[str | int]:
    """`open[1]`, `documents.add`"""
    yield from (int(part) if part.isdecimal() else part for part in re.findall(r"\w+", step))


def load_tls(files: TlsFiles | None, folder: Path) -> Any:
    """The files, checked; raises ValueError if one cannot be used."""
    from botattack.net.hosts import Tls

    if files is None:
        return None
    tls = Tls(*(str(file.under(folder)) if file else "" for file in (files.ca, files.cert, files.key)))
    tls.load(SSLContext(PROTOCOL_TLS_CLIENT))  # now, not at the first request
    return tls
