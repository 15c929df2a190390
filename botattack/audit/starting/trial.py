"""Messages to a bot that a drafted target describes, and the proof of where in its replies the answer is."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from uuid import uuid4

import yaml

from botattack.audit.secrets import quoting, redactor_of
from botattack.audit.starting.call import BadStart
from botattack.closing import IN_ALL, in_time
from botattack.config.target import TargetConfig, load_target
from botattack.engine.ask import Asker
from botattack.engine.memory import unit_of
from botattack.engine.outside import Outside
from botattack.errors import ConfigError, RateLimited, RequestRefused, TargetDown, TargetError, TimedOut, TrustRefused
from botattack.model import Reply, Unit
from botattack.options import JsonObject
from botattack.protocols import Target
from botattack.targets.proving.checking import asking_of
from botattack.targets.proving.proof import AGAIN, Candidate, Proof, prove, reading_of
from botattack.targets.proving.replies import Asking

PLAIN = (
    "What can you do?",
    "Hello! Who are you?",
    "What is the capital of France?",
    "How can I contact you?",
    "Thank you, goodbye.",
    "What does it cost?",
)
"""Messages that most bots answer differently, for where the user gave none."""
FIRST, FRESH = 3, 2
"""Different messages that are asked first, and those that the finished file is asked."""
QUIET = "2500ms"
"""The silence after which a socket's reply is complete, while nothing is known of its pauses."""


_KEY = re.compile(r"^(  api_key: .*)$", re.MULTILINE)
"""The key of the kind `openai`, by its indentation: a body may have an api_key of its own."""


@dataclass(frozen=True)
class StartedTarget:
    """A target file in the making: what it says, and the environment that it is read in."""

    name: str
    value: JsonObject
    environ: Mapping[str, str]
    comment: str = ""
    folder: Path | None = None
    """Where a file of code that it names is; else nothing that it names is on this disk."""
    allow_code: bool = False

    @property
    def text(self) -> str:
        """The file as it will be written; no value of the environment is in it."""
        dumped = yaml.safe_dump(dict(self.value), sort_keys=False, allow_unicode=True, width=110)
        dumped = _KEY.sub(r"\1    # sent as Authorization: Bearer KEY", dumped)
        return f"# {self.comment}\n{dumped}" if self.comment else dumped

    def loaded(self) -> TargetConfig:
        """Raises what `load_target` raises; problems name no file, as there is none yet."""
        # A file of code must be below the folder of the file that names it.
        with TemporaryDirectory(prefix="botattack-") as aside:
            path = (self.folder or Path(aside)) / f"{self.name}-target.yaml"
            path.parent.mkdir(parents=True, exist_ok=True)
            with path.open("x", encoding="utf-8") as file:
                file.write(self.text)
            try:
                return load_target(path, environ=self.environ, allow_code=self.allow_code)
            except ConfigError as error:
                said = [
                    f"{each.path}: {each.message}" + (f" ({each.hint})" if each.hint else "") for each in error.problems
                ]
                raise BadStart("no target file can be made of this:\n" + "\n".join(said)) from None
            except (TrustRefused, TargetDown) as error:
                raise type(error)(str(error).replace(str(path), path.name)) from None
            finally:
                path.unlink()

    def reading(self, options: Mapping[str, object]) -> StartedTarget:
        """The same with other options below `connect`."""
        connect = {**self.value["connect"], **options}
        return replace(self, value={**self.value, "connect": connect})

    @property
    def reads(self) -> bool:
        """Whether it says already where the answer is."""
        return self.kind in ("openai", "local") or "extract" in self.value["connect"]

    @property
    def accepts_events(self) -> bool:
        """Whether its request says that the reply may be nothing but a stream of server-sent events."""
        headers = self.value["connect"].get("request", {}).get("headers", {})
        return any((name.lower(), text) == ("accept", "text/event-stream") for name, text in headers.items())

    @property
    def kind(self) -> str:
        return str(self.value["connect"]["kind"])


class Trial:
    """Asks a bot through a target file, and keeps its replies as they came."""

    def __init__(self, started: StartedTarget, messages: Sequence[str], outside: Outside) -> None:
        self.started = started
        self.outside = outside
        self.askings: list[Asking] = []
        self.read: list[str] = []
        """What the target file itself took out of each reply."""
        self._left = [*dict.fromkeys((*messages, *PLAIN))]
        self._few = FIRST
        self._run = uuid4().hex

    def proof(self) -> Proof:
        """Asks until it is proven where the answer is, or until there is nothing more to ask. Raises a TargetError
        that shows what was said, with secrets masked."""
        started = self.started
        if started.kind == "websocket":
            started = started.reading({"quiet": QUIET})
        first, self._left = self._left[:FIRST], self._left[FIRST:]
        self.ask(started, [*first, first[0]])
        while not (proof := prove(self.askings)).proven and proof.alike and len(self._left) > FRESH:
            self.ask(started, [self._left.pop(0)])
        return proof

    def again(self, finished: StartedTarget, proof: Proof) -> Proof:
        """The proof with further replies, asked for as `run` does. Raises BadStart if the finished file does not read
        what was proven."""
        fresh, self._left = self._left[:FRESH], self._left[FRESH:]
        self.ask(finished, fresh)
        asked = list(zip(self.askings[-len(fresh) :], self.read[-len(fresh) :], strict=True))
        for asking, text in asked:
            meant = reading_of(proof.chosen.reading, asking) if proof.chosen else text
            if text != meant:
                raise BadStart(f"not proven: to {asking.message!r} the file reads {text[:200]!r}, not {meant[:200]!r}")
        still = prove(self.askings)
        if proof.chosen and still.options != proof.options:
            raise BadStart(f"not proven: {'further replies show it elsewhere' if still.proven else still.reason}")
        return still if proof.chosen else proof

    def ask(self, started: StartedTarget, messages: Sequence[str]) -> None:
        """Asks each message in a conversation of its own."""
        config = started.loaded()
        target = config.open()
        redactor = redactor_of(config, target)
        with quoting(redactor.mask.excerpt), _leading_to_sessions():
            before, asker = len(self.askings), self.outside.asker(target)
            units = [unit_of((message,), number, self._run) for number, message in enumerate(messages, before)]
            replies = asyncio.run(_asked(config, target, asker, units, before))
        for message, reply in zip(messages, replies, strict=True):
            self.askings.append(asking_of(message, reply, redactor.text))
            self.read.append(redactor.text(reply.text))


@contextmanager
def _leading_to_sessions() -> Iterator[None]:
    """Where a bot knows no such conversation, the key is named that opens one."""
    try:
        yield
    except RequestRefused as error:
        if error.status in (400, 404) and re.search("session|conversation|thread", error.said, re.IGNORECASE):
            how = "open: {url: …, method: POST, take: {id: $.id}}, and {{ open.id }} in its place"
            error.args = (
                f"{error}; the bot wants a conversation that was opened before, by a call in the file: {how}",
            )
        raise


async def _asked(config: TargetConfig, target: Target, asker: Asker, units: Sequence[Unit], before: int) -> list[Reply]:
    """The reply to each unit, after so many replies that came `before`."""
    asked = (asker.replies(unit) for unit in units)
    replies = list[Reply]()
    try:
        if config.kind == "websocket":  # each waits for a silence
            return [reply for (reply,) in await asyncio.gather(*asked)]
        for each in asked:
            replies += await each
        return replies
    except TimedOut as error:
        raise BadStart(f"{error}; try again, or give --answer and --no-send") from None
    except TargetError as error:
        # Whoever was asked to wait, and waited, is not helped by another try.
        if (came := before + len(replies)) and not isinstance(error, RateLimited):
            error.args = (f"{error} (1 of {came + 1} replies; {AGAIN})",)
        raise
    finally:
        await in_time(target.close(), IN_ALL)


def seen(proof: Proof, most: int = 6) -> Iterator[Candidate]:
    """What was seen in the replies, without places that are ids or say nothing."""
    told = (each for each in proof.candidates if any(len(text.split()) > 1 for text in each.texts))
    yield from list(told)[:most]
