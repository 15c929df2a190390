"""Why a verdict is what it is: what of a gold answer is said, and what weighed most against or for it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import pairwise
from typing import NamedTuple

from botattack.matchers.evidence.all import NAMES
from botattack.matchers.evidence.coverage import Match
from botattack.matchers.evidence.reading import Reading
from botattack.matchers.weights import Weights
from botattack.model import VerdictKind

_TELLING: Mapping[str, tuple[str, str]] = {
    "coverage.exact": ("the reply contains the answer word for word", "the reply does not contain it word for word"),
    "coverage.glued": ("its letters are in the reply in one piece", ""),
    "coverage.recall": ("the reply contains {} of the answer", "the reply contains only {} of the answer"),
    "coverage.fresh": (
        "the reply contains {} of what the answer adds to the question",
        "the reply contains only {} of what the answer adds to the question",
    ),
    "coverage.alike": ("the reply contains {} of the answer in this or a similar spelling",) * 2,
    "coverage.in_order": (
        "the reply contains {} of the answer in the same order",
        "the reply contains only {} of the answer in the same order",
    ),
    "coverage.compact": ("the answer's words are close together", "other words come between the answer's words"),
    "coverage.begins": ("the reply contains the answer's first word", "the answer's first word is missing"),
    "coverage.ends": ("the reply contains the answer's last word", "the answer's last word is missing"),
    "coverage.names": ("the reply contains {} of the names in the answer", "a name in the answer is missing"),
    "coverage.all": (
        "the reply contains {} of the gold answers taken together",
        "the reply contains only {} of the gold answers taken together",
    ),
    "coverage.given": ("the reply has the last word of the name", ""),
    "coverage.inside": ("the reply is shorter than the answer", ""),
    "coverage.length": ("the answer is long", "the answer is short"),
    "coverage.golds": ("there are several gold answers", ""),
    "coverage.known": ("the question already contains {} of the answer", ""),
    "stance.place": ("the answer comes late in the reply", "the answer comes early in the reply"),
    "stance.mentions": ("the answer is mentioned more than once", ""),
    "stance.denied": ("a negation comes right before the answer", ""),
    "stance.denied_after": ("a negation comes right after the answer", ""),
    "stance.either": ("the answer is one of two joined by a word such as “or”", ""),
    "stance.condition": ("the answer is given under a condition", ""),
    "stance.attributed": ("the answer is attributed to somebody else", ""),
    "stance.negated": ("the sentence with the answer has a negation", ""),
    "stance.hedged": ("the sentence with the answer hedges", ""),
    "stance.former": ("the answer is given for the past", ""),
    "stance.stands": (
        "in the end, the reply states {} of the answer plainly",
        "in the end, the reply states only {} of the answer plainly",
    ),
    "stance.contrast": ("the sentence with the answer contrasts it with something", ""),
    "stance.asked": ("the sentence with the answer is a question", ""),
    "stance.about": (
        "the sentence with the answer has {} of the question's words",
        "the sentence with the answer has only {} of the question's words",
    ),
    "stance.longer": ("the answer is part of a longer name", ""),
    "stance.negations": ("the reply has negations", ""),
    "stance.hedges": ("the reply hedges", ""),
    "stance.contrasts": ("the reply has words of contrast", ""),
    "form.words": ("the reply is long", "the reply is short"),
    "form.novel": ("the reply says much else", "the reply says little else"),
    "form.precise": (
        "the answer is {} of what the reply adds to the question",
        "the answer is only {} of what the reply adds to the question",
    ),
    "form.from_question": ("{} of the reply repeats the question", "only {} of the reply repeats the question"),
    "form.rival_names": ("the reply contains other names", "the reply contains few other names"),
    "form.rival_numbers": ("the reply contains other numbers", ""),
    "form.rival_years": ("the reply contains other years", ""),
    "form.share": ("the answer is {} of the reply", "the answer is only {} of the reply"),
    "form.asks": ("the reply asks a question", ""),
    "polarity.opens": ("the reply begins with yes", "the reply begins with no"),
    "polarity.agrees": ("its yes or no agrees with the answer", "its yes or no disagrees with the answer"),
    "declining.declines": ("the reply declines to answer", ""),
    "values.agreed": ("the reply gives the answer's value", "the reply does not give the answer's value"),
    "values.wrong": ("the reply gives another value than the answer", ""),
    "values.rivals": ("the reply gives other values of the same kind", ""),
}
"""What a feature says if it is above what is usual, and if it is below; empty if that says nothing."""
CONTRARY = "the reply says another bound, version or code than the gold answer"
PARTIAL = "the reply says only a part of the answer"
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
    """The sentence, and where in the reply the answer is."""
    span = reply.span(found.first, found.last) if found.first >= 0 else None
    if kind == "refused":
        return "the reply declines or claims nothing", span
    if found.exact:
        said = f"the reply says {found.gold.phrase!r}"
    elif span is None:
        said = "no gold answer was found"
    else:
        said = f"the reply says {found.recall:.0%} of {found.gold.phrase!r}"
    if found.exact == (kind == "correct") and not (span is None and kind != "wrong"):
        return said, span
    strongest = next((each.means for each in weighed(line, known, _TOLD, kind == "correct") if each.means), "")
    return "; ".join(filter(None, (said, strongest))), span


def weighed(
    line: tuple[float, ...], known: Weights, places: Iterable[int] = range(len(NAMES)), speaks_for: bool | None = None
) -> list[Contribution]:
    """The features that are not as usual, those first that change the log-odds of a correct reply most; only those that
    speak for it being correct, or against it, if `speaks_for` says so."""
    others = [place for place in places if line[place] != known.usual[place]]
    pulls = known.says_correct.pulls(line, known.usual, others)
    found = [
        Contribution(NAMES[place], line[place], known.usual[place], float(pull), means(place, line, known))
        for place, pull in zip(others, pulls, strict=True)
        if speaks_for is None or (pull > 0 if speaks_for else pull < 0)
    ]
    return sorted(found, key=lambda each: -abs(each.log_odds))


def shares(line: tuple[float, ...], known: Weights) -> tuple[float, list[Contribution]]:
    """The log-odds of a usual reply, and what each unusual feature adds to it, those first that change most: together
    they are the log-odds of the line. Features overlap, so each is counted beside those before it."""
    found = weighed(line, known)
    steps = [list(known.usual)]
    for each in found:
        steps.append([*steps[-1]])
        steps[-1][NAMES.index(each.name)] = each.value
    odds = known.says_correct.log_odds(steps)
    added = zip(found, pairwise(odds), strict=True)
    every = [each._replace(log_odds=float(more - less)) for each, (less, more) in added]
    return float(odds[0]), sorted(every, key=lambda each: -abs(each.log_odds))


def means(place: int, line: tuple[float, ...], known: Weights) -> str:
    """What the value of a feature says, in a sentence."""
    name, value = NAMES[place], line[place]
    if name not in _TELLING or (value < 0 and name not in _SIGNED):
        return ""
    sentence = _TELLING[name][value <= max(known.usual[place], 0)]
    if value <= 0:
        return sentence.replace("only {}", "{}").format("none")
    return sentence.format("all" if value >= 1 else f"{value:.0%}")
