"""Pages that need no network: a template, its style and script, and the hashes that its security policy names."""

from __future__ import annotations

from base64 import b64encode
from hashlib import sha256
from importlib.resources import files
from typing import Any


def rendered(template: str, styles: tuple[str, ...], script: str = "", **values: Any) -> str:
    """A page made of the files of these names; `values` are what its template shows."""
    from jinja2 import Environment, StrictUndefined

    folder = files("botattack.report") / "page"
    style = "".join(folder.joinpath(name).read_text("utf-8") for name in styles)
    code = folder.joinpath(script).read_text("utf-8") if script else ""
    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    return environment.from_string(folder.joinpath(template).read_text("utf-8")).render(
        style=style, style_hash=_hash(style), script=code, script_hash=_hash(code), **values
    )


def _hash(text: str) -> str:
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"
