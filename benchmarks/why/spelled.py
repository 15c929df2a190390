"""Bots by others behind spellers by others, in this process: `local` targets of `python -m benchmarks.why.worth`."""

from __future__ import annotations

import atexit
import json
import re
import subprocess
import sys
import threading
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from botattack.bots import alice
from tests.live import environments
from tests.live.environments import SERVERS

NSPELL = Path(__file__).with_name("nspell_lines.js")
_WORD = re.compile(r"[\w'’]+")


class Lines:
    """A process that answers each line of JSON with another."""

    def __init__(self, *command: str | Path) -> None:
        self._lock = threading.Lock()
        pipe = subprocess.PIPE
        self._process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, text=True)
        atexit.register(self._process.kill)

    def __call__(self, text: str) -> str:
        stdin, stdout = self._process.stdin, self._process.stdout
        assert stdin
        assert stdout
        with self._lock:
            stdin.write(json.dumps({"text": text}) + "\n")
            stdin.flush()
            return str(json.loads(stdout.readline())["text"])


def _nspell(words: str) -> Callable[[str], str]:
    """Hunspell's way: what is not in the dictionary becomes the first suggestion. `words` are added to it."""
    return Lines("node", NSPELL, environments.nspell().folder(), *filter(None, [words]))


def _pyspellchecker(words: str, *, alone: bool = False) -> Callable[[str], str]:
    """Norvig's way: the most frequent of the nearest words. `words` are added, or are all that it knows."""
    sys.path.append(str(environments.pyspellchecker().folder() / "packages"))
    from spellchecker import SpellChecker

    speller = SpellChecker(language=None if alone else "en")
    own = json.loads(Path(words).read_text("utf-8")) if words else []
    speller.word_frequency.load_words(own)

    @cache
    def better(word: str) -> str:
        found = str(speller.correction(word.lower()) or word)
        return found.capitalize() if word[:1].isupper() else found

    def corrected(text: str) -> str:
        return _WORD.sub(lambda word: word.group() if word.group() in speller else better(word.group()), text)

    return corrected


@cache
def speller(name: str, words: str) -> Callable[[str], str]:
    known = {
        "": lambda: str,
        "nspell": lambda: _nspell(words),
        "pyspellchecker": lambda: _pyspellchecker(words),
        "pyspellchecker-own": lambda: _pyspellchecker(words, alone=True),
    }
    return known[name]()


@cache
def _nlpjs(corpus: str) -> Lines:
    return Lines("node", SERVERS / "nlpjs_lines.js", corpus, environments.nlpjs().folder())


class Spelled:
    """A conversation with NLP.js over a corpus, or with ALICE if there is none; a speller comes before it."""

    def __init__(self, session: str, seed: int, corpus: str = "", name: str = "", words: str = "") -> None:
        self._correct = speller(name, words)
        self._bot: Any = _nlpjs(corpus) if corpus else alice.bot(session, seed)

    def __call__(self, text: str) -> str:
        return str(self._bot(self._correct(text)))
