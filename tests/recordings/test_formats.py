"""The version of the format is in `run.json`: what has another is refused in a sentence, whatever asks for it."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import msgspec
import pytest

import botattack as library
from botattack.errors import RecordingError
from botattack.events import FORMAT
from botattack.recordings import manifest
from tests.cli.conftest import Botattack, botattack, folder

__all__ = ["botattack", "folder"]
EXAMPLE = Path(__file__).parents[2] / "recordings" / "example"
DOORS = (
    ("replay", "old"),
    ("replay", "old", "-j", "2"),
    ("replay", "old", "--unit", "0"),
    ("replay", "old", "--as-recorded", "-o", "out.html"),
    ("run", "--resume", "old"),
    ("merge", "old", "--recordings", "there"),
    ("compare", "old", EXAMPLE),
    ("compare", EXAMPLE, "old"),
    ("nightly", "baseline", "set", "old"),
    ("mark", "old", "accepted", "--why", "so", "--recordings", "."),
    ("judge", "review", "old", "--ask", "meaning", "--readers", "a"),
    ("export", "old", "--for", "mda", "-o", "set.jsonl"),
    ("shrink", "old"),
    ("judge", "fit", "old", "-o", "weights.json"),
)


@pytest.fixture(params=[1, FORMAT + 1], ids=["older", "newer"])
def version(request: pytest.FixtureRequest, folder: Path) -> int:
    """That of a recording `old` whose fields need not be today's."""
    shutil.copytree(EXAMPLE, "old")
    path = folder / "old" / manifest.NAME
    path.write_text(json.dumps({**json.loads(path.read_text()), "settings": [], "format": request.param}))
    return int(request.param)


@pytest.mark.parametrize("words", DOORS, ids=lambda words: " ".join(map(str, words[:2])).partition("/")[0])
def test_another_version_is_refused_in_a_sentence(
    words: tuple[object, ...], version: int, botattack: Botattack
) -> None:
    ended = botattack(*words)
    assert (ended.status, ended.out, len(ended.err.splitlines())) == (2, "", 1)
    assert f"old/run.json: this recording has format {version}, and this botattack reads format {FORMAT}" in ended.err
    assert not Path("there").exists()


def test_the_library_refuses_it_too(version: int) -> None:
    with pytest.raises(RecordingError, match=f"has format {version}"):
        library.replay(Path("old"))


def test_the_example_in_the_repository_is_of_this_version_and_replays(botattack: Botattack) -> None:
    assert manifest.read(EXAMPLE).format == FORMAT
    ended = botattack("replay", EXAMPLE, "--changes", "all", "-o", "replayed.json")
    found = json.loads(Path("replayed.json").read_text())
    assert ended.status in (0, 1)
    assert found["questions"]["asked"] > 3
    assert found["attacks"]["dpaeg"]["gold"]["asked"] > 0


def test_a_night_and_a_run_are_each_continued_by_their_own_command() -> None:
    night = manifest.Manifest(
        run="a", target="b", started="", seed=0, settings={}, digests={}, command=["nightly", "c.yaml"]
    )
    run = msgspec.structs.replace(night, command=["run"])
    with pytest.raises(
        RecordingError, match="cannot resume a: it is a night; continue it with botattack nightly … --re"
    ):
        manifest.refuse_difference(night, run)
    with pytest.raises(
        RecordingError, match="cannot resume a: it is no night; continue it with botattack run … --resum"
    ):
        manifest.refuse_difference(run, night)
