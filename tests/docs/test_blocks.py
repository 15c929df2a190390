"""Every block of README and of the pages: files are read, commands run, other programs are tested elsewhere."""

from __future__ import annotations

import io
import json
import re
import shlex
import sys
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import click
import pytest
import yaml

from botattack import registry
from botattack.cli import commands
from botattack.config.campaign import CampaignFile, load_campaign
from botattack.config.games import load_games
from botattack.config.target import load_target
from botattack.errors import ConfigError
from botattack.events import VariantJudged
from botattack.model import Question
from botattack.questions.detect import reader_for
from botattack.recordings.reader import events
from tests.cli.conftest import CAPITALS, Botattack, botattack, folder
from tests.cli.test_replay import capitals_server
from tests.games.test_friends import SCHEMA
from tests.report.reviewed import recording
from tests.report.streams import Asking, ended, stream

__all__ = ["botattack", "folder"]
ROOT = Path(__file__).parents[2]
PAGES = (ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md")))
BLOCK = re.compile(r"^```(?P<kind>[^\n]*)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)
ELSEWHERE = {
    "python3 -m pip": "tests/cli/test_packaging.py",
    "python -m venv": "tests/cli/test_packaging.py",
    "pip install": "tests/cli/test_packaging.py",
    "poe check": "tests/cli/test_packaging.py",
    "pipx run": "tests/cli/test_packaging.py",
    "pytest --botattack": "tests/audit/test_library.py",
    "docker": "tests/cli/test_packaging.py",
    "kubectl": "tests/cli/test_kubernetes.py",
    "sed s/RUN_OF_PARTS": "tests/cli/test_kubernetes.py",
    "sha256sum": "tests/cli/test_verify.py",
    "ssh-keygen": "tests/cli/test_verify.py",
    "eval": "tests/cli/test_printing.py",
    "_BOTATTACK_COMPLETE": "tests/cli/test_printing.py",
    "export BOTATTACK_": "tests/resources",
}
"""What lines of other programs begin with, and what tests these."""
READ_ONLY = (
    "--on",
    "resources get",
    "--sign",
    "persian.yaml",
    "init --openapi",
    "init --for",
    "init --har",
    "init --from-log",
    "my-bot-questions",
    "demo.yaml",
    "play",
    "harden",
    "--collect",
    "judge fit",
    "settled",
)
"""Of commands with one of these, the words are read and nothing is run: other machines, keys, data and long runs;
`settled` needs a reply that is unsure."""
RUN = "20260101T020000Z-helpdesk-1a2b3c4d"


@dataclass(frozen=True)
class Block:
    page: str
    kind: str
    text: str


def blocks(kind: str) -> list[Block]:
    found = [
        Block(page.name, each["kind"], each["text"]) for page in PAGES for each in BLOCK.finditer(page.read_text())
    ]
    return [block for block in found if block.kind == kind]


def named(block: Block) -> str:
    return f"{block.page}: {block.text[:30]!r}"


def test_every_kind_of_block_is_tested() -> None:
    every = {each["kind"] for page in PAGES for each in BLOCK.finditer(page.read_text("utf-8"))}
    assert every <= {"", "yaml", "json", "python", "python test", "text"}
    assert {block.page for kind in ("python", "python test") for block in blocks(kind)} == {"library.md"}
    for where in ELSEWHERE.values():
        assert (ROOT / where).exists()


@pytest.fixture(scope="module")
def bot() -> Iterator[str]:
    with capitals_server() as url:
        yield url


@pytest.fixture
def desk(folder: Path, monkeypatch: pytest.MonkeyPatch, bot: str) -> Path:
    """A folder with the files that the pages speak of."""
    for name in ("targets", "campaigns", "recordings"):
        (folder / name).mkdir()
    rows = [{"question": f"What is the capital of {land}?", "answers": [city]} for land, city in CAPITALS.items()]
    for place in (folder, folder / "campaigns"):
        (place / "faq.csv").write_text(
            "question,answers\n" + "".join(f"{r['question']},{r['answers'][0]}\n" for r in rows)
        )
        for name in ("faq.jsonl", "questions.jsonl"):
            (place / name).write_text("".join(json.dumps(row) + "\n" for row in rows))
    wrong = [Asking(row["question"], tuple(row["answers"]), "wrong", reply="Lyon") for row in rows]
    recording(folder / "campaigns" / "recordings" / "OTHER-RUN", stream(wrong, {}, ended()))
    asked = {"text": "{{ question }}"}
    connect = {"kind": "http", "request": {"url": f"{bot}/chat", "json": asked}, "extract": {"answer": "$.reply.text"}}
    for name in ("targets/helpdesk", "targets/other", "helpdesk-target"):
        whole = {
            "connect": connect,
            "limits": {"rate": "unlimited"},
            "signs": {"refused": ["I can only tell capitals."]},
        }
        (folder / f"{name}.yaml").write_text(json.dumps(whole))
    campaigns = {
        "campaigns/helpdesk": "../targets/helpdesk",
        "campaigns/rival": "../targets/other",
        "helpdesk": "helpdesk-target",
    }
    for name, at in campaigns.items():
        found = {"target": f"{at}.yaml", "questions": {"file": "../faq.jsonl" if "/" in name else "faq.jsonl"}}
        (folder / f"{name}.yaml").write_text(json.dumps({**found, "attacks": ["case"]}))
    (folder / "copied.txt").write_text(
        f"curl '{bot}/chat' -H 'content-type: application/json' --data-raw '{json.dumps({'text': 'hello'})}'"
    )
    (folder / "openapi.json").write_text("{}")
    (folder / "bot.py").write_text("def answer(text: str) -> str:\n    return text[::-1]\n")
    (folder / "vendor").mkdir()
    (folder / "vendor" / "botattack-1.0-py3-none-any.whl").touch()
    monkeypatch.setenv("HELPDESK_TOKEN", "x")
    monkeypatch.setenv("GRID_TOKEN", "x")
    monkeypatch.setenv("BOTATTACK_DATA", str(folder))
    (folder / "cocoa").mkdir()
    (folder / "cocoa" / "schema.json").write_text(json.dumps(SCHEMA))
    return folder


STEPS = [block for block in blocks("yaml") if block.text.startswith("- uses:")]
DIALOGUES = [block for block in blocks("yaml") if block.text.startswith("dialogues:")]


@pytest.mark.parametrize("block", STEPS, ids=named)
def test_a_step_of_a_workflow_names_inputs_of_the_action(block: Block) -> None:
    inputs = yaml.safe_load((ROOT / "action.yml").read_text())["inputs"]
    assert {key for step in yaml.safe_load(block.text) for key in step.get("with", {})} <= inputs.keys()


@pytest.mark.parametrize("block", DIALOGUES, ids=named)
def test_each_dialogue_of_a_question_file_is_a_question(block: Block, tmp_path: Path) -> None:
    path = tmp_path / "dialogues.yaml"
    path.write_text(block.text)
    read = list(reader_for(path)(path))
    assert len(read) == block.text.count("turns:")
    assert all(isinstance(each, Question) for each in read)


@pytest.mark.parametrize("block", [block for block in blocks("yaml") if block not in (*STEPS, *DIALOGUES)], ids=named)
def test_a_file_is_read_and_refused_with_one_key_more(block: Block, desk: Path, bot: str) -> None:
    text = re.sub(r"http://127\.0\.0\.1:\d+", bot, block.text)
    # Lines that each give the same key are alternatives.
    alternatives = text.splitlines() if len(re.findall(r"(?m)^match:", text)) > 1 else [text]
    for each in alternatives:
        found = yaml.safe_load(each)
        assert read_whole(found, desk)
        with pytest.raises(ConfigError):
            read_whole({**found, "no_such_key": 1}, desk)


def read_whole(found: dict[str, Any], desk: Path) -> object:
    """What is read of a block, in a whole file if it is only a part of one. Raises the error of its reader."""
    path = desk / "campaigns" / "block.yaml"
    base = json.loads((desk / "targets" / "helpdesk.yaml").read_text())
    if "partner" in found:
        path.write_text(json.dumps(found))
        return load_games(path)
    if {"connect", "signs", "consent", "pace"} & {*found}:
        connect = {**base["connect"], **found.get("connect", {})}
        if connect["kind"] == "browser":
            steps = {
                "open": [{"goto": "http://127.0.0.1:9/"}],
                "ask": [{"fill": "#in", "with": "{{ question }}"}],
                "answer": "#out",
            }
            connect = {**steps, **{key: connect[key] for key in ("kind", "browser")}}
        consent = {"consent": {"authorised_by": "a test", "until": "2099-01-01"}}
        path.write_text(json.dumps({**base, **consent, **found, "connect": connect}, default=str))
        return load_target(path)
    sent = {"text": "{{ question }} {{ passages }}", "said": "{{ history }}", "tools": [{"name": "refund"}]}
    base["connect"]["request"]["json"] = sent
    base["connect"]["extract"]["fields"] = {"tools": "$.tools"}
    base["consent"] = {"authorised_by": "a test", "until": "2099-01-01", "writes": "memory"}
    (desk / "verbs.txt").write_text("go\n")
    (desk / "targets" / "all.yaml").write_text(json.dumps(base))
    whole = {"questions": {"file": "faq.jsonl"}, "attacks": ["dpaeg"], **found, "target": "../targets/all.yaml"}
    path.write_text(json.dumps(whole))
    return load_campaign(path, allow_code=True).attacks


@cache
def spans() -> dict[str, dict[str, Any]]:
    """The whole examples inside sentences: options of attacks, gates, and keys of campaigns that have some."""
    found = {}
    for page in PAGES:
        for text in re.findall(r"`([^`\n]+)`", BLOCK.sub("", page.read_text("utf-8"))):
            with suppress(yaml.YAMLError):
                # A mapping has a colon with a space: looking for that first costs a seventh of parsing every span.
                whole = ": " in text and "…" not in text
                for value in map(yaml.safe_load, (text, text.strip("{}")) if whole else ()):
                    if isinstance(value, dict) and ("metric" in value or isinstance(next(iter(value.values())), dict)):
                        found[f"{page.name}: {text}"] = value
    return found


@pytest.mark.parametrize("name", spans())
def test_an_example_in_a_sentence_is_read(name: str, desk: Path) -> None:
    example, attacks = spans()[name], ["dpaeg", "injection", "memory"]
    key = next(iter(example))
    if key in registry.names("attacks"):
        assert read_whole({"attacks": [example]}, desk)
    elif "metric" in example:
        assert read_whole({"attacks": attacks, "gates": [example]}, desk)
    elif key in CampaignFile.__dataclass_fields__:
        assert read_whole(example, desk)


@pytest.mark.parametrize("block", blocks("json"), ids=named)
def test_json_is_read(block: Block) -> None:
    assert [json.loads(line) for line in block.text.splitlines()]


def lines() -> dict[str, list[str]]:
    """The lines of commands of each page."""
    found: dict[str, list[str]] = {}
    for block in blocks(""):
        found.setdefault(block.page, []).extend(block.text.replace("\\\n", " ").splitlines())
    return found


@pytest.mark.slow
@pytest.mark.parametrize("page", lines())
def test_commands_run(page: str, desk: Path, bot: str, botattack: Botattack, monkeypatch: pytest.MonkeyPatch) -> None:
    run = [line for line in lines()[page] if line.startswith("botattack ")]
    for line in {*lines()[page]} - {*run}:
        assert not line or line.startswith(tuple(ELSEWHERE)), f"{page}: nothing tests {line!r}"
    wants = "recordings/" in "".join(run) or "mark" in "".join(run)
    if wants and not all(any(word in line for word in READ_ONLY) for line in run):
        assert botattack("run", "helpdesk.yaml").status in (0, 1)
    for line in run:
        tried(line, desk, bot, botattack, monkeypatch)


def tried(line: str, desk: Path, bot: str, botattack: Botattack, monkeypatch: pytest.MonkeyPatch) -> None:
    words = shlex.split(re.sub(r"http://127\.0\.0\.1:\d+", bot, line), comments=True)[1:]
    made = sorted((desk / "recordings").glob("2*"))
    if "<" in words:
        at = words.index("<")
        monkeypatch.setattr(sys, "stdin", io.StringIO((desk / words[at + 1]).read_text()))
        words = words[:at]
    words = [str(made[-1]) if word == f"recordings/{RUN}" and made else word for word in words]
    for at, name in enumerate(("recordings/HELPDESK", "recordings/RIVAL")):
        words = [str(made[at]) if word == name else word for word in words]
    # As a shell does.
    words = [name for word in words for name in (sorted(map(str, Path().glob(word))) if "*" in word else [word])]
    if any(word in line for word in READ_ONLY) or words == ["init"]:
        words_are_read(words)
        return
    if words[0] == "mark":
        judged = [each for each in events(made[-1]) if isinstance(each, VariantJudged) and each.result == "success"]
        words[1] = judged[len(list((desk / "recordings").glob("*.yaml")))].unit
    if words[0] == "init" and "helpdesk" in words:
        for path in desk.glob("helpdesk*.yaml"):
            path.unlink()
    ended = botattack(*["case" if word == "dpaeg" else word for word in words])  # spares loading a parser
    assert ended.status in (0, 1), ended
    assert "Usage" not in ended.err


def words_are_read(words: list[str]) -> None:
    """Whether there are such commands and flags; files need not be there."""
    command: click.Command = commands
    while isinstance(command, click.Group):
        name, *words = words
        found = command.get_command(click.Context(command), name)
        assert found, name
        command = found
    known = {name for each in command.params for name in each.opts}
    assert {word.partition("=")[0] for word in words if word.startswith("-") and len(word) > 1} <= known


def slugs(page: Path) -> set[str]:
    """The anchors of a page, as GitHub makes them of its headings."""
    text = re.sub(r"^```.*?^```$", "", page.read_text("utf-8"), flags=re.DOTALL | re.MULTILINE)
    heads = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    plain = (re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", head).lower() for head in heads)
    return {re.sub(r"[^\w\- ]", "", head).replace(" ", "-") for head in plain}


@pytest.mark.parametrize("page", [*PAGES, *sorted((ROOT / "benchmarks").rglob("*.md"))], ids=lambda path: path.name)
def test_links_lead_somewhere(page: Path) -> None:
    text = re.sub(r"```.*?```|`[^`\n]*`", "", page.read_text("utf-8"), flags=re.DOTALL)
    for place, anchor in re.findall(r"\]\(([^)\s#:]*)(?:#([^)\s]*))?\)", text):
        there = (page.parent / place).resolve() if place else page
        assert there.exists(), place
        assert not anchor or there.suffix != ".md" or anchor in slugs(there), f"{place}#{anchor}"


def test_there_are_few_pages_and_each_can_be_found() -> None:
    assert len(PAGES) - 2 <= 17
    linked = {name for page in PAGES[:1] for name in re.findall(r"\]\(docs/([\w-]+\.md)", page.read_text("utf-8"))}
    assert linked == {page.name for page in PAGES[2:]}
