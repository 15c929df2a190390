"""What context-measured.md needs to know of a recording of a campaign on passages."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any

from botattack.cases import QuestionCase, cases
from botattack.events import VariantJudged
from botattack.recordings.reader import events
from botattack.report.figures.figure_values import AttackFigures, Figures, Row
from botattack.report.figures.ranking import overlap

SPLITS = ("kind", "place", "distance to the answer", "question kind")
LAST, RANDOM = "distractor(at=last)", "distractor(at=random)"
PAIRS = (
    ("add-sent(at=end)", "add-sent(at=beginning)"),
    ("add-sent(at=end)", "add-sent(at=random)"),
    (LAST, "distractor(at=first)"),
    (LAST, RANDOM),
    (f"{LAST}: random passage", f"{LAST}: same topic"),
    (f"{LAST}: same topic", f"{LAST}: shares a name"),
    (f"{LAST}: shares a name", f"{LAST}: other answer of the kind"),
    (f"{LAST}: random passage", f"{LAST}: other answer of the kind"),
    ("reasoning-chain(at=end)", "reasoning-chain(at=random)"),
    ("reasoning-chain(at=end)", "reasoning-chain(at=beginning)"),
    ("order: order first", "order: order middle"),
    ("order: order last", "order: order middle"),
)
"""Attacks, or the edits of a kind, whose F1 is compared over the questions that both have; the second is expected to do
more harm."""
SHOWN = ("EM before", "EM after", "F1 ", "facts F1 ", "joint F1 ", "cites ", "R@1 ", "R@5 ", "MRR ", "MAP ")
"""How the names of the measures begin that the page shows."""
SEARCHES = ("add-any",)
"""Attacks that search: how often they succeed at all says more than a rate of all their requests."""
SPENT = (0, 1, 2, 5, 10, 20, 40)
"""Requests of a search."""
Counts = dict[str, tuple[float, int]]
"""Of each question a sum of values and how many."""


def measured(
    folder: Path, figures: Figures, difference: Callable[[Counts, Counts], list[float] | None]
) -> dict[str, Any]:
    """`difference` gives that of two rates with its interval, if it can be told."""
    f1, kinds = f1_of(folder), Counter(case.question.kind for case in cases(events(folder)))
    found = {}
    for one, other in PAIRS:
        both = f1.get(one, {}).keys() & f1.get(other, {}).keys()
        if both:
            first, second = ({question: f1[name][question] for question in both} for name in (one, other))
            found[f"{one} - {other}"] = {"questions": len(both), "F1": difference(first, second)}
    return {
        "by attack": {name: of_attack(attack) for name, attack in figures.attacks.items()},
        "compared": found,
        "F1 by requests": {name: by_requests(folder, name) for name in figures.attacks if name.startswith(SEARCHES)},
        "kinds": dict(kinds),
        "by door": by_door(folder),
    }


def of_attack(attack: AttackFigures) -> dict[str, Any]:
    return {
        "decoys": [attack.gold.took_decoy, attack.gold.decoys, attack.gold.broken_by_decoy],
        "broken": [attack.gold.broken_questions, attack.gold.questions],
        "splits": {
            split: {str(value): row(found) for value, found in attack.splits.get(split, {}).items()}
            for split in SPLITS
            if len(attack.splits.get(split, {})) > 1
        },
        "measures": {
            name: [found.value, found.n, found.interval]
            for name, found in attack.measures.items()
            if name.startswith(SHOWN) and found.n
        },
    }


def by_requests(folder: Path, attack: str) -> dict[str, float]:
    """The mean over all questions of the lowest F1 that an attack reached within so many requests; `0` is before it."""
    sums = dict.fromkeys(SPENT, 0.0)
    asked = 0
    for case in cases(events(folder)):
        found = [_f1(case, judged) for judged in case.counted if judged.attack == attack]
        if found and case.first:
            asked += 1
            found = [overlap(case.reply, case.question.answers, case.question.language).f1, *found]
            for spent in SPENT:
                sums[spent] += min(found[: spent + 1])
    return {str(spent): sums[spent] / asked for spent in SPENT} if asked else {}


def by_door(folder: Path) -> dict[str, dict[str, dict[str, Any]]]:
    """Of each door and attack, over all questions, right or not: variants asked, how many were right before and after,
    and how many said the fake answer of those that plant one; empty with one door."""
    found: defaultdict[str, dict[str, dict[str, Any]]] = defaultdict(dict)
    for case in cases(events(folder)):
        for judged in case.counted:
            none = {"asked": 0, "right before": 0, "right after": 0, "decoys": [0, 0]}
            told = found[case.door].setdefault(judged.attack, none)
            told["asked"] += 1
            told["right before"] += case.right
            told["right after"] += judged.verdict.kind == "correct"
            told["decoys"][0] += judged.took_decoy
            told["decoys"][1] += bool(judged.decoy)
    return dict(sorted(found.items())) if len(found) > 1 else {}


def row(found: Row) -> dict[str, Any]:
    return {
        "success": found.success,
        "rated": found.rated,
        "questions": found.questions,
        "rate": found.success_rate,
        "interval": found.interval,
        "note": found.note,
        "decoys": [found.took_decoy, found.decoys],
    }


def f1_of(folder: Path) -> dict[str, Counts]:
    """Of each attack and question, right or not, the sum of F1 after and how many variants that is; of the kinds of
    edits, too: `distractor(at=last): same topic`."""
    found: defaultdict[str, Counts] = defaultdict(dict)
    for case in cases(events(folder)):
        for judged in case.counted:
            f1 = _f1(case, judged)
            kinds = {edit.kind for edit in judged.edits}
            for name in (judged.attack, *(f"{judged.attack}: {kind}" for kind in kinds if len(kinds) == 1)):
                total, n = found[name].get(case.question.id, (0.0, 0))
                found[name][case.question.id] = total + f1, n + 1
    return dict(found)


def _f1(case: QuestionCase, judged: VariantJudged) -> float:
    asked = case.asked.get(judged.unit)
    return overlap(asked.reply, case.question.answers, case.question.language).f1 if asked else 0.0
