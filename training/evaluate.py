"""How far the judge agrees with readers on replies of systems and collections it was not trained on.

Each system of EVOUNA is left out in turn, and no question is both trained and tested on; each collection of
tests/verdicts is left out in turn.
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from typing import Any

import numpy as np
from catboost import CatBoostClassifier

from botattack.matchers.fitting import calibration_error
from training.data import SYSTEMS, Row, collected, evouna, measured

Array = np.ndarray[Any, Any]
FOLDS = 5
COLLECTED_WEIGHT = 2.0
COLLECTIONS = ("alice", "five-bots", "third", "fourth", "fifth")


def fitted(lines: Array, right: Array, weights: Array | None = None, trees: int = 300) -> Any:
    """Boosted trees that ask one question a level, so that all are evaluated at once."""
    model = CatBoostClassifier(
        iterations=trees,
        depth=6,
        learning_rate=15 / trees,
        l2_leaf_reg=5,
        rsm=0.5,
        bootstrap_type="Bernoulli",
        subsample=0.8,
        random_seed=0,
        verbose=0,
        thread_count=2,
    )
    return model.fit(lines, right, sample_weight=weights)


def probability(model: Any, lines: Array) -> Array:
    found: Array = model.predict_proba(lines)[:, 1]
    return found


def left_out_systems(rows: list[Row], lines: Array, also: tuple[Array, Array], systems: tuple[str, ...]) -> Array:
    """The probability of each reply of EVOUNA by a model that saw neither its system nor its question."""
    right = np.array([row.label == "correct" for row in rows])
    source, fold = np.array([row.source for row in rows]), np.array([row.group for row in rows]) % FOLDS
    found = np.full(len(rows), np.nan)
    for system in systems:
        for part in range(FOLDS):
            test, train = (source == system) & (fold == part), (source != system) & (fold != part)
            weights = np.r_[np.ones(train.sum()), np.full(len(also[1]), COLLECTED_WEIGHT)]
            model = fitted(np.vstack([lines[train], also[0]]), np.r_[right[train], also[1]], weights)
            found[test] = probability(model, lines[test])
    return found


def left_out_collections(base: tuple[Array, Array], rows: list[Row], lines: Array) -> Array:
    right, source = np.array([row.label == "correct" for row in rows]), np.array([row.source for row in rows])
    found = np.full(len(rows), np.nan)
    for name in COLLECTIONS:
        test, train = source == name, source != name
        weights = np.r_[np.ones(len(base[1])), np.full(train.sum(), COLLECTED_WEIGHT)]
        model = fitted(np.vstack([base[0], lines[train]]), np.r_[base[1], right[train]], weights)
        found[test] = probability(model, lines[test])
    return found


def report(name: str, p: Array, right: Array) -> float:
    called = p >= 0.5
    agreed = float((called == right).mean())
    sure = np.argsort(-np.abs(p - 0.5))[: int(0.9 * len(p))]
    most = np.sort(p[~right])[int(0.92 * (~right).sum())]
    sys.stdout.write(
        f"{name:>10} agreed {agreed:.4f}  wrong called correct {called[~right].mean():.3f}  correct called wrong {(~called)[right].mean():.3f}  "
        f"surest 90 % {(called == right)[sure].mean():.3f}  ECE {calibration_error(p, right):.3f}  at 8 % false accepts {((p > most) == right).mean():.3f}\n"
    )
    return agreed


def main(systems: tuple[str, ...] = ("chatgpt", "gpt4", "newbing")) -> None:
    started = time.process_time()
    rows, ours = evouna(), collected(*COLLECTIONS)
    lines, our_lines = measured(rows), measured(ours)
    sys.stdout.write(f"{(time.process_time() - started) / (len(rows) + len(ours)) * 1e6:.0f} us a reply\n")
    right, our_right = (np.array([row.label == "correct" for row in each]) for each in (rows, ours))
    p = left_out_systems(rows, lines, (our_lines, our_right), systems)
    source = np.array([row.source for row in rows])
    mean = [report(name, p[source == name], right[source == name]) for name in systems]
    sys.stdout.write(f"      mean {np.mean(mean):.4f}\n")
    ours_p = left_out_collections((lines, right), ours, our_lines)
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
    np.savez("/tmp/judge-errors.npz", p=p, ours=ours_p)


if __name__ == "__main__":
    main(tuple(sys.argv[1:]) or ("chatgpt", "gpt4", "newbing"))
