"""Questions asked in other words (DPAEG 4.2.1)."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from botattack.attacks.sentences.restate import Restate
from botattack.attacks.sentences.rewriting import in_form_of, rewritten
from botattack.model import Question
from botattack.text.parts import inflection
from tests.attacks.resources import drive, overlap, texts, with_answers
from tests.edits import apply_edits


@pytest.fixture
def restated(parser: Any) -> Any:
    parts = {"inflection": inflection.load()}

    def run(question: Question | str, seed: int = 0, **options: Any) -> list[Any]:
        attack = Restate(**{"per_question": 99, "gates": (), **options})
        meets = {"parse": lambda payload: parser.meet([payload])[0], "similar": overlap, "grammar": lambda _: True}
        variants, existing = drive(attack, question, parts, meets, seed)
        assert existing is not None
        assert existing >= len(variants)
        return variants

    return run


def test_figure_2_of_the_dpaeg_paper(restated: Any) -> None:
    assert texts(restated("Who played the voice of Aladdin")) == {
        "Can you tell me who played the voice of Aladdin",
        "Do you know who played the voice of Aladdin",
        "Please tell me who played the voice of Aladdin",
        "By whom was the voice of Aladdin played",
        "The voice of Aladdin was played by whom",
        "Who was it that played the voice of Aladdin",
        "Who played Aladdin's voice",
    }


@pytest.mark.parametrize(
    ("question", "expected", "rule"),
    [
        ("Who played the voice of Aladdin", "Do you know who played the voice of Aladdin", "indirect"),
        ("Who played the voice of Aladdin", "Can you tell me who played the voice of Aladdin", "indirect"),
        ("Who played the voice of Aladdin", "Please tell me who played the voice of Aladdin", "request"),
        ("Who played the voice of Aladdin", "By whom was the voice of Aladdin played", "passive"),
        ("Who played the voice of Aladdin", "The voice of Aladdin was played by whom", "passive"),
        ("Who played the voice of Aladdin", "Who was it that played the voice of Aladdin", "cleft"),
        ("Who played the voice of Aladdin", "Who played Aladdin's voice", "genitive"),
        ("who is France's president?", "who is the president of France?", "genitive"),
        ("why do cats purr?", "for what reason do cats purr?", "question word"),
        ("where did the titanic sink?", "in what place did the titanic sink?", "question word"),
    ],
)
def test_an_edit_says_by_which_rule_it_restates(question: str, expected: str, rule: str, restated: Any) -> None:
    kinds = {variant.prompt.text: {edit.kind for edit in variant.edits} for variant in restated(question)}
    assert kinds[expected] == {rule}


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("where did the titanic sink?", "can you tell me where the titanic sank?"),
        ("where did the titanic sink?", "in what place did the titanic sink?"),
        ("why do cats purr?", "can you tell me why cats purr?"),
        ("why do cats purr?", "for what reason do cats purr?"),
        ("what city does tom brady live in?", "do you know what city tom brady lives in?"),
        ("What is the capital of France?", "Can you tell me what the capital of France is?"),
        ("What is the capital of France?", "Name the capital of France."),
        ("What is the capital of France?", "What is France's capital?"),
        ("who is France's president?", "who is the president of France?"),
        ("is the moon bigger than mars?", "please tell me whether the moon is bigger than mars."),
        ("what state is the largest in population", "can you tell me what state is the largest in population"),
        ("how many people live in london?", "do you know how many people live in london?"),
        ("who was the president when the war ended?", "do you know who the president was when the war ended?"),
        ("where is christina aguilera from?", "can you tell me where christina aguilera is from?"),
        ("What's your name?", "Can you tell me what your name is?"),
        ("where is the ottoman empire located?", "can you tell me where the ottoman empire is located?"),
        ("who was vincent van gogh inspired by?", "do you know who vincent van gogh was inspired by?"),
        ("what time is it", "can you tell me what time it is"),
        ("What is the capital of France, please?", "Can you tell me what the capital of France is, please?"),
        ('Who is the author of "Hamlet"?', 'Can you tell me who the author of "Hamlet" is?'),
        ('Who is the author of "Hamlet"?', 'Name the author of "Hamlet".'),
        ("Who wrote the book, and when?", "By whom was the book written, and when?"),
    ],
)
def test_rules(question: str, expected: str, restated: Any) -> None:
    assert expected in texts(restated(question))


def test_what_the_rules_cannot_order_is_left(restated: Any) -> None:
    misread = texts(restated("When did World War II end, and who won it?"))
    assert misread == {"At what time did World War II end, and who won it?"}
    assert not any("cher '" in text for text in texts(restated("what is cher's son's name?")))
    assert not any("when by whom" in text for text in texts(restated("Who wrote the book, and when?")))


@pytest.mark.parametrize("question", ["", "why", "hello", "?", "to be or not to be", "the the the", "play the song"])
def test_what_is_no_question_is_not_restructured(question: str, restated: Any) -> None:
    assert restated(question) == []


def test_what_has_an_owner_and_an_of_keeps_both(restated: Any) -> None:
    found = texts(restated("what is michael buble's style of music?"))
    assert found
    assert all("buble's style of music" in text for text in found)


@pytest.mark.slow
@pytest.mark.data
def test_published_questions_none_unchanged_none_twice(data: Path, restated: Any) -> None:
    records = json.loads((data / "webquestions" / "devtest.json").read_bytes())
    assert len(records) == 189
    made = [restated(record["qText"]) for record in records]
    for record, variants in zip(records, made, strict=True):
        found = {" ".join(variant.prompt.text.casefold().split()) for variant in variants}
        assert len(found) == len(variants)
        assert record["qText"].casefold() not in found
    assert sum(map(bool, made)) >= 150


WORDS = (
    "who",
    "what is",
    "where",
    "was",
    "did",
    "does",
    "the",
    "a car",
    "of",
    "France",
    "Paris",
    "played",
    "?",
    "1992",
)
ENGLISH = st.lists(st.sampled_from(WORDS), max_size=9).map(" ".join)


@settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=st.one_of(ENGLISH, st.text(max_size=30)), seed=st.integers(0, 9))
def test_promises(text: str, seed: int, restated: Any) -> None:
    question = with_answers(text, "Paris")
    variants = restated(question, seed, per_question=12)
    assert len(variants) <= 12
    known = {" ".join(text.casefold().split())}
    for variant in variants:
        assert apply_edits(text, variant.edits) == variant.prompt.text
        key = " ".join(variant.prompt.text.casefold().split())
        assert key not in known
        known.add(key)
        assert variant.prompt.text.count("Paris") >= text.count("Paris") or "Paris" not in text.split()
    assert variants == restated(question, seed, per_question=12)


@given(before=st.text(max_size=40), after=st.text(max_size=40))
def test_any_text_can_be_told_as_edits_of_another(before: str, after: str) -> None:
    assert apply_edits(before, rewritten(before, after, "x")) == after


@pytest.mark.parametrize(
    ("original", "text", "asks", "found"),
    [
        ("who is it?", "Name it.", True, "name it?"),
        ("Who is it?", "name it", False, "Name it."),
        ("who is it", "NASA is it?", True, "NASA is it"),
        ("who is it?!", "it is who", True, "it is who?!"),
        ("", "It is", True, "It is"),
    ],
)
def test_first_letter_and_mark_are_the_originals(original: str, text: str, asks: bool, found: str) -> None:
    assert in_form_of(original, text, asks=asks) == found
