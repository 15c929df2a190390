"""Fakes for answers that are no names: a noun becomes another of its kind, or a word its opposite (Jia and Liang 2017,
3.3, where the nearest vector gives them). Pure; English."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import Literal

from botattack.attacks.building.agreeing import ARTICLES, agreeing
from botattack.model import Token
from botattack.protocols import PartsByName
from botattack.text.parts.inflection import category
from botattack.text.parts.thesaurus import Thesaurus
from botattack.text.tokens import match_case
from botattack.text.word_lists import alike, stated, word_table, word_tuple

_LONGEST = 8
"""Words of an answer that is changed in one place: of more, the rest says too much of it."""
_SHORTEST = 3
"""Letters of a noun: what is shorter is an abbreviation or a unit."""
_LEVELS = 4
"""How far above a noun its kind is looked for: farther ones say little of it."""
Reach = Literal["sure", "kind", "field"]
_CLAUSES = frozenset(["nsubj", "nsubjpass", "csubj", "relcl", "aux", "auxpass"])


def phrases(
    parsed: Sequence[Token], before: str, parts: Mapping[str, object], rng: Random, *, sure: bool = False
) -> Iterator[str]:
    """Other answers of the form of one that is a noun or adjective with what belongs to it, in random order: an
    adjective as its opposite, else each noun that is joined as another of its kind. `before` is the word before the
    answer in a passage. `sure` ones alone are of kinds that say what a thing is, and stand beside words that people
    write beside them."""
    words = [token for token in parsed if token.pos != "PUNCT"]
    inner = {token.relation for i, token in enumerate(parsed) if token.head != i}
    if not 0 < len(words) <= _LONGEST or inner & _CLAUSES:
        return
    top = next((i for i, token in enumerate(parsed) if token.head == i and token.pos != "PUNCT"), 0)
    for _ in range(2):  # "for their views", "a form of anthrax"
        if parsed[top].pos == "ADP" or parsed[top].text.lower() in stated.kind_of:
            top = next((i for i, t in enumerate(parsed) if t.relation == "pobj" and parsed[t.head].head == top), top)
    beside = [i for i, token in enumerate(parsed) if token.head == top and token.relation in ("amod", "compound")]
    for i in (top, *beside):
        unsure = sure and (parsed[i].text.istitle() or (i == top and len(words) > 1))
        opposed = [] if unsure else _opposed(parsed, i, parts)
        yield from (_with(parsed, {i: other}) for other in opposed if not sure or _is_usual(parsed, i, other, parts))
        if i != top and not sure:
            yield from (_with(parsed, {i: other}) for other in others_like(parsed, i, False, parts, rng))
    joined = [top]
    while more := [i for i, t in enumerate(parsed) if t.head in joined and t.relation == "conj" and i not in joined]:
        joined += more
    first = next((token for token in parsed if token.pos != "ADP"), parsed[0])
    counted = first.tag in ("DT", "PRP$") or before in {*ARTICLES, "the"}
    nouns = [i for i in reversed(range(len(parsed))) if parsed[i].pos == "NOUN" and i != top]
    ways: list[tuple[list[int], Reach]] = [(joined, "sure" if sure else "kind"), (joined, "field")]
    ways += [([i], "kind") for i in nouns]
    for places, reach in ways[: 1 if sure else None]:
        found = [others_like(parsed, i, counted, parts, rng, reach=reach) for i in places]
        for some in zip(*found, strict=False):
            usual = not sure or all(_is_usual(parsed, *one, parts) for one in zip(places, some, strict=True))
            if len({*some}) == len(some) and usual:
                yield _with(parsed, dict(zip(places, some, strict=True)))


def _is_usual(tokens: Sequence[Token], i: int, other: str, parts: Mapping[str, object]) -> bool:
    """Whether people write a word beside what describes it there, and what it describes."""
    return all(known for _, known in known_beside(tokens, i, other, parts))


def known_beside(tokens: Sequence[Token], i: int, word: str, parts: PartsByName) -> list[tuple[str, bool]]:
    """How each word that describes a word in this place, or is described by it, belongs to it, and whether people write
    the two together."""
    said = [word.lower() if n == i else token.text.lower() for n, token in enumerate(tokens)]
    pairs = [(n, token.head) for n, token in enumerate(tokens) if token.relation in ("amod", "compound")]
    return [(tokens[a].relation, parts["speller"].together(said[a], said[b])) for a, b in pairs if i in (a, b)]


def others_like(
    tokens: Sequence[Token], i: int, counted: bool, parts: PartsByName, rng: Random, *, reach: Reach = "kind"
) -> list[str]:
    """Other nouns of the kind of a common noun, in its form and in random order: those that a list has for it, else
    those that are of the nearest kind that WordNet knows it is of, with an article if it is `counted`, else without;
    those that are of its `field`, if the `reach` is that; none of a kind that says too little to be `sure`."""
    token = tokens[i]
    inflection = parts["inflection"]
    lemma = inflection.lemma(token.text, "NOUN")
    fixed = any(other.head == i and (other.relation, other.tag) == ("poss", "NN") for other in tokens)
    bare = len(lemma) < _SHORTEST or (token.tag == "NNS" and lemma == token.text)  # a unit; "data"
    if token.tag not in ("NN", "NNS") or not _is_free(tokens, i) or fixed or bare:  # "a bachelor's degree"
        return []
    kinds = word_table("kinds.counted") if counted or token.tag == "NNS" else word_table("kinds.mass")
    thesaurus = parts["thesaurus"]
    vague = {kind.replace("_", " ") for kind in word_tuple("kinds.vague")}
    fields = [sense.field for sense in thesaurus.senses(lemma, "NOUN")[:1]]
    above = fields if reach == "field" else thesaurus.kinds(lemma, _LEVELS)
    listed = alike("relations.NOUN").get(lemma) or alike("kinds.words").get(lemma)
    listed = listed or next(
        (kinds[kind] for kind in above if kind in kinds and not (reach == "sure" and kind in vague)), ()
    )
    others = [inflection.inflected(other, token.tag) for other in listed if other != lemma]
    return [match_case(token.text, other) for other in rng.sample(others, len(others))]


def _is_free(tokens: Sequence[Token], i: int) -> bool:
    """Whether a word is no name and no part of a hyphenated word."""
    beside = (tokens[max(i - 1, 0)].text, tokens[min(i + 1, len(tokens) - 1)].text)
    text = tokens[i].text
    return text.isalpha() and (text.islower() or (i == 0 and text.istitle())) and "-" not in beside


def _opposed(tokens: Sequence[Token], i: int, parts: PartsByName) -> list[str]:
    """The opposites of what describes that are common words, in its form."""
    token, inflection = tokens[i], parts["inflection"]
    pos = category(token.tag)
    if pos not in ("ADJ", "ADV", "VERB") or not _is_free(tokens, i) or token.text.lower() in stated.unopposed:
        return []
    others = opposites(inflection.lemma(token.text, pos), pos, parts["thesaurus"])
    found = [inflection.inflected(other, token.tag) for other in others]
    return [match_case(token.text, word) for word in found if word in parts["speller"].counts]


def opposites(lemma: str, pos: str, thesaurus: Thesaurus) -> list[str]:
    """Antonyms of the first sense, those first of which it is the first antonym; none that is made of the word."""
    senses = thesaurus.antonyms(lemma, pos, 1)
    found = [word for word in (senses[0] if senses else ()) if word.isalpha() and not same_stem(lemma, word)]
    return sorted(found, key=lambda word: (thesaurus.antonyms(word, pos, 1) or ((),))[0][:1] != (lemma,))


def same_stem(one: str, other: str) -> bool:
    """Whether two words are made of one: they begin alike, or one ends as the other is (`unoriginal`)."""
    short = min(len(one), len(other), 5)
    return one[:short] == other[:short] or one.endswith(other) or other.endswith(one)


def _with(parsed: Sequence[Token], others: Mapping[int, str]) -> str:
    """The answer with other words, and articles that agree."""
    words = {place: word for i, other in others.items() for place, word in agreeing(parsed, i, other).items()}
    said, end = "", parsed[0].start
    for i, token in enumerate(parsed):
        said += " " * (token.start - end) + words.get(i, token.text)
        end = token.end
    return said
