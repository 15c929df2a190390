from pathlib import Path

import pytest

from botattack.errors import MissingPart
from botattack.text.parts import dictionary, thesaurus
from botattack.text.parts.dictionary import Dictionary


@pytest.fixture(scope="module")
def english() -> Dictionary:
    return dictionary.load()


def test_it_says_what_it_is(english: Dictionary) -> None:
    assert len(english.words) == 82_834
    assert english.info.licence == "MIT"
    assert "symspellpy" in english.info.version
    assert "lemminflect" in english.info.version
    assert len(english.info.digest) == 64


def test_parts_of_speech(english: Dictionary) -> None:
    assert english.parts_of_speech("played") == {"VERB"}
    assert english.parts_of_speech("london") == {"PROPN"}
    assert english.parts_of_speech("quickly") == {"ADV"}
    assert english.parts_of_speech("ebay") == frozenset()


def test_spelled_alike_under_each_rule(english: Dictionary) -> None:
    same = english.similar("voice", 2, "NOUN", "same")
    assert ("vice", 1) in same
    assert all("NOUN" in english.parts_of_speech(word) for word, _ in same)
    different = english.similar("voice", 2, "NOUN", "different")
    assert all("NOUN" not in english.parts_of_speech(word) for word, _ in different)
    free = english.similar("voice", 2)
    unknown = {hit for hit in free if not english.parts_of_speech(hit[0])}
    assert set(same) | set(different) | unknown == set(free)
    assert not set(same) & set(different)
    assert {hit[0][0] + hit[0][-1] for hit in free} == {"ve"}


@pytest.mark.slow
def test_wordnet_tells_what_lemminflect_lacks(
    english: Dictionary, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("noun", "verb", "adj", "adv"):
        lemma = "gallery" if name == "noun" else "zzz"
        (tmp_path / f"index.{name}").write_text(f"  1 a licence\n{lemma} {name[0]} 1 0 1 0 00000001  \n")
        (tmp_path / f"data.{name}").write_text("")
    monkeypatch.setenv(thesaurus.VARIABLE, str(tmp_path))
    found = english.widened(dictionary.load_lemmas())
    assert found.parts_of_speech("galleries") == found.parts_of_speech("gallery") == {"NOUN"}
    assert found.parts_of_speech("played") == {"VERB"}
    assert ("galley", 1) in found.similar("gallery", 1, "NOUN", "same")
    monkeypatch.setenv(thesaurus.VARIABLE, str(tmp_path / "none"))
    without = dictionary.load_lemmas()
    assert english.widened(without).parts_of_speech("gallery") == frozenset()
    assert without.info.version == "not installed"


@pytest.mark.parametrize("package", ["symspellpy", "lemminflect"])
def test_a_missing_package_is_named_with_its_mend(package: str, monkeypatch: pytest.MonkeyPatch) -> None:
    real = dictionary.package_folder
    monkeypatch.setattr(dictionary, "package_folder", lambda name: None if name == package else real(name))
    with pytest.raises(MissingPart, match=rf'needs {package}: pip install .*\[english\]"'):
        dictionary.load()
