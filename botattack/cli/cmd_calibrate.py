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
  botattack judge calibrate targets/helpdesk.yaml --write

Exit status: 0 done, 2 the file is wrong or cannot be added to, 3 the bot is unreachable.
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
@click.option("--write", is_flag=True, help="Add them to the target file instead of printing them.")
@env_file
@allow_code
def calibrate(target: Path, each: int, seed: int, write: bool, allow_code: bool) -> int:
    """Ask a bot nonsense to find the sentences it says when it does not know the answer.

    Prints them as `signs` for the target file: a reply that is one of them is then graded `refused`. What the bot
    says around its answers, such as greetings, is printed as `boilerplate:`, which grading ignores. Sentences that may
    be answers are printed as comments. Read the lists and correct them by hand.
    """
    from botattack.audit.calibration import ABOUT, added, learn, nonsense, refusals_yaml
    from botattack.audit.secrets import redactor_of
    from botattack.config.target import load_target
    from botattack.files import write_whole
    from botattack.resources.asked import Service

    config = load_target(target, allow_code=allow_code)
    if write:
        text = target.read_text(encoding="utf-8-sig")
        for of in ABOUT:
            added(text, [], target, of)  # a file that cannot be added to is refused before anything is asked
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
    if not write:
        click.echo(refusals_yaml(learned), nl=False)
        return 0
    new = [sentence for sentence in learned.refusals if sentence not in config.refusals]
    around = [sentence for sentence in learned.around if sentence not in (config.boilerplate or ())]
    # Read again: somebody may have changed the file while the bot was asked.
    text = added(target.read_text(encoding="utf-8-sig"), new, target)
    write_whole(target, added(text, around, target, "boilerplate").encode())
    click.echo(f"{target}: {len(new)} new refusals; correct them by hand")
    if around:
        click.echo(f"{len(around)} new sentences of boilerplate: delete what answers anything")
    if left := len(learned.perhaps) - len(learned.around):
        click.echo(f"left out: {left} that may be a greeting or an answer; see them without --write")
    return 0
