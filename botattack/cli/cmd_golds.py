"""`botattack judge golds`: right answers proposed from a bot's own replies, and what people say of them."""

from __future__ import annotations

from pathlib import Path

import click

from botattack.cli.epilogs import epilog
from botattack.cli.shared_flags import FILE, NEW_FILE, RUN


@click.command(epilog=epilog("golds"), short_help="Propose right answers from a bot's own replies.")
@click.argument("folder", type=RUN, metavar="RUN")
@click.option("--collect", type=FILE, metavar="TABLE", help="The table with people's decisions.")
@click.option(
    "-o", "--output", type=NEW_FILE, required=True, help="The table, or with --collect the question file, to write."
)
def golds(folder: Path, collect: Path | None, output: Path) -> None:
    """Propose a right answer for each question of a run that has none.

    A run asks such a question three times, in new sessions. Where the replies say the same, what they claim is
    proposed, with a probability. Write yes or no into the column `decision` of the table, and correct `proposed` where
    it is wrong; most asked and least sure questions come first. --collect then makes a question file: `yes` gives a
    question its answer, `no` drops it, and what is left open is still compared with the bot's own reply.
    """
    from botattack.audit.reviewing import golds as proposing
    from botattack.audit.starting.logs.suite import write_suite
    from botattack.report.numbers import count

    if collect is None:
        found = proposing.proposals(folder)
        proposing.write_table(output, found)
        proposed = sum(bool(one.claim) for one in found)
        click.echo(
            f"{count(len(found), 'question')} without a right answer; {proposed:,} have a proposed one: {output}"
        )
        return
    rows = [*proposing.decided(folder, collect)]
    write_suite(output, rows)
    known = sum("answers" in (row.get("turns") or [row])[-1] for row in rows)
    click.echo(f"{count(len(rows), 'question')}, {known:,} with a right answer: {output}")
