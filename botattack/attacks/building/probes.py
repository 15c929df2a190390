"""The probes of a diagnosis: one line for each, what it sends. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from msgspec.structs import replace

from botattack.attacks.building.diagnosing import PARTS
from botattack.attacks.building.failures import Failure, variant, without_answer
from botattack.doors import BETWEEN
from botattack.model import Prompt, Turns, Variant

Sent = tuple[Turns, str]
"""The turns, and the answer that is looked for in the reply, if it is not that of the question."""
_OTHERS = ("words", "added", "turns")
"""Parts that stay in a probe of passages: a misspelt word is no matter of these, and asked about alone."""


def _same(failure: Failure) -> Sent:
    return failure.failed.turns, ""


def _only(part: str) -> Callable[[Failure], Sent]:
    return lambda failure: (failure.turns(part), "")


def _with_gold(failure: Failure) -> Sent:
    """The supporting passage in the message, as somebody would paste it."""
    support = failure.support
    text = BETWEEN.join(filter(None, (support and support.passage, failure.text(*_OTHERS))))
    return failure.turns(*_OTHERS, text=text, passages=()), ""


def _gold_alone(failure: Failure) -> Sent:
    support = failure.support
    return failure.turns(*_OTHERS, passages=(support.passage,) if support else ()), ""


def _sentence(failure: Failure) -> Sent:
    return _reading(failure, failure.support.sentence if failure.support else ""), ""


def _fake(failure: Failure) -> Sent:
    easy = failure.failed.easy
    return _reading(failure, failure.fake), easy.answer if easy else ""


def _reading(failure: Failure, text: str) -> Turns:
    """The question beside one text."""
    if failure.given:
        return failure.turns(*_OTHERS, passages=(text,))
    return failure.turns(*_OTHERS, text=BETWEEN.join((text, failure.text(*_OTHERS))), passages=())


def _fact(failure: Failure) -> Sent:
    support = failure.support
    return failure.turns(text=without_answer(support) if support else "", passages=()), ""


def _joined(failure: Failure) -> Sent:
    """All that was said by the user, as one message."""
    sent = failure.failed.turns
    texts = [*(turn.text for turn in failure.last.history if turn.speaker == "user"), *(turn.text for turn in sent)]
    return (Prompt("\n".join(texts), failure.last.passages, asks=failure.last.asks),), ""


def _easy(failure: Failure, quoted: str = "") -> Sent:
    """A question that was right, alone or with something quoted behind it."""
    easy = failure.failed.easy
    if easy is None:
        return failure.question.turns, ""
    *before, last = easy.turns
    return (*before, replace(last, text=f'{last.text} ("{quoted}")' if quoted else last.text)), easy.answer


def _typo(failure: Failure) -> Sent:
    """The easy question with two letters of its longest word swapped."""
    easy = failure.failed.easy
    if easy is None:
        return failure.question.turns, ""
    *before, last = easy.turns
    word = max(re.findall(r"\w+", last.text), key=len, default="")
    middle = len(word) // 2
    swapped = word[: middle - 1] + word[middle] + word[middle - 1] + word[middle + 1 :] if middle else word
    return (*before, replace(last, text=last.text.replace(word, swapped))), easy.answer


def _neutral(failure: Failure) -> Sent:
    easy = failure.failed.easy
    return _easy(failure, easy.turns[-1].text if easy else "")


PROBES: Mapping[str, Callable[[Failure], Sent]] = {
    "again": _same,
    "plain": lambda failure: (failure.question.turns, ""),
    **{f"only {part}": _only(part) for part in PARTS},
    "gold": _with_gold,
    "alone": _gold_alone,
    "sentence": _sentence,
    "fake": _fake,
    "fact": _fact,
    "bare": lambda failure: (failure.turns(*PARTS, passages=()), ""),
    "joined": _joined,
    "padding": lambda failure: (failure.turns(text=failure.text("added", neutral=True)), ""),
    "easy": _easy,
    "typo": _typo,
    "quoted": lambda failure: _easy(failure, failure.put),
    "neutral": _neutral,
    "before": lambda failure: (failure.failed.before, ""),
    "after": _same,
    "normalised": lambda failure: (failure.turns(*PARTS, text=failure.failed.undone), ""),
}
"""What is sent, by the name of the probe; `original` is asked by the run itself."""


def probe(failure: Failure, attack: str, name: str) -> Variant:
    turns, decoy = PROBES[name](failure)
    return variant(failure, attack, name, turns, decoy)
