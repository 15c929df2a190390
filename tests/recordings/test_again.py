"""What ended in an error is asked again, and nothing else; shards joined are the run they are parts of."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from botattack.engine.ending import Ending
from botattack.errors import RecordingError, ServerFailed, Unreachable
from botattack.events import (
    AnyEvent,
    Asked,
    DocumentRemoved,
    Left,
    OriginalJudged,
    RecordSkipped,
    RunEnded,
    ServiceAsked,
    VariantJudged,
)
from botattack.limits import Limits
from botattack.model import Prompt, Reply
from botattack.recordings import manifest, sealing
from botattack.recordings.again import without_errors
from botattack.recordings.locks import Address, asking
from botattack.recordings.manifest import Manifest
from botattack.recordings.merge import merge
from botattack.recordings.reader import events
from botattack.recordings.redaction import Redactor
from botattack.recordings.writer import EVENTS, Recorder
from botattack.report.figures.metrics import figures_of
from botattack.report.report_files import encoded
from tests.engine.bots import Listed, Script, knows_numbers, questions
from tests.engine.test_run import a_plan, of, play, what_happened
from tests.full_disk import full_disk

PATIENT = Limits(rate=float("inf"), retries=0, breaker=1000)


def record(folder: Path, told: list[AnyEvent]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    with Recorder(folder, Redactor()) as recorder:
        for event in told:
            recorder(event)


def ill(share: int) -> Script:
    """Fails on one text in `share`, originals and variants alike."""

    def reply(text: str, seed: int) -> str:
        if sum(text.encode()) % share == 0:
            raise ServerFailed("500", status=500)
        return knows_numbers(text, seed)

    return Script(reply)


@pytest.mark.parametrize("ended", [True, False])
def test_only_what_ended_in_an_error_is_asked_again(tmp_path: Path, ended: bool) -> None:
    _, before = play(a_plan(limits=PATIENT), ill(5), questions(30))
    record(tmp_path, before if ended else before[:-1])
    failed = {event.unit for event in of(before, Asked) if event.failure}
    assert without_errors(tmp_path) == len(failed) > 20
    left = list(events(tmp_path))
    bot = Script(knows_numbers)
    ending, after = play(a_plan(limits=PATIENT), bot, questions(30), past=left)
    record(tmp_path, after)
    assert ending.exit == 0
    _, calm = play(a_plan(limits=PATIENT), Script(knows_numbers), questions(30))
    whole = list(events(tmp_path))
    assert what_happened(whole) == what_happened(calm)
    # Originals that had failed are attacked now; besides them, only what had failed was asked.
    never_attacked = {event.question for event in of(before, OriginalJudged) if not event.attacked}
    assert (
        {event.unit for event in of(after, Asked) if event.question not in never_attacked} <= failed <= set(bot.asked)
    )
    figures = [encoded(figures_of(told)) for told in (whole, calm)]
    assert figures[0]["questions"] == figures[1]["questions"]
    assert figures[0]["attacks"] == figures[1]["attacks"]
    assert figures[0]["requests"]["sent"] == of(before, RunEnded)[0].requests + len(bot.times)


def test_what_services_took_in_a_process_that_was_killed_is_not_forgotten(tmp_path: Path) -> None:
    _, before = play(a_plan(limits=PATIENT), ill(5), questions(30))
    told = [*before[:-1], ServiceAsked(kind="paraphrase", service="s", requests=50)]
    record(tmp_path, told)
    assert without_errors(tmp_path) > 20
    assert figures_of(events(tmp_path)).requests == figures_of(told).requests


def test_without_errors_nothing_is_rewritten(tmp_path: Path) -> None:
    _, told = play(a_plan(), Script(knows_numbers), questions(3))
    record(tmp_path, told)
    before = (tmp_path / "events.jsonl").stat()
    assert without_errors(tmp_path) == 0
    after = (tmp_path / "events.jsonl").stat()
    # Reading may move the time of access, which a rewrite is not told by.
    assert (after.st_ino, after.st_mtime_ns, after.st_size) == (before.st_ino, before.st_mtime_ns, before.st_size)


def test_a_full_disk_leaves_the_recording_and_nothing_beside_it(tmp_path: Path) -> None:
    _, before = play(a_plan(limits=PATIENT), ill(5), questions(30))
    record(tmp_path, before)
    with full_disk(5000), pytest.raises(RecordingError, match="cannot write"):
        without_errors(tmp_path)
    assert list(events(tmp_path)) == before
    assert [path.name for path in tmp_path.iterdir()] == [EVENTS]


def test_what_is_cleaned_up_after_the_end_is_no_second_end(tmp_path: Path) -> None:
    _, before = play(a_plan(limits=PATIENT), ill(5), questions(30))
    record(tmp_path, [*before, DocumentRemoved(name="d", requests=1)])
    assert without_errors(tmp_path) > 20
    assert len(of(list(events(tmp_path)), RunEnded)) == 1


def test_what_may_have_arrived_stays_an_error_where_asking_twice_does_harm(tmp_path: Path) -> None:
    def reply(text: str, seed: int) -> str:
        if text.endswith("0001"):
            raise ServerFailed("500")
        if text.endswith("0002"):
            raise Unreachable("not there", delivered=False)
        return knows_numbers(text, seed)

    plan = a_plan(limits=replace(PATIENT, idempotent=False), attacks={})
    _, before = play(plan, Script(reply), questions(4))
    record(tmp_path, before)
    assert without_errors(tmp_path, idempotent=False) == 1
    left = list(events(tmp_path))
    assert {event.unit for event in of(left, Left)} == {event.unit for event in of(left, Asked)}
    assert [event.failure.kind for event in of(left, Asked) if event.failure] == ["server error"]


def test_a_recording_that_is_being_written_is_left_alone(tmp_path: Path) -> None:
    with Recorder(tmp_path, Redactor()), pytest.raises(RecordingError, match="another botattack"):
        without_errors(tmp_path)


def a_manifest(run: str, shard: tuple[int, int] = (1, 1), **changes: object) -> Manifest:
    settings = {"attacks": {"drop": {"drop": {"times": 3}}}, "shard": list(shard)}
    made = {"target": "script", "started": "2026-01-01T00:00:00Z", "seed": 7, "digests": {"parse": "en 1"}}
    return Manifest(**{"run": run, **made, "settings": settings, **changes})  # type: ignore[arg-type]


def shards(tmp_path: Path, parts: int = 3) -> list[Path]:
    """A run over 30 questions in shards, each with the bad record that all of them met."""
    folders = [tmp_path / f"r{part}" for part in range(1, parts + 1)]
    for part, folder in enumerate(folders):
        _, told = play(a_plan(run=folder.name), Script(knows_numbers), Listed(questions(30)[part::parts]))
        told.insert(1, RecordSkipped(line=7, why="no question"))
        record(folder, told)
        manifest.write(folder, a_manifest(folder.name, (part + 1, parts)))
        sealing.add(folder)
    return folders


def well(made: Manifest, ends: Sequence[RunEnded]) -> Ending:
    assert made.settings["shard"] == [1, 1]
    assert len(ends) == 3
    return Ending(0, "well")


def test_merged_shards_are_the_run_they_are_parts_of(tmp_path: Path) -> None:
    folder = merge(shards(tmp_path), tmp_path / "recordings", well)
    _, calm = play(a_plan(), Script(knows_numbers), questions(30))
    told = list(events(folder))
    assert what_happened(told) == what_happened(calm)
    whole, one = encoded(figures_of(told)), encoded(figures_of(calm))
    assert whole["questions"] == {**one["questions"], "bad_records": 1}
    assert (whole["attacks"], whole["requests"]) == (one["attacks"], one["requests"])
    assert manifest.read(folder).settings["shard"] == [1, 1]
    assert [end.why for end in of(told, RunEnded)] == [end.why for end in of(told[-1:], RunEnded)] == ["well"]


def test_shards_that_do_not_fit_are_refused_by_name(tmp_path: Path) -> None:
    folders = shards(tmp_path)
    with pytest.raises(RecordingError, match="shard 2/3 is missing"):
        merge([folders[0], folders[2]], tmp_path / "recordings", well)
    with pytest.raises(RecordingError, match="there twice; name one run of each: "):
        merge([*folders, folders[0]], tmp_path / "recordings", well)
    manifest.write(folders[1], a_manifest("r2", (2, 3), seed=8))
    with pytest.raises(RecordingError, match="cannot merge r2 with r1: seed was 7 and is now 8"):
        merge(folders, tmp_path / "recordings", well)
    manifest.write(folders[1], a_manifest("r2", (2, 3)))
    record(
        folders[1],
        [next(events(folders[1])), Asked(question="0" * 16, unit="u.0", turns=(Prompt("q"),), replies=(Reply("a"),))],
    )
    with pytest.raises(RecordingError, match="r2 has not ended"):
        merge(folders, tmp_path / "recordings", well)
    assert not list((tmp_path / "recordings").glob("*/events.jsonl"))


@pytest.mark.parametrize(
    ("changes", "named"),
    [
        ({"seed": 8}, "seed was 7 and is now 8"),
        ({"digests": {"parse": "en 2"}}, "resources.parse was 'en 1' and is now 'en 2'"),
        ({"digests": {"parse": "en 1", "typos": "t"}}, "resources.typos was not set and is now 't'"),
        (
            {"settings": {"attacks": {"drop": {"drop": {"times": 4}}}, "shard": [1, 1]}},
            "attacks.drop.drop.times was 3 and is now 4",
        ),
    ],
)
def test_a_difference_is_refused_by_its_name(changes: dict[str, object], named: str) -> None:
    with pytest.raises(RecordingError, match=f"cannot resume r: {named}"):
        manifest.refuse_difference(a_manifest("r"), a_manifest("r", **changes))
    manifest.refuse_difference(a_manifest("r"), a_manifest("r", ceiling=5.0, command=["x"]))


def test_the_newest_recording_of_the_same_bot_tells_its_ceiling(tmp_path: Path) -> None:
    for run, address, ceiling in (
        ("20260101T000000Z-script-1", "here", 5.0),
        ("20260102T000000Z-script-1", "here", 7.0),
        ("20260103T000000Z-script-1", "there", 9.0),
        ("20260104T000000Z-script-1", "here", None),
    ):
        (tmp_path / run).mkdir()
        manifest.write(tmp_path / run, a_manifest(run, address=address, ceiling=ceiling))
    (tmp_path / "20260105T000000Z-script-1").mkdir()
    (tmp_path / "20260105T000000Z-script-1" / manifest.NAME).write_text("damaged")
    assert manifest.known_ceiling(tmp_path, "script", "here") == 7.0
    assert manifest.known_ceiling(tmp_path, "script", "") is None
    assert manifest.known_ceiling(tmp_path, "another", "here") is None


HERE = Address("", "127.0.0.1:80", "0123456789abcdef")
HOLDER = """
import sys
from pathlib import Path
from botattack.recordings.locks import Address, asking
with asking(Address("", "127.0.0.1:80", "0123456789abcdef"), (1, 1), where=Path(sys.argv[1])):
    print("held", flush=True)
    sys.stdin.read()
"""


def test_a_second_process_on_the_same_bot_refuses_or_waits(tmp_path: Path) -> None:
    command = [sys.executable, "-c", HOLDER, str(tmp_path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as holder:
        assert holder.stdin
        assert holder.stdout
        assert holder.stdout.readline() == b"held\n"
        with (
            pytest.raises(RecordingError, match=rf"process {holder.pid}\) is asking 127.0.0.1:80"),
            asking(HERE, where=tmp_path),
        ):
            pass
        with asking(Address("", "127.0.0.1:81", "fedcba9876543210"), where=tmp_path):
            pass
        told: list[str] = []

        def release(line: str) -> None:
            told.append(line)
            assert holder.stdin
            holder.stdin.close()

        with asking(HERE, where=tmp_path, waiting=release):
            assert len(told) == 1


def test_shards_ask_side_by_side_each_once_and_nobody_else(tmp_path: Path) -> None:
    with asking(HERE, (1, 2), where=tmp_path), asking(HERE, (2, 2), where=tmp_path):
        for shard in ((1, 2), (2, 2), (1, 1)):
            with pytest.raises(RecordingError, match="is asking"), asking(HERE, shard, where=tmp_path):
                pass


def test_verdicts_of_an_attack_that_was_told_of_an_error_are_all_made_again(tmp_path: Path) -> None:
    _, before = play(a_plan(limits=PATIENT), ill(7), questions(30))
    record(tmp_path, before)
    without_errors(tmp_path)
    judged = Counter(event.question for event in of(list(events(tmp_path)), VariantJudged))
    assert set(judged.values()) == {3}
