"""Needs met by a service or a model that a target file names: `translate` and `paraphrase`.

It is asked as a bot is: its limits, retries, hosts, consent and trust are those of its target file, and what it said
is recorded, so that resume and replay need neither it nor the network.
"""

from __future__ import annotations

import asyncio
import os
import re
import weakref
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import Any, ClassVar
from uuid import uuid4

import msgspec

from botattack.closing import IN_ALL, in_time
from botattack.config.target import TargetConfig, load_target
from botattack.engine.outside import Outside
from botattack.engine.purse import Purse
from botattack.errors import Excerpt, MissingPart, RunStopped, TrustRefused, withheld
from botattack.limits import Budget
from botattack.model import Prompt, Reply, Unit, Variant
from botattack.protocols import Mask, NeedHandler, PartInfo
from botattack.text.parts import translation

TRANSLATOR = "BOTATTACK_TRANSLATOR"
"""The target file of a translator; without it, Apertium."""
PARAPHRASER = "BOTATTACK_PARAPHRASER"
"""The target file of a model that can rewrite sentences."""
ASKING = (
    "Rewrite this question in {n} different ways that mean exactly the same. Keep every name and number. "
    "Write one on each line and nothing else.\n\n{text}"
)


@dataclass(frozen=True)
class Service:
    """A target as it is asked from a worker thread, on an event loop of its own."""

    config: TargetConfig
    _loop: asyncio.AbstractEventLoop = field(default_factory=asyncio.new_event_loop, compare=False)
    _purses: list[Purse] = field(default_factory=list, compare=False)
    _asking: list[asyncio.Task[list[Reply | None]]] = field(default_factory=list, compare=False)
    _masks: list[Mask] = field(default_factory=list, repr=False, compare=False)

    def __post_init__(self) -> None:
        weakref.finalize(self, self._loop.close)
        # Where no run pays, it is a run of its own: the service may remember the sessions of an earlier one.
        self._purses.append(Purse(Budget(), self.config.limits.price, run=uuid4().hex))

    def pay_from(self, purse: Purse) -> Purse:
        """From now on its requests are paid from a part of this purse, at the price of its own target file."""
        self._purses[0] = purse.part(self.config.limits.price, self._let_go)
        return self._purses[0]

    def confide(self, mask: Mask) -> None:
        """From now on this knows its secrets, and shows what it said where it fails."""
        self._masks[:] = [mask]

    @property
    def excerpt(self) -> Excerpt:
        """What may be shown of its words; nothing as long as nobody knows its secrets."""
        return self._masks[0].excerpt if self._masks else withheld

    def replies(self, prompts: Sequence[Prompt]) -> list[Reply | None]:
        """One reply a prompt, None if none came; raises TargetDown if it fails again and again, RunStopped if
        the run that pays for it has no more to spend."""
        asking = self._loop.create_task(self._replies(prompts))
        self._asking[:] = [asking]
        try:
            return self._loop.run_until_complete(asking)
        except asyncio.CancelledError:
            raise RunStopped("the run has ended") from None

    def _let_go(self) -> None:
        """From another thread: a process waits at its end for what its threads still do."""
        for asking in self._asking:
            if not asking.done():
                self._loop.call_soon_threadsafe(asking.cancel)

    async def _replies(self, prompts: Sequence[Prompt]) -> list[Reply | None]:
        target, limits = self.config.open(), self.config.limits
        for mask in self._masks:
            target.confide(mask.learn)
        asker = self._outside.asker(target, self._purses[0], self.excerpt)
        seats = asyncio.Semaphore(limits.concurrency)

        async def ask(prompt: Prompt) -> Reply | None:
            async with seats:
                unit = Unit.of(Variant((prompt,), "need"), 0, 0)
                answer = await asker.ask(msgspec.structs.replace(unit, run=self._purses[0].run))
            return answer.replies[-1] if answer.replies else None

        try:
            async with asyncio.TaskGroup() as group:
                asked = [group.create_task(ask(prompt)) for prompt in prompts]
        except BaseExceptionGroup as errors:
            raise _first(errors) from None
        finally:
            await in_time(target.close(), IN_ALL)
        return [task.result() for task in asked]

    @cached_property
    def _outside(self) -> Outside:
        """One for all batches, so that they keep to the limits together."""
        return Outside(self.config.limits, None)

    @property
    def info(self) -> PartInfo:
        path = self.config.path
        return PartInfo(self.config.name, "", "as its provider states", sha256(path.read_bytes()).hexdigest())


def _first(error: BaseException) -> BaseException:
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error


class Asking(NeedHandler):
    """A handler of Needs that asks a service, for which the run pays."""

    service: Service

    @property
    def info(self) -> PartInfo:
        return self.service.info

    @property
    def asks(self) -> TargetConfig:
        return self.service.config

    def pay_from(self, purse: Purse) -> Purse:
        return self.service.pay_from(purse)


def service(variable: str) -> Service | None:
    """The service that a variable names; None if it is not set. Raises what a wrong target file raises."""
    name = os.environ.get(variable)
    if not name:
        return None
    path = Path(name).expanduser()
    if not path.is_file():
        raise MissingPart(f"{variable} names {name}, which is not a target file")
    try:
        return Service(load_target(path))
    except TrustRefused as refused:
        why = "such a service runs no code here: start it as a server, and ask that"
        told = (replace(one, hint=why) if "--allow-code" in one.hint else one for one in refused.problems)
        raise TrustRefused(problems=tuple(told)) from None


@dataclass(frozen=True)
class Translator(Asking):
    """Asks with the text as the question, and the two languages as its passages: a template writes
    `{{ passages[0] }}` for the language it is in and `{{ passages[1] }}` for the other."""

    service: Service
    result_type: ClassVar[object] = str | None

    def meet(self, payloads: Sequence[Mapping[str, object]]) -> list[str | None]:
        prompts = [Prompt(str(item["text"]), (str(item["from"]), str(item["to"]))) for item in payloads]
        return [reply.text.strip() if reply else None for reply in self.service.replies(prompts)]


@dataclass(frozen=True)
class Paraphraser(Asking):
    """A payload is `{"text", "n"}`; a result is at most n sentences that the model says mean the same."""

    service: Service
    result_type: ClassVar[object] = tuple[str, ...]

    def meet(self, payloads: Sequence[Mapping[str, Any]]) -> list[tuple[str, ...]]:
        prompts = [Prompt(ASKING.format(n=item["n"], text=item["text"])) for item in payloads]
        replies = self.service.replies(prompts)
        return [_lines(reply.text if reply else "")[: item["n"]] for reply, item in zip(replies, payloads, strict=True)]


LONGEST_LINE = 2000
"""Characters of a line of a model's list; a longer one is no question."""
_BULLET = re.compile(r"^\s*(?:[-*•]|\(?\d{1,2}[.):](?!\d))\s*")


def _lines(text: str) -> tuple[str, ...]:
    """The lines of a model's list, without bullets, numbers and quotes; what introduces a list, or is too long to be a
    question, is left out."""
    short = (line for line in text.splitlines() if len(line) <= LONGEST_LINE)
    lines = (_BULLET.sub("", line).strip().strip('"“”').strip() for line in short)
    return tuple(dict.fromkeys(line for line in lines if line and not line.endswith(":")))


def load_translator() -> Translator | translation.Apertium:
    """The translator that BOTATTACK_TRANSLATOR names, else Apertium as installed; raises MissingPart without both."""
    asked = service(TRANSLATOR)
    return Translator(asked) if asked else translation.load()


def load_paraphraser() -> Paraphraser:
    """The model that BOTATTACK_PARAPHRASER names; raises MissingPart if it names none."""
    asked = service(PARAPHRASER)
    if asked is None:
        raise MissingPart(
            f"there is no paraphraser: set {PARAPHRASER} to a target file, "
            "such as targets/bots/smollm2.yaml or that of a server of the OpenAI shape"
        )
    return Paraphraser(asked)
