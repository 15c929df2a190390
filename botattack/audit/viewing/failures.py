"""The failures of a run one after another, the worst first, and those of them that somebody looks for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import msgspec

from botattack.cases import QuestionCase, cases
from botattack.files import content
from botattack.recordings import manifest
from botattack.recordings.reader import boilerplate
from botattack.recordings.triage import marked_events
from botattack.recordings.writer import EVENTS
from botattack.report.comparison.sides import Possible, misdeeds_of, unchanged_replies
from botattack.report.escape import flowing, visible
from botattack.report.figures.findings import Finding, findings_of, in_turn
from botattack.report.stories.asked import example_of, said
from botattack.report.story.blocks import Example, Fact
from botattack.report.wording.alterations import marked
from botattack.report.wording.marks import MarkedText
from botattack.report.wording.outcomes import usual

SORTED = 20_000_000
"""Bytes of a recording whose failures are all read and sorted; those of a larger one come in its own order."""
LARGEST = 64_000_000
"""Bytes of what a night left of its comparison; it names at most 2,000 changes."""
UNCHANGED = "original"
"""What the filter calls questions that were asked unchanged."""


@dataclass(frozen=True)
class Failures:
    """Those of one recording; `attack` and `text` leave out others, if they are set."""

    folder: Path
    attack: str = ""
    text: str = ""

    @property
    def ordered(self) -> bool:
        """Whether the worst come first: answers that a night lost, other unchanged questions that are wrong, replies
        that did something else wrong, then variants that broke the bot, in the order of reports."""
        path = self.folder / EVENTS
        return not path.exists() or path.stat().st_size <= SORTED

    def examples(self) -> Iterator[Example]:
        """Failures, the worst first. A small recording is read whole and sorted; of a large one, no more is read than
        whoever iterates asks for."""
        found: Iterable[tuple[Finding | tuple[object, ...], Example]] = self._found()
        if self.ordered:
            found = list(found)
            broke = in_turn(one for one, _ in found if isinstance(one, Finding))
            turns = {id(one): (1, turn) for turn, one in enumerate(broke)}
            found.sort(key=lambda each: turns[id(each[0])] if isinstance(each[0], Finding) else each[0])
        return (one for _, one in found if _has(one, self.text.casefold()))

    def _found(self) -> Iterator[tuple[Finding | tuple[object, ...], Example]]:
        """Each with what it is sorted by, or with the finding that it is of."""
        night = manifest.read(self.folder).is_night
        known = usual(boilerplate(self.folder))
        # A run shows what its attacks broke, unless the filter asks for unchanged questions; a night looks for both.
        lost, unchanged = _lost(self.folder), self.attack == UNCHANGED or (night and not self.attack)
        for number, case in enumerate(cases(marked_events(self.folder))):
            if unchanged and (one := _unchanged(case, known, lost=case.question.id in lost)):
                refused = case.original is not None and case.original.standing == "refused"
                yield (0, case.question.id not in lost, refused, number), one
            broke = {each.unit: each for each in findings_of(case)}
            for each in broke.values():
                if self.attack in ("", each.attack):
                    yield each, example_of(None, each, str(self.folder), known)
            did = {found.key[1]: found for found in misdeeds_of(case) if found.did and found.key[1] not in broke}
            for unit, found in did.items():
                if self.attack in ("", found.one.judged.attack):
                    yield (0.5, number, unit), _misdeed(found, known)


class _Comparison(msgspec.Struct, frozen=True):
    """What is read of the comparison with its baseline that a night left."""

    class Lost(msgspec.Struct, frozen=True):
        confirmed: frozenset[str] = frozenset()

    lost: Lost


def _lost(folder: Path) -> frozenset[str]:
    """The questions whose answers a night lost."""
    with suppress(OSError, msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return msgspec.json.decode(content(folder / "diff.json", LARGEST), type=_Comparison).lost.confirmed
    return frozenset()


def _unchanged(case: QuestionCase, known: Sequence[str], *, lost: bool) -> Example | None:
    """A question that the bot answered wrongly as it is."""
    if case.original is None or case.original.standing not in ("wrong", "refused") or case.first is None:
        return None
    question = MarkedText("plain", visible(case.question.text))
    got = case.first.reply or (case.first.failure.message if case.first.failure else "")
    facts = Fact("expected", visible(" | ".join(case.expected("gold")))), Fact("got", said(got, known))
    what = "right in the baseline, lost: " if lost else "asked unchanged: "
    title = MarkedText("plain", what), MarkedText("broke", case.original.standing)
    return Example(title, ((question,),), facts, unit=case.unit)


def _misdeed(found: Possible, known: Sequence[str]) -> Example:
    """A reply whose answer is no failure, and that did something else wrong."""
    title = MarkedText("plain", f"{found.one.judged.attack}: "), MarkedText("broke", found.key[0])
    got = Fact("got", said(found.one.reply, known))
    return Example(title, tuple(marked(found.one.alteration)), (got,), unit=found.key[1])


def to_settle(case: QuestionCase) -> Iterator[Fact]:
    """What a person must read to say whether a question was answered."""
    yield Fact("expected", visible(" | ".join(case.expected("gold"))))
    for reply in dict.fromkeys(unchanged_replies(case)):
        yield Fact("got", flowing(reply, 2000))


def _has(example: Example, text: str) -> bool:
    """Whether a failure shows a text."""
    if not text:
        return True
    parts = [*(piece.text for line in example.lines for piece in line), *(_text(fact) for fact in example.answers)]
    return text in " ".join(parts).casefold()


def _text(fact: Fact) -> str:
    return fact.text if isinstance(fact.text, str) else "".join(piece.text for piece in fact.text)
