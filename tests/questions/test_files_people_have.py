"""Files as people have them: spreadsheets, nested JSON, exports of chat tools, and what errors advise."""

from __future__ import annotations

import json
import re
from pathlib import Path
from random import Random
from typing import Any
from xml.sax.saxutils import escape
from zipfile import ZipFile

import pytest
import yaml

from botattack.errors import QuestionsError
from botattack.model import Question
from botattack.protocols import BadRecord
from botattack.questions.detect import columns_of, detect, reader_for
from tests.questions.conftest import Write


def pairs(path: Path, name: str = "", columns: dict[str, str] | None = None) -> list[tuple[str, list[str]] | str]:
    rows = reader_for(path, name, columns)(path)
    return [
        row.why if isinstance(row, BadRecord) else (row.text, [answer.text for answer in row.answers]) for row in rows
    ]


def workbook(path: Path, sheets: dict[str, list[list[Any]]], *, hidden: str = "", styles: str = "") -> Path:
    """An .xlsx file; a cell that is text begins with a letter, as `inlineStr` has it, else it is a number."""
    main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    rel = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    package = "http://schemas.openxmlformats.org/package/2006"
    states = {name: ' state="hidden"' if name == hidden else "" for name in sheets}
    named = "".join(
        f'<sheet name="{name}" sheetId="{n}" r:id="r{n}"{states[name]}/>' for n, name in enumerate(sheets, 1)
    )
    related = "".join(
        f'<Relationship Id="r{at}" Type="{rel}/worksheet" Target="worksheets/s{at}.xml"/>'
        for at in range(1, len(sheets) + 1)
    )
    with ZipFile(path, "w") as file:
        file.writestr(
            "[Content_Types].xml",
            f'<Types xmlns="{package}/content-types"><Default Extension="xml" ContentType="application/xml"/></Types>',
        )
        root = f'<Relationship Id="r1" Type="{rel}/officeDocument" Target="xl/workbook.xml"/>'
        file.writestr("_rels/.rels", f'<Relationships xmlns="{package}/relationships">{root}</Relationships>')
        file.writestr(
            "xl/workbook.xml", f'<workbook xmlns="{main}" xmlns:r="{rel}"><sheets>{named}</sheets></workbook>'
        )
        file.writestr(
            "xl/_rels/workbook.xml.rels", f'<Relationships xmlns="{package}/relationships">{related}</Relationships>'
        )
        if styles:
            file.writestr("xl/styles.xml", f'<styleSheet xmlns="{main}">{styles}</styleSheet>')
        for at, rows in enumerate(sheets.values(), 1):
            body = "".join(
                f'<row r="{y}">' + "".join(_cell(f"{chr(64 + x)}{y}", cell) for x, cell in enumerate(row, 1)) + "</row>"
                for y, row in enumerate(rows, 1)
            )
            file.writestr(
                f"xl/worksheets/s{at}.xml", f'<worksheet xmlns="{main}"><sheetData>{body}</sheetData></worksheet>'
            )
    return path


def _cell(place: str, cell: Any) -> str:
    if cell == "":
        return ""
    if isinstance(cell, str):
        return f'<c r="{place}" t="inlineStr"><is><t xml:space="preserve">{escape(cell)}</t></is></c>'
    return f'<c r="{place}"><v>{cell}</v></c>'


def test_a_workbook_is_read_as_csv_is(tmp_path: Path) -> None:
    rows = [
        ["", ""],
        ["Frage", "Antwort"],
        ["Wann geöffnet?", "9 Uhr|neun"],
        ["", ""],
        ["Wie viel?", 60],
        ["Rate?", 0.5],
    ]
    sheets = {
        "Info": [["About"]],
        "FAQ": rows,
        "Old": [["Frage", "Antwort"], ["Weg?", "ja"]],
        "More": [rows[1], ["Wo?", "da"]],
    }
    path = workbook(tmp_path / "faq.xlsx", sheets, hidden="Old")
    read = [("Wann geöffnet?", ["9 Uhr", "neun"]), ("Wie viel?", ["60"]), ("Rate?", ["0.5"]), ("Wo?", ["da"])]
    assert (pairs(path), columns_of(path)) == (read, ["Frage", "Antwort"])
    copy = path.rename(tmp_path / "questions")
    assert pairs(copy) == read


def test_a_number_that_may_be_a_percentage_is_refused(tmp_path: Path) -> None:
    rows = [["question", "answers"], ["VAT?", 0.19], ["Who?", "me"]]
    path = workbook(tmp_path / "a.xlsx", {"FAQ": rows}, styles='<cellXfs><xf numFmtId="9"/></cellXfs>')
    vat, who = pairs(path)
    assert "may be shown as a percentage" in vat
    assert who == ("Who?", ["me"])


@pytest.mark.parametrize("content", [b"PK\x03\x04nothing", b"", b"question,answers\nWho?,me\n"])
def test_what_is_no_workbook_is_a_sentence(write: Write, content: bytes) -> None:
    with pytest.raises(QuestionsError, match=r"a\.xlsx"):
        pairs(write("a.xlsx", content))


QA = [("When is it open?", ["9 am"]), ("Where?", ["here"])]
FAQ = [{"@type": "Question", "name": text, "acceptedAnswer": {"@type": "Answer", "text": gold[0]}} for text, gold in QA]
IN_JSON: dict[str, Any] = {
    "faqs": {"faqs": [{"q": text, "a": gold[0]} for text, gold in QA]},
    "deep": {"v": 1, "data": {"groups": [{"name": "x", "items": [{"question": t, "answer": g[0]}]} for t, g in QA]}},
    "list of lists": [{"category": "x", "faqs": [{"Frage": text, "Antwort": gold[0]}]} for text, gold in QA],
    "questions": {"meta": [{"text": "no"}], "questions": [{"question": text, "answers": gold} for text, gold in QA]},
    "faqpage": {"@context": "https://schema.org", "@type": "FAQPage", "mainEntity": FAQ},
    "graph": {"@graph": [{"@type": "WebPage", "name": "x"}, {"@type": "FAQPage", "mainEntity": FAQ}]},
    "pages": [{"@type": "FAQPage", "mainEntity": [each]} for each in FAQ],
}


@pytest.mark.parametrize("name", IN_JSON)
@pytest.mark.parametrize("indent", [None, 2])
def test_a_document_is_searched_for_its_list(write: Write, name: str, indent: int | None) -> None:
    assert pairs(write("a.json", json.dumps(IN_JSON[name], indent=indent))) == QA


def test_two_lists_of_questions_are_named(write: Write) -> None:
    path = write("a.json", json.dumps({"old": [{"question": "x"}], "new": [{"question": "y"}]}))
    with pytest.raises(QuestionsError, match="questions at old and new: keep one list"):
        pairs(path)


def test_html_in_an_answer_of_a_page_is_text(write: Write) -> None:
    page = {"mainEntity": [{"name": "Who?", "acceptedAnswer": {"text": "<p>Jane &amp; <b>Emma</b></p>"}}]}
    assert pairs(write("a.json", json.dumps(page)), "faqpage") == [("Who?", ["Jane & Emma"])]


@pytest.mark.parametrize(
    "header",
    [
        "Frage;Antwort",
        "Pregunta;Respuesta",
        "question;réponse",
        "سوال;پاسخ",
        "Вопрос;Ответ",
        "質問;回答",
        "Câu hỏi;Trả lời",
    ],
)
def test_headers_of_other_languages(write: Write, header: str) -> None:
    assert pairs(write("a.csv", f"{header}\nWhy?;so\n")) == [("Why?", ["so"])]
    record = dict(zip(header.split(";"), ("Why?", "so"), strict=True))
    assert pairs(write("a.jsonl", json.dumps(record))) == [("Why?", ["so"])]


@pytest.mark.parametrize("sign", [",", ";", "\t", "xlsx"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize(
    "header", [["Question", "Right \n answer", "Screen 15"], ["Right\nanswer", "Question", 'Said "so"']]
)
def test_a_name_in_the_header_may_span_lines(tmp_path: Path, header: list[str], end: str, sign: str) -> None:
    row = ["Who wrote Emma?" if name == "Question" else "Austen" for name in header]
    if sign == "xlsx":
        path = workbook(tmp_path / "faq.xlsx", {"FAQ": [[name.replace('"', "") for name in header], row]})
    else:
        path = tmp_path / "faq.csv"
        quoted = ['"' + name.replace('"', '""') + '"' for name in header]
        text = f"{sign.join(quoted)}\n{sign.join(row)}\n"
        path.write_bytes(text.replace("\n", end).encode())
    assert pairs(path, columns={"answers": "Right answer"}) == [("Who wrote Emma?", ["Austen"])]


def test_a_quote_that_nobody_closed_in_the_header_is_a_sign_like_others(write: Write) -> None:
    path = write("faq.csv", 'question,Screen 15",answers\nWho wrote Emma?,x,Austen\n')
    assert pairs(path) == [("Who wrote Emma?", ["Austen"])]


def test_a_choice_called_a_is_no_answer(write: Write) -> None:
    assert pairs(write("a.csv", "question,A,B,C\nWho?,x,y,z\n")) == [("Who?", [])]


@pytest.mark.parametrize("name", ["a.jsonl", "a.json", "a.yaml"])
def test_columns_may_be_paths(write: Write, name: str) -> None:
    record = {"in": {"msgs": [{"t": "Who wrote Emma?"}]}, "gold": [{"v": "Austen"}, {"v": "Jane"}], "a b": {"c": "k"}}
    columns = {"question": "$.in.msgs[0].t", "answers": "$.gold[*].v", "kind": "$['a b'].c"}
    path = write(name, json.dumps(record if name == "a.jsonl" else [record]))
    (row,) = reader_for(path, columns=columns)(path)
    assert isinstance(row, Question)
    assert (row.text, [a.text for a in row.answers], row.kind) == ("Who wrote Emma?", ["Austen", "Jane"], "k")


@pytest.mark.parametrize("path", ["$.a[", "$..a", "$.a[?@.b]"])
def test_a_path_that_cannot_be_used_is_a_sentence(write: Write, path: str) -> None:
    with pytest.raises(QuestionsError, match="`columns` has"):
        reader_for(write("a.jsonl", "{}"), columns={"question": path})


CHAT = [
    ("system", "Be kind."),
    ("user", "Hi"),
    ("assistant", "Hello"),
    ("user", "Who wrote Emma?"),
    ("assistant", "Austen"),
]
MESSAGES = [{"role": role, "content": text} for role, text in CHAT]
PARTS = [{"role": role, "content": [{"type": "text", "text": text}]} for role, text in CHAT]
LANGCHAIN = [
    {"lc": 1, "type": "constructor", "id": ["x", f"{kind}Message"], "kwargs": {"type": kind.lower(), "content": text}}
    for kind, text in (("System", "Be kind."), ("Human", "Hi"), ("AI", "Hello"), ("Human", "Who wrote Emma?"))
]
ASKED, GOLD = "Who wrote Emma?", ["Austen"]
EXPORTS: list[tuple[str, str, Any, list[str]]] = [
    ("openai-chat", "a.jsonl", [{"messages": MESSAGES}], GOLD),
    ("openai-chat", "a.jsonl", [{"messages": PARTS}], GOLD),
    ("openai-chat", "a.jsonl", [{"input": MESSAGES[:4], "ideal": "Austen"}], GOLD),
    ("openai-chat", "a.jsonl", [{"custom_id": "1", "body": {"messages": MESSAGES[:4]}}], []),
    ("openai-chat", "a.jsonl", [{"request": {"messages": MESSAGES[:4]}, "choices": [{"message": MESSAGES[4]}]}], []),
    ("langfuse", "a.jsonl", [{"id": "1", "input": ASKED, "expectedOutput": "Austen", "metadata": None}], GOLD),
    ("langfuse", "a.json", [{"id": "1", "input": {"question": ASKED}, "expectedOutput": {"answer": "Austen"}}], GOLD),
    ("langfuse", "a.json", {"data": [{"input": {"messages": MESSAGES[:4]}, "output": "Dickens"}]}, []),
    ("langfuse", "a.csv", 'id,input,expected_output\n1,"{""question"": ""Who wrote Emma?""}","""Austen"""\n', GOLD),
    ("langsmith", "a.jsonl", [{"inputs": {"question": ASKED}, "outputs": {"answer": "Austen"}}], GOLD),
    ("langsmith", "a.json", [{"inputs": {"messages": LANGCHAIN}, "outputs": {"output": "Austen"}}], GOLD),
    ("langsmith", "a.json", [{"run_type": "chain", "inputs": {"x": ASKED}, "outputs": {"output": "Dickens"}}], []),
]


@pytest.mark.parametrize(("name", "file", "content", "gold"), EXPORTS)
def test_exports_of_chat_tools(write: Write, name: str, file: str, content: Any, gold: list[str]) -> None:
    if file == "a.jsonl":
        content = "".join(json.dumps(each) + "\n" for each in content)
    path = write(file, content if isinstance(content, str) else json.dumps(content))
    (row,) = reader_for(path, name)(path)
    assert isinstance(row, Question)
    assert (row.text, [answer.text for answer in row.answers]) == (ASKED, gold)
    assert [turn.speaker for turn in row.history] in ([], ["user", "bot"])


@pytest.mark.parametrize(
    ("file", "content", "name"),
    [
        ("a.jsonl", json.dumps({"messages": MESSAGES}), "openai-chat"),
        ("a.json", json.dumps([{"messages": MESSAGES}], indent=1), "openai-chat"),
        ("a.jsonl", json.dumps({"inputs": {"question": "x"}, "outputs": {"a": "x"}}), "langsmith"),
        ("a.jsonl", json.dumps({"input": "x", "expectedOutput": "x"}), "langfuse"),
        ("a.jsonl", json.dumps({"question": "x", "messages": MESSAGES}), "jsonl"),
    ],
)
def test_exports_are_recognised(write: Write, file: str, content: str, name: str) -> None:
    assert detect(write(file, content)) == name


@pytest.mark.parametrize(
    ("file", "content"),
    [
        ("a.csv", "sender,text\nuser,Who?\nbot,Me\nAgent,Me\n"),
        (
            "a.jsonl",
            '{"role": "user", "text": "Who?"}\n{"role": "assistant", "text": "Me"}\n'
            '{"author": {"role": "tool"}, "text": "x"}',
        ),
    ],
)
def test_what_a_bot_said_is_never_asked(write: Write, file: str, content: str) -> None:
    who, *others = pairs(write(file, content))
    assert who == ("Who?", [])
    assert ["a bot or an agent said it" in why for why in others] == [True, True]


def test_a_conversation_of_botium_is_no_list_of_questions(write: Write) -> None:
    with pytest.raises(QuestionsError, match=r"a\.txt is a conversation of Botium"):
        pairs(write("a.txt", "greeting\n\n#me\nhello\n\n#bot\nhi there\n"))
    assert pairs(write("a.csv", "#me;#bot\nWho?;me\n")) == [("Who?", ["me"])]


KEYS = (
    *(
        "prompt",
        "Input Text",
        "user-message",
        "x",
        "ask me",
        "Anfrage (Kunde)",
        "it's",
        "a.b",
        "$x",
        "naïve",
        "q:1",
        "#1",
    ),
    *(
        "expected",
        "label",
        "ground_truth",
        "Gold Answer",
        "response",
        "reference",
        "title",
        "id",
        "created_at",
        "yes",
        "~",
    ),
)
TEXTS = ("Who wrote Emma?", "Paris", "Is it open, and when?", "7", "the 9 o'clock train")


def any_record(rng: Random, deep: int = 0) -> dict[str, Any]:
    made: dict[str, Any] = {}
    for key in rng.sample(KEYS, rng.randint(1, 4)):
        how = rng.random()
        if key == "id":
            made[key] = "7"
        elif deep < 3 and how < 0.25:
            made[key] = any_record(rng, deep + 1)
        elif deep < 3 and how < 0.4:
            made[key] = [any_record(rng, deep + 1), rng.choice(TEXTS)]
        else:
            made[key] = rng.choice((*TEXTS, *TEXTS, 5, True, None, ""))
    if not deep and rng.random() < 0.5:
        made["prompt"] = TEXTS[0]
    return made


def any_file(rng: Random) -> tuple[str, str]:
    record = any_record(rng)
    kind = rng.choice(("jsonl", "json", "yaml", "csv", "tsv"))
    if kind in ("csv", "tsv"):
        sign = "\t" if kind == "tsv" else rng.choice(",;")
        flat = {key: value if isinstance(value, str) and value.strip() else "x" for key, value in record.items()}
        rows = [[f"{' ' * (rng.random() < 0.2)}{key}" for key in flat], [*flat.values()], [*flat.values()]]
        lines = [sign.join(f'"{cell}"' if sign in cell else cell for cell in row) for row in rows]
        return f"a.{kind}", "\n".join(lines) + "\n"
    if kind == "jsonl":
        return "a.jsonl", json.dumps(record) + "\n" + json.dumps(record) + "\n"
    return f"a.{kind}", json.dumps(rng.choice(([record, record], {"data": [record]})) if kind == "json" else [record])


@pytest.mark.parametrize("start", range(0, 400, 100))
def test_whoever_follows_the_advice_of_an_error_has_a_file_that_loads(write: Write, start: int) -> None:
    followed = 0
    for number in range(start, start + 100):
        name, content = any_file(Random(f"advice {number}"))
        path = write(name, content)
        columns: dict[str, str] = {}
        for _ in range(4):
            said = _complaint(path, columns)
            advised = re.search(r"`questions: (\{columns: .*?\}\})`", said)
            if not advised:
                break
            columns |= yaml.safe_load(advised[1])["columns"]
            followed += 1
        loads = "write the question into `question`" in said or not said or "format" in said or "no JSON list" in said
        assert loads, (number, content, columns, said)
        assert not (columns and said), (number, content, columns, said)
    assert followed > 50


def _complaint(path: Path, columns: dict[str, str]) -> str:
    """What is said of the file; empty if all of it is read."""
    try:
        return next((row for row in pairs(path, columns=columns) if isinstance(row, str)), "")
    except QuestionsError as error:
        return str(error)


def test_a_faq_in_markdown_has_its_questions_as_headings(write: Write) -> None:
    text = "# Help?\n\n## Is it open? ##\nYes.\n\n```\n# why?\n```\n## About us\nWe are.\n### کجاست؟\n\nاینجا\nو آنجا\n"
    assert pairs(write("faq.md", text)) == [
        ("Help?", []), ("Is it open?", ["Yes.\n\n```\n# why?\n```"]), ("کجاست؟", ["اینجا\nو آنجا"]),
    ]  # fmt: skip
    with pytest.raises(QuestionsError, match=r"no heading of .*b\.md has a question mark: write each"):
        pairs(write("b.md", "# Opening\nNine to five.\n"))
