from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path
from typing import Any

import pytest

from botattack.errors import BrokenReply, ExtractionFailed, TargetError, Unreachable, excerpt
from botattack.protocols import Target
from botattack.targets.process.process_kind import Process
from tests.targets.asking import Tally, ask, options

pytestmark = pytest.mark.anyio
BOT = """
import json, os, sys, time
asked = 0
for line in sys.stdin:
    asked += 1
    got = json.loads(line)
    text = got["text"]
    if text == "die":
        sys.exit("Traceback\\nKeyError: 'brain'")
    if text == "hang":
        time.sleep(60)
    if text == "shout":
        print("a" * 3000, flush=True)
    elif text == "env":
        print(json.dumps({"text": ",".join(sorted(os.environ))}), flush=True)
    elif text == "mumble":
        print("no json", flush=True)
    elif text == "stream":
        print('data: {"text": "a"}', flush=True)
    else:
        answer = json.dumps({"text": f"{text} {asked} {os.getpid()}", "session": got["session"]})
        print(*[answer] * (2 if text == "twice" else 1), sep="\\n", flush=True)
    print("noise", file=sys.stderr, flush=True)
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "bot.py").write_text(BOT)
    return tmp_path


def program(folder: Path, env: dict[str, str] | None = None, **tree: Any) -> Target:
    return options(Process, {"command": [sys.executable, "bot.py"], **tree}).target("bot", env or {}, folder)


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


async def test_one_program_answers_all_and_ends_with_the_target(folder: Path) -> None:
    bot, tally = program(folder, extract={"answer": "$.text", "fields": {"session": "$.session"}}), Tally()
    replies = [await ask(bot, text, tally) for text in ("a", "b")]
    await bot.close()
    first, second = (reply.text.split() for reply in replies)
    assert (first[:2], second[:2]) == (["a", "1"], ["b", "2"])
    assert first[2] == second[2]
    assert replies[0].fields["session"] != replies[1].fields["session"]
    assert tally.left == 2
    assert not alive(int(first[2]))


async def test_as_many_at_once_as_allowed(folder: Path) -> None:
    bot = program(folder, workers=2)
    replies = await asyncio.gather(*[ask(bot, str(i)) for i in range(8)])
    await bot.close()
    assert len({reply.text.split()[2] for reply in replies}) == 2
    assert [reply.text.split()[0] for reply in replies] == [str(i) for i in range(8)]


async def test_a_program_for_each_conversation(folder: Path) -> None:
    bot = program(folder, per="conversation")
    replies = [await ask(bot, text) for text in ("a", "b")]
    pids = {int(reply.text.split()[2]) for reply in replies}
    assert [reply.text.split()[1] for reply in replies] == ["1", "1"]
    assert len(pids) == 2
    assert not any(map(alive, pids))


@pytest.mark.parametrize(
    ("text", "kind", "words"),
    [
        ("die", BrokenReply, "ended with status 1 without an answer: KeyError: 'brain'"),
        ("mumble", ExtractionFailed, "not JSON: no json"),
        ("stream", ExtractionFailed, 'a stream of pieces, not one JSON: data: {"text": "a"}'),
        ("shout", ExtractionFailed, "longer than 2,000 bytes"),
    ],
)
async def test_a_program_that_fails_is_replaced(folder: Path, text: str, kind: type[TargetError], words: str) -> None:
    bot = program(folder, max_body=2000)
    with pytest.raises(kind) as caught:
        await ask(bot, text)
    told = caught.value.told(excerpt)
    assert words in told
    assert "\n" not in told
    assert (await ask(bot, "again")).text.startswith("again")
    await bot.close()


async def test_a_late_answer_never_counts_for_the_next_question(folder: Path) -> None:
    bot = program(folder)
    pid = int((await ask(bot, "a")).text.split()[2])
    with pytest.raises(TimeoutError):
        await ask(bot, "hang", seconds=0.2)
    assert not alive(pid)
    assert (await ask(bot, "b")).text.startswith("b 1 ")
    await bot.close()


async def test_it_sees_only_the_environment_that_was_declared(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET_OF_ANOTHER", "x")
    monkeypatch.setenv("DISPLAY", ":0")
    monkeypatch.setenv("LC_TIME", "C")
    bot = program(folder, {"BOT_KEY": "y"})
    seen = set((await ask(bot, "env")).text.split(","))
    await bot.close()
    assert {"BOT_KEY", "LC_TIME", "PATH"} <= seen
    # Python itself adds LC_CTYPE.
    assert seen <= {"BOT_KEY", "PATH", "HOME", "LANG", "LANGUAGE", "TZ", "TMPDIR", "TEMP", "TMP"} | {
        name for name in seen if name.startswith("LC_")
    }


async def test_a_program_that_is_not_there(folder: Path) -> None:
    bot = program(folder, command=["./no-such-program"])
    with pytest.raises(Unreachable, match="cannot be started: No such file") as caught:
        await ask(bot)
    assert (caught.value.delivered, caught.value.place) == (False, "connect.command")
    await bot.close()


async def test_a_stubborn_program_is_ended(folder: Path) -> None:
    (folder / "bot.py").write_text("import signal\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)\n" + BOT)
    bot = program(folder)
    pid = int((await ask(bot, "a")).text.split()[2])
    with pytest.raises(TimeoutError):
        await ask(bot, "hang", seconds=0.1)
    assert not alive(pid)
    await bot.close()


async def test_a_line_that_nobody_asked_for_answers_no_later_question(folder: Path) -> None:
    bot = program(folder)
    first = await ask(bot, "twice")
    with pytest.raises(BrokenReply, match="wrote a line before it was asked") as early:
        await ask(bot, "a")
    replies = [await ask(bot, text) for text in ("b", "c")]
    await bot.close()
    assert (early.value.retryable, early.value.delivered, early.value.place) == (True, False, "connect.command")
    assert [reply.text.split()[:2] for reply in (first, *replies)] == [["twice", "1"], ["b", "1"], ["c", "2"]]
    assert not alive(int(first.text.split()[2]))


async def test_a_greeting_moves_no_answer_to_the_next_question(folder: Path) -> None:
    (folder / "bot.py").write_text("print('Hello!', flush=True)\n" + BOT)
    bot = program(folder)
    for _ in range(4):  # it is read before the question, or in place of the answer, as the program is fast or slow
        with pytest.raises((BrokenReply, ExtractionFailed), match=r"before it was asked|not JSON"):
            await ask(bot, "a")
    await bot.close()
