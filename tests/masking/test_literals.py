"""What a target file holds literally of a secret is known, wherever the schema lets a text stand."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from botattack.config.literals import literals
from botattack.config.schema import schema
from botattack.recordings.masking import MASK, Masker
from tests.cli.conftest import Botattack, Serve, botattack, folder, serve
from tests.servers.http import Server, replying, response

__all__ = ["botattack", "folder", "serve"]

Path_ = tuple[str, ...]
FIRST, SECOND = "c4n4ry-0123", "9f8e7d6c5b"
MIXED = {
    "before": (f"{FIRST}{{{{ env.REST }}}}", [FIRST]),
    "behind": (f"{{{{ env.REST }}}}{FIRST}", [FIRST]),
    "around": (f"{FIRST}{{{{ session }}}}{SECOND}", [FIRST, SECOND]),
    "short": ("k4n4{{ env.REST }}", ["k4n4"]),
    "within": (f"{{{{ env.REST | default('{FIRST}') }}}}", [FIRST]),
    "alone": (FIRST, [FIRST]),
}
"""Texts that hold parts of a secret literally, and these parts."""
NO_SECRETS = {"user", "scope", "audience"}


def places(part: dict[str, Any], whole: dict[str, Any], path: Path_ = ()) -> Iterator[tuple[Path_, Any]]:
    """Every place where the schema lets a text of any kind stand, or anything at all, with the type there."""
    part = whole["$defs"][part["$ref"].rpartition("/")[2]] if "$ref" in part else part
    inner = [*part.get("anyOf", ()), *part.get("oneOf", ())]
    for one in inner:
        yield from places(one, whole, path)
    named = part.get("additionalProperties")
    under = {**part.get("properties", {}), **({"any": named} if named else {})}
    for name, one in under.items():
        yield from places(one, whole, (*path, name))
    if "items" in part:
        yield from places(part["items"], whole, (*path, "[]"))
    elif not inner and not under and not {"enum", "const", "pattern"} & part.keys():
        yield path, part.get("type")


def connects() -> set[tuple[Path_, Any]]:
    whole = schema("target")
    every = {(path, str(kind)) for path, kind in places(whole["properties"]["connect"], whole)}
    return {(path, kind) for path, kind in every if kind in ("string", "object", "None", "['string', 'object']")}


def written(path: Path_, kind: str, text: str) -> Iterator[Any]:
    """`connect` with a text under a name of a secret at a place, in each way to write that there."""
    *way, last = path
    if kind == "string" and last == "with":
        values: list[Any] = [{"fill": "#password", "with": text}, {"type": "[name=token]", "with": text}]
        path = tuple(way)
    elif kind == "string":
        values = [f"http://127.0.0.1/?x=1&token={text}", f'{{"api_key": "{text}", "q": "x"}}', f"a=1&password={text}"]
    elif kind == "object":
        values = [{"X-Token": text}, {"Cookie": f"lang=en; session={{{{ session }}}}; seen={text}"}]
    elif kind == "None":
        values = [{"deep": [{"password": text}]}, [{"name": "secret", "value": text}], f'42["in",{{"token":"{text}"}}]']
    else:
        values = [text] if last not in NO_SECRETS else []
    for connect in values:
        for name in reversed(path):
            connect = [connect] if name == "[]" else {name: connect}  # noqa: PLW2901
        yield connect


def test_the_schema_has_places_of_every_kind() -> None:
    assert {kind for _, kind in connects()} == {"string", "object", "None", "['string', 'object']"}
    assert len(connects()) > 100


@pytest.mark.parametrize("name", MIXED)
def test_every_literal_part_is_a_secret_at_every_place(name: str, tmp_path: Path) -> None:
    text, parts = MIXED[name]
    every = [one for path, kind in sorted(connects()) for one in written(path, kind, text)]
    leaking = [
        connect
        for connect in every
        for part in parts
        if Masker(literals(connect, tmp_path)).text(f"it is {part}") != f"it is {MASK}"
    ]
    assert leaking == []


def test_words_around_placeholders_that_are_no_secrets_stay() -> None:
    headers = {"Authorization": "Bearer {{ env.TOKEN }}", "Cookie": "sessionid={{ env.S }}; theme=dark; lang=en"}
    found = {*literals({"request": {"headers": headers}}, Path())}
    said = "Bearer of a sessionid, a theme, dark"
    assert Masker(found).text(said) == said


@pytest.mark.parametrize("name", sorted(NO_SECRETS))
def test_who_asks_for_a_token_and_what_for_is_no_secret(name: str, tmp_path: Path) -> None:
    assert not {*literals({"auth": {name: "reports"}}, tmp_path)}
    assert {*literals({"auth": {"other": "reports"}}, tmp_path)} == {"reports"}


def test_a_cookie_of_two_hands_is_nowhere_in_a_recording(botattack: Botattack, folder: Path, serve: Serve) -> None:
    url = serve(Server(replying(lambda request: response({"text": f"Paris. I saw {request.headers['cookie']}"}))))
    connect = {
        "kind": "http",
        "request": {
            "url": url,
            "headers": {"Cookie": f"s={{{{ session }}}}; id={FIRST}"},
            "json": {"q": "{{ question }}"},
        },
        "extract": {"answer": "$.text"},
    }
    (folder / "bot.yaml").write_text(yaml.safe_dump({"connect": connect, "limits": {"rate": "unlimited"}}))
    (folder / "faq.csv").write_text("question,answers\nWhat is the capital of France?,Paris\n")
    ended = botattack("run", "-t", "bot.yaml", "-q", "faq.csv", "-a", "case", "-o", "report.html")
    texts = [path.read_text() for path in folder.rglob("*") if path.is_file() and path.name != "bot.yaml"]
    assert any("Paris" in text and MASK in text for text in texts), ended
    assert not [text for text in (*texts, ended.out, ended.err) if FIRST in text]
