"""Formats of one record a line, and the encodings of files."""

from __future__ import annotations

import codecs
import csv
import io
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from botattack.errors import QuestionsError
from botattack.model import GoldAnswer, Question, Turn
from botattack.protocols import BadRecord
from botattack.questions import lines
from botattack.questions.files import MAX_LINE, read_as

PARIS = Question("What is the capital of France?", (GoldAnswer("Paris"),))

words = st.text(st.characters(blacklist_categories=("Cs", "Cc")), min_size=1).map(str.strip).filter(bool)
questions = st.builds(
    Question,
    words,
    st.lists(st.builds(GoldAnswer, words), unique=True).map(tuple),
    st.lists(words).map(tuple),
    st.lists(
        st.builds(Turn, st.sampled_from(["user", "bot"]), st.text(st.characters(blacklist_categories=("Cs",))))
    ).map(tuple),
    st.sampled_from(["en", "fa"]),
    kind=words,
    tags=st.lists(words, unique=True).map(tuple),
    key=words,
)


def gold(*texts: str) -> tuple[GoldAnswer, ...]:
    return tuple(map(GoldAnswer, texts))


@pytest.mark.slow
@given(st.lists(questions, min_size=1))
def test_questions_written_as_json_lines_are_read_as_they_were(written: list[Question]) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder, "set.jsonl")
        rows = [{**msgspec.to_builtins(question), "lang": question.lang} for question in written]
        path.write_bytes(b"\n".join(map(msgspec.json.encode, rows)))
        assert [*lines.read_jsonl(path)] == written


@given(st.lists(st.tuples(words, st.lists(words.filter(lambda word: "\\" not in word), max_size=3)), min_size=1))
@pytest.mark.slow
def test_csv_keeps_every_character(written: list[tuple[str, list[str]]]) -> None:
    table = io.StringIO()
    writer = csv.writer(table)
    writer.writerow(["question", "answers"])
    writer.writerows((text, "|".join(answer.replace("|", r"\|") for answer in answers)) for text, answers in written)
    with TemporaryDirectory() as folder:
        path = Path(folder, "set.csv")
        path.write_bytes(table.getvalue().encode())
        read = [*lines.read_csv(path)]
    assert [row.text for row in read if isinstance(row, Question)] == [text for text, _ in written]
    assert [row.answers for row in read if isinstance(row, Question)] == [
        tuple(dict.fromkeys(gold(*answers))) for _, answers in written
    ]


def test_json_lines_take_every_known_field(write) -> None:
    path = write(
        "a.jsonl",
        '{"id": 7, "Question": "And its capital?",'
        ' "answers": ["Paris", 1, 4.50, 1.5e+05, 1e-3, {"text": "par[ie]s", "regex": true}],'
        ' "context": "France is a country.", "history": [{"role": "assistant", "content": "Yes"}], "lang": "fr",'
        ' "category": "capitals", "tags": ["a", "b"], "unheard of": {}}\n"bare text"',
    )
    assert [*lines.read_jsonl(path)] == [
        Question(
            "And its capital?",
            (*gold("Paris", "1", "4.50", "150000", "0.001"), GoldAnswer("par[ie]s", regex=True)),
            ("France is a country.",),
            (Turn("bot", "Yes"),),
            "fr",
            "capitals",
            ("a", "b"),
            "7",
        ),
        Question("bare text"),
    ]


@pytest.mark.parametrize(
    ("line", "why"),
    [
        (b'{"question": ""}', "the question is empty"),
        (b'{"question": "  \\n"}', "the question is empty"),
        (b'{"question": 5}', "the question is a number, not text"),
        (b'{"question": null}', "the question is missing, not text"),
        (b'{"prompt": "x"}', "neither `question` nor `text` (it has prompt)"),
        (b"{}", "it has nothing"),
        (b"[1, 2]", "the record is a list"),
        (b"5", "the record is a number"),
        (b'{"question": "x", "answers": [" "]}', "answer 1 is empty"),
        (b'{"question": "x", "answers": ["a", null]}', "answer 2 is empty"),
        (b'{"question": "x", "answers": true}', "an answer is true or false, not text"),
        (b'{"question": "x", "answers": [["a"]]}', "an answer is a list"),
        (b'{"question": "x", "answers": {"txt": "a"}}', "{text, regex: true}"),
        (b'{"question": "x", "answers": {"text": "a", "regex": []}}', "{text, regex: true}"),
        (b'{"question": "x", "history": [{"role": [], "content": "a"}]}', "a turn of `history` should be {speaker"),
        (b'{"question": "x", "regex": "(a"}', "the pattern (a is not a regular expression: missing ) at position 2"),
        (b'{"question": "x", "regex": "(a|aa)+$"}', "takes too long"),
        (b'{"question": "x", "history": "hello"}', "a turn of `history` should be {speaker"),
        (b'{"question": "x", "history": [{"speaker": "cat", "text": "a"}]}', "a turn of `history` should be {speaker"),
        (b'{"question": "x", "tags": [1.5]}', "a tag is a number"),
        (b'{"question": "x", "answers": [1e9999999999999999999]}', "a number that is out of range"),
        (b'{"question": "x', "it is not JSON: Input data was truncated"),
        (b'{"question": "caf\xe9, \xc3\xa9t\xc3\xa9"}', "not UTF-8"),
        (b'{"question": "\\ud800"}', "it is not JSON"),
        (b"[" * 100_000, "nested too deeply"),
        (b'{"question": "' + b"x" * 100_001 + b'"}', "longer than 100 kB (100,001 bytes)"),
    ],
)
def test_a_bad_line_is_reported_and_the_rest_goes_on(write, line: bytes, why: str) -> None:
    good = msgspec.json.encode(PARIS)
    first, bad, last = lines.read_jsonl(write("a.jsonl", b"\n".join([good, b"", line, good])))
    assert (first, last) == (PARIS, PARIS)
    assert isinstance(bad, BadRecord)
    assert bad.line == 3
    assert why in bad.why


def test_a_question_of_exactly_the_bound_is_read(write) -> None:
    (row,) = lines.read_txt(write("a.txt", "x" * 100_000))
    assert isinstance(row, Question)


def test_a_line_without_end_is_not_read_whole(write) -> None:
    path = write("a.jsonl", b'"' + b"x" * (MAX_LINE + 10) + b'"\n"after"\n')
    bad, after = lines.read_jsonl(path)
    assert bad == BadRecord(1, "the line is longer than 16 MB")
    assert after == Question("after")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_encodings_and_line_ends(write, encoding: str, end: str) -> None:
    mark = "\ufeff" if encoding.startswith("utf-16-") else ""
    text = f"{mark}question,answer{end}¿Dónde está 𝔅erlin?,Alemania{end}پایتخت اسپانیا کجاست؟,مادرید{end}"
    assert [*lines.read_csv(write("a.csv", text.encode(encoding)))] == [
        Question("¿Dónde está 𝔅erlin?", gold("Alemania")),
        Question("پایتخت اسپانیا کجاست؟", gold("مادرید"), lang="fa"),
    ]


@example("\U0001f600" * 5000, 0)
@example("\U0001f600" * 5000, 1)
@given(st.text(st.characters(blacklist_categories=("Cs",), blacklist_characters="\ufeff\0")), st.integers(0, 9000))
def test_utf_16_is_utf_8_whatever_the_pieces_it_is_read_in(text: str, before: int) -> None:
    from botattack.questions.files import opened

    text = "a" * before + text
    with TemporaryDirectory() as folder:
        path = Path(folder, "a.txt")
        path.write_bytes(text.encode("utf-16"))
        with opened(path) as file:
            assert file.read().decode() == text


@pytest.mark.parametrize(
    "broken", ["a?\nb\ud800?\nc?".encode("utf-16", "surrogatepass"), "a?\nb?".encode("utf-16") + b"c"]
)
def test_broken_utf_16_is_a_bad_record_of_its_line(write, broken: bytes) -> None:
    rows = [*lines.read_txt(write("a.txt", broken))]
    assert rows[0] == Question("a?")
    assert isinstance(rows[1], BadRecord)
    assert rows[1].line == 2
    assert "not UTF-8" in rows[1].why
    assert rows[2:] == [Question("c?")][: len(rows) - 2]


IN_ENCODINGS = {
    "cp1252": ("Wann öffnet das Rathaus?", "Wo ist die Straße gesperrt?", "Was kostet der Reisepaß – 60 €?"),
    "macroman": ("Wann öffnet das Rathaus?", "Wo ist die Straße gesperrt?", "Kosten für einen Reisepass?"),
    "cp850": ("Wann öffnet das Rathaus?", "Wo ist die Straße gesperrt?", "Kosten für einen Reisepass?"),
    "cp1250": ("Gdzie mogę zaparkować?", "Ile kosztuje paszport złożony w urzędzie?"),
    "cp1251": ("Когда открывается мэрия?", "Где можно припарковаться?"),
    "cp1256": ("متى تفتح البلدية؟", "أين يمكنني ركن السيارة؟"),
    "cp932": ("市役所は何時に開きますか？", "どこに駐車できますか？"),
    "gb18030": ("市政厅什么时候开门？", "哪里可以停车？", "护照多少钱？"),
}


@pytest.mark.parametrize("encoding", IN_ENCODINGS)
def test_another_encoding_is_found(write, encoding: str) -> None:
    asked = [*IN_ENCODINGS[encoding], *(f"{number} + 1?" for number in range(20))]
    path = write("a.csv", "\r\n".join(["question;answers", *(f"{text};x" for text in asked)]).encode(encoding))
    assert [row.text for row in lines.read_csv(path) if isinstance(row, Question)] == asked
    assert codecs.lookup(read_as(path)).name == codecs.lookup(encoding).name


def test_a_few_damaged_characters_are_no_other_encoding(write) -> None:
    path = write("a.txt", "¿Dónde está?\n".encode() + b"caf\xe9?\nWho?\n")
    where, bad, who = lines.read_txt(path)
    assert (where, who) == (Question("¿Dónde está?"), Question("Who?"))
    assert bad == BadRecord(2, "byte 4 of the line (0xe9) is not UTF-8; save the file as UTF-8")
    assert read_as(path) == ""


@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_csv_cells(write, separator: str) -> None:
    rows = [
        ["ID", "Question", "Answers", "Kind", "Passage", "Lang", "Tags"],
        ["q1", '"Who | what?"', r" Paris | a\|b |", "k", "one | passage", "de", "x|y"],
    ]
    text = "\n".join(separator.join('"' + cell.replace('"', '""') + '"' for cell in row) for row in rows)
    assert [*lines.read_csv(write("a.csv", text))] == [
        Question('"Who | what?"', gold("Paris", "a|b"), ("one | passage",), (), "de", "k", ("x", "y"), "q1")
    ]


def test_csv_records_over_several_lines_keep_their_line_numbers(write) -> None:
    path = write("a.csv", 'text,answer\n"two\nlines",a\n\n"bad"quote,b\nshort\n,empty\nlast,c\n"open,d\n')
    good, quote, short, empty, last, unclosed = lines.read_csv(path)
    assert (good, last) == (Question("two\nlines", gold("a")), Question("last", gold("c")))
    assert isinstance(quote, BadRecord)
    assert (quote.line, "is a quote missing?" in quote.why) == (5, True)
    assert short == BadRecord(6, "it has 1 cells where the header has 2; quote a cell that contains the separator")
    assert empty == BadRecord(7, "the question is empty")
    assert isinstance(unclosed, BadRecord)
    assert (unclosed.line, "unexpected end of data" in unclosed.why) == (9, True)


def test_csv_history_is_json(write) -> None:
    path = write("a.csv", 'text,history\nAnd?,"[{""speaker"": ""user"", ""text"": ""Hi""}]"\nAnd?,hello\n')
    good, bad = lines.read_csv(path)
    assert good == Question("And?", history=(Turn("user", "Hi"),))
    assert isinstance(bad, BadRecord)


def test_columns_name_what_the_file_calls_a_field(write) -> None:
    columns = {"question": "Frage", "answers": "Antwort"}
    assert [*lines.read_csv(write("a.csv", "text,Frage,Antwort\nx,Wo?,hier|da\n"), columns)] == [
        Question("Wo?", gold("hier", "da"))
    ]
    assert [*lines.read_jsonl(write("a.jsonl", '{"text": "x", "Frage": "Wo?", "Antwort": "a|b"}'), columns)] == [
        Question("Wo?", gold("a|b"))
    ]
    with pytest.raises(
        QuestionsError, match=r"no column 'Antwort', which `columns` maps to answers; its columns are Frage"
    ):
        [*lines.read_csv(write("b.csv", "Frage\nWo?\n"), columns)]


@pytest.mark.parametrize("read", [lines.read_csv, lines.read_tsv])
def test_a_table_without_a_question_column_says_how_to_name_one(write, read) -> None:
    with pytest.raises(QuestionsError, match=r"a\.csv:1: .*it has one.*columns: \{question: one\}"):
        [*read(write("a.csv", "one\nWho?\n"))]


def test_tsv_quotes_are_ordinary_but_for_whole_cells(write) -> None:
    path = write("a.tsv", 'question\tanswer\n"Who" is "who"?\tme\n"a ""b"" c"\tyou|me\nx\n')
    first, second, bad = lines.read_tsv(path)
    assert first == Question('"Who" is "who"?', gold("me"))
    assert second == Question('a "b" c', gold("you", "me"))
    assert isinstance(bad, BadRecord)
    assert bad.line == 4


def test_curatedtrec_in_both_shapes(write) -> None:
    path = write("a.tsv", "Who?\tme|you\r\n1756\tfactoid\tWhen?\tSept?(ember)?\nWhat\nWhy?\t(be\nWhere?\t\n")
    two, four, cells, pattern, none = lines.read_curatedtrec(path)
    assert two == Question("Who?", (GoldAnswer("me|you", regex=True),))
    assert four == Question("When?", (GoldAnswer("Sept?(ember)?", regex=True),), kind="factoid", key="1756")
    assert isinstance(cells, BadRecord)
    assert cells.why.startswith("it has 1 cells; CuratedTREC has")
    assert pattern == BadRecord(4, "the pattern (be is not a regular expression: missing ) at position 3")
    assert none == Question("Where?")


def test_wikimovies(write) -> None:
    path = write("a.txt", "1 what does 12 Monkeys star?\tBruce Willis, Brad Pitt\n\n2 who\n3 \tx\n")
    good, tab, empty = lines.read_wikimovies(path)
    assert good == Question("what does 12 Monkeys star?", gold("Bruce Willis", "Brad Pitt"))
    assert tab == BadRecord(3, "it has no tab between the question and its answers")
    assert isinstance(empty, BadRecord)


@given(st.binary(max_size=300))
def test_no_bytes_make_a_reader_fail_otherwise_than_by_a_sentence(content: bytes) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder, "a")
        path.write_bytes(content)
        for read in (lines.read_jsonl, lines.read_csv, lines.read_tsv, lines.read_curatedtrec, lines.read_wikimovies):
            try:
                rows = [*read(path)]
            except QuestionsError:
                continue
            assert all(isinstance(row, Question | BadRecord) for row in rows)
