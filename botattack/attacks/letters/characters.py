"""The modification baselines of DPAEG (section 4.4.2): characters of keywords changed at random. Pure."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cache, lru_cache, partial
from itertools import product
from math import factorial, isqrt
from random import Random
from typing import ClassVar, Literal

from botattack.attacks.building.advice import SPELLING
from botattack.attacks.building.keywords import Keywords, choose_keywords
from botattack.attacks.building.listing import Listing, Slots
from botattack.attacks.building.plain_words import Respelt, options_of, stem_of, word_tokens
from botattack.attacks.building.recovering import Recoverable, one_alone
from botattack.options import Count, Some
from botattack.protocols import Context, Proposals
from botattack.text.clusters import alphabet, clusters
from botattack.text.languages import language
from botattack.text.parse_need import parse
from botattack.text.spelling import LONG
from botattack.text.word_lists import persian_words

Noise_ = Literal["replace", "swap", "middle", "shuffle", "keyboard"]


@dataclass(frozen=True)
class Respelling(Recoverable, Listing):
    """What attacks share that respell single words."""

    drawn: ClassVar[bool] = True

    keywords: Keywords = "dependency"
    """Which words change, as in `dpaeg`: those of the `dependency` parse, all `content` words, `random` words as many
    as the first finds, or `all`. Without a parser for the language the first two take words that look like content; the
    last needs none."""

    def parts(self) -> tuple[str, ...]:
        return (*(() if self.keywords == "all" else ("parse",)), *self.reader_parts())

    def slots(self, context: Context, rng: Random) -> Slots:
        question, tokens = context.question, word_tokens(context.question.text)
        if self.keywords != "all":
            tokens = yield from parse(question.text, question.lang)
        chosen = [stem_of(tokens[i]) for i in choose_keywords(tokens, self.keywords, rng)]
        affixes = persian_words.affixes if question.language == "fa" else frozenset()
        words = [word for word in chosen if word.text not in affixes] or chosen
        most = self.enough(len(words))
        return [options_of(word, self.respelt(word.text, question.lang, most, rng)) for word in words]

    def propose(self, context: Context, rng: Random) -> Proposals:
        alone = self.combine != 1 and self.meaning != "paper" and one_alone(context.question)
        return (yield from Listing.propose(replace(self, combine=1) if alone else self, context, rng))

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

    def respelt(self, word: str, lang: str, most: int, rng: Random) -> Iterator[Respelt]:
        letters = clusters(word)
        found = [others(letter, lang) for letter in letters]
        places = [i for i, other in enumerate(found) if other]
        for _ in range(most if places else 0):
            new = letters.copy()
            for i in rng.sample(places, min(rng.randint(1, self.characters), len(places))):
                new[i] = rng.choice(found[i])
            yield "".join(new), "random"


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

    def enough(self, words: int) -> int:
        # Short words have few neighbours to swap: the kinds that have many make up for them.
        return 2 + 2 * self.per_question // max(1, words * len(self.kinds))

    def respelt(self, word: str, lang: str, most: int, rng: Random) -> Iterator[Respelt]:
        letters = clusters(word)
        for kind in self.kinds:
            yield from ((after, kind) for after in MAKERS[kind](letters, lang, most, rng))


@lru_cache(4096)
def others(letter: str, lang: str) -> str:
    """What may stand in place of a character: other letters of its script in its case, or other digits."""
    if letter.isdigit() and letter.isascii():
        return "0123456789".replace(letter, "")
    lower = letter.lower()
    found = alphabet(lower, lang).replace(lower[0], "") if lower else ""
    return found.upper() if letter.isupper() and letter != lower else found


def _replaced(letters: list[str], lang: str, most: int, rng: Random) -> list[str]:
    return _substituted(letters, partial(others, lang=lang), most, rng)


def _mistyped(letters: list[str], lang: str, most: int, rng: Random) -> list[str]:
    def beside(letter: str) -> str:
        keys = neighbours(letter.lower(), lang)
        return keys.upper() if letter.isupper() else keys

    return _substituted(letters, beside, most, rng)


def _substituted(letters: list[str], by: Callable[[str], str], most: int, rng: Random) -> list[str]:
    places = range(len(letters)) if len(letters) <= LONG else rng.sample(range(len(letters)), LONG)
    ways = [(i, other) for i in places for other in by(letters[i])]
    chosen = rng.sample(ways, min(most, len(ways)))
    return ["".join((*letters[:i], other, *letters[i + 1 :])) for i, other in chosen]


def _swapped(letters: list[str], lang: str, most: int, rng: Random) -> list[str]:
    del lang
    return [
        "".join((*letters[:i], letters[i + 1], letters[i], *letters[i + 2 :]))
        for i in rng.sample(range(len(letters) - 1), min(most, len(letters) - 1))
    ]


def _middle(letters: list[str], lang: str, most: int, rng: Random) -> list[str]:
    del lang
    if len(letters) < 4:
        return []
    return [letters[0] + middle + letters[-1] for middle in _shuffles(letters[1:-1], most, rng)]


def _shuffled(letters: list[str], lang: str, most: int, rng: Random) -> list[str]:
    del lang
    return _shuffles(letters, most, rng)


def _shuffles(letters: list[str], most: int, rng: Random) -> list[str]:
    """Different orders; a word with few of them is not shuffled for long. Of a long one only so many letters in a row
    move, as each order costs the length."""
    if len(letters) > LONG:
        at = rng.randrange(len(letters) - LONG)
        head, tail = "".join(letters[:at]), "".join(letters[at + LONG :])
        return [head + middle + tail for middle in _shuffles(letters[at : at + LONG], most, rng)]
    ways = factorial(min(len(letters), 12)) if len(set(letters)) > 1 else 0
    seen = {"".join(letters): None}
    for _ in range(min(most + 4, 4 * ways)):
        seen["".join(rng.sample(letters, len(letters)))] = None
    return list(seen)[1 : most + 1]


MAKERS = {"replace": _replaced, "swap": _swapped, "middle": _middle, "shuffle": _shuffled, "keyboard": _mistyped}


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
