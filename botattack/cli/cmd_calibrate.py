"""`botattack judge calibrate`: what a bot says to nonsense, kept in its target file as its refusals."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random

import click

from botattack.cli.shared_flags import FILE, allow_code, env_file, say

EPILOG = """\b
Examples:
  botattack judge calibrate targets/helpdesk.yaml

Exit status: 0 done, 2 the file is wrong, 3 the bot is unreachable.
"""


@click.command(epilog=EPILOG, short_help="Find a bot's refusals by asking it nonsense.")
@click.argument("target", type=FILE)
@click.option(
    "--each",
    default=3,
    show_default=True,
    type=click.IntRange(1, 50),
    help="How many questions to ask of each kind of nonsense.",
)
@click.option("--seed", default=7, show_default=True, help="Decides which nonsense is asked.")
@env_file
@allow_code
def calibrate(target: Path, each: int, seed: int, allow_code: bool) -> int:
    """Ask a bot nonsense to find the sentences it says when it does not know the answer.

    Prints them as `signs` for the target file: a reply that is one of them is then graded `refused`. What the bot
    says around its answers, such as greetings, is printed as `boilerplate:`, which grading ignores. Sentences that may
    be answers are printed as comments. Read the lists and correct them by hand.
    """
    from botattack.audit.calibration import learn, nonsense, refusals_yaml
    from botattack.audit.secrets import redactor_of
    from botattack.config.target import load_target
    from botattack.resources.asked import Service

    config = load_target(target, allow_code=allow_code)
    questions = nonsense(Random(seed), each)
    say(f"asking {len(questions)} questions that make no sense")
    asked, redactor = Service(config), redactor_of(config)
    asked.confide(redactor.mask)
    replies = asked.replies([question.question.prompt for question in questions])
    said = [(question, redactor.text(reply.text)) for question, reply in zip(questions, replies, strict=True) if reply]
    learned = learn(said)
    say(f"{len(said)} of {len(questions)} questions were answered")
    for fault, times in Counter(fault.kind for fault in learned.faults).items():
        say(f"{times} of the answers could not be read and are ignored: {fault}")
    click.echo(refusals_yaml(learned), nl=False)
    return 0
