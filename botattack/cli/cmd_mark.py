"""`botattack mark`: what people think of a finding, for every report and night to come."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from botattack.cli.epilogs import epilog
from botattack.cli.shared_flags import FOLDER, RUN

if TYPE_CHECKING:
    from botattack.events import MarkKind


@click.command(epilog=epilog("mark"))
@click.argument("what", metavar="[UNIT_OR_RUN]", default="")
@click.argument(
    "kind", metavar="[MARK]", required=False, type=click.Choice(["wrong-verdict", "bad-variant", "accepted", "settled"])
)
@click.option("--why", default="", help="The reason, which every report shows; required to mark.")
@click.option("--by", default="", help="Who marks it.")
@click.option(
    "--label",
    type=click.Choice(["correct", "wrong", "refused"]),
    help="With wrong-verdict or settled: the right grade.  [default: the opposite of a wrong one]",
)
@click.option(
    "--from", "run", type=RUN, help="The run that has UNIT; --undo then heeds its bot alone.  [default: the newest]"
)
@click.option("--recordings", type=FOLDER, default=Path("recordings"), show_default=True, help="Where triage.yaml is.")
@click.option("--undo", is_flag=True, help="Delete the mark of UNIT.")
def mark(what: str, kind: MarkKind | None, recordings: Path, undo: bool, **flags: Any) -> None:
    """Mark a finding that should not count.

    UNIT is the id that reports print with each finding. MARK is one of: wrong-verdict (the reply was graded wrongly),
    bad-variant (the altered question asks something else, or makes no sense), accepted (you know of this failure),
    settled (the judge was unsure of the reply, and you are not).

    Reports and gates made from now on leave out what is marked, and list it. A settled reply counts as --label says,
    and so does one graded as the wrong kind of failure (--label refused, graded wrong). Reports that were written
    before stay as they are: botattack replay RUN -o FILE writes new ones. All marks but a bad variant end as soon as
    the bot says something else or is graded differently. Give the folder of a run instead of UNIT to accept every
    failure of that run that is not marked yet. Marks are kept in the file triage.yaml, which lists them all.
    """
    from botattack.audit import marking

    if not what or (kind is None) != undo:
        raise click.UsageError("name a unit and a mark, such as 5f2c9a1b7d3e8f60.0 accepted; or a unit and --undo")
    if flags["label"] and kind not in ("wrong-verdict", "settled"):
        raise click.UsageError("--label is the right grade of a reply: use it with wrong-verdict or settled")
    if kind is None:
        told = marking.undo(what, recordings, flags["run"])
    else:
        order = marking.NewMark(kind, flags["why"], flags["by"], flags["label"] or "")
        told = marking.mark(what, order, recordings, flags["run"])
    click.echo("\n".join(told))
