"""A question altered so that its answer is another (Jia and Liang 2017, 3.3, step 1; reasoning chain 2.3). Pure;
English."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import Any, NamedTuple, Protocol

from botattack.attacks.building.agreeing import agreeing
from botattack.attacks.passages.fakes import plain, shifted
from botattack.attacks.passages.name_kinds import fitting_kind, is_part, others_of
from botattack.attacks.words.entities import entities_of
from botattack.model import GoldAnswer, Token
from botattack.text.function_word_list import word_list
from botattack.text.tokens import match_case, normalised

NEVER = frozenset(
    word_list(
        "many much few other type kind form sort part number amount name example same general own first last such "
        "certain several various more most less least year time day way thing main only true false high low good right "
        "lead head square cubic round"
    )
)
"""Lemmas that are never altered: to alter them changes nothing that is asked for, or makes no sense."""
_POS = {"NN": "NOUN", "NNS": "NOUN", "JJ": "ADJ", "JJR": "ADJ", "JJS": "ADJ"}


_COUNTING = frozenset(["DATE", "TIME", "ORDINAL", "CARDINAL", "NUM", "MONEY", "QUANTITY", "PERCENT", "NAME", "EVENT"])
"""Labels of what has another number for another of its kind."""


class Opposites(Protocol):
    def antonyms(self, lemma: str, pos: str, senses: int | None = None) -> tuple[tuple[str, ...], ...]: ...


class Inflects(Protocol):
    def inflected(self, lemma: str, tag: str) -> str: ...
    def lemma(self, word: str, pos: str) -> str: ...


class Alteration(NamedTuple):
    """What stands in place of a stretch of the question, in characters; `kind` is the rule."""

    start: int
    end: int
    after: str
    kind: str


def alterations(
    text: str,
    answers: Sequence[GoldAnswer],
    tokens: Sequence[Token],
    parts: Mapping[str, Any],
    rng: Random,
) -> list[Alteration]:
    """Every stretch of a question that a rule can alter, in their order, each once; `tokens` come with entities,
    `parts` are a thesaurus and inflection.

    In the order of the rules: an opposite (antonym of the first sense) of a noun or adjective; another number; another
    name of the same type. What stands in the question, or begins as the word does, is no alteration.
    """
    names = list(names_altered(text, answers, tokens, rng))
    inside = [(found.start, found.end) for found in names]
    found = [*names, *_words(tokens, inside, parts, rng)]
    return sorted(found)


def altered(text: str, chosen: Sequence[Alteration]) -> str:
    """The question with these alterations."""
    for one in sorted(chosen, reverse=True):
        text = text[: one.start] + one.after + text[one.end :]
    return text


def names_altered(
    text: str, answers: Sequence[GoldAnswer], tokens: Sequence[Token], rng: Random
) -> Iterator[Alteration]:
    """Each name and number of a question that is no gold answer, as another of its type."""
    golds, taken = [normalised(answer.text) for answer in answers], plain(text)
    kinds: dict[int, str] = {}
    years = rng.choice([-1, 1]) * rng.randint(3, 40)
    for start, end, label in entities_of(tokens):
        first = next(i for i, token in enumerate(tokens) if token.end > start)
        last = next(i for i in reversed(range(len(tokens))) if tokens[i].start < end)
        before = text[start:end]
        if normalised(before) in golds or (start == 0 and label in ("NAME", "NUM")):
            continue
        if tokens[last].relation == "advmod":  # "who first used it"
            continue
        joined = tokens[last].relation == "conj" and tokens[tokens[last].head].pos == "PROPN"
        kind = kinds.get(tokens[last].head, "") if joined else fitting_kind(tokens, first, last, before, label)
        kinds |= dict.fromkeys(range(first, last + 1), kind)
        modifies = tokens[last].relation in ("compound", "nmod", "amod")
        listed = others_of(kind, before, tokens[first - 1].text.lower() if first else "", modifies=modifies)
        numbers = [*shifted(before, rng, years)] if label in _COUNTING and not is_part(tokens, first, last) else []
        others = [*numbers, *rng.sample(listed, len(listed))]
        other = next((other for other in others if _differs(before, other) and plain(other) not in taken), "")
        if other:
            taken += plain(other)
            other = other[:1].upper() + other[1:] if before[:1].isupper() and other in numbers else other
            article = agreeing(tokens, first, other).get(first - 1)
            rule = "number" if other in numbers else "name"
            yield Alteration(
                tokens[first - 1].start if article else start, end, f"{article} {other}" if article else other, rule
            )


def _words(
    tokens: Sequence[Token], inside: Sequence[tuple[int, int]], parts: Mapping[str, Any], rng: Random
) -> Iterator[Alteration]:
    thesaurus: Opposites = parts["thesaurus"]
    inflection: Inflects = parts["inflection"]
    taken = {normalised(token.text) for token in tokens}
    for i, token in enumerate(tokens):
        pos = _POS.get(token.tag, "")
        if (
            not pos
            or token.stop
            or token.relation == "compound"
            or any(token.start < end and start < token.end for start, end in inside)
        ):
            continue
        lemma = inflection.lemma(token.text, pos)
        senses = thesaurus.antonyms(lemma, pos, 1) if lemma not in NEVER and not token.entity else ()
        others = [word for word in (senses[0] if senses else ()) if word.isalpha() and not same_stem(lemma, word)]
        if others:
            other = match_case(token.text, inflection.inflected(rng.choice(others), token.tag))
            if normalised(other) not in taken:
                yield _agreeing(tokens, i, other)


def _agreeing(tokens: Sequence[Token], i: int, other: str) -> Alteration:
    """An opposite, with the article before it that agrees."""
    written = agreeing(tokens, i, other)
    article = written.get(i - 1)
    between = " " if article else ""
    start = tokens[i - 1 if article else i].start
    return Alteration(start, tokens[i].end, f"{article or ''}{between}{other}", "antonym")


def _differs(before: str, after: str) -> bool:
    """Whether neither begins as the other does."""
    one, other = normalised(before), normalised(after)
    return not (one.startswith(other) or other.startswith(one))


def same_stem(one: str, other: str) -> bool:
    """Whether two words are made of one: they begin alike, or one ends as the other is (`unoriginal`)."""
    short = min(len(one), len(other), 5)
    return one[:short] == other[:short] or one.endswith(other) or other.endswith(one)
