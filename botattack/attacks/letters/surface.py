"""How a question is written down: its case and its punctuation. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import ClassVar, Literal, get_args

from botattack.attacks.building.advice import SIGNS
from botattack.attacks.building.drafting import Drafting, Drafts
from botattack.attacks.building.guard import Draft
from botattack.attacks.building.parsed import WHITE
from botattack.attacks.building.plain_words import free_words
from botattack.model import Edit, Question, Token
from botattack.protocols import Context
from botattack.text.languages import language, written

Cases = Literal["lower", "upper", "title", "swapped", "umlauts", "random"]
Marks = Literal[
    "none", "doubled", "question", "stop", "exclamation", "ellipsis", "spaced", "stripped", "comma", "opening"
]
ENDS = "?!.…؟。？！।:;፧։՞"


@dataclass(frozen=True)
class Case(Drafting):
    """Writes the question in another case: all lower, all capitals, Title, swapped, or each letter at random; and
    German without its own keys: "fuer" for "für".

    Users type such questions every day; it is not from a paper. A script without case has no variants. Turkish and
    Azeri keep their dotted and dotless i. Words of a gold answer stay as they are; names do not, as passports write
    them so, too.

    Decided here: variants are compared as written, because the normal form has no case.
    """

    name: ClassVar[str] = "case"
    plain: ClassVar[str] = "Other forms of letters"
    advice: ClassVar[str] = SIGNS.format("how letters are written, such as their case,")
    drawn: ClassVar[bool] = True

    kinds: tuple[Cases, ...] = get_args(Cases)
    """Which of the six; `umlauts` are written as ae, oe and ue, and ß as ss, where a language does so; `random` fills
    what is left of per_question."""

    def form(self, text: str) -> str:
        return text

    def drafts(self, context: Context, rng: Random) -> Drafts:
        yield from ()
        return self._drafts(context.question, rng)

    def _drafts(self, question: Question, rng: Random) -> Iterator[Draft]:
        spellings = _cases(question.lang)
        letters = dict(written(question.language, "everyday").get("umlauts", ()))
        words = list(free_words(question))
        # Those of chance come last: they would crowd out the others, which users type.
        for kind in rng.sample(named := [kind for kind in self.kinds if kind != "random"], len(named)):
            if kind == "umlauts":
                found = [(word, _without_keys(word.text, letters)) for word in words]
            else:
                found = [(word, _written(word.text, kind, *spellings)) for word in words]
            edits = tuple([Edit(word.start, word.text, after, kind) for word, after in found if after != word.text])
            if edits:
                yield Draft(edits)
        if "random" in self.kinds:
            yield from self._random(words, spellings, rng)

    def _random(self, words: Sequence[Token], cases: tuple[Spell, Spell], rng: Random) -> Iterator[Draft]:
        """Each letter in one case or the other."""
        forms = [[tuple(spell(letter) for spell in cases) for letter in word.text] for word in words]
        for _ in range(self.per_question):
            spelt = ["".join(map(rng.choice, letters)) for letters in forms]
            edits = [Edit(word.start, word.text, after, "random") for word, after in zip(words, spelt, strict=True)]
            yield Draft(tuple(edit for edit in edits if edit.before != edit.after))


Spell = Callable[[str], str]


def _cases(lang: str) -> tuple[Spell, Spell]:
    if lang.partition("-")[0] not in ("tr", "az"):
        return str.upper, str.lower
    return (lambda text: text.replace("i", "İ").upper()), (
        lambda text: text.replace("I", "ı").replace("İ", "i").lower()
    )


def _without_keys(word: str, letters: Mapping[str, str]) -> str:
    """A word in which each of these letters is two others; both are capitals in a word of capitals."""
    found = ""
    for at, letter in enumerate(word):
        small = letters.get(letter.lower(), "")
        big = small.upper() if word[at + 1 :].isupper() or word[:at].isupper() else small.capitalize()
        found += (big if letter.isupper() else small) or letter
    return found


def _written(word: str, kind: Cases, upper: Spell, lower: Spell) -> str:
    if kind == "lower":
        return lower(word)
    if kind == "upper":
        return upper(word)
    if kind == "title":
        return upper(word[:1]) + lower(word[1:])
    return "".join(lower(letter) if letter.isupper() else upper(letter) for letter in word)


@dataclass(frozen=True)
class Punctuation(Drafting):
    """Writes the question with other punctuation, as users do: without its mark, with two, with another, with none.

    From none of the papers. Marks are those of the question's language. Marks inside words and numbers stay.
    """

    name: ClassVar[str] = "punctuation"
    plain: ClassVar[str] = "Changes of punctuation"
    advice: ClassVar[str] = SIGNS.format("punctuation")

    kinds: tuple[Marks, ...] = get_args(Marks)
    """`none` takes the last mark away, `doubled` writes it twice, `question`, `stop`, `exclamation` and `ellipsis` put
    that one in its place, `spaced` puts a space before it, or takes away the one that French has, `stripped` takes
    every mark away, `comma` puts one behind the first word, `opening` takes away the one that Spanish begins with."""

    def drafts(self, context: Context, rng: Random) -> Drafts:
        yield from ()
        return (Draft(edits) for kind in self.kinds if (edits := tuple(_marked(context.question, kind))))


def _marked(question: Question, kind: Marks) -> Iterator[Edit]:
    text = question.text.rstrip()
    end = len(text.rstrip(ENDS + WHITE))
    mark = text[end:]
    if not end:
        return
    if kind == "stripped":
        yield from _stripped(question.text)
    elif kind == "comma":
        yield from _comma(question)
    elif kind == "opening":
        yield from (Edit(text.index(sign), sign, "", kind) for sign in "¿¡" if sign in text)
    else:
        after = _end(kind, mark, language(question.language).marks)
        if after != mark:
            yield Edit(end, mark, after, kind)


def _end(kind: Marks, mark: str, marks: Sequence[str]) -> str:
    asks, stops, _ = marks
    bare = mark.lstrip(WHITE)
    before = mark.removesuffix(bare)
    ends = {"none": "", "doubled": (mark or asks) + (bare or asks), "question": before + asks, "stop": stops}
    spaced = bare if before else " " + (bare or asks)
    return {**ends, "exclamation": before + "!", "ellipsis": "...", "spaced": spaced}[kind]


def _stripped(text: str) -> Iterator[Edit]:
    """Every mark that does not stand between two letters or digits."""
    for i, mark in enumerate(text):
        inside = text[i - 1 : i].isalnum() and text[i + 1 : i + 2].isalnum()
        if mark in ENDS + ',،，、"“”()[]«»¿¡' and not inside:
            yield Edit(i, mark, "", "stripped")


def _comma(question: Question) -> Iterator[Edit]:
    words = list(free_words(question))
    text = question.text
    if len(words) > 1 and text[words[0].end : words[0].end + 1].isspace():
        yield Edit(words[0].end, "", language(question.language).marks[2], "comma")
