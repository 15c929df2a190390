"""Arguments and options that several commands have."""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial, wraps
from inspect import signature
from pathlib import Path
from typing import Any, TypeVar

import click

T = TypeVar("T")
Flags = dict[str, Any]
"""What a command was given, by the names of its parameters; click has checked it."""


class There(click.Path):
    """A path to what must be there; of a misspelt one, the nearest is named."""

    def __init__(self, *, file_okay: bool = True, dir_okay: bool = True) -> None:
        super().__init__(exists=True, file_okay=file_okay, dir_okay=dir_okay, path_type=Path)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        from botattack.errors import nearest_path

        try:
            return super().convert(value, param, ctx)
        except click.BadParameter as error:
            hint = nearest_path(os.fsdecode(value))
            self.fail(f"{error.message.rstrip('.')} ({hint})" if hint else error.message, param, ctx)


READABLE = There()
FILE = There(dir_okay=False)
FOLDER = There(file_okay=False)


class _Recording(There):
    """A folder of a recording, not that of one lease of a run."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        from botattack.recordings.manifest import refuse_part

        refuse_part(folder := Path(os.fsdecode(super().convert(value, param, ctx))))
        return folder


class _Read(_Recording):
    """The same for commands that say what is in it: they end with a warning if it is not what was sealed."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        folder = super().convert(value, param, ctx)
        if ctx and not ctx.resilient_parsing:
            ctx.call_on_close(partial(_warn_of_changes, folder))
        return folder


def _warn_of_changes(recording: Path) -> None:
    from botattack.errors import RecordingError
    from botattack.recordings import sealing
    from botattack.report.escape import visible
    from botattack.report.wording.commands import command

    # A run that has not ended has no seal, and a command that failed has said why.
    if sys.exc_info()[0] or not (recording / sealing.NAME).exists():
        return
    try:
        wrong = sealing.verify(recording).wrong
    except RecordingError as error:
        wrong = [str(error)]
    if wrong:
        what = f"{recording} is not what was sealed when the run ended: {wrong[0]}"
        say(f"warning: {visible(what, 1000)}; see {command('verify', str(recording))}")


SEALED = _Recording(file_okay=False)
RUN = _Read(file_okay=False)
NEW_FILE = click.Path(dir_okay=False, path_type=Path)
NEW_FOLDER = click.Path(file_okay=False, path_type=Path)


def once(_: click.Context, __: click.Parameter, paths: tuple[Path, ...]) -> tuple[Path, ...]:
    """Several files or folders, each named once, by whatever path: what is read twice would count twice."""
    from botattack.errors import BotattackError

    if twice := [path for path in paths if [each.resolve() for each in paths].count(path.resolve()) > 1]:
        raise BotattackError(f"{twice[-1]} is named twice; name it once")
    return paths


allow_code = click.option("--allow-code", is_flag=True, help="Allow the files to run code.")
recordings = click.option(
    "--recordings",
    type=NEW_FOLDER,
    default=Path("recordings"),
    show_default=True,
    help="The folder of recordings and baselines.",
)
_WRITTEN = (
    click.option(
        "-o",
        "--output",
        "outputs",
        multiple=True,
        type=click.Path(path_type=Path, allow_dash=True),
        help="Also write a report: .html .md .json .csv .xml, or - for JSON on standard output.",
    ),
    click.option("--json", "as_json", is_flag=True, help="Print the figures as JSON instead of the report."),
    click.option("--bom", is_flag=True, help="Begin .csv with a byte order mark, for Excel."),
    click.option("--raw", is_flag=True, help="Write texts into .csv as they are, for programs."),
    click.option("--quiet", is_flag=True, help="Print only errors, and JSON if you asked for it."),
)
STDOUT = Path("-")


def outputs(what: str, endings: str) -> Callable[[Callable[..., Any]], Callable[..., object]]:
    """`-o`, for files of what a command finds."""
    written = click.Path(path_type=Path)
    shown = f"Also write the {what} to this file: {endings}."
    return click.option("-o", "--output", "outputs", multiple=True, type=written, help=shown)


@dataclass(frozen=True)
class Output:
    """What is written and printed of a run."""

    outputs: tuple[Path, ...] = ()
    as_json: bool = False
    bom: bool = False
    raw: bool = False
    quiet: bool = False

    @property
    def files(self) -> tuple[Path, ...]:
        return tuple(path for path in self.outputs if path != STDOUT)

    @property
    def is_json(self) -> bool:
        """Whether standard output is for JSON alone."""
        return self.as_json or STDOUT in self.outputs


def also_written(command: Callable[..., object]) -> Callable[..., object]:
    """Options for what is written and printed of a run, which the command gets as its `output`."""

    @wraps(command)
    def with_output(**flags: object) -> object:
        output = taken(Output, flags)
        return command(**flags, output=output)

    for option in reversed(_WRITTEN):
        with_output = option(with_output)
    return with_output


def taken(kind: Callable[..., T], flags: dict[str, object]) -> T:
    """Takes the flags that are fields of a dataclass out of all flags, and gives them as one value."""
    return kind(**{name: flags.pop(name) for name in signature(kind).parameters if name in flags})


def say(line: str) -> None:
    """Prints what is not the result of a command, such as where the recording is."""
    click.echo(line, err=True)


def say_wait(why: str, seconds: float) -> None:
    """Says at once why nothing is sent for a while."""
    if seconds:  # a pace that was learned is no wait
        say(f"waits      {seconds:g} s: {why}")


def say_ended(recording: Path, status: int, why: str, again: str = "", *, quiet: bool = False) -> None:
    """Says where the recording of a run is, why it ended so, and the command that continues it."""
    if not quiet:
        say(f"\nrecording  {recording}")
    if status:
        say(f"botattack: {why}")
    if again:
        say(f"continue   {again}")


def continuing(status: int, folder: Path, *, resumes: bool) -> str:
    """The command to paste after a run that can be continued: the same, with its recording."""
    again = [] if resumes else ["--resume", str(folder)]
    return shlex.join(["botattack", *sys.argv[1:], *again]) if status in (3, 4, 130) else ""


ENV_FILE = "botattack.env_file"
"""Where a command remembers the file that --env-file named, for commands that it prints."""


def _read_env_file(ctx: click.Context, _: click.Parameter, path: Path | None) -> None:
    """Sets what the file says for as long as the command runs; what the environment says already wins."""
    if path is None:
        return
    ctx.meta[ENV_FILE] = path
    from dotenv.parser import parse_stream

    from botattack import environment
    from botattack.errors import BotattackError

    found = dict[str, str]()
    try:
        with path.open(encoding="utf-8-sig") as lines:
            for each in parse_stream(lines):
                if each.error or (each.key and each.value is None):
                    text = each.original.string
                    line = each.original.line + text[: len(text) - len(text.lstrip())].count("\n")
                    # The line is not shown: it may be a secret.
                    raise BotattackError(f"{path}:{line}: this line is not NAME=value; write it so")
                if each.key:
                    found[each.key] = each.value or ""
    except UnicodeDecodeError:
        raise BotattackError(f"{path} is not UTF-8; save it as UTF-8, with lines NAME=value") from None
    new = {name: value for name, value in found.items() if name not in os.environ}
    token = environment.READ.set(f"{path} has {', '.join(found) or 'no name'}")
    ctx.call_on_close(lambda: environment.READ.reset(token))
    os.environ.update(new)
    ctx.call_on_close(lambda: [os.environ.pop(name, None) for name in new])


env_file = click.option(
    "--env-file",
    type=FILE,
    callback=_read_env_file,
    expose_value=False,
    help="Read environment variables from this file, one NAME=value per line.",
)
