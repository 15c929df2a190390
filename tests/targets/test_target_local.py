from __future__ import annotations

import asyncio
import builtins
import subprocess
import sys
import threading
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from botattack.config.target import load_target
from botattack.errors import (
    BrokenReply,
    ConfigError,
    ExtractionFailed,
    MissingPart,
    RequestRefused,
    TargetError,
    excerpt,
)
from botattack.model import Prompt, Reply
from botattack.protocols import Target
from botattack.targets.local.local_kind import Local
from tests.targets.asking import Tally, ask, options, unit_of

pytestmark = pytest.mark.anyio
HERE = "tests.targets.test_target_local:"
thread_names: list[str] = []


def plain(words: str) -> str:
    thread_names.append(threading.current_thread().name)
    return words.upper()


async def waiting(text: str) -> str:
    await asyncio.sleep(0)
    return f"{text} on {threading.current_thread().name}"


def curious(text: str, session: str, seed: int, history: list[Any]) -> dict[str, Any]:
    return {
        "text": text,
        "ranked": [text, "other"],
        "fields": {"session": session, "seed": seed, "turns": len(history)},
    }


def wrapped(prompt: Prompt) -> Reply:
    return Reply(prompt.text, fields={"passages": len(prompt.passages)})


class Counting:
    closed = 0

    def __init__(self, session: str, start: int = 0) -> None:
        self.session, self.turn = session, start

    def __call__(self, text: str) -> str:
        self.turn += 1
        return f"{text} {self.turn}"

    def close(self) -> None:
        Counting.closed += 1


class AsyncBot:
    async def __call__(self, text: str) -> str:
        return f"async {text}"


def failing(text: str) -> str:
    raise RuntimeError("no\nbrain")


def leaving(text: str) -> str:
    sys.exit(3)


def stopping(text: str) -> str:
    raise StopIteration


def sparse(text: str) -> dict[str, Any]:
    return {"text": "yes", "ranked": None, "fields": None}


def odd_ranked(text: str) -> dict[str, Any]:
    return {"text": "yes", "ranked": "yes"}


def odd_key(text: str) -> dict[str, Any]:
    return {"text": "yes", "tools": [], "fields": {}}


def odd_fields(text: str) -> dict[str, Any]:
    return {"text": "yes", "fields": ["sure"]}


def deep(text: str) -> dict[str, Any]:
    found: list[Any] = []
    for _ in range(3000):
        found = [found]
    return {"text": "yes", "fields": {"found": found}}


def numb(text: str) -> int:
    return 3


def surrogate(text: str) -> str:
    return "half \ud83d"


def hanging(text: str) -> str:
    threading.Event().wait(600)
    return text


not_callable = 3


def target(name: str, folder: Path = Path(), **tree: Any) -> Target:
    call = name if ":" in name else HERE + name
    return options(Local, {"call": call} | tree).target("bot", {}, folder)


async def test_plain_function_runs_outside_the_loop() -> None:
    tally = Tally()
    reply = await ask(target("plain"), "hello", tally)
    assert (reply.text, reply.raw, tally.left) == ("HELLO", "HELLO", 1)
    assert thread_names[-1] != threading.main_thread().name


async def test_coroutines_run_on_the_loop() -> None:
    assert (await ask(target("waiting"), "hi")).text == f"hi on {threading.current_thread().name}"
    assert (await ask(target("AsyncBot"), "hi")).text == "async hi"


async def test_parameters_are_given_by_name() -> None:
    reply = await ask(target("curious"), "hi")
    assert reply.ranked == ("hi", "other")
    assert reply.fields["seed"] == unit_of("hi").seed % 2**31
    assert len(reply.fields["session"]) == 16
    assert (await ask(target("wrapped"), "hi")).fields == {"passages": 0}


async def test_what_a_mapping_holds_none_of_is_nothing() -> None:
    reply = await ask(target("sparse"))
    assert (reply.text, reply.ranked, reply.fields) == ("yes", (), {})


async def test_a_class_holds_one_conversation() -> None:
    closed = Counting.closed
    bot = target("Counting", options={"start": 5})
    async with bot.session(unit_of("a", "b"), Tally()) as session:
        assert [(await session.ask(Prompt(text))).text for text in ("a", "b")] == ["a 6", "b 7"]
    assert (await ask(bot, "c")).text == "c 6"
    assert Counting.closed == closed + 2


async def test_history_grows_within_a_conversation() -> None:
    async with target("curious").session(unit_of("a", "b"), Tally()) as session:
        assert [(await session.ask(Prompt(text))).fields["turns"] for text in ("a", "b")] == [0, 2]


@pytest.mark.parametrize(
    ("name", "kind", "words"),
    [
        ("failing", BrokenReply, "RuntimeError: no brain"),
        ("leaving", BrokenReply, "SystemExit: 3"),
        ("stopping", BrokenReply, "StopIteration"),
        ("numb", ExtractionFailed, "returned int"),
        ("odd_ranked", ExtractionFailed, "whose ranked is not a list"),
        ("odd_key", ExtractionFailed, "keys that nothing reads; put them into its fields"),
        ("odd_fields", ExtractionFailed, "whose fields are not a mapping"),
        ("deep", ExtractionFailed, "nested deeper than 50 levels"),
        ("not_callable", RequestRefused, "is not callable but int"),
    ],
)
async def test_a_bot_that_fails_gives_one_sentence(name: str, kind: type[TargetError], words: str) -> None:
    with pytest.raises(kind) as caught:
        await ask(target(name))
    told = caught.value.told(excerpt)
    assert words in told
    assert "\n" not in told
    assert caught.value.place == "connect.call"


async def test_what_a_bot_says_can_be_written() -> None:
    said = (await ask(target("surrogate"))).text
    assert said.encode().decode() == said


async def test_a_bot_that_never_answers_ends_at_the_deadline() -> None:
    with pytest.raises(TimeoutError):
        await ask(target("hanging"), seconds=0.1)


@pytest.mark.slow
def test_a_bot_that_never_answers_does_not_keep_the_process() -> None:
    code = """
import asyncio
from tests.targets.test_target_local import ask, target

async def main():
    try:
        await ask(target("hanging"), seconds=0.1)
    except TimeoutError:
        print("late")

asyncio.run(main())
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=100, check=True)
    assert done.stdout == "late\n"


async def test_code_from_a_file(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("def bot(text):\n    return text[::-1]\n")
    assert (await ask(target("file://mine.py:bot", tmp_path), "abc")).text == "cba"


@pytest.mark.parametrize(
    ("name", "words"),
    [("no.such.module:bot", "No module"), (HERE + "nothing", "no attribute"), ("file://bad.py:bot", "never")],
)
def test_code_that_cannot_be_loaded_is_one_sentence(name: str, words: str, tmp_path: Path) -> None:
    (tmp_path / "bad.py").write_text("'''(")
    with pytest.raises(ConfigError, match="cannot be loaded") as caught:
        target(name, tmp_path)
    assert words in str(caught.value) or "unterminated" in str(caught.value)


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("mine:bot", "mine.py:bot"),
        ("mine.py:bot", "mine.py:bot"),
        ("bots.mine:bot", "bots/mine.py:bot"),
        ("other:bot", ""),
    ],
)
def test_a_file_that_was_written_as_a_module_is_named(name: str, meant: str, tmp_path: Path) -> None:
    (tmp_path / "bots").mkdir()
    for place in ("mine.py", "bots/mine.py"):
        (tmp_path / place).write_text("def bot(text): return text\n")
    with pytest.raises(ConfigError, match="cannot be loaded") as caught:
        target(name, tmp_path)
    assert (f"(write file://{meant})" in str(caught.value)) == bool(meant)
    if meant:
        target(f"file://{meant}", tmp_path)


@pytest.mark.parametrize("option", ["modell", "seed"])
def test_an_option_that_would_be_left_out_is_refused(option: str, tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text("class Bot:\n    def __init__(self, model, seed): ...\n")
    with pytest.raises(ConfigError, match=rf"connect\.options\.{option}: .* takes no such option \(known: model\)"):
        options(Local, {"call": "file://bot.py:Bot", "options": {option: 1}}).target("bot", {}, tmp_path)
    (tmp_path / "plain.py").write_text("def bot(text): return text\n")
    with pytest.raises(ConfigError, match="it takes none"):
        options(Local, {"call": "file://plain.py:bot", "options": {option: 1}}).target("bot", {}, tmp_path)


async def test_alice_missing_says_how_to_install_her(monkeypatch: pytest.MonkeyPatch) -> None:
    from botattack.bots import alice

    real = builtins.__import__

    def without_aiml(name: str, *rest: Any) -> Any:
        if name == "aiml":
            raise ImportError(name)
        return real(name, *rest)

    alice._kernel.cache_clear()
    bot = load_target(
        Path(__file__).parents[2] / "targets" / "bots" / "alice.yaml", environ={}, today=date(2026, 1, 1)
    ).open()
    monkeypatch.setattr(builtins, "__import__", without_aiml)
    with pytest.raises(MissingPart, match=r'pip install .*\[demo\]"'):
        await ask(bot)
