"""A rewritten sentence: its edits, its form, and whether it may be a paraphrase at all, by rules alone. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import SequenceMatcher
from functools import cache

from botattack.attacks.building.parsed import ENDS
from botattack.model import Edit, Question
from botattack.text.languages import language
from botattack.text.tokens import normalised, words
from botattack.text.word_lists import function_words, grammar_words

_PIECE = re.compile(r"\w+(?:['’\u2010-]\w+)*|\s+|[^\w\s]")


def rewritten(before: str, after: str, kind: str) -> tuple[Edit, ...]:
    """Edits, word by word, that make the second text of the first; none where both are the same."""
    old, new = _PIECE.findall(before), _PIECE.findall(after)
    starts = [0]
    for piece in old:
        starts.append(starts[-1] + len(piece))
    changes = SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
    return tuple(
        Edit(starts[one], "".join(old[one:two]), "".join(new[three:four]), kind)
        for what, one, two, three, four in changes
        if what != "equal"
    )


def in_form_of(original: str, text: str, *, asks: bool = True) -> str:
    """A sentence with the first letter's case and the last mark of another; what does not ask has no question mark."""
    body = text.strip().rstrip(ENDS + " ")
    mark = original[len(original.rstrip(ENDS + " \n")) :]
    mark = mark if asks else mark.replace("?", ".")
    first, wanted = body[:1], original.lstrip()[:1]
    acronym = len(body) > 1 and body[:2].isupper()
    if wanted.islower() and not acronym:
        first = first.lower()
    elif wanted.isupper():
        first = first.upper()
    return first + body[1:] + mark


LONGEST = 2.0
"""Times the words of the question, and three more, that a paraphrase may have; and the share it must have."""
SHORTEST = 0.5
ADDED = 2
"""Content words that a paraphrase may bring beyond those that it takes away."""
SHARED = 0.5
"""The share of content words that must stay where no model of similarity looks."""


def doubt(question: Question, sentence: str, *, compared: bool) -> str:
    """Why a sentence may ask for something else than the question; "" if nothing tells against it.

    `compared` says that a model of similarity looks at it too. For English; of other languages only lengths, numbers
    and answers are looked at.
    """
    before, after = _lowered(question.text), _lowered(sentence)
    if not SHORTEST * len(before) <= len(after) <= LONGEST * len(before) + 3:
        return f"it has {len(after)} words, the question {len(before)}"
    if lost := sorted(set(re.findall(r"\b\d+\b", question.text)) - set(re.findall(r"\d+", sentence))):
        return f"it lost the number {lost[0]}"
    if answer := next((a.text for a in question.answers if _told(a.text, question.text, sentence)), ""):
        return f"it contains the answer {answer!r}"
    return _doubt_in_english(before, after, compared=compared) if question.language == "en" else ""


def _doubt_in_english(before: Sequence[str], after: Sequence[str], *, compared: bool) -> str:
    if _asks(before) and not _asks(after):
        return "it does not ask"
    if not _denies(before) and _denies(after):
        return "it negates"
    old, new = _content(before), _content(after)
    gone = [word for word in old if not any(_same(word, other) for other in new)]
    come = [word for word in new if not any(_same(word, other) for other in old)]
    if len(gone) > len(come):
        return f"it leaves out {gone[0]!r}"
    if len(come) > len(gone) + ADDED:
        return f"it adds {come[0]!r} and more"
    if not compared and len(gone) > SHARED * len(old):
        return f"it shares {len(old) - len(gone)} of {len(old)} content words"
    return ""


def _denies(found: Sequence[str]) -> bool:
    return any(word in grammar_words.denials or word.endswith("n't") for word in found)


@cache
def _empty() -> frozenset[str]:
    """Words that say nothing of what is asked."""
    small = grammar_words.question_words | grammar_words.pronouns
    return small | {*function_words(), *language("en").stop_words, "go"}


def _lowered(text: str) -> list[str]:
    return [word.text.lower().replace("’", "'") for word in words(text)]


def _told(answer: str, question: str, sentence: str) -> bool:
    """Whether a right answer is in the sentence that was not in the question."""
    wanted = f" {normalised(answer)} "
    return bool(wanted.strip()) and wanted in _spaced(sentence) and wanted not in _spaced(question)


def _spaced(text: str) -> str:
    return f" {' '.join(_lowered(normalised(text)))} "


def _asks(found: Sequence[str]) -> bool:
    stems = [word.partition("'")[0] for word in found]
    return bool(stems) and (
        stems[0] in grammar_words.finite | grammar_words.requests or not grammar_words.question_words.isdisjoint(stems)
    )


def _content(found: Sequence[str]) -> list[str]:
    spoken = found[1:] if found and found[0] in grammar_words.requests else found
    return list(dict.fromkeys(stem for word in spoken if (stem := word.partition("'")[0]) not in _empty()))


def _same(one: str, other: str) -> bool:
    """Whether two words begin alike: "play" and "played", "city" and "cities"."""
    most = min(len(one), len(other))
    shared = next((i for i in range(most) if one[i] != other[i]), most)
    return one == other or shared >= max(3, most - 1)
