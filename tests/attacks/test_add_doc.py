"""Fake documents: the title and the text of each speak of one subject, which no passage speaks of."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from benchmarks.measured.make_yield import with_passages
from botattack.attacks.passages.add_doc import AddDoc
from botattack.attacks.passages.reading import title_of
from botattack.errors import MissingPart
from botattack.model import GoldAnswer, Question
from botattack.text.sentences import sentence_spans
from tests.attacks.everything import Parts
from tests.attacks.resources import drive

ADA = "Ada Byron: Ada Mary Byron (born 2 May 1950) is a Welsh painter. Byron lives in {}. Mary's house is Byron House."
KUL = "Kulno Water Board: The Kulno Water Board (KWB) is a board based in {}. The KWB was named after Kulno in 1990."
BAY = "Torlin Bay, Ohio: Torlin Bay is a town near {}. The town has a lake, and Torlin Bay Park."
RED = "Red Harvest Moon (film): Red Harvest Moon is a film shot in {}."
INN = "Vardo Inn: Vardo Inn is an old inn in {}."


def added(question: Question, everything: Parts, seed: int = 0) -> list[str]:
    try:
        needed = {"parse": everything["parse"]}
    except MissingPart as missing:
        pytest.skip(str(missing))
    meets = {"parse": lambda payload: everything.met("parse", payload)}
    variants, _ = drive(AddDoc(), question, needed, meets, seed)
    return [edit.after for variant in variants for edit in variant.edits]


def asked(text: str, asking: str = "Where is it?", gold: str = "Oslo") -> Question:
    return Question(asking, (GoldAnswer(gold),), (text.format(gold), "Sun: It is hot."))


@pytest.mark.parametrize(
    ("text", "gone", "form"),
    [
        (ADA, ["Ada", "Mary", "Byron"], r"(\w+ \w+): \1 \(born"),
        (KUL, ["Kulno", "KWB"], r"(\w+ \w+ \w+): The \1 \([A-Z]{2,}\) is"),
        (BAY, ["Torlin"], r"(\w+ Bay), Ohio: \1 is a town"),
        (RED, ["Red", "Harvest"], r"(\w+ \w+ \w+) \(film\): \1 is a film"),
        (INN, ["Vardo"], r"(\w+ Inn): \1 is an old inn"),
    ],
)
def test_a_new_title_names_what_the_text_speaks_of_all_through(
    text: str, gone: list[str], form: str, everything: Parts
) -> None:
    titles: set[str] = set()
    for seed in range(4):
        texts = added(asked(text), everything, seed)
        assert len({title_of(one) for one in texts}) == len(texts) == 4
        for one in texts:
            assert re.match(form, one)
            assert not {*gone, "Oslo"} & {*re.findall(r"\w+", one)}
        titles |= {*map(title_of, texts)}
    assert len(titles) > 4


@pytest.mark.parametrize(
    "text",
    [
        "Drivers from Wales: Six drivers live in {}. They race.",
        "Tol Marn: Ann Lee, better known as Tol Marn, lives in {}.",
        "Tol Marn: Tol Marn, nicknamed Tolly, lives in {}.",
        "Marn Hall: Marn Hall or Lee House is a house in {}.",
        "Marn Hall: It is a house in {}.",
        "Zinc: Zinc is a metal found in {}. We need zinc.",
        "It lies in {}. It is old.",
        "Marlow Hall is an old house. Veldrin sold Marlow Hall to a man from {}.",
    ],
)
def test_what_would_contradict_a_passage_under_its_own_name_is_no_document(text: str, everything: Parts) -> None:
    assert added(asked(text), everything) == []


def test_a_name_said_twice_in_a_row_that_is_no_part_of_the_old_one_stays(everything: Parts) -> None:
    text = "Ann Lee: Ann Lee, who sang for Duran Duran, was born in {}. Duran Duran is a band."
    texts = added(asked(text, "Where was Ann Lee born?"), everything)
    assert texts
    assert all(one.count("Duran Duran") == 2 for one in texts)


def test_a_document_about_the_right_answer_is_about_the_fake_one(everything: Parts) -> None:
    for gold in ("Ann Lee", "Ann Mary Lee"):
        text = "Ann Lee: Ann Mary Lee (born 1950) painted the gate. Lee lives in Oslo."
        texts = added(asked(text, "Who painted the gate?", gold), everything)
        assert texts
        for one in texts:
            assert re.match(r"([\w. ]+ )(\w+): \1\2 \(born 1950\) painted the gate\. \2 lives in Oslo", one)
            assert "Lee" not in one


def test_an_article_before_the_answer_fits_the_fake_one(everything: Parts) -> None:
    for seed in range(5):
        question = asked("Ann Lee: Ann Lee is an {} painter.", "What nationality is Ann Lee?", "Italian")
        assert all(re.search(r"is an [AEIOU]\w+ painter", one) for one in added(question, everything, seed))


@pytest.mark.slow
@pytest.mark.data
def test_titles_of_published_passages_become_those_of_others(data: Path, everything: Parts) -> None:
    made = 0
    for question in [*with_passages(data / "hotpotqa" / "hotpot_dev_distractor_first50.json")][::2]:
        texts = added(question, everything)
        titles = [title_of(text) for text in texts]
        made += bool(texts)
        assert len({*titles}) == len(titles)
        assert not {*titles} & {title_of(text) for text in question.passages}
        for title, text in zip(titles, texts, strict=True):
            body = text.partition(":")[2]
            first = next(body[start:end] for start, end in sentence_spans(body))
            assert title.partition(" (")[0].partition(", ")[0] in first
    assert made > 10
