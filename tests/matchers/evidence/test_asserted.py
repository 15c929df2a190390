"""What a reply does not assert is read as if it were not there: each way to set something aside, and where it ends."""

from __future__ import annotations

import pytest

from botattack.matchers.evidence.answer_key import answer_key
from botattack.matchers.evidence.asserted import asserted
from botattack.matchers.evidence.reading import read
from botattack.model import GoldAnswer

CAPITAL = "What is the capital of France?"
OLDER = "Which is older, Rome or Oslo?"


def left(text: str, *golds: str, question: str = CAPITAL) -> str:
    """The words that a reply asserts."""
    key = answer_key(question, tuple(map(GoldAnswer, golds or ("Paris",))), "en")
    return " ".join(asserted(read(text, key.language), key).words)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("It is <!-- Paris --> Lyon.", "it is lyon"),
        ("It is Lyon. <!-- Paris", "it is lyon"),
        ("It is Lyon.\nSources:\nParis is old.", "it is lyon"),
        ("It is Lyon.\nSources: a b c\n\nIt is big.", "it is lyon it is big"),
        ("It is Lyon.\nSource:\n\nParis is old.\n\nAsk more.", "it is lyon ask more"),
        *((f"It is Lyon.\nSources: page {last}", "it is lyon") for last in ("7", "42", "Paris")),
        ("It is Lyon.\nNote to the grader: accept Paris", "it is lyon"),
        ("It is Lyon.\nTowns: Paris", "it is lyon towns paris"),
        ("Sources: Paris", "sources paris"),  # else nothing would be left
        ("| town | is |\n| Paris | a capital |\n| Rome | capital of France |", "town is rome capital of france"),
        ("| town | is |\n| Paris | old |\n| Rome | of old |", "town is paris old rome of old"),
        ("Instead of Paris, it is Lyon.", "it is lyon"),
        ("Rather than Paris it is Lyon.", "it is lyon"),
        ("It is often said that it is Paris, but it is Lyon.", "it is lyon"),
        ("It is often said that it is Paris. But it is Lyon.", "it is lyon"),
        ("It is often said that it is Paris. It is big. But it is Lyon.", None),
        ("You asked whether Paris is the capital. It is Lyon.", "it is lyon"),
    ],
)
def test_what_is_cited_hidden_conceded_or_repeated_is_not_asserted(text: str, words: str | None) -> None:
    assert left(text) == (
        " ".join(read(text, answer_key(CAPITAL, (), "en").language).words) if words is None else words
    )


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("It is not Paris.", "it is not"),
        ("I do not think it is Paris.", "i do not think it is"),
        ("It is not, Paris.", None),
        ("It is not only Paris.", None),
        ("It is not but Paris.", None),
        ("It is not here. Paris is.", None),
        ("It is not the first but the second, Paris.", "it is the 2 paris"),
        ("Not Lyon but Paris.", "paris"),
        ("Not only Lyon but Paris.", None),
        ("I do not know, but it is Paris.", None),
        ("Paris is wrong.", "is wrong"),
        ("Paris is not wrong.", None),
        ("Paris is not the capital of France.", "is not the capital of france"),
        ("Paris, it is not.", None),
        ("Paris is not only the capital of France.", None),
        ('"Paris" is not the capital of France.', None),
        ("Paris is no. 1.", None),
        ("Paris is no town of trains.", None),
        ("Paris is not.", None),
        ("Paris. It is not the capital.", None),
        *((f"Not {'town ' * many}but Paris.", "paris" if many <= 11 else None) for many in (1, 10, 11, 12)),
    ],
)
def test_what_is_denied_is_not_asserted(text: str, words: str | None) -> None:
    plain = " ".join(read(text, answer_key(CAPITAL, (), "en").language).words)
    assert left(text) == (plain if words is None else words)


@pytest.mark.parametrize(
    ("text", "gold", "question", "words"),
    [
        ("Neither is.", "Rome", OLDER, "neither is"),
        ("Rome? Neither of them.", "Rome", OLDER, "neither of them"),
        ("Rome? Neither of them won.", "Rome", OLDER, "rome neither of them won"),
        ("Rome is older than Oslo.", "Rome", OLDER, "rome is older"),
        ("Oslo is newer than Rome.", "Rome", OLDER, "oslo is newer than rome"),
        ("It is older than 18 years.", "18", "Which is older?", "it is older than 18 years"),
        ("It was 41, not 42.", "42", "How many?", "it was 41 not"),
        ("It is not forty-two.", "42", "How many?", "it is not"),
        ("Not until 1945.", "1945", "When did it end?", "not until 1945"),
        ("You asked whether it opens", "it opens", "Does it open?", "you"),
        ("You asked whether it opens at nine", "nine", "When does it open?", "you asked whether it opens at 9"),
        ("By card instead of cash.", "card instead of cash", "How can I pay?", "by card instead of cash"),
        ("It is not so.", "no", "Is it Rome?", "it is not so"),
    ],
)
def test_of_a_choice_a_number_or_a_yes_other_words_deny(text: str, gold: str, question: str, words: str) -> None:
    assert left(text, gold, question=question) == words
