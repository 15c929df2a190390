"""Whether a recording is what it was: sealed by real runs, changed as accidents and people change files, and signed by
the real ssh-keygen."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from botattack.recordings.writer import locked
from tests.cli.conftest import Botattack
from tests.cli.test_merge import a_campaign, in_shards
from tests.report.reviewed import a_run, answers, the_review

EVENTS = "events.jsonl"


@pytest.fixture
def recording(botattack: Botattack, campaign: Path) -> Path:
    assert botattack("run", campaign, "--allow-code").status == 0
    (found,) = Path("recordings").iterdir()
    return found


def lines_of(recording: Path) -> list[bytes]:
    return (recording / EVENTS).read_bytes().splitlines(keepends=True)


def write_lines(recording: Path, lines: list[bytes]) -> None:
    (recording / EVENTS).write_bytes(b"".join(lines))


def swap(recording: Path) -> None:
    lines = lines_of(recording)
    lines[4], lines[7] = lines[7], lines[4]
    write_lines(recording, lines)


def flip_a_letter(recording: Path) -> None:
    lines = lines_of(recording)
    write_lines(recording, [*lines[:6], lines[6].replace(b"a", b"b", 1), *lines[7:]])


def delete_a_line(recording: Path) -> None:
    lines = lines_of(recording)
    write_lines(recording, [*lines[:6], *lines[7:]])


def insert_a_line(recording: Path) -> None:
    lines = lines_of(recording)
    write_lines(recording, [*lines[:6], b'{"event":"reading"}\n', *lines[6:]])


def tear(recording: Path) -> None:
    write_lines(recording, [(recording / EVENTS).read_bytes()[:-20]])


def put_a_link(recording: Path) -> None:
    (recording / "run.json").rename(recording.parent / "elsewhere.json")
    (recording / "run.json").symlink_to(recording.parent / "elsewhere.json")


def link_events(recording: Path) -> None:
    (recording / EVENTS).rename(recording.parent / EVENTS)
    (recording / EVENTS).symlink_to(Path("..") / EVENTS)


def change_settings(recording: Path) -> None:
    path = recording / "run.json"
    path.write_text(path.read_text().replace('"seed": 7', '"seed": 8'))


def put_a_pipe(recording: Path) -> None:
    (recording / "run.json").unlink()
    os.mkfifo(recording / "run.json")


def test_a_run_seals_its_recording_and_says_that_this_shows_accidents_only(
    botattack: Botattack, recording: Path
) -> None:
    ended = botattack("verify", recording)
    assert ended.status == 0
    assert f"{len(lines_of(recording)):,} were sealed" in ended.out
    assert "intact" in ended.out
    assert "not signed" in ended.out
    # Anybody can check it without botattack.
    seal = json.loads((recording / "seal-1.json").read_text())
    checked = subprocess.run(["sha256sum", recording / EVENTS], capture_output=True, check=True).stdout.split()[0]
    assert seal["events"]["sha256"] == checked.decode()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("change", "place"),
    [
        (flip_a_letter, "events.jsonl:7: the event"),
        (swap, "events.jsonl:5: the event"),
        (delete_a_line, "is the line that was sealed as line 8"),
        (insert_a_line, "events.jsonl:7: the event 'reading'"),
        (tear, "1 of "),
        (put_a_link, "run.json is a link"),
        (link_events, "events.jsonl is a link"),
        (change_settings, "run.json is not what was sealed"),
        (put_a_pipe, "run.json is a link or something else"),
        (lambda recording: (recording / "run.json").unlink(), "run.json is missing"),
        (lambda recording: (recording / EVENTS).unlink(), "events.jsonl is missing"),
        (lambda recording: (recording / "run.json").chmod(0o644), ""),
    ],
)
def test_a_change_is_named_with_its_file_and_line(
    botattack: Botattack, recording: Path, change: Callable[[Path], None], place: str
) -> None:
    change(recording)
    ended = botattack("verify", recording)
    differs = [line for line in ended.out.splitlines() if line.startswith("differs")]
    assert (ended.status, bool(differs)) == ((1, True) if place else (0, False))
    assert place in "".join(differs[:1])


def test_a_resumed_run_continues_the_chain(botattack: Botattack, campaign: Path) -> None:
    assert botattack("run", campaign, "--allow-code", "--budget", "requests=6").status == 4
    (recording,) = Path("recordings").iterdir()
    sealed = len(lines_of(recording))
    assert botattack("run", campaign, "--allow-code", "--resume", recording).status == 0
    assert botattack("verify", recording).status == 0
    first, second = (json.loads((recording / f"seal-{number}.json").read_text()) for number in (1, 2))
    assert (first["events"]["lines"], second["events"]["lines"]) == (sealed, len(lines_of(recording)))
    # A change before the first seal cannot be hidden by the second one.
    write_lines(recording, [lines_of(recording)[0].replace(b"7", b"8"), *lines_of(recording)[1:]])
    assert "events.jsonl:1:" in botattack("verify", recording).out
    (recording / "seal-1.json").unlink()
    ended = botattack("verify", recording)
    assert ended.status == 1
    assert "seal-1.json is missing" in ended.out


def test_what_is_added_later_is_counted_and_can_be_sealed(botattack: Botattack, recording: Path) -> None:
    with (recording / EVENTS).open("ab") as file:
        file.write(b'{"event":"reading","question":"q"}\n' * 12 + b'{"event":"rea')
    (recording / "report.html").write_text("later")
    ended = botattack("verify", recording)
    assert ended.status == 0
    assert "12 were added later (12 reading)" in ended.out
    assert "the last line is torn" in ended.out
    assert "not sealed: report.html" in ended.out
    ended = botattack("verify", recording, "--seal")
    assert ended.status == 0
    assert "added later" not in ended.out
    assert "not sealed" not in ended.out
    assert (recording / "seal-2.json").exists()
    # With nothing new there is nothing to seal.
    assert botattack("verify", recording, "--seal").status == 0
    assert not (recording / "seal-3.json").exists()


def test_nothing_that_was_changed_is_sealed_again(botattack: Botattack, recording: Path) -> None:
    swap(recording)
    ended = botattack("verify", recording, "--seal")
    assert ended.status == 2
    assert "events.jsonl:5" in ended.err
    assert not (recording / "seal-2.json").exists()


def test_recordings_of_older_versions_are_sealed_on_demand(botattack: Botattack, recording: Path) -> None:
    (recording / "seal-1.json").unlink()
    ended = botattack("verify", recording)
    assert ended.status == 2
    assert "was never sealed" in ended.err
    assert "--seal" in ended.err
    assert botattack("verify", recording, "--seal").status == 0
    ended = botattack("verify", "recordings")
    assert ended.status == 2
    assert "is not a recording" in ended.err


def test_merged_recordings_are_sealed(botattack: Botattack, folder: Path) -> None:
    a_campaign(folder, "")
    _, shards = in_shards(botattack, 2)
    assert botattack("merge", *shards).status == 0
    (whole,) = {path.parent for path in Path("recordings").glob("*/run.json")} - set(shards)
    assert botattack("verify", whole).status == 0


def needs(program: str) -> None:
    if shutil.which(program) is None:
        pytest.skip(f"{program} is not installed; .ci/system-parts installs it")


def make_key(name: str) -> tuple[Path, str]:
    """The file of a private key, and its public one."""
    needs("ssh-keygen")
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", name, "-f", name], check=True)
    return Path(name), Path(f"{name}.pub").read_text().rsplit(maxsplit=1)[0]


def test_a_signature_says_who_signed_what(botattack: Botattack, recording: Path) -> None:
    key, public = make_key("anna")
    _, other = make_key("eve")
    Path("signers").write_text(f"anna@example.org {public}\n")
    Path("others").write_text(f"eve@example.org {other}\n")
    assert botattack("verify", recording, "--signers", "signers").status == 1
    assert botattack("verify", recording, "--sign", key).status == 0
    ended = botattack("verify", recording, "--signers", "signers")
    assert ended.status == 0
    assert "by anna@example.org, with the key ED25519 SHA256:" in ended.out
    assert "accidents only" not in ended.out
    assert "with the key ED25519 SHA256:" in botattack("verify", recording).out
    # A key that the file of signers does not name counts as none.
    ended = botattack("verify", recording, "--signers", "others")
    assert ended.status == 1
    assert "others does not name the key of seal-1.json.sig" in ended.out
    # What is added later is not signed, and is accepted only where nobody asked for signatures.
    with (recording / EVENTS).open("ab") as file:
        file.write(b'{"event":"reading","question":"q"}\n')
    assert botattack("verify", recording).status == 0
    ended = botattack("verify", recording, "--signers", "signers")
    assert ended.status == 1
    assert "1 event added since" in ended.out
    assert botattack("verify", recording, "--sign", key, "--signers", "signers").status == 0
    ended = botattack("verify", recording, "--sign", key)
    assert ended.status == 2
    assert "signed already" in ended.err


def test_whoever_seals_a_changed_recording_again_cannot_sign_it(botattack: Botattack, recording: Path) -> None:
    key, public = make_key("anna")
    Path("signers").write_text(f"anna@example.org {public}\n")
    assert botattack("verify", recording, "--sign", key).status == 0
    signature = (recording / "seal-1.json.sig").read_bytes()
    swap(recording)
    (recording / "seal-1.json").unlink()
    (recording / "seal-1.json.sig").unlink()
    assert botattack("verify", recording, "--seal").status == 0
    assert botattack("verify", recording, "--signers", "signers").status == 1
    (recording / "seal-1.json.sig").write_bytes(signature)
    ended = botattack("verify", recording, "--signers", "signers")
    assert ended.status == 1
    assert "no signature of seal-1.json as it is now" in ended.out


@pytest.mark.parametrize("content", [b"", b"[]", b"\xff", b"[" * 100_000, b'{"number": 1}'])
def test_a_damaged_seal_is_one_sentence(botattack: Botattack, recording: Path, content: bytes) -> None:
    (recording / "seal-1.json").write_bytes(content)
    ended = botattack("verify", recording)
    assert ended.status == 2
    assert "seal-1.json is damaged" in ended.err
    assert "Traceback" not in ended.err


def test_without_ssh_keygen_signing_says_what_to_install(
    botattack: Botattack, recording: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    key, _ = make_key("anna")
    monkeypatch.setenv("PATH", "/nowhere")
    ended = botattack("verify", recording, "--sign", key)
    assert ended.status == 2
    assert "openssh-client" in ended.err


def test_a_key_that_is_none_is_refused(botattack: Botattack, recording: Path) -> None:
    Path("key").write_text("no key")
    ended = botattack("verify", recording, "--sign", "key")
    assert ended.status == 2
    assert "cannot be signed with key" in ended.err
    assert not list(recording.glob("*.sig"))


def test_a_copy_of_a_recording_is_as_good(botattack: Botattack, recording: Path) -> None:
    shutil.copytree(recording, "copy")
    assert botattack("verify", "copy").status == 0


def test_minisign_signs_as_well(botattack: Botattack, recording: Path) -> None:
    needs("minisign")
    for name in ("anna", "eve"):
        subprocess.run(
            ["minisign", "-G", "-W", "-p", f"{name}.pub", "-s", f"{name}.key"], check=True, capture_output=True
        )
    assert botattack("verify", recording, "--sign", "anna.key").status == 0
    ended = botattack("verify", recording)
    assert ended.status == 0
    assert "is not checked" in ended.out
    assert "accidents only" in ended.out
    ended = botattack("verify", recording, "--signers", "anna.pub")
    assert ended.status == 0
    assert "by the key of anna.pub" in ended.out
    assert botattack("verify", recording, "--signers", "eve.pub").status == 1
    key, public = make_key("ssh")
    Path("signers").write_text(f"anna@example.org {public}\n")
    assert botattack("verify", recording, "--signers", "signers").status == 1
    assert botattack("verify", recording, "--sign", key, "--signers", "signers").status == 0


def test_a_seal_that_is_a_link_is_refused(botattack: Botattack, recording: Path) -> None:
    (recording / "seal-1.json").rename("elsewhere.json")
    (recording / "seal-1.json").symlink_to(Path("elsewhere.json").resolve())
    ended = botattack("verify", recording)
    assert ended.status == 2
    assert "it is a link, not a file" in ended.err


def test_a_draft_that_a_killed_process_left_is_not_sealed(botattack: Botattack, recording: Path) -> None:
    (recording / "run.json.part").write_text("{")
    (recording / "seal-2.json.part").write_text("{")
    (recording / "report.md").write_text("new")
    assert botattack("verify", recording, "--seal").status == 0
    (recording / "run.json.part").unlink(missing_ok=True)
    assert botattack("verify", recording).status == 0


def test_no_seal_is_made_of_what_is_no_recording(botattack: Botattack, folder: Path) -> None:
    Path("empty").mkdir()
    ended = botattack("verify", "empty", "--seal")
    assert ended.status == 2
    assert "is not a recording" in ended.err
    assert list(Path("empty").iterdir()) == []


def test_a_recording_that_is_being_written_is_not_sealed(botattack: Botattack, recording: Path) -> None:
    with locked(recording):
        ended = botattack("verify", recording, "--seal")
    assert ended.status == 2
    assert "is being written by another botattack" in ended.err


def test_answers_of_readers_leave_what_was_signed_as_it_was(botattack: Botattack, folder: Path) -> None:
    key, public = make_key("anna")
    Path("signers").write_text(f"anna@example.org {public}\n")
    run = a_run(folder / "recordings" / "run")
    assert botattack("verify", run, "--sign", key).status == 0
    assert botattack("review", run, "--ask", "meaning", "--items", "40", "-o", "pages").status == 0
    assert botattack("review", run, "--collect", answers(folder, the_review(run), "reader-1")).status == 0
    ended = botattack("verify", run)
    assert ended.status == 0
    assert "46 were added later (44 reading, 2 known read)" in ended.out
    assert "unsigned   46 events added since, review-" in ended.out
    assert botattack("verify", run, "--signers", "signers").status == 1
    assert botattack("verify", run, "--sign", key, "--signers", "signers").status == 0
