"""Where a speaker may break off, what is said by mistake, and how the question goes on (Disfl-QA). Pure."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from random import Random
from typing import Literal, NamedTuple, TypeVar

from botattack.attacks.building.agreeing import ARTICLES
from botattack.attacks.building.parsed import ENDS
from botattack.attacks.sentences.disfluency.mistaken_words import like, small
from botattack.attacks.sentences.disfluency.spoken_phrases import NAMES, NOUN_FOLLOWS, NOUNS, Phrase, phrases, repaired
from botattack.model import Edit, Token
from botattack.text.word_lists import function_words, grammar_words, slip_words

Form = Literal["restart", "correction", "late-correction", "repetition", "filler"]
Style = Literal["", "not", "rather", "instead", "but", "scratch"]
"""How the right words are said in a late correction: "no Venice", "no Venice not Paris", "no Venice rather", "no Venice
instead", "no not Paris but Venice", "no scratch Paris I meant Venice". A correction at the end of the question may have
"rather" or "instead" too."""
Pools = Mapping[str, Sequence[str]]
"""Words by kind, each of which may be said by mistake for another of its kind."""
_T = TypeVar("_T")

_WORD = re.compile(r"\S+")
_STYLES: Sequence[Style] = ("", "not", "rather", "instead", "but", "scratch")
_AT_THE_END: Sequence[Style] = ("", "rather", "instead")
_BACK = 4
"""Words said again at most before a correction."""
_TWICE = 3
"""Words repeated at most."""
_RARER = 0.25
"""How much rarer each further choice is: of 3,214 corrections of Disfl-QA, 2,493 say no word again, 646 one, 60 two."""
_OFTENER = 5
"""How much oftener a whole phrase or a verb is wrong than one broken off or a word that questions share."""
_WHOLE = frozenset(["number", "owner", "base", "past", "present", "participle", "determined", "noun", "whole noun"])
_LATE = frozenset(["noun", "whole noun", "number", "owner", "adjective", "determined", "asked noun", "short name"])
_LEADS = frozenset(["DT", "PRP$", "IN", "TO", "JJ", "CD", "WDT", "WP$"])
"""What is said again with the phrase behind it: "in 1466", "the last", "which city"."""
_SHORTER = 0.45
"""How much rarer each further word makes a correction: in 60 of 100 the right words are one, in 27 two, in 10 three."""
_BEGINS = frozenset(["what", "how", "why", "when", "where"])
"""Question words that a question may begin with behind a clause."""
_ASKS = frozenset(["what", "which"])
_PLACED = frozenset(["in", "at", "on"])
"""What is before a place that may be said again as "there"."""


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
        self._tokens = repaired(tokens)
        self._tags = {token.start: token.tag for token in self._tokens}
        self._units = [unit for unit in units_of(text, self._tokens, self._ends) if unit.start in self._number]
        whole = frozenset(self._ends)
        self._stops: dict[int, set[int]] = defaultdict(set)
        for unit in self._units:
            self._stops[unit.start] |= {unit.end} & whole

    def slips(self) -> Iterator[Slip]:
        """All restarts, corrections and late corrections."""
        yield from self._restarts()
        for unit in self._units:
            if self._may_be_early(unit):
                yield from (self._early(unit, *way) for way in product(self._backs(unit), self._closings(unit)))
            yield from (
                self._late(unit, at, again, style)
                for at, style in product(self._breaks(unit), _STYLES)
                for again in self._repairs(unit, at)
            )

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
            return self._early(unit, near(self._backs(unit), rng), near(self._closings(unit), rng))
        at = near(self._breaks(unit), rng)
        return self._late(unit, at, near(self._repairs(unit, at), rng), near(_STYLES, rng))

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
                Edit(slip.at, "", f" {interregnum} {_again(slip, wrong)}", slip.form),
            )
        said = " ".join(part for part in (wrong, interregnum, slip.again) if part)
        last = (Edit(self._last, "", f" {slip.style}", slip.form),) if slip.style else ()
        if slip.at > start:
            return (Edit(slip.at, "", f"{said} ", slip.form), *last)
        word = self.text[start:end]
        return (Edit(start, word, f"{self._capital(said)} {self._inside(word)}", slip.form), *last)

    def next(self, slip: Slip) -> str:
        """What is said behind the interregnum."""
        return slip.again if slip.end else self.text[slip.at :]

    def _restarts(self) -> Iterator[Slip]:
        """At the beginning, before a question word behind a comma, before another one, behind another comma: the most
        common first."""
        inside = range(1, len(self.words))
        commas = [n for n in inside if self.text[self.words[n - 1][1] - 1] == ","]
        asks = [n for n in inside if self._word(n) in _BEGINS]
        for n in dict.fromkeys((0, *(n for n in commas if n in asks), *asks, *commas)):
            yield Slip("restart", "opening", self.words[n][0])

    def _word(self, n: int) -> str:
        return self.text[slice(*self.words[n])].lower()

    def _backs(self, unit: Unit) -> Sequence[int]:
        return range(min(_BACK, self._number[unit.start]) + 1)

    def _closings(self, unit: Unit) -> Sequence[Style]:
        return _AT_THE_END if unit.end == self._last and unit.start > self.words[0][0] else ("",)

    def _early(self, unit: Unit, back: int, style: Style) -> Slip:
        again = self._said(self._number[unit.start] - back, unit.start)
        return Slip("correction", unit.pool, unit.start, 0, 0, again, style, self.text[unit.start : unit.end])

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
        return fits and unit.end in self._stops[unit.start] and unit.end < self._last

    def _breaks(self, unit: Unit) -> Sequence[int]:
        """Where the speaker breaks off before a late correction: at the end, or behind a longer phrase."""
        return (self._last, *self._longer(unit)) if self._may_be_late(unit) else ()

    def _longer(self, unit: Unit) -> Sequence[int]:
        return sorted(stop for stop in self._stops[unit.start] if stop > unit.end)

    def _repairs(self, unit: Unit, at: int) -> Sequence[str]:
        """What is said again in a late correction, up to at most where it broke off: the right words, with what leads
        to them, with what follows, or in other words."""
        n = self._number[unit.start]
        if not n and unit.pool.startswith("like "):
            return [self._said(0, unit.end)]
        led = n and self._tags.get(self.words[n - 1][0]) in _LEADS
        backs = [0, *([1] if led else ()), *self._from_the_question_word(n)]
        stops = [min(stop, at) for stop in (unit.end, *self._longer(unit), self._last)]
        said = [self._said(n - back, stop) for stop in stops for back in backs]
        return list(dict.fromkeys((*said[: len(backs)], *self._shorter(unit, at), *said)))

    def _from_the_question_word(self, n: int) -> Sequence[int]:
        """How many words are said again from a question word on, if it is two or three before."""
        said = [self.text[start:end].lower() for start, end in self.words[max(n - 3, 0) : n]]
        return [back for back in (2, 3) if back <= len(said) and said[-back] in grammar_words.question_words]

    def _shorter(self, unit: Unit, at: int) -> Iterator[str]:
        """The right words with their noun alone ("the last outbreak" of "the last plague outbreak"), with "the" for a
        question word, and with "there" for a place at the end."""
        n = self._number[unit.start]
        before = self.text[self.words[n - 1][0] : self.words[n - 1][1]].lower() if n else ""
        led = self._said(n - 1, unit.end) if before in ("the", *ARTICLES) else self._said(n, unit.end)
        if before in _ASKS:
            yield f"the {small(self.text[unit.start : unit.end])}"
        heads = [self._number[token.start] for token in self._tokens if unit.end < token.start in self._number]
        run = [m for m in heads if all(self._tags.get(self.words[k][0]) in NOUNS for k in range(n + 1, m + 1))]
        if len(run) > 1 and self._tags.get(unit.start, "").startswith("JJ") and self._ends[run[-1]] <= at:
            yield f"{led} {self._said(run[-1], self._ends[run[-1]])}"
        if at == self._last and self._place() > unit.end:
            yield f"{led} there"

    def _place(self) -> int:
        """Where the place that ends the question begins, "in Poland"; 0 if none does."""
        at = len(self.words) - 1
        while at and self._tags.get(self.words[at][0]) in NAMES:
            at -= 1
        start, end = self.words[at]
        return start if at < len(self.words) - 1 and self.text[start:end] in _PLACED else 0

    def _late(self, unit: Unit, at: int, again: str, style: Style) -> Slip:
        right = self.text[unit.start : unit.end]
        return Slip("late-correction", unit.pool, at, unit.start, unit.end, again, style, right)

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
        if tokens and like(word) and (text[: match.start()].strip() or word in _BEGINS):
            yield Unit(f"like {word}", match.start(), end)


def _pools(tokens: Sequence[Token], phrase: Phrase) -> Iterator[tuple[str, int, int]]:
    """The pools of what may be said for a phrase, each with the first and the last token that it is said for."""
    kind, first, last = phrase.kind, phrase.first, phrase.last
    yield kind, first, last
    if kind in ("noun", "whole noun"):
        yield f"loose {kind}", first, last
        yield from ((pool, first, end) for pool, end in _nominal(tokens, phrase))
    elif first and first == last and kind in ("past", "participle", "base"):
        word, before = tokens[first].text.lower(), tokens[first - 1]
        if before.pos == "AUX" and kind != "base":
            yield f"not {word}", first, last
        elif before.text.lower() == "not":
            yield f"without not {word}", first - 1, last


def _nominal(tokens: Sequence[Token], phrase: Phrase) -> Iterator[tuple[str, int]]:
    """The further pools of a noun phrase, each with the last token that it is said for."""
    first, last = phrase.first, phrase.last
    before = tokens[first - 1].text.lower() if first else ""
    behind = tokens[last + 1].text.lower() if last + 1 < len(tokens) else ""
    counts = first == last and tokens[first].text.lower() in slip_words.nouns and behind == "of"
    asked = first == 1 and before in _ASKS and tokens[last].tag in ("NN", "NNP")
    whole = phrase.kind == "whole noun"
    found = {
        "asked noun": counts or asked,
        "determined": whole and tokens[first].text.lower() in ("the", *ARTICLES),
        "short name": whole and tokens[last].tag in NAMES,
        "adjective": whole and before in ("be", "been"),
    }
    yield from ((pool, last) for pool, fits in found.items() if fits)
    if whole and behind in ("'s", "’s"):
        yield "owner", last + 1


def _fits(phrase: Phrase, before: str) -> bool:
    """Whether others of its kind may stand behind a word with this tag: no whole noun phrase behind a determiner."""
    inside = before in NOUN_FOLLOWS
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


def near(options: Sequence[_T], rng: Random) -> _T:
    """An option; each is rarer than the one before."""
    at = 0
    while at + 1 < len(options) and rng.random() < _RARER:
        at += 1
    return options[at]
