"""Words that relate things, exchanged for others (reasoning chain 2.3). Pure; English."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from botattack.attacks.building.stretches import Alteration
from botattack.attacks.fakes.phrases import opposites, same_stem
from botattack.attacks.passages.alterations import with_article, written, written_as_well
from botattack.attacks.passages.other_questions import only_describes, quoted, relates
from botattack.model import Need, Token
from botattack.protocols import Needing, PartsByName
from botattack.text.tokens import normalised
from botattack.text.word_lists import alike, stated

TOP = 200
"""Neighbours that are looked at."""
ALIKE = 0.7
"""How near a neighbour must be that is in no list; farther ones make no sense where the word stands."""
_EACH = 2
"""Other words that are tried for one."""
_CONCRETE = frozenset(["05", "13", "18", "20"])
"""WordNet's files of animals, food, persons and plants. Of other words the near ones mostly say the same, or
make no sense in their place, so that those come from a list (`relations.yaml`)."""
_KINDS = ("NOUN", "ADJ", "VERB", "ADV")
_POS = {"N": "NOUN", "J": "ADJ", "V": "VERB"}
_COMPARING = {"JJR": "ADJ", "JJS": "ADJ", "RBR": "ADV", "RBS": "ADV"}
_AMOUNTS = frozenset(["more", "most", "less", "least"])
"""What compares amounts has the opposite of what it counts: "the fewest players", but "the least money"."""
_ORDER = ("NOUN", "ADJ", "ADV", "VERB")
"""Neighbours of nouns fit best: a verb may ask for other objects than the verbs near it."""


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
    tokens: Sequence[Token],
    hop: Collection[int],
    parts: Mapping[str, object],
    compared: Collection[int] = (),
    *,
    neighbours: bool = True,
) -> Needing[list[Alteration]]:
    """What each relation word of a hop may become, the surest first: its opposite (WordNet's for its first sense), else
    the nearest words of its form and part of speech that say something else in its place.

    Surest is a word that every name of the question depends on. One that only describes a name that stays is left.
    Without `neighbours`, all come from lists.
    """
    words = [
        i for i in relation_words(tokens, hop, compares=bool(compared)) if compared or not only_describes(tokens, i)
    ]
    opposed = {i: other for i in words if (other := _opposite(tokens, i, parts))}
    left = [i for i in words if i not in opposed]
    found = [(_rank(tokens, i, compared), with_article(tokens, i, other, "opposite")) for i, other in opposed.items()]
    needs = [Need("neighbours", {"word": tokens[i].text.lower(), "top": TOP}) for i in left]
    near = (yield needs) if needs and neighbours else [()] * len(left)
    for i, pairs in zip(left, near, strict=True):
        for n, other in enumerate(_near(tokens, i, dict(pairs), parts)[:_EACH]):
            found.append((_rank(tokens, i, compared, 1 + n), with_article(tokens, i, other, "neighbour")))
    return [one for _, one in sorted(found)]


def _rank(tokens: Sequence[Token], i: int, compared: Collection[int], near: int = 0) -> tuple[int, ...]:
    near *= tokens[i].tag not in _COMPARING and tokens[i].pos != "ADV"
    return bool(near), _ORDER.index(_kind(tokens[i])) if near else 0, not relates(tokens, i, compared), near


def _kind(token: Token) -> str:
    return _COMPARING.get(token.tag) or token.pos


def _set_phrase(tokens: Sequence[Token], i: int) -> bool:
    """Whether a noun may mean nothing by itself: alone without an article, or the object of a light verb."""
    token = tokens[i]
    alone = token.tag == "NN" and not any(other.head == i and n < i for n, other in enumerate(tokens))
    return alone or (token.relation == "dobj" and tokens[token.head].text.lower() in stated.light_verbs)


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


def _near(tokens: Sequence[Token], i: int, near: Mapping[str, float], parts: PartsByName) -> list[str]:
    """Words of the list for the one that stands there, in its form; where it is in none, neighbours that are another
    thing of its kind. The nearest first."""
    token, inflect = tokens[i], parts["inflection"].inflected
    listed = _listed(tokens, i, parts)
    found = [other if _formed(token) else inflect(other, token.tag) for other in listed]
    if not listed and token.tag in ("NN", "NNS") and not _set_phrase(tokens, i):
        near_by = (word for word, cosine in near.items() if cosine >= ALIKE)
        found = [word for word in near_by if _new(tokens, i, word) and _sibling(token, word, parts)]
    said = {normalised(token.text) for token in tokens}
    fitting = [one for one in found if one not in said and _fits(tokens, i, one, parts)]
    return sorted(fitting, key=lambda one: -near.get(one, 0))


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


def _sibling(token: Token, word: str, parts: PartsByName) -> bool:
    """Whether a word names, before all else, something of the same kind as the noun in its place."""
    inflection, thesaurus = parts["inflection"], parts["thesaurus"]
    one, other = _lemma(token, parts), inflection.lemma(word, "NOUN")
    if other in stated.stay or inflection.inflected(other, token.tag) != word or not _mostly(word, "NOUN", parts):
        return False
    alike = {one, *thesaurus.synonyms(one, "NOUN", 99)} & {other, *thesaurus.synonyms(other, "NOUN", 99)}
    concrete = {sense.field for sense in thesaurus.senses(one, "NOUN")[:1]} <= _CONCRETE
    return concrete and not alike and bool(thesaurus.siblings(one, other, "NOUN"))


def _mostly(word: str, pos: str, parts: PartsByName) -> bool:
    """Whether a word has more senses as this part of speech than as any other."""
    senses = {kind: len(parts["thesaurus"].offsets(parts["inflection"].lemma(word, kind), kind)) for kind in _KINDS}
    return senses[pos] > max(count for kind, count in senses.items() if kind != pos)


def _new(tokens: Sequence[Token], i: int, other: str) -> bool:
    """Whether one other word has another stem than that in its place, and stands nowhere in the question."""
    word = normalised(other)
    new = other.isalpha() and not same_stem(normalised(tokens[i].text), word)
    return new and all(normalised(token.text) != word for token in tokens)
