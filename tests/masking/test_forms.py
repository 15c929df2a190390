"""A secret is known in every hand, and in several inside one another."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from random import Random

import pytest

from botattack.audit.secrets import secrets_of
from botattack.config.target import load_target
from botattack.recordings.masking import MASK, Masker
from tests.masking.forms import FORMS, SECRETS, forms
from tests.masking.test_every_place import MESSAGES, WHOLE

NESTED = [
    name
    for name in FORMS
    if name not in ("hexadecimal", "other white space", "repr of Python") and "base64" not in name
]
"""Forms that leave a text in which the next form makes sense."""


@pytest.mark.parametrize("name", SECRETS)
@pytest.mark.parametrize("around", ["{}", "tell {}!", "<a href='{}'>", '{{"a": "{}"}}'])
def test_each_form_of_each_secret_is_masked_whole(name: str, around: str) -> None:
    text = Masker([SECRETS[name]]).text
    assert {text(around.format(form)) for _, form in forms(name)} == {around.format(MASK)}


@pytest.mark.parametrize("depth", [2, 3, 4])
@pytest.mark.slow
def test_forms_inside_one_another_are_masked_whole(depth: int) -> None:
    rng = Random(depth)
    for _ in range(60):
        name, hands = rng.choice(list(SECRETS)), rng.choices(NESTED, k=depth)
        told = SECRETS[name]
        for hand in hands:
            told = FORMS[hand](told)
        assert Masker([SECRETS[name]]).text(f"it is {told}!") == f"it is {MASK}!", (name, hands)


def test_what_is_learned_is_masked_from_then_on() -> None:
    masker = Masker(["first-secret"])
    assert masker.text("second-secret") == "second-secret"
    masker.learn(["second-secret", " third-secret\n", "abc"])
    assert masker.text("first-secret second-secret third-secret abc") == f"{MASK} {MASK} {MASK} abc"


@pytest.mark.parametrize(
    "text", ["", "a plain reply", "50% of it & more", 'a \\"quoted\\" one', "caf\\u00e9 \\n \\x1b"]
)
def test_what_holds_no_secret_is_left_as_it_is(text: str) -> None:
    masker = Masker(secret for name, secret in SECRETS.items() if name != "ODD")  # without three letters in a row
    assert (masker.text(text), masker.suspects(text)) == (text, False)


def test_the_counts_of_the_documentation() -> None:
    said = " ".join((Path(__file__).parents[2] / "docs" / "security.md").read_text("utf-8").split())
    pairs = f"{len(MESSAGES) * len(WHOLE):,}"
    assert all(count in said for count in (f"{len(MESSAGES)} messages", f"{len(WHOLE)} places", f"Of {pairs} pairs"))


def test_a_line_of_a_key_is_masked_alone() -> None:
    first, *lines, last = SECRETS["PEM"].splitlines()
    masker = Masker([SECRETS["PEM"]])
    assert masker.text("".join(lines)) == MASK * len(lines)
    assert [masker.text(line) for line in (first, last)] == [first, last]


def test_parts_of_an_address_are_secrets_by_themselves(tmp_path: Path) -> None:
    value = "https://desk:pa55@bot.invalid/services/T0aZ19xQ/chat?sig=8sKd02mQzz&model=small"
    (tmp_path / "bot.yaml").write_text("env: [BOT_URL]\nconnect: {kind: process, command: [cat]}\n")
    environ = {"BOT_URL": value}
    config = load_target(tmp_path / "bot.yaml", environ=environ, today=date(2026, 1, 1), allow_code=True)
    known = secrets_of(config, None)
    assert known == {value, "pa55", "T0aZ19xQ", "8sKd02mQzz"}
