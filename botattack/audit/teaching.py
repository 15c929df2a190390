"""The judge explained on one reply, and fitted to replies that the user labelled."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from botattack.audit import fitting
from botattack.cases import cases, whole
from botattack.errors import BotattackError
from botattack.events import Reading
from botattack.matchers.judge import Judge
from botattack.matchers.learned import Taught, Weighed, weigh
from botattack.matchers.reasons import CAPS, Contribution, weighed
from botattack.matchers.weights import Weights, probability, read_weights, weights
from botattack.model import GoldAnswer, Prompt, Reply, Verdict
from botattack.questions.naming import slip
from botattack.recordings import manifest
from botattack.recordings.reader import events
from botattack.recordings.triage import read
from botattack.report.figures.readers import called_broken
from botattack.report.report_files import check_place, whole_file

FEWEST = 30
"""Labels under which nothing is fitted."""
FEWEST_OF_A_KIND = 5
"""Correct replies, or others, under which nothing is fitted."""
SHOWN = 20
"""Problems that are named one by one."""
LABELS = ("correct", "wrong", "refused", "unsure")


class BadLabels(BotattackError):
    """A file of labels that nothing can be learned from; holds all that is wrong with it."""


@dataclass(frozen=True)
class Labelled:
    """A reply and whether its reader called it correct; `line` is its place in its `file` of labels. `before` are the
    bot's replies to the unchanged question, and `refusals` the sentences by which it is known to decline."""

    question: str
    gold: tuple[GoldAnswer, ...]
    reply: str
    correct: bool = False
    line: int = 0
    lang: str = ""
    before: tuple[Reply, ...] = ()
    refusals: tuple[str, ...] = ()
    file: Path = Path()

    @property
    def place(self) -> str:
        return f"{self.file}:{self.line}" if self.line else str(self.file)


_ROUNDED = 0.001
"""How much a cap must lower a probability to be named in its explanation."""


@dataclass(frozen=True)
class Lesson:
    """What came of fitting; `unsure` rows were left out, and `wordless` ones, which no right answer in words can be
    compared with. `disagreed` are the rows that the judge, not fitted to them, calls otherwise than their label, each
    with its probability, the surest first."""

    fitted: fitting.Fitted
    unsure: int
    wordless: int
    disagreed: tuple[tuple[Labelled, float], ...]


@dataclass(frozen=True)
class Explained:
    """A verdict, and the evidence it weighed, the most telling first; none where there is nothing to compare with.
    `start`, the log-odds of a usual reply, and the shares of the evidence add up to `log_odds`.

    Log-odds of 0 are a probability of one half; 1 more multiplies the odds by 2.7.
    """

    verdict: Verdict
    probability: float | None
    log_odds: float | None
    start: float
    evidence: tuple[Contribution, ...]
    weights: Weights


def asking(run: Path, unit: str) -> Labelled:
    """What a recording has of a unit; raises BadLabels if that is no reply to compare with gold answers."""
    row = _asked(run).get(unit)
    if row is None or not row.gold:
        raise BadLabels(f"{run} has no reply to {unit!r} that gold answers grade; its reports print the ids of units")
    return row


def explain(row: Labelled, path: Path | None = None) -> Explained:
    """The verdict that a run would give to a reply; `path` is a file of weights. Raises BadWeights."""
    known = read_weights(path) if path else weights()
    reply, answers, prompt = row.reply, row.gold, Prompt(row.question).spoken(row.lang)
    matcher = Taught(own=known)
    verdict = Judge(matcher, row.refusals).judge(prompt, Reply(reply), answers, row.before)
    seen = matcher.weighed(prompt, reply, answers)
    if seen is None:
        return Explained(verdict, None, None, 0.0, (), known)
    start, evidence = _shares(seen.line, known)
    odds = start + sum(each.log_odds for each in evidence)
    if seen.cap and probability(odds) - seen.correct > _ROUNDED:
        capped = float(fitting.log_odds(np.array([seen.correct]))[0])
        evidence.append(Contribution(seen.cap, 1.0, 0.0, capped - odds, CAPS[seen.cap]))
        odds = capped
    return Explained(verdict, seen.correct, odds, start, tuple(evidence), known)


def _shares(line: tuple[float, ...], known: Weights) -> tuple[float, list[Contribution]]:
    """The log-odds of a usual reply, and what each unusual feature adds to it, those first that change most: together
    they are the log-odds of the line. Features overlap, so each is counted beside those before it."""
    found = weighed(line, known)
    steps = [list(known.usual)]
    for each in found:
        steps.append([*steps[-1]])
        steps[-1][known.features.index(each.name)] = each.value
    odds = [known.correct.log_odds(step) for step in steps]
    added = zip(found, pairwise(odds), strict=True)
    every = [each._replace(log_odds=more - less) for each, (less, more) in added]
    return odds[0], sorted(every, key=lambda each: -abs(each.log_odds))


def fit(labels: Sequence[Path], out: Path) -> Lesson:
    """Fits the weights of the package to files of labels and writes them. Where it did not help, `out` has the
    weights as they were.

    Raises BadLabels, and ReportError for a place where nothing can be written.
    """
    check_place(out)
    read_files = [read_labels(path) for path in labels]
    rows, unsure = [row for found, _ in read_files for row in found], sum(number for _, number in read_files)
    named = ", ".join(map(str, labels))
    known = weights()
    seen = [_weighed(row, known) for row in rows]
    counted = [(row, each.line) for row, each in zip(rows, seen, strict=True) if each is not None]
    right = np.array([row.correct for row, _ in counted], dtype=bool)
    _check_enough(named, right, len({row.question for row, _ in counted}))
    numbers = np.unique([row.question for row, _ in counted], return_inverse=True)[1]
    found = fitting.fit(known, np.array([line for _, line in counted]), right, numbers)
    with whole_file(out) as file:
        file.write(msgspec.json.encode(found.weights).decode() + "\n")
    disagreed = [
        (row, p) for (row, _), p in zip(counted, found.probabilities, strict=True) if (p >= known.point) != row.correct
    ]
    disagreed.sort(key=lambda each: -abs(each[1] - known.point))
    return Lesson(found, unsure, len(rows) - len(counted), tuple(disagreed))


def _weighed(row: Labelled, known: Weights) -> Weighed | None:
    prompt = Prompt(row.question).spoken(row.lang)
    return weigh(prompt, row.reply, row.gold, known, refusals=row.refusals, own=tuple(own.text for own in row.before))


def _check_enough(labels: str, right: Any, questions: int) -> None:
    few = min(int(right.sum()), int((~right).sum()))
    if len(right) < FEWEST:
        raise BadLabels(
            f"{labels}: {len(right)} replies are labelled correct, wrong or refused, but fitting needs at least "
            f"{FEWEST}: label more"
        )
    if few < FEWEST_OF_A_KIND:
        raise BadLabels(
            f"{labels}: {few} of {len(right)} labels are of the rarer kind, but fitting needs at least "
            f"{FEWEST_OF_A_KIND} correct replies and as many others: label more"
        )
    if questions < fitting.FOLDS:
        fix = f"fitting needs {fitting.FOLDS} or more, each fifth to be tested on: label replies to others, too"
        raise BadLabels(f"{labels}: the labelled replies are to {questions} questions in all, but {fix}")


def read_labels(path: Path) -> tuple[list[Labelled], int]:
    """The labelled replies of a file, and how many more are labelled unsure.

    Of a recording, these are the replies that its readers graded, as most of them did, and judged as they were there:
    beside the bot's replies to the unchanged question, and with the refusals of its target; those that they do not
    agree on are unsure. Of a triage file (.yaml), they are the wrong and the settled verdicts; any other is read as
    JSON Lines.

    A row has `question`, `gold` (texts, or `{text: …, regex: true}`), `reply`, `label` and perhaps `lang`. Other keys
    are ignored, but for those that are one slip from these. Raises BadLabels with every problem and its line.
    """
    if path.is_dir():
        return _graded(path)
    if path.suffix == ".yaml":
        return list(_marked(path)), 0
    try:
        lines = path.read_text(encoding="utf-8-sig").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise BadLabels(f"{path}: cannot be read: {error}: write it as UTF-8, one JSON object a line") from None
    rows: list[Labelled] = []
    problems: list[str] = []
    unsure = 0
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        found = _row(line, number, path)
        if isinstance(found, str):
            problems.append(f"{path}:{number}: {found}")
        elif found is None:
            unsure += 1
        else:
            rows.append(found)
    if problems:
        more = f"\n… and {len(problems) - SHOWN:,} more" if len(problems) > SHOWN else ""
        raise BadLabels("\n".join(problems[:SHOWN]) + more)
    return rows, unsure


def _marked(path: Path) -> Iterator[Labelled]:
    """The wrong and the settled verdicts of a triage file, with what their readers say."""
    found = read(path)
    for bot, marks in found.marks.items():
        for name, mark in marks.items():
            if mark.label and (mark.answers or mark.patterns):
                gold = (*map(GoldAnswer, mark.answers), *(GoldAnswer(each, regex=True) for each in mark.patterns))
                right = mark.label == "correct"
                yield Labelled(mark.question, gold, mark.reply, right, found.lines[bot, name], mark.lang, file=path)


def _graded(run: Path) -> tuple[list[Labelled], int]:
    """The replies of a recording that people read, and how many they do not agree on."""
    asked, graded = _asked(run), dict[str, list[Reading]]()
    for event in events(run):
        if isinstance(event, Reading) and event.ask == "verdict" and not event.repeat:
            graded.setdefault(event.unit, []).append(event)
    if not graded:
        raise BadLabels(
            f"{run}: nobody graded its replies; let people do so with botattack judge review {run} --ask verdict"
        )
    rows = []
    for unit in sorted(graded.keys() & asked.keys()):
        broken = called_broken(graded[unit])
        if broken in (0.0, 1.0):
            rows.append(replace(asked[unit], correct=not broken, file=run / unit))
    return rows, len(graded) - len(rows)


def _asked(run: Path) -> Mapping[str, Labelled]:
    """Every unit of a recording that was answered, not labelled yet."""
    return dict(_units(run, manifest.read(run).refusals))


def _units(run: Path, refusals: tuple[str, ...]) -> Iterator[tuple[str, Labelled]]:
    for case in cases(events(run), whole):
        question, original = case.question, case.original
        first = [case.asked[unit] for unit in original.units if unit in case.asked] if original else []
        before = tuple(asked.replies[-1] for asked in first if asked.replies)
        for unit, asked in case.asked.items():
            if asked.replies and not asked.failure:
                graded = question.text, question.answers, asked.reply
                yield unit, Labelled(*graded, lang=question.lang, before=before, refusals=refusals)


def _row(line: str, number: int, path: Path) -> Labelled | str | None:
    """The row of a line, what is wrong with it, or None if it is labelled unsure."""
    try:
        row = msgspec.json.decode(line)
    except (msgspec.DecodeError, RecursionError) as error:
        return f"this is not JSON ({error}): write one object a line"
    if not isinstance(row, dict):
        return "this is not an object: write {question: …, gold: […], reply: …, label: …} in JSON"
    faults = [wrong] if (wrong := slip(tuple(row), ("question", "gold", "reply", "label", "lang"))) else []
    faults += [f"label must be one of {', '.join(LABELS)}"] if row.get("label") not in LABELS else []
    faults += [f"{key} must be text" for key in ("question", "reply") if not isinstance(row.get(key), str)]
    faults += ["lang must be text, such as de"] if not isinstance(row.get("lang", ""), str) else []
    question, reply, lang = (str(row.get(key, "")) for key in ("question", "reply", "lang"))
    found = Labelled(question, _gold(row.get("gold")), reply, lang=lang)
    if not found.gold:
        faults.append('gold must list at least one answer: ["Paris"], or [{"text": "Par.s", "regex": true}]')
    if faults:
        return "; ".join(faults)
    return (
        None if row["label"] == "unsure" else replace(found, correct=row["label"] == "correct", line=number, file=path)
    )


def _gold(value: object) -> tuple[GoldAnswer, ...]:
    """The gold answers; none where one of them is not an answer."""
    listed = [value] if isinstance(value, str) else value if isinstance(value, list) else []
    try:
        found = tuple(
            GoldAnswer(item) if isinstance(item, str) else msgspec.convert(item, GoldAnswer) for item in listed
        )
    except msgspec.ValidationError:
        return ()
    return found if all(answer.text.strip() for answer in found) else ()
