"""Every target file that is shipped can be loaded, and asks what it says."""

from __future__ import annotations

import re
from datetime import date
from pathlib import Path

import pytest
import yaml

from botattack.config.target import load_target
from botattack.errors import ConfigError, TrustRefused

FILES = sorted((Path(__file__).parents[2] / "targets").glob("*.yaml"))
ENVIRON = {name: "value" for file in FILES for name in re.findall(r"env\.(\w+)", file.read_text())}


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_it_loads(file: Path, tmp_path: Path) -> None:
    def load(path: Path) -> object:
        return load_target(
            path, environ=ENVIRON, today=date(2026, 1, 1), allow_code=True, resolve=lambda _: ["127.0.0.1"]
        ).options

    assert load(file)
    assert yaml.safe_load(file.read_text())["connect"]["kind"]
    if file.stem.startswith("template-"):
        everything = tmp_path / file.name
        everything.write_text(_uncommented(file.read_text()))
        for name in ("ca.pem", "me.pem", "me.key", "my_bot.py"):
            (tmp_path / name).touch()
        assert load(everything)


def _uncommented(text: str) -> str:
    """With every option that stands in a comment; the environment names are declared."""
    text = re.sub(r"^( *)# (?=[a-z_]+: )", r"\1", text, flags=re.MULTILINE)
    names = sorted(set(re.findall(r"env\.(\w+)", text)))
    return re.sub(
        r"^env:.*\n|(?<=\nname: my-bot\n)",
        f"env: [{', '.join(names)}]\n" if names else "",
        text,
        count=1,
        flags=re.MULTILINE,
    )


def test_code_of_a_template_is_not_run_unasked() -> None:
    for name in ("process", "local"):
        file = FILES[0].with_name(f"template-{name}.yaml")
        with pytest.raises((TrustRefused, ConfigError)):
            load_target(file, environ={}, today=date(2026, 1, 1), trusted=lambda _: False)
