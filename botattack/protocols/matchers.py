"""The contracts of matchers and of second opinions."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, ClassVar

from botattack.model import GoldAnswer, Need, Prompt, Reply, Verdict


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
