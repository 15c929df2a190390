"""What the question phrase of a parsed question says the answer is. Pure; English."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile

from botattack.attacks.building.clauses import BE
from botattack.model import Token
from botattack.text.word_lists import fake_words, stated, word_kinds

_EARLY = 2
_ASKS = frozenset(["WP", "WDT", "WRB", "WP$"])


def asked_for(asked: Sequence[Token]) -> str:
    """What the question phrase says the answer is: the noun behind "what" or "which", else its word."""
    kinds, noun = word_kinds("fakes.asked"), asked_noun(asked)
    near = [noun.lemma or noun.text.lower(), noun.text.lower(), noun.text.lower().removesuffix("s")] if noun else []
    first = "".join(asked[i].text.lower() for i in asking_word(asked))
    return next((kinds[word] for word in (*near, first) if word in kinds), "")


def asking_word(asked: Sequence[Token]) -> list[int]:
    """The word that asks: at the beginning, else the last, as the others may relate ("the king who ruled what")."""
    found = [i for i, token in enumerate(asked) if token.tag in _ASKS]
    return found[:1] if found and found[0] < _EARLY else found[-1:]


def asks_for_more_than_a_name(asked: Sequence[Token]) -> bool:
    """Whether several are asked for, or what something is called: of these no single name of somebody is one."""
    noun = asked_noun(asked)
    before = asked[asked.index(noun) - 1].text.lower() if noun else ""
    return noun is not None and (noun.tag == "NNS" or (noun.text.lower() == "name" and before in fake_words.partial))


def asked_noun(asked: Sequence[Token]) -> Token | None:
    """The noun behind the question word, or the one that "what is the" or "what is the name of the" is followed by."""
    at = next(iter(asking_word(asked)), len(asked))
    phrase = takewhile(lambda token: token.pos in ("NOUN", "PROPN", "ADJ", "NUM", "DET", "PART"), asked[at + 1 :])
    found = [token for token in phrase if token.pos == "NOUN"]
    behind = asked.index(found[-1]) + 1 if found and found[-1].text.lower() in stated.kind_of else 0
    if behind and [token.text for token in asked[behind : behind + 1]] == ["of"]:
        found = [token for token in asked[behind + 1 : behind + 2] if token.pos == "NOUN"] or found
    if found or at == len(asked) or asked[at].text.lower() not in ("what", "which"):
        return found[-1] if found else None
    near = asked[at + 1 : at + 2]
    nouns = [i for i in range(at + 2, len(asked)) if asked[i].pos == "NOUN" and asked[i].relation != "compound"]
    whole = [i for i in nouns if asked[i].text.lower() != "name" or asked[i - 1].text.lower() in fake_words.partial]
    verb = near and near[0].text.lower() in BE and near[0].head == at + 1
    return asked[whole[0]] if verb and whole else None
