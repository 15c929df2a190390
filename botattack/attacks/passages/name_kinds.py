"""What a name is of, more finely and more surely than a small parser says: by its own words and by those beside it.
Pure; English."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from botattack.attacks.building.parsed import paired
from botattack.attacks.passages.fake_names import NAMES
from botattack.model import Token
from botattack.text.function_word_list import word_list

_CUES: Mapping[str, tuple[str, ...]] = {
    "SCHOOL": word_list("university college school institute academy"),
    "MUSEUM": word_list("museum gallery library theatre theater"),
    "RIVER": word_list("river creek"),
    "ISLAND": word_list("island islands isle"),
    "LAKE": word_list("lake reservoir"),
    "MOUNTAIN": word_list("mountain mountains mount peak"),
    "AIRPORT": word_list("airport airfield"),
    "ORG": word_list("company corporation inc corp ltd limited"),
    "TEAM": word_list("united rovers athletic fc"),
    "": word_list(
        "church bowl war battle series cup league championship court council parliament treaty act bill day block "
        "party street road avenue building bridge award prize medal order army navy empire dynasty"
    ),
}
_KIND_OF = {word: kind for kind, words in _CUES.items() for word in words}
_STATES = frozenset(["US", "UK", "USA", "UAE", "EU"])
_SMALL = 3
"""Letters of words that a name may write small: "of", "the"."""
_QUOTES = frozenset(['"', "“", "”"])
_DETERMINERS = frozenset(word_list("the a an its his her their this that"))
_PLACED = frozenset(word_list("in at from near to across throughout"))


def kind_of_name(text: str, label: str) -> str:
    """The type of a name that a parser gave a label; "" if nothing is sure enough to name another of its kind."""
    words = text.split()
    if not words or any(word[:1].islower() and len(word) > _SMALL for word in words):
        return ""
    cue = next((_KIND_OF[word.lower()] for word in (words[-1], words[0]) if word.lower() in _KIND_OF), None)
    if cue is not None:
        return cue
    digits = any(char.isdigit() for char in text)
    acronym = len(words) == 1 and text.isupper()
    known = {"PERSON", "GPE", "NORP", "WORK_OF_ART", "LANGUAGE"} if not acronym or text in _STATES else {"ORG"}
    return label if label in known and not digits else ""


def fitting_kind(tokens: Sequence[Token], first: int, last: int, text: str, label: str) -> str:
    """The same for a name where it stands in a sentence."""
    if is_part(tokens, first, last) or not paired(tokens, range(first, last + 1)):
        return ""
    kind, words = kind_of_name(text, label), text.split()
    before = tokens[first - 1].text.lower() if first else ""
    head = tokens[tokens[last].head]
    modifies = tokens[last].relation in ("compound", "nmod") and tokens[last].head > last
    the = before == "the" or words[0].lower() == "the"
    if modifies and (head.pos == "PROPN" or kind != "GPE" or before not in _DETERMINERS):
        return ""
    if (
        not modifies
        and the
        and words[-1].endswith("s")
        and tokens[last].tag in ("NNPS", "NNP", "NNS")
        and kind != "GPE"
    ):
        return (
            "TEAM"
            if len(words) < 3 + the and kind in ("ORG", "PERSON", "") and words[-1].lower() not in _KIND_OF
            else ""
        )
    if (
        kind == "PERSON"
        and len(words) == 1
        and (text.endswith("s") or the or before in _PLACED or before in ("a", "an"))
    ):
        return ""
    if kind == "NORP":
        return "NORP" if tokens[last].pos == "ADJ" and head.pos == "NOUN" and head is not tokens[last] else ""
    return kind


def is_part(tokens: Sequence[Token], first: int, last: int) -> bool:
    """Whether a capital is beside the name: the parser has found a part of a longer one."""
    beside = [*tokens[max(first - 1, 1) : first], *tokens[last + 1 : last + 2]]
    return any(token.text[:1].isupper() or (token.text in _QUOTES and first > 1) for token in beside)


def others_of(kind: str, text: str, before: str, *, modifies: bool) -> list[str]:
    """Names of a type that stand where a name does: with "the" only behind which it stands."""
    the = text[:4].lower() == "the "
    article = before in ("the", "a", "an")
    names = NAMES.get(kind, ())
    if the:
        return [name for name in names if name.startswith("the ")]
    if article and kind not in ("NORP", "LANGUAGE") and not modifies:
        return [name.removeprefix("the ") for name in names if before == "the" and name.startswith("the ")]
    return [name for name in names if not name.startswith("the ")]
