"""`botattack harden`: retrain a bot on what broke it, and measure whether that helped."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import Any

import click

from botattack.cli.shared_flags import FILE, FOLDER, allow_code, env_file, outputs, recordings

EPILOG = """\b
Examples:
  botattack harden campaigns/helpdesk.yaml
  botattack harden campaigns/helpdesk.yaml -o hardened.md -o hardened.json
  botattack harden campaigns/helpdesk.yaml --resume recordings/20260101T020000Z-helpdesk-harden-1a2b3c4d

\b
What the campaign file says of it:
  harden:
    retrain: [python, train.py, "{training_set}"]
    for: mda

Exit status: 0 measured, whether or not it helped; 1 with --fail-unless-helped if it did not; 1 no question
was left to attack, or too many replies failed; 2 a file or flag is wrong, or the bot could not be retrained; 3 the bot
is unreachable, 4 a budget stopped the run, 130 interrupted. --resume continues after all but the first.
"""


@click.command(epilog=EPILOG)
@click.argument("campaign", type=FILE)
@click.option("--resume", type=FOLDER, help="Continue the hardening in this folder; shows one that is complete.")
@click.option("--wait", is_flag=True, help="If another process is asking the same bot, wait for it.")
@outputs("result", ".json .md .html")
@click.option("--fail-unless-helped", is_flag=True, help="Exit with status 1 unless the result is: retraining helped.")
@recordings
@env_file
@allow_code
def harden(campaign: Path, **flags: Any) -> int:
    """Retrain the bot of CAMPAIGN on what broke it, and measure whether that helped and what it cost.

    Audits the bot, writes a training set from one half of the questions, runs the command that the campaign names
    under harden, and asks the questions of the other half again, unchanged and with the same alterations.
    """
    from botattack.audit.hardening.hardening import Shown
    from botattack.audit.hardening.hardening import harden as perform
    from botattack.cli.view import terminal_of
    from botattack.config.campaign import load_campaign
    from botattack.report.stories.hardening import FILES, story
    from botattack.report.story.in_terminal import show

    for file in flags["outputs"]:
        FILES.check(file)
    # The report of an audit would hide that of the hardening; its progress is shown.
    shown = Shown(lambda job: terminal_of(job, flags={"as_json": True}), _say, _say if flags["wait"] else None)
    config = load_campaign(campaign, allow_code=flags["allow_code"])
    made = perform(config, flags["recordings"], flags["resume"], sys.argv[1:], shown)
    if made.found is None:
        _say(f"botattack: {made.ending.why}")
        _say(f"continue   {_again(made.folder, resumes=flags['resume'] is not None)}")
        return made.ending.exit
    show(story(made.found), sys.stdout)
    for file in flags["outputs"]:
        FILES.write(file, made.found)
    return int(flags["fail_unless_helped"] and made.found.verdict != "helped")


def _again(folder: Path, *, resumes: bool) -> str:
    """The command to paste."""
    return shlex.join(["botattack", *sys.argv[1:], *([] if resumes else ["--resume", str(folder)])])


def _say(line: str) -> None:
    click.echo(line, err=True)
