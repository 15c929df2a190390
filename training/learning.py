"""How the judge is trained: on which rows, with what weight, by which trees."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from catboost import CatBoostClassifier, Pool

from botattack.matchers.evidence.all import NAMES, columns
from botattack.matchers.evidence.traits import Declining
from training.data import Row, faqs, invented, measured, mismatched

Array = np.ndarray[Any, Any]
COLLECTIONS = ("alice", "five-bots", "third", "fourth", "fifth")
COLLECTED_WEIGHT, INVENTED_WEIGHT = 0.7, 0.7
"""What a row of tests/verdicts weighs in training, a reply of EVOUNA being 1."""
MISMATCHED = 2_000
"""Replies to another question that train."""
TREES, REFUSAL_TREES, SENTENCE_TREES = 400, 80, 200
WHOLE = NAMES.index("coverage.whole")
"""Evidence that only the trees for gold sentences look at."""
FREE = np.arange(len(NAMES))[columns(Declining)]
"""Evidence that needs no gold answer: all that refusals are told by."""


def fitted(
    lines: Array, right: Array, weights: Array | None = None, trees: int = TREES, *, start: Array | None = None
) -> Any:
    """Boosted trees that ask one question a level, so that all are evaluated at once. With the log-odds of other trees
    to `start` from, they correct these, and have a level less."""
    model = CatBoostClassifier(
        iterations=trees,
        depth=5 if start is None else 4,
        learning_rate=20 / trees,
        l2_leaf_reg=5,
        rsm=0.5,
        bootstrap_type="Bernoulli",
        subsample=0.8,
        random_seed=0,
        verbose=0,
        allow_writing_files=False,
        thread_count=1,
    )
    return model.fit(Pool(lines, right.astype(int), weight=weights, baseline=start))


def probability(model: Any, lines: Array) -> Array:
    found: Array = model.predict_proba(lines)[:, 1]
    return found


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


@dataclass(frozen=True)
class Recipe:
    """What trains beside replies that readers judged: invented rows, and replies to another question. Those of `faqs`
    train what tells refused from wrong.

    `without` are the columns of evidence that the model does not see.
    """

    invented: Examples
    faqs: Examples
    mismatched: int = MISMATCHED
    without: tuple[int, ...] = (WHOLE,)

    @classmethod
    def shipped(cls) -> Recipe:
        """The one of weights.json."""
        return cls(examples(invented(), INVENTED_WEIGHT), examples(faqs()))

    def trained(self, tested: list[Row], *seen: Examples) -> Any:
        """A model of the rows `seen` that knows no question of those `tested`."""
        rows = [row for each in seen for row in each.rows]
        sets = (*seen, self.beside(tested), examples(mismatched(rows, seed=0, many=self.mismatched)))
        lines, right = np.concatenate([each.lines for each in sets]), np.concatenate([each.right for each in sets])
        lines[:, list(self.without)] = 0  # trees cannot ask about what never changes
        return fitted(lines, right, np.concatenate([each.weights for each in sets]))

    def beside(self, tested: list[Row]) -> Examples:
        """The invented rows without the questions of those `tested`."""
        unseen = {row.question for row in tested}
        return self.invented.only(np.array([row.question not in unseen for row in self.invented.rows], dtype=bool))


def beside_sentences(model: Any, lines: Array, right: Array) -> Any:
    """Trees that correct those of `model` beside gold answers that are sentences."""
    start = model.predict(lines, prediction_type="RawFormulaVal")
    return fitted(lines, right, trees=SENTENCE_TREES, start=start)


def refusing(*seen: Examples) -> Any:
    """Trees for what is not correct: whether it declines rather than being wrong."""
    sets = [each.only(np.array([row.label in ("wrong", "refused") for row in each.rows])) for each in seen]
    declined = np.array(["refused" in row.labels for each in sets for row in each.rows])
    return fitted(np.concatenate([each.lines[:, FREE] for each in sets]), declined, None, REFUSAL_TREES)
