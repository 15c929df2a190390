"""Hostile files, made of sound ones: the same seed gives the same file."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import Any

import yaml

ESCAPE = "\x1b]0;owned\x07\x1b[31m\x1b[2J"
TEXTS = (
    *(
        ESCAPE,
        "",
        " ",
        "\0",
        "\n",
        "../../EVIL",
        "/dev/zero",
        "x" * 300,
        "é" * 200,
        "{{ question[9] }}",
        "{{ env.HOME }}",
    ),
    *(
        "{{",
        "}}",
        "{% x %}",
        "a{99999999}",
        "(a{999}){999}",
        "(a|aa)+$",
        "(",
        "[",
        "http://127..0.1/",
        "http://[",
        "::",
    ),
    *(
        "http://127.0.0.1:99999/",
        "file://x.py:f",
        "\u202eright\u2066",
        "\ufeff",
        "\U0001f468\u200d\U0001f469",
        "&a *a",
        "!!x",
    ),
    *(
        "=1+1",
        "<b>x</b>",
        "[x](http://e.example)",
        "##[error]x",
        "::set-output name=a::b",
        "%00",
        "'",
        '"',
        "\\",
        "NaN",
    ),
    *("1/0", "5/s", "-1", "1e999", "9" * 400, "2027-13-45", "unlimited", "true", "null", "$..*", "$[?@.a=~/(/]"),
)
VALUES: tuple[Any, ...] = (
    *(
        None,
        True,
        False,
        0,
        -1,
        1,
        2**31,
        2**63,
        2**64,
        10**30,
        0.0,
        -0.5,
        1e308,
        [],
        {},
        [[]],
        [None],
        {"": ""},
        {"a": {}},
    ),
    *([1, "a", None], {"regex": "("}, {"file": "x"}, {"text": "x", "regex": True}),
)
BYTES = (
    *(
        b"\0",
        b"\xff",
        b"\xc3",
        b"\xed\xa0\x80",
        b"\xef\xbb\xbf",
        b"\xff\xfe",
        b"\r",
        b"\n",
        b"\t",
        b"\x85",
        b"\xe2\x80\xa8",
    ),
    *(
        b"{",
        b"}",
        b"[",
        b"]",
        b":",
        b",",
        b'"',
        b"'",
        b"-",
        b"#",
        b"&a ",
        b"*a ",
        b"<<: ",
        b"!!python/object:os.system ",
    ),
    *(
        b"\\ud800",
        b"\x1b[31m",
        b"[" * 2000,
        b'{"a":' * 2000,
        b"9" * 5000,
        b"1e99999",
        b"\\",
        b"|\n",
        b"? ",
        b"---\n",
        b"%YAML 9\n",
    ),
)


def text(rng: Random) -> str:
    return rng.choice(TEXTS)


def value(rng: Random) -> Any:
    """Something that is seldom what a file should have there."""
    return text(rng) if rng.random() < 0.6 else rng.choice(VALUES)


def in_bytes(content: bytes, rng: Random) -> bytes:
    """With one place cut out, doubled, flipped, or filled with what readers stumble over."""
    start = rng.randrange(len(content) + 1)
    end = min(len(content), start + rng.choice((0, 1, 1, 2, 5, 20, 200)))
    head, piece, tail = content[:start], content[start:end], content[end:]
    ways: tuple[Callable[[], bytes], ...] = (
        lambda: head + tail,
        lambda: head + piece * rng.choice((2, 3, 100)) + tail,
        lambda: head + bytes(byte ^ (1 << rng.randrange(8)) for byte in piece) + tail,
        lambda: head + rng.choice(BYTES) + tail,
        lambda: head + text(rng).encode() + tail,
        lambda: head,
    )
    return rng.choice(ways)()


def places(tree: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    yield path
    children = tree.items() if isinstance(tree, dict) else enumerate(tree) if isinstance(tree, list) else ()
    for key, child in children:
        yield from places(child, (*path, key))


def in_tree(tree: Any, rng: Random) -> Any:
    """With one value replaced, renamed, doubled or left out."""
    *way, last = rng.choice([path for path in places(tree) if path] or [(None,)])
    if last is None:
        return value(rng)
    parent = tree
    for key in way:
        parent = parent[key]
    how = rng.randrange(6)
    if how == 0 and isinstance(parent, dict):
        parent[text(rng)] = parent.pop(last)
    elif how == 1:
        del parent[last]
    elif how == 2:
        parent[last] = [parent[last]] * rng.choice((1, 2, 50))
    elif how == 3 and isinstance(parent[last], str):
        at = rng.randrange(len(parent[last]) + 1)
        parent[last] = parent[last][:at] + text(rng) + parent[last][at:]
    else:
        parent[last] = value(rng)
    return tree


def in_yaml(content: bytes, rng: Random) -> bytes:
    tree = in_tree(yaml.safe_load(content), rng)
    return str(yaml.safe_dump(tree, allow_unicode=True, sort_keys=False)).encode("utf-8", "surrogatepass")


def in_json(content: bytes, rng: Random) -> bytes:
    return json.dumps(in_tree(json.loads(content), rng), ensure_ascii=rng.random() < 0.5).encode(
        "utf-8", "surrogatepass"
    )


def in_lines(content: bytes, rng: Random) -> bytes:
    """With one of its lines of JSON changed, moved, doubled or left out."""
    lines = content.splitlines(keepends=True)
    at = rng.randrange(len(lines))
    how = rng.randrange(8)
    if how == 0:
        del lines[at]
    elif how == 1:
        lines.insert(rng.randrange(len(lines)), lines[at])
    elif how == 2:
        lines.append(lines.pop(at))
    else:
        lines[at] = in_json(lines[at], rng) + b"\n"
    return b"".join(lines)


Mutator = Callable[[bytes, Random], bytes]


def mutated(content: bytes, rng: Random, mutators: Sequence[Mutator]) -> bytes:
    """One to four mutations in a row; one that needs a sound file is left out once the file is none."""
    for _ in range(rng.choice((1, 1, 2, 4))):
        try:
            content = rng.choice(mutators)(content, rng)
        except (ValueError, yaml.YAMLError, RecursionError, TypeError, AttributeError, IndexError):
            content = in_bytes(content, rng)
    return content
