"""Codes, accounts, phone numbers and addresses: what is one, and what is the same one in another notation."""

from __future__ import annotations

import pytest

from botattack.text.values.identifiers import (
    addresses,
    canonical,
    code_in,
    glued_codes,
    is_in_code,
    is_number,
    is_spoken,
    kind_of,
)


@pytest.mark.parametrize(
    ("one", "other", "kind"),
    [
        ("Ann@B.org", "ann@b.ORG", "mail"),
        ("3:1", "3:1", "score"),
        ("+49 30 1234567", "030 1234567", "phone"),
        ("0049 30 1234567", "030-1234567", "phone"),
        ("(030) 1234567", "030 1234567", "phone"),
        ("DE44 5001 0517 5407 3249 31", "DE44500105175407324931", "account"),
    ],
)
def test_an_identifier_is_the_same_in_another_notation(one: str, other: str, kind: str) -> None:
    assert canonical(one) == canonical(other) != ""
    assert kind_of(canonical(one)) == f"identifier {kind}"
    assert is_number(canonical(one))


@pytest.mark.parametrize(
    ("token", "is_one"),
    [
        ("12345678", False),
        ("123456789", True),  # nine digits, as phone numbers have
        ("1234567890123", True),
        ("12345678901234", False),
        ("123456000", False),
        ("0301234", False),
        ("03012345", True),
        ("+493012", False),
        ("+4930123456", True),
        ("a:b", False),
        ("DE4450010517540", True),
        ("DE445001051754", False),
        ("Paris", False),
    ],
)
def test_a_number_of_many_digits_is_an_identifier(token: str, is_one: bool) -> None:
    assert (canonical(token) != "") == is_one


@pytest.mark.parametrize("word", ["1", "12km", "=tel30", "٣"])
def test_a_word_that_begins_with_a_digit_or_the_sign_is_a_number(word: str) -> None:
    assert is_number(word)
    assert not is_number(f"x{word}")


@pytest.mark.parametrize(
    ("text", "at", "inside"),
    [
        ("Error E7", 7, True),
        ("ABC-12", 4, True),
        ("AB_12", 3, True),
        ("ABCDE12", 5, True),
        ("ABCDEF12", 6, False),
        ("KM12", 2, False),
        ("7B", 0, True),
        ("v7", 1, False),
        ("a7", 1, True),
        ("12 KM", 0, False),
        ("12KM", 0, False),
        ("12AB", 0, True),
        ("12ABC", 0, False),
        ("is 12", 3, False),
    ],
)
def test_letters_that_are_glued_to_a_number_make_a_code(text: str, at: int, inside: bool) -> None:
    end = next((i for i in range(at, len(text)) if not text[i].isdecimal()), len(text))
    assert is_in_code(text, (at, end), {"km"}) == inside


@pytest.mark.parametrize(
    ("wanted", "text", "found"),
    [
        ("AB-120", "It is AB-120.", "AB-120"),
        ("AB-120", "It is ab 120.", "ab 120"),
        ("AB-120", "It is AB120.", "AB120"),
        ("AB-120", "It is AB-121.", ""),
        ("AB-120", "It is AB-120-B.", ""),
        ("AB-120", "It is XY-999.", None),
        ("AB-120", "It is red.", None),
        ("SW1A 1AA", "in SW1A1AA now", "SW1A1AA"),
        ("SW1A 1AA", "in SW1A 2AA", ""),
        ("red", "red", None),
        ("10AM", "10AM", None),
        ("5GB", "5GB", None),
        ("NATO", "NATO", None),
        ("12", "12", None),
    ],
)
def test_a_code_is_said_or_another_like_it(wanted: str, text: str, found: str | None) -> None:
    assert code_in(wanted, text) == found


@pytest.mark.parametrize(
    ("token", "spoken"),
    [("1h30m", True), ("at7pm", True), ("0x7", False), ("0X7", False), ("1h30q", False), ("a7pm", False)],
)
def test_a_glued_token_of_known_words_is_no_code(token: str, spoken: bool) -> None:
    assert is_spoken(token, {"h", "m", "pm", "x"}) == spoken


@pytest.mark.parametrize("code", ["0xb7aa", "A7B-33"])
def test_codes_of_letters_and_digits_are_found(code: str) -> None:
    assert glued_codes(f"is {code} so") == [(3, 3 + len(code))]
    assert glued_codes("no code 12 here") == []


@pytest.mark.parametrize("form", ["{}", "https://{}", "http://{}/", "{}.", "({})", '"{}"', "https://{}/,"])
def test_an_address_is_the_same_with_what_may_be_left_out(form: str) -> None:
    found = addresses(f"See {form.format('www.a.org/b')} for more.")
    assert [*found] == ["a.org/b"]
    assert addresses("no address a.org") == {}
