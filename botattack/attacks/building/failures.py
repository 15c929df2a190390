"""A failure of a recorded run as its diagnosis sees it: which parts of the question were changed, what supports the
answer, and what else probes are made of. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from typing import Any, NamedTuple

from msgspec.structs import replace

from botattack.cases import SOURCES
from botattack.model import Edit, Expect, GoldAnswer, Prompt, Question, Turns
from botattack.text.folding import folded
from botattack.text.sentences import sentence_spans
from botattack.text.spelling import quick_distance

_TOKEN = re.compile(r"\s*\S+|\s+$")
_REWORDED = ("words", "added")
LONG = 80
"""Characters from which on a message may be too long for a bot: a word more is another wording."""
_KNOWN_BY = 3
"""Letters that a word has at least to be known in other letters: "is" and "it" are two words."""
_SOME = 0.4
"""The share of a message whose letters may be changed if a filter of the form of a message is to let it pass."""
_GAP = "…"
"""What stands in place of the answer in a question that is made of the sentence that supports it."""
Known = Callable[[str], bool]
"""Whether a word, in lower case, is spelled correctly."""


class Easy(NamedTuple):
    """A question that the bot answered correctly, in a few words that its reply says."""

    turns: Turns = ()
    answer: str = ""

    @property
    def text(self) -> str:
        return self.turns[-1].text if self.turns else ""


class Support(NamedTuple):
    """The passages that support the answer, as one text; the sentence that does; and the answer as it is written
    there. All are empty if nothing is known."""

    passage: str = ""
    sentence: str = ""
    answer: str = ""


class _Change(NamedTuple):
    """What is written in place of what, and the part of a failure that this belongs to."""

    part: str
    before: str
    after: str


class Failed(NamedTuple):
    """A failing variant (or unchanged question) of an earlier run; `unit` is that of its asking there. `before` is the
    conversation that ended before it; `undone` are the messages after our own normaliser. `other` is another easy
    question; `leaked` is whether the wrong reply answers the conversation before, `burst` whether it is what a
    neighbouring conversation was told wrongly, too."""

    unit: str
    turns: Turns
    expect: Expect = "same"
    edits: tuple[Edit, ...] = ()
    decoy: str = ""
    right: tuple[GoldAnswer, ...] = ()
    distance: int = 0
    refused: bool = False
    was_right: bool = True
    before: Turns = ()
    easy: Easy = Easy()
    other: Easy = Easy()
    undone: tuple[str, ...] = ()
    leaked: bool = False
    burst: bool = False


class Failure:
    """A failure of a question. `given` is whether the passages of a question reach the bot with it; else it finds them
    in a library of its own, if it has one."""

    def __init__(self, question: Question, failed: Failed, known: Known, *, given: bool) -> None:
        self.question, self.failed, self._known = question, failed, known
        self.given = given and bool(question.passages)

    @property
    def original(self) -> Prompt:
        return self.question.prompt

    @property
    def last(self) -> Prompt:
        return self.failed.turns[-1]

    @property
    def undone(self) -> str:
        """The last message after our own normaliser."""
        return self.failed.undone[-1] if self.failed.undone else self.last.text

    @cached_property
    def spelled(self) -> Turns:
        """The turns with the earlier ones as the file spells the question, or after our own normaliser."""
        turns, undone = self.failed.turns, self.failed.undone
        return (*(self._spelled(turn, text) for turn, text in zip(turns[:-1], undone, strict=False)), *turns[-1:])

    def _spelled(self, turn: Prompt, undone: str) -> Prompt:
        changed = {one.part for one in _changes(self.original.text, turn.text, self._known)} - {""}
        return replace(turn, text=self.original.text if changed == {"letters"} else undone)

    @cached_property
    def parts(self) -> frozenset[str]:
        """What was changed."""
        found = {change.part for change in self._changes if change.part}
        if self.text("letters") != self.original.text:
            found.add("letters")
        if self.last.passages != self.original.passages:
            found.add("passages")
        if self._talks:
            found.add("turns")
        return frozenset(found)

    @cached_property
    def _talks(self) -> bool:
        """Whether the messages before the question were changed."""
        sent, asked = self.failed.turns, self.question.turns
        earlier = [turn.text for turn in sent[:-1]] != [turn.text for turn in asked[:-1]]
        return earlier or self.last.history != self.original.history

    @cached_property
    def support(self) -> Support:
        return _support(self.question)

    def fact(self, answer: str = _GAP) -> str:
        """The sentence that supports the answer, with something else in its place."""
        support = self.support
        return support.sentence.replace(support.answer, answer) if support.answer else support.sentence

    def has(self, *, noisy: bool) -> Iterator[str]:
        """What its diagnosis has to know of it, as names."""
        failed = self.failed
        yield from sorted(self.parts)
        said = {
            "was right": failed.was_right,
            "refused": failed.refused,
            "noisy": noisy,
            "long": len(self.last.text) > len(self.original.text) + LONG,
            "before": bool(failed.before),
            "easy": bool(failed.easy.turns),
            "earlier": len(self.question.turns) > 1 or bool(self.original.history),
            "gold": bool(self.support.passage),
            "fake": bool(self.support.answer and failed.easy.answer),
            "leaked": failed.leaked,
            "burst": failed.burst,
            "order": bool(self.order),
            "faked": bool(failed.decoy),
            "stated": any(failed.decoy in turn.text for turn in failed.turns),
            "changes": failed.expect == "different",
            "declines": failed.expect == "declines",
            "given": self.given,
            "library": not self.given and bool(self.question.passages),
            "misspelt": bool(self._misspelt) and "letters" not in self.parts,
            "misspelt turns": self.spelled[:-1] != failed.turns[:-1],
            "normalisable": self.undone not in (self.last.text, self.original.text),
            "restored": self.undone == self.original.text != self.last.text,
        }
        yield from (name for name, holds in said.items() if holds)

    @cached_property
    def _misspelt(self) -> dict[str, str]:
        """What is written for which word in a question that is said in other words: nothing but a speller tells."""
        reworded = any(one.part == "words" for one in self._pieces(self.last.text))
        spelled, written = self.undone.split(), self.last.text.split()
        words = zip(spelled, written, strict=True) if reworded and len(spelled) == len(written) else ()
        return {good: bad for good, bad in words if folded(good) != folded(bad)}

    @cached_property
    def _changes(self) -> tuple[_Change, ...]:
        return self._pieces(self.undone if self._misspelt else self.last.text)

    def _pieces(self, text: str) -> tuple[_Change, ...]:
        found = _changes(self.original.text, text, self._known)
        # "What was the answer to my question?" means nothing without the turns before it.
        return tuple(one._replace(part="turns") if self._talks and one.part in _REWORDED else one for one in found)

    def text(self, *parts: str, neutral: bool = False) -> str:
        """The question with its changes of these parts alone; `neutral` puts other words in place of what was added."""
        text = ""
        for part, before, after in self._changes:
            piece = before if part and part not in parts else after
            if neutral and part == "added" and part in parts:
                piece = self._neutral(before, after)
            # The blank before a word goes with what was put in before it.
            text += " " * bool(text and piece and not text[-1].isspace() and not piece[0].isspace()) + piece
        if not self.original.text[:1].isspace():
            text = text.lstrip()
        if "letters" in parts:
            text = " ".join(self._misspelt.get(word, word) for word in text.split(" "))
        return text

    def _neutral(self, before: str, after: str) -> str:
        """Other words in place of those that were put in, as many: half of an easy question, which no bot takes for the
        whole, at the end, and before that the question's own."""
        count = max(0, len(after.split()) - len(before.split()))
        other = sorted(re.findall(r"\w+", self.failed.other.text), key=len, reverse=True)
        other, own = other[: min(count, len(other) // 2)], self.original.text.split()
        words = (own * (count // max(1, len(own)) + 1))[: count - len(other)]
        return " ".join(["", *before.split(), *words, *other])

    def turns(self, *parts: str, text: str | None = None, passages: tuple[str, ...] | None = None) -> Turns:
        """What is sent with the changes of these parts alone; `text` and `passages` take the place of the last
        ones."""
        turns = self.failed.turns if "turns" in parts else self.question.turns
        if passages is None:
            passages = (self.last if "passages" in parts else self.original).passages
        last = replace(turns[-1], text=self.text(*parts) if text is None else text)
        return tuple(replace(turn, passages=passages) for turn in (*turns[:-1], last))

    @cached_property
    def letters(self) -> tuple[str, ...]:
        """The words whose letters were changed, as they are written now."""
        return tuple(one.after.strip() for one in self._changes if one.part == "letters")

    def some_letters(self) -> str:
        """The question with a few of its changed words, the longest, so that most of it is written as in the file."""
        kept, size = set[str](), 0
        for word in sorted(self.letters, key=len, reverse=True):
            if (size := size + len(word)) <= _SOME * len(self.last.text):
                kept.add(word)
        return "".join(one.after if one.after.strip() in kept else one.before for one in self._changes)

    @cached_property
    def order(self) -> tuple[str, ...]:
        """The passages with the supporting one moved to the end, or to the start if it was there; empty if it is alone
        or missing."""
        sent, sentence = self.last.passages, self.support.sentence
        at = next((at for at, text in enumerate(sent) if text in self.original.passages and sentence in text), -1)
        if not sentence or at < 0 or len(sent) < 2:
            return ()
        others = (*sent[:at], *sent[at + 1 :])
        return (sent[at], *others) if at == len(sent) - 1 else (*others, sent[at])

    @property
    def put(self) -> str:
        """The words that were put in; of an unchanged question, all of it."""
        if not self.parts:
            return self.original.text
        put = (one for one in self._changes if one.part in (*_REWORDED, "turns"))
        words = [one.after.strip() for one in put if _squeezed(one.before) != _squeezed(one.after)]
        words += [text for text in self.last.passages if text not in self.original.passages]
        said = {turn.text for turn in self.question.turns}
        words += [turn.text for turn in self.failed.turns[:-1] if turn.text not in said]
        return " ".join(filter(None, words)) or self.last.text


def listed(question: Question, fields: Mapping[str, Any], passages: tuple[str, ...]) -> int | None:
    """The place of what supports the answer among the sources that a reply names; -1 if it is not there, None if the
    reply names none."""
    named = fields.get(SOURCES)
    named = named if isinstance(named, list | tuple) else [named] if named else []
    support = _support(question)
    if not named or not support.passage:
        return None
    return next((at for at, one in enumerate(named) if _is_in(support, one, passages)), -1)


def _is_in(support: Support, source: Any, passages: tuple[str, ...]) -> bool:
    if isinstance(source, int):
        source = passages[source] if 0 <= source < len(passages) else ""
    text = source.strip() if isinstance(source, str) else ""
    title = support.passage.partition(":")[0]
    return bool(text) and (text in support.passage or support.sentence in text or text.casefold() == title.casefold())


def _support(question: Question) -> Support:
    literal = [answer.text for answer in question.answers if not answer.regex and answer.text.strip()]
    numbers = list(dict.fromkeys(fact.passage for fact in question.facts))
    sentences = [question.passages[fact.passage][fact.start : fact.end] for fact in question.facts]
    if not numbers:
        asked = set(_words(question.text).split())
        found = list(_with_answer(question.passages, literal))
        if not found:
            return Support()
        # Of several sentences with the answer, the one most like the question says it.
        number, sentence = max(found, key=lambda one: len(asked.intersection(_words(one[1]).split())))
        numbers, sentences = [number], [sentence]
    sentence = " ".join(each.strip() for each in sentences)
    answer = next((one for text in literal for one in [_within(text, sentence)] if one), "")
    return Support("\n\n".join(question.passages[number] for number in numbers), sentence, answer)


def _with_answer(passages: tuple[str, ...], answers: list[str]) -> Iterator[tuple[int, str]]:
    for number, passage in enumerate(passages):
        for start, end in sentence_spans(passage):
            if any(_within(answer, passage[start:end]) for answer in answers):
                yield number, passage[start:end].strip()


def _within(answer: str, text: str) -> str:
    """The answer as a text writes it; empty if it does not contain it as words of its own."""
    found = re.search(rf"(?<!\w){re.escape(answer)}(?!\w)", text, re.IGNORECASE)
    return found.group() if found else ""


def _changes(before: str, after: str, known: Known) -> Iterator[_Change]:
    """The whole of both texts, piece by piece; what is the same is of no part.

    Marks, case and other forms of a word go with the rewording that they are part of: "What's" for "What is" in a
    sentence that is said in other words is no mistake in typing.
    """
    found = list(_pieces(before, after))
    # What was reworded or added; where both were, the rewording explains other forms of words.
    others = [part for part in _REWORDED if any(one.part == part for one in found)]
    for part, old, new in found:
        usual = all(map(known, re.findall(r"\w+", new.casefold()))) and not _odd(new) - _odd(old)
        along = part == "letters" and others and (usual or old.strip() == new.strip())
        yield _Change(others[0] if along else part, old, new)


def _odd(text: str) -> set[str]:
    """Words with capitals that are not their first letters."""
    return {word for word in re.findall(r"\w+", text) if word[1:] != word[1:].lower()}


def _pieces(before: str, after: str) -> Iterator[_Change]:
    from rapidfuzz.distance import Levenshtein

    one, other = _TOKEN.findall(before), _TOKEN.findall(after)
    # Words by how they were spelled, so that one in other letters stays apart from what is put in beside it.
    words, others = ([_squeezed(token) or token for token in tokens] for tokens in (one, other))
    known = [word for word in dict.fromkeys(words) if len(word) >= _KNOWN_BY]
    spelled = [
        word if word in words else next((old for old in known if _respelled(old, word)), word) for word in others
    ]
    old = new = ""
    for code in Levenshtein.opcodes(words, spelled):
        gone, put = one[code.src_start : code.src_end], other[code.dest_start : code.dest_end]
        if code.tag != "equal":
            old, new = old + "".join(gone), new + "".join(put)
            continue
        if old or new:
            yield _Change(_part(old, new), old, new)
        old = new = ""
        yield from (_Change("letters" if was != now else "", was, now) for was, now in zip(gone, put, strict=True))
    if old or new:
        yield _Change(_part(old, new), old, new)


def _part(before: str, after: str) -> str:
    if _respelled(before, after):
        return "letters"
    return "added" if not _squeezed(before) or _words(before) in _words(after) else "words"


def _respelled(before: str, after: str) -> bool:
    old, new = _squeezed(before), _squeezed(after)
    if sorted(old) == sorted(new):
        return True
    if before.isascii() and not after.isascii() and 2 * abs(len(old) - len(new)) <= len(old):
        return True
    return bool(old and new) and quick_distance()(old, new) <= max(1, max(len(old), len(new)) // 3)


def _words(text: str) -> str:
    return " ".join(["", *re.findall(r"\w+", folded(text)), ""])


def _squeezed(text: str) -> str:
    return "".join(sign for sign in folded(text) if sign.isalnum())
