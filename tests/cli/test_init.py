"""`botattack init`: what it writes for three kinds of bots runs as it is."""

from __future__ import annotations

import io
import json
import os
import re
import shlex
import sys
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest
import yaml
from aiohttp import web
from rapidfuzz import process, utils

from botattack.config.campaign import declarations_of
from tests.cli.conftest import Botattack, Serve
from tests.cli.test_page_commands import needs_chromium
from tests.servers import rooms
from tests.servers.http import Received, Server, replying, response
from tests.servers.websocket import talking

CITIES = {
    "Paris": "France", "Rome": "Italy", "Madrid": "Spain", "Oslo": "Norway", "Lisbon": "Portugal", "Berlin": "Germany",
    "Vienna": "Austria", "Athens": "Greece", "Dublin": "Ireland", "Warsaw": "Poland", "Prague": "Czechia",
    "Budapest": "Hungary", "Helsinki": "Finland", "Stockholm": "Sweden", "Copenhagen": "Denmark", "Bern": "Switzerland",
    "Cairo": "Egypt", "Nairobi": "Kenya", "Tokyo": "Japan", "Delhi": "India", "Lima": "Peru", "Quito": "Ecuador",
}  # fmt: skip
ANSWERS = {f"What is the famous capital of {country}?": city for city, country in CITIES.items()}
SECRET = "s3cr3t-4711-xyz"
CAPITAL_OF_ITALY = "What is the famous capital of Italy?"


def say(text: str) -> str:
    """Forgives mistakes: it answers the question that is nearest to the text."""
    found = process.extractOne(text, ANSWERS.keys(), processor=utils.default_process, score_cutoff=60)
    return f"The capital is {ANSWERS[found[0]]}." if found else "I can only tell capitals."


def faq(folder: Path) -> Path:
    path = folder / "faq.csv"
    path.write_text("question,answers\n" + "".join(f"{question},{answer}\n" for question, answer in ANSWERS.items()))
    return path


def chat(request: Received) -> bytes:
    if request.headers.get("authorization") != f"Bearer {SECRET}":
        return response({"error": "who are you?"}, status=401)
    asked = request.json["message"]["text"]
    beside = [{"title": "A long title of a document that says more than any answer of the bot does."}]
    heard = {"id": "8f14e45f-ea2a", "you": request.headers["authorization"], "echo": asked, "sources": beside}
    return response(heard | {"reply": {"kind": "text", "text": say(asked)}})


def completions(request: Received) -> bytes:
    asked = request.json["messages"][-1]["content"]
    return response({"model": "m", "choices": [{"index": 0, "message": {"role": "assistant", "content": say(asked)}}]})


async def talk(socket: web.WebSocketResponse, _: web.Request) -> None:
    async for message in socket:
        asked = json.loads(message.data)["say"]
        await socket.send_json({"type": "typing"})
        await socket.send_json({"type": "message", "from": "bot", "text": say(asked)})


@pytest.fixture
def typed(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    return lambda *lines: monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{line}\n" for line in lines)))


def written(folder: Path) -> str:
    return "".join(path.read_text() for path in folder.rglob("*") if path.suffix != ".txt" and path.is_file())


@pytest.mark.slow
def test_a_curl_command_becomes_a_campaign_that_runs(
    botattack: Botattack, folder: Path, serve: Serve, typed: Callable[..., None]
) -> None:
    url = serve(Server(replying(chat)))
    faq(folder)
    typed(
        f"curl '{url}/api/chat?lang=en' \\",
        f"  -H 'content-type: application/json' -H 'Authorization: Bearer {SECRET}' -H 'sec-ch-ua: \"x\"' \\",
        '  --data-raw $\'{"session_id":"a-1","message":{"text":"what\\\'s up"}}\' --compressed',
    )
    ended = botattack("init", "--curl", "-", "-q", "faq.csv", "--name", "helpdesk", "--yes",
                      "--ask", "What is the famous capital of France?")  # fmt: skip
    assert ended.status == 0, ended
    target = yaml.safe_load((folder / "helpdesk-target.yaml").read_text())
    assert target["connect"]["extract"] == {"answer": "$.reply.text"}
    assert target["connect"]["request"]["json"]["session_id"] == "{{ session }}"
    assert SECRET not in written(folder)
    assert SECRET not in ended.out + ended.err
    (name,) = target["env"]
    assert f"the word Bearer, which is sent before it.\n{name}=\n" in (folder / "helpdesk.env.example").read_text()
    assert "22 of 22 asked" in ended.out
    assert name not in os.environ
    campaign = yaml.safe_load((folder / "helpdesk.yaml").read_text())
    assert "gates" not in campaign
    assert campaign["questions"]["limit"]
    (line,) = (line for line in ended.err.splitlines() if line.startswith("gates: "))
    with (folder / "helpdesk.yaml").open("a") as file:
        file.write(f"{line}\n")
    assert {gate.metric for gate in declarations_of(folder / "helpdesk.yaml")[0].gates} >= {"standard_accuracy"}
    assert SECRET not in written(folder)


@pytest.mark.slow
def test_a_question_file_with_columns_of_its_own_needs_no_template(
    botattack: Botattack, folder: Path, serve: Serve
) -> None:
    lines = faq(folder).read_text().replace("question,answers", "my request,resolution: it")
    (folder / "own.csv").write_text(lines)
    flags = (
        *("init", "--kind", "openai", "--model", "m", "--url", serve(Server(replying(completions)))),
        *("--yes", "-q", "own.csv"),
    )
    refused = botattack(*flags)
    assert refused.status == 2
    named = ["--column", "question=my request"]
    assert shlex.join(named) in refused.err
    ended = botattack(*flags, *named, "--column", "answers=resolution: it")
    assert ended.status == 0, ended
    assert "22 of 22 asked" in ended.out
    campaign = yaml.safe_load((folder / "my-bot.yaml").read_text())
    assert campaign["questions"]["columns"] == {"question": "my request", "answers": "resolution: it"}
    assert "question=" in botattack(*flags, "--name", "b", "--column", "request").err


@pytest.mark.slow
def test_the_first_run_of_a_new_bot_is_continued_by_the_command_that_is_printed(
    botattack: Botattack, folder: Path, serve: Serve
) -> None:
    failing = {*list(CITIES.values())[5::2]}

    def flaky(request: Received) -> bytes:
        asked = request.json["messages"][-1]["content"]
        return response({}, status=500) if any(name in asked for name in failing) else completions(request)

    faq(folder)
    flags = ("--kind", "openai", "--model", "m", "--url", serve(Server(replying(flaky))), "-q", "faq.csv", "--yes")
    ended = botattack("init", *flags)
    assert ended.status == 1, ended
    (line,) = (line for line in ended.err.splitlines() if line.startswith("continue "))
    (recording,) = (folder / "recordings").iterdir()
    words = ["botattack", "run", "my-bot.yaml", "--retry-errors", "--resume"]
    assert shlex.split(line)[1:-1] == words
    failing.clear()
    again = botattack("run", "--resume", recording, "--retry-errors")
    assert again.status == 0, again
    assert "22 of 22 asked" in again.out


@pytest.mark.parametrize(
    ("path", "header", "word"),
    [
        ("v1/chat/completions", f"Authorization: Bearer {SECRET}", "Bearer"),
        ("v1/chat/completions", f"X-Api-Key: {SECRET}", ""),
        ("ask", f"Authorization: Token {SECRET}", "Token"),
        ("ask", f"X-Api-Key: {SECRET}", ""),
    ],
)
def test_the_files_say_which_word_is_sent_before_a_key(
    botattack: Botattack, folder: Path, path: str, header: str, word: str
) -> None:
    body = json.dumps({"model": "m", "api_key": "another-secret-4711", "messages": [{"role": "user", "content": "hi"}]})
    curl = f"curl http://127.0.0.1:9/{path} -H '{header}' --json '{body}'"
    flags = () if path.startswith("v1") else ("--answer", "$.answer")
    assert botattack("init", "--curl", curl, "--no-send", "--yes", *flags).status == 0
    target = (folder / "my-bot-target.yaml").read_text()
    assert ("# sent as Authorization: Bearer KEY\n" in target) is (word == "Bearer")
    env = (folder / "my-bot.env.example").read_text()
    assert re.findall(r"# Without the word (\w+), which is sent before it", env) == [word] * bool(word)


@pytest.mark.parametrize("length", [199, 200, 201, 202, 203, 519, 2500])
def test_a_long_reply_says_how_much_of_it_is_not_shown(
    botattack: Botattack, folder: Path, serve: Serve, length: int
) -> None:
    url = serve(Server(replying(lambda request: response({"reply": f"{request.body!r}"[::-1].ljust(length, ".")}))))
    ended = botattack("init", "--curl", f'curl {url} -d \'{{"text": "hi"}}\'', "--yes", "--ask", "Who are you?")
    (line, *_) = (line for line in ended.err.splitlines() if line.startswith("reads "))
    cut = r"^\(([\d,]+) characters before\) …|… \(([\d,]+) more characters\)$"
    told = line.removeprefix("reads").strip()
    left_out = [int(number.replace(",", "")) for found in re.findall(cut, told) for number in found if number]
    assert len(re.sub(cut, "", told)) + sum(left_out) == length


BEFORE = "Thank you for asking us today. " + "We are glad that you are here, and we look into it at once. " * 6


@pytest.mark.parametrize(
    ("before", "behind"), [(BEFORE, ""), (BEFORE, f" {BEFORE}"), (BEFORE * 3, " Bye."), ("", f" {BEFORE}")]
)
def test_a_long_reply_is_shown_where_the_answer_is(
    botattack: Botattack, folder: Path, serve: Serve, before: str, behind: str
) -> None:
    url = serve(Server(replying(lambda request: response({"reply": before + say(request.json["text"]) + behind}))))
    body = json.dumps({"text": "What is the famous capital of France?"})
    ended = botattack("init", "--curl", f"curl {url} -d {shlex.quote(body)}", "--yes")
    lines = [line.split(maxsplit=1) for line in ended.err.splitlines()]
    told = [(asked[1], reads[1]) for asked, reads in pairwise(lines) if (asked[0], reads[0]) == ("asked", "reads")]
    assert len(told) == 2
    assert all(say(asked) in reads for asked, reads in told), told


@pytest.mark.slow
def test_an_openapi_file_becomes_a_campaign_that_runs(botattack: Botattack, folder: Path, serve: Serve) -> None:
    url = serve(Server(replying(lambda request: response({"status": "ok", "answer": say(request.json["query"])}))))
    fields = {"query": {"type": "string"}, "top_k": {"type": "integer", "default": 3}, "user": {"type": "string"}}
    schema = {"type": "object", "required": ["query", "top_k"], "properties": fields}
    body = {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/Asked"}}}}
    paths = {
        "/health": {"get": {}},
        "/users": {"post": {"requestBody": {}}},
        "/v1/ask": {"post": {"requestBody": body}},
    }
    api = {"openapi": "3.1.0", "paths": paths, "components": {"schemas": {"Asked": schema}}}
    (folder / "openapi.json").write_text(json.dumps(api))
    faq(folder)
    ended = botattack("init", "--openapi", "openapi.json", "--url", url, "-q", "faq.csv", "--yes")
    assert ended.status == 0, ended
    request = yaml.safe_load((folder / "my-bot-target.yaml").read_text())["connect"]["request"]
    assert request == {"url": f"{url}/v1/ask", "json": {"query": "{{ question }}", "top_k": 3}}
    assert "22 of 22 asked" in ended.out


@pytest.mark.slow
def test_a_bot_of_the_openai_shape_by_a_curl_command(botattack: Botattack, folder: Path, serve: Serve) -> None:
    url = serve(Server(replying(completions)))
    body = json.dumps(
        {"model": "m", "messages": [{"role": "system", "content": "Be short."}, {"role": "user", "content": "hi"}]}
    )
    faq(folder)
    ended = botattack("init", "--curl", f"curl {url}/v1/chat/completions --json '{body}'", "--yes")
    assert ended.status == 0, ended
    connect = yaml.safe_load((folder / "my-bot-target.yaml").read_text())["connect"]
    assert connect == {"kind": "openai", "url": f"{url}/v1", "model": "m", "system": "Be short."}
    ran = botattack("run", "-t", "my-bot-target.yaml", "-q", "faq.csv", "-a", "noise", "--limit", "3", "-o", "r.json")
    assert json.loads((folder / "r.json").read_text())["questions"]["kept"] == 3, ran


@pytest.mark.slow
def test_a_web_socket_by_answering_questions(
    botattack: Botattack, folder: Path, serve: Serve, typed: Callable[..., None]
) -> None:
    url = serve(talking(talk))
    (folder / "faq.csv").write_text("question,answers\nWhat is the famous capital of Peru?,Lima\n")
    typed(
        "websocket",
        url,
        '{"say": "Please: {{ question }}"}',
        "What is the famous capital of Italy?",
        "y",
        "faq.csv",
    )
    ended = botattack("init")
    assert ended.status == 0, ended
    connect = yaml.safe_load((folder / "my-bot-target.yaml").read_text())["connect"]
    assert connect["extract"] == {"answer": "$.text"}
    assert connect["send"] == {"say": "Please: {{ question }}"}
    ran = botattack("run", "my-bot.yaml", "-o", "r.json")
    assert ran.status == 0, ran
    assert json.loads((folder / "r.json").read_text())["questions"]["kept"] == 1


def test_without_questions_a_template_is_written_that_runs(botattack: Botattack, folder: Path, serve: Serve) -> None:
    url = serve(Server(replying(lambda request: response(say(request.json["q"]), kind="text/plain"))))
    ended = botattack(
        "init", "--curl", f'curl {url} -d \'{{"q": "hi"}}\'', "--yes", "--ask", "Which capitals do you know?"
    )
    assert ended.status == 0, ended
    ran = botattack("run", "my-bot.yaml")
    assert ran.status == 0, ran


def test_the_question_of_the_curl_command_is_what_it_tries(botattack: Botattack, folder: Path, serve: Serve) -> None:
    server = Server(replying(lambda request: response(say(request.json["q"]), kind="text/plain")))
    command = f'curl {serve(server)} -d \'{{"q": "Where is Oslo?"}}\''
    ended = botattack("init", "--curl", command, "--yes")
    assert ended.status == 0, ended
    assert server.received[0].json == {"q": "Where is Oslo?"}
    assert "questions  first write yours into my-bot-questions.csv" in ended.err


@pytest.mark.parametrize(("kind", "pushed_back"), [("curl", (1,)), ("openai", (6,))])
def test_a_bot_that_asks_to_wait_is_waited_for(
    kind: str, pushed_back: tuple[int, ...], botattack: Botattack, folder: Path, serve: Serve
) -> None:
    def busy(request: Received) -> bytes:
        if len(bot.received) in pushed_back:
            return response("later", 429, Retry_After="0.01")
        return completions(request) if kind == "openai" else response({"text": say(request.json["q"]), "on": True})

    bot = Server(replying(busy))
    url = serve(bot)
    curl = ("--curl", f"""curl {url} --json '{{"q": "What is the famous capital of Italy?"}}'""")
    given = curl if kind == "curl" else ("--kind", "openai", "--url", f"{url}/v1", "--model", "m")
    ended = botattack("init", *given, "--ask", "What is the famous capital of France?", "--yes")
    assert ended.status == 0, ended
    assert "proven     " in ended.err
    assert ended.err.count("waits      0.01 s: ") == len(pushed_back)


COPIED = "cee726cd-8e22-48f1-8e56-3a6248cb6dab"
UUIDS = r"[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}"


@pytest.mark.parametrize(
    ("name", "wants", "sent"),
    [
        ("gespraech", "", "new"),
        ("sitzung", "", "new"),
        ("k", "", "new"),
        ("gespraech", UUIDS, "new"),
        ("sessionId", UUIDS, "new"),
        ("gespraech", COPIED, "tried"),
        ("mandant", f"{COPIED} is none", "tried"),
        ("assistantId", "", "copied"),
        ("access_token", "", "copied"),
    ],
)
def test_an_id_that_was_copied_is_new_for_each_conversation_where_the_bot_takes_any(
    name: str, wants: str, sent: str, botattack: Botattack, folder: Path, serve: Serve
) -> None:
    """A bot wants the copied value, and refuses others or gives one answer to all; or it takes any, or any UUID."""

    def chat(request: Received) -> bytes:
        taken = UUIDS if wants == UUIDS else COPIED
        if wants and not re.fullmatch(taken, request.json[name]):
            return response({"text": "unknown"}, status=404 if wants == taken else 200)
        return response({"text": say(request.json["frage"]), "on": True})

    copied_id = "web-1" if name == "sitzung" else COPIED
    bot = Server(replying(chat))
    body = json.dumps({"frage": CAPITAL_OF_ITALY, name: copied_id})
    asks = [part for country in ("France", "Spain") for part in ("--ask", f"What is the famous capital of {country}?")]
    ended = botattack(
        "init", "--curl", f"curl {serve(bot)} --json '{body}'", *asks, "--message", CAPITAL_OF_ITALY, "--yes"
    )
    assert ended.status == 0, ended
    values = [request.json[name] for request in bot.received]
    copied = {"new": (False, False), "tried": (False, True), "copied": (True, True)}
    assert (values[0] == copied_id, values[-1] == copied_id) == copied[sent]
    text = (folder / "my-bot-target.yaml").read_text()
    assert (copied_id in text) is (sent != "new" and "token" not in name)
    assert ("each conversation sends a new id" in ended.err) is (sent == "new" and name != "sessionId")


def test_a_conversation_that_was_copied_is_named_where_nothing_is_sent(botattack: Botattack, folder: Path) -> None:
    body = json.dumps({"frage": CAPITAL_OF_ITALY, "gespraech": COPIED})
    command = f"curl http://127.0.0.1:1/ --json '{body}'"
    ended = botattack(
        "init", "--curl", command, "--message", CAPITAL_OF_ITALY, "--answer", "$.text", "--no-send", "--yes"
    )
    assert ended.status == 0, ended
    assert f"connect.request.json.gespraech is always '{COPIED}'" in ended.err


def test_nothing_is_replaced_and_nothing_sent_before_that_is_known(
    botattack: Botattack, folder: Path, serve: Serve
) -> None:
    server = Server(replying(chat))
    url = serve(server)
    (folder / "my-bot.yaml").write_text("mine")
    ended = botattack("init", "--curl", f'curl {url} -d \'{{"text": "hi"}}\'', "--yes")
    assert ended.status == 2
    assert "my-bot.yaml is there already" in ended.err
    assert (folder / "my-bot.yaml").read_text() == "mine"
    assert server.received == []


def test_another_machine_is_asked_only_once_somebody_allowed_it(botattack: Botattack, folder: Path) -> None:
    ended = botattack("init", "--curl", 'curl http://192.0.2.1/chat -d \'{"text": "hi"}\'', "--yes")
    assert ended.status == 2
    assert "--authorised-by" in ended.err
    assert "/tmp" not in ended.err
    assert list(folder.glob("my-bot*")) == []
    allowed = botattack(
        "init", "--curl", "curl http://192.0.2.1/chat -d '{\"text\": \"hi\"}'", "--no-send", "--answer", "$.text",
        "--yes", "--authorised-by", "J. Doe", "--until", "2999-01-31",
    )  # fmt: skip
    assert allowed.status == 0, allowed
    assert yaml.safe_load((folder / "my-bot-target.yaml").read_text())["consent"]["authorised_by"] == "J. Doe"


CODE = f"CITIES = {CITIES!r}\ndef answer(text):\n    return next((c for c, l in CITIES.items() if l in text), 'No.')\n"


@pytest.mark.parametrize("flags", [("--kind", "local"), ()])
@pytest.mark.slow
def test_a_python_function_becomes_a_campaign_that_runs(
    botattack: Botattack, folder: Path, flags: tuple[str, ...]
) -> None:
    (folder / "bot.py").write_text(CODE)
    faq(folder)
    begin = ("init", *flags, "--url", "file://bot.py:answer", "-q", "faq.csv", "--yes")
    refused = botattack(*begin)
    assert refused.status == 2
    assert "--allow-code" in refused.err
    assert sorted(path.name for path in folder.iterdir()) == ["bot.py", "faq.csv"]
    ended = botattack(*begin, "--allow-code")
    assert ended.status == 0, ended
    assert "reads      Paris" in ended.err
    assert "22 of 22 asked" in ended.out
    connect = yaml.safe_load((folder / "my-bot-target.yaml").read_text())["connect"]
    assert connect == {"kind": "local", "call": "file://bot.py:answer"}
    (line,) = (line for line in ended.out.splitlines() if line.startswith("next "))
    assert botattack(*shlex.split(line)[2:], "--limit", "1").status == 0


READERS = {
    "function": "def answer(text, passages):\n    return (passages or ['none'])[0].split()[-1]",
    "class": "class answer:\n def __call__(self, text, passages):\n  return (passages or ['none'])[0].split()[-1]",
    "message": "def answer(text):\n    return text.split('\\n\\n')[0].split()[-1]",
}


@pytest.mark.slow
@pytest.mark.parametrize("bot", READERS)
def test_code_that_takes_passages_is_given_them_so(botattack: Botattack, folder: Path, bot: str) -> None:
    (folder / "bot.py").write_text(READERS[bot])
    rows = [
        {"question": f"Where is {who}?", "answers": [where], "passages": [f"{who} went to {where}"]}
        for who, where in zip(("Ann", "Ben", "Cid", "Dan"), ("Rome", "Oslo", "Bern", "Kyiv"), strict=True)
    ]
    (folder / "asked.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    ended = botattack("init", "--url", "file://bot.py:answer", "-q", "asked.jsonl", "--yes", "--allow-code")
    assert "4 of 4 asked: 4 right" in " ".join(ended.out.split()), ended
    assert ("carrier:" in (folder / "my-bot.yaml").read_text()) is (bot == "message")


def test_python_code_is_not_run_without_a_word(botattack: Botattack, folder: Path, typed: Callable[..., None]) -> None:
    (folder / "bot.py").write_text("open('ran', 'w').close()\n" + CODE)
    faq(folder)
    typed("n")
    ended = botattack("init", "--kind", "local", "--url", "file://bot.py:answer", "-q", "faq.csv")
    assert not (folder / "ran").exists()
    assert ended.status == 0, ended
    assert "unproven   " in ended.err
    missing = botattack(
        "init", "--kind", "local", "--url", "file://bot.py:none", "--allow-code", "--yes", "--name", "b"
    )
    assert missing.status == 2
    assert "has no attribute 'none'" in missing.err
    other = botattack("init", "--kind", "http", "--url", "file://bot.py:answer", "--yes", "--name", "c")
    assert (other.status, "--kind local" in other.err) == (2, True)


@pytest.mark.parametrize(
    ("kind", "status", "told"),
    [
        ("http", 401, ("--curl", '{"message": "Where is Oslo?"}')),
        ("openai", 401, ("--curl", '{"model": "m", "messages": [{"role": "user", "content": "Where is Oslo?"}]}')),
        ("http", 422, ("--send-json", '{"message": "{{ question }}"}')),
    ],
)
def test_a_bot_that_wants_more_than_flags_say_is_told_of_with_what_was_sent(
    botattack: Botattack, serve: Serve, kind: str, status: int, told: tuple[str, ...]
) -> None:
    url = serve(Server(replying(lambda _: response({"error": "no"}, status=status))))
    flags = ("--kind", kind, "--url", url, *(["--model", "m"] if kind == "openai" else []))
    ended = botattack("init", *flags, "--ask", "Where is Oslo?", "--yes")
    assert ended.status
    assert all(each in ended.err for each in told), ended


WINDOWS = [
    'curl ^"http://127.0.0.1/ask^" ^\n  -H ^"accept: */*^" ^\n  --data-raw ^"^{^\\^"text^\\^":^\\^"what\'s up^\\^"^}^"',
    'curl ^"http://127.0.0.1/ask^" --data-raw ^"{\\^"text\\^":\\^"hi\\^"}^"',
    'curl "http://127.0.0.1/ask" ^\n  -H "accept: */*" ^\n  --data-raw "{\\"text\\":\\"hi\\"}" ^\n  --compressed',
    'curl "http://127.0.0.1/ask" ^\r\n  -H "accept: */*" ^\r\n  --data-raw "text=hi"',
    'curl "http://127.0.0.1/ask" ^  -H "accept: */*" ^  --data-raw "text=hi"',
    'curl "http://127.0.0.1/ask" -H "accept: */*" --data-raw "{""text"":""hi""}"',
    'curl "http://127.0.0.1/ask?q=a^%^20b" -H "accept: */*"',
    'curl "http://127.0.0.1/ask?q=a%%20b&c=d" -H "accept: */*"',
    "curl http://127.0.0.1/ask?q=hi^&b=1",
    'Invoke-WebRequest -UseBasicParsing -Uri "http://127.0.0.1/ask" `\n-Method "POST" `\n-Body "{`"text`":`"hi`"}"',
]


@pytest.mark.parametrize("command", WINDOWS)
def test_a_command_for_windows_is_answered_with_the_one_to_copy(botattack: Botattack, command: str) -> None:
    ended = botattack("init", "--curl", command, "--yes")
    assert ended.status == 2
    assert "Copy as cURL (bash)" in ended.err


@pytest.mark.parametrize("text", ["2^10 is?", "a^ b", '^"^', "100%%20", "a ^ b", 'say ""x""', "^%^"])
@pytest.mark.parametrize("quoted", [shlex.quote, lambda text: "$" + shlex.quote(text).replace("'\"'\"'", "\\'")])
def test_a_command_for_other_shells_may_contain_what_windows_escapes_with(
    botattack: Botattack, folder: Path, text: str, quoted: Callable[[str], str]
) -> None:
    body = quoted(json.dumps({"text": text}).replace("\\", "\\\\" if quoted is not shlex.quote else "\\"))
    flags = ("--message", text, "--no-send", "--answer", "$.text", "--yes")
    ended = botattack("init", "--curl", f"curl http://127.0.0.1:9/ask --data-raw {body}", *flags)
    assert ended.status == 0, ended
    assert "{{ question }}" in (folder / "my-bot-target.yaml").read_text()


@pytest.mark.parametrize(
    ("command", "told"),
    [
        ("wget http://127.0.0.1", "must begin with the word curl"),
        ('curl -d \'{"text": "hi"}\'', "no URL"),
        ("curl http://127.0.0.1 -d 'x", "close the quote"),
        ("curl http://127.0.0.1 --upload-file x", "--upload-file"),
        ("curl http://127.0.0.1 -d @secrets.txt", "reads its body from a file"),
        ("curl http://127.0.0.1 -d '{\"a\": 1}'", "--message"),
        ("curl http://127.0.0.1 -H 'content-type: application/json' -d '{a}'", "not JSON"),
    ],
)
def test_what_is_wrong_with_a_curl_command_is_said(botattack: Botattack, command: str, told: str) -> None:
    ended = botattack("init", "--curl", command, "--yes")
    assert ended.status == 2
    assert told in ended.err
    assert "Traceback" not in ended.err


@pytest.mark.parametrize(
    ("flags", "wanted"),
    [
        ("", "--kind --url --send-json --ask --send --questions --yes"),
        ("--yes", "--url"),
        ("--kind page --yes", "--url --ask"),
        ("--kind page -q faq.csv --yes", "--url"),
        ("--kind page -q faq.csv", "--url --send --yes"),
        ("--kind openai -q faq.csv --yes", "--url --model"),
    ],
)
def test_where_nobody_can_answer_the_flags_are_named(
    botattack: Botattack, folder: Path, typed: Callable[..., None], flags: str, wanted: str
) -> None:
    """The questions of a file are asked where a page has to be proven."""
    (folder / "faq.csv").write_text("question,answers\nWho wrote Emma?,Austen\nWhy?,so\n")
    typed()
    ended = botattack("init", *flags.split())
    assert ended.status == 2
    assert re.findall(r"--[\w-]+", ended.err.partition("': give ")[2]) == wanted.split()


def test_what_a_shell_would_place_is_taken_from_the_environment(
    botattack: Botattack, folder: Path, serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = Server(replying(chat))
    url = serve(server)
    monkeypatch.setenv("CHAT_TOKEN", SECRET)
    command = f'curl {url} -H "Authorization: Bearer $CHAT_TOKEN" -d \'{{"message": {{"text": "hi"}}}}\''
    ended = botattack("init", "--curl", command, "--yes")
    assert ended.status == 0, ended
    assert yaml.safe_load((folder / "my-bot-target.yaml").read_text())["env"] == ["CHAT_TOKEN"]
    assert server.received[0].headers["authorization"] == f"Bearer {SECRET}"


def test_a_message_within_a_text_keeps_what_is_around_it(botattack: Botattack, folder: Path) -> None:
    command = 'curl http://127.0.0.1:9/ -d \'{"prompt": "Be short. hi there"}\''
    ended = botattack("init", "--curl", command, "--message", "hi there", "--no-send", "--answer", "$.a", "--yes")
    assert ended.status == 0, ended
    request = yaml.safe_load((folder / "my-bot-target.yaml").read_text())["connect"]["request"]
    assert request["json"] == {"prompt": "Be short. {{ question }}"}


def test_the_templates_are_listed_and_shown(botattack: Botattack) -> None:
    names = [line.partition("  ") for line in botattack("init", "--list").out.splitlines()]
    assert ("template-http", "  ", "Template for a bot behind HTTP") in names
    listed = botattack("targets", "list").out
    assert "template-websocket  " in listed
    assert "workflow  Dify, " in listed
    assert "connect:" in botattack("targets", "show", "template-http").out


@pytest.mark.live
@needs_chromium
def test_a_page_by_its_address(botattack: Botattack, folder: Path, serve: Serve) -> None:
    url = serve(rooms.rooms())
    asked = ("Why is the sky blue?", "Who wrote the Iliad?")
    flags = [word for text in asked for word in ("--ask", text)]
    ended = botattack("init", "--kind", "page", "--url", f"{url}/{next(iter(rooms.ROOMS))}", *flags, "--yes")
    assert ended.status == 0, ended
    assert yaml.safe_load((folder / "my-bot-target.yaml").read_text())["connect"]["kind"] == "browser"
    planned = botattack("run", "my-bot.yaml", "--dry-run")
    assert planned.status == 0, planned


def test_where_nothing_is_sent_a_request_for_events_is_read_as_a_stream(botattack: Botattack, folder: Path) -> None:
    body = '{"q": "What is open?"}'
    curl = f"curl http://127.0.0.1:9/ask -H 'Accept: text/event-stream' --json '{body}'"
    ended = botattack("init", "--curl", curl, "--no-send", "--answer", "$.text", "--yes")
    assert ended.status == 0, ended
    connect = yaml.safe_load((folder / "my-bot-target.yaml").read_text())["connect"]
    assert connect["stream"] == {"format": "sse"}
    assert connect["extract"] == {"answer": "$.text"}


@pytest.mark.parametrize(
    ("name", "text", "flags", "key"),
    [
        ("faq.md", "# FAQ\n## Who wrote Emma?\nJane Austen\n## Where is Oslo?\nIn Norway\n", [], ""),
        ("faq", "question,answers\nWho wrote Emma?,Jane Austen\n", ["--format", "csv"], "format: csv, "),
    ],
)
def test_a_question_file_of_any_format_begins_a_campaign(
    botattack: Botattack, folder: Path, name: str, text: str, flags: list[str], key: str
) -> None:
    (folder / name).write_text(text)
    bot = ("--kind", "openai", "--url", "http://127.0.0.1:9/v1", "--model", "m", "--no-send", "--yes")
    ended = botattack("init", *bot, "-q", name, *flags)
    assert ended.status == 0, ended
    assert f'{{file: "{name}", {key}limit' in (folder / "my-bot.yaml").read_text()
    assert "1 of 1 question with right answers" in ended.err or "2 of 2 questions with right" in ended.err
    asked = botattack("run", "my-bot.yaml", "--dry-run")
    assert (asked.status, name in asked.out) == (0, True), asked
