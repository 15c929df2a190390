"""Words that are drawn: as many, as far, as often as was asked for."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from botattack.attacks.building.drawn_rows import DrawnRows, Others
from botattack.attacks.letters.characters import Noise, RandomCharacters
from botattack.model import GoldAnswer, Prompt, Question
from botattack.text.spelling import distance


@pytest.mark.parametrize("attack", [RandomCharacters(per_question=60), Noise(per_question=60)])
@pytest.mark.parametrize("text", ["Who plays Ken at 5pm in Rome?", "which old poet married in Zürich near the river"])
def test_far_as_told_and_answers_spared(attack: Any, text: str, propose_all: Any) -> None:
    question = Question(text, (GoldAnswer("Rome"), GoldAnswer("river")))
    variants, existing = propose_all(attack, question)
    assert existing is None
    assert len({variant.id for variant in variants}) == len(variants) > 30
    for variant in variants:
        assert variant.distance == distance(text, variant.prompt.text)
        assert ("Rome" if "Rome" in text else "river") in variant.prompt.text


@pytest.mark.parametrize("text", ["who conquered the largest kingdom", "wer eroberte das größte Königreich"])
def test_noise_keeps_the_limits_it_is_given(text: str, propose_all: Any) -> None:
    near, _ = propose_all(Noise(epsilon=2), text)
    assert {variant.distance for variant in near} <= {1, 2}
    several, _ = propose_all(Noise(combine=2), text)
    assert max(len(variant.edits) for variant in several) == 2


def test_each_kind_of_noise_and_each_word_has_its_share(propose_all: Any) -> None:
    variants, _ = propose_all(Noise(per_question=200), "who conquered the largest kingdom")
    kinds = Counter(variant.edits[0].kind for variant in variants)
    words = Counter(variant.edits[0].before for variant in variants)
    assert len(variants) == 200
    assert set(kinds) == {"replace", "swap", "middle", "shuffle", "keyboard"}
    assert max(words.values()) < 2 * min(words.values())


def test_rows_are_those_with_the_same_digest() -> None:
    rows = DrawnRows("words", ["a", "b"])
    assert rows == DrawnRows("words", ["a", "b"])
    assert hash(rows) == hash(DrawnRows("words", ["a", "b"]))
    assert str(rows).startswith("2 words, ")
    for other in (DrawnRows("words", ["a"]), DrawnRows("names", ["a", "b"]), "2 words"):
        assert rows != other
        assert str(rows) != str(other)


def test_others_are_each_asked_once_and_the_nearest_come_first() -> None:
    texts = ["where is the red house", "where is the house", "who plays", "who plays"]
    others = Others([Question(text) for text in texts] + [Question("now where", earlier=(Prompt("is it red"),))])
    assert sorted(each.text for each in others.questions) == sorted({*texts})
    assert [each.text for each in others.nearest("the red house")] == texts[:2]
    assert [each.text for each in others.nearest("where is the house")] == [texts[1], texts[0]]
    assert [*others.nearest("nothing")] == []
