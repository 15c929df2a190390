"""A question altered so that its answer is another (Jia and Liang 2017, 3.3, step 1; reasoning chain 2.3). Pure;
English."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from random import Random

from botattack.attacks.building.agreeing import agreeing
from botattack.attacks.building.clauses import labels
from botattack.attacks.building.parsed import Entity, entities_of
from botattack.attacks.building.stretches import Alteration
from botattack.attacks.fakes.answers import plain
from botattack.attacks.fakes.names import is_part, others_of
from botattack.attacks.fakes.numbers import shifted, years_apart
from botattack.attacks.fakes.phrases import known_beside, others_like
from botattack.model import GoldAnswer, Token
from botattack.protocols import PartsByName
from botattack.text.parts.speller import Speller
from botattack.text.tokens import match_case, normalised
from botattack.text.word_lists import stated

_TRIES = 20
"""Other number words that are looked at: few fit the word behind."""
_TIMES = frozenset(["DATE", "TIME"])
COUNTED = _TIMES | {"ORDINAL", "CARDINAL", "NUM", "MONEY", "QUANTITY", "PERCENT"}
"""Labels of what has another number for another of its kind."""


def names_altered(
    text: str, answers: Sequence[GoldAnswer], tokens: Sequence[Token], rng: Random
) -> Iterator[Alteration]:
    """Each name and number of a question that is no gold answer, as another of its type."""
    golds, taken = [normalised(answer.text) for answer in answers], plain(text)
    years = years_apart(text, rng)
    for start, end, label in _named(text, tokens):
        first = next(i for i, token in enumerate(tokens) if token.end > start)
        last = next(i for i in reversed(range(len(tokens))) if tokens[i].start < end)
        before = text[start:end]
        adverb = label == "ORDINAL" and tokens[last].relation == "advmod"
        adverb = adverb and not any(token.tag == "JJS" for token in tokens[last + 1 : last + 2])
        rate = first and tokens[first - 1].text in ("per", "degrees")
        if normalised(before) in golds or adverb or rate:  # "who first used it", "frames per second"
            continue
        tries = 1 if any(map(str.isdigit, before)) else _TRIES
        numbers = [*shifted(before, rng, years, tries)] if label in COUNTED and not is_part(tokens, first, last) else []
        others = numbers or ([] if label in COUNTED else others_of(tokens, (first, last), label, before, rng))
        other = next((other for other in others if _differs(before, other) and plain(other) not in taken), "")
        if other:
            taken += plain(other)
            other = other[:1].upper() + other[1:] if before[:1].isupper() and other in numbers else other
            article = agreeing(tokens, first, other).get(first - 1)
            rule = "number" if other in numbers else "name"
            yield Alteration(
                tokens[first - 1].start if article else start, end, f"{article} {other}" if article else other, rule
            )


def _named(text: str, tokens: Sequence[Token]) -> list[Entity]:
    """Names and numbers as the parser finds them, those that are beside one another as one: "Super Bowl" and "50"."""
    found: list[Entity] = []
    for start, end, label in entities_of(tokens):
        if start == 0 and label in ("NAME", "NUM"):
            continue
        joined = found and found[-1][1] == start - 1 and text[found[-1][0]].isupper() and label not in _TIMES
        if joined and (text[start].isupper() or text[start:end].isdigit()) and found[-1][2] not in COUNTED:
            found[-1] = (found[-1][0], end, "NAME")
        else:
            found.append((start, end, label))
    return found


def kinds_altered(tokens: Sequence[Token], parts: PartsByName, rng: Random) -> Iterator[Alteration]:
    """Common nouns behind the question phrase, each as another of its kind (`lang/en/kinds.yaml`)."""
    said = {normalised(token.text) for token in tokens}
    asked = labels(tokens)
    small = not any(token.text[:1].isupper() for token in tokens)  # titles do not show: "little shop of horrors"
    for i, token in enumerate(tokens):
        lemma, beside = parts["inflection"].lemma(token.text, "NOUN"), tokens[max(i - 1, 0)]
        named = beside.pos == "PROPN" and beside.head == i and beside.text.islower()  # "alicia keys"
        if i in asked or token.entity or named or lemma in stated.stay:
            continue
        counted = any(other.head == i and other.relation in ("det", "poss") for other in tokens)
        others = [one for one in others_like(tokens, i, counted, parts, rng) if _suits(tokens, i, one, parts)]
        others = [one for one in others if not small or written(tokens, i, one, parts)]
        others.sort(key=lambda other: not written_as_well(tokens, i, other, parts))
        yield from (with_article(tokens, i, other, "kind") for other in others[:1] if normalised(other) not in said)


def _suits(tokens: Sequence[Token], i: int, other: str, parts: Mapping[str, object]) -> bool:
    """Whether a word may stand in a compound where people write the old one, and beside one at least of two words that
    describe it: nobody writes "single hammer" or "busiest hammer"."""
    old, new = (known_beside(tokens, i, word, parts) for word in (tokens[i].text, other))
    joined = [(was, now) for (relation, was), (_, now) in zip(old, new, strict=True) if relation == "compound"]
    return all(now or not was for was, now in joined) and (len(new) < 2 or any(now for _, now in new))


def with_article(tokens: Sequence[Token], i: int, other: str, kind: str) -> Alteration:
    """Another word, with the article before it that agrees."""
    word = match_case(tokens[i].text, other)
    article = agreeing(tokens, i, word).get(i - 1) if other else None
    start = tokens[i - 1].start if article else tokens[i].start
    return Alteration(start, tokens[i].end, f"{article} {word}" if article else word, kind)


def _differs(before: str, after: str) -> bool:
    """Whether neither begins as the other does."""
    one, other = normalised(before), normalised(after)
    return not (one.startswith(other) or other.startswith(one))


def written(tokens: Sequence[Token], i: int, other: str, parts: PartsByName) -> bool:
    """Whether people write a word beside the words that stand before and behind a token, names and marks aside: nobody
    writes "foreign estate"."""
    return all(_pairs(tokens, i, other, parts["speller"]))


def written_as_well(tokens: Sequence[Token], i: int, other: str, parts: PartsByName) -> bool:
    """Whether people write a word beside the words beside a token wherever they write that of the token there: they
    write of a fourth quarter, but of no eighth one."""
    speller: Speller = parts["speller"]
    old, new = _pairs(tokens, i, tokens[i].text, speller), _pairs(tokens, i, other, speller)
    return all(new_known or not known for known, new_known in zip(old, new, strict=True))


def _pairs(tokens: Sequence[Token], i: int, word: str, speller: Speller) -> list[bool]:
    """Whether a word in place of a token is known with what stands before it, and with what stands behind."""
    before, behind, word = _word(tokens, i - 1), _word(tokens, i + 1), word.lower()
    return [not before or speller.together(before, word), not behind or speller.together(word, behind)]


def _word(tokens: Sequence[Token], i: int) -> str:
    """A word that neither asks nor is part of a name, in lower case; "" if none stands there."""
    inside = 0 <= i < len(tokens) and tokens[i].text.isalpha() and tokens[i].pos != "PROPN" and tokens[i].tag != "WRB"
    return tokens[i].text.lower() if inside else ""
