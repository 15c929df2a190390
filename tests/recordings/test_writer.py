"""What is written is there; what is torn is cut off; what is secret never arrives."""

from __future__ import annotations

import base64
import errno
import html
import json
import os
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from time import sleep
from urllib.parse import quote

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from botattack.errors import RecordingError
from botattack.events import AnyEvent, Asked, QuestionClosed, QuestionOpened, decode, encode
from botattack.model import GoldAnswer, Prompt, Question, Reply
from botattack.recordings import masking
from botattack.recordings.masking import MASK
from botattack.recordings.reader import events
from botattack.recordings.redaction import Redactor
from botattack.recordings.suite import suite_of
from botattack.recordings.writer import EVENTS, SYNC_EVERY, Recorder
from botattack.report.figures.metrics import figures_of
from botattack.report.writers.material import material
from tests.full_disk import full_disk
from tests.report.streams import Asking, Try, edit, ended, stream
from tests.timing import quickest


def an_answer(text: str, unit: str = "u.0") -> Asked:
    return Asked(
        question="0" * 16, unit=unit, turns=(Prompt("q"),), replies=(Reply(text, raw=json.dumps({"a": text})),)
    )


def record(folder: Path, told: list[AnyEvent], redactor: Redactor | None = None) -> list[AnyEvent]:
    """Writes events; gives what the sinks behind the recorder saw."""
    seen: list[AnyEvent] = []
    with Recorder(folder, redactor or Redactor(), [seen.append]) as recorder:
        for event in told:
            recorder(event)
    return seen


@given(texts=st.lists(st.text(), max_size=20))
@settings(max_examples=8)
def test_what_was_written_is_read_again(tmp_path_factory: pytest.TempPathFactory, texts: list[str]) -> None:
    folder = tmp_path_factory.mktemp("run")
    told: list[AnyEvent] = [QuestionOpened(question=Question(text, lang="xx")) for text in texts]
    told += [an_answer(text) for text in texts]
    assert record(folder, told) == told
    assert list(events(folder)) == told


@pytest.mark.parametrize("torn", [b'{"event":"ask', b"x" * 200_000, b"\xff\xfe"])
def test_a_torn_last_line_is_passed_over_and_cut_off(tmp_path: Path, torn: bytes) -> None:
    record(tmp_path, [an_answer("one")])
    with (tmp_path / EVENTS).open("ab") as file:
        file.write(torn)
    assert [event.key for event in events(tmp_path)] == [an_answer("one").key]
    record(tmp_path, [an_answer("two")])
    assert list(events(tmp_path)) == [an_answer("one"), an_answer("two")]


@pytest.mark.parametrize(
    ("sound", "damaged", "said"),
    [
        (b'"event":"asked"', b'"event":"atked"', "not an event"),
        (b'"turns":[{"text":"q"}]', b'"turns":[]', "not an event"),
        (b'"replies"', b'"answers"', "neither came back nor failed"),
    ],
)
def test_a_damaged_line_is_named(tmp_path: Path, sound: bytes, damaged: bytes, said: str) -> None:
    record(tmp_path, [an_answer("one"), an_answer("two")])
    path = tmp_path / EVENTS
    path.write_bytes(path.read_bytes().replace(sound, damaged, 1))
    with pytest.raises(RecordingError, match=rf"events\.jsonl:1: .*{said}"):
        list(events(tmp_path))


def test_two_cannot_write_one_recording(tmp_path: Path) -> None:
    with Recorder(tmp_path, Redactor()), pytest.raises(RecordingError, match="another botattack"):
        Recorder(tmp_path, Redactor())


def test_a_full_disk_is_a_sentence_and_what_was_written_stays(tmp_path: Path) -> None:
    with Recorder(tmp_path, Redactor()) as recorder:
        recorder(an_answer("one"))
        full = full_disk((tmp_path / EVENTS).stat().st_size + 50)
        with full, pytest.raises(RecordingError, match=r"cannot write .*--resume"):
            recorder(an_answer("two"))
        recorder(an_answer("three"))
    assert list(events(tmp_path)) == [an_answer("one"), an_answer("three")]


def test_a_disk_that_is_full_only_when_it_is_asked_is_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def late(file: int) -> None:
        raise OSError(errno.EDQUOT, os.strerror(errno.EDQUOT))

    monkeypatch.setattr(os, "fsync", late)
    recorder = Recorder(tmp_path, Redactor())
    with pytest.raises(RecordingError, match=r"cannot write .*--resume"), recorder:
        recorder(an_answer("one"))
    again = Recorder(tmp_path, Redactor())
    with pytest.raises(RecordingError, match=r"cannot write .*--resume"), again:  # noqa: PT012  # any may hear of it
        for number in range(1000):
            again(an_answer(str(number)))
            sleep(SYNC_EVERY / 10)
    assert number < 999


def test_a_lost_write_that_is_reported_once_is_a_sentence_at_the_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    reported = threading.Event()

    def once(file: int) -> None:
        if not reported.is_set():
            reported.set()
            raise OSError(errno.EIO, os.strerror(errno.EIO))

    monkeypatch.setattr(os, "fsync", once)
    recorder = Recorder(tmp_path, Redactor(), [lambda _: reported.wait(30)])
    with pytest.raises(RecordingError, match=r"cannot write .*--resume"), recorder:
        recorder(an_answer("one"))


def test_a_killed_process_loses_nothing_it_had_written(tmp_path: Path) -> None:
    script = f"""
import os, signal
from pathlib import Path
from botattack.recordings.writer import Recorder
from botattack.recordings.redaction import Redactor
from botattack.events import QuestionClosed
recorder = Recorder(Path({str(tmp_path)!r}), Redactor())
for number in range(1000):
    recorder(QuestionClosed(question=f"{{number:016x}}"))
os.kill(os.getpid(), signal.SIGKILL)
"""
    ended = subprocess.run([sys.executable, "-c", script], check=False)
    assert ended.returncode == -signal.SIGKILL
    assert list(events(tmp_path)) == [QuestionClosed(question=f"{number:016x}") for number in range(1000)]


SECRETS = ['s3cr3t/+"x\\y é', "hunter2hunter2", "asked", "Bearer abc.def-ghi"]


@pytest.mark.parametrize("secret", SECRETS)
@pytest.mark.parametrize("around", ["{}", "Authorization: {}!", "a{}", "ab{}c"])
def test_a_secret_is_found_nowhere(tmp_path: Path, secret: str, around: str) -> None:
    text = around.format(secret)
    plain = [text, json.dumps(text), json.dumps(json.dumps(text)), quote(text), quote(text, safe="")]
    coded = [base64.b64encode(text.encode()).decode(), base64.urlsafe_b64encode(text.encode()).decode()]
    seen = record(tmp_path, [an_answer(form) for form in plain + coded], Redactor([secret]))
    file = (tmp_path / EVENTS).read_bytes().decode()
    for event in [*seen, *events(tmp_path)]:
        assert isinstance(event, Asked)
        reply = event.replies[0]
        for form in {secret, json.dumps(secret)[1:-1], quote(secret), quote(secret, safe="")}:
            assert form not in reply.text + reply.raw
    if len(secret) > 8:
        cores = [base64.b64encode(b"\0" * skip + secret.encode()).decode().rstrip("=")[4:-2] for skip in range(3)]
        assert not any(core in file for core in cores)


WRITTEN: dict[str, Callable[[str], str]] = {
    "PHP": lambda text: json.dumps(text).replace("/", "\\/"),
    "PHP in JSON": lambda text: json.dumps(json.dumps(text).replace("/", "\\/")),
    ".NET": lambda text: "".join(
        sign if sign.isascii() and (sign.isalnum() or sign in " -_") else rf"\u{ord(sign):04X}" for sign in text
    ),
    "URL in small letters": lambda text: re.sub("%..", lambda found: found[0].lower(), quote(text, safe="")),
    "URL in a URL": lambda text: quote(quote(text, safe=""), safe=""),
    "HTML": html.escape,
    "HTML in numbers": lambda text: "".join(
        sign if sign.isascii() and sign.isalnum() else f"&#x{ord(sign):02X};" for sign in text
    ),
    "base64 of PHP": lambda text: base64.b64encode(f"ab{text}".encode()).decode().replace("/", "\\/"),
}


@pytest.mark.parametrize("secret", ['tok3n/+"x\\\\y é', "sk/live+0123456789==", "???>>>~~~???>>>~~~"])
@pytest.mark.parametrize("how", WRITTEN)
def test_a_secret_is_known_in_every_hand(how: str, secret: str) -> None:
    masked = Redactor([secret]).text(f"<{WRITTEN[how](secret)}>")
    assert "[redacted]" in masked
    for left in re.findall(r"\w+", secret):
        assert left not in masked


@pytest.mark.slow
@pytest.mark.parametrize("secret", ["a" + "\\" * 12 + 'z"', "%%%%%%%%", "&&&&&&&&", '/\\"/\\"'])
def test_no_reply_keeps_masking_busy(secret: str) -> None:
    redactor = Redactor([secret])
    for text in ("\\" * 100_000, ("a" + "\\" * 90 + "y") * 1000, "%2" * 100_000, "&amp" * 50_000):
        assert quickest(lambda text=text: redactor.text(text), 2) <= 2  # type: ignore[misc]
        assert redactor.text(text) == text


@pytest.mark.parametrize("word", ["text", "same", "kept", "correct", "user", "right", "timeout", "requests", "dpaeg"])
def test_a_value_that_is_a_word_of_ours_breaks_no_event(tmp_path: Path, word: str) -> None:
    asking = Asking(f"is it {word}", tries=(Try("wrong", (edit(f"is it {word}", "is", "si"),)), Try("error")))
    told = stream([asking], end=ended())
    seen = record(tmp_path, told, Redactor([word]))
    assert seen == list(events(tmp_path))
    before, after = figures_of(told), figures_of(seen)
    # Examples show what was said, and so what is masked of it.
    assert replace(before, run=after.run, causes=after.causes) == after
    assert [(one.part, one.wrong, one.broken) for one in before.causes] == [
        (one.part, one.wrong, one.broken) for one in after.causes
    ]
    (found,) = material(lambda: seen).findings
    assert (found.question, found.question_id) == ("is it [redacted]", asking.question.id)
    with pytest.raises(RecordingError, match=r"'is it \[redacted\]' cannot be asked again.*env:"):
        suite_of(seen)


def test_a_question_whose_key_or_tag_was_masked_alone_can_be_asked_again(tmp_path: Path) -> None:
    asked = Question("Is it open?", (GoldAnswer("yes"),), key="billing", tags=("billing",))
    right = Question("Is it shut?", (GoldAnswer("billing"),))
    opened = [QuestionOpened(question=question) for question in (asked, right)]
    first, second = (event.question for event in record(tmp_path, opened, Redactor(["billing"])))
    assert (first.key, first.masked, first.id) == ("[redacted]", "", asked.id)
    assert second.masked == second.id == right.id


@given(text=st.text())
def test_without_secrets_no_line_is_touched(text: str) -> None:
    line = json.dumps(text).encode()
    assert Redactor()(line) is line
    assert Redactor(["\x00 never in a text \x00"])(line) is line


def test_patterns_take_a_bounded_time_of_all_texts_of_an_event_together(monkeypatch: pytest.MonkeyPatch) -> None:
    redact, searched = Redactor(patterns=["(a|aa)+$"]), []

    def late(search: Callable[..., str], *, seconds: float) -> str:
        searched.append(seconds)
        sleep(0.05)
        raise TimeoutError

    monkeypatch.setattr(masking, "in_time", late)
    monkeypatch.setattr(masking, "TOGETHER", 0.2)
    reply = Reply("said", ranked=tuple(f"no {number}" for number in range(1000)))
    clean = decode(redact(encode(Asked(question="0" * 16, unit="u.0", turns=(Prompt("q"),), replies=(reply,)))))
    assert isinstance(clean, Asked)
    assert {*clean.replies[0].ranked} == {MASK}
    assert len(searched) <= 4
