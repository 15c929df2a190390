"""Fetches resources into the user's cache: resumed where it broke off, and kept only if it is what it must be."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import file_digest
from pathlib import Path

from botattack.errors import BotattackError, RequestRefused, TargetError, excerpt
from botattack.net.client import Client
from botattack.net.hosts import Hosts
from botattack.net.messages import Call
from botattack.protocols import Unpaced
from botattack.resources.catalogue import Download, Fetchable
from botattack.text.parts.installed import fetched

Progress = Callable[[str, int, int], None]
"""Hears of a file's name, the bytes that are there, and those there will be."""
SLACK = 1_000_000
"""Bytes more than expected that are read before a reply counts as another file."""


class FetchFailed(BotattackError):
    """A resource that could not be fetched, or is not what it must be."""


async def fetch(resource: Fetchable, source: str, tell: Progress) -> Path:
    """The folder with the resource's files, each verified if its SHA-256 is known.

    `source` is where to take them from instead of their publisher: a file, a folder, or an address (of the file, or of
    the folder that contains several, with a `/` at its end). What is there already stays. Raises FetchFailed.
    """
    folder = fetched(resource.name)
    with _as_fetch_failed(folder):
        folder.mkdir(parents=True, exist_ok=True)
    for download in resource.downloads:
        if not _is_there(folder, download):
            part = folder / f".{download.name}.part"
            await _take(_Arriving(download, part, tell), _place(source, download, resource))
            with _as_fetch_failed(folder):
                part.replace(folder / download.name)
    return folder


def _place(source: str, download: Download, resource: Fetchable) -> str:
    """Where one file is taken from."""
    if not source:
        return download.address
    if "://" in source:
        return source + download.name if source.endswith("/") else source
    path = Path(source).expanduser()
    if not path.is_dir() and len(resource.downloads) > 1:
        names = ", ".join(item.name for item in resource.downloads)
        raise FetchFailed(f"{resource.name} has several files: give the folder that contains {names}")
    return str(path / download.name if path.is_dir() else path)


@dataclass(frozen=True)
class _Arriving:
    """A file on its way: `part` is what is there of it."""

    download: Download
    part: Path
    tell: Progress

    def size(self) -> int:
        return self.part.stat().st_size if self.part.exists() else 0

    def told(self, have: int) -> None:
        self.tell(self.download.name, have, self.download.size)

    def copy(self, place: str) -> None:
        with _as_fetch_failed(Path(place)):
            shutil.copyfile(place, self.part)
        self.told(self.size())

    def verify(self, place: str) -> None:
        found = digest(self.part)
        if self.download.sha256 not in ("", found):
            self.part.unlink()
            wanted = f"SHA-256 {found}, not {self.download.sha256}"
            raise FetchFailed(f"{place} is not the file that botattack knows: {wanted}; nothing was kept")

    async def stream(self, client: Client, address: str, have: int) -> None:
        """Continues from `have` bytes, or begins again if the server sends the whole file."""
        # A range counts bytes of what is sent: of a compressed file, those that are here would not fit.
        headers = (("accept-encoding", "identity"), *((("range", f"bytes={have}-"),) if have else ()))
        async with client.open(Call("GET", address, headers), Unpaced()) as response:
            have = have if response.status == 206 else 0
            with self.part.open("ab" if have else "wb") as file:
                self.told(have)
                async for piece in response.pieces():
                    file.write(piece)
                    have += len(piece)
                    self.told(have)


async def _take(arriving: _Arriving, place: str) -> None:
    if "://" in place:
        await _over_net(arriving, place)
    else:
        arriving.copy(place)
    arriving.verify(place)


async def _over_net(arriving: _Arriving, address: str) -> None:
    """A download that was interrupted continues; if the server refuses that, it begins again."""
    try:
        client = Client(Hosts.of([address]), max_body=arriving.download.size + SLACK)
    except ValueError as error:
        raise FetchFailed(str(error)) from None
    try:
        have = arriving.size()
        try:
            await arriving.stream(client, address, have)
        except RequestRefused:
            if not have:
                raise
            await arriving.stream(client, address, 0)
    except TargetError as error:
        have = arriving.size()
        kept = f"; {have:,} bytes are kept, run it again to continue" if have else ""
        raise FetchFailed(f"{address} could not be fetched{kept}: {error.told(excerpt)}") from None
    finally:
        await client.close()


def _is_there(folder: Path, download: Download) -> bool:
    path = folder / download.name
    return path.is_file() and download.sha256 in ("", digest(path))


def digest(path: Path) -> str:
    """The SHA-256 of a file."""
    with path.open("rb") as file:
        return file_digest(file, "sha256").hexdigest()


@contextmanager
def _as_fetch_failed(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise FetchFailed(f"{error.filename or path}: {error.strerror or error}") from None
