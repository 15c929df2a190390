"""Marked findings: a file beside the recordings, and the events of a run without what is marked.

`triage.yaml` lies in the folder of recordings, beside the baselines, and counts for every run in that folder.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from botattack import events
from botattack.config.checking import Checker
from botattack.config.yaml import MAX_BYTES, Source, parse
from botattack.files import content
from botattack.matchers.own import OwnReference
from botattack.model import Reply, Verdict
from botattack.recordings import reader

NAME = "triage.yaml"
LONGEST = 2000
"""Characters of a reply that are kept and compared."""
_ID = re.compile(r"[0-9a-f]{16}")
_NEEDED = ("verdict", "reply")


@dataclass(frozen=True)
class Triage:
    """Marks by bot, and then by the content id of what was sent."""

    marks: Mapping[str, Mapping[str, events.Mark]] = field(default_factory=dict)
    lines: Mapping[tuple[str, str], int] = field(default_factory=dict, compare=False)
    """Where each is in its file."""

    def of(self, bot: str) -> Mapping[str, events.Mark]:
        return self.marks.get(bot, {})


def beside(recording: Path) -> Triage:
    """The marks that count for a recording; raises ConfigError with all problems of their file."""
    return read(recording.resolve().parent / NAME)


def read(path: Path) -> Triage:
    """The marks of a file, none if there is no such file; raises ConfigError with all its problems."""
    try:
        return parsed(content(path, MAX_BYTES), path)
    except FileNotFoundError:
        return Triage()
    except OSError as error:
        hint = "delete marks that are no longer needed" if path.is_file() else "put a file in its place"
        raise Source(str(path)).refusal(f"cannot be read: {error.strerror}", hint) from None


def parsed(data: bytes, path: Path) -> Triage:
    """The same of the bytes of the file."""
    document = parse(data, str(path))
    check = Checker(document)
    marks: dict[str, dict[str, events.Mark]] = {}
    if not isinstance(document.value, dict):
        check.wrong((), "marks are grouped by bot", 'write helpdesk: {"5f2c9a1b7d3e8f60": {mark: …, why: …}}')
    for bot, rows in document.mapping.items():
        if not isinstance(rows, dict):
            check.wrong((bot,), "the marks of a bot are named by what was sent", 'write "5f2c9a1b7d3e8f60": {mark: …}')
            continue
        found = {name: _mark(check, bot, name, row) for name, row in rows.items()}
        marks[bot] = {name: mark for name, mark in found.items() if mark is not None}
    check.finish()
    return Triage(marks, {(bot, name): document.keys[bot, name][0] for bot in marks for name in marks[bot]})


def _mark(check: Checker, bot: str, name: str, row: object) -> events.Mark | None:
    if not _ID.fullmatch(name):
        hint = 'copy it from a report, without what follows its dot: "5f2c9a1b7d3e8f60"'
        check.wrong((bot, name), f"{name!r} is not the id of a variant or a question", hint, at_key=True)
    mark = check.read(events.Mark, row, (bot, name))
    if mark is None:
        return None
    if not mark.why.strip():
        check.wrong((bot, name, "why"), "says nothing", "say why it is marked so, for whoever reads it in a year")
    for key in _NEEDED:
        if mark.mark != "bad-variant" and not vars(mark)[key]:
            hint = "mark it again with botattack mark, which writes it down"
            check.wrong((bot, name), f"{mark.mark} is said of a reply: `{key}` is missing", hint)
    if mark.mark == "settled" and not mark.label:
        check.wrong((bot, name), "settled needs a `label`", "write label: correct, wrong or refused")
    return mark


def _by_person(
    event: events.OriginalJudged | events.VariantJudged, mark: events.Mark
) -> events.OriginalJudged | events.VariantJudged:
    """The event with the verdict of whoever settled it."""
    kind = mark.label or "unsure"
    verdict = Verdict(kind, float(kind == "correct"), "person", mark.why)
    if isinstance(event, events.VariantJudged):
        return msgspec.structs.replace(event, verdict=verdict)
    return msgspec.structs.replace(event, verdict=verdict, standing="kept" if kind == "correct" else kind)


def variant_of(unit: str) -> str:
    """The content id of what was sent: a unit is one asking of it."""
    return unit.partition(".")[0]


def said(asked: events.Asked) -> str:
    """What the bot said, as far as marks keep it."""
    return "\n".join(reply.text for reply in asked.replies).encode(errors="replace").decode()[:LONGEST]


def says_again(reply: str, asked: events.Asked, lang: str) -> bool:
    """Whether a mark on a reply is one on what the bot said in an asking, too."""
    now, prompt = said(asked), asked.turns[-1].spoken(lang)
    return now == reply or OwnReference().agree(prompt, (Reply(reply), Reply(now)))


def marked_events(folder: Path, *, heed_readers: bool = True) -> Iterator[events.Event]:
    """The events of a recording without what is marked; if readers are heeded, without what they left out, too."""
    told = (event for event in reader.events(folder) if heed_readers or not isinstance(event, events.Reading))
    return with_marks(told, beside(folder))


def with_marks(told: Iterable[events.AnyEvent], triage: Triage) -> Iterator[events.Event]:
    """The events without the verdicts that are marked: a `Marked` stands in place of each."""
    marking = Marking(triage)
    for event in told:
        yield from marking(event)


class Marking:
    """The same, an event at a time. Marks of other bots than the one that is asked do not count. A variant that its
    readers call another question counts as marked, too."""

    def __init__(self, triage: Triage) -> None:
        self._triage = triage
        self._marks: Mapping[str, events.Mark] = {}
        self._lang: dict[str, str] = {}
        """Of each open question."""
        self._asked: dict[str, dict[str, events.Asked]] = {}
        """Marked units of each open question."""
        self._called: dict[str, dict[str, events.Label]] = {}
        """What each reader said of the meaning of variants."""

    def __call__(self, event: events.AnyEvent) -> Iterator[events.Event]:
        if isinstance(event, events.RunStarted):
            self._marks = self._triage.of(event.target)
        elif isinstance(event, events.Reading):
            if event.ask == "meaning" and not event.repeat:
                self._called.setdefault(variant_of(event.unit), {})[event.reader] = event.label
        elif self._marks or self._called:
            self._note(event)
        if (
            isinstance(event, events.OriginalJudged | events.VariantJudged)
            and (told := self._marked(event)) is not None
        ):
            yield told
            if told.left_out:
                return
            event = _by_person(event, told.mark) if told.settled else event
        yield event
        if isinstance(event, events.RunStarted) and self._marks:
            yield events.TriageRead(at=event.at, marks=self._marks)

    def _note(self, event: events.AnyEvent) -> None:
        match event:
            case events.QuestionOpened():
                self._lang[event.question.id] = event.question.lang
            case events.Asked() if variant_of(event.unit) in self._marks or variant_of(event.unit) in self._called:
                self._asked.setdefault(event.question, {})[event.unit] = event
            case events.QuestionClosed():
                self._lang.pop(event.question, None)
                self._asked.pop(event.question, None)

    def _marked(self, event: events.OriginalJudged | events.VariantJudged) -> events.Marked | None:
        """None for what is not marked."""
        if isinstance(event, events.VariantJudged):
            unit = event.unit if event.is_outcome or event.asks_fact else ""
        else:
            unit = event.units[0] if event.units else ""
        mark = self._marks.get(variant_of(unit))
        askings = self._asked.get(event.question, {})
        asked = askings.get(unit)
        if mark is None:
            return self._another_question(event, asked)
        # A person settled one reply: where another asking brought another one, the question is still unsure.
        every = event.units if mark.mark == "settled" and isinstance(event, events.OriginalJudged) else (unit,)
        same = all(each in askings and self._holds(mark, event, askings[each]) for each in every)
        holds = same or mark.mark == "bad-variant"
        return events.Marked(
            at=event.at, question=event.question, of=variant_of(unit), mark=mark, judged=event, holds=holds
        )

    def _another_question(
        self, event: events.OriginalJudged | events.VariantJudged, asked: events.Asked | None
    ) -> events.Marked | None:
        """Of a variant, a mark that holds if more than half of its readers call it another question than its original;
        None else. Where it is meant to be another one, readers confirm it."""
        if not isinstance(event, events.VariantJudged) or not event.is_outcome or event.expect != "same":
            return None
        labels = [*self._called.get(name := variant_of(event.unit), {}).values()]
        different = labels.count("different")
        if 2 * different <= len(labels):
            return None
        why = f"{different} of {len(labels)} readers call it another question"
        mark = events.Mark("bad-variant", why, attack=event.attack, sent=asked.turns[-1].text if asked else "")
        return events.Marked(
            at=event.at, question=event.question, of=name, mark=mark, judged=event, holds=True, by_readers=True
        )

    def _holds(
        self, mark: events.Mark, event: events.OriginalJudged | events.VariantJudged, asked: events.Asked
    ) -> bool:
        """Whether the bot still says the same, and the judge says the same of it."""
        if event.verdict.kind != mark.verdict or not asked.replies:
            return False
        return says_again(mark.reply, asked, self._lang.get(event.question, ""))
