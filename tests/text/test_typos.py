import json
import os
from pathlib import Path

import pytest

from botattack.errors import MissingPart
from botattack.text.parts import typos

BIRKBECK = "$all_right\nalright\n$Sometimes\nsometmes 3\nsome_times\nSometimes\n$?\nnis 1\n$Qu\xe9bec\nQuebec\n"


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    path = tmp_path / "missp.dat"
    path.write_text(BIRKBECK, "latin-1")
    return path


def test_codespell_is_read_as_installed() -> None:
    found = typos.load()
    assert "univeristy" in found.of("University")
    assert found.of("a lot") == ("alot",)
    assert "codespell" in found.info.name
    assert found.info.licence == "CC BY-SA 3.0"
    assert found.sources[0].startswith("codespell: 7")


def test_remarks_and_second_meanings_of_codespell(tmp_path: Path) -> None:
    path = tmp_path / "dictionary.txt"
    path.write_text("abbort->abort, abbot,\nclas->class, a remark\nadn->and\n", "utf-8")
    pairs = list(typos._read_codespell(path))
    assert pairs == [("abbort", "abort"), ("abbort", "abbot"), ("clas", "class"), ("adn", "and")]


def test_a_birkbeck_file(corpus: Path) -> None:
    found = typos.load(str(corpus))
    assert found.of("sometimes") == ("sometmes", "some times")
    assert found.of("ALL  right") == ("alright",)
    assert found.of("québec") == ("Quebec",)
    assert found.of("?") == ()
    assert found.sources == ("missp.dat: 4",)


def test_a_folder_is_read_whole_and_what_is_no_corpus_is_left(corpus: Path) -> None:
    (corpus.parent / "SOURCE.md").write_text("words")
    (corpus.parent / "tagged.dat").write_text("1.\nNIGEL THRUSH")
    (corpus.parent / "spell_errors.json").write_text(json.dumps({"sometimes": ["sum_times", "sometmes"]}))
    found = typos.load(str(corpus.parent))
    assert found.of("sometimes") == ("sometmes", "some times", "sum times")
    assert found.sources == ("missp.dat: 4", "spell_errors.json: 2")


def test_places_come_from_the_environment(corpus: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(typos.VARIABLE, f"codespell{os.pathsep}{corpus}")
    found = typos.load()
    assert len(found.sources) == 2
    assert {"sometmes", "soemtimes"} <= set(found.of("sometimes"))


def test_its_digest_is_of_its_data(corpus: Path) -> None:
    before = typos.load(str(corpus)).info.digest
    assert typos.load(str(corpus)).info.digest == before
    corpus.write_text(BIRKBECK + "$one\nnoe\n", "latin-1")
    assert typos.load(str(corpus)).info.digest != before


def test_no_source_at_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(typos, "package_folder", lambda _: None)
    with pytest.raises(MissingPart, match=r'pip install .*\[demo\]".*BOTATTACK_TYPOS'):
        typos.load()


def test_a_place_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(MissingPart, match="nowhere, which does not exist"):
        typos.load(str(tmp_path / "nowhere"))


@pytest.mark.parametrize(
    ("name", "text"),
    [("words.txt", "one\ntwo\n"), ("list.json", "[1, 2]"), ("numbers.json", '{"a": [1]}'), ("cut.json", '{"a')],
)
def test_a_place_that_holds_no_typos(name: str, text: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_text(text)
    with pytest.raises(MissingPart, match=name):
        typos.load(str(path))


@pytest.mark.data
def test_the_papers_four_corpora(data: Path) -> None:
    found = typos.load(str(data / "typos"))
    assert {source.split(":")[0] for source in found.sources} >= {"missp.dat", "aspell.dat", "wikipedia.dat"}
    assert "univeristy" in found.of("university")
