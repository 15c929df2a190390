from __future__ import annotations

import pytest
import regex

from botattack.patterns import in_time


@pytest.mark.parametrize(("standstills", "found"), [(0, True), (1, True), (2, False)])
def test_a_machine_that_stands_still_once_fails_no_pattern(standstills: int, found: bool) -> None:
    times: list[float] = []

    def search(text: str, *, timeout: float) -> str:
        times.append(timeout)
        if len(times) <= standstills:
            raise TimeoutError
        return text

    if found:
        assert in_time(search, "hit", seconds=0.25) == "hit"
    else:
        with pytest.raises(TimeoutError):
            in_time(search, "hit", seconds=0.25)
    assert times == [0.25] * (standstills + found)


def test_a_pattern_that_never_ends_is_late() -> None:
    with pytest.raises(TimeoutError):
        in_time(regex.compile("(a|aa)+$").search, "a" * 60 + "b", seconds=0.05)
