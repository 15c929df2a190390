"""Lexicons of paraphrases, tables of grammar errors, word lists, inflection."""

import gzip
from pathlib import Path

import pytest

from botattack.errors import MissingPart
from botattack.options import BadValue
from botattack.text.parts import grammar_errors, inflection, paraphrases
from botattack.text.wordlist import WordList, word_list

PPDB = """\
[VBD] ||| bought ||| purchased ||| PPDB2.0Score=5.2 ||| 0-0 ||| Equivalence
[NN] ||| a bike ||| a bicycle ||| PPDB2.0Score=5.0 ||| 0-0 1-1 ||| Equivalence
[NN] ||| bike ||| vehicle ||| PPDB2.0Score=3.0 ||| 0-0 ||| ForwardEntailment
[NN] ||| bike ||| car ||| PPDB2.0Score=1.0 ||| 0-0 ||| Exclusion
[X] ||| [NN,1] of ||| of [NN,1] ||| x=1 ||| 0-0 ||| Equivalence
"""


def lexicon(monkeypatch: pytest.MonkeyPatch, *files: Path) -> paraphrases.Paraphrases:
    monkeypatch.setenv(paraphrases.VARIABLE, ":".join(map(str, files)))
    return paraphrases.load()


def test_ppdb_2_keeps_only_what_is_equivalent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "ppdb-2.0-s-all.gz").write_bytes(gzip.compress(PPDB.encode()))
    found = lexicon(monkeypatch, tmp_path)
    assert found.by_phrase == {"bought": ("purchased",), "a bike": ("a bicycle",)}
    assert found.of("A  Bike") == ("a bicycle",)
    assert found.of("purchased") == ()
    assert found.longest == 2


@pytest.mark.parametrize("suffix", [".txt", ".gz", ".tsv", ".uniquepairs", "-s-all", "-s-lexical", "-s-phrasal", ".md"])
def test_a_folder_is_read_by_the_endings_of_its_files(
    suffix: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = b"car\tautomobile\n"
    (tmp_path / "first.txt").write_text("males men\n")
    (tmp_path / f"ppdb{suffix}").write_bytes(gzip.compress(text) if suffix == ".gz" else text)
    found = lexicon(monkeypatch, tmp_path)
    assert found.of("automobile") == (() if suffix == ".md" else ("car",))
    assert found.of("men") == ("males",)


@pytest.mark.parametrize(("entailment", "same"), [("Equivalence", True), ("", True), ("Independent", False)])
def test_only_an_equivalence_says_the_same(
    entailment: str, same: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = f"[NN] ||| car ||| auto ||| x=1 ||| 0-0 ||| {entailment}\n[NN] ||| one ||| two\n[NN] ||| alone\n"
    (tmp_path / "p.txt").write_text(lines)
    found = lexicon(monkeypatch, tmp_path / "p.txt")
    assert found.of("car") == (("auto",) if same else ())
    assert found.by_phrase["one"] == ("two",)
    assert "alone" not in found.by_phrase


def test_ppdb_1_names_no_entailment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "p.txt").write_text("[NN] ||| car ||| automobile ||| p=1 ||| 0-0\n")
    assert lexicon(monkeypatch, tmp_path / "p.txt").of("car") == ("automobile",)


def test_pairs_go_both_ways_and_opposites_are_no_paraphrases(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "synonyms.txt").write_text("males men \nmales females\nodd\n\n")
    (tmp_path / "my_antonyms.txt").write_text("males females\n")
    found = lexicon(monkeypatch, tmp_path)
    assert found.of("males") == ("men",)
    assert found.of("men") == ("males",)
    assert found.antonyms("Females") == ("males",)


def test_a_missing_or_broken_lexicon_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.delenv(paraphrases.VARIABLE, raising=False)
    with pytest.raises(MissingPart, match="botattack resources get paraphrases"):
        paraphrases.load()
    with pytest.raises(MissingPart, match=r"BOTATTACK_PARAPHRASES names .*nothing, which does not exist"):
        lexicon(monkeypatch, tmp_path / "nothing")
    (tmp_path / "bad.gz").write_bytes(b"not gzip")
    with pytest.raises(MissingPart, match=r"bad.gz cannot be read as a lexicon"):
        lexicon(monkeypatch, tmp_path / "bad.gz")


M2 = """\
S He do n't likes cake in the morning .
A 1 2|||R:VERB:SVA|||does|||REQUIRED|||-NONE-|||0
A 3 4|||#Ri#|||like|||REQUIRED|||-NONE-|||0
A 5 6|||#Rp#|||at|||REQUIRED|||-NONE-|||0
A 4 5|||#Rc#|||cakes|||REQUIRED|||-NONE-|||0
A 0 0|||#Del#|||the|||REQUIRED|||-NONE-|||0
A 6 7|||#Ins#||||||REQUIRED|||-NONE-|||0
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||1
A ² --1|||#Ri#|||like|||REQUIRED|||-NONE-|||0

S They likes in does done .
A 1 2|||#Ri#|||like|||REQUIRED|||-NONE-|||0
A 2 3|||#Ri#|||likes|||REQUIRED|||-NONE-|||0
A 3 4|||#Ri#|||in|||REQUIRED|||-NONE-|||0
A 4 5|||#Ri#|||do|||REQUIRED|||-NONE-|||0
"""


def test_errors_are_learnt_from_m2(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.m2").write_text(M2)
    monkeypatch.setenv(grammar_errors.VARIABLE, str(tmp_path))
    found = grammar_errors.load()
    # Spelling (Rc), insertions and deletions are no errors of grammar; "done" stands in no correction.
    assert found.by_phrase == {"like": ("likes",), "at": ("in",), "does": ("do",), "likes": ("in",), "in": ("does",)}
    assert found.longest == 1
    assert found.of("Does") == ("do",)


def test_bytes_that_are_no_text_cost_no_correction(tmp_path: Path) -> None:
    (tmp_path / "a.m2").write_bytes(b"S caf\xe9 are shut\n" + M2.encode())
    (tmp_path / "b.m2").write_text(M2)
    found = [*grammar_errors.read_m2(tmp_path / "b.m2")]
    assert [*grammar_errors.read_m2(tmp_path / "a.m2")] == found != []


def test_a_misspelt_word_is_no_grammar_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = "S I lke it\nA 1 2|||#Ri#|||like|||REQUIRED|||-NONE-|||0\n"
    (tmp_path / "a.m2").write_text(M2 + "\n" + wrong)
    assert ("like", "lke") in grammar_errors.read_m2(tmp_path / "a.m2")
    monkeypatch.setenv(grammar_errors.VARIABLE, str(tmp_path))
    assert grammar_errors.load().of("like") == ("likes",)


def test_missing_errors_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.delenv(grammar_errors.VARIABLE, raising=False)
    with pytest.raises(MissingPart, match=r"resources get grammar-errors.*table: false"):
        grammar_errors.load()
    (tmp_path / "x.m2").write_text("nothing\n")
    monkeypatch.setenv(grammar_errors.VARIABLE, str(tmp_path / "x.m2"))
    with pytest.raises(MissingPart, match=r"x.m2 contains no corrections in M2 form"):
        grammar_errors.load()


def test_a_word_list_holds_texts_of_its_words(tmp_path: Path) -> None:
    (tmp_path / "words").write_text("The\ncat sat\n")
    found = word_list(str(tmp_path / "words"))
    assert found is not None
    assert found.holds("the CAT")
    assert found.holds("sat!")
    assert not found.holds("the dog")
    assert "3 words, SHA-256 " in str(found)
    assert found == WordList(tmp_path / "words")


def test_a_wrong_word_list_is_named(tmp_path: Path) -> None:
    (tmp_path / "empty").write_text(" \n")
    (tmp_path / "binary").write_bytes(b"\xff\xfe")
    for name, why in (("none", "cannot be read: No such file"), ("empty", "no word"), ("binary", "is not UTF-8 text")):
        with pytest.raises(BadValue, match=why):
            word_list(str(tmp_path / name))
    with pytest.raises(BadValue, match="expected the path of a word list, found the number 3"):
        word_list(3)


@pytest.mark.parametrize(
    ("lemma", "tag", "form"),
    [
        ("buy", "VBD", "bought"),
        ("play", "VBZ", "plays"),
        ("city", "NNS", "cities"),
        ("large", "JJS", "largest"),
        ("stand for", "VBZ", "stands for"),
        ("working capital", "NNS", "working capitals"),
        ("go", "VB", "go"),
        ("beautiful", "JJ", "beautiful"),
        ("beautiful", "JJR", "more beautiful"),
        ("expensive", "JJS", "most expensive"),
        ("quickly", "RBR", "more quickly"),
        ("many", "JJR", "more"),
    ],
)
def test_inflection(lemma: str, tag: str, form: str) -> None:
    assert inflection.load().inflected(lemma, tag) == form


def test_lemmas() -> None:
    english = inflection.load()
    assert english.lemma("Bought", "VERB") == "buy"
    assert english.lemma("what", "PRON") == "what"
    assert [inflection.category(tag) for tag in ("VBD", "NNS", "NNP", "JJR", "RB", "IN", "WRB", "")] == [
        "VERB", "NOUN", "PROPN", "ADJ", "ADV", "", "", "",
    ]  # fmt: skip
