"""`botattack judge review`: pages on which people read a run, and their answers collected; `judge golds`: right answers
proposed from a bot's own replies, and what people say of them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from botattack.cli.epilogs import epilog
from botattack.cli.shared_flags import FILE, NEW_FILE, NEW_FOLDER, RUN, Flags, once

if TYPE_CHECKING:
    from botattack.audit.reviewing.collecting import Collected
    from botattack.events import AskedOf

MOST_READERS = 50


def _readers(_: click.Context, __: click.Parameter, value: str) -> tuple[str, ...] | int:
    """A number, or names."""
    if value.isdecimal():
        if not 1 <= len(value) <= 3 or not 1 <= int(value) <= MOST_READERS:
            raise click.BadParameter(f"{value} is not a number from 1 to {MOST_READERS}")
        return int(value)
    names = tuple(dict.fromkeys(name.strip() for name in value.split(",")))
    if bad := [name for name in names if not _plain(name)]:
        raise click.BadParameter(f"{bad[0]!r} cannot name a reader; use letters, digits and . _ -")
    if len(names) > MOST_READERS:
        raise click.BadParameter(f"{len(names)} are too many; use {MOST_READERS} at most")
    return names


def _plain(name: str) -> bool:
    """Whether it can be a part of the name of a file."""
    return 0 < len(name) <= 40 and name[0].isalnum() and all(sign.isalnum() or sign in "._-" for sign in name)


def _group(_: click.Context, __: click.Parameter, value: str) -> str:
    if value and not _plain(value):
        raise click.BadParameter(f"{value!r} cannot name a group; use letters, digits and . _ -")
    return value


@click.command(epilog=epilog("review"), short_help="Let people read a run; collect their answers.")
@click.argument("folder", type=RUN)
@click.argument("files", type=FILE, nargs=-1, callback=once, metavar="[ANSWERS]...")
@click.option(
    "--ask",
    type=click.Choice(["meaning", "comprehension", "verdict", "preference", "scale"]),
    help="What readers are asked of each item.  [default: meaning]",
)
@click.option(
    "--readers",
    default="3",
    show_default=True,
    callback=_readers,
    help=f"How many readers, 1 to {MOST_READERS}, or their names: anna,ben.",
)
@click.option(
    "--items",
    type=click.IntRange(1, 2000),
    default=150,
    show_default=True,
    help="How many variants (altered questions) each reader gets.",
)
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Another seed picks other items.")
@click.option("--group", default="", callback=_group, help="What kind of readers these are, such as native.")
@click.option("-o", "--output", type=NEW_FOLDER, help="Where the pages are written.  [default: review-ASK]")
@click.option("--collect", "collecting", is_flag=True, help="Check ANSWERS and write them into the recording.")
@click.option("--partial", is_flag=True, help="With --collect: also accept incomplete answers.")
def review(folder: Path, files: tuple[Path, ...], ask: AskedOf | None, collecting: bool, **flags: Any) -> None:
    """Let people judge what a run asked, and what the bot replied.

    Writes one page for each reader. It opens in any browser, is answered with the keys 1, 2 and 3, and saves a file.
    Collect these files into the recording, and reports show what readers say.
    """
    if collecting != bool(files):
        raise click.UsageError("--collect and files of answers go together: --collect answers-*.json")
    if collecting:
        from botattack.audit.reviewing.collecting import collect

        _summary(folder, collect(folder, files, ask, partial=flags["partial"]))
        return
    if flags["partial"]:
        raise click.UsageError("--partial belongs to --collect")
    _write(folder, ask or "meaning", flags)


def _write(folder: Path, ask: AskedOf, flags: Flags) -> None:
    from botattack.audit.reviewing.planning import ReviewSettings, planned
    from botattack.recordings import reviews
    from botattack.report.numbers import count
    from botattack.report.statistics.powered import LABELS
    from botattack.report.writers import review_files

    group, named = flags["group"], flags["readers"]
    readers = named if isinstance(named, tuple) else tuple(f"{group or 'reader'}-{at}" for at in range(1, named + 1))
    made = planned(folder, ReviewSettings(ask, readers, flags["items"], flags["seed"], group))
    kept = reviews.write(folder, made)
    into = flags["output"] or Path(f"review-{ask}")
    paths = [review_files.write(into, made, reader) for reader in readers]
    units, repeats, known = (sum(item.role == role for item in made.items) for role in ("item", "repeat", "known"))
    checks = f"{repeats} of them twice, and {known} more with a known answer"
    click.echo(f"{count(units, 'item')} for {count(len(readers), 'reader')}, {checks}")
    if made.ask == "verdict" and units < LABELS:
        click.echo(f"labels correct a rate from {LABELS} graded replies on; these are fewer")
    if units < flags["items"]:
        click.echo(f"the run has no more than {units} of the {flags['items']} items asked for")
    for path in paths:
        click.echo(path)
    click.echo(f"what the answers mean is in {kept}: keep it there, and do not show it to readers")


def _summary(folder: Path, found: Collected) -> None:
    from botattack.recordings.triage import marked_events
    from botattack.report.numbers import count
    from botattack.report.wording.commands import command
    from botattack.report.wording.reader_words import lines
    from botattack.report.writers.material import material

    before = f"; {found.before:,} were there already" if found.before else ""
    click.echo(f"{count(found.added, 'reading')} added to {folder}{before}")
    if found.elsewhere:
        click.echo(f"{count(found.elsewhere, 'label')} left out: this run did not ask those units")
    for line in lines(material(lambda: marked_events(folder)).figures):
        click.echo(line)
    click.echo(f"a report in a file shows all of this: {command('replay', str(folder), '-o', 'report.html')}")


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

    # What people decided or answered is in no other place.
    if output.exists() and (collect is None or output.samefile(collect)):
        raise click.UsageError(f"{output} is there already and may have decisions; name another file with -o")
    if collect is None:
        found = proposing.proposals(folder)
        proposing.write_table(output, found)
        proposed = sum(bool(row["proposed"]) for row in found)
        click.echo(
            f"{count(len(found), 'question')} without a right answer that the bot answers alike each time, "
            f"{proposed:,} of them with a proposed one: {output}"
        )
        return
    rows = [*proposing.decided(folder, collect)]
    write_suite(output, rows)
    known = sum("answers" in (row.get("turns") or [row])[-1] for row in rows)
    lacks = f"; the run did not come to {left:,} more" if (left := proposing.unasked(folder)) else ""
    click.echo(f"{count(len(rows), 'question')}, {known:,} with a right answer: {output}{lacks}")
