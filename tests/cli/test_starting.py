"""What `init` makes of a curl command and of an OpenAPI file is what a shell, curl and a schema mean."""

from __future__ import annotations

import json
import os
import subprocess
from base64 import b64encode
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from botattack.audit.starting.curl import read_curl
from botattack.audit.starting.openapi import read_openapi
from botattack.errors import BotattackError
from botattack.templates import Template
from tests.cli.conftest import Botattack, Serve
from tests.fuzz.conftest import bounded
from tests.servers.http import Server, replying, response

SET = {"FIRST_NAME": "v4lue-of-first", "SECOND_NAME": "v4lue-of-second"}
"""What the environment contains."""


def api(schemas: dict[str, Any], root: str) -> str:
    body = {"content": {"application/json": {"schema": {"$ref": f"#/components/schemas/{root}"}}}}
    paths = {"/search": {"post": {"requestBody": body}}}
    return json.dumps({"openapi": "3.1.0", "paths": paths, "components": {"schemas": schemas}})


def made_of(botattack: Botattack, folder: Path, schemas: dict[str, Any], root: str) -> Any:
    """The body that `init` makes of a schema."""
    (folder / "openapi.json").write_text(api(schemas, root))
    for path in folder.glob("my-bot*"):
        path.unlink()
    flags = ["--url", "http://127.0.0.1:9", "--no-send", "--answer", "$.a", "--yes"]
    with bounded():
        ended = botattack("init", "--openapi", "openapi.json", "--operation", "POST /search", *flags)
    assert ended.status == 0, ended
    return yaml.safe_load((folder / "my-bot-target.yaml").read_text())["connect"]["request"]["json"]


def test_an_openai_endpoint_is_asked_for_the_model_that_is_named(botattack: Botattack, folder: Path) -> None:
    flags = ("--kind", "openai", "--url", "http://127.0.0.1:9/v1", "--model", "small", "--no-send", "--yes")
    ended = botattack("init", *flags)
    assert ended.status == 0, ended
    assert yaml.safe_load((folder / "my-bot-target.yaml").read_text())["connect"]["model"] == "small"


@pytest.mark.parametrize(
    ("body", "place"),
    [
        ({"zone": "eu", "wish": "where is the harbour", "n": 3}, "wish"),
        ({"zone": "in the north", "wish": "where is the harbour"}, ""),
        ({"zone": "eu", "wish": "harbour"}, ""),
    ],
)
def test_the_only_text_of_several_words_is_the_question(
    botattack: Botattack, folder: Path, body: dict[str, Any], place: str
) -> None:
    command = f"curl http://127.0.0.1:9 -d '{json.dumps(body)}'"
    ended = botattack("init", "--curl", command, "--no-send", "--answer", "$.a", "--yes")
    assert ended.status == (0 if place else 2), ended
    if place:
        asked = yaml.safe_load((folder / "my-bot-target.yaml").read_text())["connect"]["request"]["json"]
        assert asked == body | {place: "{{ question }}"}


def read(folder: Path, schemas: dict[str, Any]) -> Any:
    """The body that a schema describes."""
    (folder / "openapi.json").write_text(api(schemas, "Asked"))
    with bounded():
        return read_openapi(str(folder / "openapi.json"), "http://127.0.0.1:9", "").json


def ref(name: str) -> dict[str, str]:
    return {"$ref": f"#/components/schemas/{name}"}


def test_a_schema_met_again_on_its_way_is_empty(botattack: Botattack, folder: Path) -> None:
    ways = ("and", "or", "not", "must", "should", "must_not")
    condition = {"type": "object", "required": [*ways], "properties": {way: ref("Filter") for way in ways}}
    asked = {"type": "object", "properties": {"query": {"type": "string"}, "filter": ref("Filter")}}
    asked["required"] = ["query", "filter"]
    found = made_of(botattack, folder, {"Filter": condition, "Asked": asked}, "Asked")
    assert found == {"query": "{{ question }}", "filter": {way: {} for way in ways}}


def test_the_same_schema_beside_itself_is_made_again(botattack: Botattack, folder: Path) -> None:
    name = {"type": "object", "required": ["first"], "properties": {"first": {"type": "string", "example": "Ann"}}}
    pair = {"query": {"type": "string"}, "from": ref("Name"), "to": ref("Name")}
    asked = {"type": "object", "required": [*pair], "properties": pair}
    found = made_of(botattack, folder, {"Name": name, "Asked": asked}, "Asked")
    assert found == {"query": "{{ question }}", "from": {"first": "Ann"}, "to": {"first": "Ann"}}


@pytest.mark.slow
@given(st.data())
@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_schemas_that_refer_to_one_another_in_any_way_end(folder: Path, data: st.DataObject) -> None:
    names = [f"S{number}" for number in range(data.draw(st.integers(1, 14)))]
    some = st.lists(st.sampled_from(names).map(ref), min_size=1, max_size=10)
    shapes = st.one_of(
        some.map(lambda refs: {"type": "object", "properties": {f"p{at}": one for at, one in enumerate(refs)}}),
        some.map(lambda refs: {"allOf": refs}),
        some.map(lambda refs: {"anyOf": refs}),
        some.map(lambda refs: {"type": "array", "items": refs[0]}),
        st.just({"type": "string"}),
    )
    schemas = {name: data.draw(shapes) for name in names}
    asked = {"type": "object", "properties": {"query": {"type": "string"}, "rest": ref(names[0])}}
    asked["required"] = ["query", "rest"]
    found = read(folder, {**schemas, "Asked": asked})
    assert found["query"] == "text"


def test_schemas_that_double_again_and_again_end(folder: Path) -> None:
    chain = {
        f"S{at}": {"type": "object", "properties": {f"p{way}": ref(f"S{at + 1}") for way in range(10)}}
        for at in range(11)
    }
    asked = {"type": "object", "properties": {"query": {"type": "string"}, "rest": ref("S0")}}
    found = read(folder, {**chain, "S11": {"type": "string"}, "Asked": asked})
    assert found["query"] == "text"


PIECES = st.sampled_from(["a", "Name", " ", "$FIRST_NAME", "${SECOND_NAME}", "\\$FIRST_NAME", "$.", "\\\\", "."])
TEXTS = st.lists(PIECES, max_size=6).map("".join)
SEGMENTS = st.one_of(
    TEXTS.map(lambda text: f"'{text}'"),
    TEXTS.map(lambda text: f'"{text}"'),
    TEXTS.map(lambda text: "$'" + text.replace("\\$", "\\\\$") + "'"),
    st.sampled_from(["$FIRST_NAME", "${SECOND_NAME}", "\\$FIRST_NAME", "plain"]),
)
"""Parts of a word, each in another hand of quoting."""


@pytest.fixture
def bot(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> tuple[Server, str]:
    """A bot, its address, and an environment that it should see no more of than it must."""
    for name, value in SET.items():
        monkeypatch.setenv(name, value)
    cities = ("Rome, the capital of Italy", "Oslo, the capital of Norway", "Lima, the capital of Peru")
    server = Server(replying(lambda got: response({"answer": f"It is {cities[len(got.json['q']) % 3]}."})))
    return server, serve(server)


def in_bash(word: str) -> str | None:
    """A word as bash reads it; None if it names what is not in the environment, or is no word."""
    quiet = {"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8", **SET}
    ran = subprocess.run(["bash", "-uc", f"printf %s {word}"], env=quiet, capture_output=True, text=True, check=False)
    return ran.stdout if ran.returncode == 0 else None


@pytest.mark.slow
@given(st.lists(SEGMENTS, min_size=1, max_size=4))
@settings(max_examples=40, deadline=None)
def test_a_header_is_what_bash_would_make_of_it(segments: list[str]) -> None:
    word = f"X-Said:x{''.join(segments)}x"
    meant = in_bash(word)
    assume(meant is not None)
    call = read_curl(f'curl http://127.0.0.1:9/ -d \'{{"q": "hi there"}}\' -H {word}')
    filled = Template.compile(call.headers["X-Said"]).fill({"env": SET})
    assert f"X-Said:{filled}" == meant
    assert call.env == {name for name, value in SET.items() if value in str(meant)}


def test_what_stands_in_single_quotes_is_sent_as_it_is(
    botattack: Botattack, folder: Path, bot: tuple[Server, str]
) -> None:
    server, url = bot
    command = f'curl {url} -d \'{{"q": "hi there"}}\' -H \'X-Said: $FIRST_NAME\' -H "X-Also: $SECOND_NAME"'
    ended = botattack("init", "--curl", command, "--yes")
    assert ended.status == 0, ended
    assert server.received[-1].headers["x-said"] == "$FIRST_NAME"
    assert server.received[-1].headers["x-also"] == SET["SECOND_NAME"]
    assert yaml.safe_load((folder / "my-bot-target.yaml").read_text())["env"] == ["SECOND_NAME"]


def test_what_is_sent_of_the_environment_is_named_before_anything_is_sent(
    botattack: Botattack, folder: Path, bot: tuple[Server, str]
) -> None:
    server, url = bot
    command = f'curl {url} -d \'{{"q": "hi there"}}\' -H "X-Said: $FIRST_NAME"'
    ended = botattack("init", "--curl", command, "--ask", "Where?")
    assert ended.status == 2
    assert server.received == []
    assert [line for line in ended.err.splitlines() if line.startswith("sends ") and "FIRST_NAME" in line]


def test_each_value_of_a_cookie_of_two_hands_goes_to_the_environment(
    botattack: Botattack, folder: Path, bot: tuple[Server, str]
) -> None:
    server, url = bot
    command = f'curl {url} -d \'{{"q": "hi there"}}\' -b "sid=$FIRST_NAME; csrf=abcd-1234; lang=zz"'
    ended = botattack("init", "--curl", command, "--yes")
    assert ended.status == 0, ended
    (note,) = (line for line in ended.err.splitlines() if line.startswith("note "))
    assert "share one session" in note
    assert server.received[-1].headers["cookie"] == f"sid={SET['FIRST_NAME']}; csrf=abcd-1234; lang=zz"
    texts = [path.read_text() for path in folder.glob("my-bot*")]
    assert not [text for text in texts if "abcd-1234" in text or "=zz" in text or SET["FIRST_NAME"] in text]


def recorded(url: str, said: dict[str, str], **more: Any) -> dict[str, Any]:
    """A HAR file of a page that asked a bot and told a tracker."""
    asked = [
        _entry(f"{url}/chat", {"message": {"text": text}, "user": "u1"}, {"id": at, "reply": reply, "echo": text})
        for at, (text, reply) in enumerate([*said.items(), *said.items()][: len(said) + 1])
    ]
    others = [_entry(f"{url}/track", {"event": "page view"}, {"ok": True}), {"request": {"url": f"{url}/logo.png"}}]
    return {"log": {"entries": [others[0], *asked, others[1]], **more}}


def _entry(url: str, body: Any, reply: Any) -> dict[str, Any]:
    sent = {"mimeType": "application/json", "text": json.dumps(body)}
    headers = [{"name": ":authority", "value": "x"}, {"name": "Authorization", "value": "Bearer v4lue-of-first"}]
    request = {"method": "POST", "url": url, "headers": headers, "postData": sent}
    encoded = b64encode(json.dumps(reply).encode()).decode()
    content = {"mimeType": "application/json; charset=utf-8", "encoding": "base64", "text": encoded}
    return {"request": request, "response": {"status": 200, "content": content}}


SAID = {"Who wrote Emma?": "Jane Austen did.", "Where is Oslo?": "It is in Norway.", "What is 2 + 2?": "Four, I think."}


def test_what_a_browser_recorded_tells_the_request_and_the_answer(botattack: Botattack, folder: Path) -> None:
    (folder / "bot.har").write_text(json.dumps(recorded("http://127.0.0.1:9", SAID)))
    ended = botattack("init", "--har", "bot.har", "--no-send", "--yes")
    assert ended.status == 0, ended
    text = (folder / "my-bot-target.yaml").read_text()
    connect = yaml.safe_load(text)["connect"]
    assert connect["request"]["url"] == "http://127.0.0.1:9/chat"
    assert connect["request"]["json"]["message"] == {"text": "{{ question }}"}
    assert connect["extract"] == {"answer": "$.reply"}
    assert "v4lue" not in text
    # The value is asked for, and what HTTP/2 says of the URL is left out.
    assert connect["request"]["headers"] == {"Authorization": "Bearer {{ env.MY_BOT_AUTHORIZATION }}"}


@pytest.mark.parametrize(
    ("content", "why"),
    [
        ("[", "is not a HAR file, which is JSON"),
        ("{}", "has no log.entries"),
        ('{"log": {"entries": [7, {"request": 1}]}}', "has no request that carried a message"),
        (json.dumps(recorded("http://[", SAID)), "has no request that carried a message"),
    ],
)
def test_what_is_no_recording_of_a_bot_is_a_sentence(
    botattack: Botattack, folder: Path, content: str, why: str
) -> None:
    (folder / "bot.har").write_text(content)
    ended = botattack("init", "--har", "bot.har", "--no-send", "--yes")
    assert (ended.status, why in ended.err) == (2, True), ended


def test_two_addresses_that_may_be_the_bot_are_asked_about(botattack: Botattack, folder: Path) -> None:
    both = recorded("http://127.0.0.1:9", SAID)
    both["log"]["entries"] += recorded("http://127.0.0.1:8", dict.fromkeys(["What is new?", *SAID][:3], "x"))["log"][
        "entries"
    ]
    (folder / "bot.har").write_text(json.dumps(both))
    ended = botattack("init", "--har", "bot.har", "--no-send", "--yes")
    assert (ended.status, "Give --message with a text you sent" in ended.err) == (2, True), ended
    told = botattack(
        "init", "--har", "bot.har", "--no-send", "--yes", "--message", "What is new?", "--answer", "$.reply"
    )
    assert told.status == 0, told
    assert ":8/chat" in (folder / "my-bot-target.yaml").read_text()


def test_an_openapi_document_may_be_at_a_url(serve: Serve) -> None:
    described = api({"Asked": {"type": "object", "properties": {"query": {"type": "string"}}}}, "Asked")
    url = serve(Server(replying(lambda request: response(json.loads(described)))))
    call = read_openapi(f"{url}/v1/openapi.json", "", "")
    assert (call.url, call.json) == (f"{url}/search", {"query": "text"})
    there = json.loads(described) | {"servers": [{"url": "../api"}]}
    url = serve(Server(replying(lambda request: response(there))))
    assert read_openapi(f"{url}/v1/openapi.json", "", "").url == f"{url}/api/search"
    with pytest.raises(BotattackError, match="Connection refused"):
        read_openapi("http://127.0.0.1:9/openapi.json", "", "")


@pytest.mark.parametrize(
    ("header", "model", "place"), [("X}a: b", "m", "connect.headers"), ("a: b", "{{ m", "connect.model")]
)
def test_what_no_target_file_can_say_is_told_with_its_place(
    botattack: Botattack, header: str, model: str, place: str
) -> None:
    body = json.dumps({"model": model, "messages": [{"role": "user", "content": "hi"}]})
    command = f"curl http://127.0.0.1:9/v1/chat/completions -H '{header}' -d '{body}'"
    ended = botattack("init", "--curl", command, "--no-send", "--yes")
    assert (ended.status, place in ended.err) == (2, True), ended
