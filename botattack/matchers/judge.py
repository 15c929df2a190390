"""The judge: what the bot's silence and fallback sentences mean, and around it any matcher."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import ClassVar

import msgspec

from botattack.matchers.courtesies import same_body
from botattack.matchers.learned import Learned, declining
from botattack.matchers.refusals import refusals_of
from botattack.model import GoldAnswer, Prompt, Reply, Verdict
from botattack.protocols import Matcher, Opinion
from botattack.text.normalise import Normal, normalise


@dataclass(frozen=True)
class Judge(Matcher):
    """Asks `matcher`, and knows when a bot refused.

    A reply is refused if the bot said nothing; if it is one of the target's `refusals` in normal form; or if the matcher
    calls it wrong and it is nearly one of them, or declines. A reply whose body is that of one of the bot's own replies to
    the unchanged question gets the verdict of that one, whatever greeting stands around it.
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
        normal = normalise(reply.text)
        if refused := refusal(prompt, normal, self.refusals, self.name, exactly=True):
            return refused
        for own in baseline:
            if own.text != reply.text and same_body(own.text, reply.text):
                verdict = self.judge(prompt, own, gold, ())
                why = f"as the bot's own reply to the unchanged question: {verdict.why}"
                return msgspec.structs.replace(verdict, why=why, span=None)
        verdict = self.matcher.judge(prompt, reply, gold, baseline)
        if verdict.kind != "wrong":
            return verdict
        return refusal(prompt, normal, self.refusals, self.name) or verdict


def refusal(
    prompt: Prompt, normal: Normal, refusals: tuple[str, ...], matcher: str, *, exactly: bool = False
) -> Verdict | None:
    """Refused if the bot said nothing, or one of the target's refusals; unless `exactly`, also if it is nearly one of
    them, or declines. Else None."""
    whole = (0, len(normal.raw))
    if not normal.raw.strip():
        return Verdict("refused", 0.0, matcher, "the bot said nothing")
    known = refusals_of(refusals)
    if form := known.exact(normal) or ("" if exactly else known.near(normal)):
        return Verdict("refused", 0.0, matcher, f"the target's refusal: {form!r}", whole)
    if not exactly and declining(prompt.text, normal.raw):
        return Verdict("refused", 0.0, matcher, "the reply declines or claims nothing", whole)
    return None
