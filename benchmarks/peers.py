"""Other runners on the same bot and the same questions, each as its own documentation says: HTTP, a check on each
answer, 32 in flight: `python -m benchmarks.peers`. A peer that is not there is named and passed over.

BOTATTACK_PEERS may list folders, as PATH does, in which their commands are looked for first. With `--install FOLDER`
those written in Python get a virtual environment of their own in it, where they have none yet.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.browser import descendants, memory
from benchmarks.runner import write_campaign
from tests.servers.apart import bot, code_of

FEW, MANY = 200, 2000
IN_FLIGHT = 32
PATIENCE = 900
"""Seconds that installing a peer, or one run of it, may take."""


@dataclass(frozen=True)
class Peer:
    """`command` writes what the peer needs into a folder, for a URL and a number of questions, and gives it.

    `package` is what can be installed to have `program`; a peer asked by a script of ours needs its Python.
    """

    name: str
    program: str
    version: tuple[str, ...]
    command: Callable[[str, Path, str, int], list[str]]
    package: str = ""

    def found(self, environments: Path | None) -> str | None:
        if self.package and environments:
            folder = _installed(self.package, environments.absolute())
            return str(folder / self.program) if folder else None
        path = os.pathsep.join((os.environ.get("BOTATTACK_PEERS", ""), os.environ["PATH"]))
        return None if self.program == "python" else shutil.which(self.program, path=path)


def _installed(package: str, environments: Path) -> Path | None:
    """Where the commands of a package's own environment are, made if it is not there; None, said, where that fails."""
    python = environments / package / "bin" / "python"
    try:
        if not python.exists():
            subprocess.run([sys.executable, "-m", "venv", python.parents[1]], check=True)
            # uv settles in seconds what keeps pip searching for many minutes.
            subprocess.run([python, "-m", "pip", "install", "-q", "uv"], check=True, timeout=PATIENCE)
            more = _torch() if package == "garak" else []
            install = [python, "-m", "uv", "pip", "install", "-q", "--python", python, *more, package]
            subprocess.run(install, check=True, timeout=PATIENCE)
    except (subprocess.SubprocessError, OSError) as error:
        print(f"{package} cannot be installed: {error}", flush=True)
        shutil.rmtree(python.parents[1], ignore_errors=True)
        return None
    return python.parent


def _torch() -> list[str]:
    """A build for the CPU that lies on this machine: the registry's brings gigabytes for graphics cards."""
    folders = os.environ.get("PIP_FIND_LINKS", "").split()
    return [str(wheel) for folder in folders for wheel in Path(folder).glob("torch-*+cpu-*.whl")]


def _version_of(package: str) -> tuple[str, ...]:
    return ("-c", f"from importlib.metadata import version; print(version({package!r}))")


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


GARAK = """
import json
import garak.probes.test
from garak import cli

QUESTIONS = {questions}

def noted(probe, attempt, number):
    attempt.notes["triggers"] = [QUESTIONS[number][1]]
    return attempt

# A probe of our own would not be found: garak looks for names among its own files.
probe = garak.probes.test.Test
probe.prompts = [text for text, _ in QUESTIONS]
probe.primary_detector = "encoding.DecodeMatch"
probe._attempt_prestore_hook = noted
options = {{
    "uri": "{url}",
    "headers": {{"Content-Type": "application/json"}},
    "req_template_json_object": {{"text": "$INPUT"}},
    "response_json": True,
    "response_json_field": "$.reply.text",
}}
flags = ["--target_type", "rest", "--generator_options", json.dumps({{"rest": {{"RestGenerator": options}}}})]
flags += ["--spec", "probes.test.Test", "--parallel_attempts", "{in_flight}", "--generations", "1"]
cli.main([*flags, "--report_prefix", "{folder}/report"])
with open("{folder}/report.report.jsonl") as report:
    entries = [json.loads(line) for line in report]
assert sum(entry.get("entry_type") == "attempt" and bool(entry["outputs"]) for entry in entries) >= len(QUESTIONS)
"""


def garak(program: str, folder: Path, url: str, count: int) -> list[str]:
    script = GARAK.format(questions=questions(count), in_flight=IN_FLIGHT, url=url, folder=folder)
    (folder / "codes.py").write_text(script)
    return [program, "codes.py"]


PYRIT = """
import asyncio
import httpx
from pyrit.executor.attack import AttackExecutor, AttackScoringConfig, PromptSendingAttack
from pyrit.prompt_target import HTTPTarget, get_http_target_json_response_callback_function
from pyrit.score import SubStringScorer
from pyrit.setup import IN_MEMORY, initialize_pyrit_async

REQUEST = '''POST {url} HTTP/1.1
Content-Type: application/json

{{"text": "{{PROMPT}}"}}'''

async def main():
    await initialize_pyrit_async(IN_MEMORY, load_defaults=False, silent=True)
    async with httpx.AsyncClient(limits=httpx.Limits(max_connections={in_flight})) as client:
        read = get_http_target_json_response_callback_function("reply.text")
        bot = HTTPTarget(http_request=REQUEST, use_tls=False, client=client, callback_function=read)
        # One scorer serves all objectives, so it looks for what every right answer holds.
        scoring = AttackScoringConfig(objective_scorer=SubStringScorer(substring="It is 7", categories=["code"]))
        attack = PromptSendingAttack(objective_target=bot, attack_scoring_config=scoring)
        executor = AttackExecutor(max_concurrency={in_flight})
        done = await executor.execute_attack_async(attack=attack, objectives={objectives})
    assert {{result.outcome.name for result in done}} == {{"SUCCESS"}}, done

asyncio.run(main())
"""


def pyrit(program: str, folder: Path, url: str, count: int) -> list[str]:
    objectives = [text for text, _ in questions(count)]
    (folder / "codes.py").write_text(PYRIT.format(url=url, in_flight=IN_FLIGHT, objectives=objectives))
    return [program, "codes.py"]


def ours(program: str, folder: Path, url: str, count: int) -> list[str]:
    write_campaign(folder, url, IN_FLIGHT, count)
    return [program, "-c", "from botattack.cli import main; main()", "run", str(folder / "campaign.yaml")]


PEERS = (
    Peer("botattack", sys.executable, ("-c", "import botattack; print(botattack.__version__)"), ours),
    Peer("promptfoo", "promptfoo", ("--version",), promptfoo),
    Peer("inspect-ai", "inspect", ("--version",), inspect_ai, "inspect-ai"),
    Peer("garak", "python", _version_of("garak"), garak, "garak"),
    Peer("PyRIT", "python", _version_of("pyrit"), pyrit, "pyrit"),
)


@dataclass(frozen=True)
class Used:
    """CPU and wall seconds of a command with all its processes, and the most MB that they held at a time."""

    cpu: float
    wall: float
    peak: float


@contextmanager
def most_held(pid: int) -> Iterator[list[float]]:
    """A list that holds, at last, the most MB that a process and those it started held when looked at."""
    held, over = [0.0], threading.Event()

    def look() -> None:
        while not over.wait(0.25):
            held[0] = max(held[0], memory([pid, *descendants(pid)]))

    looking = threading.Thread(target=look)
    looking.start()
    try:
        yield held
    finally:
        over.set()
        looking.join()


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
        ending = threading.Timer(PATIENCE, process.kill)
        ending.start()
        with most_held(process.pid) as held:
            _, status, use = os.wait4(process.pid, 0)
        ending.cancel()
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise ChildProcessError(f"{' '.join(command)} failed:\n{(folder / 'said.txt').read_text()[-800:]}")
    return Used(use.ru_utime + use.ru_stime, time.perf_counter() - began, max(held[0], use.ru_maxrss / 1024))


def used(peer: Peer, program: str, url: str, count: int) -> Used:
    with TemporaryDirectory() as name:
        return timed(peer.command(program, Path(name), url, count), Path(name))


def measure_peers(environments: Path | None = None) -> None:
    print(f"{'runner':<34}{'CPU ms a question':>20}{'seconds at 50 ms':>20}{'peak MB':>10}")
    with bot(0.05) as url:
        for peer in PEERS:
            program = peer.found(environments)
            if program is None:
                print(f"{peer.name:<34}{'not installed':>20}", flush=True)
                continue
            try:
                said = subprocess.run([program, *peer.version], check=True, capture_output=True, text=True).stdout
                # The first run compiles what was just installed.
                used(peer, program, url, 10)
                few, many = used(peer, program, url, FEW), used(peer, program, url, MANY)
            except (OSError, subprocess.SubprocessError) as error:
                print(f"{peer.name:<34}{'does not run':>20}\n{error}", flush=True)
                continue
            marginal = (many.cpu - few.cpu) / (MANY - FEW) * 1e3
            name = f"{peer.name} {said.split()[-1]}"
            print(f"{name:<34}{marginal:>20.2f}{many.wall:>20.1f}{many.peak:>10.0f}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--install", type=Path, metavar="FOLDER", help="where the peers are, or are to be")
    measure_peers(parser.parse_args().install)


if __name__ == "__main__":
    main()
