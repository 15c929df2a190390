"""What the attack on a question's reasoning chain promises."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from benchmarks.measured.make_yield import with_passages
from botattack.attacks.fakes.answers import plain
from botattack.attacks.passages.reasoning_chain.attack import ReasoningChain
from botattack.attacks.passages.reasoning_chain.graph import graph_of, near
from botattack.errors import MissingPart
from botattack.model import Fact, GoldAnswer, Question, Variant, edited
from botattack.places import Place
from botattack.text.word_lists import word_groups
from tests.attacks.everything import Parts
from tests.attacks.resources import drive

HAWAII = Question(
    "What island is located 808 nmi northwest of the capital of Hawaii?",
    (GoldAnswer("Laysan"),),
    (
        "Laysan: Laysan, located 808 nmi northwest of Honolulu, is one of the Hawaiian Islands. It is flat.",
        "Honolulu: Honolulu is the capital and largest city of the U.S. state of Hawaii. The city is a gateway.",
        "Oslo: Oslo is in Norway. It is old.",
    ),
    kind="bridge",
    facts=(Fact(0, 8, 83),),
)
"""The example of the paper's Figure 1."""


def chained(question: Question, everything: Parts, seed: int = 0, **options: Any) -> list[Variant]:
    attack = ReasoningChain(**options)
    try:
        needed = {name: everything[name] for name in attack.parts()}
    except MissingPart as missing:
        pytest.skip(str(missing))
    meets: dict[str, Any] = {
        name: lambda payload, name=name: everything.met(name, payload) for name in ("parse", "neighbours")
    }
    variants, existing = drive(attack, question, needed, meets, seed)
    assert existing == len(variants)
    return variants


@pytest.mark.slow
def test_a_bridging_question_changes_its_first_hop_in_every_passage(everything: Parts) -> None:
    (variant,) = chained(HAWAII, everything)
    assert [edit.place for edit in variant.edits] == [Place("passage", i) for i in range(3)]
    (said,) = {edit.after.strip() for edit in variant.edits}
    assert said == f"{variant.decoy} is located 808 nmi northwest of the port of Hawaii."
    assert {edit.kind for edit in variant.edits} == {"bridging, relation changed"}
    assert variant.decoy not in ("", "Laysan")
    assert not any(variant.decoy in text for text in HAWAII.passages)
    assert (variant.meaning, variant.expect, variant.prompt.text) == ("kept", "same", HAWAII.text)
    assert variant.turns == edited(HAWAII.turns, variant.edits)


@pytest.mark.parametrize(
    ("at", "first", "last"), [("beginning", True, False), ("end", False, True), ("random", False, True)]
)
def test_the_sentence_stands_where_it_is_told_to_and_behind_the_title(
    at: Any, first: bool, last: bool, everything: Parts
) -> None:
    (variant,) = chained(HAWAII, everything, at=at)
    for before, after, edit in zip(HAWAII.passages, variant.prompt.passages, variant.edits, strict=True):
        title = before.partition(":")[0] + ": "
        assert after.startswith(title)
        assert after.removeprefix(title).startswith(edit.after.strip()) == first
        assert at == "random" or after.endswith(edit.after.strip()) == last


def test_names_stay_or_are_all_that_changes(everything: Parts) -> None:
    (relations,) = chained(HAWAII, everything)
    assert "Hawaii" in relations.edits[0].after
    for variant in chained(HAWAII, everything, change="entities"):
        assert "Hawaii" not in variant.edits[0].after
        assert "of the capital of" in variant.edits[0].after


@pytest.mark.parametrize(
    ("text", "gold", "kind", "reasoning", "said", "decoy"),
    [
        (
            "Who is older, Annie Morton or Terry Richardson?",
            "Terry Richardson",
            "comparison",
            "comparative",
            "Annie Morton is younger.",
            "Annie Morton",
        ),
        (
            "Were Annie Morton and Terry Richardson born in the northern part of France?",
            "yes",
            "comparison",
            "yes/no",
            "Annie Morton and Terry Richardson were born in the southern part of France.",
            "",
        ),
        (
            "Were Annie Morton and Terry Richardson born in the northern part of France?",
            "no",
            "comparison",
            "yes/no",
            "Annie Morton and Terry Richardson were not born in the southern part of France.",
            "",
        ),
    ],
)
def test_comparisons_keep_who_is_compared(
    text: str, gold: str, kind: str, reasoning: str, said: str, decoy: str, everything: Parts
) -> None:
    passages = ("Annie Morton: She was born in 1970.", "Terry Richardson: He was born in 1965.")
    question = Question(text, (GoldAnswer(gold),), passages, kind=kind)
    (variant,) = chained(question, everything)
    assert {edit.after.strip() for edit in variant.edits} == {said}
    assert (variant.edits[0].kind, variant.decoy) == (f"{reasoning}, relation changed", decoy)


OLDER = "Annie Morton", "Terry Richardson"


@pytest.mark.parametrize(
    ("text", "names", "said"),
    [
        ("Who is younger, Annie Morton or Terry Richardson?", OLDER, "Terry Richardson is older."),
        ("Who was born first, Annie Morton or Terry Richardson?", OLDER, "Terry Richardson was born last."),
        ("Who was born earlier, Annie Morton or Terry Richardson?", OLDER, "Terry Richardson was born later."),
        (
            "Which band, Letters to Cleo or Screaming Trees, had more members?",
            ("Letters to Cleo", "Screaming Trees"),
            "Screaming Trees had fewer members.",
        ),
        (
            "Which dog's ancestors include setters: the Manchester Terrier or the Scotch Collie?",
            ("Manchester Terrier", "Scotch Collie"),
            "The Scotch Collie's descendants include setters.",
        ),
    ],
)
def test_the_competitor_that_loses_is_on_the_other_side(
    text: str, names: tuple[str, str], said: str, everything: Parts
) -> None:
    question = Question(text, (GoldAnswer(names[0]),), tuple(f"{name}: It is known." for name in names))
    (variant,) = chained(question, everything)
    assert variant.edits[0].after.strip() == said
    assert names[1] in variant.decoy


BRIDGES = [
    ("Who wrote the film that was directed by Ann Lee?", "Eve Roe"),
    ("Who founded the university where Ann Lee studied?", "Eve Roe"),
    ("What is the population of the country that Ann Lee represented?", "5,000"),
    ("Which singer of Oslo Nights was born in Bergen?", "Eve Roe"),
    ("Ann Lee served as the secretary of which party?", "Labour Party"),
    ("What city is the capital of the state where Ann Lee lives?", "Leeds"),
    ("Who published the novel by the husband of Ann Lee?", "Eve Roe"),
    ("In what year was the company that hired Ann Lee founded?", "1931"),
    ("What is the largest lake north of Bergen?", "Long Lake"),
    ("Who is the manager of the club that signed Ann Lee?", "Eve Roe"),
    ("Who was the bassist of the band that recorded Oslo Nights?", "Eve Roe"),
]


def bridging(text: str, gold: str) -> Question:
    passages = (
        f"Ann Lee: Ann Lee knew {gold} in Bergen.",
        f"Oslo Nights: It has to do with {gold}.",
        "Rome: It is old.",
    )
    return Question(text, (GoldAnswer(gold),), passages)


@pytest.mark.slow
def test_most_questions_have_a_relation_changed_and_keep_their_names(everything: Parts) -> None:
    found = [variant for text, gold in BRIDGES for variant in chained(bridging(text, gold), everything)]
    assert len(found) >= 0.8 * len(BRIDGES)
    for variant in found:
        said, asked = variant.edits[0].after, variant.prompt.text
        assert {edit.kind for edit in variant.edits} <= {
            f"{way}, relation changed" for way in ("bridging", "intersection")
        }
        assert all(name in said for name in ("Ann Lee", "Oslo Nights", "Bergen") if name in asked)
        assert said.strip() not in asked


def test_entities_change_only_when_asked_for(everything: Parts) -> None:
    for text, gold in BRIDGES:
        for variant in chained(bridging(text, gold), everything, change="entities"):
            assert all(edit.kind.endswith("entity changed") for edit in variant.edits)
            assert "Ann Lee" not in variant.edits[0].after


def test_more_words_or_hops_change_more(everything: Parts) -> None:
    text, gold = "Who wrote the film that was directed by the husband of Ann Lee?", "Eve Roe"

    def changed(**options: Any) -> int:
        (variant,) = chained(bridging(text, gold), everything, **options)
        return len(
            set(variant.edits[0].after.strip(" .").split()) - set(text.rstrip("?").split()) - set(variant.decoy.split())
        )

    assert changed() == 1
    assert changed(hop="second", words=2) == changed(hop="both") == 2


def test_what_stands_for_a_word_does_not_say_the_same(everything: Parts) -> None:
    for pos in ("NOUN", "VERB"):
        for group in word_groups(f"relations.{pos}"):
            mark = group.index(">") if ">" in group else 0
            replaced, others = (group[:mark], group[mark + 1 :]) if mark else (group, group)
            for one in (word.partition("_")[0] for word in replaced):
                senses = everything["thesaurus"].senses(one, pos)[:1]
                alike = {word.lower() for sense in senses for word in sense.words} - {one}
                assert alike.isdisjoint(others), (one, alike)


@pytest.mark.parametrize(
    ("text", "gold"),
    [
        ("In which year was the King who made the 1925 Birthday Honours born?", "1865"),
        ("Are Yingkou and Fuding the same level of city?", "no"),
        ("Are Ann Lee and Eve Roe both from the United States?", "yes"),
    ],
)
def test_a_torn_sentence_or_one_without_a_relation_is_not_said(text: str, gold: str, everything: Parts) -> None:
    assert (
        chained(Question(text, (GoldAnswer(gold),), ("Ann Lee: She is old.", "Eve Roe: She is tall.")), everything)
        == []
    )


@pytest.mark.parametrize(
    "question",
    [
        Question(HAWAII.text, HAWAII.answers),
        Question(HAWAII.text, (), HAWAII.passages),
        Question("Why?", HAWAII.answers, HAWAII.passages),
        Question("", HAWAII.answers, HAWAII.passages),
    ],
    ids=["no passage", "no answer", "nothing named", "empty"],
)
def test_a_chain_needs_passages_an_answer_and_a_name(question: Question, everything: Parts) -> None:
    assert chained(question, everything) == []


@pytest.mark.parametrize("hop", ["first", "second", "both"])
def test_a_chain_is_the_same_for_the_same_seed_and_never_says_the_answer(hop: Any, everything: Parts) -> None:
    for seed in range(5):
        variants = chained(HAWAII, everything, seed, hop=hop)
        assert variants == chained(HAWAII, everything, seed, hop=hop)
        for variant in variants:
            assert "Laysan" not in variant.edits[0].after
            assert variant.decoy in variant.edits[0].after


def test_the_shortest_path_leads_from_the_name_to_the_answer(everything: Parts) -> None:
    parsed = {
        i: everything.met("parse", {"text": HAWAII.passages[i], "lang": "en", "entities": True}) for i in near(HAWAII)
    }
    chain = graph_of(HAWAII, parsed).chain(plain("Hawaii"))
    assert [step.name.strip() for step in chain] == ["hawaii", "honolulu"]
    assert [step.passage for step in chain] == [1, 0]
    assert "capital" in chain[0].relation
    assert graph_of(HAWAII, parsed).chain(plain("Norway")) == ()


def test_the_filter_keeps_what_leads_to_the_answer() -> None:
    others = tuple(f"Town {n}: It is a town in Norway." for n in range(9))
    question = msgspec.structs.replace(HAWAII, passages=(*others, *HAWAII.passages))
    assert {9, 10} <= set(near(question))
    assert len(near(question)) == 4


def test_the_filter_weighs_rare_words_and_takes_no_name_for_a_part_of_a_longer_one() -> None:
    text = "Are the Laleli Mosque and the Esma Sultan Mansion in the same district?"
    others = tuple(f"Esma Sultan ({n}): Esma Sultan was no one in the same district." for n in range(8))
    asked = ("Laleli Mosque: It is in Fatih.", "Esma Sultan Mansion: It is in Ortak.")
    assert {8, 9} <= set(near(Question(text, (GoldAnswer("no"),), (*others, *asked))))
    towns = tuple(f"Town {n}: It is where people lived and were born." for n in range(8))
    rare = ("Lee: She was a falconer.",)
    assert 8 in near(Question("Where was the falconer born who lived in that town?", (), (*towns, *rare)))


def test_the_passages_that_name_one_another_are_near() -> None:
    """Two hops share few words with a question, and each other's names."""
    others = [f"Town {i}: A singer of a song lives in the village {i}." for i in range(8)]
    song = "Blue Rain: Blue Rain is a song by Ada Holm. It was sung in the village of the singer."
    for hop in ("Ada Holm: She is at 12 Elm Lane.", "Elm Lane: It was the time of Blue Rain."):
        asked = Question("Where does the singer of the song Blue Rain of the village live?", (), (*others, hop, song))
        assert {8, 9} <= {*near(asked)}


@pytest.mark.slow
@pytest.mark.data
def test_the_passages_with_facts_are_kept_as_often_as_in_the_paper(data: Path) -> None:
    for blind in (False, True):
        kept = facts = 0
        for question in with_passages(data / "hotpotqa" / "hotpot_dev_distractor_first50.json"):
            gold = {fact.passage for fact in question.facts}
            facts += len(gold)
            kept += len(gold & {*near(msgspec.structs.replace(question, answers=()) if blind else question)})
        assert kept >= 0.96 * facts


@pytest.mark.parametrize(
    ("text", "gold"),
    [
        ("What party is strongest in the suburbs of Oslo?", "Ann Party"),  # "neighborhoods" says nearly the same
        ("Who was a student of Lefevre?", "Ann Lee"),  # "youth"
        ("Who is known as Aladin and helps as a consultant?", "Ann Lee"),  # "specialist"
        ("Who wrote the romantic comedy Big Stone Gap?", "Ann Lee"),
    ],
)
def test_what_still_asks_for_the_same_is_not_said(text: str, gold: str, everything: Parts) -> None:
    question = Question(text, (GoldAnswer(gold),), (f"{gold} is the one.",))
    said = [edit.after for variant in chained(question, everything) for edit in variant.edits]
    assert not any(word in one for one in said for word in ("neighborhood", "youth", "specialist", "tragedy"))
