"""The probes of a diagnosis: one line for each, what it sends. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from msgspec.structs import replace

from botattack.attacks.building.diagnosing import PARTS
from botattack.attacks.building.failures import Failure
from botattack.doors import BETWEEN
from botattack.model import Prompt, Turns, Variant

Sent = tuple[Turns, str]
"""The turns, and the answer that is looked for in the reply, if it is not that of the question."""
_OTHERS = ("words", "added", "turns")
"""Parts that stay in a probe of passages: a misspelt word is no matter of these, and asked about alone."""
_WEIGHT = 6
"""How often words in other letters are quoted: a filter of the form of a message counts its signs, and those of the
easy question must not outweigh them."""


def _only(part: str) -> Callable[[Failure], Sent]:
    return lambda failure: (failure.turns(part), "")


def _beside(
    failure: Failure, text: str, decoy: str = "", parts: tuple[str, ...] = _OTHERS, *, neutral: bool = False
) -> Sent:
    """The question beside one text, which is its passage or, of a bot with a library, in the message."""
    if failure.given:
        return failure.turns(*parts, passages=(text,)), decoy
    asked = failure.text(*parts, neutral=neutral)
    return failure.turns(*parts, text=BETWEEN.join((text, asked)), passages=()), decoy


def _joined(failure: Failure, turns: Turns) -> Sent:
    """All that was said by the user, as one message."""
    history = (turn.text for turn in failure.last.history if turn.speaker == "user")
    text = "\n".join([*history, *(turn.text for turn in turns)])
    return (Prompt(text, failure.last.passages, asks=failure.last.asks),), ""


def _easy(failure: Failure, change: Callable[[str], str] = str) -> Sent:
    """A question that was right, in other words."""
    easy = failure.failed.easy
    return tuple(replace(turn, text=change(turn.text)) for turn in easy.turns), easy.answer


def _misspelt(text: str) -> str:
    """Two letters of the longest word swapped."""
    word = max(re.findall(r"\w+", text), key=len, default="")
    at = len(word) // 2
    return text.replace(word, word[: at - 1] + word[at] + word[at - 1] + word[at + 1 :]) if at else text


PROBES: Mapping[str, Callable[[Failure], Sent]] = {
    "again": lambda failure: (failure.failed.turns, ""),
    "plain": lambda failure: (failure.question.turns, ""),
    **{f"only {part}": _only(part) for part in PARTS},
    "gold": lambda failure: _beside(failure, failure.support.passage),
    "padded gold": lambda failure: _beside(failure, failure.support.passage, neutral=True),
    "alone": lambda failure: _beside(failure, failure.support.passage),
    "sentence": lambda failure: _beside(failure, failure.support.sentence),
    "fake": lambda failure: _beside(failure, failure.fact(failure.failed.easy.answer), failure.failed.easy.answer),
    "fact": lambda failure: (failure.turns(text=failure.fact(), passages=()), ""),
    "bare": lambda failure: (failure.turns(*PARTS, passages=()), ""),
    "joined": lambda failure: _joined(failure, failure.failed.turns),
    "spelled": lambda failure: (failure.spelled, ""),
    "joined, spelled": lambda failure: _joined(failure, failure.spelled),
    "padding": lambda failure: (failure.turns(text=failure.text("added", neutral=True)), failure.failed.other.answer),
    "easy": _easy,
    "typo": lambda failure: _easy(failure, _misspelt),
    "quoted": lambda failure: _easy(failure, lambda own: f'{own} ("{failure.put}")'),
    "quoted letters": lambda failure: _easy(failure, lambda own: f'{own} ("{" ".join(failure.letters * _WEIGHT)}")'),
    "neutral": lambda failure: _easy(failure, lambda own: f'{own} ("{failure.failed.other.text or own}")'),
    "order": lambda failure: (failure.turns(*PARTS, passages=failure.order), ""),
    "marked": lambda failure: (failure.turns(text=f"{failure.original.text}?"), ""),
    "some letters": lambda failure: (failure.turns(text=failure.some_letters()), ""),
    "gold as sent": lambda failure: _beside(failure, failure.support.passage, parts=PARTS),
    "before": lambda failure: (failure.failed.before, ""),
    "after": lambda failure: (failure.failed.turns, ""),
    "normalised": lambda failure: (failure.turns(*PARTS, text=failure.undone), ""),
}
"""What is sent, by the name of the probe; `original` is asked by the run itself."""


def probe(failure: Failure, attack: str, name: str) -> Variant:
    """Its name is in `why`, as what a probe does to the meaning is of no matter."""
    failed, (turns, decoy) = failure.failed, PROBES[name](failure)
    same = turns == failed.turns
    edits, distance, decoy = (failed.edits, failed.distance, failed.decoy) if same else ((), 0, decoy)
    asked = Variant(turns, attack, edits, failed.expect, distance, why=name, parent=failed.unit, probe=True)
    return replace(asked, decoy=decoy, right=failed.right)
