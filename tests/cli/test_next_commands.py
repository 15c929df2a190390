"""Every command that is printed for somebody to run parses, and has the flags of the run that it follows."""

from __future__ import annotations

import html
import json
import re
import shlex
from contextvars import copy_context
from pathlib import Path

import click
import pytest

from botattack.cli import commands
from tests.cli.conftest import Botattack, newest


def proposed(text: str) -> list[str]:
    """What follows each `botattack` of a text, up to the end of its line."""
    lines = re.findall(
        r"\bbotattack ([a-z][^\n]*)", html.unescape(re.sub(r"<script.*?</script>|<[^>]+>", "\n", text, flags=re.DOTALL))
    )
    return [line for line in lines if line.partition(" ")[0] in commands.list_commands(click.Context(commands))]


def parsed(line: str) -> tuple[str, dict[str, object]]:
    """The name of the command with which a line begins, and its flags; the sentence around it ends it."""
    for end in sorted({match.start() for match in re.finditer(r"[\s:;,.)`]|$", line)}, reverse=True):
        try:
            words = shlex.split(re.sub(r"^nightly (?!baseline)", "nightly run ", line[:end]))
            command, context, name = commands, click.Context(commands), ""
            while isinstance(command, click.Group):
                name, command, words = command.resolve_command(context, words)
            with command.make_context(name, words) as context:
                return name, dict(context.params)
        except (click.UsageError, click.exceptions.Exit, IndexError, ValueError):
            continue
    pytest.fail(f"no command: {line}")


@pytest.mark.parametrize("recordings", ["recordings", "my runs"])
@pytest.mark.slow
def test_each_command_that_is_printed_parses_and_has_the_flags_of_the_run(
    botattack: Botattack, campaign: Path, monkeypatch: pytest.MonkeyPatch, recordings: str
) -> None:
    monkeypatch.setenv("COLUMNS", "500")
    Path("my own.env").write_text("# nothing yet\n")
    own, flags = campaign.rename("it's mine.yaml"), ("--env-file", "my own.env", "--recordings", recordings)
    own.write_text(own.read_text() + "unchanged: true\n")
    known = {f"Country{letter}": f"City{letter}" for letter in "abcdefghijklmnopqrstuvwx"}
    Path("capitals.json").write_text(json.dumps(known))
    rows = [{"question": f"What is the famous capital of {c}?", "answers": [a]} for c, a in known.items()]
    Path("faq.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    said = ""
    for words in (
        ("run", own, "-o", "report.md", "-o", "report.html"),
        ("nightly", own),
        (),
        ("nightly", "baseline", "set"),
        ("nightly", own),
        ("run", own, "--budget", "requests=2"),
    ):
        last = (newest(recordings),) if "baseline" in words else (*flags, "--allow-code") if words else ()
        ended = botattack(*words, *last)
        said += re.sub(r"TIME-[\w.-]+-ID", newest(recordings).name, ended.out + ended.err).replace(
            "FOLDER", str(Path.cwd())
        )
        Path("capitals.json").write_text(json.dumps({**known, "Countrya": "Cityb"}))
    said += "".join(Path(name).read_text() for name in ("report.md", "report.html"))
    said += "".join(path.read_text() for path in Path(recordings).glob("2*/*.md"))
    lines = [line for line in proposed(said) if not re.search(r"CAMPAIGN|UNIT|\bRUN\b|--help", line)]
    # A command that is left half-way leaves what it read of --env-file behind.
    found = [(line, *copy_context().run(parsed, line)) for line in lines]
    assert {name for _, name, _ in found} >= {"run", "replay", "set"}
    assert any(line.startswith(f"nightly {shlex.quote(own.name)}") for line in lines)
    for line, _, given in found:
        wanted = {"env_file": Path("my own.env"), "recordings": Path(recordings), "allow_code": True}
        assert "env_file" not in given or {name: given[name] for name in wanted} == wanted, line
