"""What another name may stand in place of a name: of the same type where the type is sure, else one that may be of any.
Pure; English."""

from __future__ import annotations

import re
from collections.abc import Sequence
from random import Random

from botattack.attacks.building.parsed import paired
from botattack.attacks.fakes.names import ACRONYMS, INVENTED, NAMES
from botattack.attacks.fakes.numbers import other_roman, shifted
from botattack.model import Token
from botattack.text.function_word_list import word_list
from botattack.text.names import KNOWN

_HEADS = frozenset(
    word_list(
        "university college school institute academy museum gallery library theatre theater river creek island "
        "islands isle lake reservoir mountain mountains peak airport airfield company corporation united rovers "
        "athletic church bowl war battle series cup league championship championships court council parliament "
        "treaty act bill day block party street road avenue building bridge award prize medal order army navy "
        "empire dynasty center centre hall park tower castle palace cathedral station stadium valley sea ocean bay "
        "coast desert canal committee commission convention conference congress union organization organisation "
        "association society foundation department ministry office agency bank group club team band festival game "
        "games season tournament exhibition revolution rebellion uprising movement protocol agreement directive "
        "law code region area district province county kingdom republic plan project program programme mission "
        "operation theory principle cycle system engine freeway highway boulevard square garden metro hospital "
        "hotel press times post magazine newspaper show"
    )
)
"""Last words of names, or first before "of", that say what is named."""
_BETWEEN = frozenset(word_list("of on for in and to with"))
_TITLES = frozenset(
    word_list(
        "Manager President Minister Director Chief Officer Secretary King Queen Count General Vice Prime Leader Coach "
        "Captain Mayor Governor Chancellor Pope Bishop Duke Earl Prince Emperor Lady Lord Sir God"
    )
)
_UNITS = frozenset(word_list("Celsius Fahrenheit Hertz Kelvin CE BC AD BCE"))
"""Words of what is no name, though it has a capital."""
_BARE = frozenset(
    word_list("county university college school street road avenue park square airport station castle hall island lake")
)
_SPOKEN = re.compile(r"[A-Z]\w*(?:ish|ese|ian|ench|eek|atin|utch|indi|abic|erman)")
"""What a language's name looks like."""
_SMALL = 3
"""Letters of words that a name may write small: "of", "the"."""
_QUOTES = frozenset(['"', "“", "”", "'"])
_DETERMINERS = frozenset(word_list("the a an its his her their this that"))
_KINDS = {"country": "COUNTRY", "city": "CITY", "state": "STATE"}


def is_name(text: str) -> bool:
    """Whether every longer word has a capital, and none is a mark."""
    words = text.split()
    return (
        bool(words)
        and (words[0][:1].isupper() or words[0] == "the")
        and all(
            (word == "&" or any(char.isalnum() for char in word)) and (not word[:1].islower() or len(word) <= _SMALL)
            for word in words
        )
    )


def known_kind(text: str) -> str:
    """The type of a country, city or state that is on a list; else ""."""
    lower = text.lower().removeprefix("the ")
    return next((kind for key, kind in _KINDS.items() if lower in KNOWN[key]), "")


def renamed(text: str, rng: Random, *, article: bool) -> list[str]:
    """A name in which what says what is named stays, in random order: "the Maastricht Treaty" becomes "the Kelmar
    Treaty"; of a plural or behind an article the last word stays. Else none.
    """
    start = "the " if text.lower().startswith("the ") else ""
    words = text[len(start) :].split()
    invented = rng.sample(INVENTED, len(INVENTED))
    if len(words) < 2 or words[-1][-1:].isdigit():
        return []
    roman = other_roman(words[-1], rng)
    if roman and words[-2] != "War":
        return [start + " ".join([*words[:-1], roman])]
    if {*words} & (_TITLES | _UNITS):
        return []
    end = next((n for n, word in enumerate(words) if word in _BETWEEN), len(words))
    if end == 1 and words[0].lower() in _HEADS and words[1] == "of":
        return [f"{start}{words[0]} of {name}" for name in invented]
    half = bool(known_kind(words[end - 1])) or words[end - 1].isupper()  # "the Force India driver"
    if (end > 1 and words[end - 1].lower() in _HEADS) or (end == len(words) and (start or article) and not half):
        return [f"{start}{name} {words[end - 1]}" for name in invented]
    return []


def takes_the(name: str) -> bool:
    """Whether "the" stands before a name, by the word that says what is named: "the Kelmar Treaty"."""
    words = name.split()
    last = words[-1].lower() if len(words) > 1 else ""
    return last in _HEADS and last not in _BARE


def named_anew(text: str, rng: Random, *, article: bool, compound: bool = False) -> list[str]:
    """Other names for one of no sure type, in random order; one that only says what is named has none, but before a
    noun: "Parliament elections"."""
    word, start = text.removeprefix("the "), "the " if text.startswith("the ") else ""
    if (word.lower() in _HEADS and not compound) or {*word.split()} & (_TITLES | _UNITS):
        return []
    if any(char.isdigit() for char in word):
        return [*shifted(text, rng)] if word[-1].isdigit() else []
    if word.isupper() and len(word) > 1:
        return [start + name for name in rng.sample(ACRONYMS, len(ACRONYMS))]
    plural = word.endswith("s") and not word.endswith("ss") and " " not in word and (start or article)
    return [f"{start}{name}s" if plural else start + name for name in rng.sample(INVENTED, len(INVENTED))]


def others_of(tokens: Sequence[Token], span: tuple[int, int], label: str, text: str, rng: Random) -> list[str]:
    """Other names for the one from a token of a question to another, in random order; none if it is a part of a longer
    one, in quotation marks, or no name."""
    first, last = span
    before = tokens[first - 1].text.lower() if first else ""
    if not is_name(text) or is_part(tokens, first, last) or not paired(tokens, range(first, last + 1)):
        return []
    behind = tokens[last + 1].pos if last + 1 < len(tokens) else ""
    counted = before == "many" and behind not in ("NOUN", "PROPN")  # "how many Huguenots"
    article = before in _DETERMINERS or counted
    kind = known_kind(text)
    if kind:
        the = before == "the" or text.lower().startswith("the ")
        names = [name for name in NAMES[kind] if name.startswith("the ") == the]
        names = names if text.lower().startswith("the ") else [name.removeprefix("the ") for name in names]
        return rng.sample(names, len(names))
    spoken = before == "in" and bool(_SPOKEN.fullmatch(text))
    if label in ("NORP", "LANGUAGE") and (tokens[last].pos == "ADJ" or spoken):
        names = list(NAMES["LANGUAGE" if spoken else "NORP"])
        return rng.sample(names, len(names))
    if tokens[last].tag not in ("NNP", "NNPS", "NNS") and not (text[-1:].isdigit() or text.isupper()):
        return []
    return renamed(text, rng, article=article and label != "PERSON") or named_anew(
        text, rng, article=article, compound=behind == "NOUN" and tokens[last].relation == "compound"
    )


def is_part(tokens: Sequence[Token], first: int, last: int) -> bool:
    """Whether a capital is beside the name: the parser has found a part of a longer one."""
    beside = [*tokens[max(first - 1, 1) : first], *tokens[last + 1 : last + 2]]
    return any(token.text[:1].isupper() or (token.text in _QUOTES and first > 1) for token in beside)
