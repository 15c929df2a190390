"""The real language parts: what attacks ask of them, and what their figures rest on."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from botattack import registry
from botattack.attacks.sentences.restate import Restate
from botattack.attacks.sentences.reword.attack import Reword
from botattack.attacks.words.antonym import Antonym
from botattack.errors import MissingPart
from botattack.model import Question, Variant
from tests.attacks.resources import drive

pytestmark = pytest.mark.live

QUESTIONS = [
    "who played the voice of Aladdin",
    "what is the capital of france?",
    "where did the titanic sink",
    "list job using sql",
    "what state is the largest in population",
    "how old is tom",
]


@pytest.fixture(scope="module")
def part() -> Callable[[str], Any]:
    loaded: dict[str, Any] = {}

    def load(name: str) -> Any:
        if name not in loaded:
            try:
                loaded[name] = registry.find("parts", name)()
            except MissingPart as error:
                pytest.skip(f"{name}: {error} (.ci/system-parts brings it)")
        return loaded[name]

    return load


@pytest.fixture
def variants(part: Callable[[str], Any]) -> Callable[[Any, str], list[Variant]]:
    def run(attack: Any, text: str) -> list[Variant]:
        loaded = {name: part(name) for name in attack.parts()}
        data = {name: found for name, found in loaded.items() if not hasattr(found, "meet")}
        meets = {
            name: (lambda payload, handler=found: handler.meet([payload])[0])
            for name, found in loaded.items()
            if hasattr(found, "meet")
        }
        return drive(attack, Question(text), data, meets)[0]

    return run


def pairs(*texts: str) -> list[dict[str, str]]:
    return [{"one": texts[0], "other": other} for other in texts[1:]]


def test_similarity_knows_words_but_not_who_does_what(part: Callable[[str], Any]) -> None:
    same, paraphrase, other, reverse = part("similar").meet(
        pairs(
            "flights from boston to denver",
            "flights from boston to denver",
            "planes that go from boston to denver",
            "who wrote hamlet?",
            "flights from denver to boston",
        )
    )
    assert same == 1.0
    assert paraphrase > 0.8 > 0.3 > other
    assert reverse > 0.95


def test_a_cosine_does_not_depend_on_its_batch(part: Callable[[str], Any]) -> None:
    asked = pairs(*QUESTIONS, "a much longer sentence, with names such as Barack Obama and numbers such as 1992 in it")
    alone = [type(part("similar"))(*_fields(part("similar"))).meet([payload])[0] for payload in asked]
    assert part("similar").meet(asked) == alone


def _fields(handler: Any) -> tuple[Any, ...]:
    return handler.info, handler.model, handler.tokenizer


@pytest.mark.parametrize("direction", [("en", "eo"), ("eo", "en"), ("en", "es")])
def test_a_translation_does_not_depend_on_its_batch(direction: tuple[str, str], part: Callable[[str], Any]) -> None:
    payloads = [{"text": text, "from": direction[0], "to": direction[1]} for text in [*QUESTIONS, "", "XQA in XQB"]]
    together = part("translate").meet(payloads)
    assert together == [part("translate").meet([payload])[0] for payload in payloads]
    assert "XQA" in together[-1]
    assert together[-2] == ""


def test_a_pair_that_is_not_there(part: Callable[[str], Any]) -> None:
    with pytest.raises(MissingPart, match="Apertium has no pair en-fa here, only "):
        part("translate").meet([{"text": "x", "from": "en", "to": "fa"}])


def test_the_grammar_gate(part: Callable[[str], Any]) -> None:
    sound = ["Who played the voice of Aladdin", "what do jamaican people speak?", "Where was Barack Obama born?"]
    broken = ["what is the the capital of", "where go you did yesterday", "the the"]
    payloads = [{"text": text} for text in [*sound, *broken, "", "word " * 60, "!help", sound[0]]]
    found = part("grammar").meet(payloads)
    assert found[:6] == [True] * 3 + [False] * 3
    assert found[6] is found[7] is None
    assert found[9] is True
    assert found == [part("grammar").meet([payload])[0] for payload in payloads]


def test_neighbours_are_near_and_opposites_among_them(part: Callable[[str], Any]) -> None:
    large, name, nothing = part("neighbours").meet(
        [{"word": "Largest", "top": 40}, {"word": "boston", "top": 3}, {"word": "qzxv", "top": 5}]
    )
    words = [word for word, _ in large]
    assert len(large) == 40
    assert {"biggest", "smallest"} <= set(words)
    assert "largest" not in words
    assert [cosine for _, cosine in large] == sorted((cosine for _, cosine in large), reverse=True)
    assert len(name) == 3
    assert nothing == ()


def test_wordnet_has_direct_antonyms(part: Callable[[str], Any]) -> None:
    thesaurus = part("thesaurus")
    probes = {"large": "small", "buy": "sell", "early": "late", "hot": "cold", "win": "lose", "day": "night"}
    kinds = {"buy": "VERB", "win": "VERB", "early": "ADJ", "day": "NOUN"}
    for word, opposite in probes.items():
        senses = thesaurus.antonyms(word, kinds.get(word, "ADJ"))
        assert any(opposite in sense for sense in senses), word
    assert "auto" in thesaurus.synonyms("car", "NOUN")


def test_attacks_with_real_parts(variants: Callable[[Any, str], list[Variant]]) -> None:
    def kept(attack: Any, text: str) -> set[str]:
        return {variant.prompt.text for variant in variants(attack, text) if variant.meaning_as_claimed}

    assert "Who played Aladdin's voice" in kept(Restate(per_question=99), "Who played the voice of Aladdin")
    assert "which state is the largest in population" in kept(Reword(sources=("own",)), QUESTIONS[4])
    assert kept(Antonym(), "what is the largest city?") == {"what is the smallest city?"}
    assert "what state is the biggest in population" in kept(
        Reword(sources=("translation",), bridges=("eo",)), QUESTIONS[4]
    )


@pytest.mark.data
def test_back_translation_on_published_questions(data: Path, variants: Callable[[Any, str], list[Variant]]) -> None:
    records = json.loads((data / "webquestions" / "devtest.json").read_bytes())[:20]
    found = [variant for record in records for variant in variants(Reword(sources=("translation",)), record["qText"])]
    assert len(found) >= 10
    assert any(variant.meaning == "kept" for variant in found)
