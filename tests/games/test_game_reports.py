"""Reports and gates of games, and games from Python."""

from __future__ import annotations

import re
from pathlib import Path

import msgspec
import pytest

import botattack as library
from botattack.audit.games import recorded
from botattack.events import Event, RunEnded
from botattack.games.events import GameEnded, GameEvent, GamesStarted
from botattack.games.friends import Deal
from botattack.model import Failure, Reply
from botattack.report.figures.games import Difference, games_figures
from botattack.report.report_files import ReportError
from botattack.report.stories.games import FILES
from tests.cli.conftest import Botattack, botattack, folder
from tests.games.test_play import bot, file, games
from tests.report.streams import fits
from tests.report.test_html import EVIL, Page

__all__ = ["botattack", "folder", "games"]
DEAL = Deal(("name", "hobby"), ((("Ann", "chess"),), (("Ann", "chess"),)), ("Ann", "chess"))
FOUND, LOST = "SELECT Ann, chess", "Hello."


def played(disturbed: int, deals: int = 30, said: str = LOST) -> list[GameEvent]:
    """Every undisturbed game is completed, and so many of those with random inputs."""
    strategies = ("undisturbed", "random-inputs")
    run = {"run": "r", "target": EVIL, "partner": "", "started": "", "seed": 0, "turns": 4}
    events: list[GameEvent] = [GamesStarted(total=deals, strategies=strategies, **run)]
    for game in range(deals):
        for strategy in strategies:
            last = FOUND if strategy == "undisturbed" or game < disturbed else said
            replies = (Reply(said), Reply(last))
            heard = ("", f"{said} {game}")
            events.append(GameEnded(game=game, strategy=strategy, deal=DEAL, heard=heard, replies=replies))
    return events


def test_games_that_fail_are_the_exit_status_and_in_every_report(
    games: Path, botattack: Botattack, folder: Path
) -> None:
    limits = "{rate: unlimited, retries: 0, breaker: 100}"
    for name, call in (("tells", "spoilers.py:fails"), ("asks", "players.py:Asks")):
        bot(games.parent, name, call, limits=limits)
    path = file(games.parent, games=4, strategies=["random-inputs"])
    outputs = [folder / f"games.{suffix}" for suffix in ("html", "md", "json")]
    live = botattack("play", path, "--allow-code", *(part for each in outputs for part in ("-o", each)))
    assert (live.status, "8 of 8 games ended in an error" in live.err) == (1, True)
    assert all("error" in output.read_text() for output in outputs)
    (recording,) = (folder / "recordings").iterdir()
    assert botattack("play", "--replay", recording).out == live.out
    assert fits("play", outputs[2])["strategies"]["random-inputs"]["outcomes"]["error"] == 4


def test_reports_show_a_game_that_was_completed_only_undisturbed(tmp_path: Path) -> None:
    events = played(24, said=EVIL)
    for name in ("games.html", "games.md"):
        FILES.write(tmp_path / name, games_figures(events), lambda: events)
    text = (tmp_path / "games.html").read_text()
    assert "Random words: 24 of 30 games completed; Undisturbed talk: 30 of 30 games completed." in text
    assert "Random words, game 24: turn limit" in text
    assert text.count('<p class="said turn') == 2
    page = Page(text)
    assert [tag for tag, _ in page.tags].count("script") == 0
    assert not any(name.startswith("on") or name in ("src", "href") for _, found in page.tags for name in found)
    assert re.search("default-src 'none'; style-src 'sha256-[^']+'; base-uri", text)
    assert "Random words, game 24" in (tmp_path / "games.md").read_text()
    with pytest.raises(ReportError, match=r"\.csv"):
        FILES.write(tmp_path / "games.csv", games_figures(events))


@pytest.mark.parametrize(("turns", "folded"), [(12, 0), (13, 1)])
def test_the_end_of_a_long_game_is_folded_on_a_page(tmp_path: Path, turns: int, folded: int) -> None:
    replies = tuple(Reply(f"{LOST} {turn}") for turn in range(turns))
    events = [
        msgspec.structs.replace(event, replies=replies, heard=())
        if isinstance(event, GameEnded) and (event.game, event.strategy) == (24, "random-inputs")
        else event
        for event in played(24)
    ]
    FILES.write(tmp_path / "games.html", games_figures(events), lambda: events)
    text = (tmp_path / "games.html").read_text()
    assert [tag for tag, _ in Page(text).tags].count("details") == folded
    assert text.count('<p class="said turn') == turns


def test_every_strategy_has_its_name_in_files_and_its_other_ends(tmp_path: Path) -> None:
    FILES.write(tmp_path / "games.md", games_figures(played(24)))
    text = (tmp_path / "games.md").read_text().replace("\\", "")
    assert re.search("^- Random words: random-inputs; .*turn limit 6$", text, re.M)


@pytest.mark.parametrize(
    ("end", "says"),
    [(None, "This run has not ended. "), (130, "Stopped: interrupted. "), (1, "Failed: interrupted. "), (0, "Random")],
)
def test_reports_say_first_how_the_run_ended(tmp_path: Path, end: int | None, says: str) -> None:
    """A resumed run that was killed has not ended, however it ended before."""
    events: list[Event] = [
        *played(24),
        RunEnded(exit=130, why="interrupted", seconds=1.0, requests=1, retried=0, rate_limited=0),
    ]
    run = next(event for event in events if isinstance(event, GamesStarted))
    events += (
        [run]
        if end is None
        else [run, RunEnded(exit=end, why="interrupted", seconds=1.0, requests=1, retried=0, rate_limited=0)]
    )
    FILES.write(tmp_path / "games.md", games_figures(events))
    assert f"**{says}" in (tmp_path / "games.md").read_text().replace("\\", "")


def test_what_is_alike_in_every_game_has_no_interval(tmp_path: Path) -> None:
    """Percentiles of a bootstrap over equal values would be an interval of no width."""
    FILES.write(tmp_path / "games.md", games_figures(played(0)))
    rows = [line.split(" | ") for line in (tmp_path / "games.md").read_text().splitlines() if line.startswith("| Ran")]
    assert [row[2] for row in rows] == ["2.0 in every game"]
    assert rows[0][3].startswith("−100.0 in every deal, p ")


@pytest.mark.parametrize("deals", [19, 20, 21])
def test_twenty_games_are_enough_for_a_rate_and_a_difference(deals: int) -> None:
    figures = games_figures(played(deals // 2, deals)).strategies["random-inputs"]
    difference = Difference.of(range(deals))
    found = (figures.rate, figures.turns, figures.completed, difference.mean, difference.interval, difference.p)
    assert [value is None for value in found] == [deals < 20] * len(found)
    assert difference.games == deals


def test_a_game_that_failed_is_no_example_of_one_that_was_not_completed(tmp_path: Path) -> None:
    failure = Failure("timeout", "no answer within 30 s")
    events = [
        msgspec.structs.replace(event, failure=failure)
        if isinstance(event, GameEnded) and (event.game, event.strategy) == (24, "random-inputs")
        else event
        for event in played(24)
    ]
    FILES.write(tmp_path / "games.md", games_figures(events), lambda: events)
    text = (tmp_path / "games.md").read_text()
    assert "game 24" not in text
    assert "Random words, game 25: turn limit" in text


@pytest.mark.parametrize(
    ("flags", "says"),
    [
        (["--wait"], "--replay asks no bot"),
        (["-o", "x.csv"], ".csv"),
    ],
)
def test_flags_that_do_nothing_are_refused(
    games: Path, botattack: Botattack, folder: Path, flags: list[str], says: str
) -> None:
    file(games.parent, games=1, strategies=["random-inputs"])
    assert botattack("play", games, "--allow-code").status == 0
    (recording,) = (folder / "recordings").iterdir()
    ended = botattack("play", "--replay", recording, *flags)
    assert (ended.status, says in ended.err) == (2, True), str(ended)


@pytest.mark.slow
def test_a_resumed_run_counts_all_its_games(games: Path, botattack: Botattack, folder: Path) -> None:
    assert botattack("play", file(games.parent, budget={"requests": 60}), "--allow-code").status == 4
    (recording,) = (folder / "recordings").iterdir()
    ended = botattack("play", file(games.parent), "--allow-code", "--resume", recording)
    assert "24 games of 24 are over" in ended.err, str(ended)


@pytest.mark.slow
def test_games_of_a_bot_that_is_away_can_be_continued(games: Path, botattack: Botattack, folder: Path) -> None:
    limits = "{rate: unlimited, retries: 0, breaker: 1, concurrency: 1}"
    bot(games.parent, "asks", "players.py:Asks", limits=limits)
    (games.parent / "tells.yaml").write_text(
        'connect: {kind: http, request: {url: "http://127.0.0.1:9/", json: {q: "{{ question }}"}}}\n'
        f"limits: {limits}\n"
    )
    ended = botattack("play", file(games.parent), "--allow-code")
    assert ended.status == 3, str(ended)
    assert "continue   botattack play" in ended.err


def test_games_from_python(games: Path, tmp_path: Path) -> None:
    result = library.play(library.load_games(games, allow_code=True), recordings=tmp_path / "r")
    assert result.ending.exit == 0
    assert result.figures == games_figures(recorded(result.recording))
    assert "completed" in library.write_report(result, tmp_path / "games.html").read_text()
