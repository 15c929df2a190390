"""A page file that was not proven attacks nothing until somebody has accepted it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import botattack
from botattack.config.games import load_games
from botattack.config.target import load_target
from botattack.errors import ConfigError
from botattack.targets.browser.found import Found, Guess

URL = "http://127.0.0.1:9/chat"


def written(folder: Path, proof: str) -> Path:
    """The file that `targets discover` writes."""
    found = Found(URL, input=Guess("#box", 1.0), answer=Guess(".bot", 1.0), proof=proof, doubt="it read the same twice")
    path = folder / "page.yaml"
    path.write_text(found.yaml("page"))
    (folder / "questions.jsonl").write_text('{"question": "Who?", "answers": ["me"]}\n')
    (folder / "campaign.yaml").write_text("target: page.yaml\nquestions: {file: questions.jsonl}\nattacks: [dpaeg]\n")
    (folder / "games.yaml").write_text("game: twenty-questions\ntarget: page.yaml\n")
    return path


def a_campaign(folder: Path) -> object:
    return botattack.load(folder / "campaign.yaml")


def a_game(folder: Path) -> object:
    return load_games(folder / "games.yaml")


@pytest.mark.parametrize("load", [a_campaign, a_game])
def test_only_check_takes_it(load: Callable[[Path], object], tmp_path: Path) -> None:
    path = written(tmp_path, proof="")
    line = next(number for number, text in enumerate(path.read_text().splitlines(), 1) if "proven: not yet" in text)
    load_target(path)
    with pytest.raises(ConfigError, match=rf"page\.yaml:{line}:11: connect\.proven: .*not proven.*proven: accepted"):
        load(tmp_path)
    path.write_text(path.read_text().replace("not yet", "accepted"))
    assert botattack.load(tmp_path / "campaign.yaml").target.name == "page"


def test_a_proven_file_is_taken_as_it_is(tmp_path: Path) -> None:
    assert "proven:" not in written(tmp_path, proof="I am a bot.").read_text()
    assert botattack.load(tmp_path / "campaign.yaml").target.name == "page"
