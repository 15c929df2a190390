"""Matchers for answers of several parts: lists, and the surname alone."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

from botattack.matchers.claimless.void import content, is_small
from botattack.matchers.gold import golds
from botattack.matchers.phrases import alternatives, place_of
from botattack.model import GoldAnswer, Prompt, Reply, Verdict
from botattack.protocols import Matcher
from botattack.text.normalise import Normal, normalise

_CUT = re.compile(r"\s*(?:[,;]\s*(?:and|or|&)?|\band\b|\bor\b|&|\+)\s*", re.I)
_WHO = re.compile(r" (?:who|whom|whose|by whom|which (?:person|author|painter|president|scientist)) ")
_TITLES = frozenset(
    ["elder", "younger", "great", "père", "fils", "pere", "jr", "sr", "junior", "senior", "i", "ii", "iii", "iv", "v"]
)


@dataclass(frozen=True)
class Listed(Matcher):
    """Of a gold answer that is a list ("red, green and blue") every item is said, in any order.

    A reply that is one of the items and nothing more is unsure; so is a surname alone where the gold answer is a longer
    name, except to a question that asks who. What the question calls the thing may be left out: "Victoria", for "Lake
    Victoria", to "Which lake is it?".
    """

    name: ClassVar[str] = "list"
    cost: ClassVar[int] = 5

    def speaks_of(self, gold: tuple[GoldAnswer, ...]) -> bool:
        """Whether any gold answer has more words than one."""
        return bool(_lists(gold))

    def judge(self, prompt: Prompt, reply: Reply, gold: tuple[GoldAnswer, ...], baseline: tuple[Reply, ...]) -> Verdict:
        del baseline
        for raw, items, surname in _lists(gold):
            normal = normalise(reply.text)
            verdict = (
                self._items(prompt.text, normal, raw, items)
                or self._surname(prompt, normal, raw, surname)
                or self._without_its_kind(prompt, normal, raw)
            )
            if verdict:
                return verdict
        return Verdict("wrong", 0.0, self.name, "no gold answer was found")

    def _items(self, asked: str, normal: Normal, raw: str, items: tuple[str, ...]) -> Verdict | None:
        places = [_place(normal, item) for item in items]
        found = [place for place in places if place]
        if not found:
            return None
        span = min(place[0] for place in found), max(place[1] for place in found)
        if len(found) == len(items):
            parted = _PARTED.search(normalise(normal.raw[slice(*span)]).text)
            counted = all(any(map(str.isdecimal, item)) for item in items)
            if (parted and not (counted and parted.group() == " but ")) or _EXTRA.match(
                normalise(normal.raw[span[1] : span[1] + 60]).text
            ):
                return None
            return Verdict("correct", 1.0, self.name, f"the reply says all of {raw!r}", span)
        if (
            len(items) > _PAIR
            and len(normal.words) <= _FEW
            and _MORE.isdisjoint(normal.words)
            and "," not in normal.raw
        ):
            return Verdict("unsure", len(found) / len(items), self.name, f"the reply says a part of {raw!r}", span)
        beside = set(normal.words) - set(" ".join(items).split()) - _FILL
        whole = content(normalise(" ".join(beside))) <= content(normalise(asked))
        if not whole:
            return None
        return Verdict("unsure", len(found) / len(items), self.name, f"the reply says a part of {raw!r}", span)

    def _surname(self, prompt: Prompt, normal: Normal, raw: str, surname: str) -> Verdict | None:
        if not surname or surname not in normal.text or not _WHO.search(normalise(prompt.text).text):
            return None
        bare = [word for word in normal.words if word not in _FILL] == [surname]
        asked = normalise(prompt.text).words
        place = next((place for place in normal.find(surname) if bare or _alone(normal.raw, place, raw, asked)), None)
        return Verdict("correct", 0.9, self.name, f"the surname of {raw!r}", place) if place else None

    def _without_its_kind(self, prompt: Prompt, normal: Normal, raw: str) -> Verdict | None:
        """ "Victoria", to "Which lake is it?", for "Lake Victoria"."""
        said = [word for word in normal.words if word not in _FILL]
        if not 0 < len(said) < _MOST or f" {said[0]} " not in normalise(raw).text:
            return None
        words, asked = normalise(raw).words, {*normalise(prompt.text).words}
        at = next((at for at in range(len(words)) if list(words[at : at + len(said)]) == said), len(words))
        dropped = (*words[:at], *words[at + len(said) :])
        if not 0 < len(dropped) < len(words) or not asked.issuperset(dropped) or not asked.isdisjoint(said):
            return None
        why = f"{raw!r}, which was asked for as a {' '.join(dropped)}"
        return Verdict("correct", 0.9, self.name, why, next(normal.find(" ".join(said)), None))


_MOST = 4
_FEW, _PAIR = 9, 2
_MORE = frozenset(("and", "or", "not", "no", "but", "without", "instead"))
"""What joins other things to the part of a list that is said, or denies it."""
_PARTED = re.compile(r" (?:but|not|except|excluding|without) ")
_EXTRA = re.compile(r"^ (?:(?:is|are|costs?|comes?|for|at) )*(?:extra|separate(?:ly)?|optional|not) ")
_LONGER_BEFORE = re.compile(r"(?<!\w)(?!(?:Mr|Mrs|Ms|Miss|Dr|Prof|Sir|Dame|Lady|Lord)\b)[A-Z][\w'-]*\.? $")
_LONGER_AFTER = re.compile(r"^(?:['\u2019]s? ?\w| [A-Z]|-)")


def _alone(text: str, place: tuple[int, int], name: str, asked: tuple[str, ...]) -> bool:
    """Whether a surname stands for itself, or behind the initial of the `name` or what was asked for ("Mayor Wilk"): no
    other first name before it ("John Wesley"), nothing of its own behind."""
    before, after = text[: place[0]], text[place[1] : place[1] + 4]
    before = before.removesuffix(f"{name[0]}. ")
    while (title := before.split()[-1:]) and title[0].lower() in asked:
        before = before.rstrip().removesuffix(title[0])
    return text[place[0]].isupper() and not _LONGER_BEFORE.search(before) and not _LONGER_AFTER.match(after)


def _place(normal: Normal, item: str) -> tuple[int, int] | None:
    """Where an item is said, as it is or in another manner ("by phone", "call us")."""
    other = alternatives(item)
    found = next(normal.find(item), None) or (place_of(other, normal) if other else None)
    found = found or next(normal.find(item.removesuffix("s") if item.endswith("s") else f"{item}s"), None)
    return found or (_scattered(normal, item) if " " in item and any(map(str.isdecimal, item)) else None)


def _scattered(normal: Normal, item: str) -> tuple[int, int] | None:
    """ "Orders of 50 euros or more ship free", for "free from 50": figure and words close together, in any order."""
    places = [normal.words.index(word) if word in normal.words else -1 for word in item.split() if not is_small(word)]
    first, last = min(places, default=-1), max(places, default=-1)
    if first < 0 or last - first > _CLOSE or not _DENYING.isdisjoint(normal.words[max(0, first - 2) : last + 1]):
        return None
    return normal.span(first, last)


_CLOSE = 8
_DENYING = frozenset(
    ("not", "no", "never", "under", "below", "only", "until", "up", "most", "less", "fewer", "maximum")
)


_FILL = frozenset(
    [
        "it",
        "is",
        "was",
        "were",
        "by",
        "i",
        "think",
        "believe",
        "guess",
        "mr",
        "mrs",
        "dr",
        "sir",
        "they",
        "are",
        "mostly",
        "mainly",
        "just",
    ]
)


@lru_cache(maxsize=1024)
def gold_items(raw: str) -> tuple[str, ...]:
    """The items of a list, in normal form; empty for what is none."""
    items = tuple(" ".join(normalise(item).words) for item in _CUT.split(raw) if item.strip())
    if len(items) < 2 or any(not item or item.count(" ") > 3 for item in items):
        return ()
    if re.search(r"\bor\b", raw) and any(item[0].isdecimal() for item in items):
        return ()  # "two or three days"
    return () if any(item.replace(" ", "").isdecimal() for item in items) else items


@lru_cache(maxsize=4096)
def _lists(gold: tuple[GoldAnswer, ...]) -> tuple[tuple[str, tuple[str, ...], str], ...]:
    """Gold answers of several words, with the items of lists and the surnames of longer names."""
    longer = (literal.raw for literal in golds(gold).literals if len(literal.words) > 1)
    return tuple((raw, gold_items(raw), _surname_of(raw)) for raw in longer)


def _surname_of(raw: str) -> str:
    names = [word for word in normalise(raw).words if word not in _TITLES]
    return names[-1] if len(names) > 1 and raw[:1].isupper() and "of" not in names else ""
