import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from botattack.errors import MissingPart, QuestionsError
from botattack.model import Token
from botattack.text import parse_need as needs
from botattack.text.parts import parse
from botattack.text.parts.parse import Parser


@pytest.fixture(scope="module")
def parser() -> Parser:
    return parse.load()


def test_figure_2_of_the_dpaeg_paper(parser: Parser) -> None:
    (tokens,) = parser.meet([{"text": "Who played the voice of Aladdin", "lang": "en"}])
    assert [(t.text, t.relation, tokens[t.head].text) for t in tokens] == [
        ("Who", "nsubj", "played"),
        ("played", "ROOT", "played"),
        ("the", "det", "voice"),
        ("voice", "dobj", "played"),
        ("of", "prep", "voice"),
        ("Aladdin", "pobj", "of"),
    ]
    assert [t.start for t in tokens] == [0, 4, 11, 15, 21, 24]
    assert [t.pos for t in tokens] == ["PRON", "VERB", "DET", "NOUN", "ADP", "PROPN"]
    assert all(t.lemma == t.entity == "" for t in tokens)


@pytest.mark.slow
def test_lemmas_and_entities_where_asked_for(parser: Parser) -> None:
    payload = {"text": "Who married Barack Obama?", "lang": "en"}
    plain, full = parser.meet([payload, {**payload, "lemmas": True, "entities": True}])
    assert [t.lemma for t in full] == ["who", "marry", "Barack", "Obama", "?"]
    assert [t.entity for t in full] == ["", "", "PERSON", "PERSON", ""]
    assert [(t.text, t.pos, t.tag, t.relation) for t in plain] == [(t.text, t.pos, t.tag, t.relation) for t in full]


@pytest.mark.slow
def test_payloads_of_several_languages_come_back_in_order(parser: Parser) -> None:
    asked = [("ایران کجاست؟", "ar"), ("where is iran?", "en-GB"), ("¿dónde está?", "es")]
    met = parser.meet([{"text": text, "lang": lang} for text, lang in asked])
    assert ["".join(t.text for t in tokens) for tokens in met] == [text.replace(" ", "") for text, _ in asked]
    assert not any(t.relation or t.pos for t in (*met[0], *met[2]))
    assert all(t.relation for t in met[1])


def test_a_language_without_a_tokeniser(parser: Parser) -> None:
    with pytest.raises(MissingPart, match="no tokeniser for the language 'qq'"):
        parser.meet([{"text": "x", "lang": "qq"}])


def test_a_text_that_is_too_long(parser: Parser) -> None:
    with pytest.raises(QuestionsError, match="1,000,002 characters is too long"):
        parser.meet([{"text": "short"}, {"text": "ab" * 500_001}])


def test_texts_without_words(parser: Parser) -> None:
    empty, blank = parser.meet([{"text": ""}, {"text": " \n"}])
    assert empty == ()
    assert [t.pos for t in blank] == ["SPACE"]


@pytest.mark.slow
@pytest.mark.data
def test_batches_change_nothing_and_quick_parts_of_speech_are_the_models_own(parser: Parser, data: Path) -> None:
    records = json.loads((data / "webquestions" / "devtest.json").read_bytes())[:150]
    payloads = [{"text": record["qText"], "lang": "en"} for record in records]
    together = parser.meet(payloads)
    assert together[:40] == [parser.meet([payload])[0] for payload in payloads[:40]]
    full = parser.meet([{**payload, "lemmas": True} for payload in payloads])
    assert [[t.pos for t in tokens] for tokens in together] == [[t.pos for t in tokens] for tokens in full]


def test_what_a_generator_writes() -> None:
    asking = needs.parse("who?", "fa")
    (need,) = next(asking)
    assert (need.kind, need.payload) == ("parse", {"text": "who?", "lang": "fa"})
    tokens = (Token("who", 0), Token("?", 3))
    with pytest.raises(StopIteration) as stop:
        asking.send([tokens])
    assert stop.value.value == tokens
    assert next(needs.parse("x", lemmas=True))[0].payload == {"text": "x", "lang": "en", "lemmas": True}


def test_no_model(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parse, "package_folder", lambda _: None)
    with pytest.raises(MissingPart, match=r'pip install .*\[english\]"'):
        parse.load()


def test_a_package_that_only_has_the_name_of_a_model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "__init__.py").write_text("raise SystemExit('ran')")
    monkeypatch.setattr(parse, "package_folder", lambda _: tmp_path)
    with pytest.raises(MissingPart):
        parse.load()


@pytest.fixture
def reupload(tmp_path: Path, parser: Parser, monkeypatch: pytest.MonkeyPatch) -> Path:
    if parser.info.name not in parse.REUPLOADS:
        pytest.skip(f"{parser.info.name} is installed, which is no re-upload")
    folder = tmp_path / parser.model.name
    shutil.copytree(parser.model, folder)
    monkeypatch.setattr(parse, "package_folder", lambda name: tmp_path if name == parser.info.name else None)
    return folder


def test_a_reupload_with_the_original_files_is_taken(reupload: Path, parser: Parser) -> None:
    assert parse.load().info == parser.info
    assert parse.load().model == reupload


@pytest.mark.parametrize("change", ["edited", "renamed", "added"])
def test_a_reupload_with_other_files_is_refused(reupload: Path, change: str) -> None:
    config = reupload / "config.cfg"
    match change:
        case "edited":
            config.write_text(config.read_text() + "\n")
        case "renamed":
            (reupload / "accuracy.json").rename(reupload / "other.json")
        case _:
            (reupload / "code.py").write_text("")
    with pytest.raises(MissingPart, match="not those of the original model"):
        parse.load()


@pytest.mark.slow
def test_spacy_is_loaded_without_its_command_line_which_still_works() -> None:
    script = (
        "import sys\nfrom botattack.text.parts import parse\n"
        "parse.load().meet([{'text': 'who wrote Emma', 'lang': 'en'}])\n"
        "print([name for name in ('spacy.cli', 'typer', 'requests') if name in sys.modules])\n"
        "import spacy\nprint(spacy.info(silent=True)['spacy_version'])\n"
        "import spacy.cli\nprint(callable(spacy.cli.app))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    loaded, version, works = done.stdout.splitlines()[-3:]
    assert (loaded, version[:1].isdigit(), works) == ("[]", True, "True")
