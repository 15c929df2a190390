"""Values as people write them: durations, rates, shares, counts, patterns, code."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from botattack.options import (
    BadValue,
    File,
    code,
    command,
    count,
    deadline,
    file,
    pattern,
    rate,
    seconds,
    share,
    whole_number,
    word,
)
from botattack.targets.messages.jsonpath import json_path


@pytest.mark.parametrize(
    ("read", "written", "value"),
    [
        (seconds, "30s", 30.0),
        (seconds, "1200ms", 1.2),
        (seconds, "2m", 120.0),
        (seconds, "1.5 h", 5400.0),
        (seconds, "0s", 0.0),
        (deadline, "1d", 86400.0),
        (rate, "5/s", 5.0),
        (rate, "300/min", 5.0),
        (rate, "1800 / h", 0.5),
        (rate, "unlimited", math.inf),
        (share, "5%", 0.05),
        (share, 0, 0.0),
        (share, 1, 1.0),
        (count, 1, 1),
        (whole_number, 0, 0),
        (word, "x", "x"),
        (json_path, "$.a[?@.b > 1].c", "$.a[?@.b > 1].c"),
        (pattern, r"(?<x>a+)", r"(?<x>a+)"),
    ],
)
def test_read(read: Callable[[Any], Any], written: Any, value: Any) -> None:
    assert read(written) == pytest.approx(value) if isinstance(value, float) else read(written) == value


@pytest.mark.parametrize(
    ("read", "written", "said"),
    [
        (seconds, 30, "write 30s"),
        (seconds, "30", "write 30s"),
        (seconds, "-1s", "found the text '-1s'"),
        (seconds, "1e9s", "write it like 30s"),
        (seconds, True, "found true"),
        (deadline, "0s", "above 0"),
        (rate, 5, "write 5/s"),
        (rate, "0/s", "above 0"),
        (rate, "5/fortnight", "300/min or unlimited"),
        (rate, None, "found nothing"),
        (share, 1.01, "from 0 to 1"),
        (share, "101%", "from 0 to 1"),
        (share, True, "found true"),
        (count, 0, "at least 1"),
        (count, True, "found true"),
        (count, 2.0, "the number 2.0"),
        (whole_number, -1, "at least 0"),
        (word, " ", "expected text"),
        (word, False, 'put it in quotes: "false"'),
        (word, {}, "found a mapping"),
        (json_path, "$.a[", "is not a JSONPath"),
        (json_path, "$.a[?@.b ==]", "is not a JSONPath"),
        (pattern, "(", "is not a regular expression"),
        (code, "os.system", "names no code"),
        (code, "a:b.c", "names no code"),
        (code, "file://x.txt:f", "names no code"),
        (command, "ls", "expected a list"),
        (command, [], "expected a list"),
        (command, ["ls", 1], "expected text"),
    ],
)
def test_refused(read: Callable[[Any], Any], written: Any, said: str) -> None:
    with pytest.raises(BadValue) as caught:
        read(written)
    assert said in str(caught.value)


@given(st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.lists(st.integers()) | st.just({}))
@pytest.mark.parametrize(
    "read", [seconds, deadline, rate, share, count, whole_number, word, pattern, file, code, command]
)
def test_any_value_is_read_or_refused_with_a_sentence(read: Callable[[Any], Any], value: Any) -> None:
    refused = ""
    try:
        read(value)
    except BadValue as error:
        refused = str(error) or "no sentence"
    assert refused != "no sentence"


def test_code() -> None:
    named, beside = code("a.b:c"), code("file://sub/x.py:f")
    assert (named.module, named.attribute, named.file) == ("a.b", "c", None)
    assert (beside.module, beside.attribute, beside.file) == ("", "f", File("sub/x.py"))


@given(st.text(min_size=1))
def test_a_file_is_in_its_folder_or_refused(name: str) -> None:
    folder = Path("/some/folder")
    try:
        place = File(name).under(folder)
    except (BadValue, ValueError, OSError):
        return
    assert place.is_relative_to(folder)
