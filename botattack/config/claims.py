"""The wrong answers that a bot gave in a recording, each as short as a claim."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import groupby, takewhile
from pathlib import Path

import msgspec

from botattack.attacks.building.clauses import BE
from botattack.cases import QuestionCase, cases
from botattack.errors import RecordingError, reason
from botattack.events import AnyEvent, decode
from botattack.events.lines import EVENTS, LARGEST, MANIFEST, refuse_format, whole_lines
from botattack.files import content
from botattack.matchers.courtesies import body
from botattack.matchers.evidence.answer_key import answer_key
from botattack.matchers.evidence.asserted import asserted
from botattack.matchers.evidence.heads import heads
from botattack.matchers.evidence.reading import Reading, read
from botattack.model import Question

LONGEST = 6
"""Words of a claim."""
_MARKS = frozenset('()[]{}":;|*_\n')
"""What no claim has: a stretch with such a mark is torn out of something."""
_KNOWN = frozenset(["answer"])
"""Stems that claim nothing, beside those of the question: "The answer is 11." """
MOST = 20
"""Claims that are kept of one question."""


def wrong_answers(folder: Path) -> Mapping[str, list[str]]:
    """What a bot claimed that is wrong, by `Question.base`. Raises RecordingError."""
    try:
        refuse_format(folder / MANIFEST, content(folder / MANIFEST, LARGEST))
        found = {case.question.base: [*dict.fromkeys(_claims(case))][:MOST] for case in cases(_events(folder / EVENTS))}
    except OSError as error:
        raise RecordingError(f"{folder} cannot be read as a recording: {error.filename}: {reason(error)}") from None
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise RecordingError(f"{folder / MANIFEST} cannot be read: {error}") from None
    return {asked: claims for asked, claims in found.items() if claims}


def _events(path: Path) -> Iterator[AnyEvent]:
    for number, line in whole_lines(path):
        try:
            yield decode(line)
        except (msgspec.MsgspecError, UnicodeDecodeError) as error:
            raise RecordingError(f"{path}:{number}: not an event of a recording: {error}") from None


def _claims(case: QuestionCase) -> Iterator[str]:
    """What wrong replies to the question claim, altered or not: what they took from an attack is not the bot's own."""
    question, original = case.question, case.original
    if original and original.reference == "gold" and original.verdict.kind == "wrong":
        yield from claims_of(question, case.reply)
    for one in case.variants:
        judged = one.judged
        wrong = judged.expect == "same" and judged.verdict.kind == "wrong" and not judged.turns
        if wrong and judged.claimed and judged.reference == "gold" and not judged.decoy:
            yield from claims_of(question, one.reply)


def claims_of(question: Question, reply: str) -> Iterator[str]:
    """The short answers that the first sentence of a reply may be: what of it answers by itself, and each stretch that
    the question does not have, without small words around it. What it denies, cites or says politely is left out."""
    key = answer_key(question.text, (), question.language)
    said = asserted(body(read(reply, key.language), key), key)
    if not said.words or said.places("declines") or 0 in said.asks:
        return
    end = said.sentence(said.sentences[0])[1]
    for claim in (*heads(said, key.question), *_stretches(said, key.question, end)):
        if len(claim.split()) <= LONGEST and _MARKS.isdisjoint(claim):
            yield claim


def _is_stated(said: Reading, first: int) -> bool:
    """Whether small words with an "is", or none but small ones, lead to a word of the reply: other words in lower case
    are as often its verb as its answer."""
    before = [*takewhile(said.language.function_words.__contains__, reversed(said.words[:first]))]
    return len(before) == first or not BE.isdisjoint(before)


def _stretches(said: Reading, question: Reading, end: int) -> Iterator[str]:
    small, known = said.language.function_words, question.known | _KNOWN
    for is_new, run in groupby(range(end), lambda at: said.stems[at] not in known):
        places = [*run]
        told = [at for at in places if said.words[at] not in small]
        if is_new and told and (any(said.capitals[at] for at in told) or _is_stated(said, told[0])):
            yield said.text[slice(*said.span(told[0], told[-1]))]
