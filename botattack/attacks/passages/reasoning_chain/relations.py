"""Words that relate things, exchanged for others (reasoning chain 2.3). Pure; English."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from botattack.attacks.building.stretches import Alteration
from botattack.attacks.fakes.phrases import opposites, same_stem
from botattack.attacks.passages.alterations import with_article, written, written_as_well
from botattack.attacks.passages.other_questions import only_describes, quoted, relates
from botattack.model import Token
from botattack.protocols import PartsByName
from botattack.text.tokens import normalised
from botattack.text.word_lists import alike, stated

_EACH = 2
"""Other words that are tried for one."""
_POS = {"N": "NOUN", "J": "ADJ", "V": "VERB"}
_COMPARING = {"JJR": "ADJ", "JJS": "ADJ", "RBR": "ADV", "RBS": "ADV"}
_AMOUNTS = frozenset(["more", "most", "less", "least"])
"""What compares amounts has the opposite of what it counts: "the fewest players", but "the least money"."""
_ORDER = ("NOUN", "ADJ", "ADV", "VERB")
"""Other nouns fit best: a verb may ask for other objects than the verbs near it."""


def relation_words(tokens: Sequence[Token], hop: Collection[int], *, compares: bool = False) -> Iterator[int]:
    """Common nouns, adjectives and verbs of a hop, but no auxiliaries, and nothing of a name or in quotation marks; of
    a question that compares also the word that does: "born earlier"."""
    titles = set(quoted(tokens))
    for i in sorted(hop):
        token = tokens[i]
        if i in titles or not token.text.isalpha() or (token.text[:1].isupper() and i > 0):
            continue
        plain = _POS.get(token.tag[:1], "") == token.pos and token.relation != "compound" and not token.entity
        comparing = token.tag in _COMPARING or token.text.lower() in alike("relations.ADV")
        verb = token.pos == "ADJ" and token.relation == "ROOT"  # "when will it close"
        if (compares and comparing) or (plain and not verb and not token.relation.startswith("aux")):
            yield i


def relations_altered(
    tokens: Sequence[Token], hop: Collection[int], parts: Mapping[str, object], compared: Collection[int] = ()
) -> list[Alteration]:
    """What each relation word of a hop may become, the surest first: its opposite (WordNet's for its first sense), else
    listed words of its form and part of speech that say something else in its place.

    Surest is a word that every name of the question depends on. One that only describes a name that stays is left.
    """
    words = [
        i for i in relation_words(tokens, hop, compares=bool(compared)) if compared or not only_describes(tokens, i)
    ]
    opposed = {i: other for i in words if (other := _opposite(tokens, i, parts))}
    left = [i for i in words if i not in opposed]
    found = [(_rank(tokens, i, compared), with_article(tokens, i, other, "opposite")) for i, other in opposed.items()]
    for i in left:
        for n, other in enumerate(_near(tokens, i, parts)[:_EACH]):
            found.append((_rank(tokens, i, compared, 1 + n), with_article(tokens, i, other, "neighbour")))
    return [one for _, one in sorted(found)]


def _rank(tokens: Sequence[Token], i: int, compared: Collection[int], near: int = 0) -> tuple[int, ...]:
    near *= tokens[i].tag not in _COMPARING and tokens[i].pos != "ADV"
    return bool(near), _ORDER.index(_kind(tokens[i])) if near else 0, not relates(tokens, i, compared), near


def _kind(token: Token) -> str:
    return _COMPARING.get(token.tag) or token.pos


def _lemma(token: Token, parts: PartsByName) -> str:
    return str(parts["inflection"].lemma(token.text, _kind(token)))


def _opposite(tokens: Sequence[Token], i: int, parts: PartsByName) -> str:
    token = tokens[i]
    if token.tag not in _COMPARING and {token.text.lower(), _lemma(token, parts)} & stated.stay:
        return ""
    if token.tag in _COMPARING and (listed := _listed(tokens, i, parts)):
        return listed[0]
    if token.text.lower() in _AMOUNTS | stated.unopposed:
        return ""
    words = opposites(_lemma(token, parts), _kind(token), parts["thesaurus"])
    others = (parts["inflection"].inflected(word, token.tag) for word in words)
    return next((other for other in others if _new(tokens, i, other) and _fits(tokens, i, other, parts)), "")


def _fits(tokens: Sequence[Token], i: int, other: str, parts: PartsByName) -> bool:
    """Whether people write a word beside its neighbours; what compares may stand beside any, and nouns behind any
    article."""
    token = tokens[i]
    if _formed(token):
        return other in parts["speller"].counts
    before = tokens[i - 1] if i else token
    described = before.head == i and before.relation in ("compound", "amod") and before.text.islower()
    verbal = token.pos == "VERB" and i + 1 < len(tokens) and tokens[i + 1].pos == "ADP"
    if verbal or (token.pos == "NOUN" and before.pos == "DET"):
        tokens, i = tokens[i:], 0
    known = written if described or token.relation == "amod" or verbal else written_as_well
    owns = i + 1 < len(tokens) and tokens[i + 1].tag == "POS"
    return known(tokens, i, other, parts) and not (owns and other.endswith("s"))


def _near(tokens: Sequence[Token], i: int, parts: PartsByName) -> list[str]:
    """Words of the list for the one that stands there, in its form; the nearest first."""
    token = tokens[i]
    found = [
        other if _formed(token) else parts["inflection"].inflected(other, token.tag)
        for other in _listed(tokens, i, parts)
    ]
    said = {normalised(token.text) for token in tokens}
    return [one for one in found if one not in said and _fits(tokens, i, one, parts)]


def _listed(tokens: Sequence[Token], i: int, parts: Mapping[str, object]) -> Sequence[str]:
    token = tokens[i]
    pos = _kind(token)
    if pos == "VERB" and not _has_object(tokens, i):
        pos = "ALONE"
    words = [token.text.lower() if _formed(token) else _lemma(token, parts)]
    behind = (tokens[i + 1].text.lower(), tokens[i + 1].tag) if i + 1 < len(tokens) else ()
    keys = [*(f"{word}_{one}" for word in words for one in behind), *words]
    return next((found for key in keys if (found := alike(f"relations.{pos}").get(key))), ())


def _formed(token: Token) -> bool:
    """Whether a word is listed as it is written."""
    return token.tag in _COMPARING or token.pos == "ADV" or token.text.lower() == "born"


def _has_object(tokens: Sequence[Token], i: int) -> bool:
    """Whether a verb has an object, or is passive."""
    relations = {token.relation for token in tokens if tokens[token.head] is tokens[i]}
    return "dobj" in relations or (
        tokens[i].tag == "VBN"
        and not any(
            token.relation == "aux" and token.head == i and token.lemma in ("have", "has", "had") for token in tokens
        )
    )


def _new(tokens: Sequence[Token], i: int, other: str) -> bool:
    """Whether one other word has another stem than that in its place, and stands nowhere in the question."""
    word = normalised(other)
    new = other.isalpha() and not same_stem(normalised(tokens[i].text), word)
    return new and all(normalised(token.text) != word for token in tokens)
