"""The judge: what silence, error messages and fallback sentences of a bot mean, and around it any matcher."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache
from typing import ClassVar

from rapidfuzz import fuzz, process

from botattack.matchers.learned import Learned, declining
from botattack.model import GoldAnswer, Prompt, Reply, Verdict
from botattack.protocols import Matcher, Opinion
from botattack.text.languages import codes, language
from botattack.text.normalise import normalise

_ALIKE = 90
"""Similarity (indel, in percent) from which a whole reply is one of the target's refusals."""
_LONGEST_ERROR = 300
"""Characters of an error message."""
DECLINES = "the reply declines or claims nothing"


def exactly(
    reply: Reply, refusals: tuple[str, ...], matcher: str, question: str, gold: Sequence[GoldAnswer] = ()
) -> Verdict | None:
    """Refused if a sign of the target says so, the bot said nothing, an error message, or what the target lists as a
    refusal."""
    if reply.refused:
        return Verdict("refused", 0.0, matcher, f"the bot refused: {reply.refused}")
    if not reply.text.strip():
        return Verdict("refused", 0.0, matcher, "the bot said nothing")
    if _is_error(reply.text, question, gold):
        return Verdict("refused", 0.0, matcher, "the reply is an error message", (0, len(reply.text)))
    form = normalise(reply.text).text if refusals else ""
    return _refusal(reply, form, matcher) if form in _forms(refusals) else None


def nearly(reply: Reply, refusals: tuple[str, ...], matcher: str) -> Verdict | None:
    """Refused if the reply is nearly what the target lists as a refusal, or contains one of three words or more; else
    None."""
    if not (forms := _forms(refusals)):
        return None
    said = normalise(reply.text).text
    is_short = len(said) <= 1.25 * max(map(len, forms))
    if is_short and (found := process.extractOne(said, forms, scorer=fuzz.ratio, score_cutoff=_ALIKE)):
        return _refusal(reply, found[0], matcher)
    # A form begins and ends with a space, so one of three words has four.
    form = next((form for form in forms if form.count(" ") > 3 and form in said), "")
    return _refusal(reply, form, matcher) if form else None


def _is_error(text: str, question: str, gold: Sequence[GoldAnswer]) -> bool:
    """Whether a reply is nothing but an error message ("Error E7.", "Oops! An internal error occurred."), in any
    language: whatever was asked, it means the same. Not if the question or a gold answer speaks of errors, too, or a
    gold answer follows the message."""
    found = _errors().match(text) if len(text) <= _LONGEST_ERROR else None
    if not found:
        return False
    named = normalise(found[1].split()[-1]).text
    # A number in the sentence of the message is its own.
    behind, later = (normalise(text[end:]).text for end in (found.end(1), found.end()))
    told = (normalise(each).text for each in (question, *(each.text for each in gold)))
    return not any(named in each or each in (behind if re.search(r"[^\W\d]", each) else later) for each in told)


@cache
def _errors() -> re.Pattern[str]:
    """What an error message begins with: a phrase within a few words, or one word with a number or a sign behind it."""
    every = [r"\s+".join(map(re.escape, phrase.split())) for code in codes() for phrase in language(code).errors]
    words, phrases = ("|".join(each for each in every if ("+" in each) is is_long) for is_long in (False, True))
    few, sign = r"(?:\w+\W+){0,6}?", r"(?=\s*(?:[^\w\s]|\S*\d|$))"
    return re.compile(rf"\W*((?:{words})\b{sign}|{few}(?:{phrases})\b)[^.!?\n]*", re.IGNORECASE)


@lru_cache(maxsize=64)
def _forms(sentences: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(form for each in sentences if (form := normalise(each).text) != " "))


def _refusal(reply: Reply, form: str, matcher: str) -> Verdict:
    return Verdict("refused", 0.0, matcher, f"the target's refusal: {form.strip()!r}", (0, len(reply.text)))


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
        verdict = self.matcher.knowing(self.refusals).judge(prompt, reply, gold, baseline)
        if verdict.kind != "wrong":
            return verdict
        if verdict.probability is None and declining(prompt, reply.text):
            return Verdict("refused", 0.0, self.name, DECLINES, (0, len(reply.text)))
        return nearly(reply, self.refusals, self.name) or verdict
