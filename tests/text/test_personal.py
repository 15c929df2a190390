"""What is personal has a form, and becomes one sign with its kind: each alternative of each pattern has its row."""

from __future__ import annotations

import pytest

from botattack.text.personal import FIRST, LAST, cleaned, form_of, luhn, sign, without_structured
from botattack.text.tokens import ZWNJ
from botattack.text.word_lists import word_tuple

CODES = ("en", "de", "fa")
ENDS = ("com", "org", "net", "de", "at", "ch", "ir", "uk", "eu", "io", "info", "app", "dev")
MONTHS = [(code, month) for code in CODES for month in word_tuple("chats.months", code)]


def kinds(text: str, code: str = "en") -> list[str]:
    return [slot.kind for slot in without_structured(text, code)[1]]


@pytest.mark.parametrize(("code", "month"), MONTHS)
def test_a_date_with_each_month_is_one(code: str, month: str) -> None:
    nths = ["", ".", *word_tuple("chats.ordinals", code)]
    written = [f"12{nth} {month} 1999" for nth in nths] + [f"{month} 12{nth}, 1999" for nth in nths]
    for date in [*written, f"12 {month.upper()}. 1999"]:
        text, slots = without_structured(f"a {date} b", code)
        assert (text, [slot.kind for slot in slots]) == (f"a {sign(0)} b", ["date"])


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        *(("link", f"x.{end}") for end in ENDS),
        *(("link", text) for text in ("http://a/b", "https://a/b", "www.b.c/d")),
        *(
            ("email", text)
            for text in ("a.b@c.org", "a @ c.org", "ann at mail dot com", "ann dot b (at) mail [dot] com")
        ),
        *(
            ("address", text)
            for text in ("12 Long Street", "12b Oak Hill, flat 3", "SW1A 1AA", "NY 10001", "po box 12")
        ),
        *(("iban", text) for text in ("DE44 5001 0517 5407 3249 31", "GB33BUKB20201555555555")),
        *(("network", text) for text in ("10.0.0.1", "fe80:0:0:0:1:2:3:4")),
        *(("date", text) for text in ("1999-12-31", "31.12.1999", "31/12/99", "1. 2. 1999")),
        *(("phone", text) for text in ("+49 30 123456", "(030) 123456", "030 123456")),
        *(("number", text) for text in ("12345", "12 34 56", "123.456.78")),
        *(("code", text) for text in ("#123", "A123", "ab-12-3c")),
        ("handle", "@ann"),
    ],
)
def test_each_form_is_found_whole(kind: str, text: str) -> None:
    assert without_structured(f"is {text} ; yes", "en") == (f"is {sign(0)} ; yes", [(kind, form_of(text))])


@pytest.mark.parametrize("text", ["1234", "#12", "A12", "@a", "1.2", "in May 5", "fe80:0:0:0", "e.g. this", "a at b"])
def test_what_is_too_short_for_a_form_stays(text: str) -> None:
    assert without_structured(text, "en") == (text, [])


@pytest.mark.parametrize(("most", "kind"), [(12, "number"), (13, "card"), (16, "card"), (19, "card"), (20, "number")])
def test_a_card_has_thirteen_to_nineteen_digits_and_a_check_sum(most: int, kind: str) -> None:
    start = "4" + "1" * (most - 2)
    last = next(digit for digit in "0123456789" if luhn([int(one) for one in start + digit]) == 0)
    assert kinds(start + last) == [kind]
    assert kinds(f"{start}{(int(last) + 1) % 10}") == ["number"]


@pytest.mark.parametrize("number", ["4539578763621486", "79927398713", "18"])
def test_a_check_sum_is_zero_for_right_digits_alone(number: str) -> None:
    digits = [int(one) for one in number]
    assert luhn(digits) == 0
    assert all(luhn([*digits[:-1], last]) for last in range(10) if last != digits[-1])


def test_values_are_numbered_in_their_order_and_keep_the_blanks_around_them() -> None:
    text, slots = without_structured("from 12345 to a@b.org, +49 30 123456 .", "en")
    assert text == f"from {sign(0)} to {sign(1)}, {sign(2)} ."
    assert [slot.form for slot in slots] == ["00000", "a@a.aaa", "+00 00 000000"]


def test_no_text_has_more_values_than_there_are_signs() -> None:
    most = ord(LAST) - ord(FIRST)
    text, slots = without_structured("@ab " * (most + 9), "en")
    assert len(slots) == most
    assert {*text} == {" ", *map(sign, range(most))}
    assert max(text) <= LAST


def test_a_form_keeps_digits_case_and_signs() -> None:
    assert form_of("Ab-1٣ ö") == "Aa-00 a"


@pytest.mark.parametrize("hides", ["\u200b", "\u00ad", FIRST, LAST, "\x00", "\u202e"])
def test_what_hides_data_is_taken_out(hides: str) -> None:
    assert cleaned(f"a{hides}b") == "ab"


def test_lines_and_joints_of_words_stay_and_forms_of_signs_become_one() -> None:
    assert cleaned(f"a\n\tö{ZWNJ}b １２") == f"a\n\tö{ZWNJ}b 12"


@pytest.mark.parametrize(("length", "kept"), [(19_999, 19_999), (20_000, 20_000), (20_001, 20_000)])
def test_a_message_is_read_up_to_its_limit(length: int, kept: int) -> None:
    assert len(cleaned("a" * length)) == kept
