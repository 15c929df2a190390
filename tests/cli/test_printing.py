"""Commands print what bots, pages, recordings and files say: nothing of it acts on a terminal or on a CI."""

from __future__ import annotations

import ast
import json
import shutil
from pathlib import Path

import pytest

import botattack as package
from tests.cli.conftest import Botattack, Ended, Serve
from tests.cli.test_check import FILE
from tests.report.test_printing import HOSTILE, harm
from tests.servers.http import Server, always, response

BOT = '''
"""Knows capitals by their exact names; says a hostile text to everything else, and to the developer."""
import json, pathlib, sys, zlib
HERE = pathlib.Path(__file__).parent
CAPITALS = json.loads((HERE / "capitals.json").read_text())
HOSTILE = json.loads((HERE / "hostile.json").read_text())
def answer(text):
    for country, city in CAPITALS.items():
        if text == f"What is the famous capital of {country}?":
            return f"The capital of {country} is {city}."
    first = zlib.crc32(text.encode()) % len(HOSTILE)
    said = " ".join(HOSTILE[first:] + HOSTILE[:first])
    if (HERE / "aloud").exists():
        print(said)
        print(said, file=sys.stderr)
    return said
'''


@pytest.fixture
def hostile(campaign: Path) -> Path:
    Path("hostile.json").write_text(json.dumps(HOSTILE))
    Path("bot.py").write_text(BOT)
    rows = [json.loads(line) for line in Path("faq.jsonl").read_text().splitlines()]
    rows += [{"question": f"{text} {number}", "answers": [text]} for number, text in enumerate(HOSTILE)]
    bad = [{"question": "x", "answers": [{"text": f"({text}", "regex": True}]} for text in HOSTILE]
    for name, records in (("faq.jsonl", rows), ("bad.jsonl", bad)):
        Path(name).write_text("".join(json.dumps(row) + "\n" for row in records))
    campaign.write_text("target: bot.yaml\nquestions: {file: faq.jsonl}\nseed: 7\nattacks: [case]\n")
    return campaign


def harmless(ended: Ended) -> Ended:
    assert not harm(ended.out)
    assert not harm(ended.err)
    return ended


def recording() -> Path:
    (found,) = Path("recordings").glob("*-capitals-*")
    return found


@pytest.mark.slow
def test_a_run_and_all_that_is_told_of_it(botattack: Botattack, hostile: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ended = harmless(botattack("run", hostile, "--allow-code"))
    assert ended.out.count("##") > 10
    assert "##\\x5b" in ended.out
    began = 0
    for width in range(20, 100, 9):
        monkeypatch.setenv("COLUMNS", str(width))
        folded = harmless(botattack("replay", recording())).out
        began += folded.count(" :\\x3a")
    assert began > 5
    path = recording() / "events.jsonl"
    units = [json.loads(line)["unit"] for line in path.read_text().splitlines() if '"variant judged"' in line]
    for unit in units[:: max(1, len(units) // 10)]:
        assert harmless(botattack("replay", recording(), "--unit", unit)).status == 0
    harmless(botattack("run", hostile, "--allow-code", "--dry-run"))
    assert harmless(botattack("run", "-t", "bot.yaml", "-q", "bad.jsonl", "-a", "case", "--allow-code")).status == 2
    shutil.copytree(recording(), "copied")
    for arguments in (
        ("compare", recording(), "copied", "-o", "compared.md", "-o", "compared.html"),
        ("nightly", "baseline", "set", recording()),
        ("nightly", "trend", recording()),
    ):
        harmless(botattack(*arguments))
    assert not [path for path in map(Path, ("compared.md", "compared.html")) if "\x1b" in path.read_text()]
    harmless(botattack("nightly", hostile, "--allow-code"))
    Path("aloud").touch()
    harmless(botattack("run", hostile, "--allow-code"))


EXAMPLE = Path(__file__).parents[2] / "recordings" / "example"


@pytest.mark.slow
def test_a_recording_that_somebody_wrote(botattack: Botattack, hostile: Path) -> None:
    botattack("run", hostile, "--allow-code")
    made, told = recording() / "run.json", recording() / "events.jsonl"
    run, events = made.read_text(), told.read_text()
    text = json.dumps("\n".join(HOSTILE))[1:-1]
    changed: list[tuple[str, str]] = [
        (run.replace('"capitals"', f'"{text}"'), events),
        (run, events.replace('"attack":"case"', f'"attack":"{text}"').replace('"case":"same"', f'"{text}":"same"')),
        (run, events.replace('"matcher":"', f'"matcher":"{text}').replace('"why":"', f'"why":"{text}')),
        (run, events.replace('"run started"', f'"{text}"', 1)),
        (run, events.replace('"event":"question opened"', f'"event":"{text}"', 1)),
        (run, events.replace('"question":"', f'"question":"{text}', 5)),
        (run, events.replace('"target":"capitals"', f'"target":"{text}"')),
        (run.replace('"seed"', f'"{text}":1,"seed"').replace('"settings"', f'"{text}"'), events),
        (run[:-20] + text, events),
    ]
    shown = 0
    for manifest, lines in changed:
        made.write_text(manifest)
        told.write_text(lines)
        unit = next(json.loads(line)["unit"] for line in lines.splitlines() if '"variant judged"' in line)
        for arguments in (
            ("replay", recording()),
            ("replay", recording(), "--unit", unit),
            ("replay", recording(), "--as-recorded", "-o", "report.html"),
            ("compare", recording(), EXAMPLE, "--fail-on-regression"),
            ("compare", recording(), EXAMPLE),
            ("nightly", "baseline", "set", recording()),
            ("nightly", "baseline", "show", "--units"),
            ("nightly", "trend", "--recordings", "recordings"),
            ("merge", recording(), "--recordings", "merged"),
            ("run", hostile, "--allow-code", "--resume", recording()),
        ):
            ended = harmless(botattack(*arguments))
            assert ended.status in range(4)
            shown += "\\x5b" in ended.out + ended.err
    assert shown > len(changed)


@pytest.mark.parametrize("text", HOSTILE)
def test_files_with_names_and_columns_of_their_own(text: str, botattack: Botattack, campaign: Path) -> None:
    name = text.replace("/", "_").replace("\x00", "")
    Path(f"{name}.yaml").write_text(f"{json.dumps(text)}: 1\ntarget: {json.dumps(text)}\n")
    Path(f"{name}.csv").write_text(f'"{text}"\n"{text}"\n')
    Path(f"{name}.txt").write_text(text)
    assert harmless(botattack("run", f"{name}.yaml", "--allow-code")).status == 2
    assert harmless(botattack("check", f"{name}.yaml")).status == 2
    assert harmless(botattack("attacks", "preview", "case", text)).status == 0
    assert harmless(botattack("attacks", "show", text)).status == 2
    assert harmless(botattack(text)).status == 2
    for suffix in ("csv", "txt"):
        flags = ("-t", "bot.yaml", "-q", f"{name}.{suffix}", "-a", "case", "--allow-code")
        assert harmless(botattack("run", *flags, "--recordings", f"of {name}")).status in range(3)
        assert harmless(botattack("run", *flags, "--dry-run")).status in (0, 2)


@pytest.mark.parametrize("status", [200, 404])
def test_a_page_that_says_it(
    status: int, botattack: Botattack, folder: Path, serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DESK_TOKEN", "s3cret-token")
    for body in ("\n".join(HOSTILE), {"reply": {"text": "\n".join(HOSTILE)}, "id": "1"}, dict.fromkeys(HOSTILE, 1)):
        url = serve(Server(always(response(body, status))))
        Path("desk.yaml").write_text(FILE.replace("URL", url))
        Path("faq.jsonl").write_text('{"question": "a?", "answers": ["b"]}\n')
        for words in (("check", "desk.yaml"), ("run", "-t", "desk.yaml", "-q", "faq.jsonl", "-a", "case")):
            ended = harmless(botattack(*words))
            assert ended.status in range(4)
            assert ended.out + ended.err


SUSPECT = ("print(", "Console(", "stdout", "stderr", "click.s", "os.write", "rich.print")


def around(node: ast.AST) -> bool:
    """What would print around the door, or with colours that it takes for foreign ones."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        return node.func.id in ("print", "Console")
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
        place = f"{node.value.id}.{node.attr}"
        return place in ("sys.__stdout__", "sys.__stderr__", "click.style", "click.secho", "os.write", "rich.print")
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Attribute):
        return node.value.attr in ("stdout", "stderr") and node.attr in ("write", "buffer", "writelines")
    return False


def test_no_module_knows_a_way_around_the_door() -> None:
    root = Path(package.__file__).parent
    sources = {str(path.relative_to(root)): path.read_text("utf-8") for path in root.rglob("*.py")}
    suspects = {name: text for name, text in sources.items() if any(word in text for word in SUSPECT)}
    found = {name for name, text in suspects.items() if any(map(around, ast.walk(ast.parse(text))))}
    # It writes recordings, by their file descriptors.
    assert found == {"recordings/writer.py"}
