"""YAML as people write it: 1.2 scalars, positions, and one clear sentence for everything that is not YAML."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from syrupy.assertion import SnapshotAssertion

from botattack.config.yaml import MAX_BYTES, parse
from botattack.errors import ConfigError
from tests.timing import quickest

LAUGHS = b"a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b]\n" + (
    b"d: &d [*c,*c,*c,*c,*c,*c,*c,*c,*c]\ne: &e [*d,*d,*d,*d,*d,*d,*d,*d,*d]\nf: [*e,*e,*e,*e,*e,*e,*e,*e,*e]\n"
)
BROKEN = {
    "empty": b"",
    "only a comment": b"# nothing yet\n",
    "tab": b"a:\n\tb: 1\n",
    "not UTF-8": b"a: 1\nname: caf\xe9\n",
    "UTF-16": "a: 1\n".encode("utf-16"),
    "zero byte": b"a: 1\nb: \x00\n",
    "duplicate keys": b"a: 1\nb: {c: 1, c: 2}\na: 3\n",
    "template without quotes": b"a: {{ question }}\n",
    "template without quotes in text": b"a: Q {{ question }}: {{ turn }}!\n",
    "template that opens text": b"a: {{ question }}!\n",
    "open quote": b"a: 'x\n",
    "open bracket": b"a: [1, 2\nb: 3\n",
    "key without colon": b"a: 1\nlist\n  - x\n  - y\nb: 2\n",
    "colon in text": b"a: see: here\n",
    "wrong indentation": b"a: 1\n  b: 2\n",
    "list key": b"? [1]\n: 2\n",
    "number key": b"200: fine\n",
    "merge key": b"<<: {a: 1}\n",
    "tag": b"a: !!python/object/apply:os.system ['true']\n",
    "alias of nothing": b"a: *b\n",
    "at sign": b"a: @b\n",
    "two documents": b"---\na: 1\n---\nb: 1\n",
    "infinite": b"a: .inf\n",
    "half a surrogate": b'a: "\\ud800"\n',
    "alias that holds itself": b"a: &x [*x]\n",
    "billion laughs": LAUGHS,
    "deep": b"[" * 1000,
    "large": b"a" * (MAX_BYTES + 1),
}


def problems(data: bytes) -> list[str]:
    try:
        return [str(problem) for problem in parse(data, "f.yaml").problems]
    except ConfigError as error:
        return [str(problem) for problem in error.problems]


@pytest.mark.parametrize("name", BROKEN)
def test_one_clear_sentence_for_each_broken_file(name: str, snapshot: SnapshotAssertion) -> None:
    found = problems(BROKEN[name])
    assert found
    assert "\n".join(found) == snapshot
    assert quickest(lambda: problems(BROKEN[name]), enough=1) <= 1


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("no", "no"),
        ("On", "On"),
        ("12:30", "12:30"),
        ("010", 10),
        ("0o17", 15),
        ("0x1F", 31),
        ("1_000", "1_000"),
        ("1e3", 1000.0),
        (".5", 0.5),
        ("-7", -7),
        ("~", None),
        ("", None),
        ("true", True),
        ("False", False),
        ("2026-11-20", "2026-11-20"),
        ("=", "="),
        ("'no'", "no"),
        ('"7"', "7"),
        ("5/s", "5/s"),
    ],
)
def test_scalars_of_yaml_1_2(text: str, value: Any) -> None:
    found = parse(f"a: {text}\n".encode(), "f.yaml").value["a"]
    assert (type(found), found) == (type(value), value)


def test_byte_order_mark_and_windows_line_ends() -> None:
    document = parse(b"\xef\xbb\xbfa: 1\r\nb:\r\n  - x\r\n  - y\r\n", "f.yaml")
    assert document.value == {"a": 1, "b": ["x", "y"]}
    assert document.values["b", 1] == (4, 5)
    assert document.source.lines[3] == "  - y"


def test_aliases_keep_the_place_of_what_they_repeat() -> None:
    document = parse(b"a: &x {k: 1}\nb: *x\n", "f.yaml")
    assert document.value == {"a": {"k": 1}, "b": {"k": 1}}
    assert document.values["b", "k"] == (1, 11)


TREES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**20), 10**20)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=50), inner, max_size=3),
    max_leaves=8,
)


@pytest.mark.slow
@given(st.dictionaries(st.text(max_size=50), TREES, min_size=1, max_size=3))
def test_json_is_yaml_and_comes_back_as_it_is(value: dict[str, Any]) -> None:
    document = parse(json.dumps(value).replace("\x7f", "\\u007f").encode(), "f.yaml")
    assert document.value == value
    assert not document.problems


@given(TREES.filter(lambda value: value is not None))
def test_what_pyyaml_writes_is_read_or_refused_never_a_crash(value: Any) -> None:
    assert problems(yaml.safe_dump(value, allow_unicode=True).encode("utf-8", "surrogatepass")) is not None


@given(st.binary(max_size=60) | st.text("{}[]:,-&*!|>'\"%@` \n\tab0", max_size=30).map(str.encode))
def test_any_bytes_give_a_document_or_problems(data: bytes) -> None:
    for problem in problems(data):
        assert problem.startswith("f.yaml:")


def counted(values: int) -> str:
    """A file with so many values once its aliases are expanded: a hundred of them in each `*a`."""
    often, more = divmod(values - 102, 100)
    return f"a: &a [{', '.join('x' * 99)}]\nb: [{', '.join(['*a'] * often + ['1'] * more)}]\n"


@pytest.mark.parametrize(
    ("most", "made", "told"),
    [
        (256_000, lambda n: "a: 1 #".ljust(n, "x"), "the file is larger than 256 kB"),
        (50, lambda n: "[" * (n - 1) + "1" + "]" * (n - 1), "nested deeper than 50 levels"),
        (20_000, counted, "the file contains more than 20,000 values"),
    ],
)
def test_a_file_is_bounded(most: int, made: Callable[[int], str], told: str) -> None:
    assert not problems(made(most).encode())
    (problem,) = problems(made(most + 1).encode())
    assert told in problem


@pytest.mark.parametrize(("length", "shown"), [(300, True), (301, False)])
def test_a_long_line_is_not_shown_with_its_problem(length: int, shown: bool) -> None:
    line = "{a: 1, a: 2} #".ljust(length, "x")
    (problem,) = problems(line.encode())
    assert problem.startswith("f.yaml:1:8: a: 'a' is there twice (the first is on line 1)")
    assert (line in problem) == shown


@pytest.mark.parametrize(
    ("text", "place"),
    [
        (b"a: 1\nb: \x00\n", "2:4: the character U+0000"),
        ("a: 1\u2028b: \ufffe".encode(), "2:4: the character U+FFFE"),
        (b"a: caf\xe9\n", "1:7: byte 0xe9 is not UTF-8"),
        (b"a: 1\nb: 2\n\xff", "3:1: byte 0xff is not UTF-8"),
        (b"a: 1\r\rb: {c: 1, c: 2}", "3:11: b.c: 'c' is there twice"),
        (b"a: [{b: 1, b: 2}]", "1:12: a[0].b: 'b' is there twice"),
        (b"a: !!int 1", "1:4: a: the tag !!int is not allowed"),
        (b"~: 1", "1:1: the key '~' is not text"),
    ],
)
def test_what_is_wrong_is_shown_at_its_line_and_column(text: bytes, place: str) -> None:
    assert problems(text)[0].startswith(f"f.yaml:{place}")


def test_every_part_has_its_place() -> None:
    text = b"connect:\n  request:\n    json: {text: 'q', more: [1, 2]}\n"
    document = parse(text, "f.yaml")
    assert str(document.problem(("connect", "request", "json", "more", 1), "is wrong")) == (
        "f.yaml:3:33: connect.request.json.more[1]: is wrong\n"
        "        json: {text: 'q', more: [1, 2]}\n"
        "                                    ^"
    )
    assert document.find("connect.request.json.more[1].x") == ("connect", "request", "json", "more", 1)


TARGET = """\
name: desk
# a comment: here
env:
- TOKEN
connect:
  kind: http
  request:
    url: http://127.0.0.1:1/chat
    json:
      text: '{{ question }}'

      deep: {a: 1}
    headers:
      Accept: application/json
  extract:
    answer: $.text
limits:
  rate: 1/s
"""


@pytest.mark.parametrize("line", [n for n, text in enumerate(TARGET.splitlines(), 1) if ":" in text.split("#")[0]])
def test_a_key_without_colon_is_named_by_its_own_line(line: int) -> None:
    lines = TARGET.splitlines()
    lines[line - 1] = lines[line - 1].replace(":", "", 1)
    for problem in problems("\n".join(lines).encode()):
        assert problem.startswith(f"f.yaml:{line}:"), problem
        assert "missing" in problem
