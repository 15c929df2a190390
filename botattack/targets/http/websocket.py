"""Bots that are asked over a WebSocket."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Literal

from msgspec.structs import replace as with_

from botattack.errors import BrokenReply, ConfigError, ExtractionFailed, Problem, TargetError
from botattack.limits import Limits
from botattack.model import Prompt, Reply, Unit
from botattack.options import BadValue, Count, Seconds
from botattack.places import PlaceKind, carried_by
from botattack.protocols import Explained, Masks, Pace, TargetKind
from botattack.targets.http.blame import blame
from botattack.targets.http.http_kind import ClientTarget, TlsFiles
from botattack.targets.http.listening import Listener, Ping, pongs
from botattack.targets.http.logins import Auth
from botattack.targets.http.pieces import masked_messages
from botattack.targets.http.streams import Gathering, Mark, Stream, StreamPiece, ending, gather, pack, unpack
from botattack.targets.messages.calls import Headers, Message, ProxyUrl, Request, Url, host_in, known_url
from botattack.targets.messages.chat_messages import Chat, Conversation
from botattack.targets.messages.conditions import Conditions
from botattack.targets.messages.extraction import Extract
from botattack.targets.messages.filling import Caller, as_text, filler
from botattack.targets.messages.placed_values import place_values, session_id
from botattack.targets.messages.quiet import TimedPace, before_quiet
from botattack.targets.messages.selectors import Body
from botattack.targets.messages.signs import IN_A_BODY

if TYPE_CHECKING:
    from botattack.net.socket import Socket


@dataclass(frozen=True)
class WebSocket(TargetKind):
    """A bot that is asked over a WebSocket: connect, join, send, collect until done."""

    url: Url
    """Starts with ws:// or wss://."""
    send: Message
    """The message that asks: a text as it is, anything else as JSON."""
    extract: Extract = field(default_factory=Extract)
    """Where in a message of the bot the answer is; messages without it are skipped."""
    headers: Headers = None
    """Of the opening request."""
    join: tuple[Message, ...] = ()
    """Messages sent after connecting."""
    ready: Mark | None = None
    """The bot's message to wait for before the first question."""
    pings: tuple[Ping, ...] = ()
    """The bot's messages that only check whether the connection is alive, and the answer to each. Those of Socket.IO
    (`EIO=` in the URL) are answered anyway."""
    pieces: Literal["messages", "incremental", "cumulative"] = "messages"
    """Each message of the bot is a complete one (`messages`), the next piece (`incremental`), or all so far
    (`cumulative`)."""
    where: Conditions | None = None
    """What is in the messages that contain the answer, such as {type: text} or, for the bot's answer to this very
    message, {reply_to: _.message.uuid}."""
    done: Mark | None = None
    """The bot's message that ends its answer."""
    quiet: Seconds = 1.0
    """Without `done`: the silence after which the answer counts as complete."""
    auth: Auth | None = None
    """Who asks; not by OAuth or for AWS."""
    chat: Chat = field(default_factory=Chat)
    """How {{ messages }} is made."""
    tls: TlsFiles | None = None
    """Certificate files."""
    proxy: ProxyUrl = None
    """The URL of a proxy; none is taken from the environment."""
    max_body: Count = 1_000_000
    """The most bytes of a message of the bot, and of an answer."""

    sign_types: ClassVar = IN_A_BODY

    def __post_init__(self) -> None:
        if self.auth is not None and self.auth.oauth is not None:
            raise BadValue("a WebSocket cannot use OAuth", ("auth", "oauth"), "give a bearer token")
        if self.auth is not None and self.auth.aws is not None:
            raise BadValue("a WebSocket cannot be signed for AWS", ("auth", "aws"), "put a signed URL into `url`")

    @property
    def stream(self) -> Stream:
        return Stream(pieces=self.pieces, where=self.where, done=self.done or Mark(event="never"))

    @property
    def requests_each(self) -> int:
        """How many requests an asking takes: to connect, to join, to ask."""
        return 1 + len(self.join) + 1

    def hosts(self, env: Mapping[str, str]) -> dict[tuple[str | int, ...], str]:
        """Each host that requests may go to, by its place under `connect`."""
        urls = {"url": self.url, "proxy": self.proxy}
        return {(key,): host_in(known_url(url, env)) for key, url in urls.items() if url is not None}

    def address(self, env: Mapping[str, str]) -> str:
        return known_url(self.url, env)

    def unasked(self) -> str:
        """The option that should place the question, if it does not."""
        return "" if self.chat.asks(self.send.names) else "send"

    def carries(self, folder: Path) -> frozenset[PlaceKind]:
        return carried_by(self.chat.placed(self.send.names))

    @property
    def tools(self) -> tuple[str, ...] | None:
        return self.extract.tools

    def target(self, name: str, env: Mapping[str, str], folder: Path) -> SocketTarget:
        """Raises ConfigError if an environment name contains no URL, or a file cannot be used."""
        try:
            return SocketTarget(name, replace(self, extract=self.extract.bound(folder, self.signs)), env, folder)
        except (ValueError, OSError) as error:
            raise ConfigError((Problem(name, 1, 1, "connect", str(error)),)) from error

    def extractor(self, folder: Path) -> Callable[[str], Reply]:
        """Reads `Reply.raw` of a recording again; raises what `Extract.reply` raises."""
        return replace(self, extract=self.extract.bound(folder, self.signs)).read_raw

    def advice(self, limits: Limits, raw: str) -> Iterator[str]:
        if self.done is None and (mark := ending([unpack(Body.of_raw(raw).text)])[0]):
            yield f"each answer is waited for {self.quiet:g} s longer: set connect.done: {json.dumps(mark)}"

    def explain(self, raw: str) -> Explained:
        """How a recorded reply is read, step by step."""
        yield "connect", "messages of the bot", [piece.data for piece in unpack(Body.of_raw(raw).text)]

    def masked(self, raw: str, masks: Masks) -> str | None:
        return masked_messages(raw, masks)

    def read_raw(self, raw: str) -> Reply:
        body = Body.of_raw(raw)
        return gather(unpack(body.text), Gathering(self.stream, self.extract, body.values, strict=False))


class SocketTarget(ClientTarget):
    """A connection for each conversation."""

    def __init__(self, name: str, options: WebSocket, env: Mapping[str, str], folder: Path) -> None:
        from botattack.net.hosts import Hosts

        super().__init__(name, options, env, folder, Hosts.of([known_url(options.url, env)]))
        self.options = options
        self.send = filler(options.send, env, "connect.send")
        self.names = self.chat.names_with(options.send.names)
        self.join = [filler(message, env, f"connect.join.{i}") for i, message in enumerate(options.join)]
        self._caller = Caller(Request(options.url, headers=options.headers), env, "connect")

    @asynccontextmanager
    async def session(self, unit: Unit, pace: Pace) -> AsyncIterator[SocketSession]:
        values = {**place_values(session_id(unit), unit.seed, Prompt(""), (), self._caller.names), "env": self.env}
        call = self.authorise(self._caller.call(values), values)
        try:
            async with self.client.socket(call, pace) as socket:
                listener = Listener(socket, pongs(self.options.pings, str(self.options.url.source)))
                async with listener.listening():
                    session = SocketSession(self, socket, listener, unit, pace)
                    await session.join()
                    yield session
        except TargetError as error:
            blame(error, "connect.url", "connect.url", self.env, call.headers)
            raise

    async def close(self) -> None:
        await self.client.close()


class SocketSession(Conversation):
    """One conversation over one connection."""

    def __init__(self, target: SocketTarget, socket: Socket, listener: Listener, unit: Unit, pace: Pace) -> None:
        super().__init__(unit, pace)
        self._target = target
        self._options = target.options
        self._socket = socket
        self._listener = listener

    async def join(self) -> None:
        values = {**place_values(self._id, self._seed, Prompt(""), (), ("uuid",)), "env": self._target.env}
        for message in self._target.join:
            await self._socket.send(as_text(message(values)))
        if self._options.ready is not None:
            while not self._options.ready.on(piece := await self._next("before it was ready"), Body(piece.data)):
                pass

    async def ask(self, prompt: Prompt) -> Reply:
        """Raises BrokenReply if the bot hangs up before its answer, or has answered the turn before twice; ServerFailed
        if it says that it failed."""
        watch = TimedPace(self._pace)
        values = self._placed(prompt, self._target.names | {"uuid"}, self._target.env, self._target.chat)
        message = {"message": {"session": self._id, "uuid": values["uuid"]}}
        wanted = {step for step, _ in self._options.extract.wanted | self._options.stream.wanted}
        known = {step: kept for step, kept in message.items() if step in wanted}
        gathering = Gathering(self._options.stream, self._options.extract, known, strict=False)
        text = as_text(self._target.send(values))
        await self._pace.leave()
        if self._turns:
            self._refuse_second_answer()
        await self._socket.answer(text)
        watch.start()
        pieces, first = await self._gathered(gathering, watch)
        reply = gathering.reply()
        reply = with_(reply, first=first, raw=Body(pack(pieces), known).raw)
        self._heard(prompt, reply)
        return with_(reply, latency=watch.since())

    def _refuse_second_answer(self) -> None:
        """What came after an answer was taken would be read as the answer to the next turn."""
        gathering = Gathering(self._options.stream, self._options.extract, {}, strict=False)
        for text in self._listener.unasked():
            gathering.add(StreamPiece(text))
            if gathering.started:
                raise BrokenReply(
                    "the bot answered again after its answer was taken; set connect.done, or a longer connect.quiet",
                    said=text,
                    delivered=True,
                    place="connect.quiet",
                )

    async def _gathered(self, gathering: Gathering, watch: TimedPace) -> tuple[list[StreamPiece], float | None]:
        pieces: list[StreamPiece] = []
        first, room = None, self._options.max_body
        while not gathering.finished:
            try:
                piece = await self._piece(gathering, pieces)
            except asyncio.CancelledError as ended:
                if not pieces or gathering.started:
                    raise
                # Whoever set the time limit reads this cause, and reports what came in place of an answer.
                raise ended from gathering.silent()
            if piece is None:
                break
            pieces.append(piece)
            gathering.add(piece)
            if first is None and gathering.started:
                first = watch.since()
            room -= len(piece.data.encode())
            if room < 0:
                most = f"{self._options.max_body:,} bytes, the most that max_body allows"
                raise ExtractionFailed(f"the bot's answer is longer than {most}", delivered=True)
        return pieces, first

    async def _piece(self, gathering: Gathering, before: list[StreamPiece]) -> StreamPiece | None:
        """The bot's next message; None if the answer is there and, without an end mark, all is quiet."""
        if self._options.done is not None or not gathering.started:
            return await self._next("before the end of its answer", *before[-1:])
        try:
            text = await before_quiet(self._listener.receive(), self._options.quiet)
        except TimeoutError:
            return None
        return None if text is None else StreamPiece(text)

    async def _next(self, when: str, last: StreamPiece | None = None) -> StreamPiece:
        text = await self._listener.receive()
        if text is None:
            raise BrokenReply(f"the bot hung up {when}", said=last.data if last else "", delivered=True)
        return StreamPiece(text)
