"""The door to the terminal and to CI's logs: what goes through it stays text, however it comes."""

from __future__ import annotations

import io
import json
import logging
import re
import sys
import unicodedata

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from rich.text import Text

from botattack.report.printing import Guarded, console, guarded
from tests.report.test_terminal import Screen

COMMANDS = (
    "##[set-output name=a]b",
    "##[add-mask]b",
    "##vso[task.setvariable variable=a]b",
    "##vso[task.complete result=Succeeded]",
    "##teamcity[buildStatus text='a']",
    "::set-output name=a::b",
    "::add-mask::b",
    "::error file=a::b",
    "   ::stop-commands::b",
    "\t::warning::b",
    "###[section]b",
    ":::debug::b",
)
SEQUENCES = (
    "\x1b]0;title\x07",
    "\x1b[2J",
    "\x9b31m",
    "section_start:1:a\r\x1b[0K",
    "\x1b]1338;url=a\x07",
    "\x1b]8;;http://a\x1b\\link",
    "\r::error::b",
    "\x85::error::b",
    "\u2028##[error]b",
    "\u2003::error::b",
    "##v\u200bso[a]b",
    "\u202eoslo",
)
HOSTILE = COMMANDS + SEQUENCES


def harm(text: str) -> list[str]:
    """The lines that act, read as the runners of CI and terminals read them."""
    found = [line for line in text.split("\n") if line.lstrip().startswith("::") or re.search(r"##\w{0,32}\[", line)]
    hidden = ("Cc", "Cf", "Zl", "Zp")
    return found + [sign for sign in text if sign not in "\n\t" and unicodedata.category(sign) in hidden]


def written(*pieces: str) -> str:
    stream = io.StringIO()
    guard = Guarded(stream)
    for piece in pieces:
        guard.write(piece)
    return stream.getvalue()


@pytest.mark.parametrize("text", HOSTILE)
def test_a_command_stays_text_that_shows_what_it_is(text: str) -> None:
    assert harm(text)
    assert not harm(written(text, "\n"))


def test_what_it_was_can_be_read() -> None:
    assert written("##vso[task.complete]\n") == "##vso\\x5btask.complete]\n"
    assert written("##[add-mask]b\n::add-mask::b\n") == "##\\x5badd-mask]b\n:\\x3aadd-mask::b\n"
    assert written("a\x1b[2Jb\n") == "a\\x1b[2Jb\n"


@given(st.lists(st.sampled_from([*HOSTILE, *"#:[ \n\tav…", "##", "::", "##vso", "x" * 70, " " * 70]), max_size=12))
def test_no_way_of_writing_it_in_pieces_helps(pieces: list[str]) -> None:
    assert not harm(written(*pieces))
    assert written(*pieces) == written("".join(pieces))


@given(st.text(alphabet="abc #:[]\n\t-.,é→", max_size=200))
def test_what_is_no_command_is_written_as_it_is(text: str) -> None:
    assert harm(text) or written(text) == text


@pytest.mark.parametrize("text", HOSTILE)
def test_a_string_of_yaml_keeps_its_value(text: str) -> None:
    shown = written(f"refusals:\n  - {json.dumps(text, ensure_ascii=False)}\n")
    assert not harm(shown)
    assert yaml.safe_load(shown) == {"refusals": [text]}


@pytest.mark.parametrize("text", HOSTILE)
@pytest.mark.parametrize("tty", [False, True])
def test_colours_of_ours_pass_and_nothing_else(text: str, tty: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.delenv("NO_COLOR", raising=False)
    for width in (8, 20, 80):
        stream = Screen(tty=tty)
        console(stream, width).print(
            Text("ours ", style="bold red").append(text, "green").append(text[:2]).append(text[2:])
        )
        assert ("\x1b[1;31mours" in stream.getvalue()) == tty
        assert not harm(re.sub(r"\x1b\[[\d;]*m", "", stream.getvalue()))


def test_nothing_prints_around_it(monkeypatch: pytest.MonkeyPatch) -> None:
    out, err = Screen(), Screen()
    monkeypatch.setattr(sys, "stdout", out)
    monkeypatch.setattr(sys, "stderr", err)
    text = "\n".join(HOSTILE)
    with guarded():
        print(text)  # noqa: T201
        print(text, file=sys.stderr)  # noqa: T201
        assert logging.lastResort
        logging.lastResort.handle(logging.makeLogRecord({"msg": text}))
        assert not hasattr(sys.stdout, "buffer")
    assert (sys.stdout, sys.stderr) == (out, err)
    assert not harm(out.getvalue())
    assert not harm(err.getvalue())
    assert err.getvalue().count("add-mask") == 4


def test_an_encoding_that_lacks_a_sign_gets_its_escape() -> None:
    stream = Screen(encoding="ascii")
    Guarded(stream).write("caf\u00e9 \udcff\n")  # type: ignore[arg-type]
    assert stream.getvalue() == "caf\\xe9 \\udcff\n"
