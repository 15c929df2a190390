"""Which reader a file wants, and what is no question file."""

from __future__ import annotations

import json

import pytest

from botattack.errors import QuestionsError
from botattack.model import GoldAnswer, Question
from botattack.questions.detect import detect, reader_for
from botattack.questions.files import opened
from botattack.registry import UnknownName


@pytest.mark.parametrize(
    ("name", "content", "reader"),
    [
        ("a.jsonl", "{}", "jsonl"),
        ("a.ndjson", "{}", "jsonl"),
        ("a.csv", "text,category\nx,y", "csv"),
        ("a.YML", "- x", "yaml"),
        ("a.tsv", "question\tanswer\nx\ty", "tsv"),
        ("a.tsv", "Id\tText\nx\ty", "tsv"),
        ("a.tsv", "1756\tfactoid\tWhat?\tx|y", "curatedtrec"),
        ("a.tsv", "What site was it?\tLong Island|Roosevelt", "curatedtrec"),
        ("a.txt", "1 what is it?\tA, B\n", "wikimovies"),
        ("a.txt", "\nWhat is it?\n", "txt"),
        ("a.json", '[{"qId": "wqr0", "answers": [], "qText": "x"}]', "webquestions"),
        ("a.json", '[{"url": "x", "targetValue": "(list)", "utterance": "x"}]', "webquestions"),
        ("a.json", '{"Questions": [{"RawQuestion": "x"}]}', "webquestionssp"),
        ("a.json", '{"data": [{"title": "x", "paragraphs": []}]}', "squad"),
        ("a.json", '[{"question": "x", "supporting_facts": []}]', "hotpotqa"),
        ("a.json", '[{"id": 1,\n "question": "x"}]', "json"),
        ("a.json", '["x"]', "json"),
        ("a.json", '{"question": "x"}\n{"question": "y"}', "jsonl"),
        ("questions", '[{"text": "x"}]', "json"),
        ("a.md", "# FAQ\n\n## Wo ist es?\nhier", "markdown"),
    ],
)
def test_formats(write, name: str, content: str, reader: str) -> None:
    assert detect(write(name, content)) == reader


@pytest.mark.parametrize(
    ("name", "content", "reader"),
    [
        ("a.md", "# FAQ\n\n## Wo ist es?\nFraͤulein", "markdown"),
        ("a.tsv", "question\tanswer\nÖ\ty", "tsv"),
        ("a.tsv", "Question\tRéponse\nx\ty", "tsv"),
        ("a.txt", "Où est-ce?\n", "txt"),
        ("a.json", '["Où?"]', "json"),
    ],
)
def test_a_damaged_character_hides_no_format(write, name: str, content: str, reader: str) -> None:
    """As where a file was cut in the middle of one."""
    odd = next(character for character in content if character > "\x7f").encode()
    assert detect(write(name, content.encode().replace(odd, odd[:1], 1) + "äöü".encode())) == reader


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_a_byte_order_mark_hides_nothing(write, encoding: str) -> None:
    assert detect(write("a.json", '["x"]'.encode(encoding))) == "json"


@pytest.mark.parametrize(
    ("name", "content"), [("a.tsv", "a b\t( lambda )"), ("a.txt", "x\ty"), ("a.json", "7"), ("a", "hi")]
)
def test_an_unclear_format_lists_those_there_are(write, name: str, content: str) -> None:
    with pytest.raises(QuestionsError, match=r"is not clear; name it by `format`, one of csv, curatedtrec, .*, yaml"):
        detect(write(name, content))


def test_columns_make_a_table_known(write) -> None:
    path = write("a.tsv", "Frage\tAntwort\nWo?\thier\n")
    columns = {"question": "Frage", "answers": "Antwort"}
    assert [*reader_for(path, columns=columns)(path)] == [Question("Wo?", (GoldAnswer("hier"),), lang="de")]


@pytest.mark.parametrize(
    ("name", "content", "langs"),
    [
        ("a.jsonl", '{"question": "Wo?"}\n{"question": "Where?", "lang": "en"}\n"Wer?"', ["de", "en", "de"]),
        ("a.json", '[{"question": "Wo?"}, {"question": "Where?", "lang": "en"}]', ["de", "en"]),
        ("a.yaml", "- question: Wo?\n- {question: Where?, lang: en}\n", ["de", "en"]),
        ("a.csv", "question,lang\nWo?,\nWhere?,en\n", ["de", "en"]),
        (
            "a.csv",
            "question,lang\nWo?,DE\nWo?,De\nWo?,EN\nWo?,de_at\nWo?,ZH-hant-tw\n",
            ["de", "de", "en", "de-AT", "zh-Hant-TW"],
        ),
        ("a.tsv", "question\tlang\nWo?\t\nWhere?\ten\n", ["de", "en"]),
        ("a.txt", "Wo?\n", ["de"]),
    ],
)
def test_a_language_is_that_of_questions_that_name_none(write, name: str, content: str, langs: list[str]) -> None:
    path = write(name, content)
    assert [row.lang for row in reader_for(path, lang="DE")(path) if isinstance(row, Question)] == langs


IN_WORDS = {
    "de": (
        "Wann hat das Rathaus geöffnet?",
        "Wo kann ich parken?",
        "Kosten für einen Reisepass?",
        "Brauche ich einen Termin, um mein Auto anzumelden?",
        "Öffnungszeiten der Bibliothek",
        "Wie beantrage ich Wohngeld?",
    ),
    "es": (
        "¿Cuándo abre el ayuntamiento?",
        "¿Dónde puedo aparcar?",
        "¿Cuánto cuesta un pasaporte?",
        "¿Necesito cita para matricular mi coche?",
        "Horario de la biblioteca",
        "¿Quién es el alcalde de la ciudad?",
    ),
    "fr": (
        "Quand ouvre la mairie ?",
        "Où puis-je me garer ?",
        "Combien coûte un passeport ?",
        "Ai-je besoin d'un rendez-vous pour immatriculer ma voiture ?",
        "Horaires de la bibliothèque",
        "Qui est le maire de la ville ?",
    ),
    "pt": (
        "Quando é que a câmara municipal abre?",
        "Onde posso estacionar o meu carro?",
        "Quanto custa um passaporte?",
        "Preciso de marcação para registar o meu carro?",
        "Horário da biblioteca",
        "Quem é o presidente da câmara?",
    ),
    "nl": (
        "Wanneer is het gemeentehuis open?",
        "Waar kan ik mijn auto parkeren?",
        "Wat kost een paspoort?",
        "Heb ik een afspraak nodig om mijn auto te registreren?",
        "Openingstijden van de bibliotheek",
        "Wie is de burgemeester van de stad?",
    ),
    "en": (
        "When is the town hall open?",
        "Where can I park?",
        "Die Hard director?",
        "Do I need an appointment to register my car?",
        "Opening hours library",
        "Who wrote El Camino de los Ingleses?",
    ),
}


@pytest.mark.parametrize("lang", IN_WORDS)
@pytest.mark.parametrize("name", ["a.jsonl", "a.csv", "a.txt"])
def test_questions_of_a_file_tell_their_language_together(write, lang: str, name: str) -> None:
    as_json = "".join(json.dumps({"question": text}) + "\n" for text in IN_WORDS[lang])
    as_csv = "".join(f'"{text}",x\n' for text in ("question", *IN_WORDS[lang]))
    as_text = "".join(f"{text}\n" for text in IN_WORDS[lang])
    path = write(name, {"a.jsonl": as_json, "a.csv": as_csv.replace("x", "answers", 1), "a.txt": as_text}[name])
    assert [row.lang for row in reader_for(path)(path) if isinstance(row, Question)] == [lang] * len(IN_WORDS[lang])


def test_a_word_of_a_pattern_tells_no_language(write) -> None:
    """ "Plus" is French, and so is the "s" of "what's"."""
    asked = ["What's 9 plus one?", *(f"Name {number} plus one?" for number in range(30))]
    path = write("a.txt", "".join(f"{text}\n" for text in asked))
    assert {row.lang for row in reader_for(path)(path) if isinstance(row, Question)} == {"en"}


def test_a_question_of_another_language_stands_out_by_its_words(write) -> None:
    both = [*IN_WORDS["de"], "Do I need an appointment to register the car?", "ساعت کار کتابخانه چیست؟"]
    path = write("a.txt", "".join(f"{text}\n" for text in both))
    assert [row.lang for row in reader_for(path)(path) if isinstance(row, Question)] == [*["de"] * 6, "en", "fa"]


@pytest.mark.parametrize(
    ("text", "lang"),
    [
        ("پایتخت فرانسه کجاست؟", "fa"),
        ("چند بار UEFA برنده شد؟", "fa"),
        ("Was Avicenna (ابن سینا) born in Bukhara?", "en"),
        ("ما هي عاصمة فرنسا؟", "ar"),
        ("فرانس کا دارالحکومت کہاں ہے؟", "ur"),
        ("Какая столица Франции?", "ru"),
        ("法国的首都是哪里?", "zh"),
        ("Wo ist die Stadt?", "de"),
        ("2 + 2?", "en"),
    ],
)
def test_a_question_that_names_no_language_is_known_by_its_script_or_words(write, text: str, lang: str) -> None:
    files = {
        "a.jsonl": json.dumps({"question": text}, ensure_ascii=False),
        "a.csv": f"question,lang\n{text},\n",
        "a.txt": f"{text}\n",
        "squad.json": json.dumps(
            {"data": [{"paragraphs": [{"context": "x", "qas": [{"question": text, "id": "1"}]}]}]}
        ),
    }
    for name, content in files.items():
        (row,) = reader_for(path := write(name, content))(path)
        assert (row.text, row.lang) == (text, lang)
        assert [row.lang for row in reader_for(path, lang="en")(path)] == ["en"]


def test_columns_are_checked(write) -> None:
    path = write("a.csv", "Frage\nWo?\n")
    with pytest.raises(
        QuestionsError, match="`columns` maps 'anwsers', which no question has; it may map question, answers"
    ):
        reader_for(path, columns={"anwsers": "Frage"})
    with pytest.raises(QuestionsError, match=r"a\.csv is read as txt, which has no columns"):
        reader_for(path, "txt", {"question": "Frage"})
    with pytest.raises(UnknownName, match="did you mean 'csv'"):
        reader_for(path, "cvs")


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"", "is empty; it should contain questions"),
        (b"\x1f\x8b\x08", "compressed by gzip: unpack it first"),
        (b"PK\x03\x04", "a zip archive.* save it as .csv, or unpack it"),
        (b"%PDF-1.7", "a PDF: copy the questions into a .csv"),
        (b"\xd0\xcf\x11\xe0", "an old document of Microsoft Office: save it as .xlsx"),
        (b"SQLite format 3", "a database: export it as CSV"),
        (b"PAR1", "Parquet: write it as .csv or .jsonl"),
        (b"text\rx\r", "end with carriage returns alone; save it with line feeds"),
        ("text\nx\n".encode("utf-16-le"), "byte 2 is zero; save the file as UTF-8"),
        ("text\nx\n".encode("utf-32"), "is zero; save the file as UTF-8"),
    ],
)
def test_what_is_no_text_is_a_sentence(write, content: bytes, why: str) -> None:
    with pytest.raises(QuestionsError, match=why):
        detect(write("a.csv", content))


def test_what_is_no_file_is_a_sentence(tmp_path) -> None:
    with pytest.raises(QuestionsError, match="is a directory; name a question file inside it"):
        detect(tmp_path)
    with pytest.raises(QuestionsError, match=r"there is no question file .*gone\.csv; check the path"):
        detect(tmp_path / "gone.csv")
    with pytest.raises(QuestionsError, match="is not a regular file"), opened(__import__("pathlib").Path("/dev/null")):
        pass
