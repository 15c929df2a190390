"""Words that relate things, exchanged for others (reasoning chain 2.3). Pure; English."""

from __future__ import annotations

from collections.abc import Collection, Generator, Iterable, Iterator, Mapping, Sequence
from typing import Any

from botattack.attacks.building.agreeing import agreeing
from botattack.attacks.passages.alterations import Alteration, opposites, same_stem, written, written_as_well
from botattack.attacks.passages.other_questions import quoted, relates
from botattack.model import Need, Token
from botattack.text.tokens import match_case, normalised
from botattack.text.word_lists import function_words, stated

TOP = 40
"""Neighbours that are looked at."""
ALIKE = 0.68
"""How near a neighbour must be; farther ones make no sense where the word stands."""
_FIELDS = frozenset(["05", "06", "08", "13", "18", "20", "27"])
"""WordNet's files of animals, artifacts, the body, food, persons, plants and substances."""
_PLACES = "15"
_ENDING = 3
_KINDS = ("NOUN", "ADJ", "VERB", "ADV")
_POS = {"N": "NOUN", "J": "ADJ", "V": "VERB"}


def relation_words(tokens: Sequence[Token], hop: Collection[int]) -> Iterator[int]:
    """Common nouns, adjectives and verbs of a hop, but no auxiliaries, and nothing of a name or in quotation marks."""
    titles = set(quoted(tokens))
    for i in sorted(hop):
        token = tokens[i]
        pos = _POS.get(token.tag[:1], "")
        if pos != token.pos or token.relation == "compound" or token.entity or i in titles or not token.text.isalpha():
            continue
        named = token.text[:1].isupper() and i > 0
        if not named and not token.relation.startswith("aux") and token.text.lower() not in stated.stay:
            yield i


def relations_altered(
    tokens: Sequence[Token],
    hop: Collection[int],
    parts: Mapping[str, Any],
    compared: Collection[int] = (),
) -> Generator[Sequence[Need], Sequence[Any], list[Alteration]]:
    """Each relation word of a hop as its opposite (WordNet's for its first sense); else a noun as its nearest neighbour
    of another stem and the same form that is a kind of the same thing; the surest first.

    What is near a verb or adjective mostly says the same, or makes no sense where it stands.
    """
    said = [i for i in relation_words(tokens, hop) if _lemma(tokens[i], parts) not in stated.stay]
    words = [i for i in said if relates(tokens, i, compared)]
    sure = [_altered(tokens, i, other, "opposite") for i in words if (other := _opposite(tokens, i, parts))]
    left = [i for i in words if not any(one.start <= tokens[i].start < one.end for one in sure)]
    left = [i for i in left if tokens[i].pos == "NOUN" and not _set_phrase(tokens, i)]
    left = [i for i in left if {*_fields(_lemma(tokens[i], parts), parts["thesaurus"])} & {*_FIELDS, _PLACES}]
    near = (yield [Need("neighbours", {"word": tokens[i].text.lower(), "top": TOP}) for i in left]) if left else ()
    found = []
    for i, pairs in zip(left, near, strict=True):
        other = next(_fitting(tokens, i, [word for word, cosine in pairs if cosine >= ALIKE], parts), "")
        if other:
            found.append((-dict(pairs)[other], _altered(tokens, i, other, "neighbour")))
    return [*sure, *(one for _, one in sorted(found))]


def _set_phrase(tokens: Sequence[Token], i: int) -> bool:
    """Whether a noun may mean nothing by itself: alone without an article, or the object of a light verb."""
    token = tokens[i]
    alone = token.tag == "NN" and not any(other.head == i and n < i for n, other in enumerate(tokens))
    return alone or (token.relation == "dobj" and tokens[token.head].text.lower() in stated.light_verbs)


def _lemma(token: Token, parts: Mapping[str, Any]) -> str:
    return str(parts["inflection"].lemma(token.text, token.pos))


def _opposite(tokens: Sequence[Token], i: int, parts: Mapping[str, Any]) -> str:
    token = tokens[i]
    words = opposites(_lemma(token, parts), token.pos, parts["thesaurus"])
    others = (parts["inflection"].inflected(word, token.tag) for word in words)
    return next((other for other in others if _new(tokens, i, other) and written_as_well(tokens, i, other, parts)), "")


def _fitting(tokens: Sequence[Token], i: int, words: Iterable[str], parts: Mapping[str, Any]) -> Iterator[str]:
    """Neighbours that are no other way to say the same."""
    token, inflection, thesaurus = tokens[i], parts["inflection"], parts["thesaurus"]
    lemma = _lemma(token, parts)
    for word in words:
        other = inflection.lemma(word, token.pos)
        if not _mostly(word, token.pos, parts) or not _new(tokens, i, word) or not written(tokens, i, word, parts):
            continue
        if other == lemma or other in stated.stay or inflection.inflected(other, token.tag) != word:
            continue
        alike = {lemma, *thesaurus.synonyms(lemma, token.pos, 99)} & {other, *thesaurus.synonyms(other, token.pos, 99)}
        names = any(one.lower() == other != one for each in thesaurus.senses(other, "NOUN")[:1] for one in each.words)
        kin = thesaurus.siblings(lemma, other, "NOUN") and not names and _concrete(lemma, other, thesaurus)
        alike = alike or thesaurus.near_kin(lemma, other, "NOUN")
        if kin and not alike and word not in function_words():
            yield word


def _concrete(one: str, other: str, thesaurus: Any) -> bool:
    """Whether both are first of all persons, or things of one kind that can be seen, or may be places: of
    other nouns the near ones mostly say the same, or make no sense where the word stands."""
    mine, theirs = (_fields(word, thesaurus) for word in (one, other))
    if one[-_ENDING:] == other[-_ENDING:] and mine[:1] != ["18"]:
        return False  # "roadway" for "highway"
    same = (
        mine[:1] == theirs[:1] and mine[:1] and mine[0] in _FIELDS and thesaurus.siblings(one, other, "NOUN", levels=2)
    )
    return bool(same) or (_PLACES in mine and _PLACES in theirs)


def _fields(word: str, thesaurus: Any) -> list[str]:
    """The files of the first senses of a noun."""
    return [sense.field for sense in thesaurus.senses(word, "NOUN")[:3]]


def _mostly(word: str, pos: str, parts: Mapping[str, Any]) -> bool:
    """Whether a word has more senses as this part of speech than as any other."""
    senses = {kind: len(parts["thesaurus"].offsets(parts["inflection"].lemma(word, kind), kind)) for kind in _KINDS}
    return senses[pos] > max(count for kind, count in senses.items() if kind != pos)


def _new(tokens: Sequence[Token], i: int, other: str) -> bool:
    """Whether one other word has another stem than that in its place, and stands nowhere in the question."""
    word = normalised(other)
    new = other.isalpha() and not same_stem(normalised(tokens[i].text), word)
    return new and all(normalised(token.text) != word for token in tokens)


def _altered(tokens: Sequence[Token], i: int, other: str, kind: str) -> Alteration:
    """With the article before it, which agrees."""
    word = match_case(tokens[i].text, other)
    article = agreeing(tokens, i, word).get(i - 1)
    start = tokens[i - 1].start if article else tokens[i].start
    return Alteration(start, tokens[i].end, f"{article} {word}" if article else word, kind)
