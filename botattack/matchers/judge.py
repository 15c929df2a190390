"""The judge: what the bot's silence and fallback sentences mean, and around it any matcher."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import ClassVar

from botattack.matchers.learned import Learned, declining
from botattack.matchers.refusals import DECLINES, exactly, nearly
from botattack.model import GoldAnswer, Prompt, Reply, Verdict
from botattack.protocols import Matcher, Opinion


@dataclass(frozen=True)
class Judge(Matcher):
    """Asks `matcher`, and knows when a bot refused.

    A reply is refused if the bot said nothing, or an error message; if it is one of the target's `refusals` in normal
    form; or if the matcher calls it wrong and it is nearly one of them, or declines.
    """

    matcher: Matcher = field(default_factory=Learned)
    refusals: tuple[str, ...] = ()
    name: ClassVar[str] = "judge"

    @property
    def cost(self) -> int:
        return self.matcher.cost + 1

    @property
    def opinions(self) -> tuple[Opinion, ...]:
        return self.matcher.opinions

    def of(self, kind: str) -> Judge:
        """The judge of questions of a kind."""
        matcher = self.matcher.of(kind)
        return self if matcher is self.matcher else replace(self, matcher=matcher)

    def parts(self) -> frozenset[str]:
        return self.matcher.parts()

    def judge(self, prompt: Prompt, reply: Reply, gold: tuple[GoldAnswer, ...], baseline: tuple[Reply, ...]) -> Verdict:
        if refused := exactly(reply, self.refusals, self.name, prompt.text, gold):
            return refused
        verdict = self._knowing.judge(prompt, reply, gold, baseline)
        if verdict.kind != "wrong":
            return verdict
        if verdict.probability is None and declining(prompt, reply.text):
            return Verdict("refused", 0.0, self.name, DECLINES, (0, len(reply.text)))
        return nearly(reply, self.refusals, self.name) or verdict

    @cached_property
    def _knowing(self) -> Matcher:
        return self.matcher.knowing(self.refusals)
