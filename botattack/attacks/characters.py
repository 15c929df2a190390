"""The modification baselines of DPAEG (section 4.4.2): characters of keywords changed at random. Pure."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from math import factorial, isqrt
from random import Random
from typing import ClassVar, Literal, get_args

from botattack.attacks.keywords import Keywords, choose_keywords
from botattack.attacks.listing import Listing, Slots
from botattack.attacks.words import Respelt, options_of, word_tokens
from botattack.protocols import Context
from botattack.text.clusters import alphabet, clusters
from botattack.text.keyboards import neighbours
from botattack.text.needs import parse

Noise_ = Literal["replace", "swap", "middle", "shuffle", "keyboard"]


@dataclass(frozen=True)
class Respelling(Listing):
    """Options:
    keywords: which words change, as in `dpaeg`: those of the `dependency` parse, all `content` words, `random` words
      as many as the first finds, or `all`. Without a parser for the language the first two take words that look like
      content; the last needs none.
    """

    drawn: ClassVar[bool] = True
    distinct: ClassVar[bool] = True

    keywords: Keywords = "dependency"

    def parts(self) -> tuple[str, ...]:
        return () if self.keywords == "all" else ("parse",)

    def slots(self, context: Context, rng: Random) -> Slots:
        question = context.question
        if self.keywords == "all":
            tokens = word_tokens(question.text)
        else:
            tokens = yield from parse(question.text, question.lang)
        chosen = [tokens[i] for i in choose_keywords(tokens, self.keywords, rng)]
        most = self.enough(len(chosen))
        return [options_of(word, self.respelt(word.text, question.lang, most, rng)) for word in chosen]

    @abstractmethod
    def enough(self, words: int) -> int:
        """How many other spellings of each of so many words are enough to draw from."""

    @abstractmethod
    def respelt(self, word: str, lang: str, most: int, rng: Random) -> Iterable[Respelt]:
        """Other spellings, of each kind at most so many; may repeat themselves."""


@dataclass(frozen=True)
class RandomCharacters(Respelling):
    """Replaces characters of keywords with random letters: the random keywords modification of DPAEG, section 4.4.2.

    A letter is replaced with another of its script, a digit with a digit, in its case; what a reader takes for one
    character is replaced as a whole.

    Options:
      characters: how many characters of a keyword change at most.

    Decided here: the paper does not say how many characters change; up to 2 in a keyword and 4 in a question, as
    DPAEG itself may, so that the two differ in which edits they make, not in how many.
    """

    name: ClassVar[str] = "random-characters"

    epsilon: int | None = 4
    combine: int | None = None
    characters: int = 2

    def enough(self, words: int) -> int:
        # Two words can be combined, so that the square of this is there to draw from.
        return self.per_question if words < 2 or self.combine == 1 else 4 + 2 * isqrt(self.per_question)

    def respelt(self, word: str, lang: str, most: int, rng: Random) -> Iterator[Respelt]:
        letters = clusters(word)
        places = [i for i, letter in enumerate(letters) if others(letter, lang)]
        for _ in range(most if places else 0):
            new = letters.copy()
            for i in rng.sample(places, min(rng.randint(1, self.characters), len(places))):
                new[i] = rng.choice(others(letters[i], lang))
            yield "".join(new), "random", 0


@dataclass(frozen=True)
class Noise(Respelling):
    """Misspells keywords blindly: the noisy texts of DPAEG, section 4.4.2 (after Belinkov and Bisk).

    `replace` puts another letter in place of one, `swap` exchanges two neighbours, `middle` shuffles all letters but
    the first and last, `shuffle` all letters, `keyboard` hits the key beside. Every script is served; a letter
    without a known keyboard has no key beside it.

    Options:
      kinds: which of the five.

    Decided here: one keyword changes at a time, for the paper compares modifications of a keyword; there is no limit
    of distance, for the paper's own noise goes farther than DPAEG does. Two letters that are swapped are neighbours.
    """

    name: ClassVar[str] = "noise"

    kinds: tuple[Noise_, ...] = get_args(Noise_)

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.kinds:
            raise ValueError("kinds must name at least one of " + ", ".join(get_args(Noise_)))

    def enough(self, words: int) -> int:
        # Short words have few neighbours to swap: the kinds that have many make up for them.
        return 2 + 2 * self.per_question // max(1, words * len(self.kinds))

    def respelt(self, word: str, lang: str, most: int, rng: Random) -> Iterator[Respelt]:
        letters: Letters = word if word.isascii() else clusters(word)
        for kind in self.kinds:
            far = 1 if word.isascii() and kind in ("replace", "swap", "keyboard") else 0
            for after in MAKERS[kind](letters, lang, most, rng):
                yield after, kind, far


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
    ways = [(i, other) for i, letter in enumerate(letters) for other in by(letter)]
    chosen = rng.sample(ways, min(most, len(ways)))
    if isinstance(letters, str):
        return [letters[:i] + other + letters[i + 1 :] for i, other in chosen]
    return ["".join((*letters[:i], other, *letters[i + 1 :])) for i, other in chosen]


def _swapped(letters: Letters, lang: str, most: int, rng: Random) -> list[str]:
    del lang
    places = range(len(letters) - 1)
    return [
        "".join((*letters[:i], letters[i + 1], letters[i], *letters[i + 2 :]))
        for i in rng.sample(places, min(most, len(places)))
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
    """Different orders; a word with few of them is not shuffled for long."""
    ways = factorial(min(len(letters), 12)) if len(set(letters)) > 1 else 0
    chance = rng.random
    seen = {"".join(letters): None}
    for _ in range(min(most + 4, 4 * ways)):
        # A fifth of the time that `rng.shuffle` takes.
        seen["".join(sorted(letters, key=lambda _: chance()))] = None
    return list(seen)[1 : most + 1]


MAKERS = {"replace": _replaced, "swap": _swapped, "middle": _middle, "shuffle": _shuffled, "keyboard": _mistyped}
