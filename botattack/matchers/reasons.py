"""Why a verdict is what it is: what of a gold answer is said, and what weighed most against or for it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from importlib.resources import files
from typing import Literal, NamedTuple

from botattack.matchers.evidence.all import NAMES
from botattack.matchers.evidence.coverage import Match
from botattack.matchers.evidence.reading import Reading
from botattack.matchers.weights import Weights
from botattack.model import VerdictKind
from botattack.text.languages import read_lists

_MEANINGS: Mapping[str, Mapping[str, tuple[str, str]]] = read_lists(files("botattack.matchers") / "meanings.yaml")
_TELLING = {name: said for those in _MEANINGS.values() for name, said in those.items()}
"""What a feature says if it is above what is usual, and if it is below; empty if that says nothing."""
Cap = Literal["", "contrary", "partial", "either", "language", "other"]
CAPS: Mapping[Cap, str] = {
    "contrary": "the reply says another bound, version, code, value or time than the gold answer",
    "partial": "the reply says only a part of the answer",
    "either": "the reply gives a date that may be another day: write the right answer in figures, too, if it is right",
    "other": "the reply says the gold answer with another word in a place of it",
    "language": "the reply is in another language than the gold answer, and may say the same",
}
"""Why a reply is worth less than its evidence, or more."""
_SIGNED = ("polarity.agrees", "polarity.opens")
"""Features whose sign says something; below 0, any other says that there is nothing to measure."""
_TOLD = tuple(place for place, name in enumerate(NAMES) if name in _TELLING)


class Contribution(NamedTuple):
    """A feature of a reply: its value and what is usual, the log-odds with its value less those with the usual one, and
    what it means in a sentence; empty if there is none."""

    name: str
    value: float
    usual: float
    log_odds: float
    means: str


def reason(
    line: tuple[float, ...], reply: Reading, found: Match, kind: VerdictKind, known: Weights
) -> tuple[str, tuple[int, int] | None]:
    """The sentence, and where in the reply the answer is. It says nothing that speaks against the verdict but what of
    the answer is said, and then what weighed more."""
    span = reply.span(found.first, found.last) if found.first >= 0 else None
    if kind == "refused":
        return "the reply declines or claims nothing", span
    way = 1 if kind == "correct" else -1
    whole = round(found.recall, 2) == 1
    phrase = repr(found.gold.reading.text)
    said = f"the reply says {phrase if found.exact else f'{found.recall:.0%} of {phrase}'}"
    if span is None:
        said = f"the reply says {phrase} in other words" if way > 0 else "no gold answer is in what the reply claims"
    if found.exact if way > 0 else not whole and (span or kind == "wrong"):
        return said, span
    pulling = (each for each in weighed(line, known, _TOLD) if way * each.log_odds > 0 and way == _speaks(each))
    strongest = next((each.means for each in pulling if each.means), "")
    return "; ".join(filter(None, (said, strongest))), span


def _speaks(each: Contribution) -> int:
    """1 if what a feature says in words is for a correct reply, -1 if against one, 0 if neither."""
    way = (each.name in _MEANINGS["for"]) - (each.name in _MEANINGS["against"])
    return way if each.value > max(each.usual, 0) else -way


def weighed(line: tuple[float, ...], known: Weights, places: Iterable[int] = range(len(NAMES))) -> list[Contribution]:
    """Those of these features that are not as usual, those first that change the log-odds of a correct reply most."""
    others = [place for place in places if line[place] != known.usual[place]]
    pulls = known.correct.pulls(line, known.usual, others)
    found = [
        Contribution(NAMES[place], line[place], known.usual[place], pull, means(place, line, known))
        for place, pull in zip(others, pulls, strict=True)
    ]
    return sorted(found, key=lambda each: -abs(each.log_odds))


def means(place: int, line: tuple[float, ...], known: Weights) -> str:
    """What the value of a feature says, in a sentence."""
    name, value = NAMES[place], line[place]
    if name not in _TELLING or (value < 0 and name not in _SIGNED):
        return ""
    sentence = _TELLING[name][value <= max(known.usual[place], 0)]
    if value <= 0:
        return sentence.replace("only {}", "{}").format("none")
    return sentence.format("all" if value >= 1 else f"{value:.0%}")
