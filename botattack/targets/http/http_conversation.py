"""One conversation over HTTP: open, ask, poll, close, with the values that each call leaves to the next."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Self, TypeVar

from msgspec.structs import replace as with_

from botattack.closing import in_time
from botattack.errors import BotattackError, BrokenReply, RequestRefused, ServerFailed, TargetError
from botattack.model import Prompt, Reply, Unit
from botattack.protocols import Pace
from botattack.targets.http.aws import Frames
from botattack.targets.http.blame import blame
from botattack.targets.http.logins import Authorise, SignIn
from botattack.targets.http.streams import POLLED, Gathering, Splitter, Stream, StreamPiece, pack, split
from botattack.targets.messages.calls import Poll
from botattack.targets.messages.chat_messages import ChatFiller, Conversation
from botattack.targets.messages.conditions import earlier
from botattack.targets.messages.extraction import Decoder, Extract, decoded
from botattack.targets.messages.filling import Caller
from botattack.targets.messages.quiet import TimedPace
from botattack.targets.messages.selectors import Body, Selector, StreamInstead, find
from botattack.targets.messages.signs import found

if TYPE_CHECKING:
    from botattack.net.client import Client
    from botattack.net.response import Response

T = TypeVar("T")
CLOSE_SECONDS = 5.0
"""How long the `close` call may take."""
_NO_PROMPT = Prompt("")
_ASKING = ("connect.request", "connect.poll")


@dataclass(frozen=True)
class Shared:
    """What all conversations with a bot share."""

    client: Client
    callers: Mapping[str, Caller]
    """Those of login, open, request, poll and close that the target file describes."""
    chat: ChatFiller
    env: Mapping[str, str]
    authorise: Authorise
    sign_in: SignIn | None
    extract: Extract
    stream: Stream | None
    poll: Poll | None

    @cached_property
    def names(self) -> Mapping[str, frozenset[str]]:
        """The values that each call needs."""
        return {step: self.chat.names_with(caller.names) for step, caller in self.callers.items()}

    @cached_property
    def wanted(self) -> frozenset[tuple[str, str]]:
        """(call, name) of the values that reading a reply needs, which a recording has to keep."""
        wanted = self.extract.wanted | (self.stream.wanted if self.stream else frozenset())
        return wanted | earlier((self.poll.until if self.poll else None,))


class HttpConversation(Conversation):
    """One conversation with a bot behind HTTP, open inside `async with`.

    `ask_history`: what went before a question is asked first.
    """

    def __init__(self, shared: Shared, unit: Unit, pace: Pace, *, ask_history: bool) -> None:
        super().__init__(unit, pace)
        self._shared = shared
        self._ask_history = ask_history
        self._carried: dict[str, Mapping[str, object]] = {}
        self._cookies = shared.client.no_cookies()
        self._login: Mapping[str, object] | None = None

    def go_on(self, pace: Pace) -> None:
        """Continues the conversation for another unit, at its pace."""
        self._pace = pace

    async def __aenter__(self) -> Self:
        await self.open()
        return self

    async def __aexit__(self, *error: object) -> None:
        await self.close()

    async def open(self) -> None:
        for step in self._shared.callers:
            if step.startswith("open"):
                await self._step(step, _NO_PROMPT, self._pace)

    async def ask(self, prompt: Prompt) -> Reply:
        """Raises a TargetError that names the place in the target file, if one is to blame."""
        if self._ask_history:
            for turn in prompt.history if not self._turns else ():
                if turn.speaker == "user":
                    await self._ask(Prompt(turn.text))
            prompt = with_(prompt, history=())
        return await self._ask(prompt)

    async def once(self, step: str, values: Mapping[str, Mapping[str, object]]) -> tuple[Body, Mapping[str, object]]:
        """Makes one call that asks nothing, with more `values` for its templates; gives the reply and what it takes."""
        self._carried = {**values}
        body = await self._step(step, _NO_PROMPT, self._pace)
        return body, self._carried.get(step, {})

    async def close(self) -> None:
        """Makes the `close` call, if the target file has one. No answer depends on it, so a failure is ignored."""
        if "close" not in self._shared.callers:
            return
        with suppress(BotattackError):
            await in_time(self._step("close", _NO_PROMPT, self._pace), CLOSE_SECONDS)

    async def _ask(self, prompt: Prompt) -> Reply:
        watch = TimedPace(self._pace)
        try:
            reply = await self._reply(prompt, watch)
        except RequestRefused as error:
            body = Body(error.said, {**self._recorded(), "status": error.status})
            # A login that is refused says nothing of the question.
            if not error.place.startswith(_ASKING) or (refused := self._shared.extract.refused(body)) is None:
                raise
            reply = with_(refused, raw=body.raw)
        self._heard(prompt, reply)
        return with_(reply, latency=watch.since())

    async def _reply(self, prompt: Prompt, watch: TimedPace) -> Reply:
        poll = self._shared.poll
        if self._shared.stream is not None:
            if poll is not None:
                await self._step("request", prompt, watch)
            return await self._streamed(self._shared.stream, "poll" if poll else "request", prompt, watch)
        body = await self._step("request", prompt, watch)
        with may_be_a_stream():
            if poll is not None and poll.goes_on:
                return await self._put_together(poll, prompt, watch)
            if poll is not None:
                body = await self._polled(poll, prompt, watch)
            return with_(self._shared.extract.reply(body), raw=body.raw)

    async def _step(self, step: str, prompt: Prompt, pace: Pace) -> Body:
        """Makes one call, and keeps what it takes."""
        text, header = await self._call(step, prompt, pace, self._text)
        # An empty reply, such as a poll with nothing new, has nothing to take, and is no JSON to find anything in.
        look = find if text.strip() else lambda where, _, body: found(where, body)
        self._take(step, [Body(text, self._recorded(), header)], look)
        return Body(text, self._recorded())

    async def _text(self, response: Response) -> tuple[str, Callable[[str], str]]:
        text = decoded(await response.read(), response.header("content-type"), self._shared.extract.charset)
        return text, response.header

    def _take(self, step: str, bodies: Iterable[Body], look: Callable[[Selector, str, Body], list[object]]) -> None:
        """Keeps the values that a call takes of its reply, or the first piece of it that has them."""
        name, kept = step.partition("[")[0], dict[str, object]()
        for wanted, where in self._shared.callers[step].request.take.items():
            there = (values for body in bodies if (values := look(where, f"connect.{step}.take.{wanted}", body)))
            if values := next(there, []):
                kept[wanted] = values[0]
        if kept:
            self._carried = {**self._carried, name: {**self._carried.get(name, {}), **kept}}

    async def _call(self, step: str, prompt: Prompt, pace: Pace, read: Callable[[Response], Awaitable[T]]) -> T:
        """Sends a call and reads its reply; on 401 logs in again, once, and sends it once more."""
        sign_in = self._shared.sign_in
        if sign_in is None:
            return await self._send(step, prompt, pace, read)
        signed = await self._signed_in(sign_in, pace)
        try:
            return await self._send(step, prompt, pace, read)
        except RequestRefused as error:
            if error.status != 401:
                raise
        await sign_in.renew(signed, pace)
        await self._signed_in(sign_in, pace)
        return await self._send(step, prompt, pace, read)

    async def _signed_in(self, sign_in: SignIn, pace: Pace) -> Mapping[str, object]:
        values = await sign_in.values(pace)
        if values is not self._login:
            self._login = values
            self._cookies.learn(sign_in.cookies)
        return values

    async def _send(self, step: str, prompt: Prompt, pace: Pace, read: Callable[[Response], Awaitable[T]]) -> T:
        caller = self._shared.callers[step]
        values = self._values(prompt, self._shared.names[step])
        call = self._shared.authorise(caller.call(values), values)
        try:
            async with self._shared.client.open(call, pace, self._cookies) as response:
                return await read(response)
        except TargetError as error:
            blame(error, f"connect.{step}", f"connect.{step}.url", self._shared.env, call.headers)
            raise

    async def _polled(self, poll: Poll, prompt: Prompt, pace: Pace) -> Body:
        """Asks until the answer is there and has not changed for `quiet` seconds; the caller has a deadline."""
        clock = asyncio.get_running_loop().time
        text, since = None, clock()
        while True:
            body = await self._step("poll", prompt, pace)
            found = self._answer(poll, body)
            if found != text:
                text, since = found, clock()
            if text is not None and clock() - since >= poll.quiet:
                return body
            if text is None:
                refuse_failed(body)
            await asyncio.sleep(poll.every)

    async def _put_together(self, poll: Poll, prompt: Prompt, pace: Pace) -> Reply:
        """Asks for more until nothing has come for `quiet` seconds, or until the last reply says that this is all."""
        clock = asyncio.get_running_loop().time
        gathering, pieces = Gathering(POLLED, self._shared.extract, self._recorded()), list[StreamPiece]()
        came, since = 0, clock()
        while True:
            body = await self._step("poll", prompt, pace)
            is_over = poll.until is None or any(found(poll.until, body))
            if body.text.strip():
                gathering.add(piece := StreamPiece(body.text))
                if gathering.count > came or is_over or gathering.finished:
                    pieces.append(piece)
            if gathering.count > came:
                came, since = gathering.count, clock()
            is_there = gathering.started or poll.until is not None
            if gathering.finished or (is_over and is_there and clock() - since >= poll.quiet):
                return with_(gathering.reply(), raw=Body(pack(pieces), self._recorded()).raw)
            if not gathering.started:
                refuse_failed(body)
            await asyncio.sleep(poll.every)

    def _answer(self, poll: Poll, body: Body) -> str | None:
        """What is there so far; None if the answer is not ready. Saying nothing is an answer only where `until`
        tells that nothing more will come."""
        if self._shared.extract.refused(body) is not None:
            return ""
        if poll.until is not None and not any(find(poll.until, "connect.poll.until", body)):
            return None
        found = self._shared.extract.found(body) or None
        silent = found is None and poll.until is not None and self._shared.extract.signs.refusal(body, nothing=True)
        return "" if silent else found

    async def _streamed(self, stream: Stream, step: str, prompt: Prompt, watch: TimedPace) -> Reply:
        async def read(response: Response) -> Reply:
            gathering = Gathering(stream, self._shared.extract, self._recorded())
            text, first = await self._gathered(stream, response, gathering, watch)
            if self._shared.callers[step].request.take:
                pieces = [Body(piece.data, {}, response.header) for piece in split(text, stream.format)]
                self._take(step, pieces, lambda where, _, body: found(where, body))
            return with_(gathering.reply(), first=first, raw=Body(text, self._recorded()).raw)

        return await self._call(step, prompt, watch, read)

    async def _gathered(
        self, stream: Stream, response: Response, gathering: Gathering, watch: TimedPace
    ) -> tuple[str, float | None]:
        """The text of the stream, and when the first piece of an answer came, in seconds."""
        splitter, first, seen = Splitter(stream.format), None, list[str]()
        is_framed = stream.format == "aws"
        decode = Frames() if is_framed else Decoder(response.header("content-type"), self._shared.extract.charset)
        async for chunk in response.pieces():
            seen.append(decode(chunk))
            for piece in splitter.feed(seen[-1]):
                gathering.add(piece)
            if first is None and gathering.started:
                first = watch.since()
            if gathering.finished:
                break
        for piece in splitter.end():
            gathering.add(piece)
        if not gathering.whole:
            sentence = "the stream ended before its end mark"
            raise BrokenReply(sentence, said="".join(seen), last=True, delivered=True, place="connect.stream.done")
        return "".join(seen), first

    def _recorded(self) -> dict[str, dict[str, object]]:
        """The values of `Shared.wanted` that are there."""
        kept: dict[str, dict[str, object]] = {}
        for step, name in self._shared.wanted:
            if name in self._carried.get(step, {}):
                kept.setdefault(step, {})[name] = self._carried[step][name]
        return kept

    def _values(self, prompt: Prompt, names: frozenset[str]) -> dict[str, object]:
        values = self._placed(prompt, names, self._shared.env, self._shared.chat)
        values.update(self._carried)
        if self._login is not None:
            values["login"] = self._login
        return values


_FAILED = frozenset({"aborted", "canceled", "cancelled", "error", "expired", "failed", "failure", "incomplete"})


def refuse_failed(body: Body) -> None:
    """Raises ServerFailed if a reply without an answer says that there will be none: nobody need wait for it."""
    level = [] if not body.text.strip().startswith("{") else [body.json]
    for _ in range(3):
        for each in level:
            for name in ("status", "state"):
                if str(each.get(name)).casefold() in _FAILED:
                    sentence = f"what is polled has ended without an answer, {name}: {each[name]}"
                    raise ServerFailed(sentence, said=body.text, delivered=True, place="connect.poll")
        level = [inner for each in level for inner in each.values() if isinstance(inner, dict)]


@contextmanager
def may_be_a_stream() -> Iterator[None]:
    """If a reply turns out to be a stream, the error names the key of the target file that says so."""
    try:
        yield
    except StreamInstead as error:
        error.advise("connect.stream", f"stream: {{format: {error.form}}}")
        raise
