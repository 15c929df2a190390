"""What is drawn without being listed: as many, as far, as often as listing would draw it."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from botattack.attacks.building.combinations import Combinations
from botattack.attacks.building.plain_words import (
    SUMMED,
    Frame,
    options_of,
    parted,
    shapes,
    some_of,
    together,
    word_tokens,
)
from botattack.attacks.letters.characters import Noise, RandomCharacters
from botattack.model import Edit, GoldAnswer, Question
from botattack.text.spelling import distance
from tests.edits import apply_edits

WORD = st.text("abz", min_size=1, max_size=4)


@given(st.integers(0, 60), st.integers(1, 70), st.integers())
def test_some_numbers_are_different_and_in_range(size: int, most: int, seed: int) -> None:
    found = some_of(size, most, Random(seed))
    assert len(set(found)) == len(found) == min(size, most)
    assert all(0 <= number < size for number in found)


@pytest.mark.parametrize("size", [6, 2**45])
def test_every_number_is_as_likely(size: int) -> None:
    rng = Random(1)
    counts = Counter(number * 6 // size for _ in range(600) for number in some_of(size, 1, rng))
    assert set(counts) == set(range(6))
    assert max(counts.values()) < 2 * min(counts.values())


@given(st.lists(WORD, min_size=1, max_size=4, unique=True), st.integers(1, 4), st.integers(0, 2))
def test_shapes_hold_what_combining_lists(words: list[str], epsilon: int, most: int) -> None:
    text = " ".join(words)
    tokens = word_tokens(text)
    respelt = [
        [
            (Edit(word.start, word.text, after, "random"), distance(word.text, after))
            for after in {word.text.replace(letter, "q", 1) for letter in word.text} - {word.text}
        ]
        for word in tokens
    ]
    known = shapes(respelt, epsilon, most or None)
    assert known is not None
    total = sum(shape.total for shape in known)
    slots = [
        options_of(word, ((e.after, "random", far) for e, far in of)) for word, of in zip(tokens, respelt, strict=True)
    ]
    listed = {after for after, _, _ in Combinations(text, slots, epsilon, most or None).every()}
    made = list(together(text, known, range(total)))
    assert {after for after, _, _ in made} == listed
    assert len(made) == total
    for after, edits, far in made:
        assert apply_edits(text, edits) == after
        assert far == distance(text, after)


@given(st.lists(st.tuples(WORD, st.permutations("aabbcz")), min_size=2, max_size=3), st.sampled_from((" ", ", ")))
@example([("aab", "abc"), ("cb", "ba")], " ")
@example([("ac", "ba"), ("bab", "cbb")], " ")
def test_a_letter_that_crosses_a_space_saves_an_operation(pairs: list[tuple[str, Any]], gap: str) -> None:
    text = gap.join(word for word, _ in pairs)
    respelt = [
        [(edit, far)]
        for token, (word, letters) in zip(word_tokens(text), pairs, strict=True)
        for edit in [Edit(token.start, word, "".join(letters)[: len(word)], "random")]
        if (far := distance(word, edit.after))
    ]
    known = shapes(respelt, SUMMED, None) or []
    for after, _, far in together(text, known, range(sum(shape.total for shape in known))):
        assert far == distance(text, after)


def test_very_many_shapes_are_listed_instead() -> None:
    text = " ".join("abcdefghijklmnop")
    respelt = [
        [(Edit(w.start, w.text, after, "x"), far) for far, after in ((1, "1"), (2, "23"))] for w in word_tokens(text)
    ]
    assert shapes(respelt, 4, None) is None
    assert shapes(respelt, 4, 1) is not None


def test_words_that_touch_others_are_not_parted() -> None:
    (one, _) = word_tokens("at noon")
    assert parted("at noon", [one])
    assert not parted("atnoon", [one])
    assert not parted("at nôon", [one])


@pytest.mark.parametrize("attack", [RandomCharacters(per_question=60), Noise(per_question=60)])
@pytest.mark.parametrize("text", ["Who plays Ken at 5pm in Rome?", "which old poet married in Zürich near the river"])
def test_far_as_told_and_answers_spared(attack: Any, text: str, propose_all: Any) -> None:
    question = Question(text, (GoldAnswer("Rome"), GoldAnswer("river")))
    variants, existing = propose_all(attack, question)
    assert existing is None
    assert len({variant.id for variant in variants}) == len(variants) > 30
    for variant in variants:
        assert variant.distance == distance(text, variant.prompt.text)
        assert ("Rome" if "Rome" in text else "river") in variant.prompt.text


@pytest.mark.parametrize("text", ["who conquered the largest kingdom", "wer eroberte das größte Königreich"])
def test_noise_keeps_the_limits_it_is_given(text: str, propose_all: Any) -> None:
    near, _ = propose_all(Noise(epsilon=2), text)
    assert {variant.distance for variant in near} <= {1, 2}
    several, _ = propose_all(Noise(combine=2), text)
    assert max(len(variant.edits) for variant in several) == 2


def test_each_kind_of_noise_and_each_word_has_its_share(propose_all: Any) -> None:
    variants, _ = propose_all(Noise(per_question=200), "who conquered the largest kingdom")
    kinds = Counter(variant.edits[0].kind for variant in variants)
    words = Counter(variant.edits[0].before for variant in variants)
    assert len(variants) == 200
    assert set(kinds) == {"replace", "swap", "middle", "shuffle", "keyboard"}
    assert max(words.values()) < 2 * min(words.values())


@given(st.text("ab .", max_size=12), st.integers())
def test_a_frame_gives_its_text_with_other_words(text: str, seed: int) -> None:
    words = word_tokens(text)
    edits = tuple(Edit(word.start, word.text, word.text.upper() * (1 + seed % 3), "x") for word in words)
    assert Frame(text, words).written([edit.after for edit in edits]) == apply_edits(text, edits)
