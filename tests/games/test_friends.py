"""MutualFriends: deals, selections, what is done to the talk, and the figures. The data are made here."""

from __future__ import annotations

import json
from collections import Counter
from random import Random

import pytest

from botattack.games.events import GameEnded, GamesStarted
from botattack.games.friends import Deal, Schema, read_schema
from botattack.games.game import MutualFriends, Strategy, disturbed, outcome
from botattack.model import Exchange, Failure, Prompt, Reply
from botattack.report.figures.games import games_figures
from botattack.report.statistics.significance import bootstrap

STRATEGIES: tuple[Strategy, ...] = ("undisturbed", "random-inputs", "random-inputs-keep-entities", "confusing-entity")
KINDS = {"Name": "name", "School": "school", "Major": "major", "Hobby": "hobby"}
SCHEMA = {
    "attributes": [{"name": name, "value_type": kind, "unique": False} for name, kind in KINDS.items()],
    "values": {kind: [f"{kind}{number:03}" for number in range(60)] for kind in KINDS.values()},
}
DEAL = Deal(
    ("Name", "School", "Major"),
    (
        (("Ann", "Yale University", "Law"), ("Bob", "Yale", "Art"), ("Ann", "Yale University", "Art")),
        (("Cid", "MIT", "Law"), ("Ann", "Yale University", "Law"), ("Eve", "MIT", "Physics")),
    ),
    ("Ann", "Yale University", "Law"),
)


def schema() -> Schema:
    return read_schema(json.dumps(SCHEMA).encode())


@pytest.mark.parametrize("rows", [2, 10, 50])
def test_exactly_one_friend_is_on_both_lists(rows: int) -> None:
    for seed in range(20):
        deal = schema().deal(rows, Random(seed))
        first, second = map(set, deal.tables)
        assert first & second == {deal.shared}
        assert len(first) == len(second) == rows
        assert deal.attributes[0] == "Name"
        assert {len(row) for table in deal.tables for row in table} == {len(deal.attributes)} <= {3, 4}
    assert schema().deal(rows, Random(1)) == schema().deal(rows, Random(1))


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"attributes": []}, "attribute Name"),
        ({"values": {"name": ["Ann"]}}, "has no values"),
        ({"values": {"name": []}}, "has no values"),
    ],
)
def test_a_schema_that_no_game_can_be_dealt_from_is_refused(change: object, told: str) -> None:
    with pytest.raises(ValueError, match=told):
        read_schema(json.dumps({**SCHEMA, **change}).encode())  # type: ignore[dict-item]


def test_too_few_values_for_the_rows() -> None:
    small = {"attributes": SCHEMA["attributes"], "values": {kind: ["one"] for kind in KINDS.values()}}
    with pytest.raises(ValueError, match="too many"):
        read_schema(json.dumps(small).encode()).deal(2, Random(1))


@pytest.mark.parametrize(
    ("said", "row"),
    [
        ("SELECT Ann, Yale University, Law", 0),
        ("I am sure now.\n**select** bob!", 1),
        ("select: art, yale university", 2),
        ("SELECT Ann", None),
        ("SELECT Eve", None),
        ("SELECT", None),
        ("SELECT Ann, Bob", None),
        ("I would select Bob", None),
        ("Bob", None),
    ],
)
def test_a_selection_names_one_friend_of_the_own_list(said: str, row: int | None) -> None:
    assert DEAL.selected(0, said) == (None if row is None else DEAL.tables[0][row])


@pytest.mark.parametrize(
    ("replies", "how"),
    [
        ([], "turn limit"),
        (["Hi", "SELECT Ann, Law"], "completed"),
        (["SELECT Ann, Law"], "completed"),
        (["SELECT Bob"], "turn limit"),
        (["Hi", "SELECT Eve"], "turn limit"),
        (["Hi", " \n"], "silent"),
        ([""], "silent"),
    ],
)
def test_how_a_game_stands(replies: list[str], how: str) -> None:
    assert outcome(DEAL, replies) == how


TALK = "Hello! I have 2 friends from Yale University, and Bob."


def test_random_inputs_keep_nothing_but_marks() -> None:
    heard = disturbed("random-inputs", TALK, DEAL, 1, Random(1))
    assert [mark for mark in heard if mark in "!,."] == list("!,.")
    assert not {word.strip("!,.") for word in heard.split()} & {word.strip("!,.") for word in TALK.split()}
    assert len(heard.split()) == len(TALK.split())


def test_kept_entities_stay_as_they_are() -> None:
    heard = disturbed("random-inputs-keep-entities", TALK, DEAL, 1, Random(1))
    assert [found[0] for found in DEAL.entities(heard)] == ["Yale University", "Bob"]
    assert not {"Hello", "have", "friends", "2"} & set(heard.replace("!", " ").split())


def test_a_confusing_entity_is_of_the_hearers_table_and_not_of_the_shared_row() -> None:
    assert disturbed("confusing-entity", "Ann studies law. Law!", DEAL, 0, Random(1)) == "Bob studies Art. Art!"
    heard = {disturbed("confusing-entity", TALK, DEAL, 1, Random(seed)) for seed in range(30)}
    assert heard == {f"Hello! I have 2 friends from MIT, and {name}." for name in ("Cid", "Eve")}


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_what_the_other_player_hears(strategy: Strategy) -> None:
    game = MutualFriends(DEAL, strategy)
    said: list[Exchange] = []
    for number, reply in enumerate(("Hello, I have Bob", "SELECT Eve", "So it is not Eve", "SELECT Ann, Law")):
        prompt = game.next((), said, Random(f"7/{number}"))
        assert prompt
        assert prompt == game.next((), said, Random(f"7/{number}"))
        said.append(Exchange(prompt, Reply(reply)))
    first, second, third, _ = (each.prompt.text for each in said)
    assert "Cid" not in first
    assert "Name: Bob | School: Yale | Major: Art" not in second
    assert "Name: Bob | School: Yale | Major: Art" in first
    assert second.endswith("I begin: Hello, I have Bob") == (strategy == "undisturbed")
    assert third == "SELECT Eve"
    assert game.next((), said, Random(0)) is None


def test_a_player_that_says_nothing_ends_the_game() -> None:
    said = [Exchange(Prompt("x"), Reply("  "))]
    assert MutualFriends(DEAL, "undisturbed").next((), said, Random(0)) is None


def ended(game: int, strategy: Strategy, *replies: str) -> GameEnded:
    failure = None if replies else Failure("timeout", "no answer")
    return GameEnded(game=game, strategy=strategy, deal=DEAL, replies=tuple(map(Reply, replies)), failure=failure)


def test_the_figures_count_each_game_once_and_compare_the_same_deals() -> None:
    run = GamesStarted(
        run="r", target="a", partner="", started="", seed=0, total=30, turns=4, strategies=STRATEGIES[:2]
    )
    events: list[object] = [run]
    events += [ended(game, "undisturbed", "Hi", "SELECT Ann, Law") for game in range(29)]
    events += [ended(29, "undisturbed")]
    events += [ended(game, "random-inputs", "Hi", "Hi", "Hi", "Hi") for game in range(10)]
    events += [ended(game, "random-inputs", "Hi", "Hi", "") for game in range(10, 20)]
    events += [ended(game, "random-inputs", "SELECT Ann, Law") for game in range(20, 30)]
    found = games_figures(events).strategies
    assert dict(found["undisturbed"].outcomes) == {"completed": 29, "turn limit": 0, "silent": 0, "error": 1}
    assert dict(found["random-inputs"].outcomes) == {"completed": 10, "turn limit": 10, "silent": 10, "error": 0}
    assert found["random-inputs"].rate == pytest.approx(1 / 3)
    assert found["random-inputs"].turns == pytest.approx(8 / 3)
    less = found["random-inputs"].completed
    assert less
    assert (less.games, less.mean) == (29, pytest.approx(-20 / 29))
    assert less.p is not None
    assert less.p < 0.001
    assert found["undisturbed"].completed is None


def test_too_few_games_have_no_rate() -> None:
    run = GamesStarted(run="r", target="a", partner="", started="", seed=0, total=9, turns=4, strategies=STRATEGIES)
    few = games_figures([run, ended(0, "undisturbed", "SELECT Ann, Law")])
    assert few.strategies["undisturbed"].rate is None
    assert few.strategies["undisturbed"].outcomes["completed"] == 1


def test_the_bootstrap_is_that_of_the_book() -> None:
    rng = Random(3)
    values = [rng.choice((-1, 0, 0, 1, 1)) for _ in range(200)]
    mean, (low, high), p = bootstrap(values, seed=1)
    spread = (sum((value - mean) ** 2 for value in values) / 200) ** 0.5 / 200**0.5
    assert (low, high) == (pytest.approx(mean - 1.96 * spread, abs=0.02), pytest.approx(mean + 1.96 * spread, abs=0.02))
    assert bootstrap(rng.sample(values, 200), seed=1) == (mean, (low, high), p)
    assert bootstrap([0.0] * 30, seed=1)[2] == 1
    assert bootstrap([1.0] * 30, seed=1)[2] < 0.001


def test_the_bootstrap_finds_nothing_as_often_as_it_should() -> None:
    rng = Random(5)
    found = Counter(bootstrap([rng.choice((-1, 0, 1)) for _ in range(100)], seed, 400)[2] < 0.05 for seed in range(300))
    assert 3 <= found[True] <= 30
