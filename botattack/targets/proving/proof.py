"""The proof of where a bot's answer is: several replies, to different messages and one to a message sent twice, are
compared, and what cannot be the answer by how it behaves is left out. What remains must be one thing."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from botattack.targets.http.streams import ending
from botattack.targets.proving.behaviour import (
    SAME,
    Said,
    alike,
    goes_on,
    has_tags,
    is_beside,
    is_markup,
    is_sure,
    names_score,
)
from botattack.targets.proving.joining import joined
from botattack.targets.proving.kinds import narrowed
from botattack.targets.proving.plain import plain_readings
from botattack.targets.proving.readings import Reading, said_by
from botattack.targets.proving.replies import Asking, Form, Parsed, form_of, odd_one, parsed, pieces_of
from botattack.targets.proving.unwrapping import unwrapped

SHOWN = 6
"""Places that a refusal shows."""
FEWEST = 3
"""Different messages that a proof needs."""
ABSENT = "not in every reply"
AGAIN = "if the bot fails now and then, try again"
HIDDEN = ("JSON inside a text", "base64 of a text")
"""Faults of a text that may contain the answer in another form."""
WORDS = 5
"""Pieces of a text that comes word by word."""
MARGIN = 4
"""How much more like an answer a place must be than another with an unknown name."""


@dataclass(frozen=True)
class Candidate:
    """A place in the replies, its texts, and what speaks against it."""

    reading: Reading
    texts: tuple[str, ...]
    fault: str = ""
    """Why this is not the answer."""
    doubt: str = ""
    """Why it is not known how to read it, if it is."""
    score: int = 0
    reason: str = ""
    left_out: tuple[str, ...] = ()
    pieces: int = 1
    """The most pieces that a text was made of."""
    history: bool = False
    """Whether it comes after the question in a list, as the bot's turn does."""
    spans: tuple[tuple[int, int], ...] = ()
    """The first and the last piece of each reply that it is in."""

    @property
    def at(self) -> str:
        return self.reading.shown

    @property
    def around(self) -> bool:
        """Whether this is a whole reply with more in it than an answer."""
        return self.reading.whole and bool(self.doubt)

    @property
    def sure(self) -> bool:
        """Whether its name is that of an answer alone."""
        return self.named or self.score >= MARGIN

    @property
    def named(self) -> bool:
        return any(map(is_sure, self.reading.names))


@dataclass(frozen=True)
class Proof:
    """What was found: the proven place, or why none is."""

    chosen: Candidate | None
    reason: str
    candidates: tuple[Candidate, ...] = ()
    """All that was seen, the likeliest first."""

    alike: bool = False
    """Whether nothing differed from question to question, so that others may show more."""

    @property
    def proven(self) -> bool:
        return self.chosen is not None

    @property
    def options(self) -> dict[str, object]:
        """The options of a target file below `connect`."""
        return self.chosen.reading.options if self.chosen else {}


@dataclass(frozen=True)
class _Case:
    """The replies to be compared."""

    form: Form
    replies: tuple[Parsed, ...]
    inside: tuple[Parsed, ...]
    """The same as `replies`, or what is inside a text of them."""
    before: tuple[object, ...] = ()
    """The places that lead to that text."""

    @property
    def messages(self) -> tuple[str, ...]:
        return tuple(parsed.message for parsed in self.replies)


def prove(askings: Sequence[Asking], *, fewest: int = FEWEST, twice: bool = True) -> Proof:
    """Where the answer is in the replies of a bot. Replies to `fewest` different messages, and to one of them twice,
    are needed; what is not proven is not guessed."""
    messages = [asking.message for asking in askings]
    if len({*messages}) < fewest or (twice and len({*messages}) == len(messages)):
        again = ", and one of them twice" if twice else ""
        return Proof(None, f"a proof needs replies to {fewest} different messages{again}")
    if empty := sum(not asking.reply.strip() and not asking.messages for asking in askings):
        return Proof(None, f"{empty} of {len(askings)} replies had no text; {AGAIN}")
    form = form_of(askings)
    if form is None:
        return Proof(None, f"{odd_one(askings)}; {AGAIN}")
    replies = tuple(parsed(asking, form) for asking in askings)
    case = _Case(form, replies, replies)
    candidates = sorted(_candidates(case), key=lambda each: (bool(each.fault), each.around, -each.score))
    done, cut = ending(pieces_of(asking, form) for asking in askings)
    if form != "socket" or not cut:  # without, a silence ends an answer of a socket
        candidates = [replace(each, reading=each.reading.with_(done=done)) for each in candidates]
    if cut and form != "socket":
        sentence = f"{cut} of {len(askings)} replies ended without {json.dumps(done)}, as most of them end; {AGAIN}"
        return Proof(None, sentence, tuple(candidates))
    return _decided(candidates)


def reading_of(options: Reading, asking: Asking) -> str:
    """What a proven reading takes out of one more reply."""
    return options.text(parsed(asking, options.form))


def _candidates(case: _Case) -> Iterator[Candidate]:
    yield from _here(case)
    for inside in () if case.before else unwrapped(case.form, case.replies):
        yield from _here(_Case(inside.form, inside.outer, inside.replies, inside.before))


def _here(case: _Case) -> Iterator[Candidate]:
    """Candidates of one form, none of them inside a text."""
    if case.before and all(value is None for each in case.inside for value in each.values):
        yield _judged(case, Reading(case.form, whole=True, before=case.before), "", "")
    elif not case.before and any(value is None and piece.data.strip() not in ("", "null") for each in case.inside
                                 for value, piece in zip(each.values, each.pieces, strict=True)):  # fmt: skip
        plain = plain_readings(case.form, case.replies)
        yield from (_judged(case, reading, doubt, reason) for reading, doubt, reason in plain)
    for place in dict.fromkeys(text.place for each in case.inside for text in each.texts):
        if not any("'" in str(part) or "\\" in str(part) for part in place):
            yield _at(case, place)


def _at(case: _Case, place: tuple[str | int, ...]) -> Candidate:
    found = narrowed(place, case.form, case.inside, case.before)
    at = [found.reading.placed(each) for each in case.replies]
    parts = [[text for _, text in row] for row in at]
    if not all(any(part.strip() for part in row) for row in parts):
        shown = tuple(" ".join(row) for row in parts)
        return Candidate(found.reading, shown, ABSENT, score=names_score(found.reading.names))
    how = joined(case.form, case.messages, parts)
    reading = found.reading.with_(pieces=how.pieces, several=how.several, glued=how.glued)
    begun = [row[0][:1] for row in parts if row and (row[0][:1] == " " or row[0][:1].islower())]
    cut = found.reading.only and 2 * len(begun) > len(parts)
    doubt = found.doubt or how.doubt or ("the beginning of the answer is missing" if cut else "")
    made = _judged(case, reading, doubt, how.reason)
    return replace(made, left_out=found.left_out, pieces=max(map(len, parts)), history=found.follows(case.inside),
                   spans=tuple((row[0][0], row[-1][0]) for row in at))  # fmt: skip


def _judged(case: _Case, reading: Reading, doubt: str, reason: str) -> Candidate:
    said = Said(case.messages, said_by(reading, case.replies))
    if any(map(is_markup, said.texts)) and not reading.html:
        reading = reading.with_(html=True)
        said = Said(case.messages, said_by(reading, case.replies))
    if case.form == "markup" and not any(has_tags(each.pieces[0].data) for each in case.replies):
        # XML often has HTML in it as text, which the replies need not show yet. What is none stays as it is.
        reading = reading.with_(escaped=True)
        said = Said(case.messages, said_by(reading, case.replies))
    if tags := said.tags:
        reading = reading.with_(reasoning=("think", *tags))
        said = Said(case.messages, said_by(reading, case.replies))
        if said.tags or not all(map(is_beside, tags)):
            doubt = (
                doubt
                or f"it begins with something between tags ({', '.join(tags)}), which may be no part of the answer"
            )
    doubt = doubt or said.doubt or ("it has markup inside markup" if any(map(is_markup, said.texts)) else "")
    score = names_score(reading.names) + said.score
    return Candidate(reading, said.texts, said.fault, doubt, score, reason)


def _decided(candidates: Sequence[Candidate]) -> Proof:
    every = tuple(candidates)
    possible = [each for each in candidates if not each.fault]
    if not possible:
        lost = next((each for each in candidates if each.fault == ABSENT and each.score > 0), None)
        if lost and 2 * (there := sum(map(bool, alike(lost.texts)))) > len(lost.texts):
            return Proof(None, f"{lost.at} has a text in {there} of {len(lost.texts)} replies; {AGAIN}", every)
        same = [each for each in candidates if each.fault == SAME]
        if same and not any(each.fault in HIDDEN for each in candidates):
            return Proof(
                None, "no text differs from question to question: ask what is answered differently", every, True
            )
        return Proof(None, "nothing in the replies behaves like an answer", every)
    best = next((each for each in possible if _typed_after(each, possible)), possible[0])
    same_text = [each for each in possible if alike(each.texts) == alike(best.texts)]
    # Of places that say the same, the one that says it in most pieces shows first that an answer has begun.
    best = max(same_text, key=lambda each: (not each.doubt, each.score > 0, each.pieces))
    if doubt := _doubt(best, same_text, [each for each in candidates if each not in same_text]):
        return Proof(None, doubt, every)
    return Proof(best, _reason(best, same_text), every)


def _doubt(best: Candidate, same: Sequence[Candidate], others: Sequence[Candidate]) -> str:
    """Why the likeliest place is not proven, of those that say the `same`; empty if it is. What is inside pieces that
    were left out is no rival."""
    if best.doubt:
        return f"{best.at}: {best.doubt}"
    if names_score(best.reading.names) < 0:
        return f"{best.at} has the name of something that is no answer"
    history = any(each.history and not each.doubt for each in same)
    for other in (each for each in others if not (best.left_out and each.reading.before[:1] == (_place(best),))):
        within = [_listed(at) for at in best.reading.before[:1]] == [_listed(other.at)]
        if other.fault in HIDDEN and not (best.sure or len(same) > 1 or within):
            return f"{other.at} is {other.fault}, and may contain the answer"
        if not other.fault and not (other.around and best.reading.before) and not _harmless(other, best, history):
            return f"{best.at} and {other.at} both change with the question"
    return ""


def _harmless(other: Candidate, best: Candidate, history: bool) -> bool:
    """Whether another text that changes with the question is certainly not the answer. A part of the answer needs
    less, and so does what stands beside an answer that comes after the question in a `history`."""
    margin = best.score - other.score
    part = all(a in b for a, b in zip(alike(other.texts), alike(best.texts), strict=True))
    return (
        names_score(other.reading.names) < 0
        or margin >= MARGIN
        or _typed_after(best, (other,))
        or (margin > 0 and (part or history))
        or (best.sure and margin >= 2)
    )


def _typed_after(one: Candidate, others: Sequence[Candidate]) -> bool:
    """Whether a text comes word by word, and after all others, which come whole: it was made of them."""
    rivals = [each for each in others if each is not one and not each.around and names_score(each.reading.names) >= 0]
    return (
        not one.doubt
        and one.reading.pieces == "incremental"
        and one.pieces >= WORDS
        and all(each.spans and _is_whole(each) and "*" in each.reading.place for each in rivals)
        and all(there[1] < here[0] for each in rivals for there, here in zip(each.spans, one.spans, strict=True))
        and not any(goes_on(text, then) for each in rivals for text, then in zip(each.texts, one.texts, strict=True))
    )


def _is_whole(each: Candidate) -> bool:
    """Whether a text comes in one piece."""
    return all(first == last for first, last in each.spans)


def _listed(place: object) -> str:
    """A place with all members of each list that it chooses from."""
    return re.sub(r"\[[^\]]*\]", "[*]", str(place))


def _place(best: Candidate) -> str:
    """The place without the kinds that it is narrowed to: texts inside those left out lead from there, too."""
    return replace(best.reading, only=(), before=()).at


def _reason(best: Candidate, same: Sequence[Candidate]) -> str:
    """Why it is proven."""
    different = Said((), best.texts).different
    told = [f"{different} different texts in {len(best.texts)} replies, none of them the question"]
    told += [best.reason] if best.reason else []
    told += [f"{same[1].at if same[0] is best else same[0].at} says the same"] if len(same) > 1 else []
    return "; ".join(told)
