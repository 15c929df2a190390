"""Whether what a target file reads is the answer, by replies that came: `check` and a run ask this."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from difflib import get_close_matches

from botattack.errors import ExtractionFailed
from botattack.model import Reply
from botattack.targets.http.streams import unpack
from botattack.targets.messages.selectors import Body, clean
from botattack.targets.proving.behaviour import SAME, Said, squeezed
from botattack.targets.proving.proof import FEWEST, Proof, prove
from botattack.targets.proving.readings import Reading
from botattack.targets.proving.replies import Asking, parsed

_PACKED = re.compile(r'(?:\{"data":".*","event":"[^"]*"\}(?:\n|$))+')
"""The raw reply of a socket: its messages, packed one a line."""


@dataclass(frozen=True)
class Checked:
    """What replies show of the place that a file reads: one of these is set."""

    proven: str = ""
    """Why it is the answer."""
    wrong: str = ""
    """What contradicts it."""
    unknown: str = ""
    """Why they show neither."""


def asking_of(message: str, reply: Reply, mask: Callable[[str], str] = str) -> Asking:
    """A message and its reply as it came; the text that was read where nothing else is kept."""
    text = mask(Body.of_raw(reply.raw).text if reply.raw else reply.text)
    if _PACKED.fullmatch(text):
        with suppress(ExtractionFailed):  # a body that only looks so
            return Asking(message, text, tuple(piece.data for piece in unpack(text)))
    return Asking(message, text)


def fault_of(messages: Sequence[str], read: Sequence[str]) -> str:
    """Why the texts that were read cannot be answers to the messages; empty if they can, or if one message is all."""
    said = [(message, text) for message, text in zip(messages, read, strict=True) if text.strip()]
    if len({message for message, _ in said}) < 2:
        return ""
    fault = Said(*(tuple(column) for column in zip(*said, strict=True))).fault
    return f"what is read is {fault}" if fault else ""


def checked(askings: Sequence[Asking], read: Sequence[str], *, twice: bool = True) -> Checked:
    """Compares what was read with what is proven to be the answer. Without `twice`, no message needs to be asked
    again: less is known then of what changes by itself."""
    fault = fault_of([each.message for each in askings], read)
    told = [(asking, text) for asking, text in zip(askings, read, strict=True) if text.strip()]
    if fault.endswith(SAME) and len({asking.message for asking, _ in told}) < FEWEST:
        return Checked(unknown=fault)  # a bot may know neither answer
    if any(asking.reply == text for asking, text in told):  # nothing is there to compare it with
        return Checked(wrong=fault) if fault else _by_texts(told)
    proof = prove([asking for asking, _ in told], fewest=2, twice=twice)
    return _compared(proof, [text for _, text in told], fault)


def _by_texts(told: Sequence[tuple[Asking, str]]) -> Checked:
    if (asked := len({asking.message for asking, _ in told})) < 2:
        return Checked(unknown="two different messages must be answered; give --ask twice")
    said = Said(tuple(asking.message for asking, _ in told), tuple(text for _, text in told))
    if said.doubt:
        return Checked(unknown=said.doubt)
    if said.drawn:
        return Checked(unknown="replies to the same question differ as much as those to different questions")
    shown = f"{said.different} different texts in {len(told)} replies to {asked} messages, none of them the question"
    return Checked(proven=shown)


def _compared(proof: Proof, read: Sequence[str], fault: str) -> Checked:
    texts, best = _plain(read), proof.chosen
    if best is None:
        same = [each for each in proof.candidates if _plain(each.texts) == texts]
        doubt = next((each.doubt for each in same if each.doubt), proof.reason)
        return Checked(wrong=fault, unknown="" if fault else doubt)
    if texts == (proven := _plain(best.texts)):
        return Checked(proven=proof.reason)
    longest = max(range(len(read)), key=lambda at: len(proven[at]))
    more = f"{best.at} gives {best.texts[longest]!r}"
    if not fault and all(text in whole for text, whole in zip(texts, proven, strict=True)):
        fault = "only part of the answer is read"
    elif not fault and all(whole in text for text, whole in zip(texts, proven, strict=True)):
        fault = "more than the answer is read"
    return Checked(wrong=f"{fault}; {more}") if fault else Checked(unknown=f"this may be the answer, too: {more}")


def _plain(texts: Sequence[str]) -> list[str]:
    return [squeezed(clean(text, html=True)) for text in texts]


def near_place(reply: str, place: str) -> str:
    """The place of a text in a reply of JSON whose JSONPath is written nearly as a `place` at which nothing is; else
    empty."""
    texts = parsed(Asking("", reply), "json").texts
    found = {Reading("json", place=way).at: None for each in texts for way in (each.path, each.place)}
    return next(iter(get_close_matches(place, found, 1)), "")


def contradicted(messages: Sequence[str], replies: Sequence[Reply]) -> str:
    """What in the first replies of a run speaks against the place that its file reads; empty if nothing does."""
    askings = [asking_of(message, reply) for message, reply in zip(messages, replies, strict=True)]
    return checked(askings, [reply.text for reply in replies], twice=False).wrong
