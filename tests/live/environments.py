"""Environments of the live bots: each is built once from pinned packages under one cache folder, and used again."""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

import pytest

HERE = Path(__file__).parent
DATA = HERE / "data"
SERVERS = HERE / "servers"
FAQ = DATA / "faq.jsonl"
BUILD_SECONDS = 600


def cache() -> Path:
    return Path(os.environ.get("BOTATTACK_LIVE_CACHE") or Path.home() / ".cache" / "botattack-live")


@dataclass(frozen=True)
class Environment:
    """Packages and what installs them into a folder; the folder's name changes with the pins."""

    name: str
    pins: str
    install: Callable[[Path, str], None]

    def folder(self) -> Path:
        """The built environment; skips where it cannot be built here."""
        digest = sha256(f"{sys.version_info[:2]} {self.pins}".encode()).hexdigest()[:12]
        folder = cache() / f"{self.name}-{digest}"
        folder.mkdir(parents=True, exist_ok=True)
        # Several test processes may want it at once.
        with (folder.parent / f"{folder.name}.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            done = folder / "complete"
            if not done.exists():
                self._build(folder)
                done.touch()
        return folder

    def _build(self, folder: Path) -> None:
        shutil.rmtree(folder)
        folder.mkdir()
        try:
            self.install(folder, self.pins)
        except (subprocess.SubprocessError, OSError) as error:
            said = getattr(error, "stderr", None) or str(error)
            lines = str(said).strip().splitlines()
            pytest.skip(f"{self.name} cannot be installed on this machine: {lines[-1] if lines else error}")


def _run(*command: str | Path, cwd: Path | None = None) -> None:
    subprocess.run(command, cwd=cwd, check=True, capture_output=True, text=True, timeout=BUILD_SECONDS)


def _venv(folder: Path, pins: str) -> None:
    # The pins are whole lists, so that nothing has to be resolved. Of thousands of modules a bot imports some hundreds:
    # Python compiles these when they are first imported. uv takes a fifth of the time that pip takes for it.
    _run(sys.executable, "-m", "venv", "--without-pip", folder)
    _run(
        sys.executable,
        "-m",
        "uv",
        "pip",
        "install",
        "-q",
        "--python",
        folder / "bin" / "python",
        "--no-deps",
        *pins.split(),
    )


def _beside(folder: Path, pins: str) -> None:
    """Into a folder that can be put on `sys.path`, without what the packages depend on."""
    _run(sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--target", folder / "packages", *pins.split())


def _npm(folder: Path, pins: str) -> None:
    npm = shutil.which("npm")
    if npm is None or shutil.which("node") is None:
        pytest.skip("this bot needs Node.js: apt-get install nodejs npm")
    _run(npm, "install", "--no-audit", "--no-fund", "--no-package-lock", "--silent", *pins.split(), cwd=folder)


def _pins(name: str) -> str:
    return (DATA / f"{name}.txt").read_text("utf-8")


def hayhooks() -> Environment:
    return Environment("hayhooks", _pins("hayhooks"), _venv)


def gradio() -> Environment:
    return Environment("gradio", _pins("gradio"), _venv)


def langgraph() -> Environment:
    return Environment("langgraph", _pins("langgraph"), _venv)


def chainlit() -> Environment:
    return Environment("chainlit", _pins("chainlit"), _venv)


def smollm2() -> Environment:
    return Environment("smollm2", _pins("smollm2"), _beside)


def nlpjs() -> Environment:
    pins = "@nlpjs/basic@4.27.0 @nlpjs/express-api-server@4.27.0 @nlpjs/directline-connector@4.26.1"
    return Environment("nlpjs", pins, _npm)


def nspell() -> Environment:
    return Environment("nspell", "nspell@2.1.5 dictionary-en@4.0.0", _npm)


def pyspellchecker() -> Environment:
    return Environment("pyspellchecker", "pyspellchecker==0.9.1", _beside)


def deep_chat() -> Environment:
    return Environment("deep-chat", "deep-chat@2.4.2", _npm)


def flowise() -> Environment:
    return Environment("flowise", "flowise-embed@3.1.6", _npm)
