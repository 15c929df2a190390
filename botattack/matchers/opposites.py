"""Words that say the opposite of each other."""

from __future__ import annotations

from botattack.matchers.void import stem
from botattack.text.normalise import Normal

_PAIRS = (
    (
        "finish finished complete completed end ended close closes closed stop stopped done over",
        "begin began begun start started starts founded opens open opened laid launched",
    ),
    ("born birth", "died dies death dead buried killed"),
    ("built build constructed erected made", "burned burnt destroyed demolished collapsed"),
    ("arrive arrives arrival", "leave leaves depart departs departure"),
    ("buy bought", "sell sold"),
    ("largest biggest greatest", "smallest tiniest"),
    ("highest tallest", "lowest shortest deepest"),
    ("longest", "shortest"),
    ("oldest eldest", "youngest newest"),
    ("fastest quickest", "slowest"),
    ("maximum most", "minimum least fewest"),
    ("summer", "winter"),
    ("adult adults grown", "child children kid kids"),
    ("weekday weekdays", "weekend weekends"),
    ("boiling boil boils", "freezing freeze freezes melting"),
)
_OPPOSITES = tuple((frozenset(map(stem, one.split())), frozenset(map(stem, other.split()))) for one, other in _PAIRS)
_SIDED = frozenset(word for pair in _PAIRS for side in pair for word in side.split())


def opposites(question: Normal) -> tuple[tuple[frozenset[str], frozenset[str]], ...]:
    """Of the pairs of opposites that a question names one side of: that side, and the other."""
    if _SIDED.isdisjoint(question.words):
        return ()
    asked = {stem(word) for word in question.words}
    sides = (side for pair in _OPPOSITES for side in (pair, pair[::-1]))
    return tuple((mine, other) for mine, other in sides if asked & mine and not asked & other)
