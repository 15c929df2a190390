from __future__ import annotations

import pytest
import regex

from botattack.patterns import BadPattern, compiled, in_time


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


@pytest.mark.parametrize(
    "source",
    [
        *("a{9999999}", "(a{999}){999}", "(?:a{ 9999 }){9999}", "([)]a{9999}){9999}", "(a{9999}[(]){9999}"),
        *("(a{9999})(?#twice){9999}", "(a{999})+{9999}", "[](]{9}[^)]{999999}", "a{999}{999}"),
        *(
            "(?x)(a{9999}) # twice\n{9999}",
            "(?:(?:x{99}){99}){99}",
            "a{,999999}",
            f"a{{{'9' * 5000}}}",
            "a" * 10_001,
            f"(?({'9' * 5000})a)",
        ),
    ],
)
def test_an_expression_that_would_take_all_memory_is_refused_before_it_compiles(source: str) -> None:
    with pytest.raises(BadPattern):
        compiled(source)


@pytest.mark.parametrize(
    "source",
    [
        *(r"(?:\d{1,3}\.){3}\d{1,3}", r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", r"sk-[A-Za-z0-9]{20,200}"),
        *("|".join(f"(?:x{n}){{1,3}}" for n in range(12)), r"(?:[0-9a-f]{1,4}:){1,7}:|" * 9 + r"(?:[0-9a-f]{1,4}:){7}"),
        *(r"(?:colou?r){e<=2}", r"a{1,}b{,5}", r"eyJ[\w-]{10,5000}\.[\w-]{10,5000}\.[\w-]{9,5000}", r"(?:\d{4} ?){4}"),
    ],
)
def test_expressions_that_people_write_compile(source: str) -> None:
    assert compiled(source).pattern == source
