from collections import Counter
from itertools import product
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from botattack.attacks.building.combinations import Combinations, Option, Take, draw, slack, unambiguous
from botattack.model import Edit
from botattack.text.spelling import distance
from botattack.text.tokens import normalised
from tests.edits import apply_edits

WORD = st.text("ab", min_size=1, max_size=5)
WORDS = st.lists(st.text("ab", min_size=1, max_size=2), min_size=1, max_size=3).map(" ".join)
Slots = list[list[Option]]


def slots_for(text: str, *replacements: tuple[str, list[str]]) -> Slots:
    """A slot for each (word, replacements), in the order the words stand in the text."""
    slots, end = [], 0
    for word, others in replacements:
        start = text.index(word, end)
        end = start + len(word)
        slots.append([Option.of(Edit(start, word, other, "typo"), distance(word, other)) for other in others])
    return slots


@st.composite
def texts_with_slots(
    draw: st.DrawFn, gaps: tuple[str, ...] = (" ", " a ", "-", " of "), other: st.SearchStrategy[str] = WORD
) -> tuple[str, Slots]:
    words = draw(st.lists(WORD, min_size=1, max_size=4))
    text, slots = draw(st.sampled_from(("", "ab "))), []
    for word in words:
        others = sorted(draw(st.sets(other, max_size=4)) - {word})
        options = [Option.of(Edit(len(text), word, other, "typo"), distance(word, other)) for other in others]
        slots.append([option for option in options if option.distance <= 2])
        text += word + draw(st.sampled_from(gaps))
    return text, [slot for slot in slots if slot]


def listed(text: str, slots: Slots, epsilon: int, most: int | None) -> set[tuple[Edit, ...]]:
    """By trying everything."""
    found = set()
    for chosen in product(*([None, *slot] for slot in slots)):
        taken = [option for option in chosen if option]
        edits = tuple(edit for option in taken for edit in option.edits)
        if 0 < sum(option.distance for option in taken) <= epsilon and (most is None or len(edits) <= most):
            found.add(edits)
    return found


@given(texts_with_slots(), st.integers(1, 6), st.one_of(st.none(), st.integers(1, 3)))
def test_counting_is_listing(case: tuple[str, Slots], epsilon: int, most: int | None) -> None:
    text, slots = case
    combinations = Combinations(text, slots, epsilon, most)
    every = list(combinations.every())
    assert {edits for _, edits, _ in every} == listed(text, slots, epsilon, most)
    assert len(every) == combinations.total
    assert [combinations.pick(number) for number in range(combinations.total)] == every


@pytest.mark.slow
@given(texts_with_slots(), st.integers(1, 6))
def test_edits_give_the_text_and_its_true_distance(case: tuple[str, Slots], epsilon: int) -> None:
    text, slots = case
    for after, edits, far in Combinations(text, slots, epsilon).every():
        assert apply_edits(text, edits) == after
        assert distance(text, after) == far <= epsilon


@pytest.mark.slow
@pytest.mark.parametrize("letters", ["ab", "abc"])
def test_true_distance_where_letters_may_cross_every_gap(letters: str) -> None:
    rng = Random(3)
    saved = 0
    for _ in range(4000):
        words = ["".join(rng.choices(letters, k=rng.randint(1, 4))) for _ in range(rng.randint(2, 4))]
        others = ["".join(rng.choices(letters, k=rng.randint(1, 4))) for _ in words]
        pairs = [(one, other) for one, other in zip(words, others, strict=True)]
        text = " ".join(words)
        slots = [slot for slot in slots_for(text, *((w, [o] if o != w else []) for w, o in pairs)) if slot]
        for after, edits, far in Combinations(text, slots, 8).every():
            assert far == distance(text, after), (text, after)
            saved += far < sum(distance(edit.before, edit.after) for edit in edits)
    assert saved > 20


def test_edits_that_share_an_operation() -> None:
    slots = slots_for("fast art", ("fast", ["fas"]), ("art", ["tart"]))
    assert Combinations("fast art", slots, 4).pick(2)[::2] == ("fas tart", 1)
    assert slack("fast", "fas", 1) == slack("art", "tart", 1) == 1
    assert slack("brother", "borther", 1) == 0


@given(texts_with_slots(), st.integers(1, 5), st.integers(1, 30), st.sampled_from(["sample", "nearest"]), st.integers())
def test_what_is_taken(case: tuple[str, Slots], epsilon: int, most: int, take: Take, seed: int) -> None:
    text, slots = case
    combinations = Combinations(text, slots, epsilon)
    taken = list(combinations.take(most, take, Random(seed)))
    assert taken == list(combinations.take(most, take, Random(seed)))
    assert len({edits for _, edits, _ in taken}) == len(taken) == min(most, combinations.total)
    if take == "nearest":
        sums = [sum(distance(edit.before, edit.after) for edit in edits) for _, edits, _ in taken]
        all_sums = [sum(distance(e.before, e.after) for e in edits) for _, edits, _ in combinations.every()]
        assert sums == sorted(all_sums)[: len(sums)]


@pytest.mark.parametrize("most", [1, 3])
def test_the_draw_is_uniform(most: int) -> None:
    text = "who played it"
    slots = slots_for(text, ("who", ["hwo", "ho"]), ("played", ["palyed", "plaed", "payled", "pleyid"]))
    combinations = Combinations(text, slots, 3)
    rounds = 600 * combinations.total // most
    rng = Random(11)
    drawn = Counter(edits for _ in range(rounds) for _, edits, _ in combinations.take(most, "sample", rng))
    assert len(drawn) == combinations.total == 14
    expected = rounds * most / combinations.total
    chi_square = sum((count - expected) ** 2 / expected for count in drawn.values())
    assert chi_square < 34.5  # 13 degrees of freedom, p = 0.001


def test_ties_of_the_nearest_are_broken_by_chance() -> None:
    text = "who played it"
    slots = slots_for(text, ("played", ["palyed", "plaed", "payled", "played!"]))
    combinations = Combinations(text, slots, 4)
    firsts = {next(combinations.take(1, "nearest", Random(seed)))[0] for seed in range(40)}
    assert len(firsts) == 3


def test_more_combinations_than_a_machine_word_counts() -> None:
    words = ["".join(pair) for pair in product("abcdefghij", repeat=2)]
    text = " ".join(words)
    slots, start = [], 0
    for word in words:
        slots.append([Option.of(Edit(start, word, word[0] + other, "typo"), 1) for other in "stuvwxyz"])
        start += len(word) + 1
    combinations = Combinations(text, slots, 16)
    assert combinations.total > 2**63
    taken = [edits for _, edits, _ in combinations.take(20, "sample", Random(1))]
    assert len(set(taken)) == 20
    assert {len(edits) for edits in taken} <= {14, 15, 16}


@given(st.integers(0, 50), st.integers(0, 60), st.integers(1, 20), st.integers())
def test_drawn_numbers_are_different_and_in_range(start: int, size: int, most: int, seed: int) -> None:
    numbers = list(draw(start, start + size, most, Random(seed)))
    assert len(set(numbers)) == len(numbers) == min(most, size)
    assert all(start <= number < start + size for number in numbers)


GAPS = ("", " ", "b", "-", " a ", " b b ")


@given(st.one_of(texts_with_slots(gaps=GAPS), texts_with_slots(gaps=GAPS, other=WORDS)), st.integers(1, 5))
def test_no_two_combinations_give_one_text(case: tuple[str, Slots], epsilon: int) -> None:
    text, slots = case
    merged = unambiguous(text, slots, epsilon)
    results = list(Combinations(text, merged, epsilon).every())
    texts = [normalised(after) for after, _, _ in results]
    assert len(set(texts)) == len(texts)
    assert normalised(text) not in texts
    for after, edits, far in results:
        assert apply_edits(text, edits) == after
        assert distance(text, after) == far


def test_a_repeated_letter_between_words_parts_them_no_more() -> None:
    text = "aabba"
    slots = [[Option.of(Edit(1, "a", "ab", "typo"), 1)], [Option.of(Edit(4, "a", "ba", "typo"), 1)]]
    assert [after for after, _, _ in Combinations(text, unambiguous(text, slots, 1), 1).every()] == ["aabbba"]


def test_replacements_with_spaces_are_told_apart() -> None:
    text = "some things"
    slots = slots_for(text, ("some", ["so", "so me"]), ("things", ["me things", "thing"]))
    plain = [after for after, _, _ in Combinations(text, slots, 6).every()]
    assert plain.count("so me things") == 2
    merged = [after for after, _, _ in Combinations(text, unambiguous(text, slots, 6), 6).every()]
    assert sorted(merged) == sorted(set(plain))
