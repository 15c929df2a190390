"""Why a verdict is what it is, in one sentence: what of a gold answer is said, and what weighed most."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from botattack.matchers.evidence.all import NAMES
from botattack.matchers.evidence.coverage import Match
from botattack.matchers.evidence.reading import Reading
from botattack.matchers.weights import Weights
from botattack.model import VerdictKind

_TELLING: Mapping[str, str] = {
    "coverage.alike": "it is {} alike in spelling",
    "coverage.ends": "its last word decides",
    "coverage.in_order": "{} of it is said in order",
    "coverage.all": "{} of all gold answers is said",
    "coverage.known": "the question already says it",
    "stance.denied": "it is denied",
    "stance.negated": "its sentence has a negation",
    "stance.hedged": "its sentence hedges",
    "stance.contrast": "its sentence contrasts it with something",
    "stance.either": "it is one of several possibilities",
    "stance.attributed": "it is said to be somebody's opinion",
    "stance.former": "it is said of former times",
    "stance.asked": "its sentence asks",
    "stance.about": "its sentence says {} of the question's words",
    "stance.longer": "it is part of a longer name",
    "stance.place": "it comes late in the reply",
    "echo.others": "the reply picks another of what was offered",
    "form.rival_names": "the reply names others",
    "form.rival_numbers": "the reply gives other numbers",
    "form.novel": "the reply says much else",
    "values.agreed": "the value said is {} that of the answer",
    "values.wrong": "the value said is another one",
    "values.rivals": "other values of its kind are said",
    "polarity.agrees": "the reply says yes or no",
    "declining.declines": "the reply declines",
}
"""What a feature says, if it weighed most."""
_PLACES = tuple(NAMES.index(name) for name in _TELLING)


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
    return f"{said}; {strongest(line, kind == 'correct', known)}", span


def strongest(line: tuple[float, ...], speaks_for: bool, known: Weights) -> str:
    """What pulled most towards correct, or away from it: the feature whose loss would change the log-odds most."""
    lines = np.tile(np.array(line), (len(_PLACES) + 1, 1))
    for row, place in enumerate(_PLACES):
        lines[row, place] = known.usual[place]
    odds = known.says_correct.log_odds(lines)
    pulls = (odds[-1] - odds[:-1]) * (1 if speaks_for else -1)
    best = int(pulls.argmax())
    sentence = list(_TELLING.values())[best]
    return sentence.format(f"{max(line[_PLACES[best]], 0):.0%}")
