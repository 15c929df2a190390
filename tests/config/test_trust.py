"""Folders that were trusted once, and what counts as this machine."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from botattack.addresses import addresses, is_loopback
from botattack.config.trust import is_trusted, state_folder, trust, trusted_folders
from botattack.errors import ConfigError
from botattack.state import write_private


def test_a_folder_is_trusted_once_and_for_what_lies_below(tmp_path: Path) -> None:
    state, mine, other = tmp_path / "state", tmp_path / "mine", tmp_path / "mine-not"
    for folder in (mine / "below", other):
        folder.mkdir(parents=True)
    assert not is_trusted(mine, state)
    trust(mine, state)
    trust(mine, state)
    assert trusted_folders(state) == (mine.resolve(),)
    assert is_trusted(mine, state)
    assert is_trusted(mine / "below", state)
    assert not is_trusted(tmp_path, state)
    assert not is_trusted(other, state)
    assert stat.S_IMODE((state / "trusted.json").stat().st_mode) == 0o600


def test_what_cannot_be_written_leaves_nothing_of_it_behind(tmp_path: Path) -> None:
    (tmp_path / "trusted.json").mkdir()
    with pytest.raises(OSError, match="directory") as refused:
        write_private(tmp_path / "trusted.json", b"a token")
    assert refused.value.filename == str(tmp_path / "trusted.json")
    assert [path.name for path in tmp_path.iterdir()] == ["trusted.json"]


def test_a_link_to_a_folder_is_the_folder(tmp_path: Path) -> None:
    (tmp_path / "far").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "far")
    trust(tmp_path / "link", tmp_path)
    assert is_trusted(tmp_path / "far", tmp_path)


@pytest.mark.parametrize("damage", ["{", "{}", "[1]", "\x00"])
def test_a_damaged_list_trusts_nobody_and_says_so(damage: str, tmp_path: Path) -> None:
    (tmp_path / "trusted.json").write_text(damage)
    with pytest.raises(ConfigError, match="the list of trusted folders is damaged"):
        is_trusted(tmp_path, tmp_path)


def test_where_the_list_lies(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert state_folder({"XDG_CONFIG_HOME": str(tmp_path)}) == tmp_path / "botattack"
    assert state_folder({}) == Path.home() / ".config" / "botattack"


@pytest.mark.parametrize(
    ("found", "here"),
    [
        (["127.0.0.1"], True),
        (["127.9.9.9", "::1"], True),
        (["::ffff:127.0.0.1"], True),
        (["127.0.0.1", "10.0.0.1"], False),
        (["0.0.0.0"], False),
        (["::ffff:10.0.0.1"], False),
        (["fe80::1%eth0"], False),
        ([], False),
    ],
)
def test_this_machine(found: list[str], here: bool) -> None:
    assert is_loopback(found) is here


@given(st.lists(st.ip_addresses(), min_size=1))
def test_one_address_elsewhere_is_elsewhere(found: list[object]) -> None:
    assert not is_loopback([*map(str, found), "192.0.2.1"])


def test_odd_spellings_of_this_machine_are_resolved() -> None:
    assert is_loopback(addresses("127.1"))
    assert is_loopback(addresses("localhost"))
