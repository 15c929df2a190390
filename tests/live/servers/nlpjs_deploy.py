"""Trains NLP.js and puts the new bot in place of the one that runs; `stop(folder)` ends it.

    python nlpjs_deploy.py PORT MODULES TRAINING_SET...

The current folder is where its corpus, its process id and its output are kept.

An answer is one intent, whatever the training sets call it: corpora of `botattack export` have one for each question.
"""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

ROOT = Path(__file__).parents[3]
sys.path.insert(0, str(ROOT))
from tests.servers.intents import examples_of  # noqa: E402  # found only now

SERVER = Path(__file__).with_name("nlpjs.js")
START_SECONDS = 400
TRAINED = "trained"
"""What nlpjs.js prints once it answers from its corpus."""


def write_corpus(path: Path, sets: Iterable[Path]) -> None:
    said: dict[str, dict[str, None]] = {}
    for text, answer in (row for each in sets for row in examples_of(each)):
        said.setdefault(answer, {})[text] = None
    data = [
        {"intent": f"intent.{number}", "utterances": [*texts], "answers": [answer]}
        for number, (answer, texts) in enumerate(sorted(said.items()))
    ]
    path.write_text(json.dumps({"name": "deployed", "locale": "en", "data": data}), "utf-8")


def stop(folder: Path) -> None:
    with suppress(FileNotFoundError, ProcessLookupError):
        os.killpg(int((folder / "pid").read_text()), signal.SIGKILL)


def deploy(folder: Path, port: int, modules: str, sets: Iterable[Path]) -> None:
    """Returns once the new bot answers; raises RuntimeError if it never does."""
    write_corpus(folder / "corpus.json", sets)
    stop(folder)
    # The output of whoever deploys is not the bot's: it may be closed at any time.
    with (folder / "bot.log").open("wb") as log:
        bot = subprocess.Popen(
            ["node", SERVER, folder / "corpus.json", str(port), modules],
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=True,
        )
    (folder / "pid").write_text(str(bot.pid))
    until = time.monotonic() + START_SECONDS
    while TRAINED not in (said := (folder / "bot.log").read_text("utf-8", "replace")) or not _listens(port):
        if bot.poll() is not None or time.monotonic() > until:
            raise RuntimeError(f"NLP.js did not become ready: {said[-2000:]}")
        time.sleep(0.1)


def _listens(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


if __name__ == "__main__":
    deploy(Path.cwd(), int(sys.argv[1]), sys.argv[2], map(Path, sys.argv[3:]))
