"""What kind of answer a question asks for, by its own words. Pure; English."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from botattack.attacks.building.clauses import BE
from botattack.model import Token
from botattack.text.word_lists import fake_words, word_kinds

_ASKS = frozenset(["WP", "WDT", "WRB"])


def asked_for(asked: Sequence[Token]) -> str:
    """What the question phrase says the answer is: its word, or the noun behind "what" or "which"."""
    for i, token in enumerate(asked):
        if token.tag in ("WP", "WDT", "WRB", "WP$"):
            near = [token.text.lower(), *(other.lemma or other.text.lower() for other in _phrase(asked, i))]
            if len(near) == 1 and near[0] in ("what", "which"):
                near += _said_to_be(asked, i)
            return next(
                (word_kinds("fakes.asked")[word] for word in reversed(near) if word in word_kinds("fakes.asked")), ""
            )
    return ""


def noun_asked_for(asked: Sequence[Token]) -> str:
    """The noun behind "what" or "which", as it is written."""
    for i, token in enumerate(asked):
        if token.tag in _ASKS:
            found = [*_phrase(asked, i)]
            return found[-1].text.lower() if found else ""
    return ""


def _phrase(asked: Sequence[Token], i: int) -> Iterator[Token]:
    """The nouns that follow a question word without a verb or preposition between."""
    for token in asked[i + 1 :]:
        if token.pos not in ("NOUN", "PROPN", "ADJ", "NUM", "DET", "PART"):
            return
        if token.pos == "NOUN":
            yield token


def _said_to_be(asked: Sequence[Token], i: int) -> list[str]:
    """The noun that "what is the" is followed by, and the one behind "name of the"."""
    found = [n for n, token in enumerate(asked) if n > i and token.pos == "NOUN" and token.relation != "compound"][:2]
    if len(asked) < i + 2 or asked[i + 1].text.lower() not in BE or not found:
        return []
    first = asked[found[0]].text.lower()
    return [asked[found[-1]].text.lower()] if first == "name" else [first]


def asks_for_more_than_a_name(asked: Sequence[Token]) -> bool:
    """Whether several are asked for, or what something is called: of these no single name of somebody is one."""
    noun, lower = _asked_noun(asked), [token.text.lower() for token in asked]
    if noun is None or noun.tag == "NNS":
        return noun is not None
    at = asked.index(noun)
    return lower[at] == "name" and lower[at - 1] in fake_words.partial


def _asked_noun(asked: Sequence[Token]) -> Token | None:
    """The noun behind the question word, or the one that "what is the" is followed by."""
    for i, token in enumerate(asked):
        if token.tag in _ASKS:
            found = [*_phrase(asked, i)]
            if found or token.text.lower() not in ("what", "which"):
                return found[-1] if found else None
            near = asked[i + 1 : i + 2]
            nouns = [other for other in asked[i + 2 :] if other.pos == "NOUN" and other.relation != "compound"]
            verb = near and near[0].text.lower() in BE and near[0].head == i + 1
            return nouns[0] if verb and nouns else None
    return None
