"""Matchers made of matchers: any, all, not; and the default one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from botattack.errors import BotattackError
from botattack.matchers.learned import Learned
from botattack.model import GoldAnswer, Prompt, Reply, Verdict
from botattack.protocols import Matcher


class BadMatcher(BotattackError):
    """A `match:` that no matcher can be made of."""


@dataclass(frozen=True)
class _Several(Matcher):
    """Asks its matchers cheapest first, whatever order they were written in."""

    matchers: tuple[Matcher, ...]
    name: ClassVar[str]
    ends: ClassVar[bool]
    """Whether the first verdict of correct decides, or the first other one."""

    def __post_init__(self) -> None:
        if not self.matchers:
            raise BadMatcher(f"{self.name!r} needs at least one matcher")
        object.__setattr__(self, "matchers", tuple(sorted(self.matchers, key=lambda matcher: matcher.cost)))

    @property
    def cost(self) -> int:
        return max(matcher.cost for matcher in self.matchers)

    def judge(self, prompt: Prompt, reply: Reply, gold: tuple[GoldAnswer, ...], baseline: tuple[Reply, ...]) -> Verdict:
        seen = list[Verdict]()
        for matcher in self.matchers:
            seen.append(matcher.judge(prompt, reply, gold, baseline))
            if (seen[-1].kind == "correct") is self.ends:
                return seen[-1]
        if self.ends:
            return max(seen, key=lambda verdict: (verdict.kind == "unsure", verdict.score))
        return min(seen, key=lambda verdict: verdict.score)


@dataclass(frozen=True)
class AnyOf(_Several):
    """Correct as soon as one matcher says so; else the first that is unsure, else the best score."""

    name: ClassVar[str] = "any"
    ends: ClassVar[bool] = True


@dataclass(frozen=True)
class AllOf(_Several):
    """Correct where every matcher says so (with the lowest score); else the first verdict that is not."""

    name: ClassVar[str] = "all"
    ends: ClassVar[bool] = False


@dataclass(frozen=True)
class Not(Matcher):
    """Turns correct and wrong round; every other verdict stays."""

    matcher: Matcher
    name: ClassVar[str] = "not"

    @property
    def cost(self) -> int:
        return self.matcher.cost

    def judge(self, prompt: Prompt, reply: Reply, gold: tuple[GoldAnswer, ...], baseline: tuple[Reply, ...]) -> Verdict:
        verdict = self.matcher.judge(prompt, reply, gold, baseline)
        if verdict.kind == "correct":
            return Verdict("wrong", 1 - verdict.score, self.name, f"not wanted: {verdict.why}", verdict.span)
        if verdict.kind == "wrong":
            return Verdict("correct", 1 - verdict.score, self.name, f"as wanted: {verdict.why}", (0, len(reply.text)))
        return verdict


def default_matcher() -> Matcher:
    """What judges if no matcher is named."""
    return Learned()


COMBINE: Mapping[str, type[AnyOf | AllOf]] = {"any": AnyOf, "all": AllOf}
"""What takes a list of matchers in a `match:` tree, by its key there; `not` takes one (`Not`)."""
