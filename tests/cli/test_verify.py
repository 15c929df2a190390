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
from msgspec.structs import replace

from botattack.events import Reading, VariantJudged, decode, encode
from botattack.recordings.writer import locked
from tests.cli.conftest import Botattack, Once
from tests.cli.test_merge import a_campaign, in_shards
from tests.report.reviewed import a_run, answers, the_review

EVENTS = "events.jsonl"


@pytest.fixture
def recording(botattack: Botattack, campaign: Path, once: Once) -> Path:
    once(lambda: botattack("run", campaign, "--allow-code"))
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
    write_lines(recording, [*lines[:6], READING, *lines[6:]])


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
    seal = json.loads((recording / "seal.json").read_text())
    checked = subprocess.run(["sha256sum", recording / EVENTS], capture_output=True, check=True).stdout.split()[0]
    assert seal["events"][-1]["sha256"] == checked.decode()


FOR = ("--for", "openai-jsonl", "--half", "all", "-o", "set.jsonl")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("change", "place"),
    [
        (flip_a_letter, "events.jsonl: the first "),
        (swap, "events.jsonl: the first "),
        (delete_a_line, "events.jsonl: the first "),
        (insert_a_line, "events.jsonl: the first "),
        (tear, "events.jsonl: the first "),
        (put_a_link, "run.json is not what was sealed"),
        (link_events, "events.jsonl cannot be read: it is a link"),
        (change_settings, "run.json is not what was sealed"),
        (put_a_pipe, "run.json is not what was sealed"),
        (lambda recording: (recording / "run.json").unlink(), "run.json is missing"),
        (lambda recording: (recording / EVENTS).unlink(), "events.jsonl cannot be read"),
        (lambda recording: (recording / "run.json").chmod(0o644), ""),
    ],
)
def test_a_change_is_named_with_its_file(
    botattack: Botattack, recording: Path, change: Callable[[Path], None], place: str
) -> None:
    change(recording)
    ended = botattack("verify", recording)
    differs = [line for line in ended.out.splitlines() if line.startswith("differs")]
    assert (ended.status, bool(differs)) == ((1, True) if place else (0, False))
    assert place in "".join(differs[:1])
    readers = ("replay", ()), ("replay", ("--as-recorded",)), ("export", FOR)
    for command, flags in readers:
        shown = botattack(command, recording, *flags)
        warned = "is not what was sealed when the run ended" in shown.err
        assert warned is bool(place) or shown.status == 2
        assert place in shown.err or shown.status == 2
        assert place or shown.status == 0


def test_a_resumed_run_is_sealed_again_and_what_was_sealed_first_stays_so(botattack: Botattack, campaign: Path) -> None:
    assert botattack("run", campaign, "--allow-code", "--budget", "requests=6").status == 4
    (recording,) = Path("recordings").iterdir()
    sealed = len(lines_of(recording))
    assert botattack("run", campaign, "--allow-code", "--resume", recording).status == 0
    assert botattack("verify", recording).status == 0
    both = json.loads((recording / "seal.json").read_text())["events"]
    assert [one["lines"] for one in both] == [sealed, len(lines_of(recording))]
    write_lines(recording, [lines_of(recording)[0].replace(b"7", b"8"), *lines_of(recording)[1:]])
    assert f"events.jsonl: the first {sealed:,} lines" in botattack("verify", recording).out


def later(recording: Path, *lines: bytes) -> None:
    with (recording / EVENTS).open("ab") as file:
        file.write(b"".join(lines))


def a_line(recording: Path, kind: str, at: int = 0) -> bytes:
    return [line for line in lines_of(recording) if line.startswith(f'{{"event":"{kind}"'.encode())][at]


READING = encode(Reading(unit="u", ask="meaning", reader="anna", label="same")) + b"\n"


def test_what_readers_add_later_is_counted_and_can_be_sealed(botattack: Botattack, recording: Path) -> None:
    later(recording, *[READING] * 12, b'{"event":"rea')
    (recording / "report.html").write_text("later")
    ended = botattack("verify", recording)
    assert ended.status == 0
    assert "12 were added later (12 reading)" in ended.out
    assert "not sealed: report.html" in ended.out
    ended = botattack("verify", recording, "--seal")
    assert ended.status == 0
    assert "added later" not in ended.out
    assert "not sealed" not in ended.out
    # With nothing new there is nothing to seal.
    sealed = (recording / "seal.json").read_bytes()
    assert botattack("verify", recording, "--seal").status == 0
    assert (recording / "seal.json").read_bytes() == sealed


KINDS = ("question opened", "asked", "original judged", "variant judged", "question closed", "run ended")


@pytest.mark.parametrize("kind", KINDS)
def test_after_the_end_only_readings_and_a_resumed_run_may_come(
    botattack: Botattack, recording: Path, kind: str
) -> None:
    whole, added = len(lines_of(recording)), a_line(recording, kind)
    later(recording, READING, added)
    place = f"events.jsonl:{whole + 2}: "
    ended = botattack("verify", recording)
    assert (ended.status, "NOT INTACT" in ended.out) == (1, True)
    assert place in ended.out
    for command in ("verify", "replay"):
        ended = botattack(command, recording, *["--seal"] * (command == "verify"))
        assert (ended.status, place in ended.err) == (2, True)
    # A resumed run may bring anything but another verdict; until it is sealed, the recording is not as it was.
    write_lines(recording, [*lines_of(recording)[:-1], a_line(recording, "run started"), added])
    ended = botattack("verify", recording)
    assert (ended.status, place in ended.out) == (1, False)
    assert (f"events.jsonl:{whole + 3}: " in ended.out) is ("judged" in kind)
    assert "is not sealed" in ended.out


def test_two_verdicts_on_one_unit_are_never_both_counted(botattack: Botattack, recording: Path) -> None:
    lines = lines_of(recording)
    at = next(n for n, line in enumerate(lines) if line.startswith(b'{"event":"variant judged"'))
    verdict = decode(lines[at])
    assert isinstance(verdict, VariantJudged)
    kind = "wrong" if verdict.verdict.kind == "correct" else "correct"
    other = encode(replace(verdict, verdict=replace(verdict.verdict, kind=kind))) + b"\n"
    write_lines(recording, [*lines[: at + 1], other, *lines[at + 1 :]])
    (recording / "seal.json").unlink()
    ended = botattack("replay", recording)
    assert (ended.status, f"events.jsonl:{at + 2}: " in ended.err) == (2, True)


def test_a_run_that_was_resumed_and_killed_can_be_sealed(botattack: Botattack, recording: Path) -> None:
    later(recording, a_line(recording, "run started"))
    assert botattack("verify", recording).status == 1
    assert botattack("verify", recording, "--seal").status == 0


@pytest.mark.slow
def test_a_run_whose_errors_are_asked_again_is_sealed_anew(botattack: Botattack, campaign: Path) -> None:
    bot = Path("bot.py")
    fails = "\n    return known(text) if pathlib.Path('up').exists() else 1 / 0\n"
    bot.write_text(f"{bot.read_text()}known = answer\ndef answer(text):{fails}")
    botattack("run", campaign, "--allow-code")
    (recording,) = Path("recordings").iterdir()
    first = len(lines_of(recording))
    assert botattack("verify", recording).status == 0
    Path("up").touch()
    botattack("run", campaign, "--allow-code", "--resume", recording, "--retry-errors")
    assert len(lines_of(recording)) > first
    assert botattack("verify", recording).status == 0


def test_nothing_that_was_changed_is_sealed_again(botattack: Botattack, recording: Path) -> None:
    swap(recording)
    ended = botattack("verify", recording, "--seal")
    assert ended.status == 2
    assert "events.jsonl: the first " in ended.err


def test_recordings_of_older_versions_are_sealed_on_demand(botattack: Botattack, recording: Path) -> None:
    (recording / "seal.json").unlink()
    ended = botattack("verify", recording)
    assert ended.status == 2
    assert "was never sealed" in ended.err
    assert "--seal" in ended.err
    assert botattack("verify", recording, "--seal").status == 0
    ended = botattack("verify", "recordings")
    assert ended.status == 2
    assert "is not a recording" in ended.err


@pytest.mark.slow
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
    assert "seal.json.sig is no signature of seal.json as it is now by one whom others allows" in ended.out
    # What is added later is not signed, and is accepted only where nobody asked for signatures.
    later(recording, READING)
    assert botattack("verify", recording).status == 0
    ended = botattack("verify", recording, "--signers", "signers")
    assert ended.status == 1
    assert "1 events added since" in ended.out
    assert botattack("verify", recording, "--sign", key, "--signers", "signers").status == 0
    ended = botattack("verify", recording, "--sign", key)
    assert ended.status == 2
    assert "signed already" in ended.err


def test_whoever_seals_a_changed_recording_again_cannot_sign_it(botattack: Botattack, recording: Path) -> None:
    key, public = make_key("anna")
    Path("signers").write_text(f"anna@example.org {public}\n")
    assert botattack("verify", recording, "--sign", key).status == 0
    signature = (recording / "seal.json.sig").read_bytes()
    swap(recording)
    (recording / "seal.json").unlink()
    (recording / "seal.json.sig").unlink()
    assert botattack("verify", recording, "--seal").status == 0
    assert botattack("verify", recording, "--signers", "signers").status == 1
    (recording / "seal.json.sig").write_bytes(signature)
    ended = botattack("verify", recording, "--signers", "signers")
    assert ended.status == 1
    assert "no signature of seal.json as it is now" in ended.out


@pytest.mark.parametrize("content", [b"", b"[]", b"\xff", b"[" * 100_000, b'{"number": 1}'])
def test_a_damaged_seal_is_one_sentence(botattack: Botattack, recording: Path, content: bytes) -> None:
    (recording / "seal.json").write_bytes(content)
    ended = botattack("verify", recording)
    assert ended.status == 2
    assert "seal.json is damaged" in ended.err
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


def test_a_copy_is_as_good_but_not_under_the_name_of_another_run(botattack: Botattack, recording: Path) -> None:
    for name, status in (("copy", 0), (f"copies/{recording.name}", 0), ("20260101T000000Z-helpdesk-1a2b3c4d", 1)):
        shutil.copytree(recording, name)
        ended = botattack("verify", name)
        assert ended.status == status
        assert ("this is the recording of " in ended.out) is bool(status)
    assert botattack("verify", name, "--seal").status == 2


@pytest.mark.parametrize("put", [os.mkfifo, Path.mkdir, lambda path: path.symlink_to("seal.json"), Path.touch])
def test_a_signature_that_is_no_file_of_one_is_refused_and_not_waited_for(
    botattack: Botattack, recording: Path, put: Callable[[Path], None]
) -> None:
    needs("ssh-keygen")
    put(recording / "seal.json.sig")
    ended = botattack("verify", recording)
    assert (ended.status, "seal.json.sig is no signature" in ended.out) == (1, True)


def test_a_seal_that_is_a_link_is_refused(botattack: Botattack, recording: Path) -> None:
    (recording / "seal.json").rename("elsewhere.json")
    (recording / "seal.json").symlink_to(Path("elsewhere.json").resolve())
    ended = botattack("verify", recording)
    assert ended.status == 2
    assert "it is a link, not a file" in ended.err


def test_a_draft_that_a_killed_process_left_is_not_sealed(botattack: Botattack, recording: Path) -> None:
    (recording / "run.json.part").write_text("{")
    (recording / ".seal.json.1.part").write_text("{")
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
    assert botattack("judge", "review", run, "--ask", "meaning", "--items", "40", "-o", "pages").status == 0
    assert botattack("judge", "review", run, "--collect", answers(folder, the_review(run), "reader-1")).status == 0
    ended = botattack("verify", run)
    assert ended.status == 0
    assert "46 were added later (44 reading, 2 known read)" in ended.out
    assert "not sealed: review-" in ended.out
    assert botattack("verify", run, "--signers", "signers").status == 1
    assert botattack("verify", run, "--sign", key, "--signers", "signers").status == 0
