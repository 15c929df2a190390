"""The contracts of what is no attack and no bot: matchers and second opinions, language parts and what meets Needs,
formats of questions, reports."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Protocol, TypeVar

from botattack.model import GoldAnswer, Need, Prompt, Question, Reply, Verdict

MaterialT = TypeVar("MaterialT")
"""What a report is given: `botattack.Material`, which stands on a floor above."""


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


class NeedHandler(ABC):
    """A language part that meets Needs of one kind in batches. A result never depends on the rest of its batch."""

    result_type: ClassVar[object]
    """What msgspec rebuilds a recorded result into."""

    if TYPE_CHECKING:  # a property here would be in the way of a dataclass that has it as a field

        @property
        def info(self) -> PartInfo: ...

    @abstractmethod
    def meet(self, payloads: Sequence[Any]) -> Sequence[Any]:
        """A result for each payload, in the same order."""

    @property
    def asks(self) -> Any | None:
        """The target file (`config.target.TargetConfig`) of the service that it asks; None if it asks none."""
        return None

    def pay_from(self, purse: Any) -> Any | None:
        """From now on all that it asks is paid from a part of this `engine.purse.Purse`, which is returned."""
        return None


@dataclass(frozen=True)
class BadRecord:
    """A record of a question file that could not be read: its line (from 1) and why, in one sentence."""

    line: int
    why: str


class QuestionReader(Protocol):
    """Reads a question file as a stream; a bad record is yielded, never dropped."""

    def __call__(self, path: Path) -> Iterator[Question | BadRecord]: ...


@dataclass(frozen=True)
class Report(Generic[MaterialT]):
    """A kind of report: its name is the one it is registered under."""

    suffixes: tuple[str, ...]
    """File names that ask for it, such as `.html`; the first is the usual one."""
    write: Callable[[Path, MaterialT], None]
    """Writes the file from the figures of a run, its findings and its questions; raises ReportError."""


class Opinion(ABC):
    """A second opinion that is asked after a verdict, such as a model. A frozen dataclass whose fields are its options;
    it is pure: it says what it needs, and what the results mean. If it raises an exception, that one verdict is
    unsure."""

    name: ClassVar[str]
    uses: ClassVar[tuple[str, ...]]
    """The kinds of Need it has, which are the names of the parts that meet them."""

    @abstractmethod
    def needs(self, prompt: Prompt, reply: Reply, gold: tuple[GoldAnswer, ...], verdict: Verdict) -> tuple[Need, ...]:
        """Empty if the verdict is final without it."""

    @abstractmethod
    def settle(self, reply: Reply, verdict: Verdict, results: tuple[Any, ...]) -> Verdict:
        """The verdict, given the results of all its Needs."""


class Matcher(ABC):
    """Decides what a reply means. A matcher is a frozen dataclass whose fields are its options; it is pure.

    If it raises an exception, that one verdict is unsure and says why.
    """

    name: ClassVar[str]

    @abstractmethod
    def judge(self, prompt: Prompt, reply: Reply, gold: tuple[GoldAnswer, ...], baseline: tuple[Reply, ...]) -> Verdict:
        """`baseline` contains the bot's replies to the unchanged question, oldest first."""

    @property
    def cost(self) -> int:
        """Several matchers are asked in the order of their costs; those of botattack are below 10."""
        return 1000

    def of(self, kind: str) -> Matcher:
        """What judges questions of this kind."""
        return self

    def knowing(self, refusals: tuple[str, ...]) -> Matcher:
        """The matcher for a bot whose fallback sentences are known."""
        return self

    @property
    def opinions(self) -> tuple[Opinion, ...]:
        """What is asked after its verdict."""
        return ()

    def parts(self) -> frozenset[str]:
        """The kinds of Need that its opinions on questions of any kind use."""
        return frozenset(kind for opinion in self.opinions for kind in opinion.uses)
