"""The modification baselines of DPAEG (section 4.4.2): characters of keywords changed at random. Pure."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache, partial
from itertools import product
from math import factorial, floor, isqrt
from random import Random
from typing import ClassVar, Literal

from botattack.attacks.building.advice import SPELLING
from botattack.attacks.building.combinations import Edited, Slot
from botattack.attacks.building.guard import batches, claimed_first, emit
from botattack.attacks.building.keywords import Chosen, Keywords, choose_keywords
from botattack.attacks.building.listing import Listing, Slots
from botattack.attacks.building.plain_words import (
    SUMMED,
    Respelt,
    alone,
    by_chance,
    edits_of,
    free,
    options_of,
    parted,
    shapes,
    some_of,
    stem_of,
    together,
    word_tokens,
)
from botattack.attacks.building.recovering import Recoverable, one_alone
from botattack.model import Edit, Question, Token, Variant
from botattack.options import Count, Some
from botattack.places import QUESTION
from botattack.protocols import Context, Proposals
from botattack.text.clusters import alphabet, clusters
from botattack.text.languages import language
from botattack.text.parse_need import parse
from botattack.text.spelling import LONG, measure_of
from botattack.text.word_lists import persian_words

Noise_ = Literal["replace", "swap", "middle", "shuffle", "keyboard"]


@dataclass(frozen=True)
class Respelling(Recoverable, Listing):
    """What attacks share that respell single words."""

    drawn: ClassVar[bool] = True
    distinct: ClassVar[bool] = True

    keywords: Keywords = "dependency"
    """Which words change, as in `dpaeg`: those of the `dependency` parse, all `content` words, `random` words as many
    as the first finds, or `all`. Without a parser for the language the first two take words that look like content; the
    last needs none."""

    def parts(self) -> tuple[str, ...]:
        return (*(() if self.keywords == "all" else ("parse",)), *self.reader_parts())

    def slots(self, context: Context, rng: Random) -> Slots:
        words = yield from self._words(context.question, rng)
        return self._slots(context.question, words, rng)

    def _words(self, question: Question, rng: Random) -> Chosen:
        tokens: Sequence[Token]
        if self.keywords == "all":
            tokens = word_tokens(question.text)
        else:
            tokens = yield from parse(question.text, question.lang)
        chosen = [stem_of(tokens[i]) for i in choose_keywords(tokens, self.keywords, rng)]
        affixes = persian_words.affixes if question.language == "fa" else frozenset()
        return [word for word in chosen if word.text not in affixes] or chosen

    def _slots(self, question: Question, words: Sequence[Token], rng: Random) -> list[Slot]:
        most = self.enough(len(words))
        return [options_of(word, self.respelt(word.text, question.lang, most, rng)) for word in words]

    def propose(self, context: Context, rng: Random) -> Proposals:
        """As every listing does; what is only drawn from a plain text is not listed first, which costs a fraction."""
        question = context.question
        if self.combine != 1 and self.meaning != "paper" and one_alone(question):
            return (yield from replace(self, combine=1).propose(context, rng))
        if self.take != "sample":
            return (yield from super().propose(context, rng))
        words = yield from self._words(question, rng)
        found = self._found(context, words, rng) if parted(question.text, words) else None
        if found is None:
            return (yield from self.offered(context, self._slots(question, words, rng), rng))
        yield from batches(found)
        return None

    def _found(self, context: Context, words: Sequence[Token], rng: Random) -> Sequence[Variant] | None:
        """The variants of a plain text; None if they must be listed."""
        question, judge = context.question, self.judge_of(context)
        # Where some may be unsure, a few more are drawn.
        drawn = self if judge is None else replace(self, per_question=self.per_question * 4 // 3 + 1)
        made = drawn.made(question, free(question, words), rng)
        if made is None:
            return None
        return claimed_first(emit(question, made, self.name, self.expect, judge), self.per_question)

    @abstractmethod
    def made(self, question: Question, words: Sequence[Token], rng: Random) -> Iterable[Edited] | None:
        """A plain text whose words are parted, respelt; None if what may be written must be listed."""

    @abstractmethod
    def enough(self, words: int) -> int:
        """How many other spellings of each of so many words are enough to draw from."""

    @abstractmethod
    def respelt(self, word: str, lang: str, most: int, rng: Random) -> Iterable[Respelt]:
        """Other spellings, of each kind at most so many; may repeat themselves."""


@dataclass(frozen=True)
class RandomCharacters(Respelling):
    """Replaces letters of keywords with random ones. This is the random keywords modification of DPAEG, section 4.4.2.

    A letter is replaced with another of its script, a digit with a digit, in its case; what looks like one character is
    replaced as a whole.

    Decided here: the paper does not say how many characters change; up to 2 in a keyword and 4 in a question, as
    DPAEG itself may, so that the two differ in which edits they make, not in how many.
    """

    name: ClassVar[str] = "random-characters"
    plain: ClassVar[str] = "Random letters"
    advice: ClassVar[str] = SPELLING

    epsilon: Count | None = 4
    combine: Count | None = None
    characters: int = 2
    """How many characters of a keyword change at most."""

    def enough(self, words: int) -> int:
        # Two words can be combined, so that the square of this is there to draw from.
        return self.per_question if words < 2 or self.combine == 1 else 6 + 3 * isqrt(self.per_question) // 2

    def made(self, question: Question, words: Sequence[Token], rng: Random) -> Iterator[Edited] | None:
        epsilon = self.epsilon or self.characters * len(words)
        if epsilon > SUMMED:
            return None
        most = self.enough(len(words))
        respelt = [edits_of(word, self.respelt(word.text, question.lang, most, rng)) for word in words]
        known = shapes(respelt, epsilon, self.combine)
        if known is None:
            return None
        numbers = some_of(sum(shape.total for shape in known), self.per_question, rng)
        return together(question.text, known, numbers)

    def respelt(self, word: str, lang: str, most: int, rng: Random) -> Iterator[Respelt]:
        letters = clusters(word)
        found = [others(letter, lang) for letter in letters]
        places = [i for i, other in enumerate(found) if other]
        size, chance, plain = len(places), rng.random, word.isascii()
        for _ in range(most if places else 0):
            count = 1 + floor(chance() * self.characters)
            new = letters.copy()
            if count == 1 or size == 1:
                i = places[floor(chance() * size)]
                new[i] = found[i][floor(chance() * len(found[i]))]
                yield "".join(new), "random", plain
                continue
            chosen: set[int] = set()
            count = min(count, size)
            while len(chosen) < count:
                chosen.add(places[floor(chance() * size)])
            for i in chosen:
                new[i] = found[i][floor(chance() * len(found[i]))]
            yield "".join(new), "random", 0


@dataclass(frozen=True)
class Noise(Respelling):
    """Changes letters of keywords at random, also in ways in which people rarely mistype. These are the noisy texts of
    DPAEG, section 4.4.2 (after Belinkov and Bisk).

    `replace` puts another letter in place of one, `swap` exchanges two neighbours, `middle` shuffles all letters but
    the first and last, `shuffle` all letters, `keyboard` hits a neighbouring key. Works in every script; letters
    without a known keyboard have no neighbouring keys.

    Decided here: one keyword changes at a time, because the paper compares modifications of a keyword. There is no
    limit of distance, because the paper's own noise changes more than DPAEG does. Swapped letters are neighbours.
    """

    name: ClassVar[str] = "noise"
    plain: ClassVar[str] = "Scrambled letters"
    advice: ClassVar[str] = SPELLING

    kinds: Some[Noise_] = ("replace", "swap", "middle", "shuffle", "keyboard")
    """Which of the five."""

    def made(self, question: Question, words: Sequence[Token], rng: Random) -> Iterator[Edited] | None:
        if self.combine != 1 or self.epsilon is not None:
            return None
        made = self._shares(words, question.lang, rng)
        made.sort(key=by_chance(rng))
        return alone(question.text, made[: self.per_question])

    def _shares(self, words: Sequence[Token], lang: str, rng: Random) -> list[tuple[Edit, int]]:
        """So many as are wanted or a few more, from each word and kind the same share; what has not so many leaves
        its share to the next."""
        made = list[tuple[Edit, int]]()
        seen = [{word.text.casefold()} for word in words]
        shortest_first = sorted(range(len(words)), key=lambda i: len(words[i].text))
        pools = [(kind, i) for kind in sorted(self.kinds, key=FEWEST.index) for i in shortest_first]
        wanted = max(self.per_question, 2 * len(pools))
        for done, (kind, i) in enumerate(pools):
            text, start, relation, pos = words[i].text, words[i].start, words[i].relation, words[i].pos
            # A few more than its share: some were found by another kind.
            share = (wanted - len(made)) * 5 // (4 * (len(pools) - done)) + 1
            found = MAKERS[kind](text, lang, share, rng)
            by_form = dict(zip(found if text.islower() else map(str.casefold, found), found, strict=True))
            new = [after for form, after in by_form.items() if form not in seen[i]]
            seen[i].update(by_form)
            if kind in AT_ONE:
                made += [(Edit(start, text, after, kind, QUESTION, relation, pos), 1) for after in new]
            else:
                measure = measure_of(text)
                made += [
                    (Edit(start, text, after, kind, QUESTION, relation, pos), measure(text, after)) for after in new
                ]
        return made

    def enough(self, words: int) -> int:
        # Short words have few neighbours to swap: the kinds that have many make up for them.
        return 2 + 2 * self.per_question // max(1, words * len(self.kinds))

    def respelt(self, word: str, lang: str, most: int, rng: Random) -> Iterator[Respelt]:
        letters: Letters = word if word.isascii() else clusters(word)
        for kind in self.kinds:
            far = 1 if word.isascii() and kind in AT_ONE else 0
            for after in MAKERS[kind](letters, lang, most, rng):
                yield after, kind, far


@lru_cache(4096)
def others(letter: str, lang: str) -> str:
    """What may stand in place of a character: other letters of its script in its case, or other digits."""
    if letter.isdigit() and letter.isascii():
        return "0123456789".replace(letter, "")
    lower = letter.lower()
    found = alphabet(lower, lang).replace(lower[0], "") if lower else ""
    return found.upper() if letter.isupper() and letter != lower else found


Letters = str | list[str]
"""A word in what a reader takes for characters: itself where it is ASCII."""


def _replaced(letters: Letters, lang: str, most: int, rng: Random) -> list[str]:
    return _substituted(letters, partial(others, lang=lang), most, rng)


def _mistyped(letters: Letters, lang: str, most: int, rng: Random) -> list[str]:
    def beside(letter: str) -> str:
        keys = neighbours(letter.lower(), lang)
        return keys.upper() if letter.isupper() else keys

    return _substituted(letters, beside, most, rng)


def _substituted(letters: Letters, by: Callable[[str], str], most: int, rng: Random) -> list[str]:
    places = range(len(letters)) if len(letters) <= LONG else rng.sample(range(len(letters)), LONG)
    ways = [(i, other) for i in places for other in by(letters[i])]
    chosen = [ways[n] for n in some_of(len(ways), most, rng)]
    if isinstance(letters, str):
        return [letters[:i] + other + letters[i + 1 :] for i, other in chosen]
    return ["".join((*letters[:i], other, *letters[i + 1 :])) for i, other in chosen]


def _swapped(letters: Letters, lang: str, most: int, rng: Random) -> list[str]:
    del lang
    return [
        "".join((*letters[:i], letters[i + 1], letters[i], *letters[i + 2 :]))
        for i in some_of(len(letters) - 1, most, rng)
    ]


def _middle(letters: Letters, lang: str, most: int, rng: Random) -> list[str]:
    del lang
    if len(letters) < 4:
        return []
    return [letters[0] + middle + letters[-1] for middle in _shuffles(letters[1:-1], most, rng)]


def _shuffled(letters: Letters, lang: str, most: int, rng: Random) -> list[str]:
    del lang
    return _shuffles(letters, most, rng)


def _shuffles(letters: Letters, most: int, rng: Random) -> list[str]:
    """Different orders; a word with few of them is not shuffled for long. Of a long one only so many letters in a row
    move, as each order costs the length."""
    if len(letters) > LONG:
        at = rng.randrange(len(letters) - LONG)
        head, tail = "".join(letters[:at]), "".join(letters[at + LONG :])
        return [head + middle + tail for middle in _shuffles(letters[at : at + LONG], most, rng)]
    ways = factorial(min(len(letters), 12)) if len(set(letters)) > 1 else 0
    order = by_chance(rng)
    seen = {"".join(letters): None}
    for _ in range(min(most + 4, 4 * ways)):
        # A fifth of the time that `rng.shuffle` takes.
        seen["".join(sorted(letters, key=order))] = None
    return list(seen)[1 : most + 1]


MAKERS = {"replace": _replaced, "swap": _swapped, "middle": _middle, "shuffle": _shuffled, "keyboard": _mistyped}
AT_ONE = frozenset({"replace", "swap", "keyboard"})
"""Kinds whose words are at a distance of one."""
FEWEST = ("swap", "keyboard", "middle", "shuffle", "replace")
"""The kinds, those before with fewer ways or costlier ones."""


@cache
def _beside(code: str) -> dict[str, str]:
    rows = language(code).keyboard or language("en").keyboard
    keys = {key: (x + y / 2, y) for y, row in enumerate(rows) for x, key in enumerate(row)}
    found: dict[str, str] = dict.fromkeys(keys, "")
    for (one, (x, y)), (other, (far, low)) in product(keys.items(), keys.items()):
        # A slip is within the row, or to one of the two keys that touch it above or below.
        if one != other and abs(y - low) <= 1 and abs(x - far) <= (1 if y == low else 0.5):
            found[one] += other
    return found


def neighbours(key: str, lang: str = "en") -> str:
    """Return the keys beside a lower-case one; "" if the keyboard, English for a language without its own, lacks it."""
    return _beside(lang.partition("-")[0]).get(key, "")
