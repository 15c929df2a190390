"""What agrees with a word that is replaced."""

import pytest

from botattack.attacks.building.agreeing import edit_of, takes_an
from botattack.model import Token
from tests.edits import apply_edits


@pytest.mark.parametrize(
    "word", ["apple", "hour", "honest", "FBI", "EU", "8", "unimportant", "onion", "utter", "Italian"]
)
def test_what_takes_an(word: str) -> None:
    assert takes_an(word)


@pytest.mark.parametrize("word", ["house", "European", "one", "unit", "user", "UK", "NASA", "1", "usual", "ubiquitous"])
def test_what_takes_a(word: str) -> None:
    assert not takes_an(word)


@pytest.mark.parametrize(
    ("text", "word", "other", "after"),
    [
        ("Is this an old hotel?", "old", "new", "Is this a new hotel?"),
        ("A fish swims", "fish", "animal", "An animal swims"),
        ("AN APPLE", "APPLE", "PEAR", "A PEAR"),
        ("a  fish", "fish", "animal", "an  animal"),
        ("a hour", "hour", "week", "a week"),
        ("the fish", "fish", "animal", "the animal"),
    ],
)
def test_the_article_agrees_with_a_new_word(text: str, word: str, other: str, after: str) -> None:
    pieces = text.split()
    tokens: list[Token] = []
    for piece in pieces:
        start = text.index(piece, tokens[-1].end if tokens else 0)
        tokens.append(Token(piece, start))
    edit = edit_of(text, tokens, pieces.index(word), other, "test")
    assert apply_edits(text, (edit,)) == after
