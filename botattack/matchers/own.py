"""Judging without gold answers: a reply against the bot's own replies to the unchanged question."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import combinations
from typing import ClassVar

import msgspec

from botattack.matchers.courtesies import without_courtesies
from botattack.matchers.judge import DECLINES, exactly, nearly
from botattack.matchers.learned import declining
from botattack.model import GoldAnswer, Prompt, Reply, Verdict
from botattack.protocols import Matcher
from botattack.text.languages import language
from botattack.text.normalise import LONGEST, Normal, normalise

_NAME = re.compile(r"(?<![\w'’])[A-Z][\w'’]*")
_STARTS = re.compile(r"(?:^|[.!?:\n][\"')]*\s|[\"(\[*•-]\s?)\s*$")
_NAMED_FIRST = re.compile(r"\s+(?:is|was|are|were|has|had|[A-Z]\w+)\b|\s*(?:[.,!?;:\n]|$)")
_BEGINNINGS = (
    "i you your he she his her it its we our they their this that these those there here what who which where when "
    "why how yes no ok okay well sure sorry please thanks hello hi oh the a an my one some all if so also however but "
    "and or then now today first finally maybe perhaps certainly absolutely definitely course indeed anyone everyone "
    "nobody nothing something everything"
)
_NO_NAMES = frozenset(_BEGINNINGS.split())
"""Words that begin a sentence with a capital and are no names."""
_SAYS = 4
"""Words from which a reply that contains another says the same: greetings and offers of help may be around it."""
_SAME_WORD = 75
"""Similarity in percent from which a word of a reply is a word of the prompt, perhaps misspelt."""


@dataclass(frozen=True)
class OwnReference(Matcher):
    """Correct means the reply says the same as one of the bot's own, wrong that it changed.

    Where every reply has the field named by `intent`, equal values decide. Else a reply is the same if, beside one
    of the bot's own replies, it loses or adds no name, number or negation, and is at least as similar (indel,
    in either word order, by rapidfuzz) as the bot's own replies are to each other, where that is below `at_least`.
    Names that the reply only repeats from the prompt are left out: an attack may have misspelt them.
    A reply that falls back or declines, and a silent one, is refused.
    """

    at_least: float = 0.85
    intent: str = "intent"
    refusals: tuple[str, ...] = ()
    name: ClassVar[str] = "own"
    cost: ClassVar[int] = 6

    def judge(self, prompt: Prompt, reply: Reply, gold: tuple[GoldAnswer, ...], baseline: tuple[Reply, ...]) -> Verdict:
        """Unsure where there is no baseline; `gold` is not looked at."""
        del gold
        if refused := exactly(reply, self.refusals, self.name):
            return refused
        if not baseline:
            return Verdict("unsure", 0.0, self.name, "there is no reply of the bot's own to compare with")
        intents = {_intent(own, self.intent) for own in baseline} | {_intent(reply, self.intent)}
        if "" not in intents:
            return self._by_intent(reply, baseline)
        if refused := nearly(reply, self.refusals, self.name):
            return refused
        bodies = tuple(without_courtesies(prompt.text, own.text) for own in baseline)
        said = normalise(without_courtesies(prompt.text, reply.text))
        floor = min(self.at_least, _own_similarity(bodies))
        verdicts = [_compared(prompt, said, normalise(own), floor, self.name) for own in bodies]
        best = max(verdicts, key=lambda verdict: (verdict.kind == "correct", verdict.score))
        if best.kind == "wrong" and self._declines(prompt, reply, baseline):
            best = Verdict("refused", 0.0, self.name, DECLINES)
        return msgspec.structs.replace(best, span=(0, min(len(reply.text), LONGEST)))

    def _declines(self, prompt: Prompt, reply: Reply, baseline: tuple[Reply, ...]) -> bool:
        """Whether the reply declines and the bot's own replies do not."""
        return declining(prompt.text, reply.text) and not any(declining(prompt.text, own.text) for own in baseline)

    def agree(self, replies: tuple[Reply, ...]) -> bool:
        """Whether the bot's own replies to one question say the same."""
        prompt = Prompt("")
        for one, other in combinations(replies, 2):
            intents = _intent(one, self.intent), _intent(other, self.intent)
            if "" not in intents:
                if intents[0] != intents[1]:
                    return False
            elif not self._same(prompt, one, other):
                return False
        return True

    def _same(self, prompt: Prompt, one: Reply, other: Reply) -> bool:
        said, own = (normalise(without_courtesies("", each.text)) for each in (one, other))
        return _compared(prompt, said, own, self.at_least, self.name).kind == "correct"

    def _by_intent(self, reply: Reply, baseline: tuple[Reply, ...]) -> Verdict:
        mine, own = _intent(reply, self.intent), _intent(baseline[0], self.intent)
        if any(mine == _intent(other, self.intent) for other in baseline):
            return Verdict("correct", 1.0, self.name, f"the same {self.intent}: {mine!r}")
        return Verdict("wrong", 0.0, self.name, f"another {self.intent}: {mine!r} instead of {own!r}")


def _intent(reply: Reply, field: str) -> str:
    value = reply.fields.get(field)
    return "" if value is None else str(value)


def _compared(prompt: Prompt, reply: Normal, own: Normal, floor: float, matcher: str) -> Verdict:
    whole = (0, len(reply.raw))
    if reply.text == own.text:
        return Verdict("correct", 1.0, matcher, "the reply is the bot's own", whole)
    if len(own.words) >= _SAYS and own.text in reply.text and _negates(reply) == _negates(own):
        return Verdict("correct", 1.0, matcher, "the reply contains the bot's own", whole)
    alike = _similarity(reply, own)
    asked = normalise(prompt.text).words
    for what, read in (("name", _names), ("number", _numbers)):
        new = [word for word in read(reply, asked) if word not in own.words]
        lost = [word for word in read(own, asked) if word not in reply.words]
        if new or lost:
            return Verdict("wrong", alike, matcher, _changed(what, new, lost), whole)
    if _negates(reply) != _negates(own):
        side = "is new" if _negates(reply) else "was lost"
        return Verdict("wrong", alike, matcher, f"a negation {side} beside the bot's own reply", whole)
    if alike < floor:
        return Verdict("wrong", alike, matcher, f"only {alike:.0%} like the bot's own reply", _difference(reply, own))
    return Verdict("correct", alike, matcher, f"{alike:.0%} like the bot's own reply", whole)


def _changed(what: str, new: Sequence[str], lost: Sequence[str]) -> str:
    parts = [f"{label} {', '.join(map(repr, words[:3]))}" for label, words in (("new", new), ("lost", lost)) if words]
    return f"another {what} than in the bot's own reply: {'; '.join(parts)}"


def _own_similarity(texts: tuple[str, ...]) -> float:
    pairs = combinations([normalise(text) for text in texts], 2)
    return min((_similarity(one, other) for one, other in pairs), default=1.0)


def _similarity(one: Normal, other: Normal) -> float:
    from rapidfuzz import fuzz

    return max(fuzz.ratio(one.text, other.text), fuzz.token_sort_ratio(one.text, other.text)) / 100


def _names(text: Normal, asked: Sequence[str]) -> tuple[str, ...]:
    if text.raw.isupper():
        return ()
    found = (normalise(match.group()).text.strip() for match in _NAME.finditer(text.raw) if _is_name(match))
    return tuple(sorted({name for name in found if name and not _in_prompt(name, asked)}))


def _is_name(match: re.Match[str]) -> bool:
    """A capital within a sentence; at its beginning only before a verb, another capital or a stop."""
    if match.group().casefold() in _NO_NAMES:
        return False
    before = match.string[max(0, match.start() - 8) : match.start()]
    return not _STARTS.search(before) or bool(_NAMED_FIRST.match(match.string, match.end()))


def _numbers(text: Normal, asked: Sequence[str]) -> tuple[str, ...]:
    return tuple(sorted(word for word in text.words if word.lstrip("-")[:1].isdecimal() and word not in asked))


def _negates(text: Normal) -> bool:
    return not language("en").negations.isdisjoint(text.words)


def _in_prompt(name: str, asked: Sequence[str]) -> bool:
    from rapidfuzz import fuzz, process

    return process.extractOne(name, asked, scorer=fuzz.ratio, score_cutoff=_SAME_WORD) is not None


def _difference(reply: Normal, own: Normal) -> tuple[int, int]:
    """Where the reply begins and ends to differ from the bot's own, in the raw reply."""
    blocks = SequenceMatcher(None, own.words[:400], reply.words[:400], autojunk=False).get_matching_blocks()
    first = blocks[0].size if blocks[0].a == blocks[0].b == 0 else 0
    if first >= len(reply.words):
        return 0, len(reply.raw)
    return reply.span(first, len(reply.words) - 1)
