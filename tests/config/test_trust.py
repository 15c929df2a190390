"""Where what botattack keeps for a user lies, and what counts as this machine."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from botattack.addresses import addresses, is_loopback
from botattack.state import state_folder, write_private


def test_only_its_user_may_read_it(tmp_path: Path) -> None:
    write_private(tmp_path / "below" / "kept.json", b"a token")
    assert stat.S_IMODE((tmp_path / "below" / "kept.json").stat().st_mode) == 0o600


def test_what_cannot_be_written_leaves_nothing_of_it_behind(tmp_path: Path) -> None:
    (tmp_path / "kept.json").mkdir()
    with pytest.raises(OSError, match="directory") as refused:
        write_private(tmp_path / "kept.json", b"a token")
    assert refused.value.filename == str(tmp_path / "kept.json")
    assert [path.name for path in tmp_path.iterdir()] == ["kept.json"]


def test_where_it_lies(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
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
