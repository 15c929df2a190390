"""`botattack harden`: retrain a bot on what broke it, and measure whether that helped."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

import click

from botattack.cli.epilogs import epilog
from botattack.cli.shared_flags import FILE, FOLDER, Output, allow_code, env_file, outputs, recordings, say


@click.command(epilog=epilog("harden"))
@click.argument("campaign", type=FILE)
@click.option("--resume", type=FOLDER, help="Continue the hardening in this folder; shows one that is complete.")
@click.option("--wait", is_flag=True, help="If another process is asking the same bot, wait for it.")
@outputs("result", ".json .md .html")
@click.option("--fail-unless-helped", is_flag=True, help="Exit with status 1 unless the result is: retraining helped.")
@recordings
@env_file
@allow_code
def harden(
    campaign: Path,
    resume: Path | None,
    *,
    wait: bool,
    outputs: tuple[Path, ...],
    fail_unless_helped: bool,
    recordings: Path,
    allow_code: bool,
) -> int:
    """Retrain the bot of CAMPAIGN on what broke it, and measure whether that helped and what it cost.

    Audits the bot, writes a training set from one half of the questions, runs the command that the campaign names
    under harden, and asks the questions of the other half again, unchanged and with the same alterations.
    """
    from botattack.audit.hardening.hardening import Shown
    from botattack.audit.hardening.hardening import harden as perform
    from botattack.audit.job import RunSettings
    from botattack.cli.view import terminal_of
    from botattack.config.campaign import load_campaign
    from botattack.report.stories.hardening import FILES, story
    from botattack.report.story.in_terminal import show

    FILES.check(*outputs)
    # The report of an audit would hide that of the hardening; its progress is shown.
    shown = Shown(lambda job: terminal_of(job, Output(as_json=True)), say, say if wait else None)
    config = load_campaign(campaign, allow_code=allow_code)
    settings = RunSettings(recordings=recordings, resume=resume, command=tuple(sys.argv[1:]))
    made = perform(config, settings, shown)
    if made.found is None:
        say(f"botattack: {made.ending.why}")
        say(f"continue   {_again(made.folder, resumes=resume is not None)}")
        return made.ending.exit
    show(story(made.found), sys.stdout)
    for file in outputs:
        FILES.write(file, made.found)
    return int(fail_unless_helped and made.found.verdict != "helped")


def _again(folder: Path, *, resumes: bool) -> str:
    """The command to paste."""
    return shlex.join(["botattack", *sys.argv[1:], *([] if resumes else ["--resume", str(folder)])])
