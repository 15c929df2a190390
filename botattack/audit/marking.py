"""Findings marked by people: found in a recording, and written to the triage file beside it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal, cast

from botattack.cases import QuestionCase, cases, whole
from botattack.errors import BotattackError, RecordingError
from botattack.events import Asked, Mark, MarkKind, OriginalJudged, VariantJudged
from botattack.model import asking_turns
from botattack.recordings import manifest
from botattack.recordings.reader import events
from botattack.recordings.triage import LONGEST, NAME, marked_events, read, said, says_again, variant_of
from botattack.recordings.triage_edits import write
from botattack.recordings.writer import EVENTS
from botattack.report.comparison.sides import misdeeds_of, unchanged_replies
from botattack.report.escape import visible
from botattack.report.wording.commands import command

Label = Literal["", "correct", "wrong", "refused"]
LABELS: dict[str, Label] = {"wrong": "correct", "refused": "correct", "correct": "wrong"}
"""What a reply is if the verdict on it is wrong."""
SETTLES: dict[str, Label] = {"right": "correct", "wrong": "wrong", "drop": ""}
"""What a person may say of an original that the judge was unsure of, and its label; without one it is left out."""
_UNIT = re.compile(r"[0-9a-f]{16}(\.\d+)?")


@dataclass(frozen=True)
class JudgedUnit:
    """A unit of a recording with its verdict."""

    case: QuestionCase
    judged: OriginalJudged | VariantJudged
    asked: Asked
    misdeed: bool = False
    """Whether the reply obeyed, leaked or cites wrongly, whatever the verdict on its answer."""

    @property
    def name(self) -> str:
        return variant_of(self.asked.unit)

    @property
    def failure(self) -> bool:
        """Whether the bot failed here, as figures count it."""
        if self.misdeed:
            return True
        if isinstance(self.judged, OriginalJudged):
            return self.judged.standing in ("wrong", "refused")
        judged = self.judged
        return self.case.right and judged.claimed and judged.is_outcome and judged.result == "success"


@dataclass(frozen=True)
class NewMark:
    """How findings are to be marked; `label` is what a reader calls a reply whose verdict is wrong, empty for what
    follows from the verdict."""

    kind: MarkKind
    why: str
    by: str = ""
    label: Label = ""


def mark(what: str, new: NewMark, recordings: Path, run: Path | None = None) -> list[str]:
    """Marks a unit, or accepts every failure of a run if `what` is its folder; gives what was marked, a line each, the
    triage file, and how reports are written again.

    A unit is looked for in `run`, else in the newest run of `recordings` that has it. Raises BotattackError.
    """
    if not new.why.strip():
        raise BotattackError("a mark needs a reason (--why), for whoever reads it in a year")
    if _UNIT.fullmatch(what):
        folder, found = _find(what, recordings, run)
    else:
        folder, found = Path(what), _failures(Path(what), new)
    if run is None and new.kind == "wrong-verdict" and any(each.judged.verdict.kind == "correct" for each in found):
        raise BotattackError(
            f"{what} was judged correct in {folder.name}, the newest run that asked it; if that is wrong, or you mean "
            "another run, name the run with --from RUN"
        )
    if new.kind == "accepted" and (right := next((each for each in found if not each.failure), None)):
        newest = "" if run else "; this is the newest run that has it: name another with --from RUN"
        kind = right.judged.verdict.kind
        rule = "use settled, with --label" if kind == "unsure" else f"only failures are accepted{newest}"
        raise BotattackError(f"{what} is no failure in {folder.name} (judged {kind}): {rule}")
    bot, path = manifest.read(folder).target, folder.resolve().parent / NAME
    marks = {(bot, each.name): replace(_mark(each, new), run=manifest.read(folder).run) for each in found}
    write(path, dict(marks))
    told = [visible(f"{name} {each.mark}: {each.sent or each.question}") for (_, name), each in marks.items()]
    return [*told, *_written(path, folder)]


def _written(path: Path, folder: Path | None) -> Iterator[str]:
    """The triage file, and that reports do not know of it."""
    yield str(path)
    # A report in the folder of a night is sealed: the new one must not take its place.
    again = f"; this writes new ones here: {command('replay', str(folder), '-o', 'report.html', '-o', 'report.json')}"
    yield f"Reports that are written already stay as they are{again if folder else ''}"


def unsure(folder: Path) -> list[JudgedUnit]:
    """The originals of a run that the judge was unsure of, and nobody has settled or dropped."""
    found = (each for case in cases(marked_events(folder), whole) for each in _units(case))
    return [each for each in found if isinstance(each.judged, OriginalJudged) and each.judged.standing == "unsure"]


def settles(found: JudgedUnit) -> tuple[str, ...]:
    """What of SETTLES may be said of an original: of several replies, no verdict on one is that of the question."""
    case, first = found.case, said(found.asked)
    askings = [case.asked.get(unit) for unit in case.original.units] if case.original else []
    steady = all(each and each.replies and says_again(first, each, case.question.lang) for each in askings)
    return tuple(SETTLES) if steady else ("drop",)


def settle(unit: str, told: str, by: str, run: Path) -> None:
    """Settles an original that the judge was unsure of as a person said, one of SETTLES; raises BotattackError."""
    label = SETTLES[told]
    if label and any(told not in settles(each) for each in unsure(run) if each.asked.unit == unit):
        raise BotattackError(f"{unit}: the bot gave several replies to this question, so it can only be dropped")
    new = NewMark("settled" if label else "bad-variant", f"settled as {told} by whoever read it", by, label)
    mark(unit, new, run.parent, run)


def settling(found: JudgedUnit) -> Iterator[str]:
    """What a person must read to settle a unit, a line each."""
    yield f"{found.asked.unit}  {visible(found.case.question.text)}"
    yield f"  expected  {visible(' | '.join(found.case.expected('gold')))}"
    yield from (f"  got       {visible(reply)}" for reply in dict.fromkeys(unchanged_replies(found.case)))


def undo(what: str, recordings: Path, run: Path | None = None) -> list[str]:
    """Deletes the marks of a unit, with `run` those of its bot alone: two bots may have been asked the same. Raises
    BotattackError if it is not marked."""
    path, name = (run.resolve().parent if run else recordings) / NAME, variant_of(what)
    known, own = read(path).marks, manifest.read(run).target if run else None
    found = {(bot, name): marks[name].run for bot, marks in known.items() if name in marks and own in (None, bot)}
    if not found:
        raise BotattackError(f"{path}: {name} is not marked; the file says what is")
    write(path, dict.fromkeys(found))
    marked = next((folder for folder, made in manifest.recorded_in(recordings) if made.run in found.values()), None)
    return [*(visible(f"{name} of {bot} is no longer marked") for bot, _ in found), *_written(path, marked)]


def _find(unit: str, recordings: Path, run: Path | None) -> tuple[Path, list[JudgedUnit]]:
    # A run on several workers has no events until it ends.
    ended = (path for path, _ in reversed(manifest.recorded_in(recordings)) if (path / EVENTS).is_file())
    for folder in [run] if run else ended:
        for case in cases(events(folder), whole):
            if found := next((each for each in _units(case) if unit in (each.asked.unit, each.name)), None):
                return folder, [found]
    where = str(run) if run else f"the runs in {recordings}"
    raise RecordingError(f"{where}: no unit {unit!r} was judged there; name the recording with --from RUN")


def _units(case: QuestionCase) -> Iterator[JudgedUnit]:
    """Originals first; what is no outcome means nothing, unless the bot did something wrong there."""
    wrong = {one.key[1] for one in misdeeds_of(case) if one.did}
    judged: Sequence[OriginalJudged | VariantJudged] = [*filter(None, [case.original]), *case.judged]
    for each in judged:
        units = each.units if isinstance(each, OriginalJudged) else (each.unit,)
        outcome = isinstance(each, OriginalJudged) or each.is_outcome or each.unit in wrong
        if units and outcome and (asked := case.asked.get(units[0])) is not None:
            yield JudgedUnit(case, each, asked, units[0] in wrong)


def _failures(folder: Path, new: NewMark) -> list[JudgedUnit]:
    manifest.refuse_part(folder)
    if not (folder / manifest.NAME).is_file():
        raise BotattackError(
            f"{folder} is neither the id of a unit, such as 5f2c9a1b7d3e8f60.0, nor the folder of a run; copy one from "
            "a report"
        )
    if new.kind != "accepted":
        raise BotattackError(f"{folder} is a whole run, which can only be accepted; name one unit to mark {new.kind}")
    # What is marked already, and still is what was marked, keeps the mark it has.
    found = [each for case in cases(marked_events(folder), whole) for each in _units(case) if each.failure]
    if not found:
        raise BotattackError(f"{folder}: nothing that counts failed in this run, so there is nothing to accept")
    return found


def _mark(found: JudgedUnit, new: NewMark) -> Mark:
    judged, asked, question = found.judged, found.asked, found.case.question
    if not asked.replies and new.kind != "bad-variant":
        raise BotattackError(f"{asked.unit}: the bot gave no reply that a verdict could be on; mark it bad-variant")
    variant = judged if isinstance(judged, VariantJudged) else None
    made = Mark(
        new.kind,
        new.why,
        new.by,
        datetime.now(UTC).date().isoformat(),
        variant.attack if variant else "",
        question.text,
        asked.turns[-1].text if variant else "",
        judged.verdict.kind,
        said(asked),
    )
    return _labelled(made, found, new) if new.kind in ("wrong-verdict", "settled") else made


def _labelled(made: Mark, found: JudgedUnit, new: NewMark) -> Mark:
    """With what `judge fit` learns from, if the reply was compared with gold answers and is there as a whole."""
    judged, question = found.judged, found.case.question
    label = new.label or LABELS.get(made.verdict, "")
    if isinstance(judged, VariantJudged) and judged.asks_fact:
        raise BotattackError(f"{found.asked.unit} asks for a made-up fact, not for an answer: mark it accepted")
    settles, same = new.kind == "settled", isinstance(judged, OriginalJudged) or judged.expect == "same"
    if settles != (made.verdict == "unsure") or not (label and same >= settles):
        why = "use settled, with --label, if the judge was unsure of a reply, and wrong-verdict if it was wrong"
        raise BotattackError(f"{found.asked.unit} was judged {made.verdict}: {why}")
    if label == made.verdict:
        raise BotattackError(f"{found.asked.unit} was judged {label}, as --label says: there is nothing to mark")
    made = replace(made, label=cast("Label", label))
    made = made if made.counts else replace(made, label="")
    alone = len(asking_turns(found.asked.turns, question)) == 1 and len(found.asked.replies) == 1
    if not (question.answers and judged.reference == "gold" and same and alone and len(made.reply) < LONGEST):
        return made
    return replace(
        made,
        label=cast("Label", label),
        answers=tuple(each.text for each in question.answers if not each.regex),
        patterns=tuple(each.text for each in question.answers if each.regex),
        lang=question.lang,
    )
