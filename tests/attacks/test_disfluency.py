"""What `disfluency` promises: questions as people dictate them, each of which gives the original back."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from botattack.attacks.sentences.disfluency import SHARES, Disfluency, Form
from botattack.model import GoldAnswer, Question, Variant
from botattack.text.languages import language

VENICE = Question(
    "How many times did plague occur in Venice?",
    (GoldAnswer("22"),),
    (
        "In 1466, perhaps 40,000 people died of the plague in Paris. Plague occurred in Venice 22 times between 1361 "
        "and 1528. The Second Pandemic was widespread.",
    ),
)
HUTTON = Question(
    "What was the name of the first modern geologist in 1785?",
    (GoldAnswer("James Hutton"),),
    ("James Hutton presented a short paper to the Royal Society of Edinburgh. The last volume appeared in 1795.",),
)
OTHERS = [
    Question(text) for text in ("Where can I buy an umbrella?", "Find me the old bridge.", "What is 22 times two?")
]


def asked(question: Question, propose_all: Any, *forms: Form, seed: int = 0, others: Any = OTHERS) -> list[Variant]:
    attack = replace(Disfluency(per_question=40), forms=forms or tuple(SHARES)).with_questions(lambda _: others)
    variants: list[Variant] = propose_all(attack, question, seed)[0]
    return variants


def said(variants: list[Variant], text: str) -> set[str]:
    """What is put in, without what is said between it and the right words."""
    between = sorted(language("en").interregna, key=len, reverse=True)
    found = set()
    for variant in variants:
        added = variant.edits[0].after.removesuffix(text).strip()
        found.add(next((added.removesuffix(f" {one}") for one in between if added.endswith(f" {one}")), added))
    return found


def test_a_restart_is_the_beginning_of_another_question(propose_all: Any) -> None:
    found = asked(VENICE, propose_all, "restart")
    assert said(found, " how") == {
        *("Where can", "Where can I", "Where can I buy", "Where can I buy an"),
        *("What is",),  # what follows has the answer in it
    }
    assert all(variant.prompt.text.endswith(" how many times did plague occur in Venice?") for variant in found)
    assert asked(VENICE, propose_all, "restart", others=[]) == []


def test_a_command_begins_as_another_command(propose_all: Any) -> None:
    found = said(asked(Question("Show the flights to Rome."), propose_all, "restart"), " show")
    assert {"Find me", "Find me the", "Tell me the"} <= found
    assert not any(start.startswith(("Where", "What")) for start in found)


def test_wrong_words_are_of_the_kind_of_the_right_ones(propose_all: Any) -> None:
    found = asked(HUTTON, propose_all, "correction")
    by_right = {
        variant.prompt.text[edit.start + len(edit.after) :].split()[0] for variant in found for edit in variant.edits
    }
    assert by_right >= {"first", "1785?"}
    numbers = [variant for variant in found if variant.edits[0].start == HUTTON.text.index("1785")]
    assert said(numbers, "") <= {"1795", "1875", "1758"}
    assert not any("James" in variant.prompt.text for variant in found)


def test_a_late_correction_says_the_right_words_at_the_end(propose_all: Any) -> None:
    for variant in asked(HUTTON, propose_all, "late-correction"):
        wrong, right = variant.edits
        assert right.after.endswith(f" {wrong.before}")
        assert variant.prompt.text.endswith(f"{right.after}?")


def test_no_wrong_word_is_an_answer(propose_all: Any) -> None:
    for seed in range(4):
        for variant in asked(VENICE, propose_all, seed=seed):
            assert "22" not in " ".join(edit.after for edit in variant.edits)
            assert variant.meaning == "kept"


def test_forms_come_as_often_as_people_use_them(propose_all: Any) -> None:
    kinds = [v.edits[0].kind for seed in range(15) for v in asked(HUTTON, propose_all, seed=seed)]
    assert len(kinds) > 300
    # Some of what is drawn is the same again, and of corrections there are the most.
    assert kinds.count("correction") > kinds.count("late-correction") > kinds.count("filler") > 0


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(seed=st.integers(0, 2**32), question=st.sampled_from([VENICE, HUTTON, Question("why"), Question("Is it old?")]))
def test_a_seed_gives_the_same_and_undoing_the_edits_gives_the_question(
    seed: int, question: Question, propose_all: Any
) -> None:
    variants = asked(question, propose_all, seed=seed)
    assert variants == asked(question, propose_all, seed=seed)
    for variant in variants:
        text = variant.prompt.text
        for n, edit in reversed(list(enumerate(variant.edits))):
            start = edit.start + sum(len(one.after) - len(one.before) for one in variant.edits[:n])
            assert text[start : start + len(edit.after)] == edit.after
            text = text[:start] + edit.before + text[start + len(edit.after) :]
        assert text == question.text


def test_persian_has_persian_words_only(propose_all: Any) -> None:
    question = Question("پایتخت کشور اسپانیا کجاست؟", passages=("Madrid is the capital.",), lang="fa")
    variants = asked(question, propose_all)
    assert len(variants) > 20
    known = {*question.text.split(), *language("fa").hesitations, "کجاست", "؟"}
    for variant in variants:
        assert {edit.kind for edit in variant.edits} <= {"repetition", "filler"}
        assert set(variant.prompt.text.split()) <= known


def test_it_works_where_it_has_fillers() -> None:
    codes = ("de", "en", "es", "fa", "fr", "tr", "ru")
    assert [code for code in codes if Disfluency().works_in(code)] == [
        code for code in codes if language(code).hesitations
    ]
