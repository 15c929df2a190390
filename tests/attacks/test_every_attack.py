"""What every registered attack promises, whatever the question."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from botattack import registry
from botattack.attacks.building.guard import answer_spans
from botattack.attacks.combined.chain import Chain
from botattack.config.flags import read_attack_flag
from botattack.errors import ConfigError
from botattack.model import GoldAnswer, Question, Turn, Variant
from botattack.text.clusters import boundaries
from botattack.text.spelling import distance
from botattack.text.tokens import normalised
from botattack.text.word_lists import function_words
from tests.attacks.everything import ON_PASSAGES, PLAYED
from tests.edits import apply_edits

WITH_DEMO = {"parse", "dictionary", "typos"}
"""Parts that the demo brings; attacks that need more are tested with resources of their own."""
MODEL_FREE = {"parse", "dictionary", "typos", "lemmas", "speller"}
"""Parts that the tests load; attacks that need more have tests of their own."""
NAMES = sorted(
    name
    for name in registry.BUILT_IN["attacks"]
    if name not in ("at", "chain", "unchanged")
    and name not in {*ON_PASSAGES, *PLAYED}
    and set(registry.find("attacks", name)().parts()) <= MODEL_FREE
    and not registry.find("attacks", name).diagnosis
)
EXACT = {"case", "invisible"}
"""Attacks whose edits are what normalising takes back."""
NEW_ANSWER = {"random-input", "random-input-keep-entities", "confuse-entity"}
"""Attacks that say they change the words of an answer."""
ENGLISH_ONLY = {
    "contraction",
    "homophone",
    "insert-function-word",
    "delete-function-word",
    "substitute-function-word",
}
PARSED = sorted(name for name in NAMES if "parse" in registry.find("attacks", name)().parts())
UNPARSED = sorted(set(NAMES) - set(PARSED) | {"noise-all"})

ENGLISH = st.sampled_from(
    [
        "what state is the largest in population",
        "Who played the voice of Aladdin in 1992?",
        "What's the capital of France, and who doesn't know it?",
        "Is Paris or London the capital of France?",
        "show me the nonstop flight and fare from Toronto to St. Petersburg",
        "what rivers and lakes are in Ohio without dams before 1900",
        "to to to be or or not",
        "why",
        "",
        "  Two   spaces\tand a tab \n and a line  ",
        "\ud83d\ude00 is \ud83d\udc68\u200d\ud83d\udc69\u200d\ud83d\udc67 a family?".encode(
            "utf-16", "surrogatepass"
        ).decode("utf-16"),
    ]
)
ANY_TEXT = st.one_of(
    st.text(max_size=40),
    st.lists(
        st.sampled_from(["می‌خواهم", "کجاست؟", "naïve", "हिन्दी", "🇫🇷", "e\u0301te\u0301", "각", "the", "of", " "]),
        max_size=9,
    ).map(" ".join),
)
LANGUAGES = st.sampled_from(["en", "fa", "tr", "zh"])


def attack_of(name: str, most: int = 12) -> Any:
    if name == "noise-all":
        return registry.find("attacks", "noise")(per_question=most, keywords="all")
    return registry.find("attacks", name)(per_question=most)


def check(name: str, question: Question, variants: list[Variant]) -> None:
    form = str if name in EXACT else normalised
    known = {(form(question.text), question.passages)}
    for variant in variants:
        assert apply_edits(question.text, variant.edits) == variant.prompt.text
        assert variant.edits
        key = (form(variant.prompt.text), variant.prompt.passages)
        assert key not in known
        known.add(key)
        assert variant.prompt.history == question.history
        assert (variant.meaning == "kept") == (not variant.why)
        assert variant.expect == attack_of(name).expect
        assert not torn(question.text, variant)
        far = distance(question.text, variant.prompt.text)
        assert variant.distance >= far if name in NEW_ANSWER else variant.distance == far
        if name not in NEW_ANSWER:
            for start, end in answer_spans(question.text, question.answers):
                assert normalised(question.text[start:end]) in normalised(variant.prompt.text)


def torn(text: str, variant: Variant) -> bool:
    """Whether an edit cuts a character in two, or untouched characters became others."""
    shift = 0
    before, after = boundaries(text), boundaries(variant.prompt.text)
    for edit in variant.edits:
        start, end = edit.start, edit.start + len(edit.before)
        if start not in before or end not in before:
            return True
        if start + shift not in after or start + shift + len(edit.after) not in after:
            return True
        shift += len(edit.after) - len(edit.before)
    return False


@pytest.mark.parametrize("kind", ["attacks", "matchers"])
def test_every_plug_is_called_as_it_is_named(kind: str) -> None:
    assert {name: registry.find(kind, name).name for name in registry.BUILT_IN[kind]} == {
        name: name for name in registry.BUILT_IN[kind]
    }


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=ENGLISH, seed=st.integers(0, 99))
def test_promises_on_english(name: str, text: str, seed: int, propose_all: Any) -> None:
    question = Question(text, (GoldAnswer("Paris"), GoldAnswer("1992")), history=(Turn("bot", "hi"),))
    variants, existing = propose_all(attack_of(name), question, seed)
    check(name, question, variants)
    assert len(variants) <= 12
    assert existing is None or existing >= len(variants)
    assert (variants, existing) == propose_all(attack_of(name), question, seed)


@pytest.mark.parametrize("name", UNPARSED)
@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=ANY_TEXT, lang=LANGUAGES, seed=st.integers(0, 9))
@example(text="🇫🇷🇩🇪 ab\u200dc 가 \r\n x", lang="en", seed=0)
def test_promises_on_any_unicode(name: str, text: str, lang: str, seed: int, propose_all: Any) -> None:
    question = Question(text, lang=lang)
    if not attack_of(name).works_in(lang):
        assert name in ENGLISH_ONLY or lang not in ("en", "fa")
        return
    variants, _ = propose_all(attack_of(name), question, seed)
    check(name.removesuffix("-all"), question, variants)


@pytest.mark.parametrize("name", PARSED)
@settings(max_examples=12, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=ANY_TEXT)
def test_parsed_attacks_on_any_unicode(name: str, text: str, propose_all: Any) -> None:
    variants, _ = propose_all(attack_of(name), text, 1)
    check(name, Question(text), variants)


@pytest.mark.parametrize("name", NAMES)
def test_another_seed_makes_other_variants(name: str, propose_all: Any) -> None:
    text = "What's the oldest river of France, and who doesn't know that it is there since 1992 or before?"
    found = [propose_all(attack_of(name, 2), text, seed)[0] for seed in range(12)]
    if propose_all(attack_of(name, 500), text)[1] not in (0, 1, 2):
        assert len({tuple(variant.id for variant in variants) for variants in found}) > 1


@pytest.mark.parametrize("name", [name for name in NAMES if hasattr(registry.find("attacks", name), "take")])
def test_the_nearest_come_first(name: str, propose_all: Any) -> None:
    attack = registry.find("attacks", name)(per_question=5, take="nearest")
    found = propose_all(attack, Question("Is it true that the old ferry from Oslo leaves for Paris in 1992?"))[0]
    far = [variant.distance for variant in found if variant.meaning_as_claimed]
    assert far == sorted(far)


@pytest.mark.parametrize("name", NAMES)
def test_options_out_of_range(name: str) -> None:
    with pytest.raises(ConfigError, match=r"per_question: expected a whole number of at least 1"):
        read_attack_flag(f"{name}:per_question=0")


@pytest.mark.parametrize(
    "option", ["noise:kinds", "dpaeg:words", "reword:sources", "disfluency:forms", "order:spots", "unanswerable:ways"]
)
def test_a_list_of_kinds_names_one_at_least(option: str) -> None:
    with pytest.raises(ConfigError, match="must not be empty"):
        read_attack_flag(f"{option}=[]")


@pytest.mark.parametrize("name", ["noise", "random-characters", "disfluency"])
def test_a_language_without_a_parser_is_served_by_words(name: str, propose_all: Any) -> None:
    variants, _ = propose_all(attack_of(name), Question("پایتخت اسپانیا کجاست؟", lang="fa"))
    assert len(variants) == 12


def test_only_chains_take_attacks() -> None:
    assert Chain((attack_of("case"), attack_of("negate"))).expect == "different"


@pytest.mark.slow
@pytest.mark.data
@pytest.mark.parametrize("name", ["insert-function-word", "delete-function-word", "substitute-function-word"])
def test_semantic_parsing_none_unchanged_none_twice_one_function_word(name: str, data: Path, propose_all: Any) -> None:
    attack = attack_of(name, 40)
    inventory = set(function_words())
    asked = made = 0
    for file in ("geo.tsv", "atis.tsv", "jobs.tsv"):
        with (data / "semantic-parsing" / file).open(encoding="utf-8", newline="") as stream:
            texts = [row[0] for row in csv.reader(stream, delimiter="\t", quoting=csv.QUOTE_NONE) if row]
        for text in texts:
            variants, _ = propose_all(attack, text)
            found = {normalised(variant.prompt.text) for variant in variants}
            assert len(found) == len(variants)
            assert normalised(text) not in found
            for variant in variants:
                assert one_word_differs(text, variant.prompt.text, name, inventory)
            asked, made = asked + 1, made + len(variants)
    assert asked == 978
    assert made > 978


def one_word_differs(text: str, after: str, name: str, inventory: set[str]) -> bool:
    old, new = text.split(), after.split()
    longer, shorter = (new, old) if len(new) > len(old) else (old, new)
    if name == "substitute-function-word":
        changed = [(a, b) for a, b in zip(old, new, strict=True) if a != b]
        return len(changed) == 1 and all(word.strip(".,?'").lower() in inventory for word in changed[0])
    added = name == "insert-function-word"
    if len(longer) != len(shorter) + 1 or (longer is new) != added:
        return False
    ways = (i for i in range(len(longer)) if longer[:i] + longer[i + 1 :] == shorter)
    return any(longer[i].lower() in inventory for i in ways)


@pytest.mark.slow
@pytest.mark.data
@pytest.mark.parametrize("name", [name for name in UNPARSED if name not in ENGLISH_ONLY])
def test_persian_questions_keep_their_characters(name: str, data: Path, propose_all: Any) -> None:
    document = json.loads((data / "persianqa" / "pqa_test.part1.json").read_bytes())
    records = [qa for page in document["data"] for part in page["paragraphs"] for qa in part["qas"]]
    assert len(records) == 470
    made = 0
    for record in records:
        answers = tuple(GoldAnswer(answer["text"]) for answer in record["answers"])
        question = Question(record["question"], answers, lang="fa")
        variants, _ = propose_all(attack_of(name, 3), question)
        check(name.removesuffix("-all"), question, variants)
        for variant in variants:
            assert variant.prompt.text.count("\u200c") >= question.text.count("\u200c") - sum(
                edit.before.count("\u200c") for edit in variant.edits
            )
        made += len(variants)
    assert made > 0 or name in ("case", "contrast-set")  # no capitals, no other question
