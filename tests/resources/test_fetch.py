"""Resources are fetched whole, resumed where they broke off, and kept only if they are what they must be."""

from __future__ import annotations

import asyncio
import re
import tomllib
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path

import pytest

from botattack import registry
from botattack.errors import MissingPart
from botattack.resources.catalogue import Download, Fetchable, entries, fetchable, fetchables, ways
from botattack.resources.fetch import FetchFailed, fetch
from botattack.targets.local.own_bots import OWN
from botattack.text.parts.installed import fetched
from tests.servers.http import Received, Server

ROOT = Path(__file__).parents[2]
CONTENT = bytes(range(256)) * 400


def resource(address: str) -> Fetchable:
    download = Download(address, sha256(CONTENT).hexdigest(), len(CONTENT))
    return Fetchable("thing", "a thing", "none", (download,))


@dataclass
class FileServer:
    """Serves bytes with ranges; each answer breaks off after as many bytes as `cuts` says, then whole."""

    content: bytes = CONTENT
    cuts: list[int] = field(default_factory=list)
    ranges: bool = True

    async def __call__(self, received: Received, writer: asyncio.StreamWriter) -> None:
        start = int(received.headers.get("range", "bytes=0-")[6:].rstrip("-")) if self.ranges else 0
        if received.method != "GET":
            writer.write(b"HTTP/1.1 405 No\r\ncontent-length: 0\r\n\r\n")
            return
        if start >= len(self.content):
            writer.write(b"HTTP/1.1 416 No\r\ncontent-length: 0\r\n\r\n")
            return
        body = self.content[start:]
        status = b"206 Partial" if start else b"200 OK"
        writer.write(b"HTTP/1.1 %s\r\ncontent-length: %d\r\n\r\n" % (status, len(body)))
        if self.cuts:
            writer.write(body[: self.cuts.pop(0)])
            await writer.drain()
            writer.close()
        else:
            writer.write(body)


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return fetched("thing")


def get(item: Fetchable, source: str = "") -> list[tuple[str, int, int]]:
    told: list[tuple[str, int, int]] = []
    asyncio.run(fetch(item, source, lambda *heard: told.append(heard)))
    return told


async def over_net(server: FileServer, source: str = "") -> Server:
    async with Server(server) as listening:
        item = resource(f"{listening.url}/thing.bin")
        await fetch(item, source.replace("URL", listening.url), lambda *_: None)
        return listening


def test_from_an_address(cache: Path) -> None:
    asyncio.run(over_net(FileServer()))
    assert [path.name for path in cache.iterdir()] == ["thing.bin"]
    assert (cache / "thing.bin").read_bytes() == CONTENT


def test_from_another_address(cache: Path) -> None:
    listening = asyncio.run(over_net(FileServer(), "URL/mirror/"))
    assert [received.target for received in listening.received] == ["/mirror/thing.bin"]


def test_it_goes_on_where_it_broke_off(cache: Path) -> None:
    server = FileServer(cuts=[70_000, 20_000])
    for have in (70_000, 90_000):
        with pytest.raises(FetchFailed, match=f"{have:,} bytes are kept, run it again to continue"):
            asyncio.run(over_net(server))
    listening = asyncio.run(over_net(server))
    assert [received.headers.get("range") for received in listening.received] == ["bytes=90000-"]
    assert (cache / "thing.bin").read_bytes() == CONTENT


def test_a_server_without_ranges_begins_again(cache: Path) -> None:
    server = FileServer(cuts=[70_000], ranges=False)
    with pytest.raises(FetchFailed, match="70,000 bytes are kept"):
        asyncio.run(over_net(server))
    asyncio.run(over_net(server))
    assert (cache / "thing.bin").read_bytes() == CONTENT


def test_a_part_longer_than_the_file_begins_again(cache: Path) -> None:
    cache.mkdir(parents=True)
    (cache / ".thing.bin.part").write_bytes(CONTENT + b"more")
    listening = asyncio.run(over_net(FileServer()))
    assert len(listening.received) == 2
    assert (cache / "thing.bin").read_bytes() == CONTENT


def test_another_file_is_not_kept(cache: Path) -> None:
    with pytest.raises(FetchFailed, match=r"is not the file that botattack knows: SHA-256 .*; nothing was kept"):
        asyncio.run(over_net(FileServer(CONTENT[:-1] + b"!")))
    assert list(cache.iterdir()) == []


def test_a_reply_without_end_is_cut(cache: Path) -> None:
    with pytest.raises(FetchFailed, match="longer than"):
        asyncio.run(over_net(FileServer(b"x" * 3_000_000)))


def test_nobody_there() -> None:
    with pytest.raises(FetchFailed, match=r"http://127.0.0.1:1/thing.bin could not be fetched: "):
        get(resource("http://127.0.0.1:1/thing.bin"))
    with pytest.raises(FetchFailed, match="is not a URL that starts with"):
        get(resource("ftp://127.0.0.1/thing.bin"))


def test_from_a_file_and_from_a_folder(tmp_path: Path, cache: Path) -> None:
    (tmp_path / "thing.bin").write_bytes(CONTENT)
    item = resource("https://example.org/thing.bin")
    assert get(item, str(tmp_path)) == [("thing.bin", len(CONTENT), len(CONTENT))]
    assert get(item, str(tmp_path / "thing.bin")) == []
    (cache / "thing.bin").unlink()
    assert get(item, str(tmp_path / "thing.bin"))
    (cache / "thing.bin").unlink()
    with pytest.raises(FetchFailed, match=r"nothing: No such file"):
        get(item, str(tmp_path / "nothing"))


def test_several_files_come_from_a_folder(tmp_path: Path) -> None:
    one, other = resource("https://example.org/a").downloads[0], resource("https://example.org/b").downloads[0]
    item = Fetchable("thing", "a thing", "none", (one, other))
    with pytest.raises(FetchFailed, match="has several files: give the folder that contains a, b"):
        get(item, str(tmp_path / "a"))


def _names_a_commit(download: Download) -> bool:
    return not download.sha256 and bool(re.search(r"/[0-9a-f]{40}/", download.address))


def test_a_file_without_a_known_digest_is_taken_as_it_comes(tmp_path: Path, cache: Path) -> None:
    (tmp_path / "thing.bin").write_bytes(b"something")
    item = Fetchable("thing", "a thing", "none", (Download("https://example.org/thing.bin", "", 9),))
    assert get(item, str(tmp_path))
    assert (cache / "thing.bin").read_bytes() == b"something"
    assert get(item, str(tmp_path)) == []


def test_what_is_fetched_is_pinned() -> None:
    for item in fetchables().values():
        for download in item.downloads:
            assert download.address.startswith("https://")
            assert len(bytes.fromhex(download.sha256)) == 32 or _names_a_commit(download)
            assert 0 < download.size < 20_000_000


@pytest.mark.data
@pytest.mark.parametrize(
    ("name", "folder"), [("typos", "typos"), ("paraphrases", "paraphrase"), ("grammar-errors", "grammar-errors")]
)
def test_the_published_files_are_those_that_are_pinned(name: str, folder: str, data: Path) -> None:
    asyncio.run(fetch(fetchables()[name], str(data / folder), lambda *_: None))
    assert {path.name for path in fetched(name).iterdir()} == {item.name for item in fetchables()[name].downloads}


def test_names_that_cannot_be_fetched() -> None:
    assert fetchable("thesaurus") is fetchables()["wordnet"]
    with pytest.raises(MissingPart, match=r'similar is not fetched but installed: pip install .*\[similarity\]"'):
        fetchable("similar")
    with pytest.raises(MissingPart, match="there is no resource 'x'; known: evouna, grammar-errors, "):
        fetchable("x")


def test_every_part_is_listed_with_what_it_unlocks() -> None:
    found = {entry.name: entry for entry in entries()}
    assert {"parse", "thesaurus", "similar", "grammar", "translate", "paraphrase"} <= set(found)
    assert all((entry.info is None) == bool(entry.missing) and entry.install for entry in found.values())
    assert "all-should-not-change" in found["paraphrases"].unlocks
    assert found["parse"].info is not None
    assert "dpaeg" in found["parse"].unlocks


@pytest.mark.parametrize(
    ("part", "name", "licence"),
    [
        ("dictionary", "English word list", "MIT"),
        ("grammar", "link-grammar", "LGPL-2.1"),
        ("inflection", "lemminflect", "MIT"),
        ("lemmas", "WordNet's lemmas", "WordNet licence"),
        ("speller", "symspellpy", "MIT"),
        ("thesaurus", "WordNet", "WordNet licence"),
        ("translate", "Apertium", "GPL-2.0"),
        ("typos", "codespell", "CC BY-SA 3.0"),
    ],
)
def test_a_part_is_listed_under_its_name_and_licence(part: str, name: str, licence: str) -> None:
    info = next(entry.info for entry in entries() if entry.name == part)
    if info is None:
        pytest.skip(f"{part} is not installed")
    assert name in re.split(r" with |[(:]", info.name)
    assert info.licence == licence
    assert re.fullmatch("[0-9a-f]{64}", info.digest)


def test_every_way_to_a_part_is_one_that_there_is() -> None:
    """Its extra is one of the project's, its resource can be fetched, its target file is shipped."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    for name, way in ways().items():
        assert name in registry.names("parts")
        assert not way.extra or way.extra in project["optional-dependencies"]
        assert not way.fetch or way.fetch in fetchables()
        assert not way.value or (ROOT / way.value).is_file()
        assert str(way)
    assert {bot.extra for bot in OWN.values()} <= {"", *project["optional-dependencies"]}
