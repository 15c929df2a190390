"""One process asks a bot, however its URL is spelt; the locks are where nobody else can put them."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from botattack.audit.job import address_of
from botattack.config.target import load_target
from botattack.errors import RecordingError
from botattack.recordings.locks import Address, asking

HERE = Address("", "127.0.0.1:80", "0123456789abcdef")


def the_bot_at(url: str, folder: Path) -> Address:
    path = folder / "bot.yaml"
    path.write_text(
        f'name: bot\nconnect: {{kind: http, request: {{url: "{url}", json: {{text: "{{{{ question }}}}"}}}}}}\n'
    )
    found = address_of(load_target(path))
    assert found is not None
    return found


@pytest.mark.parametrize(
    "url",
    [
        "http://localhost:8080/ask",
        "http://LOCALHOST:8080/ask",
        "http://127.0.0.1:8080/ask",
        "http://127.1:8080/ask",
        "http://[::1]:8080/ask",
        "http://127.0.0.1:8080/a/../ask",
        "http://127.0.0.1:8080/%61sk#top",
    ],
)
def test_spellings_of_one_address_share_a_lock(url: str, tmp_path: Path) -> None:
    with asking(the_bot_at(url, tmp_path), where=tmp_path / "locks"):
        other = the_bot_at("http://127.0.0.1:8080/ask", tmp_path)
        with pytest.raises(RecordingError, match="is asking"), asking(other, where=tmp_path / "locks"):
            pass


@pytest.mark.parametrize(
    "url", ["http://127.0.0.1:8081/ask", "http://127.0.0.1:8080/other", "https://127.0.0.1:8080/ask"]
)
def test_other_bots_have_other_locks(url: str, tmp_path: Path) -> None:
    first, other = the_bot_at("http://127.0.0.1:8080/ask", tmp_path), the_bot_at(url, tmp_path)
    with asking(first, where=tmp_path / "locks"), asking(other, where=tmp_path / "locks"):
        assert first != other


@pytest.mark.parametrize("kind", ["link", "writable", "pipe"])
def test_locks_that_others_could_have_put_there_are_refused(kind: str, tmp_path: Path) -> None:
    folder, other = tmp_path / "locks", tmp_path / "other"
    other.mkdir(mode=0o700)
    if kind == "link":
        folder.symlink_to(other)
    else:
        folder.mkdir()
        folder.chmod(0o777 if kind == "writable" else 0o700)
    if kind == "pipe":
        os.mkfifo(folder / HERE.place)
    with pytest.raises(RecordingError, match=r"cannot be locked: .*; set TMPDIR"), asking(HERE, where=folder):
        pass


def test_a_lock_that_shards_share_names_no_earlier_process(tmp_path: Path) -> None:
    with asking(HERE, where=tmp_path / "locks"):
        pass
    with (
        asking(HERE, (1, 2), where=tmp_path / "locks"),
        pytest.raises(RecordingError, match="another botattack is asking"),
        asking(HERE, where=tmp_path / "locks"),
    ):
        pass
