"""A training set written next to a file that says where each of its rows comes from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from botattack.cases import QuestionCase
from botattack.report.report_files import ReportError, check_place, whole_file
from botattack.report.training_sets.examples import Example, Order, Survey, anything, groups, survey
from botattack.report.training_sets.kinds import KINDS, Kind, Piece, written

ORIGINS = ".origins.jsonl"
"""What the name of the second file ends in."""


@dataclass(frozen=True)
class Exported:
    """What was written: `rows` in all, how many by attack ("" for rows of unchanged questions alone) and by licence,
    the number of questions that these are of, of those kept for the other half, and what was left out, by why."""

    origins: Path
    rows: int
    attacks: Counter[str]
    licences: Counter[str]
    questions: int
    held: int
    left_out: Counter[str]


def order_of(kind: str, *, share: float | None = None, **more: Any) -> Order:
    """The order for a kind, with its own share unless another is given. Raises ReportError for an unknown kind, and
    for pairs without originals: each contains one."""
    if kind not in KINDS:
        raise ReportError(f"no training set is called {kind!r}; there are {', '.join(KINDS)}")
    made = KINDS[kind]
    order = Order(
        made.share if share is None else share, **more, changed=made.changed, unfit=made.unfit, variants=made.variants
    )
    if kind == "pairs" and not order.originals:
        raise ReportError("--for pairs writes every variant with its original; leave --no-originals out")
    return order


def export(run: str, cases: Callable[[], Iterable[QuestionCase]], kind: str, order: Order, path: Path) -> Exported:
    """Writes the training set, and its origins. `cases` gives the questions of the run each time it is called.

    Raises ReportError if there is nothing to write, if the questions are in several languages and the format holds
    one, or if the files cannot be written.
    """
    made, origins = KINDS[kind], path.with_name(path.name + ORIGINS)
    check_place(path)
    found = survey(cases(), order)
    _check(run, found, made)
    told, asked = Exported(origins, 0, Counter(), Counter(), 0, found.held, found.left_out), set[str]()
    pieces = made.pieces(groups(cases(), found), found)
    first = next(pieces, None)
    if first is None:
        raise ReportError(_nothing(run, found))
    with whole_file(path) as file, whole_file(origins) as notes:
        file.write(made.head.replace("{lang}", min(found.languages)) + first.text)
        notes.writelines(_noted(run, first, told, 0, asked))
        rows = len(first.rows)
        for piece in pieces:
            file.write(made.between + piece.text)
            notes.writelines(_noted(run, piece, told, rows, asked))
            rows += len(piece.rows)
        file.write(made.foot)
    return replace(told, rows=rows, questions=len(asked))


def _check(run: str, found: Survey, made: Kind) -> None:
    if not found.kept:
        raise ReportError(_nothing(run, found))
    if made.one_language and len(found.languages) > 1:
        known = ", ".join(sorted(found.languages))
        raise ReportError(
            f"{run} has questions in {known}, but a file of this format has one language; "
            "choose it by --lang, or by lang in a campaign file"
        )


def _nothing(run: str, found: Survey) -> str:
    why = "; ".join(f"{number:,} × {why}" for why, number in found.left_out.most_common(3))
    held = f"{found.held:,} questions are of the other half" if found.held else ""
    lang = f"only questions in {found.order.lang} are wanted" if found.order.lang else ""
    told = "; ".join(filter(None, (why, held, lang))) or "no variant"
    fix = ["choose another format"] * (bool(found.left_out) and found.order.unfit is not anything)
    fix += ["export both halves"] * (found.held > 0 and not found.left_out) + ["leave lang out"] * bool(lang)
    helps = ", or ".join(fix) or "export a run of other questions or attacks"
    return f"{run} has nothing to export for this ({told}); {helps}"


def _noted(run: str, piece: Piece, told: Exported, before: int, asked: set[str]) -> Iterator[str]:
    for number, row in enumerate(piece.rows, before + 1):
        told.attacks[row[-1].attack if len(row) == 1 or row[-1].attack else "concat"] += 1
        asked.update(example.question.id for example in row)
        told.licences.update({example.question.licence for example in row})
        yield written({"row": number, "run": run, "of": [_origin(example) for example in row]}) + "\n"


def _origin(example: Example) -> dict[str, str]:
    question = example.question
    told = {
        "question": question.id,
        "id": question.key,
        "unit": example.unit,
        "attack": example.attack,
        "result": example.result,
        "licence": question.licence,
    }
    return {name: value for name, value in told.items() if value}
