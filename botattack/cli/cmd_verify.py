"""`botattack verify`: whether a recording is what it was when its run ended."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from botattack.cli.shared_flags import FILE, RUN

if TYPE_CHECKING:
    from botattack.recordings.sealing.verifying import Verified

EPILOG = """\b
Examples:
  botattack verify recordings/20260101T020000Z-helpdesk-1a2b3c4d
  botattack verify recordings/20260101T020000Z-helpdesk-1a2b3c4d --sign ~/.ssh/id_ed25519
  botattack verify recordings/20260101T020000Z-helpdesk-1a2b3c4d --signers allowed_signers

Exit status: 0 what was sealed is unchanged (with --signers: and all of it is signed by one of them), 1 something
differs, 2 the recording cannot be verified.
"""


@click.command(epilog=EPILOG)
@click.argument("recording", type=RUN)
@click.option("--signers", type=FILE, help="Who may sign: allowed signers, see ssh-keygen(1), or a minisign key.")
@click.option("--seal", is_flag=True, help="First seal what was added, or a run that was never sealed.")
@click.option("--sign", "key", type=FILE, help="Seal, and sign the seal with this key of SSH or minisign.")
def verify(recording: Path, signers: Path | None, seal: bool, key: Path | None) -> int:
    """Say whether a recording is unchanged since its run ended, and who signed it.

    Every run ends by sealing its recording: it writes down a checksum of every file. A seal without a signature shows
    accidents only, since whoever can change the recording can seal it again.
    """
    from botattack.recordings.sealing import seal as seals
    from botattack.recordings.sealing.signatures import sign
    from botattack.recordings.sealing.verifying import verify as verified
    from botattack.recordings.writer import EVENTS, locked
    from botattack.report.escape import visible

    if seal or key:
        if seals.numbers(recording) or not (recording / EVENTS).exists():
            _refuse_changed(recording, verified(recording))
        with locked(recording):
            made = seals.add(recording)
        if key:
            sign(recording / made.name, key)
    found = verified(recording, signers)
    for line in (*_contents(found), *_signatures(found)):
        click.echo(visible(line, 1000))
    wrong = list(_wrong(found, signers))
    for sentence in wrong:
        click.echo(visible(f"differs    {sentence}", 1000))
    click.echo("NOT INTACT" if wrong else _intact(found))
    return 1 if wrong else 0


def _refuse_changed(recording: Path, found: Verified) -> None:
    """Raises RecordingError where a new seal would hide that something was changed; other files may be written
    again."""
    from botattack.errors import RecordingError
    from botattack.recordings.writer import EVENTS

    for sentence in found.differs:
        if sentence.startswith((EVENTS, "seal-")):
            raise RecordingError(f"{recording} is not sealed again: {sentence}; copy it again from where it was made")


def _contents(found: Verified) -> Iterator[str]:
    from botattack.report.numbers import count

    newest = found.newest
    yield f"sealed     {newest.at}, {newest.name}, by botattack {newest.botattack}"
    kinds = ", ".join(f"{number:,} {kind}" for kind, number in found.added.most_common())
    since = f"; {found.added.total():,} were added later ({kinds})" if kinds else ""
    yield f"events     {newest.events.lines:,} were sealed{since}"
    if found.torn:
        yield "           the last line is torn, as when a process is killed; resuming the run cuts it off"
    others = f"; not sealed: {', '.join(found.others)}" if found.others else ""
    yield f"files      {count(len(newest.files), 'other file')} sealed{others}"


def _signatures(found: Verified) -> Iterator[str]:
    for seal, signature in found.seals:
        if signature and signature.unchecked:
            yield f"signature  {signature.unchecked}"
        elif signature and signature.counts:
            by = f"by {signature.signer}, " if signature.signer else ""
            whose = "" if signature.signer else "; --signers FILE says whose it is"
            yield f"signed     {seal.name} ({seal.events.lines:,} events) {by}with the key {signature.key}{whose}"
    if found.signed and found.unsigned:
        yield f"unsigned   {', '.join(found.unsigned)}"


def _wrong(found: Verified, signers: Path | None) -> Iterator[str]:
    yield from found.differs
    if signers and found.unsigned:
        yield f"no signer of {signers} signed {', '.join(found.unsigned)}"


def _intact(found: Verified) -> str:
    if found.signed is None:
        return (
            "intact: what was sealed is unchanged. It is not signed, so this shows accidents only: whoever can change "
            "the recording can seal it again"
        )
    return "intact: what was sealed is unchanged"
