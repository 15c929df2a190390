import json
from pathlib import Path
from random import Random
from typing import Any

import pytest

from botattack.attacks.letters.dpaeg import Dpaeg
from botattack.config.flags import read_attack_flag
from botattack.errors import ConfigError
from botattack.model import Prompt, Question, Turn
from botattack.protocols import Context
from botattack.text.spelling import distance
from botattack.text.tokens import normalised
from tests.attacks.conftest import dictionary_of, propose, tokens_of, typos_of
from tests.attacks.resources import reads, texts
from tests.edits import apply_edits

ALADDIN = Question("Who played the voice of Aladdin")
TOKENS = tokens_of(
    ALADDIN.text,
    "*Who PRON nsubj 1",
    "played VERB ROOT 1",
    "*the DET det 3",
    "voice NOUN dobj 1",
    "*of ADP prep 3",
    "Aladdin PROPN pobj 4",
)
PARTS = {
    "typos": typos_of(played=["palyed"], voice=["vocie", "voise"]),
    "dictionary": dictionary_of(placed="VERB", voile="NOUN", vice="NOUN VERB", void="ADJ", vote="NOUN"),
}


def test_figure_2_from_end_to_end() -> None:
    variants, existing = propose(Dpaeg(per_question=100), ALADDIN, TOKENS, PARTS)
    played, voice = ("palyed", "placed"), ("vocie", "voise", "voile", "vice", "vote")
    singles = {f"Who {p} the voice of Aladdin" for p in played} | {f"Who played the {v} of Aladdin" for v in voice}
    pairs = {f"Who {p} the {v} of Aladdin" for p in played for v in voice}
    assert texts(variants) == singles | pairs
    assert existing == len(variants) == 17
    kinds = {edit.after: (edit.kind, edit.relation, edit.pos) for v in variants for edit in v.edits}
    assert kinds["palyed"] == ("typo", "ROOT", "VERB")
    assert kinds["vice"] == ("similar", "dobj", "NOUN")


def test_real_parts_keep_every_promise(attack_english: Any) -> None:
    text = "What's the LANGUAGE of the country where McDonald's brother lives?"
    variants, existing = attack_english(Dpaeg(per_question=400, keywords="content", numbers=True), text)
    assert existing > len(variants) == 400
    assert len({normalised(v.prompt.text) for v in variants} | {normalised(text)}) == 401
    for variant in variants:
        assert apply_edits(text, variant.edits) == variant.prompt.text
        assert 1 <= variant.distance == distance(text, variant.prompt.text) <= 4
        assert (variant.attack, variant.expect) == ("dpaeg", "same")
        for edit in variant.edits:
            assert edit.kind in {"typo", "similar", "similar-typo"}
            assert edit.after.isupper() == edit.before.isupper()


@pytest.mark.slow
@pytest.mark.data
def test_every_variant_of_real_questions(attack_english: Any, data: Path) -> None:
    records = json.loads((data / "webquestions" / "val.json").read_bytes())[:40]
    for text in (record["qText"] for record in records):
        variants, existing = attack_english(Dpaeg(per_question=10**9), text)
        assert existing == len(variants) == len({normalised(v.prompt.text) for v in variants})
        assert normalised(text) not in {normalised(v.prompt.text) for v in variants}
        for variant in variants[::7]:
            assert apply_edits(text, variant.edits) == variant.prompt.text
            assert distance(text, variant.prompt.text) == variant.distance <= 4


def test_the_rest_of_the_prompt_goes_along() -> None:
    question = Question(ALADDIN.text, passages=("a passage",), history=(Turn("user", "hi"),))
    variants, _ = propose(Dpaeg(), question, TOKENS, PARTS)
    assert all(v.turns == (Prompt(v.prompt.text, ("a passage",), question.history),) for v in variants)


def test_the_seed_decides_and_only_the_seed() -> None:
    attack = Dpaeg(per_question=5, meaning="paper")
    first, again, other = (propose(attack, ALADDIN, TOKENS, PARTS, seed)[0] for seed in (1, 1, 2))
    assert first == again
    assert texts(first) != texts(other)


def test_nearest_come_first() -> None:
    variants, existing = propose(Dpaeg(per_question=4, take="nearest"), ALADDIN, TOKENS, PARTS)
    assert existing == 17
    assert [variant.distance for variant in variants] == [1, 1, 1, 1]


@pytest.mark.parametrize(
    ("options", "existing"),
    [
        ({"epsilon": 1}, 6),  # palyed placed vocie voise voile vice
        ({"combine": 1}, 7),
        ({"words": ("typo",)}, 5),
        ({"words": ("similar",)}, 7),
        ({"pos": "different"}, 5),
        ({"pos": "free"}, 17),
        ({"through_prepositions": True}, 17),
        ({"keywords": "content"}, 17),
    ],
)
def test_options(options: dict[str, Any], existing: int) -> None:
    assert propose(Dpaeg(per_question=100, **options), ALADDIN, TOKENS, PARTS)[1] == existing


def test_epsilon_is_a_limit_that_may_be_reached() -> None:
    for epsilon in range(1, 5):
        variants, _ = propose(Dpaeg(epsilon=epsilon, per_question=100), ALADDIN, TOKENS, PARTS)
        assert max(variant.distance for variant in variants) == min(epsilon, 3)


def test_a_question_without_keywords_has_no_variants() -> None:
    tokens = tokens_of("who are you", "*who PRON attr 1", "*are AUX ROOT 1", "*you PRON nsubj 1")
    assert propose(Dpaeg(), Question("who are you"), tokens, PARTS) == ([], 0)
    assert propose(Dpaeg(), Question(""), (), PARTS) == ([], 0)


def test_random_keywords_are_as_many_as_algorithm_1_finds() -> None:
    for seed in range(20):
        ((variant,), existing) = propose(Dpaeg(keywords="random", edit="remove"), ALADDIN, TOKENS, {}, seed)
        assert existing == 1
        assert len(variant.edits) == 2


def test_removal_takes_all_keywords_and_leaves_no_double_space() -> None:
    ((variant,), existing) = propose(Dpaeg(edit="remove"), ALADDIN, TOKENS, {})
    assert existing == 1
    assert variant.prompt.text == "Who the of Aladdin" == apply_edits(ALADDIN.text, variant.edits)
    assert [(edit.before, edit.after, edit.kind) for edit in variant.edits] == [
        (" played", "", "removed"),
        (" voice", "", "removed"),
    ]
    assert (variant.meaning, variant.distance) == ("unsure", 13)
    assert variant.why


def test_removal_at_the_start_and_of_everything() -> None:
    rows = ("Dogs NOUN nsubj 1", "chase VERB ROOT 1", "what PRON dobj 1")
    ((variant,), _) = propose(
        Dpaeg(edit="remove"), Question("Dogs chase what"), tokens_of("Dogs chase what", *rows), {}
    )
    assert variant.prompt.text == "what"
    assert apply_edits("Dogs chase what", variant.edits) == "what"
    all_keywords = tokens_of("Dogs chase", *rows[:2])
    assert propose(Dpaeg(edit="remove"), Question("Dogs chase"), all_keywords, {}) == ([], 0)


@pytest.mark.parametrize("option", ["epsilon=0", "per_question=0", "d=0", "combine=0", "words=[]"])
def test_options_out_of_range(option: str) -> None:
    with pytest.raises(ConfigError, match=option.partition("=")[0]):
        read_attack_flag(f"dpaeg:{option}")


def test_only_needed_parts_are_declared() -> None:
    assert Dpaeg().parts() == ("parse", "dictionary", "lemmas", "typos", "speller")
    assert Dpaeg(meaning="paper").parts() == ("parse", "dictionary", "lemmas", "typos")
    assert Dpaeg(words=("typo",)).parts() == ("parse", "typos", "speller")
    assert Dpaeg(words=("similar",)).parts() == ("parse", "dictionary", "lemmas", "speller")
    assert Dpaeg(edit="remove").parts() == ("parse",)


def test_many_variants_come_in_batches() -> None:
    words = [f"{a}{b}{c}" for a in "abc" for b in "def" for c in "ghijkl"]
    question = Question("seek xylophone")
    tokens = tokens_of(question.text, "seek VERB ROOT 0", "xylophone NOUN dobj 0")
    typos = typos_of(seek=[f"se{c}k" for c in "abcdfghijlm"], xylophone=[f"xylo{w[0]}hone{w[1]}" for w in words])
    steps = Dpaeg(per_question=10**6, words=("typo",)).propose(
        Context(question, (), {"typos": typos, "speller": reads()}), Random(0)
    )
    next(steps)
    first = steps.send([tokens])
    assert len(first) <= 256
