"""Figures of what a bot says it read, and of where in the passages it was attacked."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

import botattack
from botattack.config.target import load_target
from botattack.model import Edit, Fact, GoldAnswer, Question
from botattack.places import Place
from botattack.report.figures.figure_values import AttackFigures
from botattack.report.figures.sources import Sent, Stretch, cited, cites, support
from botattack.report.figures.whereabouts import Whereabouts

COLOURS = ("red", "blue", "green", "white")
ROOMS = [f"room {number}" for number in range(101, 125)]
ATTACKS = [{"order": {"spots": ["first"]}}, {"distractor": {"rungs": ["random"], "at": "first"}}]


def question(number: int, room: str) -> Question:
    colour, tale = COLOURS[number % 4], f"Doors: Nobody counted the doors of house {number}."
    fact = f"Painters: The door of {room} is {colour}."
    kind = "odd" if number % 2 else "even"
    gold = (GoldAnswer(colour),)
    return Question(f"What colour has {room}?", gold, (tale, fact), kind=kind, facts=(Fact(1, 10, len(fact)),))


def attentive(text: str, passages: Sequence[str]) -> dict[str, Any]:
    """Answers from the passage that names the room, and cites its sentence."""
    room = text.removeprefix("What colour has ").rstrip("?")
    fact = next(passage for passage in passages if room in passage)
    return {"text": fact.rstrip(".").rpartition(" ")[2], "fields": {"sources": [fact.partition(": ")[2]]}}


def lazy(text: str, passages: Sequence[str]) -> dict[str, Any]:
    """Answers as well, and always cites the first passage."""
    return {**attentive(text, passages), "fields": {"sources": 0}}


def silent(text: str, passages: Sequence[str]) -> str:
    """Answers as well, and names no source."""
    return str(attentive(text, passages)["text"])


def attacked(bot: Any, folder: Path, **keys: Any) -> dict[str, AttackFigures]:
    questions = [question(number, room) for number, room in enumerate(ROOMS)]
    campaign = botattack.campaign(bot, questions, ATTACKS, seed=7, **{"filter": "all", **keys})
    result = botattack.run(campaign, recordings=folder)
    assert botattack.replay(result.recording).figures == result.figures
    return result.figures.attacks


def values(attack: AttackFigures, *names: str) -> list[float | None]:
    return [attack.measures[name].value for name in names]


@pytest.mark.slow
def test_the_sources_of_a_bot_that_reads_what_it_answers_from(tmp_path: Path) -> None:
    attacks = attacked(attentive, tmp_path)
    for attack in attacks.values():
        both = ("facts EM before", "facts EM after", "facts F1 after", "joint EM after", "joint F1 after")
        assert values(attack, *both) == [1.0] * 5
        assert attack.measures["facts EM after"].n == 24
        assert attack.measures["joint F1 after, odd"].n == attack.measures["EM after, even"].n == 12
    assert values(attacks["distractor"], "cites the distractor") == [0.0]
    assert "cites the distractor" not in attacks["order"].measures
    assert "cites the distractor" not in attacks["unchanged"].measures


@pytest.mark.slow
def test_the_sources_of_a_bot_that_names_any(tmp_path: Path) -> None:
    attacks = attacked(lazy, tmp_path)
    for name, after in (("unchanged", 0.0), ("distractor", 0.0), ("order", 1.0)):
        assert values(attacks[name], "facts EM before", "facts EM after", "joint F1 after") == [0.0, after, after]
        assert values(attacks[name], "EM after") == [1.0]
    assert values(attacks["distractor"], "cites the distractor") == [1.0]
    assert attacks["distractor"].measures["cites the distractor"].n == 24


@pytest.mark.slow
def test_the_sources_of_the_reader_that_comes_with_botattack(tmp_path: Path) -> None:
    reader = Path(__file__).parents[2] / "targets" / "bots" / "reader.yaml"
    attacks = attacked(load_target(reader, environ={}), tmp_path)
    assert values(attacks["unchanged"], "facts EM before", "facts EM after") == [1.0, 1.0]
    assert values(attacks["distractor"], "facts EM after", "facts F1 after") == [1.0, 1.0]


@pytest.mark.slow
@pytest.mark.parametrize(("bot", "keys"), [(silent, {}), (lazy, {"filter": "right"})])
def test_no_figure_of_facts_without_sources_or_of_right_originals_alone(
    bot: Callable[..., Any], keys: dict[str, Any], tmp_path: Path
) -> None:
    for attack in attacked(bot, tmp_path, **keys).values():
        assert not [name for name in attack.measures if name.startswith(("facts", "joint"))]


@pytest.mark.slow
def test_rates_by_place_and_distance_to_the_answer(tmp_path: Path) -> None:
    attacks = attacked(attentive, tmp_path)
    splits = attacks["distractor"].splits
    for split, value in (("place", "before passages"), ("distance to the answer", "farther passage")):
        assert {name: row.asked for name, row in splits[split].items()} == {value: 24}
    assert [*attacks["order"].splits["place"]] == ["whole passage"]
    assert "place" not in attacks["unchanged"].splits


ASKED = Question(
    "Where?",
    (GoldAnswer("Oslo"),),
    ("One: It is far. It is in Oslo. So it is.", "Two: No more."),
    facts=(Fact(0, 16, 30),),
)
HELD = ASKED.passages[0].index("It is in Oslo.")


@pytest.mark.parametrize(
    ("edits", "place", "distance"),
    [
        ([Edit(0, "", "Who knows? ", "x", Place("passage", 0))], "beginning of passage", "1 sentence"),
        ([Edit(41, "", " Who knows?", "x", Place("passage", 0))], "end of passage", "2 sentences"),
        ([Edit(HELD, "It", "He", "x", Place("passage", 0))], "middle of passage", "0 sentences"),
        ([Edit(0, "", "Three.", "x", Place("added passage", 2))], "behind passages", "farther passage"),
        ([Edit(0, "", "Three.", "x", Place("added passage", 1))], "between passages", "next passage"),
        ([Edit(5, "No", "Na", "x", Place("passage", 1))], "middle of passage", "next passage"),
        (
            [Edit(0, "", "Hm. ", "x", Place("passage", 0)), Edit(13, "", " Hm.", "x", Place("passage", 1))],
            "mixed",
            "1 sentence",
        ),
        ([Edit(0, "W", "w", "x")], "", ""),
    ],
)
def test_where_edits_are(edits: list[Edit], place: str, distance: str) -> None:
    found = Whereabouts(ASKED)
    assert (found.place(edits), found.distance(edits)) == (place, distance)


def test_facts_are_found_wherever_edits_moved_them() -> None:
    fact = ASKED.facts[0]
    moved = [Edit(0, "", "Hm. ", "x", Place("passage", 0)), Edit(0, "", "New.", "x", Place("added passage", 0))]
    assert Sent(ASKED, moved).facts() == [Stretch(1, fact.start + 4, fact.end + 4)]
    gone = [Edit(fact.start, ASKED.passages[0][fact.start : fact.end], "", "x", Place("passage", 0))]
    assert Sent(ASKED, gone).facts() == []
    one, two = ASKED.passages
    swapped = [Edit(0, one, two, "x", Place("passage", 0)), Edit(0, two, one, "x", Place("passage", 1))]
    assert Sent(ASKED, swapped).facts() == [Stretch(1, fact.start, fact.end)]
    assert Sent(ASKED, swapped).planted() == []


def test_planted_texts_are_those_that_were_put_there() -> None:
    added = [
        Edit(0, "", "New text here.", "x", Place("added passage", 1)),
        Edit(0, "", "Not so fast. ", "x", Place("passage", 1)),
        Edit(5, "No", "Never", "x", Place("passage", 1)),
    ]
    assert Sent(ASKED, added).planted() == [Stretch(1, 0, 14), Stretch(2, 0, 13)]


@pytest.mark.parametrize(
    ("sources", "found"),
    [
        ([1], [Stretch(1, 0, 13)]),
        (["two"], [Stretch(1, 0, 13)]),
        (["It is in Oslo."], [Stretch(0, HELD, HELD + 14)]),
        ([7, -1, True, "", "Nowhere", None, {"a": 1}], [Stretch(-1, 0, 0)]),
    ],
)
def test_what_is_cited(sources: list[Any], found: list[Stretch]) -> None:
    assert cited({"sources": sources}, ASKED.passages) == found


def test_half_a_source_is_enough_to_cite() -> None:
    planted = [Stretch(0, 10, 20)]
    assert cites([Stretch(0, 15, 25)], planted)
    assert not cites([Stretch(0, 16, 28)], planted)


def official(predicted: set[tuple[int, int]], gold: set[tuple[int, int]]) -> tuple[float, float, bool]:
    """`update_sp` of hotpot_evaluate_v1.py: precision, recall and exact match of two sets of sentences."""
    tp, fp, fn = len(predicted & gold), len(predicted - gold), len(gold - predicted)
    return tp / (tp + fp) if tp + fp else 0.0, tp / (tp + fn) if tp + fn else 0.0, fp + fn == 0


SENTENCES = [["It is far.", "It lies in Oslo.", "So it does."], ["No more.", "Or less.", "Who knows?"]]
TEXTS = [f"{title}: {' '.join(said)}" for title, said in zip(("One", "Two"), SENTENCES, strict=True)]
EVERY = [(passage, at) for passage in range(2) for at in range(3)]


@pytest.mark.parametrize("gold", [{(0, 1)}, {(0, 1), (1, 0)}, {(0, 0), (0, 1), (1, 2)}, set()])
def test_named_sentences_are_scored_as_the_script_of_hotpotqa_does(gold: set[tuple[int, int]]) -> None:
    facts = [stretch for at in gold for stretch in cited({"sources": [SENTENCES[at[0]][at[1]]]}, TEXTS)]
    for mask in range(2 ** len(EVERY)):
        predicted = {one for bit, one in enumerate(EVERY) if mask >> bit & 1}
        sources = cited({"sources": [SENTENCES[passage][at] for passage, at in predicted]}, TEXTS)
        found = support(sources, facts, TEXTS)
        assert (found.precision, found.recall, found.exact) == official(predicted, gold), predicted


@pytest.mark.parametrize(
    ("sources", "found"),
    [
        (["It lies in Oslo."], (1, 1, True)),
        (["lies in Oslo"], (1, 1, True)),
        (["It is far. It lies in Oslo."], (1 / 2, 1, False)),
        (["It is far. It lies in Oslo. So it does."], (1 / 3, 1, False)),
        (["It lies in Oslo.", "I made this up."], (1 / 2, 1, False)),
        ([0], (1, 1, True)),
        (["One"], (1, 1, True)),
        ([0, 1], (1 / 2, 1, False)),
        ([1], (0, 0, False)),
        (["No more. Or less."], (0, 0, False)),
        ([], (0, 0, False)),
    ],
)
def test_whole_passages_are_compared_with_the_passages_of_the_facts(
    sources: list[Any], found: tuple[float, float, bool]
) -> None:
    (fact,) = cited({"sources": ["It lies in Oslo."]}, TEXTS)
    told = support(cited({"sources": sources}, TEXTS), [fact], TEXTS)
    assert (told.precision, told.recall, told.exact) == found
