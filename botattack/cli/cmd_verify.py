"""`botattack verify`: whether a recording is what it was when its run ended."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from botattack.cli.epilogs import epilog
from botattack.cli.shared_flags import FILE, SEALED

if TYPE_CHECKING:
    from botattack.recordings.sealing import Verified

ACCIDENTS = ". It is not signed, so this shows accidents only: whoever can change the recording can seal it again"


@click.command(epilog=epilog("verify"))
@click.argument("recording", type=SEALED)
@click.option("--signers", type=FILE, help="Who may sign: allowed signers, see ssh-keygen(1).")
@click.option("--seal", is_flag=True, help="First seal what was added, or a run that was never sealed.")
@click.option("--sign", "key", type=FILE, help="Seal, and sign the seal with this key of SSH.")
def verify(recording: Path, signers: Path | None, seal: bool, key: Path | None) -> int:
    """Say whether a recording is unchanged since its run ended, and who signed it.

    Every run ends by sealing its recording: it writes down a checksum of every file. A seal without a signature shows
    accidents only, since whoever can change the recording can seal it again.
    """
    from botattack.recordings import sealing
    from botattack.report.escape import visible

    if seal or key:
        sealing.renew(recording)
    if key:
        sealing.sign(recording, key)
    found = sealing.verify(recording, signers)
    wrong = found.wrong
    later = [*([f"{found.added.total():,} events added since"] if found.added else []), *found.others]
    if signers and (later or not found.signed):
        wrong.append(f"no signer of {signers} signed {', '.join(later) if found.signed else 'the recording'}")
    for line in (*_contents(found), *(f"differs    {sentence}" for sentence in wrong)):
        click.echo(visible(line, 1000))
    click.echo("NOT INTACT" if wrong else f"intact: what was sealed is unchanged{'' if found.signed else ACCIDENTS}")
    return 1 if wrong else 0


def _contents(found: Verified) -> Iterator[str]:
    from botattack.report.numbers import count

    kinds = ", ".join(f"{number:,} {kind}" for kind, number in found.added.most_common())
    since = f"; {found.added.total():,} were added later ({kinds})" if kinds else ""
    others = f"; not sealed: {', '.join(found.others)}" if found.others else ""
    yield f"sealed     {found.seal.run} at {found.seal.at}, by botattack {found.seal.botattack}"
    yield f"events     {found.seal.events[-1].lines:,} were sealed{since}"
    yield f"files      {count(len(found.seal.files), 'other file')} sealed{others}"
    if found.signed:
        yield f"signed     {found.signed}"
