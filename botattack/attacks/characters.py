"""The modification baselines of DPAEG (section 4.4.2): characters of keywords changed at random. Pure."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import islice
from math import factorial
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
        return [options_of(word, self.respelt(word.text, question.lang, rng)) for word in chosen]

    @abstractmethod
    def respelt(self, word: str, lang: str, rng: Random) -> Iterable[Respelt]:
        """Other spellings; may repeat themselves."""


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

    def respelt(self, word: str, lang: str, rng: Random) -> Iterator[Respelt]:
        letters = clusters(word)
        places = [i for i, letter in enumerate(letters) if others(letter, lang)]
        for _ in range(self.per_question if places else 0):
            new = letters.copy()
            for i in rng.sample(places, min(rng.randint(1, self.characters), len(places))):
                new[i] = rng.choice(others(letters[i], lang))
            yield "".join(new), "random"


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

    def respelt(self, word: str, lang: str, rng: Random) -> Iterator[Respelt]:
        letters = clusters(word)
        for kind in self.kinds:
            yield from ((after, kind) for after in MAKERS[kind](letters, lang, self.per_question, rng))


def others(letter: str, lang: str) -> str:
    """What may stand in place of a character: other letters of its script in its case, or other digits."""
    if letter.isdigit() and letter.isascii():
        return "0123456789".replace(letter, "")
    lower = letter.lower()
    found = alphabet(lower, lang).replace(lower[0], "") if lower else ""
    return found.upper() if letter.isupper() and letter != lower else found


def _replaced(letters: list[str], lang: str, most: int, rng: Random) -> Iterator[str]:
    return _substituted(letters, partial(others, lang=lang), most, rng)


def _mistyped(letters: list[str], lang: str, most: int, rng: Random) -> Iterator[str]:
    def beside(letter: str) -> str:
        keys = neighbours(letter.lower(), lang)
        return keys.upper() if letter.isupper() else keys

    return _substituted(letters, beside, most, rng)


def _substituted(letters: list[str], by: Callable[[str], str], most: int, rng: Random) -> Iterator[str]:
    ways = [(i, other) for i, letter in enumerate(letters) for other in by(letter)]
    for i, other in rng.sample(ways, min(most, len(ways))):
        yield "".join((*letters[:i], other, *letters[i + 1 :]))


def _swapped(letters: list[str], lang: str, most: int, rng: Random) -> Iterator[str]:
    del lang
    places = range(len(letters) - 1)
    for i in rng.sample(places, min(most, len(places))):
        yield "".join((*letters[:i], letters[i + 1], letters[i], *letters[i + 2 :]))


def _middle(letters: list[str], lang: str, most: int, rng: Random) -> Iterator[str]:
    del lang
    return (
        letters[0] + middle + letters[-1]
        for middle in (_shuffles(letters[1:-1], most, rng) if len(letters) > 3 else ())
    )


def _shuffled(letters: list[str], lang: str, most: int, rng: Random) -> Iterator[str]:
    del lang
    return _shuffles(letters, most, rng)


def _shuffles(letters: list[str], most: int, rng: Random) -> Iterator[str]:
    """Different orders; a word with few of them is not shuffled for long."""
    ways = factorial(min(len(letters), 12)) if len(set(letters)) > 1 else 0
    seen = {"".join(letters)}
    for order in islice(("".join(rng.sample(letters, len(letters))) for _ in range(4 * most)), 4 * min(most, ways)):
        if len(seen) <= most and order not in seen:
            seen.add(order)
            yield order


MAKERS = {"replace": _replaced, "swap": _swapped, "middle": _middle, "shuffle": _shuffled, "keyboard": _mistyped}
