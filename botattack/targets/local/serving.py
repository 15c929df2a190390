"""A Python callable in processes of its own: each is a program that is asked by lines of JSON."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, BinaryIO

import msgspec

from botattack.errors import BrokenReply, ExtractionFailed, RequestRefused, TargetError
from botattack.model import Prompt, Reply, Turn
from botattack.options import Code, Command
from botattack.targets.local.callables import Bot
from botattack.targets.messages.calls import template
from botattack.targets.messages.selectors import Body
from botattack.targets.process.process_kind import Process, ProcessTarget

_LINE = {name: f"{{{{ {name} }}}}" for name in ("question", "passages", "history", "session", "turn", "seed")}
_FAILURES: Mapping[str, type[TargetError]] = {
    kind.kind: kind for kind in (BrokenReply, ExtractionFailed, RequestRefused)
}


class Served(msgspec.Struct):
    """Which callable; the same as the options of `Local`."""

    call: str
    per: str
    options: dict[str, Any]


class ServedQuestion(msgspec.Struct):
    """A line that asks. `history` is all that went before."""

    question: str
    passages: tuple[str, ...]
    history: tuple[Turn, ...]
    session: str
    turn: int
    seed: int


class Said(msgspec.Struct, omit_defaults=True):
    """A line that answers, or says why not."""

    reply: Reply | None = None
    kind: str = ""
    why: str = ""
    words: str = ""
    """`TargetError.said`."""


def served(bot: Served, workers: int, name: str, env: Mapping[str, str], folder: Path) -> ProcessTarget:
    """A bot in processes, which see of the environment what any started program sees, and find the same modules."""
    # -P: a program starts in the folder of the target file, whose files must not pass for Python's own modules.
    words = (sys.executable, "-P", "-m", "botattack.targets.local.serving", msgspec.json.encode(bot).decode())
    paths = os.pathsep.join(path or str(Path.cwd()) for path in sys.path)
    process = Process(Command(words), template(_LINE), workers=workers)
    return ProcessTarget(name, process, {**env, "PYTHONPATH": paths}, folder, read=_read)


def _read(body: Body) -> Reply:
    answer = msgspec.json.decode(body.text, type=Said)
    if answer.reply is None:
        raise _FAILURES[answer.kind](answer.why, said=answer.words, delivered=True, place="connect.call")
    return answer.reply


async def serve(bot: Bot, lines: BinaryIO, answers: BinaryIO) -> None:
    """Answers line by line; a line of another session, or a first turn, begins another conversation."""
    session, asked = "", None
    while line := await asyncio.to_thread(lines.readline):
        question = msgspec.json.decode(line, type=ServedQuestion)
        prompt = Prompt(question.question, question.passages, question.history)
        try:
            if question.turn == 0 or question.session != session:
                await bot.end(asked)
                session, asked = question.session, await bot.begin(question.session, question.seed)
            said = Said(await bot.ask(asked, session, question.seed, prompt, ()))
        except TargetError as error:
            said = Said(kind=error.kind, why=str(error), words=error.said)
        answers.write(msgspec.json.encode(said) + b"\n")
        answers.flush()


def main() -> None:
    """What a bot prints goes to the error output, so that it cannot be taken for an answer."""
    how = msgspec.json.decode(sys.argv[1], type=Served)
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    bot = Bot.load(Code(how.call), how.per, how.options, Path())
    asyncio.run(serve(bot, sys.stdin.buffer, answers))


if __name__ == "__main__":
    main()
