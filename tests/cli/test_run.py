"""Whole commands as a user types them: what they print, write and end with."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from datetime import date
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from botattack.audit.beforehand.rehearsal import weaker_judging
from botattack.config.campaign import load_campaign
from botattack.model import content_id
from botattack.recordings.reader import events
from botattack.report import numbers
from tests.cli.conftest import Botattack, Serve
from tests.report.streams import fits
from tests.servers.http import Server, always, in_turn, response


def test_a_whole_run(botattack: Botattack, campaign: Path, snapshot: SnapshotAssertion) -> None:
    ended = botattack("run", campaign, "--allow-code", "-o", "out.json")
    assert ended.out == snapshot
    written = fits("run", Path("out.json"))
    assert written["questions"]["kept"] == 5
    assert written["attacks"]["dpaeg"]["gold"]["asked"] == written["attacks"]["dpaeg"]["gold"]["success"] == 10
    assert written["attacks"]["dpaeg"]["gold"]["success_rate"] is None
    assert "too few questions" in written["attacks"]["dpaeg"]["gold"]["note"]
    assert written["attacks"]["unchanged"]["gold"]["robust"] == 5
    assert written["requests"]["sent"] == 6 + 5 + 10


def test_flags_say_the_same_as_a_file(botattack: Botattack, campaign: Path) -> None:
    botattack("run", campaign, "--allow-code", "-o", "file.json")
    flags = (
        "-t",
        "bot.yaml",
        "-q",
        "faq.jsonl",
        "-a",
        "dpaeg:per_question=2,take=nearest,meaning=paper",
        "--seed",
        "7",
    )
    assert botattack("run", *flags, "--allow-code", "-o", "flags.json").status == 0
    of_file, of_flags = (json.loads(Path(name).read_text()) for name in ("file.json", "flags.json"))
    assert of_file["questions"] == of_flags["questions"]
    assert of_file["attacks"] == of_flags["attacks"]


def test_replay_gives_the_figures_again(botattack: Botattack, campaign: Path, snapshot: SnapshotAssertion) -> None:
    botattack("run", campaign, "--allow-code", "-o", "live.json")
    (recording,) = Path("recordings").iterdir()
    replayed = botattack("replay", recording, "-o", "replayed.json")
    assert replayed.status == 0
    assert json.loads(Path("live.json").read_text()) == json.loads(Path("replayed.json").read_text())
    unit = next(event.unit for event in events(recording) if type(event).__name__ == "VariantJudged" and event.edits)
    assert str(botattack("replay", recording, "--unit", unit)) == snapshot(name="one unit")
    assert str(botattack("replay", recording, "--unit", "none.0")) == snapshot(name="no such unit")


def test_it_stops_at_the_first_success_if_it_should(botattack: Botattack, campaign: Path) -> None:
    ended = botattack("run", campaign, "--allow-code", "--fail-fast")
    assert (ended.status, "stopped at the first success" in ended.err) == (1, True)


@pytest.mark.slow
def test_judging_that_is_weaker_in_a_language_says_so_once(botattack: Botattack, campaign: Path) -> None:
    flags = ("run", "-t", "bot.yaml", "-q", "faq.jsonl", "-a", "case", "--allow-code")
    told = (
        "a reply in 'it' that denies, hedges or declines may be misjudged, for botattack knows the words of "
        "en, de, fa, fr, es only: give every form of an answer and "
        "ask for second opinions (match: {second: {ask: [judge]}})"
    )
    outputs = ("-o", "out.json", "-o", "out.md", "-o", "out.html")
    ended = botattack(*flags, "--lang", "it-CH", "--lang", "it", *outputs)
    assert ended.status == 0
    assert ended.err.count(told) == 1
    assert ended.err.index(told) < ended.err.index("recording ")
    assert told in " ".join(ended.out.split())
    assert json.loads(Path("out.json").read_text())["run"]["weaker"] == [told]
    assert "- weaker: a reply in 'it'" in Path("out.md").read_text()
    assert ">a reply in &#39;it&#39;" in Path("out.html").read_text()
    (recording,) = Path("recordings").iterdir()
    assert told in " ".join(botattack("replay", recording).out.split())
    bot = Path("bot.yaml").read_text()
    Path("bot.yaml").write_text(bot[: bot.index("signs")])
    assert (
        "list the bot's own refusals in bot.yaml (signs: {refused: […]}) and ask"
        in botattack(*flags, "--lang", "it", "--dry-run").out
    )
    by_kind = "{by-kind: {name: {second: {ask: [similar]}}, other: contains}}"
    Path("seconded.yaml").write_text(
        "target: bot.yaml\nquestions: {file: faq.jsonl, lang: it}\nattacks: [case]\n" + f"match: {by_kind}\n"
    )
    seconded = str(
        weaker_judging(
            load_campaign(Path("seconded.yaml"), environ={}, today=date(2026, 1, 1), allow_code=True), ["it"]
        )
    )
    assert "a reply in 'it'" in seconded
    assert "ask for second opinions" not in seconded
    for known in ("en-GB", "de", "fa"):
        assert "weaker" not in str(botattack(*flags, "--lang", known, "-o", "out.json"))
    assert json.loads(Path("out.json").read_text())["run"]["weaker"] == []


@pytest.mark.slow
def test_attacks_that_cannot_do_with_a_language_stop_before_the_run(botattack: Botattack, campaign: Path) -> None:
    flags = ("run", "-t", "bot.yaml", "-q", "faq.jsonl", "--lang", "de", "--allow-code")
    for more in ((), ("--dry-run",)):
        refused = botattack(*flags, "-a", "dpaeg", "-a", "negate", "-a", "case", *more)
        assert refused.status == 2
        assert "dpaeg works in en only; negate works in en only; leave them out for" in refused.err
        assert "leave them out for questions in 'de'" in refused.err
        assert "botattack attacks list" in refused.err
    assert not Path("recordings").exists()
    assert botattack(*flags, "-a", "case").status == 0


def test_questions_in_a_language_that_an_attack_does_not_work_in_are_counted_not_asked(
    botattack: Botattack, campaign: Path
) -> None:
    capitals = json.loads(Path("capitals.json").read_text())
    rows = [{"question": f"What is the famous capital of {c}?", "answers": [a]} for c, a in capitals.items()]
    persian = {"question": "پایتخت معروف فرانسه کجاست؟", "answers": ["Paris"]}
    known = "    if 'فرانسه' in text:\n        return 'Paris'\n"
    Path("bot.py").write_text(Path("bot.py").read_text().replace('    return "I can', f'{known}    return "I can'))
    Path("mixed.jsonl").write_text("".join(json.dumps(row) + "\n" for row in [*rows, persian]))
    flags = ("run", "-t", "bot.yaml", "-q", "mixed.jsonl", "--allow-code", "-a", "contraction", "-a", "swap-words")
    told = "contraction is not tried on questions in 'fa': contraction works in de, en, es, fr only"
    assert told in " ".join(botattack(*flags, "--dry-run").out.split())
    assert "swap-words is not tried" not in botattack(*flags, "--dry-run").out
    ended = botattack(*flags, "-o", "out.json", "-o", "out.md")
    assert ended.status in (0, 1)
    assert told in ended.err
    found = json.loads(Path("out.json").read_text())
    left_out = "left out: 1 of the questions, in a language that it does not work in"
    assert left_out in json.dumps(found["attacks"]["contraction"])
    assert left_out in Path("out.md").read_text().replace("\\", ""), Path("out.md").read_text()
    assert "left out" not in json.dumps(found["attacks"]["swap-words"])
    (recording,) = Path("recordings").iterdir()
    assert left_out in " ".join(botattack("replay", recording).out.split())
    Path("persian.jsonl").write_text(json.dumps(persian) + "\n")
    refused = botattack("run", "-t", "bot.yaml", "-q", "persian.jsonl", "--allow-code", "-a", "contraction")
    assert refused.status == 2
    assert "contraction works in de, en, es, fr only; leave them out for questions in 'fa'" in refused.err


@pytest.mark.parametrize(
    ("more", "asking", "requests"),
    [
        ("", "", "at most 24,"),
        ("open: {url: URL/open}, close: {url: URL/close}, login: {url: URL/in}", "3 requests", "at most 72,"),
        ("open: {url: URL/open}, conversation: reuse", "", "at most 24,"),
        ("poll: {url: URL/poll}", "2 requests, and one more each time it polls again", "about 48 and more,"),
    ],
)
def test_what_would_be_asked_counts_every_request(
    botattack: Botattack, campaign: Path, more: str, asking: str, requests: str
) -> None:
    request = "{kind: http, request: {url: 'URL/{{ question }}'}, extract: {answer: $.a}, " + more + "}"
    Path("bot.yaml").write_text(f"connect: {request}\n".replace("URL", "http://127.0.0.1:9"))
    told = botattack("run", campaign, "--dry-run").out
    assert f"requests   {requests}" in told
    assert (f"asking     takes {asking}\n" in told) if asking else ("asking" not in told)


@pytest.mark.slow
def test_a_budget_stops_it_and_resume_ends_it(botattack: Botattack, campaign: Path) -> None:
    botattack("run", campaign, "--allow-code", "-o", "whole.json", "--recordings", "whole")
    stopped = botattack("run", campaign, "--allow-code", "--budget", "requests=9")
    assert stopped.status == 4
    assert "budget of 9 requests is used up; a resumed run has the whole of it again" in stopped.err
    (recording,) = Path("recordings").iterdir()
    told = "botattack run FOLDER/campaign.yaml --allow-code --budget requests=9 --resume recordings/TIME-capitals-ID"
    assert f"\ncontinue   {told}\n" in stopped.err
    twice = botattack("run", campaign, "--allow-code", "--resume", recording, "--budget", "requests=1")
    assert "campaign.yaml --allow-code --budget requests=1 --resume recordings/TIME-capitals-ID\n" in twice.err
    resumed = botattack("run", campaign, "--allow-code", "--resume", recording, "-o", "resumed.json")
    assert resumed.status == 0
    whole, again = (json.loads(Path(name).read_text()) for name in ("whole.json", "resumed.json"))
    assert whole["questions"] == again["questions"]
    assert whole["attacks"] == again["attacks"]
    assert whole["requests"] == again["requests"]
    refused = botattack("run", campaign, "--allow-code", "--resume", recording, "--seed", "8")
    assert refused.status == 2
    assert "seed was 7 and is now 8" in refused.err


def test_a_resumed_run_says_that_it_asks_what_was_added(botattack: Botattack, campaign: Path) -> None:
    botattack("run", campaign, "--allow-code")
    (recording,) = Path("recordings").iterdir()
    with Path("faq.jsonl").open("a") as file:
        file.write('{"question": "What is the famous capital of Peru?", "answers": ["Lima"]}\n')
    resumed = botattack("run", campaign, "--allow-code", "--resume", recording)
    assert "1 added; what was asked stays as it was until a new run, and what was added is asked now" in resumed.err
    opened = [line for line in (recording / "events.jsonl").read_text().splitlines() if '"question opened"' in line]
    assert (len(opened), "Peru" in opened[-1]) == (7, True)


@pytest.mark.parametrize(
    ("flags", "says"),
    [
        (("--budget", "requests=12"), ""),
        (("--rate", "900/s"), ""),
        (("-o", "out.json"), ""),
        (("--limit", "2"), "limit was not set and is now 2"),
        (("--seed", "8"), "seed was 7 and is now 8"),
    ],
)
@pytest.mark.slow
def test_a_flag_replaces_the_recorded_one_unless_it_changes_what_is_asked(
    botattack: Botattack, campaign: Path, flags: tuple[str, ...], says: str
) -> None:
    assert botattack("run", campaign, "--allow-code", "--budget", "requests=9").status == 4
    (recording,) = Path("recordings").iterdir()
    before = (recording / "events.jsonl").read_bytes()
    ended = botattack("run", "--resume", recording, *flags)
    assert (ended.status == 2, says in ended.err) == (bool(says), True), ended
    assert ((recording / "events.jsonl").read_bytes() == before) == bool(says)


def test_a_dry_run_asks_nothing(botattack: Botattack, campaign: Path, snapshot: SnapshotAssertion) -> None:
    assert str(botattack("run", campaign, "--allow-code", "--dry-run")) == snapshot
    assert not Path("recordings").exists()


def test_a_few_bad_records_are_told_and_more_stop_the_run(botattack: Botattack, campaign: Path) -> None:
    lines = Path("faq.jsonl").read_text().splitlines()
    again = json.dumps({"question": json.loads(lines[0])["question"], "answers": ["Lutetia"]})
    more = [json.dumps({"question": f"What is {number} + 1?", "answers": [str(number + 1)]}) for number in range(350)]
    flags = ("run", "-t", "bot.yaml", "-q", "faq.jsonl", "-a", "case", "--allow-code", "--dry-run")
    bare = '{"question": "What do you know?"}'
    Path("faq.jsonl").write_text("\n".join([*lines, '{"question": ""}', again, *["{}"] * 5, *more[1:], bare]))
    told = botattack(*flags).out
    assert "Paris (record 1), Lutetia (record 8)" in told
    assert "1 question without a right answer" in told
    assert "1 record repeats a question: its answers count as other right answers" in told
    assert "skipped    6 bad records: line 7: the question is empty; lines 9, 10, 11, 12: it has neither" in told
    assert "; and 1 more\n" in told
    parts = [botattack(*flags, "--shard", f"{part}/2").out for part in (1, 2)]
    assert sum(int(re.findall(r"questions +(\d+)", part)[0]) for part in parts) == 356
    assert "shard      2 of 2: " in parts[1]
    Path("faq.jsonl").write_text("\n".join([*lines, '{"question": ""}']))
    refused = botattack(*flags)
    assert (refused.status, "1 of 7 records of" in refused.err, "line 7" in refused.err) == (2, True, True)


@pytest.mark.parametrize(
    ("golds", "repeats"), [(["Mary Cole", "Ann Hill", "Mary Cole"], 2), (["a", "b"], 1), (["a"], 0)]
)
def test_answers_of_repeated_questions_are_told_to_count(
    botattack: Botattack, campaign: Path, golds: list[str], repeats: int
) -> None:
    rows = [{"question": "Who runs the museum?", "answers": [gold]} for gold in golds]
    Path("faq.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    planned = botattack("run", campaign, "--allow-code", "--dry-run").out
    botattack("run", campaign, "--allow-code", "-o", "report.md")
    for told in (planned, Path("report.md").read_text()):
        found = re.search(r"(\d+) records? repeats? a question: (?:its|their) answers count as other right", told)
        assert int(found[1] if found else 0) == repeats


def test_an_encoding_that_was_guessed_is_told(botattack: Botattack, campaign: Path) -> None:
    Path("faq.csv").write_bytes("question;answers\nWann öffnet das Rathaus?;um neun\n".encode("cp1252"))
    told = botattack("run", "-t", "bot.yaml", "-q", "faq.csv", "-a", "case", "--allow-code", "--dry-run").out
    assert "faq.csv is read as Windows-1252: if a question looks wrong, save it as UTF-8" in " ".join(told.split())


def test_a_gate_decides_the_status(botattack: Botattack, campaign: Path) -> None:
    campaign.write_text(campaign.read_text() + "gates: [{metric: robust_accuracy, at_least: 0.5}]\n")
    ended = botattack("run", campaign, "--allow-code")
    assert ended.status == 1
    assert "robust accuracy cannot be given: too few questions" in ended.err


def target(url: str) -> str:
    return (
        "name: web\nconnect:\n  kind: http\n"
        f'  request: {{url: "{url}", method: POST, json: {{q: "{{{{ question }}}}"}}}}\n'
        '  extract: {answer: "$.answer"}\nlimits: {rate: unlimited, timeout: 30s, retries: 1}\n'
    )


WRONG_FLAGS: dict[str, tuple[str, ...]] = {
    "no campaign": ("run",),
    "no such file": ("run", "nowhere.yaml"),
    "no such command": ("rum",),
    "no such flag": ("run", "campaign.yaml", "--sed", "1"),
    "both ways": ("run", "campaign.yaml", "-t", "bot.yaml"),
    "unknown attack": ("run", "-t", "bot.yaml", "-q", "faq.jsonl", "-a", "dpage", "--allow-code"),
    "wrong option": ("run", "-t", "bot.yaml", "-q", "faq.jsonl", "-a", "dpaeg:epsilom=3", "--allow-code"),
    "wrong rate": ("run", "campaign.yaml", "--allow-code", "--rate", "fast"),
    "wrong budget": ("run", "campaign.yaml", "--allow-code", "--budget", "request=5"),
    "not utf-8": ("run", "campaign\udcff.yaml"),
    "language beside a campaign": ("run", "campaign.yaml", "--lang", "de"),
    "no such report": ("run", "campaign.yaml", "--allow-code", "-o", "out.pdf"),
    "no place for a report": ("run", "campaign.yaml", "--allow-code", "-o", "/proc/nowhere/x.html"),
    "a folder as a report": ("run", "campaign.yaml", "--allow-code", "-o", "folder.html"),
    "code without leave": ("run", "campaign.yaml"),
    "not a recording": ("replay", "."),
    "resume something else": ("run", "campaign.yaml", "--allow-code", "--resume", "."),
}


@pytest.mark.parametrize("name", WRONG_FLAGS)
def test_wrong_flags_are_one_clear_sentence(
    name: str, botattack: Botattack, campaign: Path, snapshot: SnapshotAssertion
) -> None:
    Path("folder.html").mkdir()
    ended = botattack(*WRONG_FLAGS[name])
    assert ended.status == 2
    assert not Path("recordings").exists()
    assert "Traceback" not in ended.err
    assert str(ended) == snapshot


WRONG_QUESTIONS: dict[str, bytes] = {
    "empty": b"",
    "only bad records": b'{"question": 5}\n{"sku": "x"}\n',
    "many bad records": b"{}\n" * 7,
    "not text": bytes(range(256)),
    "not utf-8": '{"question": "caf\u00e9s, \u00e0 Paris?"}\n'.encode().replace(b"\xc3\xa9", b"\xe9"),
}


@pytest.mark.parametrize("name", WRONG_QUESTIONS)
def test_a_question_set_that_holds_none(
    name: str, botattack: Botattack, campaign: Path, snapshot: SnapshotAssertion
) -> None:
    Path("faq.jsonl").write_bytes(WRONG_QUESTIONS[name])
    ended = botattack("run", campaign, "--allow-code")
    assert ended.status == 2
    assert "Traceback" not in ended.err
    assert str(ended) == snapshot


WRONG_BOTS: dict[str, tuple[int, str]] = {
    "nobody there": (3, "http://127.0.0.1:9/chat"),
    "another host": (2, "http://192.0.2.1/chat"),
    "no url": (2, "chat"),
}


@pytest.mark.parametrize("name", WRONG_BOTS)
def test_a_bot_that_cannot_be_asked(
    name: str, botattack: Botattack, campaign: Path, snapshot: SnapshotAssertion
) -> None:
    status, url = WRONG_BOTS[name]
    Path("bot.yaml").write_text(target(url))
    ended = botattack("run", campaign.name)
    assert ended.status == status
    assert "Traceback" not in ended.err
    assert str(ended) == snapshot
    for recording in Path("recordings").glob("*"):
        assert list(events(recording))


def test_the_first_sentence_names_the_mistake_even_if_there_are_fewer_questions_than_the_preflight_asks(
    botattack: Botattack, campaign: Path, serve: Serve
) -> None:
    url = serve(Server(always(response({}, status=401))))
    Path("bot.yaml").write_text(target(url))
    Path("faq.jsonl").write_text('{"question": "Who wrote Emma?", "answer": "Jane Austen"}\n')
    ended = botattack("run", campaign.name)
    assert ended.status == 2
    assert "HTTP 401" in ended.out.partition("\n\n")[0]


def test_a_missing_language_part_stops_the_attack_before_the_run(
    botattack: Botattack, campaign: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import botattack.text.parts.typos as typos

    monkeypatch.setattr(typos, "package_folder", lambda name: None)
    monkeypatch.delenv("BOTATTACK_TYPOS", raising=False)
    ended = botattack("run", campaign, "--allow-code")
    assert (ended.status, ended.out, ended.err.count("\n")) == (2, "", 1)
    assert re.search(r"pip install .*\[demo\]\".* or set BOTATTACK_TYPOS", ended.err)
    assert not Path("recordings").exists()


_RUN = ["aiohttp", "numpy", "babel", "spacy", "playwright"]
"""Libraries that only asking or judging needs."""
_OTHERS = [f"botattack.{name}" for name in ("games", "audit.replays", "report.comparison", "targets.proving.proof")]
"""What other commands need."""
_ALL = [*_RUN, *_OTHERS, "httpx", "pydantic", "rich", "msgspec", "jinja2", "asyncio", "yaml", "rapidfuzz"]


@pytest.mark.parametrize(
    ("arguments", "heavy"),
    [
        (["--help"], _ALL),
        (["--version"], _ALL),
        (["run", "plain.yaml", "--dry-run"], [*_RUN, *_OTHERS]),
        (["mark", "--undo", "0123456789abcdef"], [*_RUN, *_OTHERS]),
        (["verify", "gone"], ["aiohttp", "numpy", "httpx"]),
    ],
    ids=lambda value: value[0],
)
@pytest.mark.slow
def test_a_command_imports_nothing_that_it_does_not_need(arguments: list[str], heavy: list[str], folder: Path) -> None:
    (folder / "bot.yaml").write_text(target("http://127.0.0.1:9"))
    (folder / "faq.jsonl").write_text('{"question": "Who wrote Emma?", "answer": "Jane Austen"}\n')
    (folder / "plain.yaml").write_text("target: bot.yaml\nquestions: {file: faq.jsonl}\nattacks: []\n")
    script = (
        "import sys\nfrom botattack.cli import main\n"
        f"try: main({arguments!r})\nexcept SystemExit: pass\n"
        f"print('LOADED', [name for name in {heavy!r} if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "LOADED []"


@pytest.mark.slow
def test_a_command_that_starts_neither_loads_the_command_line_of_httpx_nor_collects_garbage(folder: Path) -> None:
    (folder / "bot.yaml").write_text(target("http://127.0.0.1:9"))
    (folder / "faq.jsonl").write_text('{"question": "Who wrote Emma?", "answer": "Jane Austen"}\n')
    (folder / "plain.yaml").write_text("target: bot.yaml\nquestions: {file: faq.jsonl}\nattacks: []\n")
    script = (
        "import gc, sys\nfrom botattack.cli import main\nfrom botattack import net\ncollected = []\n"
        "gc.callbacks.append(lambda *told: collected.append(told))\n"
        "try: main(['run', 'plain.yaml', '--dry-run'])\nexcept SystemExit: pass\n"
        "import httpx\nprint(len(collected), [name for name in ('pygments', 'rich.syntax') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "0 []"


@pytest.mark.parametrize("command", ["run", "replay", "schema", "targets"])
def test_every_command_explains_itself(command: str, botattack: Botattack) -> None:
    ended = botattack(command, "--help")
    assert ended.status == 0
    assert "Usage: botattack " + command in ended.out


CONNECT = """name: desk
env: [DESK_TOKEN]
connect:
  kind: http
  request:
    url: "URL/chat"
    headers: {Authorization: "Bearer {{ env.DESK_TOKEN }}", X-Api-Key: "s3cr3t"}
    json: {text: "{{ question }}"}
  extract: {answer: "$.reply", fields: {intent: "$.intent"}}
limits: {rate: unlimited, timeout: 30s}
"""


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("$.reply", "$.other", "connect.extract.answer in FOLDER/bot.yaml is not what it was"),
        ("intent: ", "intend: ", "connect.extract.fields.in"),
        ("{text:", "{q: 1, text:", "connect.request.json.q in FOLDER/bot.yaml was not there"),
        ("s3cr3t", "another", ""),
        ("timeout: 30s", "timeout: 31s", ""),
        ("limits:", "# a comment\nlimits:", ""),
    ],
)
def test_a_run_is_resumed_over_the_same_way_of_asking_alone(
    botattack: Botattack, campaign: Path, serve: Serve, monkeypatch: pytest.MonkeyPatch, old: str, new: str, words: str
) -> None:
    monkeypatch.setenv("DESK_TOKEN", "s3cret-token")
    text = CONNECT.replace("URL", serve(Server(always(response({"reply": "Oslo", "other": "Rome", "intent": "x"})))))
    Path("bot.yaml").write_text(text)
    assert botattack("run", campaign, "--budget", "requests=3").status == 4
    (recording,) = Path("recordings").iterdir()
    Path("bot.yaml").write_text(text.replace(old, new))
    # Who asks may change from day to day.
    monkeypatch.setenv("DESK_TOKEN", "another-token")
    ended = botattack("run", campaign, "--resume", recording, "--budget", "requests=3")
    assert ended.status == (2 if words else 4)
    assert words in ended.err
    made = json.loads((recording / "run.json").read_text())["settings"]["connection"]
    assert {len(digest) for digest in made.values()} == {6}
    assert content_id("s3cr3t")[:6] not in made.values()


def test_all_parts_that_are_missing_are_told_at_once(
    botattack: Botattack, campaign: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("BOTATTACK_PARAPHRASER", "BOTATTACK_JUDGE"):
        monkeypatch.delenv(name, raising=False)
    text = campaign.read_text().replace("attacks: [", "attacks: [{reword: {sources: [model]}}, ")
    campaign.write_text(text + "match: {second: {ask: [judge]}}\n")
    ended = botattack("run", campaign, "--allow-code")
    assert ended.status == 2
    assert ended.err.count("BOTATTACK_PARAPHRASER") == ended.err.count("BOTATTACK_JUDGE") == 1


def test_flags_that_workers_would_pass_over_are_refused(botattack: Botattack, campaign: Path) -> None:
    ended = botattack("run", campaign, "--allow-code", "--on", "local:2", "--shard", "1/2")
    assert (ended.status, "--on and --shard do not go together" in " ".join(ended.err.split())) == (2, True)


def test_what_failed_is_asked_again_by_the_command_that_is_told(
    botattack: Botattack, campaign: Path, serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DESK_TOKEN", "s3cret-token")
    answers = [always(response({"reply": "Paris Rome Madrid Oslo Lisbon"}))] * 9 + [always(response("oops", 500))]
    text = CONNECT.replace("URL", serve(Server(in_turn(*answers)))).replace("limits: {", "limits: {retries: 0, ")
    Path("bot.yaml").write_text(text.replace("unlimited,", "unlimited, breaker: 99,"))
    ended = botattack("run", campaign)
    assert ended.status == 1
    assert "more than max_errors (5.0 %); --resume with --retry-errors asks these again" in ended.err
    assert "campaign.yaml --retry-errors --resume recordings/TIME-desk-ID\n" in ended.err


def test_a_question_file_that_changed_is_counted_as_it_is_today(botattack: Botattack, campaign: Path) -> None:
    whole = botattack("run", campaign, "--allow-code", "--budget", "requests=20")
    assert whole.status == 4
    (recording,) = Path("recordings").iterdir()
    *kept, _ = Path("faq.jsonl").read_text().splitlines()
    new = [json.dumps({"question": f"Who is the mayor of town {number}?", "answers": ["nobody"]}) for number in (1, 2)]
    Path("faq.jsonl").write_text("\n".join([*kept, *new]))
    ended = botattack("run", campaign, "--allow-code", "--resume", recording, "-o", "out.json")
    assert ended.status == 0
    asked = json.loads(Path("out.json").read_text())["questions"]
    assert (asked["total"], asked["gone"], asked["asked"]) == (7, 1, 8)
    assert "7 of 7 asked, and 1 that the file no longer has:" in " ".join(ended.out.split())
    assert " · 8 of 8 questions · " in ended.err


def test_a_file_that_the_target_file_names_is_part_of_the_way_of_asking(botattack: Botattack, campaign: Path) -> None:
    assert botattack("run", campaign, "--allow-code", "--budget", "requests=3").status == 4
    (recording,) = Path("recordings").iterdir()
    Path("bot.py").write_text(Path("bot.py").read_text() + "\nCAPITALS = {}\n")
    ended = botattack("run", campaign, "--allow-code", "--resume", recording)
    assert ended.status == 2
    assert "the file of connect.call in FOLDER/bot.yaml is not what it was" in ended.err


def test_a_dry_run_tells_gates_and_time(botattack: Botattack, campaign: Path) -> None:
    campaign.write_text(campaign.read_text() + "gates: [{metric: success_rate, attack: dpaeg, at_most: 20%}]\n")
    told = botattack("run", campaign, "--allow-code", "--dry-run", "--rate", "30/min").out
    assert "gate       share broken by dpaeg at most 20.0 %\n" in told
    # Six originals, a control each and twelve variants, one every two seconds.
    assert "time       about 48.0 s for so many at" in told
    assert "time  " not in botattack("run", campaign, "--allow-code", "--dry-run").out


@pytest.mark.parametrize(
    ("gate", "when", "fails"),
    [
        ("metric: robust_accuracy, at_least: 0.9", "; the run", "robust accuracy"),
        ("metric: robust_accuracy, drop_at_most: 0.1", "; if there is a baseline, the run", "robust accuracy"),
        ("metric: leaked, at_most: 0", "; the run", "share of facts leaked"),
    ],
)
def test_gates_that_so_few_questions_cannot_decide_are_named_before_the_run(
    botattack: Botattack, campaign: Path, gate: str, when: str, fails: str
) -> None:
    campaign.write_text(campaign.read_text().replace("[dpaeg", "[memory, dpaeg") + f"gates: [{{{gate}}}]\n")
    told = botattack("run", campaign, "--allow-code", "--dry-run").out
    ended = botattack("run", campaign, "--allow-code")
    named = f"{when} will fail, as gates need a rate: {fails}"
    assert (named in told, named in ended.err, ended.status) == (True, True, int("baseline" not in when)), ended


@pytest.mark.parametrize(
    ("budget", "sent"), [("cost=0.3", 3), ("requests=5", 5), ("cost=0.7,requests=9", 7), ("cost=90", 24)]
)
def test_a_dry_run_tells_what_it_costs_and_what_the_budget_pays(
    botattack: Botattack, campaign: Path, budget: str, sent: int
) -> None:
    limits = "limits: {rate: 30/min, price: {request: 0.1}}"
    Path("bot.yaml").write_text(Path("bot.yaml").read_text().replace("limits: {rate: unlimited}", limits))
    told = botattack("run", campaign, "--allow-code", "--dry-run", "--budget", budget).out
    assert f"cost       about {sent / 10:.2f} for so many\n" in told
    assert f"time       about {numbers.duration(2 * sent)} for so many at" in told


@pytest.mark.parametrize("arguments", [["--help"], ["run", "campaign.yaml"]])
def test_a_system_whose_files_cannot_be_locked_is_refused(
    botattack: Botattack, monkeypatch: pytest.MonkeyPatch, arguments: list[str]
) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(os, "name", "nt")
        found = botattack(*arguments)
    assert (found.status, found.out) == (2, "")
    assert found.err.startswith("botattack: ")
    assert "WSL" in found.err
