"""How far the judge agrees with readers on replies of systems and collections it was not trained on.

Each system of EVOUNA is left out in turn, and no question is both trained and tested on; each collection of
tests/verdicts is left out in turn.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from catboost import CatBoostClassifier

from botattack.matchers.fitting import calibration_error
from training.data import Row, collected, evouna, invented, measured, mismatched

Array = np.ndarray[Any, Any]
FOLDS = 5
COLLECTED_WEIGHT = 1.0
COLLECTIONS = ("alice", "five-bots", "third", "fourth", "fifth")
APART = 2_000
"""Replies to another question on which models are counted."""


def fitted(lines: Array, right: Array, weights: Array | None = None, trees: int = 400) -> Any:
    """Boosted trees that ask one question a level, so that all are evaluated at once."""
    model = CatBoostClassifier(
        iterations=trees,
        depth=5,
        learning_rate=20 / trees,
        l2_leaf_reg=5,
        rsm=0.5,
        bootstrap_type="Bernoulli",
        subsample=0.8,
        random_seed=0,
        verbose=0,
        allow_writing_files=False,
        thread_count=2,
    )
    return model.fit(lines, right, sample_weight=weights)


@dataclass(frozen=True)
class Examples:
    """Rows, their lines of evidence, whether each is of a correct reply, and what it weighs in training."""

    rows: list[Row]
    lines: Array
    right: Array
    weights: Array

    def only(self, which: Array) -> Examples:
        rows = [row for row, is_chosen in zip(self.rows, which, strict=True) if is_chosen]
        return Examples(rows, self.lines[which], self.right[which], self.weights[which])


def examples(rows: list[Row], weight: float = 1.0) -> Examples:
    right = np.array([row.label == "correct" for row in rows], dtype=bool)
    return Examples(rows, measured(rows), right, np.full(len(rows), weight))


def trained(*sets: Examples) -> Any:
    lines, right = np.concatenate([each.lines for each in sets]), np.concatenate([each.right for each in sets])
    return fitted(lines, right, np.concatenate([each.weights for each in sets]))


def probability(model: Any, lines: Array) -> Array:
    found: Array = model.predict_proba(lines)[:, 1]
    return found


@dataclass(frozen=True)
class Extra:
    """What trains beside replies that readers judged: invented rows, and replies to another question."""

    invented: Examples
    mismatched: int

    def beside(self, seen: list[Row], tested: list[Row]) -> tuple[Examples, Examples]:
        """For a model that may see the rows `seen`, and no question of those `tested`."""
        unseen = {row.question for row in tested}
        invented = self.invented.only(np.array([row.question not in unseen for row in self.invented.rows], dtype=bool))
        return invented, examples(mismatched(seen, seed=0, many=self.mismatched))


def left_out_systems(evouna: Examples, ours: Examples, extra: Extra, systems: tuple[str, ...]) -> Array:
    """The probability of each reply of EVOUNA by a model that saw neither its system nor its question."""
    source, fold = np.array([row.source for row in evouna.rows]), folds(evouna.rows)
    found = np.full(len(source), np.nan)
    for system in systems:
        for part in range(FOLDS):
            test, train = (source == system) & (fold == part), evouna.only((source != system) & (fold != part))
            beside = extra.beside(train.rows + ours.rows, evouna.only(test).rows)
            found[test] = probability(trained(train, ours, *beside), evouna.lines[test])
    return found


def left_out_collections(evouna: Examples, ours: Examples, extra: Extra) -> Array:
    """The probability of each reply of tests/verdicts by a model that saw nothing of its collection.

    Says how many replies to another question, of that collection, are called correct.
    """
    source, taken = np.array([row.source for row in ours.rows]), []
    found = np.full(len(source), np.nan)
    for name in COLLECTIONS:
        test, train = ours.only(source == name), ours.only(source != name)
        model = trained(evouna, train, *extra.beside(evouna.rows + train.rows, test.rows))
        found[source == name] = probability(model, test.lines)
        taken.append(called_correct(model, mismatched(test.rows, seed=1, many=APART // len(COLLECTIONS))))
    sys.stdout.write(f"replies to another question of a collection left out: {np.mean(taken):.4f} called correct\n")
    return found


def left_out_questions(evouna: Examples, ours: Examples, extra: Extra) -> None:
    """How many replies to another question are called correct, where neither question was trained on."""
    test, train = (evouna.only((folds(evouna.rows) == 0) == is_test) for is_test in (True, False))
    model = trained(train, ours, *extra.beside(train.rows + ours.rows, test.rows))
    share = called_correct(model, mismatched(test.rows, seed=1, many=APART))
    sys.stdout.write(f"replies to another question of EVOUNA: {share:.4f} called correct\n")


def called_correct(model: Any, rows: list[Row]) -> float:
    return float((probability(model, measured(rows)) >= 0.5).mean())


def folds(rows: Sequence[Row]) -> Array:
    return np.array([row.group for row in rows]) % FOLDS


def refused(rows: list[Row], lines: Array) -> str:
    """How far the model that tells refused from wrong replies agrees with readers, each collection left out in turn."""
    kept = [at for at, row in enumerate(rows) if row.labels in ({"wrong"}, {"refused"})]
    declined = np.array([rows[at].label == "refused" for at in kept])
    source, lines = np.array([rows[at].source for at in kept]), lines[kept]
    called = np.zeros(len(kept), dtype=bool)
    for name in COLLECTIONS:
        test = source == name
        called[test] = probability(fitted(lines[~test], declined[~test]), lines[test]) >= 0.5
    agreed, precision, recall = (called == declined).mean(), declined[called].mean(), called[declined].mean()
    return (
        f"refused against wrong: agreed {agreed:.4f}, precision {precision:.3f}, recall {recall:.3f} of {len(kept)}\n"
    )


def report(name: str, p: Array, right: Array) -> float:
    called = p >= 0.5
    agreed = float((called == right).mean())
    sure = np.argsort(-np.abs(p - 0.5))[: int(0.9 * len(p))]
    most = np.sort(p[~right])[int(0.92 * (~right).sum())]
    sys.stdout.write(
        f"{name:>10} agreed {agreed:.4f}  wrong called correct {called[~right].mean():.3f}  "
        f"correct called wrong {(~called)[right].mean():.3f}  surest 90 % {(called == right)[sure].mean():.3f}  "
        f"ECE {calibration_error(p, right):.3f}  at 8 % false accepts {((p > most) == right).mean():.3f}\n"
    )
    return agreed


def main(systems: tuple[str, ...], invented_weight: float, many: int) -> None:
    started = time.process_time()
    rows, ours = evouna(), collected(*COLLECTIONS)
    each, our = examples(rows), examples(ours, COLLECTED_WEIGHT)
    sys.stdout.write(f"{(time.process_time() - started) / (len(rows) + len(ours)) * 1e6:.0f} us a reply\n")
    extra = Extra(examples(invented() if invented_weight else [], invented_weight), many)
    left_out_questions(each, our, extra)
    right, p = each.right, left_out_systems(each, our, extra, systems)
    source = np.array([row.source for row in rows])
    mean = [report(name, p[source == name], right[source == name]) for name in systems]
    sys.stdout.write(f"      mean {np.mean(mean):.4f}\n")
    ours_p = left_out_collections(each, our, extra)
    good = np.array(
        [
            ("correct" if q >= 0.5 else "") in row.labels or (q < 0.5 and row.labels != {"correct"})
            for q, row in zip(ours_p, ours, strict=True)
        ]
    )
    by_source, by_kind, of = Counter[str](), Counter[str](), Counter[str]()
    for row, is_good in zip(ours, good, strict=True):
        by_source[row.source] += is_good
        by_kind[row.kind] += is_good
        of[row.source] += 1
        of["kind " + row.kind] += 1
    shares = {name: by_source[name] / of[name] for name in COLLECTIONS}
    sys.stdout.write(
        ", ".join(f"{name} {share:.3f}" for name, share in shares.items())
        + f"; mean {np.mean(list(shares.values())):.4f}\n"
    )
    sys.stdout.write(", ".join(f"{kind} {by_kind[kind]}/{of['kind ' + kind]}" for kind in sorted(by_kind)) + "\n")
    sys.stdout.write(refused(ours, our.lines))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("systems", nargs="*", default=("chatgpt", "gpt4", "newbing"))
    parser.add_argument("--invented", type=float, default=0, help="what an invented row weighs in training")
    parser.add_argument("--mismatched", type=int, default=0, help="how many replies to another question train")
    told = parser.parse_args()
    main(tuple(told.systems), told.invented, told.mismatched)
