import pytest
from hypothesis import given
from hypothesis import strategies as st

from botattack.text.tokens import match_case, normalised, words

LETTERS = st.text("abcdefgXYZ", min_size=1, max_size=8)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("What's the co-op's name?", ["What's", "the", "co-op's", "name"]),
        ("پایتخت ایران می‌خواهم", ["پایتخت", "ایران", "می‌خواهم"]),
        ("भारत की राजधानी", ["भारत", "की", "राजधानी"]),
        ("cafe\u0301 № 5", ["cafe\u0301", "5"]),
        (" ?! ", []),
    ],
)
def test_words_of_any_script(text: str, found: list[str]) -> None:
    assert [word.text for word in words(text)] == found


@given(st.text())
def test_words_stand_where_they_say(text: str) -> None:
    end = 0
    for word in words(text):
        assert end <= word.start
        assert text[word.start : word.end] == word.text
        end = word.end


@pytest.mark.parametrize(
    ("original", "replacement", "cased"),
    [
        ("capital", "captial", "captial"),
        ("Albert", "elbert", "Elbert"),
        ("Italy", "tialy", "Tialy"),
        ("NASA", "nassa", "NASSA"),
        ("McDonald", "macdonald", "MacDonald"),
        ("iPhone", "iphobe", "iPhobe"),
        ("london", "Lodnon", "lodnon"),
        ("I", "in", "In"),
        ("Sometimes", "some times", "Some times"),
        ("New", "knew", "Knew"),
        ("Whole", "hole", "Hole"),
    ],
)
def test_a_replacement_takes_the_case_of_what_it_replaces(original: str, replacement: str, cased: str) -> None:
    assert match_case(original, replacement) == cased


@given(LETTERS, LETTERS)
def test_case_is_all_that_changes(original: str, replacement: str) -> None:
    cased = match_case(original, replacement)
    assert cased.casefold() == replacement.casefold()
    if original.islower():
        assert cased.islower()
    if original.isupper() and len(original) > 1:
        assert cased.isupper()


@given(LETTERS)
def test_a_word_in_another_case_becomes_the_word(word: str) -> None:
    assert match_case(word, word.swapcase()) == word


@given(st.text())
def test_normalising_twice_changes_nothing(text: str) -> None:
    assert normalised(normalised(text)) == normalised(text)


def test_what_counts_as_the_same() -> None:
    assert normalised("  Stra\u00dfe\u00a0 No\uff11 ") == normalised("STRASSE no1")
    assert normalised("captial") != normalised("capital")
