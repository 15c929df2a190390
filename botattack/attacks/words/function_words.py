"""Function words dropped, inserted, exchanged (semantic parsers 3.1, dialogue 3.1). Pure."""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache, partial
from itertools import pairwise
from random import Random
from typing import ClassVar

from botattack.attacks.building.advice import WORDINGS
from botattack.attacks.building.combinations import Option, Slot
from botattack.attacks.building.guard import KEPT, Edits, Judgement
from botattack.attacks.building.listing import Judge, Listing, Slots
from botattack.attacks.building.parsed import ENDS
from botattack.attacks.building.plain_words import LazySlot, removal, single, word_tokens
from botattack.attacks.building.recovering import PART, Reader
from botattack.model import Edit, Token
from botattack.options import Count
from botattack.protocols import ENGLISH, Context
from botattack.text.folding import folded
from botattack.text.languages import having, language
from botattack.text.tokens import match_case
from botattack.text.word_lists import attack_words, function_words, grammar_words, word_groups

_PIECE = re.compile(r"\S+")


@dataclass(frozen=True)
class DropStopwords(Listing):
    """Drops stop words: "Ben ate the carrot" becomes "Ben ate carrot" (dialogue 3.1, Stopword Dropout).

    Pronouns, verbs, question words, what comes before one and "not" stay (footnote 14).

    Decided here: a variant is a uniform draw from all sets of up to 8 stop words of the question; where a question
    has nothing but stop words, the last one stays.
    """

    name: ClassVar[str] = "drop-stopwords"
    plain: ClassVar[str] = "Questions in keywords"
    advice: ClassVar[str] = WORDINGS

    combine: Count | None = 8
    """How many words may go at once: the paper's 8 in a turn; its code has no limit (a large number)."""

    @property
    def languages(self) -> frozenset[str] | None:
        return having("stop_words")

    def slots(self, context: Context, rng: Random) -> Slots:
        yield from ()
        question = context.question
        stop = language(question.language).stop_words
        tokens = word_tokens(question.text)
        asks = language(question.language).questions
        # "¿Por qué?" and "¿Qué?" are two questions.
        held = {word.start for word, other in pairwise(tokens) if folded(other.text) in asks}
        found = [word for word in tokens if word.text.lower() in stop and word.start not in held][: len(tokens) - 1]
        # All before a leading word may go too: then nothing is left before it for its space to part.
        leading = [word for word, other in zip(found, tokens, strict=False) if word is other]
        return [[removal(question.text, word, "dropped", leads=word in leading)] for word in found]


@dataclass(frozen=True)
class FunctionWords(Listing):
    """What attacks on function words share."""

    combine: Count | None = field(default=1, init=False)
    """No option here: exactly one function word changes."""
    words: tuple[str, ...] | None = None
    """Further function words, such as those of the data set that the published inventories are taken from; for English
    they are added to the built-in ones, other languages need them."""

    @property
    def languages(self) -> frozenset[str] | None:
        return None if self.words else ENGLISH

    def slots(self, context: Context, rng: Random) -> Slots:
        yield from ()
        question = context.question
        inventory = _united(tuple(function_words()) if question.language == "en" else (), self.words or ())
        return list(self.listed(question.text, inventory))

    @abstractmethod
    def listed(self, text: str, inventory: tuple[str, ...]) -> Iterator[Slot]:
        """The places of a text that may change, and into what."""

    def parts(self) -> tuple[str, ...]:
        return (PART,)

    def judge_of(self, context: Context) -> Judge:
        if context.question.language != "en":
            return lambda edits: judged(edits[0].before, edits[0].after)
        reader = Reader(context.question, context.parts[PART])

        def judge(edits: Edits) -> Judgement:
            (edit,) = edits
            judgement = judged(edit.before, edit.after)
            # A word with sense of its own adds none where it cannot stand: "in into the collection". Where one of its
            # class stood, it can.
            doubted = judgement[0] == "unsure" and not (
                _one_class(edit) or _verb_lost(edit.before.lower(), edit.after.lower())
            )
            past = doubted and reader.reads_past(edit)
            return KEPT if past else judgement

        return judge


@dataclass(frozen=True)
class InsertFunctionWord(FunctionWords):
    """Inserts one function word anywhere in the question (semantic parsers 3.1, Insertion).

    Exactly one function word is added, before a word or behind the last. The paper's positions are 1 to |x|, and the
    published data has the end too; there the question's mark stays last. Meaning is kept, as the paper takes it to be,
    but changed if the word negates, and unsure if it has a meaning of its own ("before", "all", "or") and fits its
    place.
    """

    name: ClassVar[str] = "insert-function-word"
    plain: ClassVar[str] = "Extra small words"
    advice: ClassVar[str] = WORDINGS
    typed: ClassVar[bool] = False

    def listed(self, text: str, inventory: tuple[str, ...]) -> Iterator[Slot]:
        last = ""
        for start, piece in _pieces(text):
            capital = start == 0 and piece[:1].isupper()
            words = [word for word in inventory if word.lower() != last]
            yield LazySlot(words, partial(_inserted, start, capital, bool(piece)))
            # "from" before a "from" and after it are the same question.
            last = piece.lower()


def _pieces(text: str) -> Iterator[tuple[int, str]]:
    """What stands between white space, up to the mark that ends the text; last of all, nothing."""
    end = len(text.rstrip().rstrip(ENDS).rstrip()) or len(text.rstrip())
    yield from ((found.start(), found[0]) for found in _PIECE.finditer(text, 0, end))
    yield end, ""


@dataclass(frozen=True)
class DeleteFunctionWord(FunctionWords):
    """Removes one function word of the question (semantic parsers 3.1, Deletion).

    Meaning is kept; it is changed if the word negates, and unsure if the word has a meaning of its own and fits its
    place. Question words and most pronouns do not count as function words: without them the question is unclear.
    """

    name: ClassVar[str] = "delete-function-word"
    plain: ClassVar[str] = "Missing small words"
    advice: ClassVar[str] = WORDINGS

    def listed(self, text: str, inventory: tuple[str, ...]) -> Iterator[Slot]:
        known, tokens = _lowered(inventory), word_tokens(text)
        if len(tokens) > 1:
            found = [token for token in tokens if token.text.lower() in known]
            yield from ([removal(text, token, "deleted", leads=token is tokens[0])] for token in found)


@dataclass(frozen=True)
class SubstituteFunctionWord(FunctionWords):
    """Replaces one function word with another (semantic parsers 3.1, Substitution (f)).

    Decided here: the text can be read as replacing every function word at once; the published data changes one a
    variant, and so does this. Meaning is changed if a pair reverses the sense (with/without, and/or, before/after,
    to/from) or one of the two negates, unsure if either has a meaning of its own and fits its place, or if a verb
    ("is", "do") becomes a preposition or a conjunction, otherwise kept.
    """

    name: ClassVar[str] = "substitute-function-word"
    plain: ClassVar[str] = "Exchanged small words"
    advice: ClassVar[str] = WORDINGS

    def listed(self, text: str, inventory: tuple[str, ...]) -> Iterator[Slot]:
        known = _lowered(inventory)
        for token in word_tokens(text):
            if token.text.lower() in known:
                words = [other for other in inventory if other.lower() != token.text.lower()]
                yield LazySlot(words, partial(_exchanged, token))


@lru_cache(64)
def _united(known: tuple[str, ...], more: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*known, *more)))


@lru_cache(64)
def _lowered(words: tuple[str, ...]) -> frozenset[str]:
    return frozenset(map(str.lower, words))


def _inserted(start: int, capital: bool, before: bool, word: str) -> Option:
    """An insertion before a word, or behind the last."""
    return single(start, "", f"{word.capitalize() if capital else word} " if before else f" {word}", "inserted")


def _exchanged(token: Token, other: str) -> Option:
    return single(token.start, token.text, match_case(token.text, other), "exchanged", token)


def _one_class(edit: Edit) -> bool:
    before, after = (function_words().get(text.strip().lower()) for text in (edit.before, edit.after))
    return before == after


def _verb_lost(before: str, after: str) -> bool:
    """Whether a form of "be" or "do", or another auxiliary, becomes a preposition or a conjunction: another reading."""
    one, other = (function_words().get(word) for word in (before, after))
    return one == "auxiliary" and other in ("preposition", "conjunction")


@lru_cache(4096)
def judged(before: str, after: str) -> Judgement:
    """What one function word in place of another, or of none, does to the meaning."""
    before, after = before.strip().lower(), after.strip().lower()
    if (before in grammar_words.denials) != (after in grammar_words.denials):
        return "changed", f"{(before if before in grammar_words.denials else after)!r} negates"
    if tuple(sorted((before, after))) in word_groups("attacks.opposite_function_words"):
        return "changed", f"{before!r} and {after!r} are opposites"
    if _verb_lost(before, after):
        return "unsure", f"without {before!r} it is another question"
    heavy = [word for word in (before, after) if word in attack_words.sense]
    return ("unsure", f"{heavy[0]!r} carries sense of its own") if heavy else KEPT
