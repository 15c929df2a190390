"""Words that say the opposite of each other."""

from __future__ import annotations

from botattack.matchers.claimless.void import stem
from botattack.text.normalise import Normal

_PAIRS = (
    (
        "finish finished complete completed end ended close closes closed closing stop stopped done over",
        "begin began begun start started starts founded opens open opened opening laid launched",
    ),
    ("born birth", "died dies death dead buried killed"),
    ("built build constructed erected made", "burned burnt destroyed demolished collapsed"),
    ("arrive arrives arrival land lands landed landing", "leave leaves left depart departs departure"),
    ("buy bought", "sell sold"),
    ("girl girls", "boy boys"),
    ("man men male males", "woman women female females"),
    ("import imports imported", "export exports exported"),
    ("indoor indoors", "outdoor outdoors"),
    ("win wins won", "lose loses lost"),
    ("maximum most", "minimum least fewest"),
    ("summer", "winter"),
    ("adult adults grown", "child children kid kids"),
    ("weekday weekdays", "weekend weekends"),
    ("cover covers covered insured include included includes", "exclude excludes excluded"),
    ("boiling boil boils", "freezing freeze freezes melting"),
)
_OF_A_KIND = (
    # Of these one is asked for, and every other speaks of something else.
    (
        "largest biggest greatest",
        "smallest tiniest",
        "tallest highest",
        "lowest",
        "longest",
        "shortest",
        "oldest eldest earliest",
        "youngest newest latest",
        "fastest quickest",
        "slowest",
        "heaviest",
        "lightest",
        "deepest",
        "widest broadest",
        "hottest warmest",
        "coldest coolest",
        "richest wealthiest",
        "poorest",
        "closest nearest",
        "farthest furthest",
        "hardest",
        "softest",
        "brightest",
        "loudest",
        "busiest",
        "rarest",
        "commonest",
    ),
    (
        "deep depth",
        "wide width broad breadth",
        "height tall elevation high",
        "length long",
        "diameter",
        "weight weighs heavy",
    ),
)
_DENIED = 2
"""Words after "not" that it denies."""
_KINDS = tuple(tuple(frozenset(map(stem, each.split())) for each in kind) for kind in _OF_A_KIND)
_OPPOSITES = tuple((frozenset(map(stem, one.split())), frozenset(map(stem, other.split()))) for one, other in _PAIRS)
_SIDED = frozenset(word for pairs in (_PAIRS, _OF_A_KIND) for pair in pairs for side in pair for word in side.split())


def opposites(question: Normal) -> tuple[tuple[frozenset[str], frozenset[str]], ...]:
    """Of the pairs of opposites that a question names one side of: that side, and the other."""
    if _SIDED.isdisjoint(question.words):
        return ()
    asked = {stem(word) for word in question.words}
    sides = (side for pair in _OPPOSITES for side in (pair, pair[::-1]))
    found = [(mine, other) for mine, other in sides if asked & mine and not asked & other]
    if "not" in question.words:  # "What is not covered?" asks for what is excluded
        denied = {stem(word) for word in question.words[question.words.index("not") + 1 :][:_DENIED]}
        found = [(other, mine) if denied & mine else (mine, other) for mine, other in found]
    for kind in _KINDS:
        mine = [each for each in kind if asked & each]
        if len(mine) == 1:
            found.append((mine[0], frozenset().union(*(each for each in kind if each is not mine[0]))))
    return tuple(found)
