"""Contrast sets: which questions of a set differ in one stretch, what is asked, and what a reply comes to."""

from __future__ import annotations

import csv
import json
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest

from botattack.attacks.combined.chain import Chain
from botattack.attacks.letters.surface import Case
from botattack.attacks.words.contrast_set import ContrastSet
from botattack.attacks.words.negate import Negate
from botattack.events import VariantJudged
from botattack.model import GoldAnswer, Question, Variant
from botattack.protocols import Context
from botattack.text.languages import language
from botattack.text.tokens import normalised, words
from tests.attacks.conftest import drive
from tests.engine.bots import Listed, Script
from tests.engine.test_conversations import plan
from tests.engine.test_run import of, play

TOWNS = {"France": "Paris", "Italy": "Rome", "Spain": "Madrid", "Norway": "Oslo", "Peru": "Lima"}
CAPITALS = [Question(f"What is the capital of {name}?", (GoldAnswer(town),)) for name, town in TOWNS.items()]
FRANCE = CAPITALS[0]


def asked(question: Question, others: Sequence[Question], **options: Any) -> list[Variant]:
    attack = ContrastSet(**options).with_questions(lambda file: [*others, question])
    return [*next(attack.propose(Context(question), Random(3)), ())]  # type: ignore[list-item]


def test_another_question_of_the_set_is_asked_with_its_own_answer() -> None:
    found = asked(FRANCE, CAPITALS, per_question=9)
    right = {each.text: each.answers for each in CAPITALS[1:]}
    assert {variant.prompt.text: variant.right for variant in found} == right
    assert all(variant.expect == "different" and variant.meaning_as_claimed for variant in found)
    assert len(asked(FRANCE, CAPITALS, per_question=2)) == 2


@pytest.mark.parametrize(
    ("lang", "one", "other", "there"),
    [
        ("de", "Wann öffnet das Bad in Bremen?", "wann öffnet das Bad in Köln", "Wann öffnet das Bad in Köln?"),
        ("es", "¿Cuánto cuesta un billete a Toledo?", "¿Cuánto cuesta un billete a Ávila?", None),
        ("fr", "Quand ouvre la piscine le lundi ?", "Quand ouvre la piscine le dimanche ?", None),
        ("fa", "بلیت تهران چند است؟", "بلیت شیراز چند است؟", None),
        ("ru", "Сколько стоит билет до Омска?", "Сколько стоит билет до Перми?", None),
        ("en", "How long is a visa for 30 days valid?", "How long is a visa for 90 days valid?", None),
        ("en", "When does the Baltic pool open, please?", "When does the Roman pool open?", None),
    ],
)
def test_any_language_with_words_has_contrasts(lang: str, one: str, other: str, there: str | None) -> None:
    question = Question(one, (GoldAnswer("12 euro"),), lang=lang)
    (variant,) = asked(question, [Question(other, (GoldAnswer("9 o'clock"),), lang=lang)])
    assert variant.prompt.text == (there or other.replace("open?", "open, please?"))
    assert [answer.text for answer in variant.right] == ["9 o'clock"]


@pytest.mark.parametrize(
    "other",
    [
        Question("What is the capital of Gaul?", (GoldAnswer("paris"),)),
        Question("What is the capital of Texas?", (GoldAnswer("Paris, Texas"),)),
        Question("What is the capital of Paris?", (GoldAnswer("Oslo"),)),
        Question("What is the capital of Norway?", (GoldAnswer("Os.o", regex=True),)),
        Question("What is the capital of Norway?"),
        Question("What is the capital of Norway?", (GoldAnswer("Oslo"),), passages=("Oslo is a town.",)),
        Question("What is the capital of Norway?", (GoldAnswer("Oslo"),), lang="fr"),
        Question("What is the capital of Francemap?", (GoldAnswer("Oslo"),)),
        Question("What is the capital of them?", (GoldAnswer("Oslo"),)),
        Question("What is the capital in Norway?", (GoldAnswer("Oslo"),)),
        Question("Name the biggest harbour of France?", (GoldAnswer("Marseille"),)),
    ],
)
def test_what_may_have_the_old_answer_or_differs_in_more_is_no_contrast(other: Question) -> None:
    assert asked(FRANCE, [other]) == []


def webquestions(data: Path) -> Iterator[Question]:
    for name in ("trainmodel", "devtest", "val"):
        for row in json.loads((data / "webquestions" / f"{name}.json").read_text("utf-8")):
            yield Question(row["qText"], tuple(map(GoldAnswer, row["answers"])))


def banking(data: Path) -> Iterator[Question]:
    with (data / "banking77" / "test.csv").open(encoding="utf-8") as file:
        for row in csv.DictReader(file):
            yield Question(row["text"], (GoldAnswer(row["category"]),))


@pytest.mark.slow
@pytest.mark.data
@pytest.mark.parametrize(("read", "least"), [pytest.param(webquestions, 1500, marks=pytest.mark.slow), (banking, 200)])
def test_of_real_questions_every_contrast_is_one_of_them(data: Path, read: Any, least: int) -> None:
    questions, known = [*read(data)], defaultdict[str, set[str]](set)
    for question in questions:
        known[_said(question)] |= {answer.text for answer in question.answers}
    attack, carried = ContrastSet().with_questions(lambda file: questions), 0
    for question in questions:
        batch = next(attack.propose(Context(question), Random(1)), ())
        carried += bool(batch)
        for variant in batch:
            assert isinstance(variant, Variant)
            right = {answer.text for answer in variant.right}
            assert right <= known[_said(Question(variant.prompt.text))]
            assert not right & {answer.text for answer in question.answers}
    assert carried > least


def _said(question: Question) -> str:
    """Its words without courtesies, in which the two may differ."""
    polite = language("en").courtesies.union(language("en").fillers)
    said = [normalised(word.text) for word in words(question.text)]
    return " ".join(word for word in said if word not in polite)


def exact(text: str, seed: int) -> str:
    return next((f"It is {town}." for name, town in TOWNS.items() if name in text), "I don't know.")


def nearest(text: str, seed: int) -> str:
    """Knows France alone, and finds it for whatever is asked alike."""
    return "It is Paris." if text.startswith("What is the capital") else "I don't know."


def other(text: str, seed: int) -> str:
    return "It is Paris." if "France" in text else "It is Bergen."


def silent(text: str, seed: int) -> str:
    return "It is Paris." if "France" in text else "I don't know."


@pytest.mark.parametrize(
    ("bot", "kind", "result"),
    [
        (exact, "wrong", "robust"),
        (nearest, "correct", "success"),
        (other, "other", "unsure"),
        (silent, "other", "unsure"),
    ],
)
def test_only_the_old_answer_is_a_break(bot: Any, kind: str, result: str) -> None:
    attack = ContrastSet(per_question=4).with_questions(lambda file: CAPITALS)
    _, events = play(plan(attack), Script(bot), Listed([FRANCE]))
    judged: list[VariantJudged] = of(events, VariantJudged)
    assert [(each.verdict.kind, each.result) for each in judged] == [(kind, result)] * 4
    assert {answer.text for each in judged for answer in each.right} == {*TOWNS.values()} - {"Paris"}


def test_a_chain_knows_the_right_answer_as_long_as_its_other_links_keep_it(parser: Any) -> None:
    def right(link: Any) -> list[tuple[GoldAnswer, ...]]:
        chain = Chain((ContrastSet(), link)).with_questions(lambda file: CAPITALS)
        return [variant.right for variant in drive(chain, Context(FRANCE), Random(1), parser)[0]]

    assert right(Case())
    assert all(right(Case()))
    assert right(Negate())
    assert not any(right(Negate()))
