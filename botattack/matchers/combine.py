"""Matchers made of matchers: any, all, not; and the default one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import ClassVar

from botattack.errors import BotattackError
from botattack.matchers.gold import golds
from botattack.matchers.lexical import Contains, Exact, Fuzzy, Lexical, TokenF1
from botattack.matchers.several import Listed, Words
from botattack.matchers.values import DateMatch, Numeric
from botattack.model import GoldAnswer, Prompt, Reply, Verdict
from botattack.protocols import Matcher
from botattack.text.normalise import normalise

_DEAREST = 1000


class BadMatcher(BotattackError):
    """A `match:` that no matcher can be made of."""


@dataclass(frozen=True)
class _Several:
    """Asks its matchers cheapest first, whatever order they were written in."""

    matchers: tuple[Matcher, ...]
    name: ClassVar[str]

    def __post_init__(self) -> None:
        if not self.matchers:
            raise BadMatcher(f"{self.name!r} needs at least one matcher")
        object.__setattr__(self, "matchers", tuple(sorted(self.matchers, key=cost)))

    @property
    def cost(self) -> int:
        return max(map(cost, self.matchers))


@dataclass(frozen=True)
class AnyOf(_Several):
    """Correct as soon as one matcher says so; else the first that is unsure, else the best score."""

    name: ClassVar[str] = "any"

    @cached_property
    def _speaking(self) -> Callable[[tuple[GoldAnswer, ...]], tuple[tuple[Matcher, Lexical | None], ...]]:
        """The first matcher, and those that may say more of such gold answers than "wrong" with a score of 0; each
        that compares normal forms twice."""
        first, *rest = self.matchers

        def speaking(gold: tuple[GoldAnswer, ...]) -> tuple[tuple[Matcher, Lexical | None], ...]:
            every = (first, *(each for each in rest if speaks_of(each, gold)))
            return tuple((each, each if isinstance(each, Lexical) else None) for each in every)

        return lru_cache(maxsize=1024)(speaking)

    def judge(self, prompt: Prompt, reply: Reply, gold: tuple[GoldAnswer, ...], baseline: tuple[Reply, ...]) -> Verdict:
        normal, answers = normalise(reply.text), golds(gold)
        best: Verdict | None = None
        for matcher, lexical in self._speaking(gold):
            verdict = lexical.compared(normal, answers) if lexical else matcher.judge(prompt, reply, gold, baseline)
            if verdict.kind == "correct":
                return verdict
            if best is None or ((verdict.score or verdict.kind == "unsure") and _rank(verdict) > _rank(best)):
                best = verdict
        assert best is not None  # noqa: S101 - never empty
        return best


@dataclass(frozen=True)
class AllOf(_Several):
    """Correct where every matcher says so (with the lowest score); else the first verdict that is not."""

    name: ClassVar[str] = "all"

    def judge(self, prompt: Prompt, reply: Reply, gold: tuple[GoldAnswer, ...], baseline: tuple[Reply, ...]) -> Verdict:
        verdicts = []
        for matcher in self.matchers:
            verdict = matcher.judge(prompt, reply, gold, baseline)
            if verdict.kind != "correct":
                return verdict
            verdicts.append(verdict)
        return min(verdicts, key=lambda verdict: verdict.score)


@dataclass(frozen=True)
class Not:
    """Turns correct and wrong round; every other verdict stays."""

    matcher: Matcher
    name: ClassVar[str] = "not"

    @property
    def cost(self) -> int:
        return cost(self.matcher)

    def judge(self, prompt: Prompt, reply: Reply, gold: tuple[GoldAnswer, ...], baseline: tuple[Reply, ...]) -> Verdict:
        verdict = self.matcher.judge(prompt, reply, gold, baseline)
        if verdict.kind == "correct":
            return Verdict("wrong", 1 - verdict.score, self.name, f"not wanted: {verdict.why}", verdict.span)
        if verdict.kind == "wrong":
            return Verdict("correct", 1 - verdict.score, self.name, f"as wanted: {verdict.why}", (0, len(reply.text)))
        return verdict


def cost(matcher: Matcher) -> int:
    """The rank by which matchers are asked, cheapest first; one that does not say is asked last."""
    return int(getattr(matcher, "cost", _DEAREST))


def speaks_of(matcher: Matcher, gold: tuple[GoldAnswer, ...]) -> bool:
    """Whether a matcher may say more of any reply to these gold answers than "wrong" with a score of 0; one that
    does not tell by a method `speaks_of` may."""
    tells = getattr(matcher, "speaks_of", None)
    return tells is None or bool(tells(gold))


def default_matcher() -> Matcher:
    """What judges where no matcher is named: exact, contains, F1 of 0.8, fuzzy of 0.9, numeric, date, words, list."""
    return AnyOf((Exact(), Contains(), TokenF1(), Fuzzy(), Numeric(), DateMatch(), Words(), Listed()))


COMBINE: Mapping[str, type[AnyOf | AllOf]] = {"any": AnyOf, "all": AllOf}
"""What takes a list of matchers in a `match:` tree, by its key there; `not` takes one (`Not`)."""


def _rank(verdict: Verdict) -> tuple[bool, float]:
    return verdict.kind == "unsure", verdict.score
