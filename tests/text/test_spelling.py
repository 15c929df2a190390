from hypothesis import example, given
from hypothesis import strategies as st

from botattack.text.spelling import LetterIndex, SpellingIndex, distance, text_distance

WORD = st.text("abc", min_size=1, max_size=6)


def by_definition(one: str, other: str) -> int:
    """Damerau-Levenshtein by Lowrance and Wagner's recurrence, written plainly."""
    last: dict[str, int] = {}
    far = len(one) + len(other)
    table = {(-1, -1): far}
    for i in range(len(one) + 1):
        table[i, -1], table[i, 0] = far, i
    for j in range(len(other) + 1):
        table[-1, j], table[0, j] = far, j
    for i in range(1, len(one) + 1):
        match = 0
        for j in range(1, len(other) + 1):
            k, m = last.get(other[j - 1], 0), match
            same = one[i - 1] == other[j - 1]
            match = j if same else match
            table[i, j] = min(
                table[i - 1, j - 1] + (not same),
                table[i, j - 1] + 1,
                table[i - 1, j] + 1,
                table[k - 1, m - 1] + (i - k - 1) + 1 + (j - m - 1),
            )
        last[one[i - 1]] = i
    return table[len(one), len(other)]


@given(WORD, WORD)
def test_distance_is_true_damerau_levenshtein(one: str, other: str) -> None:
    assert distance(one, other) == by_definition(one, other)


def test_a_transposed_pair_may_be_edited_again() -> None:
    assert distance("ca", "abc") == 2


@given(st.lists(WORD, max_size=40), WORD, st.integers(1, 4))
def test_a_search_finds_what_comparing_with_every_word_finds(words: list[str], asked: str, most: int) -> None:
    wanted = {
        (word, distance(asked, word))
        for word in words
        if word != asked and (word[0], word[-1]) == (asked[0], asked[-1]) and distance(asked, word) <= most
    }
    found = SpellingIndex(words).similar(asked, most)
    assert set(found) == wanted
    assert len(found) == len(wanted)
    assert [far for _, far in found] == sorted(far for _, far in found)


def test_an_empty_word_is_like_none() -> None:
    assert SpellingIndex(["", "a"]).similar("", 2) == ()


@given(st.text("abA ", max_size=12), st.text("abAB é", max_size=12))
@example("ca", "abc")
@example("who", "WHO")
@example("a" * 2500 + "bc", "x" + "a" * 2500 + "cb")
def test_a_quick_look_at_texts_tells_the_true_distance(one: str, other: str) -> None:
    assert text_distance(one, other) == distance(one, other)


@given(st.sets(WORD), WORD, st.integers(0, 3))
def test_words_with_nearly_the_same_letters_are_found(words: set[str], word: str, most: int) -> None:
    index = LetterIndex(words)
    for ends in {other[0] + other[-1] for other in words}:
        found = set(index.alike(word, most, ends))
        assert {other[0] + other[-1] for other in found} <= {ends}
        assert all(distance("".join(sorted(word)), "".join(sorted(other))) <= 2 * most for other in found)
        assert found >= {other for other in words if other[0] + other[-1] == ends and distance(word, other) <= most}
