"""What a question and its gold answers mean for judging a reply, worked out once for each pair."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property, lru_cache

from botattack.matchers.gold import LONGEST_PATTERN_TIME, compiled, golds
from botattack.matchers.polarity import Answer, may_be_polar, polar
from botattack.model import GoldAnswer
from botattack.text.normalise import Normal, normalise

_PAST = re.compile(r" (?:was|were|did|used|former|formerly|previous|first|old|before) ")
_FRAME = frozenset(("of", "in", "for", "from", "on", "to", "between"))


@dataclass(frozen=True)
class Asked:
    """A question and its gold answers, parted: those that stand in the question (`stale`), the others
    (`fresh`), and a yes or no to a question that asks for one (`polar`)."""

    question: Normal
    fresh: tuple[GoldAnswer, ...]
    stale: tuple[GoldAnswer, ...]
    polar: frozenset[Answer]

    @cached_property
    def negated(self) -> bool:
        return any(f" {word} " in self.question.text for word in ("not", "never", "no", "without", "except", "nor"))

    @cached_property
    def choice(self) -> bool:
        return " or " in self.question.text

    @cached_property
    def past(self) -> bool:
        return bool(_PAST.search(self.question.text))

    @cached_property
    def frames(self) -> tuple[tuple[str, str], ...]:
        """("capital of", "france"): what is asked, and of what."""
        words = self.question.words
        places = range(1, len(words) - 1)
        return tuple((f"{words[i - 1]} {words[i]}", words[i + 1]) for i in places if words[i] in _FRAME)

    def other_option(self, phrase: str) -> str:
        """The word beside "or" on the other side of `phrase`, in a question that offers it as a choice; else empty."""
        words, size = self.question.words, phrase.count(" ") + 1
        if "or" not in words:
            return ""
        middle = len(words) - 1 - words[::-1].index("or")
        before = " ".join(words[max(0, middle - size) : middle])
        after = " ".join(words[middle + 1 : middle + 1 + size])
        if phrase == after and middle:
            return words[middle - 1]
        if middle + 1 < len(words) and f" {phrase} " in f" {' '.join(words[:middle])} ":
            return words[middle + 1] if phrase == before or "," in self.question.raw else ""
        return ""


@lru_cache(maxsize=1024)
def asked(question: str, answers: tuple[GoldAnswer, ...]) -> Asked:
    normal = normalise(question)
    sides = {answer: side for answer in answers if (side := _side(answer))} if may_be_polar(normal) else {}
    lettered = [answer for answer in answers if answer not in sides]
    stale = tuple(answer for answer in lettered if _stands_in(answer, normal))
    fresh = tuple(answer for answer in lettered if answer not in stale)
    return Asked(normal, fresh, stale, frozenset(sides.values()))


def _side(answer: GoldAnswer) -> Answer | None:
    return None if answer.regex else polar(normalise(answer.text).text.strip())


def _stands_in(answer: GoldAnswer, question: Normal) -> bool:
    if answer.regex:
        try:
            return bool(compiled(answer.text).search(question.raw, timeout=LONGEST_PATTERN_TIME))
        except TimeoutError:
            return False
    return any(gold.phrase and gold.padded in question.text for gold in golds((answer,)).literals)
