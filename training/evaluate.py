"""Prints how far the judge agrees with readers on replies of systems and collections it was not trained on.

Each system of EVOUNA is left out in turn, and no question is both trained and tested on; each collection of
tests/verdicts is left out in turn. Models train as those of weights.json do.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterable, Sequence
from dataclasses import replace

import msgspec
import numpy as np

from botattack.audit import fitting
from botattack.matchers.evidence.all import GROUPS, NAMES, columns
from botattack.matchers.weights import Trees, Weights, weights
from training import left_out
from training.data import SYSTEMS, Row, collected, evouna
from training.learning import COLLECTED_WEIGHT, COLLECTIONS, Array, Examples, Recipe, examples
from training.left_out import ASSISTANTS, FOLDS, Calibration
from training.worth import written

PARTS = 2
"""Fifths of the questions on which a group of evidence is left out."""
LABELS, DRAWS = 200, 50
FALSE_ACCEPTS = 0.08
HEADS = (
    "replies",
    "agreed",
    "wrong called correct",
    "correct called wrong",
    "precision",
    "recall",
    "coverage",
    "agreed within",
    "ECE",
    "agreed at 8 % false accepts",
)


def main() -> None:
    started = time.process_time()
    base, ours = examples(evouna()), examples(collected(*COLLECTIONS), COLLECTED_WEIGHT)
    spent = (time.process_time() - started) / (len(base.rows) + len(ours.rows))
    recipe = Recipe.shipped()
    raw = left_out.systems(base, ours, recipe, SYSTEMS, range(FOLDS))
    raw_ours, apart_ours = left_out.collections(base, ours, recipe)
    known = left_out.calibration(base, ours, raw, raw_ours)
    _say(f"{spent * 1e6:.0f} us of CPU a reply; operating point {known.point}, band {known.band}")
    lines = _by_source(base, known.applied(raw), known, SYSTEMS, ASSISTANTS)
    _table("EVOUNA, each system left out", ("left out", *HEADS), lines)
    lines = _by_source(ours, known.applied(raw_ours), known, COLLECTIONS, COLLECTIONS)
    _table("tests/verdicts, each collection left out", ("left out", *HEADS), lines)
    _of_kinds(ours.rows, known.applied(raw_ours) >= known.point)
    _of_refusals(ours.rows, left_out.refusals(ours, recipe) >= 0.5)
    apart = {"EVOUNA": left_out.questions(base, ours, recipe), "tests/verdicts": apart_ours}
    called = [(name, len(p), _percent(known.applied(p) >= known.point)) for name, p in apart.items()]
    _table("Replies to another question", ("questions of", "replies", "called correct"), called)
    _of_fitting(base, raw, known)


def agreed(rows: Sequence[Row], called: Array) -> Array:
    """Whether calling each reply correct, or not, is what one of its readers did."""
    either = [
        "correct" in row.labels if is_called else row.labels != {"correct"}
        for row, is_called in zip(rows, called, strict=True)
    ]
    return np.array(either, dtype=bool)


def _by_source(
    of: Examples, p: Array, known: Calibration, names: Sequence[str], meant: Sequence[str]
) -> list[tuple[str, ...]]:
    """A line of figures for each source, and their mean over those `meant`."""
    source = np.array([row.source for row in of.rows])
    found = {name: _figures(of.only(source == name), p[source == name], known) for name in names}
    mean = np.mean([found[name] for name in meant], axis=0)
    return [*((name, *_shown(found[name])) for name in names), ("mean of " + ", ".join(meant), *_shown(mean))]


def _figures(of: Examples, p: Array, known: Calibration) -> tuple[float, ...]:
    """The columns of HEADS."""
    called, right, (low, high) = p >= known.point, of.right, known.band
    good, decided = agreed(of.rows, called), (p <= low) | (p >= high)
    most = np.sort(p[~right])[int((1 - FALSE_ACCEPTS) * (~right).sum())]
    return (
        len(p),
        float(good.mean()),
        float(called[~right].mean()),
        float((~called)[right].mean()),
        float(right[called].mean()),
        float(called[right].mean()),
        float(decided.mean()),
        float(good[decided].mean()),
        fitting.calibration_error(p, right),
        float(agreed(of.rows, p > most).mean()),
    )


def _shown(figures: Iterable[float]) -> tuple[str, ...]:
    count, *shares = figures
    named = zip(HEADS[1:], shares, strict=True)
    return f"{count:.0f}", *(f"{share:.3f}" if head == "ECE" else f"{share:.1%}" for head, share in named)


def _of_kinds(rows: Sequence[Row], called: Array) -> None:
    good, kinds = agreed(rows, called), np.array([row.kind for row in rows])
    lines = [
        (kind, f"{good[kinds == kind].sum()} of {(kinds == kind).sum()}", _percent(good[kinds == kind]))
        for kind in sorted(set(kinds))
    ]
    _table("tests/verdicts by kind of reply, each collection left out", ("kind", "agreed", "share"), lines)


def _of_refusals(rows: Sequence[Row], called: Array) -> None:
    counted = np.array([row.labels in ({"wrong"}, {"refused"}) for row in rows])
    declined, said = np.array([row.label == "refused" for row in rows])[counted], called[counted]
    line = (len(said), _percent(said == declined), _percent(declined[said]), _percent(said[declined]))
    _table("Refused against wrong", ("replies", "agreed", "precision of refused", "recall of refused"), [line])


class _LogOdds(Trees, frozen=True):
    """Trees that were evaluated before: a line of evidence is their log-odds."""

    def log_odds(self, line: Iterable[float]) -> float:
        return self.slope * next(iter(line)) + self.offset


def _of_fitting(base: Examples, raw: Array, known: Calibration) -> None:
    source = np.array([row.source for row in base.rows])
    lines = []
    for name in SYSTEMS:
        of, odds = base.only(source == name), fitting.log_odds(raw[source == name])[:, None]
        before = fitting.calibration_error(known.applied(raw[source == name]), of.right)
        after, helped = _drawn(of, odds, known)
        lines.append((name, f"{before:.3f}", f"{after:.3f}", f"{helped} of {DRAWS}"))
    title = f"ECE before and after `fit` with {LABELS} labels of the system left out, mean of {DRAWS} draws"
    _table(title, ("left out", "before", "after", "draws in which fitting helped"), lines)


def _drawn(of: Examples, odds: Array, known: Calibration) -> tuple[float, int]:
    """The mean calibration error of replies that are not among the labels, and in how many draws weights changed."""
    chance, errors, helped = np.random.default_rng(0), list[float](), 0
    start = _seen(known)
    groups = np.array([row.group for row in of.rows])
    for _ in range(DRAWS):
        chosen = np.zeros(len(odds), dtype=bool)
        chosen[chance.choice(len(odds), LABELS, replace=False)] = True
        found = fitting.fit(start, odds[chosen], of.right[chosen], groups[chosen])
        p = fitting.logistic(np.array([*map(found.weights.correct.log_odds, odds[~chosen])]))
        errors.append(fitting.calibration_error(p, of.right[~chosen]))
        helped += found.helped
    return float(np.mean(errors)), helped


def _seen(known: Calibration) -> Weights:
    shipped = msgspec.structs.asdict(weights().correct)
    correct = _LogOdds(**{**shipped, "slope": known.slope, "offset": known.offset})
    return msgspec.structs.replace(weights(), correct=correct, point=known.point, band=known.band)


def by_group() -> None:
    """Prints the same means with each group of evidence left out, after those with all evidence."""
    base, ours = examples(evouna()), examples(collected(*COLLECTIONS), COLLECTED_WEIGHT)
    recipe = Recipe.shipped()
    _say(f"Agreement without a group of evidence, {PARTS} of {FOLDS} parts of the questions of EVOUNA\n")
    _line(("left out", "EVOUNA, mean of " + ", ".join(ASSISTANTS), "tests/verdicts, mean"))
    _line(["---"] * 3)
    for name, group in (("nothing", None), *((group.__name__.lower(), group) for group, _ in GROUPS)):
        less = replace(recipe, without=(*recipe.without, *range(len(NAMES))[columns(group)])) if group else recipe
        found = left_out.systems(base, ours, less, ASSISTANTS, range(PARTS))
        _line((name, *_means(base, ours, found, left_out.collections(base, ours, less)[0])))


def _means(base: Examples, ours: Examples, raw: Array, raw_ours: Array) -> tuple[str, str]:
    known = left_out.calibration(base, ours, raw, raw_ours)
    found = []
    for of, p, names in ((base, raw, ASSISTANTS), (ours, raw_ours, COLLECTIONS)):
        source, called = np.array([row.source for row in of.rows]), known.applied(p) >= known.point
        good = agreed(of.rows, called)
        found.append(np.mean([good[(source == name) & ~np.isnan(p)].mean() for name in names]))
    return f"{found[0]:.2%}", f"{found[1]:.2%}"


def _percent(which: Array) -> str:
    return f"{which.mean():.1%}"


def _table(title: str, heads: Sequence[str], lines: Iterable[Sequence[object]]) -> None:
    _say(f"\n{title}\n")
    for line in (heads, ["---"] * len(heads), *lines):
        _line(line)


def _line(cells: Sequence[object]) -> None:
    _say("| " + " | ".join(map(str, cells)) + " |")


def _say(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    others = parser.add_mutually_exclusive_group()
    others.add_argument("--groups", action="store_true", help="print what each group of evidence adds instead")
    others.add_argument("--worth", action="store_true", help="write training/worth.md from the shipped weights instead")
    told = parser.parse_args()
    if told.worth:
        _say(f"{written()}")
    elif told.groups:
        by_group()
    else:
        main()
