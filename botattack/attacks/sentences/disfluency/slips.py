"""Where a speaker may break off, what is said by mistake, and how the question goes on (Disfl-QA). Pure."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import product
from random import Random
from typing import Literal, NamedTuple, TypeVar

from botattack.attacks.building.parsed import ENDS
from botattack.attacks.sentences.disfluency.spoken_phrases import NAMES, NOUNS, Phrase, phrases
from botattack.model import Edit, Token
from botattack.text.function_word_list import FUNCTION_WORDS, PRONOUNS, QUESTION_WORDS, REQUESTS, word_list
from botattack.text.opposites import ENDS as OPPOSITE_ENDS

Form = Literal["restart", "correction", "late-correction", "repetition", "filler"]
Style = Literal["", "not", "rather", "instead", "but", "scratch"]
"""How the right words are said in a late correction: "no Venice", "no Venice not Paris", "no Venice rather", "no Venice
instead", "no not Paris but Venice", "no scratch Paris I meant Venice"."""
Pools = Mapping[str, Sequence[str]]
"""Words by kind, each of which may be said by mistake for another of its kind."""
_T = TypeVar("_T")

_WORD = re.compile(r"\S+")
_FIRST = re.compile(r"\w*")
_STYLES: Sequence[Style] = ("", "not", "rather", "instead", "but", "scratch")
_BACK = 4
"""Words said again at most before a correction."""
_TWICE = 3
"""Words repeated at most."""
_RARER = 0.25
"""How much rarer each further choice is: of 3,214 corrections of Disfl-QA, 2,493 say no word again, 646 one, 60 two."""
_OFTENER = 5
"""How much oftener a whole phrase or a verb is wrong than one broken off or a word that questions share."""
_LIKE = tuple(
    frozenset(word_list(group))
    for group in (
        "first second third fourth last final next",
        "east west north south",
        "eastern western northern southern",
        "more less fewer",
        "many much long old far often",
        "largest smallest highest lowest",
        "before after since until during",
        "upper lower middle",
        "what which who whom when where why how",
        "is are was were",
        "do does did",
        "has have had",
        "can could will would should may might must",
    )
)
"""Words of a question that are said for one another."""
_SMALL = (FUNCTION_WORDS | QUESTION_WORDS | REQUESTS | PRONOUNS) - {"i"}
"""Words that have a capital only at the start of a sentence."""
_WHOLE = frozenset(word_list("number owner base past present participle")) | {"noun", "whole noun"}
_LATE = frozenset(["noun", "whole noun", "number", "owner", "adjective"])
_LEADS = frozenset(word_list("DT PRP$ IN TO JJ CD"))
"""What is said again with the phrase behind it: "in 1466", "the last"."""
_BEFORE_A_NOUN = NOUNS | frozenset(word_list("DT PDT PRP$ WDT WP$ JJ JJR JJS CD POS"))


class Slip(NamedTuple):
    """A speaker breaks off at `at`. The wrong words, of a pool, are said there; in a late correction, they were said in
    place of what is from `start` to `end`. Then come an interregnum ("no wait") and the question's words `again`."""

    form: Form
    pool: str
    at: int
    start: int = 0
    end: int = 0
    again: str = ""
    style: Style = ""


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
        self._tags = {token.start: token.tag for token in tokens}
        self._units = [unit for unit in units_of(text, tokens, self._ends) if unit.start in self._number]
        whole = frozenset(self._ends)
        self._stops: dict[int, set[int]] = defaultdict(set)
        for unit in self._units:
            self._stops[unit.start] |= {unit.end} & whole

    def slips(self) -> Iterator[Slip]:
        """All restarts, corrections and late corrections."""
        yield from self._restarts()
        for unit in self._units:
            yield from (self._early(unit, back) for back in self._backs(unit))
            yield from (self._late(unit, *way) for way in product(*self._ways(unit)))

    def drawn(self, form: Form, pools: Pools, rng: Random) -> Slip | None:
        """One of them; None if there is none whose pool has words."""
        if form == "restart":
            return near(list(self._restarts()), rng) if self.words else None
        late = form == "late-correction"
        units = [unit for unit in self._units if pools.get(unit.pool) and (not late or self._may_be_late(unit))]
        if not units:
            return None
        (unit,) = rng.choices(units, [_OFTENER if unit.pool in _WHOLE else 1 for unit in units])
        if not late:
            return self._early(unit, near(self._backs(unit), rng))
        at, back, stop, style = self._ways(unit)
        return self._late(unit, near(at, rng), near(back, rng), near(stop, rng), near(style, rng))

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
                Edit(slip.at, "", f" {interregnum} {_again(slip, wrong)}", slip.form),
            )
        said = " ".join(part for part in (wrong, interregnum, slip.again) if part)
        if slip.at > start:
            return (Edit(slip.at, "", f"{said} ", slip.form),)
        word = self.text[start:end]
        return (Edit(start, word, f"{self._capital(said)} {small(word)}", slip.form),)

    def meant(self, slip: Slip) -> str:
        """The question from where the right words are."""
        return self.text[slip.start if slip.end else slip.at :]

    def _restarts(self) -> Iterator[Slip]:
        """At the beginning, or behind a comma."""
        for n, (start, _) in enumerate(self.words):
            if not n or self.text[self.words[n - 1][1] - 1] == ",":
                yield Slip("restart", "opening", start)

    def _backs(self, unit: Unit) -> Sequence[int]:
        return range(min(_BACK, self._number[unit.start]) + 1)

    def _early(self, unit: Unit, back: int) -> Slip:
        again = self._said(self._number[unit.start] - back, unit.start)
        return Slip("correction", unit.pool, unit.start, again=again)

    def _may_be_late(self, unit: Unit) -> bool:
        """Whether more of the question follows what may be corrected late: nouns, numbers and what describes them."""
        word = unit.pool.removeprefix("like ")
        describes = word != unit.pool and word not in FUNCTION_WORDS | QUESTION_WORDS
        return (unit.pool in _LATE or describes) and unit.end in self._stops[unit.start] and unit.end < self._last

    def _ways(self, unit: Unit) -> tuple[Sequence[int], Sequence[int], Sequence[int], Sequence[Style]]:
        """For a late correction: where the speaker breaks off (at the end, or behind a longer phrase), how many words
        before are said again, up to where, and the style."""
        if not self._may_be_late(unit):
            return (), (), (), ()
        stops = sorted(stop for stop in self._stops[unit.start] if stop > unit.end)
        n = self._number[unit.start]
        led = n and self._tags.get(self.words[n - 1][0]) in _LEADS
        return (self._last, *stops), (0, 1) if led else (0,), (unit.end, *stops, self._last), _STYLES

    def _late(self, unit: Unit, at: int, back: int, stop: int, style: Style) -> Slip:
        again = self._said(self._number[unit.start] - back, min(stop, at))
        return Slip("late-correction", unit.pool, at, unit.start, unit.end, again, style)

    def _said(self, first: int, end: int) -> str:
        """The words from one on, up to a character, as they are within a sentence."""
        said = " ".join(self.text[self.words[first][0] : end].split())
        return small(said) if first == 0 else said

    def _capital(self, said: str) -> str:
        return said[:1].upper() + said[1:] if self.text[self.words[0][0]].isupper() else said


def units_of(text: str, tokens: Sequence[Token], ends: Sequence[int]) -> Iterator[Unit]:
    """What of a question may be said wrongly; `ends` are those of its words."""
    for phrase in phrases(tokens):
        start, end = tokens[phrase.first].start, tokens[phrase.last].end
        before = tokens[phrase.first - 1].tag if phrase.first else ""
        if _fits(phrase, before):
            yield Unit(phrase.kind, start, end)
            if phrase.kind in ("noun", "whole noun"):
                yield Unit(f"loose {phrase.kind}", start, end)
            if phrase.kind == "whole noun" and [token.tag for token in tokens[phrase.last + 1 :][:1]] == ["POS"]:
                yield Unit("owner", start, tokens[phrase.last + 1].end)
    for match, end in zip(_WORD.finditer(text), ends, strict=True):
        word = text[match.start() : end].lower()
        if like(word) and match.start() and tokens:
            yield Unit(f"like {word}", match.start(), end)


def _fits(phrase: Phrase, before: str) -> bool:
    """Whether others of its kind may stand behind a word with this tag: no whole noun phrase behind a determiner."""
    inside = before in _BEFORE_A_NOUN
    return inside if phrase.kind == "noun" else not (inside and phrase.kind == "whole noun")


def _again(slip: Slip, wrong: str) -> str:
    """What is said after the interregnum of a late correction."""
    match slip.style:
        case "scratch":
            return f"scratch {wrong} I meant {slip.again}"
        case "but":
            return f"not {wrong} but {slip.again}"
        case "not":
            return f"{slip.again} not {wrong}"
        case _:
            return f"{slip.again} {slip.style}".rstrip()


def words_by_kind(text: str, tokens: Sequence[Token]) -> Iterator[tuple[str, str]]:
    """What of a passage may be said by mistake, with its kind."""
    for phrase in phrases(tokens):
        said = small(" ".join(text[tokens[phrase.first].start : tokens[phrase.last].end].split()))
        article, _, rest = said.partition(" ")
        yield phrase.kind, said
        if phrase.kind in ("noun", "whole noun", "adjective"):
            yield from _loose(phrase, said)
        if phrase.kind == "whole noun" and article in ("a", "an"):
            yield phrase.kind, f"the {rest}"
        if phrase.kind == "whole noun" and tokens[phrase.last].tag in NAMES:
            yield "owner", f"{said}'s"


def _loose(phrase: Phrase, said: str) -> Iterator[tuple[str, str]]:
    """What a noun phrase may be broken off as: an adjective, or all but the last word."""
    kinds = ("loose whole noun",) if phrase.kind == "whole noun" else ("loose noun", "loose whole noun")
    cut = "" if phrase.joined else said.rpartition(" ")[0]
    for words in (said, "" if cut in ("the", "a", "an") else cut):
        if words:
            yield from ((kind, words) for kind in kinds)


def small(said: str) -> str:
    """Words without the capital of the first, where that is a function word."""
    if not said[:1].isupper():
        return said
    first = _FIRST.match(said)
    return said[0].lower() + said[1:] if first and first[0].lower() in _SMALL and first[0].istitle() else said


@cache
def like(word: str) -> tuple[str, ...]:
    """The words that a speaker may say for a word of a question."""
    found = {other: None for group in _LIKE if word in group for other in sorted(group)}
    return tuple(other for other in (*found, *OPPOSITE_ENDS.get(word, ())) if other != word)


def near(options: Sequence[_T], rng: Random) -> _T:
    """An option; each is rarer than the one before."""
    at = 0
    while at + 1 < len(options) and rng.random() < _RARER:
        at += 1
    return options[at]
