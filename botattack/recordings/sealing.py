"""A seal lists the digests of all that a recording contains, and `ssh-keygen` signs it with the user's own key.

Events are only ever added, so a seal covers the beginning of the event file, and stays true when readers' answers are
collected. A resumed run is sealed again; the new seal keeps the beginnings of the one before, so that nothing that was
sealed once can change unseen. No key is kept here.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cache
from io import BufferedReader
from itertools import islice
from pathlib import Path
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from botattack.errors import MissingPart, RecordingError, excerpt
from botattack.events import AnyEvent
from botattack.files import content, descriptor, write_whole
from botattack.places import read_place
from botattack.recordings import manifest
from botattack.recordings.reader import AT_ANY_TIME, lines
from botattack.recordings.redaction import Redactor
from botattack.recordings.writer import EVENTS, Recorder
from botattack.version import __version__

NAME = "seal.json"
SIGNATURE = "seal.json.sig"
LARGEST = 100_000_000
"""Bytes of the file of a seal."""
MOST_FILES = 10_000
"""Files of a recording that can be sealed; botattack writes a dozen."""
PIECE = 1_000_000
"""Bytes that are read at a time."""
UNSEALED = f"{EVENTS}: what was added after the seal decides figures, and is not sealed"
SECONDS = 600.0
"""The longest that ssh-keygen may take: a person may have to type a passphrase or touch a key."""
_BY = re.compile(r"signature (?:for (.+) )?with (\S+) key (SHA256:\S+)")
_RUN = re.compile(r"\d{8}T\d{6}Z-")
"""What the name of every run begins with."""


class Beginning(msgspec.Struct, frozen=True):
    """The first lines of the event file, and the SHA-256 of all their bytes."""

    lines: int
    bytes: Annotated[int, Meta(ge=0)]
    sha256: str


class Seal(msgspec.Struct, frozen=True, kw_only=True):
    """What the recording of a `run` contained. `events` has what each seal covered, the newest last; `files` the digest
    of each other file."""

    run: manifest.Name
    at: str
    botattack: str
    events: Annotated[tuple[Beginning, ...], Meta(min_length=1)]
    files: dict[str, str]


class _Run(msgspec.Struct, frozen=True):
    run: manifest.Name


def add(folder: Path) -> None:
    """Seals what a recording contains now; a seal of exactly this stays, with its signature. Raises RecordingError."""
    try:
        run = msgspec.json.decode(content(folder / manifest.NAME, manifest.LARGEST), type=_Run).run
        last = read(folder) if (folder / NAME).exists() else None
        (now,) = beginnings(folder, [(folder / EVENTS).stat().st_size])
        files = {name: digest for name, digest in digests(folder).items() if digest}
        if last and (last.run, last.events[-1], last.files) == (run, now, files):
            return
        before = [one for one in last.events if one != now] if last else []
        at = f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ}"
        seal = Seal(run=run, at=at, botattack=__version__, events=(*before, now), files=files)
        write_whole(folder / NAME, msgspec.json.format(msgspec.json.encode(seal), indent=2) + b"\n", private=True)
        (folder / SIGNATURE).unlink(missing_ok=True)
    except (OSError, msgspec.MsgspecError) as error:
        raise RecordingError(f"{folder} is not sealed: {error}; then run botattack verify {folder} --seal") from None


def renew(folder: Path) -> None:
    """Seals what was added or written again. Raises RecordingError where a new seal would hide that something was
    changed."""
    if (folder / NAME).exists() or not (folder / EVENTS).exists():
        for sentence in verify(folder).changed:
            raise RecordingError(f"{folder} is not sealed again: {sentence}; copy it again from where it was made")
    # Nobody else writes it meanwhile, and of a line that was torn when a process was killed nothing is sealed.
    with Recorder(folder, Redactor()):
        add(folder)


def read(folder: Path) -> Seal:
    """Raises RecordingError for a seal that is damaged, and OSError, also for a link."""
    with opened(folder / NAME) as file:
        try:
            return msgspec.json.decode(file.read(LARGEST), type=Seal)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
            raise RecordingError(f"{folder / NAME} is damaged; copy the recording again") from None


def opened(path: Path) -> BufferedReader:
    """A regular file; raises OSError, also for a link and for a pipe, which is not waited for."""
    return os.fdopen(descriptor(path, os.O_RDONLY | os.O_NOFOLLOW), "rb")


def beginnings(folder: Path, sizes: Iterable[int]) -> Iterator[Beginning]:
    """The beginnings of the event file of these sizes, ascending; of what is shorter, all. Raises OSError."""
    sha, lines, at = hashlib.sha256(), 0, 0
    with opened(folder / EVENTS) as file:
        for size in sorted(sizes):
            while piece := file.read(min(PIECE, size - at)):
                sha.update(piece)
                lines, at = lines + piece.count(b"\n"), at + len(piece)
            yield Beginning(lines, at, sha.hexdigest())


def digests(folder: Path) -> dict[str, str]:
    """The digest of every file but events, seal and drafts (`.part`), by its path in the folder; empty for what is no
    regular file. Links are not followed. Raises OSError, and RecordingError for more than it can look at."""
    found: dict[str, str] = {}
    for root, folders, names in os.walk(folder):
        links = [name for name in folders if (Path(root) / name).is_symlink()]
        for path in (Path(root) / name for name in (*names, *links) if not name.endswith(".part")):
            if (name := str(path.relative_to(folder))) not in (EVENTS, NAME, SIGNATURE):
                found[name] = _digest(path) if path.is_file() and not path.is_symlink() else ""
        if len(found) > MOST_FILES:
            raise RecordingError(f"{folder} contains more than {MOST_FILES:,} files; remove what is not of it")
    return found


def _digest(path: Path) -> str:
    with opened(path) as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def sign(folder: Path, key: Path) -> None:
    """Signs the seal of a recording with a private key, or with a public one whose other half an agent has; writes the
    signature next to it. Raises RecordingError."""
    if os.path.lexists(folder / SIGNATURE):
        raise RecordingError(f"{folder / NAME} is signed already; delete {SIGNATURE} to sign it again")
    done = _ssh_keygen(folder, "sign", "-q", "-f", str(key))
    if done.returncode or not done.stdout:
        why = excerpt(done.stderr.decode(errors="replace"), last=True) or "no signature was written"
        raise RecordingError(f"{NAME} cannot be signed with {key}: {why}; name a key made by ssh-keygen -t ed25519")
    write_whole(folder / SIGNATURE, done.stdout)


def _signer(folder: Path, signers: Path | None) -> str:
    """Who signed the seal with which key, as far as the file of allowed `signers` says; empty if nobody did. Raises
    ValueError, which says why a signature does not count."""
    if not os.path.lexists(folder / SIGNATURE):
        return ""
    try:
        opened(folder / SIGNATURE).close()
    except OSError as error:
        raise ValueError(f"{SIGNATURE} is no signature: {error.strerror}") from None
    how = ["check-novalidate", "-s", str(folder / SIGNATURE)]
    if signers:
        how = [*how, "-f", str(signers)]
        named = _ssh_keygen(folder, "find-principals", *how[1:]).stdout.decode(errors="replace")
        how = ["verify", *how[1:], "-I", named.partition("\n")[0]]
    done = _ssh_keygen(folder, *how)
    found = _BY.search(done.stdout.decode(errors="replace"))
    if done.returncode or not found:
        whose = f" by one whom {signers} allows" if signers else ""
        raise ValueError(f"{SIGNATURE} is no signature of {NAME} as it is now{whose}")
    key = f"with the key {found[2]} {found[3]}"
    return f"by {found[1]}, {key}" if signers else f"{key}; --signers FILE says whose it is"


def _ssh_keygen(folder: Path, action: str, *arguments: str) -> subprocess.CompletedProcess[bytes]:
    """Runs ssh-keygen over the seal, which it reads as its input."""
    program = shutil.which("ssh-keygen")
    if program is None:
        raise MissingPart("ssh-keygen is not installed; install openssh-client to sign recordings and check signatures")
    # A signature that was made for another purpose than ours is not taken.
    command, environ = [program, "-Y", action, "-n", "botattack", *arguments], {**os.environ, "LC_ALL": "C"}
    try:
        with opened(folder / NAME) as file:
            return subprocess.run(  # noqa: S603  # a program found by name, its arguments a list
                command, stdin=file, capture_output=True, timeout=SECONDS, check=False, env=environ
            )
    except subprocess.TimeoutExpired:
        raise RecordingError(f"ssh-keygen took longer than {SECONDS:g} s over {folder / NAME}; try again") from None


@dataclass
class Verified:
    """What comparing a recording with its seal found: `changed` is what no new seal may hide, `stale` what a new seal
    would make good, a sentence each. `added` counts the events that came after the seal by their kind; `others` are
    files that it does not list; `signed` is by whom, with which key."""

    seal: Seal
    changed: list[str] = field(default_factory=list)
    stale: list[str] = field(default_factory=list)
    added: Counter[str] = field(default_factory=Counter)
    others: list[str] = field(default_factory=list)
    signed: str = ""

    @property
    def wrong(self) -> list[str]:
        """Why the recording is not what was sealed, or its figures are not."""
        return [*self.changed, *self.stale]


@cache
def _decoder() -> msgspec.json.Decoder[Any]:
    from botattack.games.events import GameEvent

    return msgspec.json.Decoder(AnyEvent | GameEvent, dec_hook=read_place)


def verify(folder: Path, signers: Path | None = None) -> Verified:
    """Raises RecordingError for a folder that is no recording, or was never sealed."""
    try:
        found, now = Verified(read(folder)), digests(folder)
    except FileNotFoundError:
        next(lines(folder, _decoder().decode), None)
        raise RecordingError(f"{folder} was never sealed; run botattack verify {folder} --seal") from None
    except OSError as error:
        what = f"{error.filename or folder} cannot be read: {error.strerror}"
        raise RecordingError(f"{what}; copy the recording again from where it was made") from None
    sealed = found.seal.files
    found.stale += [f"{name} is missing" for name in sealed if name not in now]
    found.stale += [f"{name} is not what was sealed" for name in sealed if now.get(name, sealed[name]) != sealed[name]]
    found.others += sorted(now.keys() - sealed.keys())
    try:
        _compare_events(folder, found)
        found.signed = _signer(folder, signers)
    except OSError as error:
        found.changed.append(f"{EVENTS} cannot be read: {error.strerror}")
    except (RecordingError, ValueError, RecursionError) as error:
        found.changed.append(str(error))
    return found


def _compare_events(folder: Path, found: Verified) -> None:
    seal, name = found.seal, folder.resolve().name
    if name != seal.run and _RUN.match(name):
        found.changed.append(f"this is the recording of {seal.run}, not of {name}")
    now = beginnings(folder, [one.bytes for one in seal.events])
    if changed := [f"{one.lines:,}" for one, other in zip(seal.events, now, strict=True) if one != other]:
        raise RecordingError(f"{EVENTS}: the first {changed[0]} lines are not as they were sealed")
    for event in islice(lines(folder, _decoder().decode), seal.events[-1].lines, None):
        found.added[str(event.__struct_config__.tag)] += 1
        if not isinstance(event, AT_ANY_TIME) and UNSEALED not in found.stale:
            found.stale.append(UNSEALED)
