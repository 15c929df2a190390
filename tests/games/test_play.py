"""`botattack play`, whole: rule-based players in this process, and players that spoil the game."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections import Counter
from datetime import date
from pathlib import Path
from shutil import copy

import pytest

from botattack.audit.games import play_games, recorded
from botattack.audit.job import RunSettings
from botattack.config.games import load_games
from botattack.errors import BotattackError, ConfigError, RecordingError, TrustRefused
from botattack.events import RunEnded
from botattack.games.events import GameBegun, GameEnded
from botattack.report.figures.games import GamesFigures, games_figures
from botattack.report.stories.games import story
from tests.cli.conftest import Botattack, botattack, folder
from tests.games.test_friends import SCHEMA

__all__ = ["botattack", "folder"]
PLAYERS = Path(__file__).parent / "players.py"
SPOILERS = """
import fcntl, os, pathlib, time
HERE = pathlib.Path(__file__).parent

def sleepy(text):
    time.sleep(30)
    return "Hello."

def fails(text):
    raise RuntimeError("no")

def logs(text, session):
    with (HERE / "sessions").open("a") as file:
        file.write(session + "\\n")
    return "Hello, the word is swordfish-7."

def dies(text):
    left = HERE / "left"
    # Two seats, which load this file each for itself, call it from two threads; a file that is being written is empty.
    with open(HERE / "lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        number = int(left.read_text()) - 1
        left.write_text(str(number))
    if number == 0:
        os.kill(os.getpid(), 9)
    return f"I have {len(text)} friends."
"""


@pytest.fixture
def games(tmp_path: Path) -> Path:
    """A folder with players and a games file of six deals."""
    copy(PLAYERS, tmp_path / "players.py")
    (tmp_path / "spoilers.py").write_text(SPOILERS)
    (tmp_path / "schema.json").write_text(json.dumps(SCHEMA))
    bot(tmp_path, "tells", "players.py:Tells")
    bot(tmp_path, "asks", "players.py:Asks")
    return file(tmp_path)


def bot(
    folder: Path, name: str, call: str, *, limits: str = "{rate: unlimited, concurrency: 3}", more: str = ""
) -> None:
    (folder / f"{name}.yaml").write_text(
        f'name: {name}\nconnect: {{kind: local, call: "file://{call}"}}\nlimits: {limits}\n{more}'
    )


def file(folder: Path, **keys: object) -> Path:
    written = {"target": "tells.yaml", "partner": "asks.yaml", "schema": "schema.json", "games": 6, "rows": 5, **keys}
    path = folder / "games.yaml"
    path.write_text(json.dumps({name: value for name, value in written.items() if value is not None}))
    return path


@pytest.mark.slow
def test_games_are_played_recorded_and_read_again(games: Path, botattack: Botattack, folder: Path) -> None:
    live = botattack("play", games, "--allow-code", "-o", folder / "live.json")
    assert live.status == 0, live.err
    (recording,) = (folder / "recordings").iterdir()
    again = botattack("play", "--replay", recording, "-o", folder / "again.json")
    assert again.out == live.out
    assert (folder / "again.json").read_text() == (folder / "live.json").read_text()
    for command in (("replay", recording), ("replay", recording, "--as-recorded"), ("run", games)):
        assert botattack(*command).status == 2
    assert "botattack play --replay" in botattack("replay", recording).err
    assert botattack("verify", recording).status == 0


def test_every_game_is_recorded_when_it_begins_and_when_it_ends(games: Path, tmp_path: Path) -> None:
    config = load_games(games, allow_code=True)
    result = play_games(config, RunSettings(recordings=tmp_path / "r"))
    kinds = Counter(type(event) for event in recorded(result.recording))
    assert (kinds[GameEnded], kinds[GameBegun], kinds[RunEnded]) == (24, 24, 1)
    assert _figures(result.recording) == result.figures
    assert result.figures.again == 0


def _figures(recording: Path) -> GamesFigures:
    return games_figures(recorded(recording))


@pytest.mark.slow
def test_the_same_seed_plays_the_same_games(games: Path, tmp_path: Path) -> None:
    config = load_games(games, allow_code=True)
    one, other = (play_games(config, RunSettings(recordings=tmp_path / name)).recording for name in "ab")
    assert said(one) == said(other)


def said(recording: Path) -> dict[str, list[str]]:
    ended = [event for event in recorded(recording) if isinstance(event, GameEnded)]
    return {event.key: [reply.text for reply in event.replies] for event in ended}


@pytest.mark.slow
def test_a_budget_stops_and_a_resumed_run_is_the_run(games: Path, tmp_path: Path) -> None:
    whole = play_games(load_games(games, allow_code=True), RunSettings(recordings=tmp_path / "r"))
    first = play_games(
        load_games(file(tmp_path, budget={"requests": 60}), allow_code=True), RunSettings(recordings=tmp_path / "r")
    )
    assert first.ending.exit == 4
    assert 0 < first.figures.over < 24
    config = load_games(file(tmp_path), allow_code=True)
    rest = play_games(config, RunSettings(recordings=tmp_path / "r", resume=first.recording))
    assert rest.ending.exit == 0
    assert said(rest.recording) == said(whole.recording)
    assert rest.figures.strategies == whole.figures.strategies == _figures(rest.recording).strategies
    assert rest.figures.again > 0
    with pytest.raises(RecordingError, match="seed"):
        play_games(
            load_games(file(tmp_path, seed=9), allow_code=True),
            RunSettings(recordings=tmp_path / "r", resume=first.recording),
        )


@pytest.mark.parametrize(
    ("call", "turns", "how"),
    [("players.py:Rambler", 12, "turn limit"), ("players.py:Mute", 3, "silent")],
)
def test_a_player_that_spoils_the_game_ends_it(games: Path, tmp_path: Path, call: str, turns: int, how: str) -> None:
    bot(tmp_path, "spoils", call)
    config = load_games(file(tmp_path, target="spoils.yaml", partner=None, turns=12), allow_code=True)
    result = play_games(config, RunSettings(recordings=tmp_path / "r"))
    assert result.ending.exit == 0
    for found in result.figures.strategies.values():
        assert {name for name, number in found.outcomes.items() if number} == {how}
    assert any("say nothing" in str(block) for block in story(result.figures).blocks)
    lengths = {len(event.replies) for event in recorded(result.recording) if isinstance(event, GameEnded)}
    assert lengths == {turns}


def test_a_player_that_never_answers_costs_its_game_alone(games: Path, tmp_path: Path) -> None:
    limits = "{rate: unlimited, concurrency: 24, timeout: 200ms, retries: 0, breaker: 100}"
    for name, call in (("sleeps", "spoilers.py:sleepy"), ("tells", "players.py:Tells")):
        bot(tmp_path, name, call, limits=limits)
    config = load_games(file(tmp_path, partner="sleeps.yaml", games=2), allow_code=True)
    result = play_games(config, RunSettings(recordings=tmp_path / "r"))
    assert (result.ending.exit, result.figures.errors) == (1, 8)
    assert all(event.failure for event in recorded(result.recording) if isinstance(event, GameEnded))


def test_each_player_of_each_game_has_a_session_of_its_own_and_secrets_are_masked(games: Path, tmp_path: Path) -> None:
    bot(tmp_path, "logs", "spoilers.py:logs", more='redact: ["swordfish-\\\\d"]\n')
    config = load_games(file(tmp_path, target="logs.yaml", partner=None, turns=6), allow_code=True)
    result = play_games(config, RunSettings(recordings=tmp_path / "r"))
    sessions = Counter((tmp_path / "sessions").read_text().split())
    assert sessions == dict.fromkeys(sessions, 3)
    assert len(sessions) == 2 * 6 * 4
    assert "swordfish" not in (result.recording / "events.jsonl").read_text()
    assert {reply for replies in said(result.recording).values() for reply in replies} == {
        "Hello, the word is [redacted]."
    }


def test_a_game_that_must_not_be_played_twice_is_lost(games: Path, tmp_path: Path) -> None:
    limits = "{rate: unlimited, idempotent: false, concurrency: 1}"
    for name, call in (("tells", "players.py:Tells"), ("asks", "players.py:Asks")):
        bot(tmp_path, name, call, limits=limits)
    first = play_games(
        load_games(file(tmp_path, budget={"requests": 30}), allow_code=True), RunSettings(recordings=tmp_path / "r")
    )
    rest = play_games(
        load_games(file(tmp_path), allow_code=True), RunSettings(recordings=tmp_path / "r", resume=first.recording)
    )
    assert rest.figures.errors == 1
    assert rest.figures.over == 24


def test_what_is_wrong_with_a_file_is_said(games: Path, tmp_path: Path) -> None:
    bot(tmp_path, "asks", "players.py:Asks", limits="{rate: 5/s}")
    wrong = file(tmp_path, strategies=["randm-inputs"], rows=1, schema="none.json")
    with pytest.raises(ConfigError) as error:
        load_games(wrong, allow_code=True)
    assert {problem.path for problem in error.value.problems} >= {"strategies[0]", "rows", "partner", "schema"}
    (tmp_path / "schema.json").write_text("[1]")
    with pytest.raises(ConfigError, match="not a schema"):
        load_games(file(tmp_path, partner=None), allow_code=True)
    small = {"attributes": SCHEMA["attributes"], "values": {kind: ["one"] for kind in SCHEMA["values"]}}
    (tmp_path / "schema.json").write_text(json.dumps(small))
    with pytest.raises(BotattackError, match="too many"):
        load_games(file(tmp_path, partner=None), allow_code=True)


def test_a_file_from_elsewhere_is_not_sent_to_another_machine(games: Path, tmp_path: Path) -> None:
    inner = tmp_path / "inner"
    inner.mkdir()
    (inner / "far.yaml").write_text(
        'connect: {kind: http, request: {url: "http://192.0.2.1/", json: {q: "{{ question }}"}}}\n'
        "consent: {authorised_by: me, until: 2027-01-01}\n"
    )
    path = file(inner, target="far.yaml", partner=None, schema="../schema.json")
    here = {"today": date(2026, 11, 20), "resolve": lambda _: ["192.0.2.1"]}
    with pytest.raises(TrustRefused, match="outside the folder"):
        load_games(path, **here)
    assert load_games(path, allow_code=True, **here).keys.games == 6


def test_a_recording_of_questions_holds_no_games(games: Path) -> None:
    before = Path(__file__).parents[2] / "recordings" / "example"
    with pytest.raises(RecordingError, match="no games"):
        _figures(before)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (b'"tables":[[', b'"tables":[[' + b'["a"],' * 60),
        (b'"shared":[', b'"shared":["' + b"x" * 300 + b'",'),
        (b'"strategy":"undisturbed"', b'"strategy":"other"'),
        (b'"event":"game ended"', b'"event":"question opened"'),
    ],
)
def test_a_recording_that_is_not_ours_is_refused(games: Path, tmp_path: Path, before: bytes, after: bytes) -> None:
    recording = play_games(
        load_games(file(tmp_path, games=1), allow_code=True), RunSettings(recordings=tmp_path / "r")
    ).recording
    lines = recording / "events.jsonl"
    content = lines.read_bytes()
    assert before in content
    lines.write_bytes(content.replace(before, after))
    with pytest.raises(RecordingError, match=r"events\.jsonl:\d+"):
        _figures(recording)


@pytest.mark.crash
def test_kill_9_in_the_middle_of_games_loses_nothing(games: Path, tmp_path: Path) -> None:
    bot(tmp_path, "dies", "spoilers.py:dies", limits="{rate: unlimited, concurrency: 2}")
    path = file(tmp_path, target="dies.yaml", partner="dies.yaml", games=5, turns=8)
    command = [
        sys.executable,
        "-m",
        "tests.games.playing",
        str(path),
        "--allow-code",
        "--recordings",
        str(tmp_path / "r"),
    ]
    resume: list[str] = []
    for kill in range(1, 11):
        (tmp_path / "left").write_text(str(3 + kill % 7))
        ended = subprocess.run([*command, *resume], cwd=Path(__file__).parents[2], capture_output=True, check=False)
        (recording,) = (tmp_path / "r").iterdir()
        resume = ["--resume", str(recording)]
        if ended.returncode != -signal.SIGKILL:
            break
    (tmp_path / "left").write_text(str(10**6))
    last = subprocess.run([*command, *resume], cwd=Path(__file__).parents[2], capture_output=True, check=False)
    assert last.returncode == 0, last.stderr
    ended_games = [event for event in recorded(recording) if isinstance(event, GameEnded)]
    assert len({event.key for event in ended_games}) == len(ended_games) == 20
    assert {len(event.replies) for event in ended_games} == {8}
