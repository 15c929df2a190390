"""`botattack run`: ask a bot, attack it, say where it breaks."""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from botattack.cli.epilogs import epilog
from botattack.cli.shared_flags import (
    READABLE,
    RUN,
    Output,
    allow_code,
    also_written,
    env_file,
    recordings,
    say,
    taken,
)

if TYPE_CHECKING:
    from botattack.audit.conduct import Waiting
    from botattack.audit.job import Job, RunSettings, Shard
    from botattack.audit.result import Result
    from botattack.audit.stage import Stage
    from botattack.config.campaign import CampaignConfig
    from botattack.config.run_keys import Changes
    from botattack.engine.ending import Ending
    from botattack.report.figures.figure_values import Figures


@dataclass(frozen=True, kw_only=True)
class RunFlags:
    """What the command line of `run` says."""

    campaign: Path | None
    target: Path | None
    questions: Path | None
    attacks: tuple[str, ...]
    format_: str
    lang: str
    allow_code: bool
    changes: Changes
    settings: RunSettings
    on: str
    wait: bool
    dry_run: bool
    output: Output


class _Resumable(click.Command):
    """`run`, whose --resume alone continues a recording with the flags that it was made with."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        # `init` runs this command too: then the words of the process are not those that repeat the run.
        ctx.obj = ("run", *args)
        return super().parse_args(ctx, args)

    def invoke(self, ctx: click.Context) -> object:
        flags = ctx.params
        if flags["resume"] and not any(flags[name] for name in ("campaign", "target", "questions", "attacks")):
            ctx.params = _as_recorded(ctx)
        return super().invoke(ctx)


def _as_recorded(ctx: click.Context) -> dict[str, object]:
    """The flags that the recording in `resume` was made with, under those that are given today.

    Raises RecordingError if its command cannot be run again as it is.
    """
    from botattack.environment import inherited
    from botattack.errors import RecordingError
    from botattack.recordings import manifest
    from botattack.report.wording.commands import command

    flags, folder = ctx.params, ctx.params["resume"]
    made = manifest.read(folder)
    name, *words = "nightly" if made.is_night else "run", "CAMPAIGN", "--resume", str(folder)
    on = command(name, *words, flags=inherited(made.command))
    again = f"name the campaign: {on}"
    if made.is_night:
        raise RecordingError(f"{folder} is a night; continue it with {on}")
    if made.command[:1] != ["run"]:
        raise RecordingError(f"{folder} was not made by botattack run; {again}")
    try:
        then = ctx.command.make_context("run", list(made.command[1:]), parent=ctx.parent)
    except click.UsageError as error:
        said = error.format_message().rstrip(".")
        raise RecordingError(
            f"{folder} cannot be continued as it was made ({said}); go to the folder it was made in, or {again}"
        ) from None
    ctx.call_on_close(then.close)
    sources = {name: ctx.get_parameter_source(name) for name in flags}
    given = {name for name, source in sources.items() if source not in (ParameterSource.DEFAULT, None)}
    return {**then.params, **{name: flags[name] for name in given}, "resume": folder}


def _shard(_: click.Context, __: click.Parameter, text: str) -> Shard:
    match = re.fullmatch(r"(\d{1,6})/(\d{1,6})", text or "1/1", re.ASCII)
    part, parts = (int(match[1]), int(match[2])) if match else (0, 0)
    if not 1 <= part <= parts:
        raise click.BadParameter(f"{text!r} is not a part of the run; write it like 2/4", param_hint="--shard")
    return part, parts


@click.command(cls=_Resumable, epilog=epilog("run"))
@click.argument("campaign", required=False, type=READABLE)
@click.option("-t", "--target", type=READABLE, help="The target file of the bot, if no campaign is given.")
@click.option("-q", "--questions", type=READABLE, help="The question file (or a pipe), if no campaign is given.")
@click.option("-a", "--attack", "attacks", multiple=True, help="An attack: NAME or NAME:option=value,… (repeatable).")
@click.option("--format", "format_", default="", help="The format of the question file.  [default: detected]")
@click.option("--lang", default="", help="The questions' language if the file names none.  [default: by their words]")
@click.option("-n", "--limit", type=click.IntRange(1), help="Ask at most this many questions, sampled by --seed.")
@click.option("--seed", type=int, help="Decides every random choice: same seed, same run.")
@click.option("--rate", default="", help="The most requests per time: 5/s, 300/min, or unlimited.")
@click.option("-j", "--concurrency", type=click.IntRange(1), help="How many conversations may be open at once.")
@click.option("--budget", default="", help="Stop after N requests, or at requests=N,seconds=S,cost=C.")
@click.option("--fail-fast", is_flag=True, help="Stop the run as soon as one answer is broken.")
@click.option("--stop-when-sure", is_flag=True, help="Stop the run as soon as every gate is decided.")
@click.option("--ask-unsure", is_flag=True, help="Also ask variants whose meaning is unsure; they count separately.")
@click.option("--resume", type=RUN, help="Continue the stopped run recorded in this folder.")
@click.option("--retry-errors", is_flag=True, help="With --resume: repeat what ended in an error.")
@click.option(
    "--shard",
    default="",
    callback=_shard,
    metavar="I/N",
    help="Ask only part I of N of the questions, at 1/N of the rate.",
)
@click.option("--on", default="", metavar="WORKERS", help="Run on several processes: local:4.")
@click.option("--wait", is_flag=True, help="If another process is asking the same bot, wait for it.")
@also_written
@recordings
@env_file
@allow_code
@click.option("--dry-run", is_flag=True, help="Show what would be asked, and ask nothing.")
def run(**flags: Any) -> int:
    """Ask a bot your questions, attack those it answers correctly, and report where it breaks.

    Give a CAMPAIGN file, or -t, -q and -a instead.
    """
    if flags["target"] and flags["questions"] and flags["attacks"] and not flags["campaign"]:
        # A wrong target file is refused before all of a run is imported.
        from botattack.config.target import load_target

        load_target(flags["target"], allow_code=flags["allow_code"])
    from botattack.audit.job import RunSettings
    from botattack.cli.view import check_outputs
    from botattack.config.run_keys import Changes

    settings = replace(taken(RunSettings, flags), command=click.get_current_context().obj)
    asked = RunFlags(changes=taken(Changes, flags), settings=settings, **flags)
    check_outputs(asked.output)
    campaign = _campaign(asked)
    if asked.dry_run:
        from botattack.audit.beforehand.dryrun import describe

        click.echo(describe(campaign, settings.shard))
        return 0
    return _performed(_prepared(campaign, asked), asked)


def _prepared(campaign: CampaignConfig, asked: RunFlags) -> Job:
    from botattack.audit.file_changes import changed
    from botattack.audit.job import prepare
    from botattack.report.numbers import count

    job, resume = prepare(campaign, asked.settings), asked.settings.resume
    if resume and (since := changed(campaign, resume, job.shard)):
        more = ", and what was added is asked now" if "added" in since else ""
        say(f"questions changed since: {since}; what was asked stays as it was until a new run{more}")
    if asked.settings.retry_errors:
        say(f"{count(job.retried, 'asking')} that ended in an error will be asked again")
    return job


def _performed(job: Job, asked: RunFlags) -> int:
    """Runs the job, shows it, and gives its exit status."""
    from botattack.audit.conduct import conduct
    from botattack.audit.stage import Stage
    from botattack.cli.view import terminal_of, write_outputs

    with terminal_of(job, asked.output) as view:
        stage, waiting = Stage(job, [view]), say if asked.wait else None
        if asked.on and _is_for_workers(job):
            ending, result = _led(stage, asked.on, waiting)
        else:
            ending = conduct(stage, waiting=waiting)
            result = stage.result()
        view.finish(result.figures, result.findings)
    write_outputs(result.material, asked.output)
    if not asked.output.quiet:
        say(f"\nrecording  {job.folder}")
        if stage.skipped:
            say(f"skipped    {stage.skipped}")
        _propose_gates(job, result.figures)
    if ending.exit:
        say(f"botattack: {ending.why}")
    if flags_to_go_on := _to_go_on(ending.exit, result.figures):
        say(f"continue   {_again(asked.settings.command, job, flags_to_go_on)}")
    return ending.exit


def _propose_gates(job: Job, figures: Figures) -> None:
    """After the first run of a campaign without gates, says which line would keep what was seen."""
    from botattack.report.figures.gates import proposed

    path, others = job.campaign.path, (each for each in job.folder.parent.iterdir() if each != job.folder)
    shown, line = proposed(figures)
    if path and line and not job.campaign.gates and not any(each.is_dir() for each in others):
        say(f"gates      none are set; this line in {path} fails a run that is clearly worse than this one")
        say(f"           ({shown}):\n{line}")


def _is_for_workers(job: Job) -> bool:
    """Whether workers can go on with it; says so if not."""
    from botattack.audit.fleet.leading import is_for_workers

    if not (for_workers := is_for_workers(job)):
        say(f"{job.folder} has nothing left for workers: this process continues it alone")
    return for_workers


def _led(stage: Stage, on: str, waiting: Waiting | None) -> tuple[Ending, Result]:
    """The same on workers."""
    from botattack.audit.fleet.leading import lead, result_of
    from botattack.interrupts import hearing_interrupts

    stopped = Event()
    with hearing_interrupts(lambda _: stopped.set()):
        ending = lead(stage, on, waiting=waiting, interrupted=stopped.is_set)
    return ending, result_of(stage)


def _to_go_on(status: int, figures: Figures) -> list[str]:
    """The flags that continue a run that did not finish, or lost too much on the way."""
    questions = figures.questions
    # A bot that was never right before it went away may say the same to everything: that would end it again.
    if status in (4, 130) or (status == 3 and questions.kept and not figures.outage):
        return ["--resume"]
    silent = figures.unanswered.rises
    return ["--retry-errors", "--resume"] if status == 1 and figures.failures and not silent else []


def _again(words: tuple[str, ...], job: Job, flags: list[str]) -> str:
    """The command to paste: the same flags."""
    kept: list[str] = []
    for before, word in pairwise(["", *words]):
        resumes = word == "--retry-errors" or word.startswith("--resume=") or "--resume" in (word, before)
        if not resumes:
            kept.append(word)
    return shlex.join(["botattack", *kept, *flags, str(job.folder)])


def _campaign(asked: RunFlags) -> CampaignConfig:
    from botattack.config.campaign import load_campaign
    from botattack.config.flags import campaign_from_flags, with_flags
    from botattack.questions.files import at_rest

    _check_together(asked)
    code = asked.allow_code
    if asked.campaign:
        return with_flags(load_campaign(asked.campaign, allow_code=code), asked.changes)
    assert asked.target and asked.questions  # noqa: S101, PT018  # refused otherwise
    questions = click.get_current_context().with_resource(at_rest(asked.questions))
    campaign = campaign_from_flags(
        asked.target, questions, asked.attacks, format=asked.format_, lang=asked.lang, allow_code=code
    )
    piped = replace(campaign, questions=replace(campaign.questions, pipe=asked.questions))
    return with_flags(piped, asked.changes)


def _check_together(asked: RunFlags) -> None:
    """Flags that do not go together are refused before anything is read."""
    _check_named(asked)
    if asked.on and asked.settings.shard != (1, 1):
        raise click.UsageError("--on and --shard do not go together; leave one out")
    if asked.on and not asked.campaign:
        raise click.UsageError("--on runs a campaign file on all workers: name one")
    if asked.settings.retry_errors and not asked.settings.resume:
        raise click.UsageError("--retry-errors asks again what a recording says went wrong: name it with --resume")


def _check_named(asked: RunFlags) -> None:
    """A campaign is named by its file, or by flags that say all of it."""
    by_flags = {"-t TARGET": asked.target, "-q QUESTIONS": asked.questions, "-a ATTACK": asked.attacks}
    lacks = [flag for flag, value in by_flags.items() if not value]
    if asked.campaign and len(lacks) < len(by_flags):
        raise click.UsageError("a campaign file names its target, questions and attacks: leave out -t, -q and -a")
    if asked.campaign and (asked.format_ or asked.lang):
        raise click.UsageError("a campaign file says how its questions are read: write format and lang under questions")
    if not asked.campaign and lacks:
        if len(lacks) < len(by_flags):
            missing = f"; {', '.join(lacks)} is missing"
        else:
            from botattack.cli.here import here

            missing = f"\n{here()}"
        raise click.UsageError(f"name a campaign file, or all of -t TARGET, -q QUESTIONS and -a ATTACK{missing}")
