"""The command line. `botattack --help` imports nothing but click; each command is imported when it is named."""

from __future__ import annotations

import atexit
import gc
import os
import sys
import warnings
from contextlib import nullcontext
from importlib import import_module

import click

from botattack.cli.epilogs import epilog
from botattack.errors import BotattackError, nearest, our_fault, reason
from botattack.interrupts import ended_as_interrupted
from botattack.report.printing import guarded
from botattack.version import __version__

SECTIONS = {
    "Start": {
        "init": ("cmd_init:init", "Start here: write a target file and a first campaign for your bot."),
        "check": ("cmd_check:check", "Try a target file: send a few messages and show every step."),
        "attacks": ("cmd_attacks:attacks", "List the attacks, describe one, try it on a sentence."),
    },
    "Attack and read": {
        "run": ("cmd_run:run", "Attack a bot and report where it breaks."),
        "replay": ("cmd_replay:replay", "Read a recorded run: grade it again, write reports of it."),
        "shrink": ("cmd_further:shrink", "Find the smallest edits that still break the bot."),
        "why": ("cmd_further:why", "Find out why a bot fails: the cause of each failure."),
        "view": ("cmd_view:view", "Look at recordings in a browser; mark and settle what they found."),
        "compare": ("cmd_compare:compare", "Compare two runs of one bot, or several bots."),
        "play": ("cmd_play:play", "Let two bots play a game while their messages are altered."),
    },
    "Watch": {
        "nightly": ("cmd_nightly:nightly", "Ask a baseline's questions every night; report what got worse."),
    },
    "People and judge": {
        "mark": ("cmd_mark:mark", "Mark a finding as a wrong grade, a bad variant, or accepted."),
        "judge": ("cmd_judge:judge", "Explain a grade, let people read replies, teach the judge."),
    },
    "Keep what broke": {
        "export": ("cmd_export:export", "Write training sets from what a run found."),
        "harden": ("cmd_harden:harden", "Retrain a bot on what broke it, and measure whether that helped."),
    },
    "Files and parts": {
        "merge": ("cmd_merge:merge", "Join the parts of a run made with --shard into one."),
        "verify": ("cmd_verify:verify", "Check that a recording is unchanged, and who signed it."),
        "schema": ("cmd_files:schema", "Print the JSON Schema of target, campaign or games files."),
        "resources": ("cmd_resources:resources", "List the language parts that attacks need; download them."),
        "targets": ("cmd_files:targets", "List target files, make one for a web page, log in to it."),
    },
}
"""The commands by what a person wants: name -> where it is in this package, and its line in the help."""
COMMANDS = {name: where for section in SECTIONS.values() for name, (where, _) in section.items()}
RENAMED = {
    "baseline": "nightly baseline",
    "calibrate": "check TARGET --ask 'What is a florbel?'; write what it says into signs: {refused: […]}",
    "diff": "compare",
    "report": "replay RUN --as-recorded -o report.html",
    "review": "judge review",
    "schedule": "nightly schedule",
    "trend": "nightly trend",
}
"""Commands as they were once called."""
GONE = {
    "compare --gates": "give the gates to the run or the night",
    "export --unsupported": "variants whose passages no longer have the answer are left out",
    "judge calibrate": f"botattack {RENAMED['calibrate']}",
    "judge explain --format": "botattack.judge is there for programs",
    "judge review --as": "readers answer on pages",
    "mark --list": "triage.yaml lists all marks",
    "nightly run --keep-days": "use --keep-nights",
    "nightly schedule --tz": "--at is in the time zone of the machine, for CI in UTC",
    "nightly trend --question": "use --bisect",
    "nightly trend --suite": "it shows the suite of the newest night",
    "play --game": "events.jsonl in the recording has every message",
    "run --trace": "a failed page leaves a screenshot, and botattack check shows each step",
    "targets discover --force": "move the file away, or name another",
    "targets discover --name": "change the name in the file",
    "targets trust": "add --allow-code to each command that runs code",
}
"""What went, and what to do instead."""


class LazyGroup(click.Group):
    """Commands that are imported when they are used."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        del ctx
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        del ctx
        if cmd_name not in COMMANDS:
            return None
        module, _, attribute = COMMANDS[cmd_name].partition(":")
        command: click.Command = getattr(import_module(f"{__name__}.{module}"), attribute)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Names the nearest command if there is none of that name."""
        if args[0] in RENAMED:
            ctx.fail(f"{args[0]!r} is now: botattack {RENAMED[args[0]]}")
        if args[0] not in COMMANDS:
            ctx.fail(f"there is no command {args[0]!r}; {nearest(args[0], COMMANDS)}")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The lines are here, so that help imports no command."""
        del ctx
        for section, commands in SECTIONS.items():
            with formatter.section(section):
                formatter.write_dl([(f"{name:9}", line) for name, (_, line) in commands.items()])


COMPLETES = "_BOTATTACK_COMPLETE"
"""What a shell sets that asks for completions."""


@click.command(
    cls=LazyGroup,
    invoke_without_command=True,
    epilog=epilog("botattack"),
    # Printing strips nothing: what is not ours is shown as it is, escaped (`report/printing.py`).
    context_settings={"help_option_names": ["-h", "--help"], "auto_envvar_prefix": "BOTATTACK", "color": True},
)
@click.version_option(__version__, prog_name="botattack")
@click.pass_context
def commands(ctx: click.Context) -> None:
    """Attack live chatbots from the outside and measure where they break."""
    if ctx.invoked_subcommand is None:
        from botattack.cli.here import here

        click.echo(here())


def main(arguments: list[str] | None = None) -> object:
    """Runs a command and ends the process with its exit status; no traceback reaches a user."""
    # At 700 objects, a twelfth of a start is the collector going through what stays; a run makes few cycles.
    gc.set_threshold(200_000)
    # Python's last collections would go through all that ends with the process anyway: a tenth of the shortest command.
    atexit.register(gc.freeze)
    # What a shell completes is written as bytes, and consists of our own words alone.
    with ended_as_interrupted(), nullcontext() if COMPLETES in os.environ else guarded():
        status = _status(arguments)
    sys.exit(status if isinstance(status, int) else 0)


def _status(arguments: list[str] | None) -> object:
    """What the command returns, or the exit status of what it raised, once that is printed."""
    try:
        _supported()
        _readable(sys.argv[1:] if arguments is None else arguments)
        with warnings.catch_warnings():
            # Of a cookie that it cannot read, the library's reader shows a traceback before it passes it over.
            warnings.filterwarnings("ignore", module=r"http\.cookiejar")
            return commands.main(args=arguments, prog_name="botattack", complete_var=COMPLETES, standalone_mode=False)
    except BotattackError as error:
        return _told(str(error), error.exit_status)
    except click.ClickException as error:
        if isinstance(error, click.UsageError) and (told := _instead(error)):
            error = click.UsageError(told, error.ctx)
        error.show()
        return 2
    except (click.exceptions.Abort, KeyboardInterrupt):
        return _told("interrupted", 130)
    except Exception as error:
        return _told(_of_disk(error) or our_fault(error), 2)


def _instead(error: click.UsageError) -> str:
    """What to write instead of a command or an option that went, or is a key of files; empty for any other error."""
    path, said = (error.ctx.command_path.partition(" ")[2] if error.ctx else ""), error.format_message()
    for name, instead in GONE.items():
        if f"{path} " == name[: len(path) + 1] and f" '{name[len(path) + 1 :]}'" in said:
            return f"'{name}' is gone: {instead}"
    if path == "run" and "unexpected extra argument" in said:
        return f"{said.rstrip('.')}: a run has one campaign file; run each by itself"
    if isinstance(error, click.NoSuchOption) and _is_key(error.option_name):
        return f"No such option '{error.option_name}': it is a key of campaign files; write it there."
    if (param := getattr(error, "param", None)) and isinstance(param.type, click.Choice):
        near = nearest(said.partition(": '")[2].partition("'")[0], param.type.choices)
        return f"{said.rstrip('.')}; {near}" if near.startswith("did") else ""
    return ""


def _is_key(option: str) -> bool:
    """Whether campaign files have a key of this name, at their top or one level below."""
    from botattack.config.campaign import CampaignFile
    from botattack.config.checking import keys_at, validator_schema

    top = keys_at(schema := validator_schema(CampaignFile), ())
    known = {*top, *(key for name in ("questions", "variants") for key in keys_at(schema, (name,)))}
    return option.lstrip("-").replace("-", "_") in known


def _of_disk(error: Exception) -> str:
    """What the system said of a file that it names, whatever was to be done with it; empty for any other exception."""
    if not isinstance(error, OSError) or error.filename is None:
        return ""
    return f"{os.fsdecode(error.filename)} cannot be used: {reason(error)}; check its path and its disk"


def _told(sentence: str, status: int) -> int:
    click.echo(f"botattack: {sentence}", err=True, color=True)
    return status


def _supported() -> None:
    """Raises BotattackError on a system whose files cannot be locked as recordings are."""
    if os.name != "posix":
        raise BotattackError("botattack runs on Linux and macOS; on Windows, install and run it inside WSL")


def _readable(arguments: list[str]) -> None:
    """Raises BotattackError for an argument whose bytes are no text: no bot could be sent it, no file hold it."""
    for number, argument in enumerate(arguments, 1):
        try:
            argument.encode()
        except UnicodeEncodeError:
            raise BotattackError(f"argument {number} is not UTF-8: {argument!a}; write it in UTF-8") from None
