"""Target files: every problem at once, and nothing done that the user did not allow."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from syrupy.assertion import SnapshotAssertion

from botattack.config.target import TargetConfig, load_target
from botattack.errors import BotattackError, ConfigError, TargetDown, TrustRefused
from botattack.limits import Limits

Write = Callable[[str, str], Path]
Read = Callable[..., TargetConfig]
Refusal = Callable[..., str]

HELPDESK = """
name: helpdesk
env: [HELPDESK_TOKEN]
connect:
  kind: http
  request:
    url: "http://127.0.0.1:8765/chat"
    method: POST
    headers: {Authorization: "Bearer {{ env.HELPDESK_TOKEN }}"}
    json: {text: "{{ question }}"}
  extract: {answer: "$.reply.text", ranked: "$.reply.candidates[*].text"}
limits: {rate: 300/min, burst: 5, concurrency: 4, timeout: 1200ms, retries: 0}
signs: {refused: ["sorry, i did not get that"]}
"""
BADLY_BROKEN = """
nam: helpdesk
env: [HELPDESK_TOKEN, "9x", UNSET, UNSET]
connect:
  kind: http
  request:
    url: "127.0.0.1:1/chat"
    methd: POST
    headers: {Authorization: "Bearer {{ env.HELPDESK_TOKN }}"}
    json: {text: "{{ qestion }}", more: ["{{ 2 ** 9 }}", "{{ env.OTHER }}"]}
  extract: {answer: "$.reply[", ranked: "$.a[*]"}
limits: {rate: 5, burst: no, timeout: 30, retries: -1, concurrency: "4", breaker: 0, idempotent: yes}
limits: {}
signs: {refused: sorry, busy: [429, "$.a[", {at: x}], failed: [true]}
consent: {authorised_by: me, until: next year}
"""

SECRET = "sk-4f9A0c77Xq2"
REVEALING = {
    "text for a mapping": f"auth: {SECRET}",
    "number for text": "auth: {bearer: 904417723}",
    "list for text": f"auth: {{bearer: [{SECRET}]}}",
    "misspelt key": f"request: {{url: 'http://127.0.0.1:1/', headrs: {{Authorization: 'Bearer {SECRET}'}}}}",
    "headers as text": f"request: {{url: 'http://127.0.0.1:1/', headers: 'Authorization: Bearer {SECRET}'}}",
    "address with a password": f"request: {{url: 'http://me:{SECRET}@127.0.0.1:x/'}}",
    "long text": f"auth: {{bearer: x, header: {{a: 1}}, token: 'https://{'a' * 40}?{SECRET}'}}",
    "long address": f"request: {{url: 'ftp://{'a' * 30}.example/?token={SECRET}{SECRET}{SECRET}'}}",
    "key of another place": f"api_key: {SECRET}",
    "no YAML at all": f"auth: {{bearer: {SECRET}",
    "twice": f"auth: {{bearer: 904417723, bearer: {SECRET}}}",
}
"""What somebody may write below `connect` whose error must not quote the secret."""


@pytest.mark.parametrize("name", REVEALING)
def test_no_error_quotes_a_secret_that_is_in_the_file(name: str, write: Write, refusal: Refusal) -> None:
    write("bot.yaml", f"connect:\n  kind: http\n  {REVEALING[name]}\n")
    said = refusal(Path("bot.yaml"), ConfigError)
    assert "bot.yaml:" in said
    assert not any(part in said for part in (SECRET[:6], SECRET[-6:], "904417723"))


def test_an_error_beside_a_placeholder_still_shows_its_line(write: Write, refusal: Refusal) -> None:
    line = 'auth: {bearer: "{{ env.TOKEN }}", bearr: 1}'
    assert line in refusal(write("bot.yaml", f"connect:\n  kind: http\n  {line}\n"), ConfigError)


def http(url: str, more: str = "") -> str:
    return f'connect: {{kind: http, request: {{url: "{url}", json: {{q: "{{{{ question }}}}"}}}}}}\n{more}'


@pytest.fixture
def refusal(read_target: Read) -> Refusal:
    """What a refused file says."""

    def refusal(path: Path, kind: type[BotattackError], **changed: Any) -> str:
        with pytest.raises(kind) as caught:
            read_target(path, **changed)
        assert type(caught.value) is kind
        return str(caught.value)

    return refusal


def test_a_target_file(write: Write, read_target: Read) -> None:
    path = write("helpdesk.yaml", HELPDESK)
    config = read_target(path, {"HELPDESK_TOKEN": "secret", "OTHER": "x"})
    assert (config.name, config.kind, config.env) == ("helpdesk", "http", {"HELPDESK_TOKEN": "secret"})
    assert config.limits == Limits(rate=5.0, burst=5, concurrency=4, timeout=1.2, retries=0)
    assert config.refusals == ("sorry, i did not get that",)
    assert config.digest == hashlib.sha256(path.read_bytes()).hexdigest()
    assert "secret" not in repr(config)
    assert config.open().name == "helpdesk"
    assert config.hosts == {"127.0.0.1"}
    assert config.env_places == {"HELPDESK_TOKEN": ["connect.request.headers.Authorization"]}
    assert config.where("connect.request.json.text.x") == "helpdesk.yaml:9:18"


def test_every_problem_at_once(write: Write, snapshot: SnapshotAssertion, read_target: Read) -> None:
    path = write("helpdesk.yaml", BADLY_BROKEN)
    with pytest.raises(ConfigError) as caught:
        read_target(path, {"HELPDESK_TOKEN": ""})
    assert str(caught.value) == snapshot
    assert len(caught.value.problems) == 26


@pytest.mark.parametrize(
    "text",
    [
        "connect: {kind: local}",
        "connect: {kind: htp, request: {}}",
        "connect: {call: 'a:b'}",
        "connect: http",
        "name: x",
        "- connect",
        "connect: {kind: local, call: 'no code'}",
        "connect: {kind: local, call: 'botattack.targets.nowhere:bot', per: turn}",
        "connect: {kind: local, call: 'botattack.bots.alice:bot'}\nlimits: {rate: fast}",
        "connect: {kind: local, call: 'botattack.bots.alice:bot'}\nlimits: {rate: 0/s, timeout: 0s}",
        "connect: {kind: local, call: 'botattack.bots.alice:bot'}\nname: a/b",
        "connect: {kind: local, call: 'a:b'}\nsigns: {refused: [403, $.a, nothing, ha]}\nrefusals: []",
        "connect: {kind: process, command: [x]}\nsigns: {busy: [403, $.a], failed: [{event: x}], refused: ['$.a[']}",
        "connect: {kind: websocket, url: 'ws://127.0.0.1:1', send: '{{ question }}', fails: {at: $.error}}",
    ],
)
def test_sentences(text: str, write: Write, snapshot: SnapshotAssertion, refusal: Refusal) -> None:
    assert refusal(write("t.yaml", text), ConfigError) == snapshot


@pytest.mark.parametrize(
    ("text", "instead"),
    [
        (http("http://127.0.0.1:1", "pace: redis://127.0.0.1:6379/0"), r"pace: no such key \(.*--shard"),
        ("connect: {kind: http, request: {raw: bot.txt}}", r"connect\.request\.raw: no such key \(.*init --curl"),
    ],
)
def test_keys_that_are_gone_name_what_serves_instead(text: str, instead: str, write: Write, refusal: Refusal) -> None:
    assert re.search(instead, refusal(write("t.yaml", text), ConfigError))


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ("stream: {where: text-delta}", "stream.where: expected names with values, found the text 'text-delta' (write"),
        ("stream: {where: {}}", "stream.where: expected names with values, found a mapping (write it like {type: "),
        ("stream: {where: {type: []}}", "stream.where.type: expected a value or a list of values, found a list (write"),
        ("stream: {where: {type: {a: 1}}}", "stream.where.type: expected a value or a list of values, found a mapping"),
        ("stream: {where: {'$.a[': 1}}", "is not a JSONPath"),
        ("stream: {done: {where: [a]}}", "stream.done.where: expected names with values, found a list (write it like"),
        ("poll: {url: 'http://127.0.0.1:1/', until: {where: 1}}", "poll.until.where: expected names with values"),
        ("extract: {answer: {where: {a: b}}}", "extract.answer: expected the place of a value in the reply, found a"),
        (
            "chat: {messages: gemeni}",
            "chat.messages: no shape of messages is called 'gemeni' (one of openai, anthropic,",
        ),
        ("chat: {messages: {role: '{{ role }}'}}", "chat.messages: no {{ text }} is in the shape of a message (write"),
        ("chat: {messages: {a: '{{ txt }}', b: '{{ text }}'}}", "chat.messages.a: no placeholder is called 'txt' (did"),
        (
            "chat: {messages: gemini, system: be nice}",
            "no message of this shape is the system's (write systemInstructio",
        ),
        ("chat: {roles: {bott: model}}", "chat.roles.bott: the text 'bott' is not a choice here (did you mean 'bot'?)"),
        ("open: [{}]", "connect.open[0].url: is required, but not given"),
        ("open: {}", "connect.open.url: is required, but not given"),
        ("open: [{url: 'http://127.0.0.1:1/{{ document.name }}'}]", "is there below documents alone (leave it out)"),
        ("open: {url: 'http://127.0.0.1:1/', take: {a: {header: 'a b'}}}", "take.a.header: 'a b' is not a header name"),
        (
            "close: {url: 'http://127.0.0.1:1/{{ session + 1 }}'}",
            "connect.close.url: only numbers can be added (texts are joined",
        ),
        (
            "poll: {url: 'http://127.0.0.1:1/{{ poll.last }}'}",
            "poll: no reply gives {{ poll.last }} (add last to take:",
        ),
        ("close: {url: 'http://127.0.0.1:1/{{ open.id }}'}", "close: no reply gives {{ open.id }} (add id to take: of"),
        (
            "auth: {aws: {key: k}}",
            "auth.aws.secret: the environment name AWS_SECRET_ACCESS_KEY is not declared (add",
        ),
        (
            "auth: {aws: {key: k, secret: s, region: US East}}",
            "auth.aws.region: expected a name as in Amazon's URLs, f",
        ),
        ("auth: {aws: {key: k, secret: s}, bearer: t}", "give exactly one of basic, bearer, api_key, oauth and aws"),
        ("extract: {answer: []}", "extract.answer: expected the place of a value in the reply, found a list (write a"),
        ("extract: {answer: [$.a, json]}", "extract.answer[1]: expected the place of a value in the reply, found the"),
        ("extract: {answer: [$.a, {regex: '('}]}", "extract.answer[1]: '(' is not a regular expression"),
        ("extract: {reasoning: ['<think>']}", "extract.reasoning[0]: expected the name of a tag, found the text '<thi"),
        ("extract: {answer: '^[?@.a == 1].b'}", "by ^ (write where: {type: text-delta} next to `pieces`, or in a mark"),
    ],
)
def test_wrong_uses_of_keys(more: str, said: str, write: Write, refusal: Refusal) -> None:
    found = refusal(write("t.yaml", f"connect: {{kind: http, {REQUEST}'{{{{ question }}}}'}}, {more}}}\n"), ConfigError)
    assert said in found
    assert found.count("t.yaml:") == 1


REQUEST = "request: {url: 'http://127.0.0.1:1/', json: "


@pytest.mark.parametrize(
    ("connect", "place"),
    [
        ("{kind: http, " + REQUEST + "{text: hello}}}", "request"),
        ("{kind: http, " + REQUEST + "'{{ messages }}'}, chat: {user: hello}}", "request"),
        ("{kind: http, login: {url: 'http://127.0.0.1:1/{{ question }}'}, " + REQUEST + "1}}", "request"),
        ("{kind: http, open: {url: 'http://127.0.0.1:1/{{ question }}'}, " + REQUEST + "1}}", "request"),
        ("{kind: http, close: {url: 'http://127.0.0.1:1/{{ question }}'}, " + REQUEST + "1}}", "request"),
        ("{kind: websocket, url: 'ws://127.0.0.1:1/', join: ['{{ question }}'], send: hello}", "send"),
        ("{kind: process, command: [cat], send: {text: '{{ history }}'}}", "send"),
        ("{kind: openai, url: 'http://127.0.0.1:1/v1', model: m, user: hello}", "user"),
        ("{kind: http, " + REQUEST + "'{{ messages }}'}}", ""),
        ("{kind: http, " + REQUEST + "'{{ messages }}'}, chat: {user: '{{ question | tojson }}'}}", ""),
        ("{kind: http, poll: {url: 'http://127.0.0.1:1/{{ question }}'}, " + REQUEST + "1}}", ""),
        ("{kind: process, command: [cat]}", ""),
        ("{kind: openai, url: 'http://127.0.0.1:1/v1', model: m}", ""),
    ],
)
def test_a_bot_that_is_never_sent_the_question_is_refused(
    connect: str, place: str, write: Write, refusal: Refusal, read_target: Read
) -> None:
    path = write("t.yaml", f"connect: {connect}\n")
    if place:
        said = refusal(path, ConfigError)
        assert f"connect.{place}: no template here uses {{{{ question }}}} (write {{{{ question }}}} where" in said
    else:
        assert read_target(path, allow_code=True).kind in connect


def test_the_name_of_the_file_is_the_default_name(write: Write, read_target: Read, refusal: Refusal) -> None:
    text = "connect: {kind: local, call: 'botattack.bots.alice:bot'}\nlimits: {rate: unlimited}\n"
    config = read_target(write("alice.yaml", text))
    assert config.name == "alice"
    assert config.limits.unlimited
    assert "add name:" in refusal(write("my bot.yaml", text), ConfigError)


def test_a_campaign_is_not_taken_for_a_target_file(write: Write, refusal: Refusal) -> None:
    said = refusal(write("nightly.yaml", "target: t.yaml\nquestions: q.csv\nattacks: [dpaeg]\n"), ConfigError)
    assert said.startswith("nightly.yaml:1:1: this is a campaign, not a target file (botattack run nightly.yaml)")


def test_a_missing_file_is_one_sentence(write: Write, refusal: Refusal) -> None:
    write("there.yaml", "a: 1")
    assert refusal(Path("none.yaml"), ConfigError) == "none.yaml:1:1: there is no such file (check the path)"
    assert "this is a folder" in refusal(Path(), ConfigError)


@pytest.mark.parametrize(
    "url",
    ["http://localhost:1/", "http://127.0.0.1/", "https://[::1]:2/x"],
)
def test_this_machine_needs_no_consent(url: str, write: Write, read_target: Read) -> None:
    assert read_target(write("t.yaml", http(url))).consent is None


@pytest.mark.parametrize(
    ("url", "environ"),
    [
        ("http://bot.example/", {}),
        ("http://mixed.example:80/", {}),
        ("{{ env.URL }}", {"URL": "http://bot.example/ask"}),
        ("http://{{ env.URL }}/", {"URL": "bot.example"}),
    ],
)
def test_another_machine_needs_consent(url: str, environ: dict[str, str], write: Write, read_target: Read) -> None:
    text = http(url, "env: [URL]\n" if environ else "")
    path = write("t.yaml", text)
    with pytest.raises(TrustRefused, match=r"t.yaml:1:\d+: connect.request.url: .* is not this machine.*consent"):
        read_target(path, environ)
    path.write_text(f"{text}consent: {{authorised_by: Ada, until: 2026-11-20}}\n")
    config = read_target(path, environ)
    assert config.consent
    assert config.consent.until == date(2026, 11, 20)


@pytest.mark.parametrize(
    ("kind", "place"),
    [
        ("{kind: http, request: {url: 'http://[::1/{{ question }}'}}", "request.url"),
        ("{kind: http, request: {url: 'http://127.0.0.1/{{ question }}'}, proxy: 'http://[::1'}", "proxy"),
        ("{kind: websocket, url: 'ws://[::1/', send: '{{ question }}'}", "url"),
        ("{kind: openai, url: 'http://[::1/v1', model: m}", "url"),
        ("{kind: openai, url: 'http://', model: m}", "url"),
    ],
)
def test_a_url_that_cannot_be_read(kind: str, place: str, write: Write, refusal: Refusal) -> None:
    said = refusal(write("t.yaml", f"connect: {kind}\n"), ConfigError)
    assert f"connect.{place}: this URL names no host" in said


def test_a_url_without_a_host(write: Write, read_target: Read) -> None:
    path = write("t.yaml", http("{{ env.URL }}", "env: [URL]\n"))
    with pytest.raises(ConfigError, match=r"connect.request.url: this URL names no host"):
        read_target(path, {"URL": "bot"})


def test_a_secret_that_is_no_text_is_told(write: Write, read_target: Read) -> None:
    path = write("t.yaml", http("http://127.0.0.1/", "env: [TOKEN]\n"))
    with pytest.raises(ConfigError, match=r"env\[0\]: TOKEN contains a byte that is not UTF-8"):
        read_target(path, {"TOKEN": b"12\xff34".decode(errors="surrogateescape")})


def test_a_proxy_elsewhere_needs_consent(write: Write, refusal: Refusal) -> None:
    text = (
        'connect: {kind: http, request: {url: "http://127.0.0.1/{{ question }}"}, proxy: "http://bot.example:3128"}\n'
    )
    assert "connect.proxy: bot.example is not this machine" in refusal(write("t.yaml", text), TrustRefused)


def test_consent_ends(write: Write, refusal: Refusal) -> None:
    path = write("t.yaml", http("http://bot.example/", "consent: {authorised_by: Ada, until: 2026-11-19}\n"))
    said = refusal(path, TrustRefused)
    assert said.startswith("t.yaml:2:38: consent.until: the consent to attack bot.example ended on 2026-11-19")


def test_a_host_without_an_address(write: Write, refusal: Refusal) -> None:
    path = write("t.yaml", http("http://nowhere.example/"))
    assert "the host nowhere.example has no address" in refusal(path, TargetDown)


@pytest.mark.parametrize("host", ["127..0.1", "a" * 70, "x." + "b" * 64])
def test_a_host_that_is_no_name(host: str, tmp_path: Path) -> None:
    path = tmp_path / "t.yaml"
    path.write_text(http(f"http://{host}/"))
    with pytest.raises(TargetDown, match=r"has no address \(it is not the name of a host; .*consent"):
        load_target(path)


def test_all_that_is_wrong_is_told_at_once(write: Write, refusal: Refusal) -> None:
    """What is missing and what is not allowed are found in a file that has typing mistakes, too."""
    text = """\
connect:
  kind: http
  request: {url: "http://bot.example/chat", heders: {a: b}, json: {text: hello}}
  extract: {answr: "$.reply"}
  proxy: "http://nowhere.example"
limits: {rate: fast}
"""
    said = refusal(write("t.yaml", text), ConfigError)
    places = re.findall(r"(?m)^t\.yaml:\d+:\d+: ([\w.]+): ", said)
    assert places == [
        "connect.request",
        "connect.request.url",
        "connect.request.heders",
        "connect.extract.answr",
        "connect.proxy",
        "limits.rate",
    ]
    assert "no template here uses {{ question }}" in said
    assert "bot.example is not this machine" in said


@pytest.mark.parametrize(
    ("more", "absent"),
    [
        ('jsn: {text: "{{ question }}"}', "no template here uses"),
        ('json: {text: "{{ question }}"}}\nconsent: {authorised_by: Ada, until: soon', "is not this machine"),
        ('json: {text: "{{ question }} {{ env.BOT }}"}, heders: {', "is not this machine"),
    ],
)
def test_nothing_is_told_that_another_mistake_may_have_caused(
    more: str, absent: str, write: Write, refusal: Refusal
) -> None:
    text = f'connect:\n  kind: http\n  request: {{url: "http://bot.example/", {more}}}\n'
    said = refusal(write("t.yaml", text.replace("heders: {}", "heders: {}}")), ConfigError)
    assert absent not in said


def test_hosts_that_may_be_asked_besides_need_consent_too(write: Write, refusal: Refusal) -> None:
    path = write(
        "t.yaml",
        'connect: {kind: http, request: {url: "http://127.0.0.1/{{ question }}"}, '
        'hosts: ["localhost:1", "bot.example:8080"]}\n',
    )
    assert "connect.hosts[1]: bot.example is not this machine" in refusal(path, TrustRefused)


CODE = "connect: {kind: local, call: 'CALL'}\n"


@pytest.mark.parametrize(
    "call",
    ["mybot:reply", "os:system", "file://bot.py:reply", "botattack.registry:import_module", "botattack_evil:x"],
)
def test_foreign_code_needs_leave(call: str, write: Write, read_target: Read, refusal: Refusal) -> None:
    write("bots/bot.py", "raise SystemExit('ran while it was checked')\n")
    path = write("bots/t.yaml", CODE.replace("CALL", call))
    said = refusal(path, TrustRefused)
    assert said.startswith("bots/t.yaml:1:30: connect.call: would run code on this machine: " + call)
    assert "--allow-code" in said
    assert read_target(path, allow_code=True).kind == "local"


def test_what_our_modules_import_is_not_our_code(write: Write, refusal: Refusal) -> None:
    path = write("t.yaml", CODE.replace("CALL", "botattack.targets.local.local_kind:import_module"))
    assert "would run code" in refusal(path, TrustRefused)


def test_our_own_code_needs_none(write: Write, read_target: Read) -> None:
    assert read_target(write("t.yaml", CODE.replace("CALL", "botattack.bots.alice:bot"))).kind == "local"


@pytest.mark.parametrize("file", ["../secret.py", "/etc/secret.py", "link/secret.py"])
def test_paths_stay_in_the_folder(file: str, write: Write, refusal: Refusal) -> None:
    outside = write("secret.py", "def bot(text): return text\n")
    path = write("bots/t.yaml", CODE.replace("CALL", f"file://{file}:bot"))
    Path("bots/link").symlink_to(outside.parent.resolve())
    assert "leaves the folder of this file" in refusal(path, ConfigError, allow_code=True)


def test_a_stranger_s_file_reads_no_other_environment_name(
    write: Write, monkeypatch: pytest.MonkeyPatch, refusal: Refusal
) -> None:
    monkeypatch.setenv("AWS_SECRET", "x")
    path = write("t.yaml", http("http://127.0.0.1/{{ env.AWS_SECRET }}"))
    assert "the environment name AWS_SECRET is not declared" in refusal(path, ConfigError, environ={"AWS_SECRET": "x"})


def test_opening_names_the_place(write: Write, read_target: Read) -> None:
    path = write("t.yaml", "# mine\n" + CODE.replace("CALL", "file://bot.py:absent"))
    write("bot.py", "x = 1\n")
    with pytest.raises(ConfigError, match=r"^t.yaml:2:30: connect.call: .*absent"):
        read_target(path, allow_code=True).open()


def test_the_clock_is_handed_in(write: Write, allowed: dict[str, Any]) -> None:
    path = write("t.yaml", http("http://bot.example/", "consent: {authorised_by: Ada, until: 2030-01-01}\n"))
    load_target(path, **{**allowed, "today": date(2029, 12, 31)})
    with pytest.raises(TrustRefused):
        load_target(path, **{**allowed, "today": date(2030, 1, 2)})


def test_no_file_steers_the_terminal(write: Write, refusal: Refusal) -> None:
    path = write("t.yaml", 'connect: {kind: "\\e[2J", "\\e]0;x\\a": 1}\n"\\e[31m": 2\n')
    assert "\x1b" not in refusal(path, ConfigError)
