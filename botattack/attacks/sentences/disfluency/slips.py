"""Where a speaker may break off, what is said by mistake, and how the question goes on (Disfl-QA). Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import Literal, NamedTuple, TypeVar

from botattack.attacks.building.agreeing import ARTICLES
from botattack.attacks.building.parsed import ENDS
from botattack.attacks.sentences.disfluency.mistaken_words import like, small
from botattack.attacks.sentences.disfluency.spoken_phrases import NOUN_FOLLOWS, Phrase, phrases
from botattack.model import Edit, Token
from botattack.text.word_lists import function_words, grammar_words, slip_words

Form = Literal["restart", "correction", "late-correction", "repetition", "filler"]
Pools = Mapping[str, Sequence[str]]
"""Words by kind, each of which may be said by mistake for another of its kind."""
_T = TypeVar("_T")

_WORD = re.compile(r"\S+")
_BACK = 4
"""Words said again at most before a correction."""
_TWICE = 3
"""Words repeated at most."""
_RARER = 0.25
"""How much rarer each further choice is: of 3,214 corrections of Disfl-QA, 2,493 say no word again, 646 one, 60 two."""
_OFTENER = 5
"""How much oftener a whole phrase or a verb is wrong than one broken off or a word that questions share."""
_WHOLE = frozenset(["number", "base", "past", "present", "participle", "determined", "noun", "whole noun"])
_LATE = frozenset(["noun", "whole noun", "number", "adjective", "determined", "asked noun"])
_LEADS = frozenset(["DT", "PRP$", "IN", "TO", "JJ", "CD", "WDT", "WP$"])
"""What is said again with the phrase behind it: "in 1466", "the last", "which city"."""
_SHORTER = 0.45
"""How much rarer each further word makes a correction: in 60 of 100 the right words are one, in 27 two, in 10 three."""
_ASKS = frozenset(["what", "which"])


class Slip(NamedTuple):
    """A speaker breaks off at `at`. The wrong words, of a pool, are said there; in a late correction, they were said in
    place of what is from `start` to `end`. Then come an interregnum ("no wait") and the question's words `again`."""

    form: Form
    pool: str
    at: int
    start: int = 0
    end: int = 0
    again: str = ""
    right: str = ""
    """The right words, that the wrong ones are said for."""


class Unit(NamedTuple):
    """Words that may be said wrongly: the pool of what is said for them."""

    pool: str
    start: int
    end: int


class Spoken:
    """A question as its speaker may slip: `slips` lists all ways, `drawn` draws one."""

    def __init__(self, text: str, tokens: Sequence[Token]) -> None:
        self.text = text
        self.words = [match.span() for match in _WORD.finditer(text)]
        self._number = {start: n for n, (start, _) in enumerate(self.words)}
        self._ends = [start + len(text[start:end].rstrip(ENDS + ",;:")) for start, end in self.words]
        self._last = len(text.rstrip(ENDS + " \n\t"))
        self._tokens = tokens
        self._tags = {token.start: token.tag for token in self._tokens}
        self._units = [unit for unit in units_of(text, self._tokens, self._ends) if unit.start in self._number]

    def slips(self) -> Iterator[Slip]:
        """All restarts, corrections and late corrections."""
        yield from self._restarts()
        for unit in self._units:
            if self._may_be_early(unit):
                yield from (self._early(unit, back) for back in self._backs(unit))
            if self._may_be_late(unit):
                yield from (self._late(unit, again) for again in self._repairs(unit))

    def drawn(self, form: Form, pools: Pools, rng: Random) -> Slip | None:
        """One of them; None if there is none whose pool has words."""
        if form == "restart":
            return near(list(self._restarts()), rng) if self.words else None
        late = form == "late-correction"
        may_be = self._may_be_late if late else self._may_be_early
        units = [unit for unit in self._units if pools.get(unit.pool) and may_be(unit)]
        if not units:
            return None
        (unit,) = rng.choices(units, [self._share(unit) for unit in units])
        if not late:
            return self._early(unit, near(self._backs(unit), rng))
        return self._late(unit, near(self._repairs(unit), rng))

    def _share(self, unit: Unit) -> float:
        longer = self.text.count(" ", unit.start, unit.end)
        return (_OFTENER if unit.pool in _WHOLE else 1) * _SHORTER**longer

    def repetitions(self) -> Iterator[Slip]:
        """A few words said twice."""
        for n, (at, _) in enumerate(self.words[1:], 1):
            for back in range(1, min(_TWICE, n) + 1):
                yield Slip("repetition", "", at, again=self._said(n - back, at))

    def fillers(self) -> Iterator[Slip]:
        """Every place between two words."""
        return (Slip("filler", "", at) for at, _ in self.words[1:])

    def edits(self, slip: Slip, wrong: str, interregnum: str) -> tuple[Edit, ...]:
        """What becomes of the question. Undone, these edits give the question back."""
        start, end = self.words[0]
        if slip.end:
            said = self._capital(wrong) if slip.start == start else wrong
            return (
                Edit(slip.start, self.text[slip.start : slip.end], said, slip.form),
                Edit(slip.at, "", f" {interregnum} {slip.again}", slip.form),
            )
        said = " ".join(part for part in (wrong, interregnum, slip.again) if part)
        if slip.at > start:
            return (Edit(slip.at, "", f"{said} ", slip.form),)
        word = self.text[start:end]
        return (Edit(start, word, f"{self._capital(said)} {self._inside(word)}", slip.form),)

    def next(self, slip: Slip) -> str:
        """What is said behind the interregnum."""
        return slip.again if slip.end else self.text[slip.at :]

    def _restarts(self) -> Iterator[Slip]:
        """At the beginning, before a question word behind a comma, before another one, behind another comma: the most
        common first."""
        inside = range(1, len(self.words))
        commas = [n for n in inside if self.text[self.words[n - 1][1] - 1] == ","]
        asks = [n for n in inside if self._word(n) in slip_words.begins]
        for n in dict.fromkeys((0, *(n for n in commas if n in asks), *asks, *commas)):
            yield Slip("restart", "opening", self.words[n][0])

    def _word(self, n: int) -> str:
        return self.text[slice(*self.words[n])].lower()

    def _backs(self, unit: Unit) -> Sequence[int]:
        return range(min(_BACK, self._number[unit.start]) + 1)

    def _early(self, unit: Unit, back: int) -> Slip:
        again = self._said(self._number[unit.start] - back, unit.start)
        return Slip("correction", unit.pool, unit.start, 0, 0, again, self.text[unit.start : unit.end])

    def _may_be_early(self, unit: Unit) -> bool:
        """Whether the right words may follow at once; else it is a restart: a question word at the start."""
        return not unit.pool.startswith("like ") or unit.start > self.words[0][0]

    def _may_be_late(self, unit: Unit) -> bool:
        """Whether more of the question follows what may be corrected late: nouns, numbers, what describes them, and the
        question word that begins the question."""
        word = unit.pool.removeprefix("like ")
        describes = (
            word != unit.pool
            and word not in function_words()
            and word not in grammar_words.question_words | slip_words.how
        )
        asks = word in grammar_words.question_words and not self._may_be_early(unit)
        fits = unit.pool in _LATE or describes or asks
        return fits and unit.end in self._ends and unit.end < self._last

    def _repairs(self, unit: Unit) -> Sequence[str]:
        """What is said again in a late correction: the right words, or these with what leads to them."""
        n = self._number[unit.start]
        led = n and self._tags.get(self.words[n - 1][0]) in _LEADS
        return [self._said(n - back, unit.end) for back in ((0, 1) if led else (0,))]

    def _late(self, unit: Unit, again: str) -> Slip:
        right = self.text[unit.start : unit.end]
        return Slip("late-correction", unit.pool, self._last, unit.start, unit.end, again, right)

    def _said(self, first: int, end: int) -> str:
        """The words from one on, up to a character, as they are within a sentence."""
        said = " ".join(self.text[self.words[first][0] : end].split())
        return self._inside(said) if first == 0 else said

    def _inside(self, said: str) -> str:
        """The first words as they are within a sentence."""
        adverb = self._tags.get(self.words[0][0]) in ("IN", "RB") and said.partition(" ")[0].istitle()
        return said[0].lower() + said[1:] if adverb else small(said)

    def _capital(self, said: str) -> str:
        return said[:1].upper() + said[1:] if self.text[self.words[0][0]].isupper() else said


def units_of(text: str, tokens: Sequence[Token], ends: Sequence[int]) -> Iterator[Unit]:
    """What of a question may be said wrongly; `ends` are those of its words."""
    for phrase in phrases(tokens):
        before = tokens[phrase.first - 1].tag if phrase.first else ""
        if _fits(phrase, before) and (before != "WRB" or tokens[phrase.first].text.lower() not in slip_words.how):
            yield from (
                Unit(pool, tokens[first].start, tokens[last].end) for pool, first, last in _pools(tokens, phrase)
            )
    for match, end in zip(_WORD.finditer(text), ends, strict=True):
        word = text[match.start() : end].lower()
        if tokens and like(word) and (text[: match.start()].strip() or word in slip_words.begins):
            yield Unit(f"like {word}", match.start(), end)


def _pools(tokens: Sequence[Token], phrase: Phrase) -> Iterator[tuple[str, int, int]]:
    """The pools of what may be said for a phrase, each with the first and the last token that it is said for."""
    kind, first, last = phrase.kind, phrase.first, phrase.last
    yield kind, first, last
    if kind in ("noun", "whole noun"):
        yield f"loose {kind}", first, last
        yield from ((pool, first, end) for pool, end in _nominal(tokens, phrase))


def _nominal(tokens: Sequence[Token], phrase: Phrase) -> Iterator[tuple[str, int]]:
    """The further pools of a noun phrase, each with the last token that it is said for."""
    first, last = phrase.first, phrase.last
    before = tokens[first - 1].text.lower() if first else ""
    if first == 1 and before in _ASKS and tokens[last].tag in ("NN", "NNP"):
        yield "asked noun", last
    if phrase.kind == "whole noun" and tokens[first].text.lower() in ("the", *ARTICLES):
        yield "determined", last


def _fits(phrase: Phrase, before: str) -> bool:
    """Whether others of its kind may stand behind a word with this tag: no whole noun phrase behind a determiner."""
    inside = before in NOUN_FOLLOWS
    return inside if phrase.kind == "noun" else not (inside and phrase.kind == "whole noun")


def near(options: Sequence[_T], rng: Random) -> _T:
    """An option; each is rarer than the one before."""
    at = 0
    while at + 1 < len(options) and rng.random() < _RARER:
        at += 1
    return options[at]
