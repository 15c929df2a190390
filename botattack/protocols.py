"""The plug points. What implements one of these, and is named in `registry`, is part of botattack."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any, ClassVar, Protocol, runtime_checkable

from botattack.model import Expect, GoldAnswer, Need, Prompt, Question, Reply, Unit, Variant, Verdict
from botattack.places import PlaceKind


@dataclass(frozen=True)
class PartInfo:
    """Where a language part comes from; `digest` is the SHA-256 of its data, and enters the run's record."""

    name: str
    version: str
    licence: str
    digest: str


class Part(Protocol):
    """A language part: a dictionary, a typo corpus, a parser. Pure data, or something that meets Needs."""

    @property
    def info(self) -> PartInfo: ...


class NeedHandler(Protocol):
    """Meets Needs of one kind in batches. A result never depends on the rest of its batch.

    `result_type` is what msgspec rebuilds a recorded result into.
    """

    @property
    def info(self) -> PartInfo: ...

    @property
    def result_type(self) -> Any: ...

    def meet(self, payloads: Sequence[Any]) -> Sequence[Any]: ...


@dataclass(frozen=True)
class Context:
    """What an attack knows of a question: the question, the bot's replies to it, the parts the attack declared, and,
    where it searches, what the run has learnt by then (`attacks.roles.PART`)."""

    question: Question
    replies: tuple[Reply, ...] = ()
    parts: Mapping[str, Any] = field(default_factory=dict)


Proposals = Generator[Sequence[Variant] | Sequence[Need], Sequence[Any], int | None]
"""Yields a batch of variants and is sent their `Outcome`s in the same order, or a batch of Needs and is sent their
results. Returns how many variants existed under the attack's constraints, or None for as many as it yielded."""


@dataclass(frozen=True)
class SearchLimits:
    """How far an attack may go that chooses each variant by the replies before: `requests` a question, until
    `successes` were found. One that `learns` also hears of the questions before."""

    requests: int
    successes: int
    learns: bool


class Attack(ABC):
    """A pure generator of variants. An attack is a frozen dataclass whose fields are its options.

    No I/O, no async, no clock, no printing; all randomness comes from `rng`. What it raises ends it for that question
    alone, but for a BotattackError, which says what the user can do and ends the run.
    """

    name: ClassVar[str]
    expect: ClassVar[Expect] = "same"
    per_question: int | None = None
    """How many variants of a question it makes at most; None where its options do not say."""

    @property
    def links(self) -> tuple[Attack, ...]:
        """The attacks it is made of."""
        return ()

    @property
    def search_limits(self) -> SearchLimits | None:
        """Its limits, where it searches by replies."""
        return None

    @property
    def edits(self) -> frozenset[PlaceKind]:
        """The places it edits; a target that cannot carry one of them cannot be attacked with it."""
        return frozenset({"question"})

    def parts(self) -> tuple[str, ...]:
        """Names of the language parts and kinds of Need it uses with these options."""
        return ()

    def check_parts(self, parts: Mapping[str, Any]) -> None:  # noqa: B027  # most attacks ask nothing special
        """Raises MissingPart where a part is there, but cannot do what these options ask of it."""

    @abstractmethod
    def propose(self, context: Context, rng: Random) -> Proposals:
        """The variants of a question, in batches."""


class Matcher(Protocol):
    """Decides what a reply means. A matcher is a frozen dataclass whose fields are its options; it is pure.

    What it raises costs that one verdict, which is unsure and says why.
    """

    name: ClassVar[str]

    def judge(self, prompt: Prompt, reply: Reply, gold: tuple[GoldAnswer, ...], baseline: tuple[Reply, ...]) -> Verdict:
        """`baseline` holds the bot's replies to the unchanged question, oldest first."""
        ...


class Pace(Protocol):
    """The engine's side of a conversation: every request asks for leave before it leaves."""

    async def leave(self) -> None:
        """Returns when one more request may leave, and counts it; raises RunStopped where none may any more."""
        ...

    def shut(self, seconds: float | None) -> None:
        """The bot asked everybody to wait (None: it did not say how long)."""
        ...


Tell = Callable[[str, str], None]
"""Hears what passes between a target and its bot, and its text: `sent`, `came`, `body` (a piece of one), or `note`
(what looks wrong). Secrets are not masked: whoever shows it does that."""
Explained = Iterator[tuple[str, str, Sequence[Any]]]
"""How a reply was read: each option, where it looked, and what it took."""


class Watchable(Protocol):
    """A target that shows what it does, for `check`."""

    def watch(self, tell: Tell) -> None: ...

    def notes(self) -> Sequence[str]:
        """What is worth knowing once it was asked, a sentence each."""
        ...


Learn = Callable[[Iterable[str]], None]
"""Is told secrets, which from then on are masked wherever something is recorded or shown."""


class Mask(Protocol):
    """What keeps secrets out of everything that is recorded or shown."""

    def learn(self, secrets: Iterable[str]) -> None: ...

    def excerpt(self, said: str, *, last: bool = False) -> str:
        """An `errors.Excerpt`."""
        ...


@runtime_checkable
class Confiding(Protocol):
    """A target that comes to know secrets which its file does not hold."""

    def confide(self, learn: Learn) -> None:
        """Tells those it knows, and from now on each that it comes to know."""
        ...


class Confined(Protocol):
    """A target that can be kept to this machine. One that names hosts should be."""

    def stay_here(self) -> None:
        """From now on it connects to loopback addresses only, whatever a name stands for by then."""
        ...


class Session(Protocol):
    """One conversation with a bot."""

    async def ask(self, prompt: Prompt) -> Reply:
        """Raises a TargetError where no reply comes."""
        ...


class Target(Protocol):
    """A bot that can be asked. Nothing leaks from one session into the next."""

    @property
    def name(self) -> str: ...

    def session(self, unit: Unit, pace: Pace) -> AbstractAsyncContextManager[Session]: ...

    async def close(self) -> None: ...


@dataclass(frozen=True)
class BadRecord:
    """A record of a question file that could not be read: its line (from 1) and why, in one sentence."""

    line: int
    why: str


class QuestionReader(Protocol):
    """Reads a question file as a stream; a bad record is yielded, never dropped."""

    def __call__(self, path: Path) -> Iterator[Question | BadRecord]: ...
