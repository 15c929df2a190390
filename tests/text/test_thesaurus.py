from pathlib import Path

import pytest

from botattack.errors import MissingPart
from botattack.text.parts import thesaurus
from botattack.text.parts.thesaurus import Thesaurus
from tests.attacks.resources import write_wordnet


@pytest.fixture
def wordnet(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Thesaurus:
    monkeypatch.setenv(thesaurus.VARIABLE, str(write_wordnet(tmp_path)))
    return thesaurus.load()


def test_synonyms_are_the_other_words_of_a_sense(wordnet: Thesaurus) -> None:
    assert wordnet.synonyms("car", "NOUN") == ("auto", "motorcar")
    assert wordnet.synonyms("Motorcar", "NOUN") == ("car", "auto")
    assert wordnet.synonyms("capital", "NOUN") == ("working capital",)
    assert wordnet.synonyms("working capital", "NOUN") == ("capital",)
    assert (
        wordnet.synonyms("car", "VERB") == wordnet.synonyms("zebra", "NOUN") == wordnet.synonyms("car", "PROPN") == ()
    )


def test_where_an_adjective_may_stand_is_no_part_of_it(wordnet: Thesaurus) -> None:
    assert wordnet.synonyms("fair", "ADJ") == ("beautiful",)


def test_antonyms_are_of_the_word_and_not_of_its_sense(wordnet: Thesaurus) -> None:
    assert wordnet.antonyms("large", "ADJ") == (("small",),)
    assert wordnet.antonyms("small", "ADJ") == (("large",),)
    assert wordnet.antonyms("big", "ADJ") == ()
    assert wordnet.antonyms("late", "ADV") == (("early",),)


@pytest.mark.parametrize(
    ("lemma", "pos"),
    [
        ("auto", "NOUN"),
        ("working capital", "NOUN"),
        ("voice", "NOUN"),
        ("act", "VERB"),
        ("young", "ADJ"),
        ("early", "ADV"),
    ],
)
def test_every_word_is_found_first_and_last_of_the_file_too(lemma: str, pos: str, wordnet: Thesaurus) -> None:
    assert len(wordnet.senses(lemma, pos)) == 1


@pytest.mark.parametrize("lemma", ["", "1", " ", "aaa", "zzz", "é", "auto\n", "with", "au"])
def test_what_is_no_word_of_it_has_no_senses(lemma: str, wordnet: Thesaurus) -> None:
    assert wordnet.senses(lemma, "NOUN") == ()


def test_its_digest_is_that_of_its_files(wordnet: Thesaurus, tmp_path: Path) -> None:
    (tmp_path / "data.noun").write_bytes((tmp_path / "data.noun").read_bytes() + b" ")
    assert thesaurus.load().info.digest != wordnet.info.digest
    assert (wordnet.info.name, wordnet.info.version) == ("WordNet", "3.0")


def test_a_missing_thesaurus_says_how_to_get_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(thesaurus.VARIABLE, raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(thesaurus, "DEBIAN", tmp_path / "nowhere")
    with pytest.raises(MissingPart, match="botattack resources get wordnet"):
        thesaurus.load()
    monkeypatch.setenv(thesaurus.VARIABLE, str(tmp_path))
    with pytest.raises(MissingPart, match=r"BOTATTACK_WORDNET names .* does not contain WordNet's index.noun"):
        thesaurus.load()
