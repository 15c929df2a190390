"""Keys of a target file at the wrong level: one problem that says below what each belongs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from botattack.config.target import TargetFile, declarations_of
from botattack.errors import ConfigError

ROOT = Path(__file__).parents[2] / "targets"
FILES = [path for path in sorted(ROOT.glob("*.yaml")) if "connect" in yaml.safe_load(path.read_text())]


def refused(tmp_path: Path, content: Any) -> str:
    path = tmp_path / "bot.yaml"
    path.write_text(yaml.safe_dump(content, sort_keys=False))
    with pytest.raises(ConfigError) as error:
        declarations_of(path)
    (problem,) = error.value.problems
    return str(problem)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_keys_that_were_written_too_high_are_named_with_their_level(tmp_path: Path, path: Path) -> None:
    whole = yaml.safe_load(path.read_text())
    connect = whole["connect"]
    top = {key: value for key, value in connect.items() if key not in TargetFile.__dataclass_fields__}
    said = refused(tmp_path, {key: value for key, value in whole.items() if key != "connect"} | top)
    assert "`connect:`" in said
    assert [key for key in top if key not in said] == []
    for part in ("request", "extract"):
        inner = connect.get(part)
        if isinstance(inner, dict) and not inner.keys() & connect.keys():
            rest = {key: value for key, value in connect.items() if key != part}
            said = refused(tmp_path, whole | {"connect": rest | inner})
            assert f"`connect: {part}:`" in said
            assert [key for key in inner if key not in said] == []


def test_a_key_that_belongs_nowhere_is_no_matter_of_levels(tmp_path: Path) -> None:
    whole = yaml.safe_load(FILES[0].read_text()) | {"colour": "red"}
    assert "no such key" in refused(tmp_path, whole)


@pytest.mark.parametrize("kind", [["http"], {"http": 1}, 7, None])
def test_a_kind_that_is_no_name_is_one_sentence(tmp_path: Path, kind: object) -> None:
    assert "connect.kind" in refused(tmp_path, {"connect": {"kind": kind}})
