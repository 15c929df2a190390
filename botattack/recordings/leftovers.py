"""Documents that runs which never ended, or could not clean up, left in the knowledge base of a bot."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path

from botattack.config.target import TargetConfig
from botattack.engine.past import Past
from botattack.engine.shelf import Leftover
from botattack.errors import RecordingError, TrustRefused
from botattack.events import decode
from botattack.recordings import manifest
from botattack.recordings.locks import Address
from botattack.recordings.reader import lines
from botattack.recordings.redaction import Redactor
from botattack.recordings.writer import Recorder

_OF_DOCUMENTS = b'{"event":"document '


def leftovers(
    recordings: Path, target: TargetConfig, address: Address, *, redactor: Redactor, stack: ExitStack
) -> Iterator[Leftover]:
    """What the recordings of a folder left in the bot at this address.

    Each of them stays locked until the stack ends; whatever process holds the lock of another cleans up itself. Raises
    TrustRefused for a target file without consent to remove it.
    """
    for path, made in manifest.recorded_in(recordings):
        with suppress(RecordingError):
            wrote = "document" in made.settings.get("carrier", ()) and made.address == address.key
            if wrote and (there := Past(lines(path, decode, only=_OF_DOCUMENTS)).documents):
                recorder = stack.enter_context(Recorder(path, redactor))
                if not target.may_write("documents"):
                    what = f"{made.run} left documents in what {target.name} reads, and {target.path} has no consent"
                    raise TrustRefused(f"{what} to remove them; add consent: {{…, writes: documents}}")
                yield Leftover(made.run, there, recorder)
