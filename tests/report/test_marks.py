import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from botattack.model import Edit
from botattack.places import QUESTION, Place
from botattack.report.escape import hidden, visible
from botattack.report.wording.marks import join, pieces, places_of
from tests.report.streams import edit

TEXT = "what is the capital of france"


def show_edits(text: str, edits: tuple[Edit, ...], where: str = QUESTION) -> str:
    return join(pieces(text, edits, where))


@pytest.mark.parametrize(
    ("edits", "shown"),
    [
        ((edit(TEXT, "capital", "captial"),), "what is the [capital → captial] of france"),
        (
            (edit(TEXT, "what", "whta"), edit(TEXT, "france", "frnace")),
            "[what → whta] is the capital of [france → frnace]",
        ),
        ((Edit(5, "", "exactly ", "insert"),), "what [(nothing) → exactly␣]is the capital of france"),
        ((Edit(4, " is", "", "delete"),), "what[␣is → (nothing)] the capital of france"),
        ((Edit(4, " ", "  ", "spaces"),), "what[␣ → ␣␣]is the capital of france"),
        ((edit(TEXT, "capital", "cap\u200bital"),), "what is the [capital → cap\\u200bital] of france"),
        ((edit(TEXT, "capital", "c\u0430pital"),), "what is the [capital → c\u0430‹U+0430›pital] of france"),
        ((edit(TEXT, "what", "\u202ewhat"),), "[what → \\u202ewhat] is the capital of france"),
        ((), TEXT),
    ],
)
def test_show_edits(edits: tuple[Edit, ...], shown: str) -> None:
    assert show_edits(TEXT, edits) == shown


def test_far_text_is_left_out() -> None:
    text = "word " * 100 + "capital" + " word" * 100
    shown = show_edits(text, (edit(text, "capital", "x"),))
    assert shown.startswith("… word word")
    assert shown.endswith("word word …")
    assert " word [capital → x] word " in shown
    assert len(shown) < 160
    assert len(show_edits(text, ())) < 160


def test_an_edit_of_another_text_is_refused() -> None:
    with pytest.raises(ValueError, match="does not fit"):
        show_edits("other", (edit(TEXT, "capital", "x"),))


def test_places() -> None:
    edits = (Edit(0, "a", "b", "k", Place("passage", 1)), Edit(0, "a", "b", "k"))
    assert places_of(edits) == (QUESTION, Place("passage", 1))
    assert show_edits("abc", edits, Place("passage", 1)) == "[a → b]bc"


@given(st.text(max_size=300))
def test_visible_text_cannot_move_the_cursor(text: str) -> None:
    shown = visible(text).replace("\u200c", "")  # moves nothing; where it may stay is below
    assert not any(hidden(character) for character in shown)
    assert not any(unicodedata.category(character) in {"Cc", "Cf", "Zl", "Zp", "Cs"} for character in shown)


def test_visible_examples() -> None:
    assert visible("a\x1b[31mb\r\n\tc\u202ed\u00a0e\u200bf") == "a\\x1b[31mb\\r\\n\\tc\\u202ed\\xa0e\\u200bf"
    assert visible("x" * 1_000_000, 5) == "xxxxx… (999,995 more characters)"
    assert visible("e" + "\u0301" * 5) == "e" + "\u0301" * 3 + "\\u0301" * 2
    assert visible("Zürich, سلام, 東京") == "Zürich, سلام, 東京"
    assert visible("\ud800 \U000e0041") == "\\ud800 \\U000e0041"


@given(st.text(max_size=40), st.data())
def test_marks_lose_nothing(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text)))
    stop = data.draw(st.integers(start, len(text)))
    shown = pieces(text, (Edit(start, text[start:stop], "new", "k"),), around=100)
    assert "".join(piece.text for piece in shown if piece.role == "plain") == visible(text[:start], None) + visible(
        text[stop:], None
    )


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("نمی\u200cتوانم", "نمی\u200cتوانم"),
        ("صفحه\u200cآرایی", "صفحه\u200cآرایی"),
        ("ا\u200cب", "ا\\u200cب"),  # nothing would join here: nobody sees it
        ("ن\u200c\u200cت", "ن\\u200c\\u200cت"),
        ("ن\u200c1", "ن\\u200c1"),
        ("\u200cن", "\\u200cن"),
        ("a\u200cb", "a\\u200cb"),
        ("ن\u200fت", "ن\\u200fت"),
    ],
)
def test_the_non_joiner_is_shown_as_it_is_where_persian_writes_it(text: str, shown: str) -> None:
    assert visible(text) == shown
