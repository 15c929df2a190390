"""Function words of English: which there are, what class they are of, and which of them carry the sense. Pure."""

from __future__ import annotations

from collections.abc import Mapping


def word_list(text: str) -> tuple[str, ...]:
    """The words of a text, apart."""
    return tuple(text.split())


CLASSES: Mapping[str, tuple[str, ...]] = {
    "determiner": word_list("the a an this that these those some any each every all both no another such"),
    "preposition": word_list(
        "of in on at by for with without from to into onto about as among between through during over under above "
        "below across after before against around near off since than toward until up upon within out down along per "
        "via behind beside beyond except throughout"
    ),
    "auxiliary": word_list(
        "is are was were be been being am do does did has have had can could will would shall should may might must get"
    ),
    "conjunction": ("and", "or", "but", "nor", "if", "because", "while", "although", "whether"),
    "particle": ("there", "not", "it", "one", "so", "too", "also", "then", "just", "only", "even", "still", "never"),
    "pronoun": ("me", "us", "you"),
}
"""Closed classes without question words and most personal pronouns: without those a question asks something else. Those
that are here only say who is to be told ("give me the rivers")."""

CLASS_OF: Mapping[str, str] = {word: name for name, words in CLASSES.items() for word in reversed(words)}

FUNCTION_WORDS = frozenset(CLASS_OF)

QUESTION_WORDS = frozenset(word_list("who whom whose what which when where why how"))
REQUESTS = frozenset(word_list("tell name give list show say find explain describe identify state please"))
"""Words that begin what asks without a question word."""
PRONOUNS = frozenset(word_list("i you he she we they me my your his her our their its us them"))

NEGATIONS = frozenset(word_list("no not n't nor without never"))


STOP_WORDS: Mapping[str, frozenset[str]] = {
    "en": frozenset(
        word_list(
            "a an the and but if or because as until while of at by for with about against between into through "
            "during before after above below to from up down in out on off over under again further then once here "
            "there all any both each few more most other some such only own same so than too very just now also even "
            "that this these those can will"
        )
    ),
    "fa": frozenset(word_list("در به از که را با برای تا و هم نیز یا این آن بر هر چون اگر اما ولی پس")),
    "de": frozenset(
        word_list("der die das den dem des ein eine einen einem einer und oder aber zu in an auf mit von für")
    ),
    "fr": frozenset(word_list("le la les l un une des du de et ou mais à en dans sur avec pour par au aux")),
    "es": frozenset(word_list("el la los las un una unos unas y o pero a en de con por para del al")),
}
"""Words that can be dropped without confusing a reader: no pronoun, no verb, no question word, no negation. `can` and
`will` are auxiliaries; the list that the dialogue paper starts from has them."""
