"""Bots that are a program: a JSON value a line in, a JSON value a line out."""

from __future__ import annotations

import asyncio
import os
import signal
from asyncio.subprocess import PIPE, SubprocessStreamProtocol
from asyncio.subprocess import Process as Running
from codecs import getincrementaldecoder
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import ClassVar, Literal

import msgspec
from msgspec.structs import replace as with_

from botattack.closing import in_time
from botattack.environment import environment
from botattack.errors import BrokenReply, ExtractionFailed, Unreachable
from botattack.model import Prompt, Reply, Unit
from botattack.options import Count, Program
from botattack.places import PlaceKind, carried_by
from botattack.protocols import Pace, Target, TargetKind
from botattack.targets.messages.calls import Message, template
from botattack.targets.messages.chat_messages import Chat, ChatFiller, Conversation
from botattack.targets.messages.extraction import Extract
from botattack.targets.messages.filling import filler
from botattack.targets.messages.quiet import TimedPace
from botattack.targets.messages.selectors import Body, selector
from botattack.targets.messages.signs import IN_A_BODY

GOODBYE_SECONDS = 1.0
LINGER = 0.005
"""Seconds after an answer in which a second line, written right behind it, arrives before the next question leaves."""
KEPT = 65_536
"""Characters of what a program last wrote to its error output: more than any secret in it takes."""
LINE = {"text": "{{ question }}", "session": "{{ session }}", "turn": "{{ turn }}", "seed": "{{ seed }}"}
"""What a line contains, where the target file does not say."""


@dataclass(frozen=True)
class Process(TargetKind):
    """A program that is asked by a line of JSON on its input and answers by a line of JSON on its output."""

    command: Program
    """The program and its arguments, as a list; never run by a shell. It starts in the folder of the target file and
    sees only these environment variables: those listed under `env`, PATH, HOME, TMPDIR and the language."""
    send: Message = field(default_factory=lambda: template(LINE))
    """What a line contains; by default {text, session, turn, seed}."""
    extract: Extract = field(default_factory=lambda: Extract(selector("$.text")))
    """Where the answer is in its line."""
    per: Literal["run", "conversation"] = "run"
    """Whether the program is started again for each conversation; if not, `turn` 0 in a line says that a new one
    begins."""
    workers: Count = 1
    """How many of them run at once; each has one conversation at a time."""
    chat: Chat = field(default_factory=Chat)
    """How {{ messages }} is made."""
    max_body: Count = 1_000_000
    """The most bytes of a line."""
    sign_types: ClassVar = IN_A_BODY

    def unasked(self) -> str:
        """The option that should place the question, if it does not."""
        return "" if self.chat.asks(self.send.names) else "send"

    def hosts(self, env: Mapping[str, str]) -> Mapping[tuple[str | int, ...], str]:
        """None that botattack asks: what the program itself asks is up to whoever allowed it to run."""
        return {}

    def carries(self, folder: Path) -> frozenset[PlaceKind]:
        return carried_by(self.chat.placed(self.send.names))

    @property
    def tools(self) -> tuple[str, ...] | None:
        return self.extract.tools

    def target(self, name: str, env: Mapping[str, str], folder: Path) -> ProcessTarget:
        """Nothing is started before the first question."""
        return ProcessTarget(name, replace(self, extract=self.extract.bound(folder, self.signs)), env, folder)

    def extractor(self, folder: Path) -> Callable[[str], Reply]:
        """Reads `Reply.raw` of a recording again; raises what `Extract.reply` raises."""
        extract = self.extract.bound(folder, self.signs)
        return lambda raw: extract.reply(Body.of_raw(raw))


class Worker:
    """One running program."""

    def __init__(self, process: Running, pipes: asyncio.SubprocessTransport, name: str, cap: int) -> None:
        self._process = process
        self._pipes = pipes
        self._name = name
        self._cap = cap
        self._said = ""
        self.in_step = True
        self._listener = asyncio.create_task(self._listen())
        self._coming = asyncio.create_task(self._line())
        """The next line, read as soon as it is there: one that comes before its question answers nothing."""
        self._answered = float("-inf")

    @classmethod
    async def start(cls, options: Process, env: Mapping[str, str], folder: Path) -> Worker:
        """Raises Unreachable if it cannot be started."""
        words = options.command.words
        loop = asyncio.get_running_loop()
        try:
            # What asyncio.create_subprocess_exec does, which keeps the transport to itself: nobody could close the
            # pipes of a program whose child has left with them.
            pipes, protocol = await loop.subprocess_exec(
                partial(SubprocessStreamProtocol, options.max_body, loop),
                *words,
                stdin=PIPE,
                stdout=PIPE,
                stderr=PIPE,
                cwd=folder,
                env=environment(env),
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            why = (error.strerror if isinstance(error, OSError) else None) or str(error)
            sentence = f"{words[0]} cannot be started: {why}"
            raise Unreachable(sentence, delivered=False, place="connect.command") from error
        return cls(Running(pipes, protocol, loop), pipes, words[0], options.max_body)

    async def ask(self, line: bytes) -> str:
        """Its next line. Raises BrokenReply if it ends, says too much, or has said something before it was asked; then,
        and if nobody waited for the line, it is out of step and must not be asked again."""
        assert self._process.stdin is not None  # noqa: S101
        self.in_step = False
        await self._refuse_early()
        try:
            self._process.stdin.write(line + b"\n")
            await self._process.stdin.drain()
            answer = await self._coming
        except asyncio.LimitOverrunError:
            raise ExtractionFailed(
                f"{self._name} wrote a line longer than {self._cap:,} bytes, the most that max_body allows",
                delivered=True,
            ) from None
        except (asyncio.IncompleteReadError, ConnectionError):
            raise BrokenReply(await self._ended(), said=self._said, last=True) from None
        self.in_step = True
        self._coming = asyncio.create_task(self._line())
        self._answered = asyncio.get_running_loop().time()
        return answer.decode(errors="replace")

    async def _line(self) -> bytes:
        assert self._process.stdout is not None  # noqa: S101
        return await self._process.stdout.readuntil(b"\n")

    async def _refuse_early(self) -> None:
        """Raises BrokenReply for a line that waits already: it would be taken for the answer to this question, and
        every later answer for that to the question after its own."""
        await asyncio.sleep(0)  # what is in the pipe is read
        if not self._coming.done():
            loop = asyncio.get_running_loop()
            await asyncio.wait({self._coming}, timeout=max(0.0, self._answered + LINGER - loop.time()))
        if self._coming.done() and self._coming.exception() is None:
            early = self._coming.result().decode(errors="replace")
            sentence = f"{self._name} wrote a line before it was asked; it must write one for each line it reads"
            raise BrokenReply(sentence, said=early, delivered=False, place="connect.command")

    async def _ended(self) -> str:
        await in_time(self._process.wait(), GOODBYE_SECONDS)
        await in_time(self._listener, GOODBYE_SECONDS)
        status = self._process.returncode
        how = "closed its output" if status is None else f"ended with status {status}"
        return f"{self._name} {how} without an answer"

    async def _listen(self) -> None:
        """Keeps the last that it wrote to its error output, which would block it otherwise."""
        assert self._process.stderr is not None  # noqa: S101
        decode = getincrementaldecoder("utf-8")("replace").decode
        while piece := await self._process.stderr.read(4096):
            self._said = (self._said + decode(piece))[-KEPT:]

    async def stop(self) -> None:
        """Closes its input, then asks it to end, then kills it and whatever it has started and left running."""
        assert self._process.stdin is not None  # noqa: S101
        self._process.stdin.close()
        try:
            await in_time(self._process.wait(), GOODBYE_SECONDS, partial(self._signal, signal.SIGTERM))
            await in_time(self._process.wait(), GOODBYE_SECONDS)
            self.kill()
            await in_time(self._process.wait(), GOODBYE_SECONDS)
        finally:
            self.kill()
            self._listener.cancel()
            self._coming.cancel()
            await asyncio.gather(self._coming, return_exceptions=True)
            self._pipes.close()

    def kill(self) -> None:
        """Ends it at once, with what it has started; only a program that left the group for a session of its own
        escapes."""
        self._signal(signal.SIGKILL)

    def _signal(self, sign: signal.Signals) -> None:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, sign)


class ProcessTarget(Target):
    """Programs that are started when needed; one that failed is replaced."""

    def __init__(
        self,
        name: str,
        options: Process,
        env: Mapping[str, str],
        folder: Path,
    ) -> None:
        self.name = name
        self.read = options.extract.reply
        self.options = options
        self.env = env
        self.chat = ChatFiller(options.chat, env)
        self.send = filler(options.send, env, "connect.send")
        self.names = self.chat.names_with(options.send.names)
        self._folder = folder
        self._idle: list[Worker] = []
        self._all: set[Worker] = set()
        self._room = asyncio.Semaphore(options.workers)

    @asynccontextmanager
    async def session(self, unit: Unit, pace: Pace) -> AsyncIterator[ProcessSession]:
        """Holds one program for the whole conversation; one that was left in the middle of an answer is ended."""
        async with self._room:
            worker = self._idle.pop() if self._idle else await self._start()
            try:
                yield ProcessSession(self, unit, pace, worker)
            finally:
                if worker.in_step and self.options.per == "run":
                    self._idle.append(worker)
                else:
                    await self._end(worker)

    async def _start(self) -> Worker:
        worker = await Worker.start(self.options, self.env, self._folder)
        self._all.add(worker)
        return worker

    async def _end(self, worker: Worker) -> None:
        self._all.discard(worker)
        if not worker.in_step:
            worker.kill()
        await worker.stop()

    async def close(self) -> None:
        """Ends every program."""
        await asyncio.gather(*[worker.stop() for worker in self._all])
        self._all.clear()
        self._idle.clear()


def _is_json(body: Body) -> bool:
    try:
        return body.json is not None
    except (BrokenReply, ExtractionFailed):
        return False


class ProcessSession(Conversation):
    """One conversation with a program."""

    def __init__(self, target: ProcessTarget, unit: Unit, pace: Pace, worker: Worker) -> None:
        super().__init__(unit, pace)
        self._target = target
        self._worker = worker

    async def ask(self, prompt: Prompt) -> Reply:
        """Raises BrokenReply if the program ends, ExtractionFailed if its line contains no answer."""
        watch = TimedPace(self._pace)
        values = self._placed(prompt, self._target.names, self._target.env, self._target.chat)
        line = msgspec.json.encode(self._target.send(values))
        await watch.leave()
        body = Body(await self._worker.ask(line))
        try:
            reply = self._target.read(body)
        except (BrokenReply, ExtractionFailed):
            # What is no reply at all, such as a greeting, is no sign that the reply is not still to come.
            self._worker.in_step = _is_json(body)
            raise
        self._heard(prompt, reply)
        return with_(reply, latency=watch.since(), raw=body.raw)
