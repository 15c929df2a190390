"""Reports and gates of games, and games from Python."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import botattack as library
from botattack.audit.games import recorded
from botattack.errors import ConfigError
from botattack.events import HeldGate
from botattack.games.events import Dealt, GameEnded, GameEvent, GamesStarted
from botattack.games.friends import Deal
from botattack.model import Reply
from botattack.report.figures.games import checked, games_figures
from botattack.report.report_files import ReportError
from botattack.report.stories.games import FILES
from tests.cli.conftest import Botattack, botattack, folder
from tests.games.test_play import file, games
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
        events.append(Dealt(game=game, deal=DEAL))
        for strategy in strategies:
            last = FOUND if strategy == "undisturbed" or game < disturbed else said
            replies = (Reply(said), Reply(last))
            events.append(GameEnded(game=game, strategy=strategy, heard=("", f"{said} {game}"), replies=replies))
    return events


@pytest.mark.parametrize(
    ("bounds", "held"),
    [
        ({"at_least": 0.8}, True),
        ({"at_least": 0.81}, False),
        ({"drop_at_most": 0.2}, True),
        ({"drop_at_most": 0.19}, False),
    ],
)
def test_a_gate_looks_at_the_games_completed(bounds: dict[str, float], held: bool) -> None:
    gate = HeldGate("completed", "random-inputs", **bounds)
    (found,) = checked([gate], games_figures(played(24)))
    assert (found.held, found.before) == (held, 1.0)
    assert "random-inputs" in found.sentence


def test_a_gate_over_few_games_fails() -> None:
    (found,) = checked([HeldGate("completed", "random-inputs", 0.0)], games_figures(played(5, 5)))
    assert (found.failed, found.value) == (True, None)


def test_a_failed_gate_is_the_exit_status_and_in_every_report(games: Path, botattack: Botattack, folder: Path) -> None:
    gates = [{"strategy": "random-inputs", "at_least": 0.5}]
    path = file(games.parent, games=4, strategies=["random-inputs"], gates=gates)
    outputs = [folder / f"games.{suffix}" for suffix in ("html", "md", "json")]
    live = botattack("play", path, "--allow-code", *(part for each in outputs for part in ("-o", each)))
    assert (live.status, "games completed under random-inputs" in live.err) == (1, True)
    for output in outputs:
        assert "too few games" in output.read_text()
    (recording,) = (folder / "recordings").iterdir()
    assert botattack("play", "--replay", recording).out == live.out
    assert fits("play", outputs[2])["gates"][0]["held"] is False


def test_a_gate_on_a_strategy_that_is_not_played_is_a_mistake(games: Path) -> None:
    path = file(games.parent, strategies=["random-inputs"], gates=[{"strategy": "confusing-entity", "at_least": 0.5}])
    with pytest.raises(ConfigError, match="confusing-entity is not played"):
        library.load_games(path, allow_code=True)
    with pytest.raises(ConfigError, match="needs a bound"):
        library.load_games(file(games.parent, gates=[{"strategy": "random-inputs"}]), allow_code=True)


def test_reports_show_a_game_that_was_completed_only_undisturbed(tmp_path: Path) -> None:
    events = played(24, said=EVIL)
    for name in ("games.html", "games.md"):
        FILES.write(tmp_path / name, games_figures(events), lambda: events)
    text = (tmp_path / "games.html").read_text()
    assert "With random words, 80 % of the games are completed (24 of 30); undisturbed, 100 % (30 of 30)." in text
    assert "Random words, game 24: turn limit" in text
    assert text.count('<p class="said turn') == 2
    page = Page(text)
    assert [tag for tag, _ in page.tags].count("script") == 0
    assert not any(name.startswith("on") or name in ("src", "href") for _, found in page.tags for name in found)
    assert re.search("default-src 'none'; style-src 'sha256-[^']+'; base-uri", text)
    assert "Random words, game 24" in (tmp_path / "games.md").read_text()
    with pytest.raises(ReportError, match=r"\.csv"):
        FILES.write(tmp_path / "games.csv", games_figures(events))


def test_games_from_python(games: Path, tmp_path: Path) -> None:
    result = library.play(library.load_games(games, allow_code=True), recordings=tmp_path / "r")
    assert result.ending.exit == 0
    assert result.figures == games_figures(recorded(result.recording))
    assert "completed" in library.write_report(result, tmp_path / "games.html").read_text()
