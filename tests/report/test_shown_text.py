"""Numbers as reports write them, and foreign text as it is shown: cut, escaped, and bare of the signs of Markdown."""

from __future__ import annotations

import pytest

from botattack.report.escape import escaped, flowing, hidden, printable, quoted, spoken, unmarked, visible
from botattack.report.numbers import count, duration, percent, points, rounded, span
from botattack.report.wording.measure_words import p_value, point_span, signed


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        (percent(None), "–"),
        (percent(0.12345), "12.3 %"),
        (points(-0.051), "-5.1 points"),
        (span(None), "–"),
        (span((0.0, 0.125)), "0.0 – 12.5 %"),
        (rounded(0.0), "0 %"),
        (rounded(0.004), "under 1 %"),
        (rounded(0.006), "1 %"),
        (rounded(0.994), "99 %"),
        (rounded(0.996), "over 99 %"),
        (rounded(1.0), "100 %"),
        (duration(59.94), "59.9 s"),
        (duration(60), "1 min 00 s"),
        (duration(3599), "59 min 59 s"),
        (duration(3600), "1 h 00 min"),
        (duration(2 * 3600 + 5 * 60 + 20), "2 h 05 min"),
        (count(0, "answer"), "0 answers"),
        (count(1, "answer"), "1 answer"),
        (count(1234, "answer"), "1,234 answers"),
        (signed(0.05), "+5.0"),
        (signed(-0.05), "−5.0"),
        (point_span((-0.05, 0.051)), "−5.0 to +5.1"),
        (p_value("p", 0.0009), "p < 0.001"),
        (p_value("q", 0.001), "q = 0.001"),
    ],
)
def test_numbers_are_written_as_exactly_as_a_reader_needs(written: str, shown: str) -> None:
    assert written == shown


NEVER_SEEN = {
    "control": "\x00\x1b\x7f\x85",
    "format": "\u200b\u200e\u202e\u2066\ufeff\u00ad",
    "surrogate": "\ud800",
    "private": "\ue000",
    "unassigned": "\u0378",
    "line and paragraph": "\u2028\u2029",
    "space that is none": "\u00a0\u2003\u3000",
    "blank letter": "\u115f\u1160\u2800\u3164\uffa0",
    "selector": "\ufe00\ufe0f\U000e0100\U000e01ef\u034f",
}


@pytest.mark.parametrize("kind", NEVER_SEEN)
def test_what_a_reader_could_not_see_is_an_escape(kind: str) -> None:
    for sign in NEVER_SEEN[kind]:
        assert hidden(sign), hex(ord(sign))
        assert visible(f"a{sign}b") == f"a{escaped(sign)}b"
        assert escaped(sign).isascii()
        assert escaped(sign).startswith("\\")


@pytest.mark.parametrize("sign", [*" ~aé\u0303\u4e2d\u06cc\U0001f600\u20dd", "\ufe10", "\u2801"])
def test_what_a_reader_sees_stays(sign: str) -> None:
    assert not hidden(sign)
    assert visible(f"a{sign}b") == f"a{sign}b"


@pytest.mark.parametrize("mark", ["\u0301", "\u20dd"])
def test_marks_that_pile_up_are_escaped_from_the_fourth_on(mark: str) -> None:
    assert visible("e" + 3 * mark) == "e" + 3 * mark
    assert visible("e" + 5 * mark + "x" + mark) == "e" + 3 * mark + 2 * escaped(mark) + "x" + mark


def test_a_non_joiner_stays_within_a_persian_word_alone() -> None:
    assert visible("می\u200cخواهم") == "می\u200cخواهم"
    for text in ("a\u200cb", "\u200cمی", "می\u200c", "د\u200cم"):
        assert "\\u200c" in visible(text)


@pytest.mark.parametrize(
    ("at", "shown"),
    [
        (0, "{0}… (300 more characters)"),
        (100, "{0}… (300 more characters)"),
        (101, "(51 characters before) …{51}… (249 more characters)"),
        (300, "(250 characters before) …{250}… (50 more characters)"),
        (499, "(300 characters before) …{300}"),
    ],
)
def test_a_long_text_is_cut_around_what_matters(at: int, shown: str) -> None:
    """To 200 characters, a quarter of them before it."""
    text = "".join(chr(0x4E00 + n) for n in range(500))
    first = int(shown.partition("{")[2].partition("}")[0])
    assert visible(text, at=at) == shown.replace(f"{{{first}}}", text[first : first + 200])
    assert visible(text, None, at) == text
    assert visible(text[:200]) == text[:200]
    assert visible("x" * 1801, 100) == "x" * 100 + "… (1,701 more characters)"


def test_a_reply_is_cut_around_what_is_new_in_it() -> None:
    usual = " ".join(f"word{n}" for n in range(60))
    reply = f"{usual} but the answer is another one now {usual}"
    assert "but the answer is another" in flowing(reply, usual=usual)
    assert "but the answer is another" not in flowing(reply)
    assert flowing(f"new {reply}", usual="").startswith("new word0")
    asked = flowing(f"{usual} who is it then {usual} but the answer is now", usual=usual, sent="who is it then")
    assert "but the answer is now" in asked
    assert flowing(" a\t\n\r b ") == "a b"


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("## Heading", "Heading"),
        ("####### seven", "####### seven"),
        ("```python\ncode\n```", "\ncode\n"),
        ("~~~\ncode", "\ncode"),
        ("- one\n* two\n+ three", "• one\n• two\n• three"),
        ("[Paris](https://a.example)", "Paris (https://a.example)"),
        ("![Paris](a.png)", "Paris (a.png)"),
        ("**bold** __too__ `code`", "bold too code"),
        ("2**3**4 a__b__c", "2**3**4 a__b__c"),
        ("-5 and +5", "-5 and +5"),
    ],
)
def test_markdown_is_read_as_a_chat_window_draws_it(written: str, read: str) -> None:
    assert unmarked(written) == read


@pytest.mark.parametrize(
    ("known", "said"),
    [
        ([], "Hi there! Well, it is Paris. Bye! So long!"),
        (["Hi there!"], "… Well, it is Paris. Bye! So long!"),
        (["So long!"], "Hi there! Well, it is Paris. Bye! …"),
        (["Well,", "Hi there!", "So long!", "Bye!"], "… it is Paris. …"),
    ],
)
def test_what_a_bot_always_says_is_dots(known: list[str], said: str) -> None:
    assert spoken("Hi  there!\n**Well**, it is Paris. Bye! So long!", known) == said


def test_a_printable_text_keeps_its_lines_and_tabs() -> None:
    assert printable("a\tb\n\x1bc\u200b") == "a\tb\n\\x1bc\\u200b"
    assert quoted("it's") == "'it'\"'\"'s'"
    assert quoted("a\nb") == "'a\\nb'"
