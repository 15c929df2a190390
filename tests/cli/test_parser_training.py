"""A parser trained from a treebank that the user names, and what parses with it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from botattack.errors import MissingPart
from botattack.text.parts import parse
from tests.cli.conftest import Botattack, Ended

Get = Callable[..., Ended]
NOUNS = ["شهر", "کتاب", "مرد", "زن", "رود", "خانه", "پسر", "دختر"]
VERBS = ["دید", "خرید", "خواند", "ساخت"]


def treebank(sentences: int, start: int = 0) -> str:
    """So many sentences of a subject, an object and a verb, in CoNLL-U."""
    rows = []
    for i in range(start, start + sentences):
        subject, other, verb = NOUNS[i % 8], NOUNS[(i // 8 + 3 * i + 1) % 8], VERBS[i % 4]
        found = [(subject, "NOUN", 4, "nsubj"), (other, "NOUN", 4, "obj"), ("را", "ADP", 2, "case")]
        found += [(verb, "VERB", 0, "root"), (".", "PUNCT", 4, "punct")]
        rows += [f"# text = {' '.join(word for word, *_ in found)}"]
        rows += [f"{n}\t{w}\t{w}\t{pos}\t_\t_\t{head}\t{dep}\t_\t_" for n, (w, pos, head, dep) in enumerate(found, 1)]
        rows.append("")
    return "\n".join(rows) + "\n"


@pytest.fixture
def get(botattack: Botattack, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Get:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return lambda *words: botattack("resources", "get", *words)


@pytest.fixture
def treebanks(tmp_path: Path) -> Path:
    found = tmp_path / "UD_Persian-Own"
    found.mkdir()
    (found / "fa_own-ud-train.conllu").write_text(treebank(60), "utf-8")
    (found / "fa_own-ud-test.conllu").write_text(treebank(20, 100), "utf-8")
    (found / "README.md").write_text("# Own\n\nLicense: CC BY-SA 4.0\n")
    return found


@pytest.mark.slow
def test_a_trained_parser_parses_its_language_and_says_what_it_reached(get: Get, treebanks: Path) -> None:
    ended = get("parser-fa", "--from", treebanks)
    assert ended.status == 0, ended.err
    assert "60 sentences to learn from, 20 to measure by; at most 300 CPU s" in ended.err
    assert "epoch 1 of " in ended.err
    assert "right on 20 sentences that it has not seen: parts of speech 100.0%" in ended.out
    parser = parse.load()
    assert "parser-fa" in parser.info.name
    assert "CC BY-SA 4.0" in parser.info.licence
    persian, english, german = parser.meet(
        [
            {"text": "زن کتاب را خرید.", "lang": "fa-IR"},
            {"text": "who is it?", "lang": "en"},
            {"text": "wer?", "lang": "de"},
        ]
    )
    assert [token.pos for token in persian] == ["NOUN", "NOUN", "ADP", "VERB", "PUNCT"]
    assert [token.relation for token in persian][:2] == ["nsubj", "obj"]
    assert english[0].tag == "WP"
    assert not any(token.relation for token in german)
    (treebanks / "fa_own-ud-train.conllu").write_text("1\tno tree\n")
    before = sorted((treebanks.parent / "cache").rglob("*"))
    assert get("parser-fa", "--from", treebanks).status == 2
    assert sorted((treebanks.parent / "cache").rglob("*")) == before
    assert parse.load().info == parser.info


@pytest.mark.slow
def test_without_test_files_every_tenth_sentence_is_held_out(get: Get, treebanks: Path) -> None:
    (treebanks / "fa_own-ud-test.conllu").unlink()
    assert "right on 6 sentences" in get("parser-fa", "--from", treebanks).out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("parser-fa",), "parser-fa is trained, not fetched: botattack resources get parser-LANG --from UD_FOLDER"),
        (("parser-../x", "--from", "."), "is trained, not fetched"),
        (("parser-fa", "--from", "nowhere"), "nowhere has no files fa_*.conllu: name the folder of a Universal"),
        (("parser-xx", "--from", "."), "has no files xx_*.conllu"),
    ],
)
def test_what_cannot_be_trained_is_told_in_one_sentence(get: Get, words: tuple[str, ...], said: str) -> None:
    ended = get(*words)
    assert ended.status == 2
    assert said in ended.err
    assert "Traceback" not in ended.err


def test_a_parser_that_was_damaged_is_told_with_the_command_that_trains_it(get: Get, tmp_path: Path) -> None:
    del get
    damaged = tmp_path / "cache" / "botattack" / "parser-fa"
    damaged.mkdir(parents=True)
    (damaged / "config.cfg").write_text("")
    with pytest.raises(MissingPart, match="botattack resources get parser-fa --from UD_FOLDER"):
        parse.load()
