"""Languages in a folder of one's own: read as ours are, and told about if something is wrong in them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = """
import sys
from botattack.errors import BotattackError
from botattack.text.languages import codes, language, stemmer
try:
    spoken = language(sys.argv[1])
    print(spoken.known, sys.argv[1] in codes(), sorted(spoken.no), stemmer(sys.argv[1])("gatti"))
except BotattackError as error:
    print(error)
"""


def said(folder: Path, code: str) -> str:
    """What a fresh process knows of a language; a language is read once in a process."""
    command = [sys.executable, "-c", PROGRAM, code]
    env = {"BOTATTACK_LANGUAGES": str(folder)}
    return subprocess.run(command, env=env, capture_output=True, text=True, timeout=300, check=True).stdout.strip()


@pytest.mark.parametrize("path", ["it.yaml", "it/words.yaml"])
def test_a_folder_adds_a_language(tmp_path: Path, path: str) -> None:
    file = tmp_path / path
    file.parent.mkdir(exist_ok=True)
    file.write_text('stemmer: italian\nfunction_words: il la\n"no": no mai\n')
    assert said(tmp_path, "it") == "True True ['mai', 'no'] gatt"


def test_a_folder_comes_before_ours(tmp_path: Path) -> None:
    (tmp_path / "de.yaml").write_text('function_words: der die das\n"no": nö\n')
    assert said(tmp_path, "de") == "True True ['no'] gatti"


@pytest.mark.parametrize("code", ["qq", "../qq", "", "qqx"])
def test_a_language_that_nobody_wrote_down_says_so(tmp_path: Path, code: str) -> None:
    (tmp_path / "other").mkdir()
    (tmp_path / "qq.yaml").write_text("function_words: il\n")
    folder = tmp_path / "other"
    assert said(folder, code) == "False False [] gatti"


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("function_words: il\nnegation: non\n", "`negation`"),
        ("function_words: il\nquestions: [chi]\n", "`$.questions`"),
        ("function_words: [il\n", "YAML"),
        ("il la\n", "mapping"),
    ],
    ids=["unknown list", "wrong kind of list", "no YAML", "no lists"],
)
def test_a_mistake_is_told_with_its_file(tmp_path: Path, text: str, named: str) -> None:
    (tmp_path / "it.yaml").write_text(text)
    told = said(tmp_path, "it")
    assert named in told
    assert str(tmp_path / "it.yaml") in told
