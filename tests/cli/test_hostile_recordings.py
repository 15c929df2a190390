"""Recordings that somebody else made, or that came to harm: one sentence each, and nothing outside of their folder."""

from __future__ import annotations

import json
import os
import stat
import sys
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from botattack.questions import files
from botattack.recordings import sealing
from botattack.recordings.writer import EVENTS
from tests.cli.conftest import Botattack, Ended
from tests.recordings.kinds import copied

EXAMPLE = Path(__file__).parents[2] / "recordings" / "example"
Event = dict[str, Any]


@pytest.fixture
def recording(folder: Path) -> Path:
    return copied("local", folder / "local")


def changed(recording: Path, **keys: Any) -> Path:
    """With other values in its `run.json`."""
    path = recording / "run.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), **keys}))
    return recording


def rewritten(recording: Path, change: Callable[[Event], Event | None]) -> Path:
    """With every event changed, or left out."""
    path = recording / EVENTS
    told = [change(json.loads(line)) for line in path.read_text().splitlines()]
    path.write_text("".join(json.dumps(event) + "\n" for event in told if event is not None))
    return recording


def is_a_sentence(ended: Ended) -> bool:
    return ended.status == 2 and "fault of botattack" not in ended.err and len(ended.err.splitlines()) == 1


COMMANDS = (
    ("replay", "{}"),
    ("replay", "{}", "--as-recorded", "-o", "there/report.html"),
    ("merge", "{}", "--recordings", "there"),
    ("nightly", "baseline", "set", "{}"),
    ("compare", "{}", str(EXAMPLE), "--fail-on-regression"),
    ("compare", "{}", str(EXAMPLE)),
)


def commanded(botattack: Botattack, command: tuple[str, ...], recording: Path) -> Ended:
    return botattack(*(word.format(recording) for word in command))


@pytest.mark.slow
@pytest.mark.parametrize("key", ["run", "target"])
@pytest.mark.parametrize("name", ["x/../../EVIL", "/EVIL", "a\0b", "."])
@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_names_that_lead_elsewhere_are_read_by_no_command(
    botattack: Botattack, recording: Path, folder: Path, command: tuple[str, ...], key: str, name: str
) -> None:
    changed(recording, **{key: name})
    before = {*folder.rglob("*")}
    assert is_a_sentence(commanded(botattack, command, recording))
    assert {*folder.rglob("*")} - before <= {folder / "there"}
    assert not [*folder.parent.glob("EVIL*")]


@pytest.mark.parametrize(
    "settings",
    [
        *({"refusals": 5}, {"refusals": [1]}, {"refusals": None}, {"shard": 5}, {"shard": ["a", "b"]}, {"shard": [1]}),
        *({"shard": None}, {"shard": [0, 0]}, {"shard": [3, 2]}, {"connection": 5}, {"repeat": "x"}),
    ],
    ids=str,
)
@pytest.mark.parametrize("command", COMMANDS[:3], ids=" ".join)
def test_settings_that_cannot_be_read_are_named(
    botattack: Botattack, recording: Path, command: tuple[str, ...], settings: Event
) -> None:
    kept = json.loads((recording / "run.json").read_text())["settings"]
    changed(recording, settings={**kept, **settings})
    ended = commanded(botattack, command, recording)
    assert is_a_sentence(ended)
    assert f"{recording.name}/run.json cannot be read" in ended.err


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_an_id_of_a_question_that_is_none_is_named_with_its_line(
    botattack: Botattack, recording: Path, command: tuple[str, ...]
) -> None:
    rewritten(recording, lambda event: {**event, **({"question": "zz"} if event["event"] == "question closed" else {})})
    ended = commanded(botattack, command, recording)
    assert is_a_sentence(ended)
    assert f"{EVENTS}:" in ended.err


@pytest.mark.parametrize("name", ["run.json", EVENTS])
def test_what_is_nested_without_end_is_a_sentence(botattack: Botattack, recording: Path, name: str) -> None:
    deep = "[" * 100_000
    (recording / name).write_text(f'{{"event": "need met", "question": {deep}\n')
    assert is_a_sentence(botattack("replay", recording, "--as-recorded"))


def a_pipe(path: Path) -> None:
    os.mkfifo(path)


def a_device(path: Path) -> None:
    path.symlink_to("/dev/zero")


def a_hole(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(4 << 30)


@pytest.mark.parametrize(("name", "make"), [("run.json", a_pipe), ("run.json", a_device), ("run.json", a_hole)])
@pytest.mark.parametrize("command", COMMANDS[:2], ids=" ".join)
def test_a_manifest_is_a_file_of_bounded_size(
    botattack: Botattack, recording: Path, name: str, make: Callable[[Path], None], command: tuple[str, ...]
) -> None:
    (recording / name).unlink()
    make(recording / name)
    assert is_a_sentence(commanded(botattack, command, recording))


@pytest.mark.parametrize("make", [a_pipe, a_device])
@pytest.mark.parametrize(
    "words",
    [("replay", "{}", "--as-recorded"), ("run", "c.yaml", "--resume", "{}")],
)
def test_events_are_a_file(
    botattack: Botattack, campaign: Path, recording: Path, make: Callable[[Path], None], words: tuple[str, ...]
) -> None:
    campaign.rename("c.yaml")
    target = Path("bot.yaml")
    target.write_text(target.read_text().replace("name: capitals", "name: ferry"))
    changed(recording, target="ferry", seed=7)
    (recording / EVENTS).unlink()
    make(recording / EVENTS)
    ended = commanded(botattack, (*words, *(("--allow-code",) if words[0] == "run" else ())), recording)
    assert is_a_sentence(ended)


def made_by(botattack: Botattack, campaign: Path, *flags: str) -> Path:
    """The recording of a run that a budget stopped."""
    assert botattack("run", campaign, "--allow-code", "--budget", "5", *flags).status == 4
    (found,) = Path("recordings").iterdir()
    return found


def test_a_run_is_not_continued_through_a_link(botattack: Botattack, campaign: Path) -> None:
    recording, elsewhere = made_by(botattack, campaign), Path("elsewhere")
    (recording / EVENTS).rename(elsewhere)
    (recording / EVENTS).symlink_to(elsewhere.absolute())
    before = elsewhere.read_bytes()
    ended = botattack("run", campaign, "--allow-code", "--resume", recording)
    assert ended.status == 2
    assert "it is a link, not a file; put the file itself in its place" in ended.err
    assert elsewhere.read_bytes() == before


def test_a_run_on_a_disk_that_nobody_may_write_is_not_continued(
    botattack: Botattack, campaign: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    recording, opened = made_by(botattack, campaign), os.open

    def read_only(path: Any, flags: int, *mode: int, **more: Any) -> int:
        if str(path).endswith(EVENTS) and flags & os.O_RDWR:
            raise OSError(30, "Read-only file system", str(path))
        return opened(path, flags, *mode, **more)

    monkeypatch.setattr(os, "open", read_only)
    ended = botattack("run", campaign, "--allow-code", "--resume", recording)
    assert is_a_sentence(ended)
    assert "Read-only file system" in ended.err


DELETES = """
_told, asked = answer, 0
def answer(text):
    import shutil, time
    global asked
    asked += 1
    if asked == 5:
        shutil.rmtree("recordings")
    time.sleep(0.02)
    return _told(text)
"""


def test_a_recording_that_is_deleted_while_the_run_lasts_ends_it(botattack: Botattack, campaign: Path) -> None:
    bot = Path("bot.py")
    bot.write_text(f"{bot.read_text()}{DELETES}")
    ended = botattack("run", campaign, "--allow-code")
    assert ended.status == 2
    assert "was deleted while the run lasted" in ended.err


ESCAPE = "\x1b]0;x\x07\x1b[31m"


@pytest.mark.parametrize(
    "change",
    [
        lambda event: {**event, "event": event["event"] + ESCAPE},
        lambda event: json.loads(json.dumps(event).replace('"negate"', json.dumps(ESCAPE))),
        lambda event: json.loads(json.dumps(event).replace(" the ", " " + json.dumps(ESCAPE)[1:-1])),
        lambda event: {**event, "why": ESCAPE} if event["event"] == "run ended" else event,
    ],
)
def test_nothing_that_a_recording_says_steers_a_terminal(
    botattack: Botattack, recording: Path, change: Callable[[Event], Event]
) -> None:
    rewritten(recording, change)
    for command in (*COMMANDS, ("nightly", "trend", str(recording.parent), "--bisect")):
        ended = commanded(botattack, command, recording)
        assert "\x1b" not in ended.out + ended.err
        assert "fault of botattack" not in ended.err


LINK = "[x](http://evil.example) <b> `c` @all"


@pytest.mark.slow
def test_no_name_of_a_recording_is_markup_in_its_report(botattack: Botattack, folder: Path) -> None:
    recording = copied("search", folder / "search")
    text = (recording / EVENTS).read_text()
    for word in ('"search"', '"dpaeg"', '"timeout"'):
        text = text.replace(word, json.dumps(LINK))
    failed = '"failure":{"kind":' + json.dumps(LINK) + ',"message":"x"}'
    (recording / EVENTS).write_text(text.replace('"replies":[', f'{failed},"replies":[', 3))
    assert botattack("replay", recording, "--as-recorded", "-o", "report.md").status == 0
    report = Path("report.md").read_text()
    outside = "".join(report.split("```")[::2])
    assert "evil" in outside
    for sign in ("[x](", "<b>", " `c`", " @all"):
        assert sign not in outside


def test_reports_in_the_folder_of_a_recording_are_as_private_as_it_is(botattack: Botattack, recording: Path) -> None:
    before = os.umask(0o022)
    try:
        within = (word for name in ("report.html", "report.csv") for word in ("-o", recording / name))
        botattack("replay", recording, "--as-recorded", *within, "-o", "out.json")
    finally:
        os.umask(before)
    modes = {path: stat.S_IMODE(Path(path).stat().st_mode) for path in (*recording.glob("report.*"), "out.json")}
    assert [*modes.values()] == [0o600, 0o600, 0o644]


def lacks(kind: str, number: int = 1) -> Callable[[Event], Event | None]:
    """Leaves out one event of a kind."""
    seen = []

    def change(event: Event) -> Event | None:
        seen.extend([event] * (event["event"] == kind))
        return None if event["event"] == kind and len(seen) == number else event

    return change


@pytest.mark.parametrize("kind", ["asked", "question opened", "original judged", "variant judged", "attack ended"])
def test_shards_that_lost_a_line_are_not_merged(botattack: Botattack, folder: Path, kind: str) -> None:
    one, other = (copied(name, folder / name) for name in ("shard-1", "shard-2"))
    for shard in (one, other):
        sealing.add(shard)
    rewritten(one, lacks(kind))
    ended = botattack("merge", one, other, "--recordings", "there")
    assert is_a_sentence(ended)
    assert "events.jsonl: the first " in ended.err


@pytest.mark.parametrize("name", ["run.json", EVENTS])
def test_one_damaged_recording_does_not_stop_the_others_from_being_drawn(
    botattack: Botattack, folder: Path, name: str
) -> None:
    runs = folder / "runs"
    runs.mkdir()
    for night in ("one", "other"):
        copied("local", runs / night)
    damaged = copied("local", runs / "damaged")
    (damaged / name).write_text("garbage\n")
    ended = botattack("nightly", "trend", runs)
    assert ended.status == 0
    assert f"left out   FOLDER/runs/damaged/{name}" in ended.err
    assert (runs / "trend.html").read_text().count("2 ")


LONG = "x" * 300


@pytest.mark.parametrize(
    "words",
    [
        ("replay", LONG),
        ("replay", "local", "--as-recorded", "-o", f"{LONG}/out.html"),
        ("replay", "local", "-o", f"{LONG}.html"),
        ("replay", "local", "--reextract", "--target", LONG),
        ("merge", "local", "--recordings", LONG),
        ("run", "-t", LONG, "-q", LONG, "-a", "case"),
        ("run", "target.yaml", "--allow-code"),
        ("run", "questions.yaml", "--allow-code"),
        ("nightly", "trend", LONG),
    ],
    ids=lambda words: " ".join(words).replace(LONG, "LONG"),
)
def test_names_longer_than_the_disk_allows_are_a_sentence(
    botattack: Botattack, campaign: Path, recording: Path, words: tuple[str, ...]
) -> None:
    Path("target.yaml").write_text(campaign.read_text().replace("bot.yaml", LONG))
    Path("questions.yaml").write_text(campaign.read_text().replace("faq.jsonl", LONG))
    ended = botattack(*words)
    assert ended.status == 2
    assert "fault of botattack" not in ended.err


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads the memory of this process")
def test_no_pattern_takes_the_memory_of_the_machine(botattack: Botattack, campaign: Path) -> None:
    target = Path("bot.yaml")
    for number, pattern in enumerate(("a{9999999}", "(a{999}){9999}", "((a{99}){99}){ 99 }", "[)]a{999999}")):
        Path(f"{number}.yaml").write_text(target.read_text() + f"redact: ['{pattern}']\n")
        ended = botattack("run", "-t", f"{number}.yaml", "-q", "faq.jsonl", "-a", "case", "--allow-code", "--dry-run")
        assert is_a_sentence(Ended(ended.status, ended.out, ended.err.splitlines()[0]))
        assert "more than 100,000" in ended.err
        row = {"question": "What is it?", "answers": [{"text": pattern, "regex": True}]}
        Path("gold.jsonl").write_text(json.dumps(row) + "\n")
        ended = botattack("run", "-t", "bot.yaml", "-q", "gold.jsonl", "-a", "case", "--allow-code")
        assert is_a_sentence(ended)
        assert "more than 100,000" in ended.err


def test_questions_may_come_out_of_a_pipe_of_bounded_length(
    botattack: Botattack, campaign: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = ("run", "-t", "bot.yaml", "-q", "pipe", "-a", "case", "--allow-code", "--dry-run")
    os.mkfifo("pipe")

    def fed(content: bytes = Path("faq.jsonl").read_bytes(), *more: str) -> Ended:
        feeding = threading.Thread(target=lambda: Path("pipe").write_bytes(content))
        feeding.start()
        ended = botattack(*words, *more)
        feeding.join()
        return ended

    planned = fed(Path("faq.jsonl").read_bytes(), "--format", "jsonl").out
    assert "nothing was asked: this is a dry run" in planned
    assert "questions  6 from pipe: " in planned
    for content in (b"<html>", b'{"q": 1}\n', b""):
        ended = fed(content)
        assert is_a_sentence(ended)
        assert "pipe" in ended.err
        assert "botattack-" not in ended.err
    monkeypatch.setattr(files, "MAX_PIPED", 10)
    ended = fed()
    assert ended.status == 2
    assert "come out of pipe; write them to a file" in ended.err
    assert not [*Path(tempfile.gettempdir()).glob("botattack-*/questions")]
