"""Other runners on the same bot and the same questions, each as its own documentation says: HTTP, a check on each
answer, 32 in flight. A peer that is not installed is named and passed over; nothing is installed here.

BOTATTACK_PEERS may list folders, as PATH does, in which their commands are looked for first.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.servers.apart import bot, code_of

FEW, MANY = 200, 2000
IN_FLIGHT = 32


@dataclass(frozen=True)
class Peer:
    """`command` writes what the peer needs into a folder, for a URL and a number of questions, and gives it."""

    program: str
    version: tuple[str, ...]
    command: Callable[[str, Path, str, int], list[str]]

    def found(self) -> str | None:
        path = os.pathsep.join((os.environ.get("BOTATTACK_PEERS", ""), os.environ["PATH"]))
        return shutil.which(self.program, path=path)


def questions(count: int) -> list[tuple[str, str]]:
    return [(f"what is the number called {number:06d}", str(code_of(number))) for number in range(count)]


def promptfoo(program: str, folder: Path, url: str, count: int) -> list[str]:
    provider = {
        "id": url,
        "config": {
            "method": "POST",
            "headers": {"Content-Type": "application/json"},
            "body": {"text": "{{prompt}}"},
            "transformResponse": "json.reply.text",
        },
    }
    config = {
        "prompts": ["{{question}}"],
        "providers": [provider],
        "tests": [
            {"vars": {"question": text}, "assert": [{"type": "contains", "value": code}]}
            for text, code in questions(count)
        ],
    }
    (folder / "promptfooconfig.json").write_text(json.dumps(config))
    flags = ["-j", str(IN_FLIGHT), "--no-cache", "--no-table", "--no-progress-bar", "-o", str(folder / "out.json")]
    return [program, "eval", "-c", str(folder / "promptfooconfig.json"), *flags]


INSPECT = """
import httpx
from inspect_ai import Task, task
from inspect_ai.dataset import Sample
from inspect_ai.model import ModelOutput
from inspect_ai.scorer import includes
from inspect_ai.solver import solver

QUESTIONS = {questions}

@solver
def ask():
    client = httpx.AsyncClient(limits=httpx.Limits(max_connections={in_flight}))
    async def solve(state, generate):
        reply = await client.post("{url}", json={{"text": state.input_text}})
        state.output = ModelOutput.from_content("bot", reply.json()["reply"]["text"])
        return state
    return solve

@task
def codes():
    return Task(dataset=[Sample(input=text, target=code) for text, code in QUESTIONS], solver=ask(), scorer=includes())
"""


def inspect_ai(program: str, folder: Path, url: str, count: int) -> list[str]:
    script = INSPECT.format(questions=questions(count), in_flight=IN_FLIGHT, url=url)
    (folder / "codes.py").write_text(script)
    flags = ["--model", "mockllm/model", "--max-samples", str(IN_FLIGHT), "--display", "none"]
    return [program, "eval", "codes.py", *flags, "--log-dir", str(folder / "logs")]


PEERS = (
    Peer("promptfoo", ("--version",), promptfoo),
    Peer("inspect", ("--version",), inspect_ai),
)


@dataclass(frozen=True)
class Used:
    """CPU and wall seconds of a command with all its processes, and the largest of them in MB."""

    cpu: float
    wall: float
    peak: float


def timed(command: list[str], folder: Path) -> Used:
    quiet = {
        "PROMPTFOO_DISABLE_TELEMETRY": "1",
        "PROMPTFOO_DISABLE_UPDATE": "1",
        "PROMPTFOO_DISABLE_SHARING": "1",
        "PROMPTFOO_CONFIG_DIR": str(folder),
        "HOME": str(folder),
    }
    environ = {**os.environ, **quiet}
    began = time.perf_counter()
    with (folder / "said.txt").open("w") as said:
        process = subprocess.Popen(command, cwd=folder, env=environ, stdin=subprocess.DEVNULL, stdout=said, stderr=said)
        _, status, use = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{' '.join(command)} failed:\n{(folder / 'said.txt').read_text()[-800:]}")
    return Used(use.ru_utime + use.ru_stime, time.perf_counter() - began, use.ru_maxrss / 1024)


def used(peer: Peer, program: str, url: str, count: int) -> Used:
    with TemporaryDirectory() as name:
        return timed(peer.command(program, Path(name), url, count), Path(name))


def ours(_: str, folder: Path, url: str, count: int) -> list[str]:
    from benchmarks.runner import write_campaign

    write_campaign(folder, url, IN_FLIGHT, count)
    return [sys.executable, "-c", "from botattack.cli import main; main()", "run", str(folder / "campaign.yaml")]


def measure_peers() -> None:
    print(f"{'runner':<34}{'CPU ms a question':>20}{'seconds at 50 ms':>20}{'peak MB':>10}")
    with bot(0.05) as url:
        for peer in (Peer(sys.executable, ("-c", "import botattack; print(botattack.__version__)"), ours), *PEERS):
            program = peer.found()
            if program is None:
                print(f"{peer.program:<34}{'not installed':>20}", flush=True)
                continue
            version = subprocess.run(
                [program, *peer.version], check=True, capture_output=True, text=True
            ).stdout.split()[-1]
            name = "botattack" if peer.command is ours else peer.program
            # The first run compiles what was just installed.
            used(peer, program, url, 10)
            few, many = used(peer, program, url, FEW), used(peer, program, url, MANY)
            marginal = (many.cpu - few.cpu) / (MANY - FEW) * 1e3
            print(f"{name + ' ' + version:<34}{marginal:>20.2f}{many.wall:>20.1f}{many.peak:>10.0f}", flush=True)
