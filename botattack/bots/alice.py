"""ALICE, the AIML bot of Richard S. Wallace, as python-aiml ships her, in this process.

She is loaded once, takes about a second and 236 MB. A unit's answer depends on nothing but its words and its seed, so
that it is the same in each run: each session has a memory of its own, and `<random>` draws from a generator seeded by
seed and turn. What she says of dates and times is hers.
"""

from __future__ import annotations

import gc
import threading
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from botattack.errors import MissingPart
from botattack.version import pip_install

_loading = threading.Lock()


class Alice:
    """One conversation. Memory ends with `close`."""

    def __init__(self, kernel: Any, session: str, seed: int) -> None:
        self._kernel = kernel
        self._session = session
        self._seed = seed
        self._turn = 0

    def __call__(self, text: str) -> str:
        self._turn += 1
        return str(self._kernel.answer(text, self._session, f"{self._seed}/{self._turn}"))

    def close(self) -> None:
        self._kernel.forget(self._session)


def bot(session: str, seed: int) -> Alice:
    """A conversation with ALICE; loads her the first time. Raises MissingPart if python-aiml is not installed."""
    with _loading:
        kernel = _kernel()
    return Alice(kernel, session, seed)


bot.per_session = True  # type: ignore[attr-defined]


@cache
def _kernel() -> Any:
    try:
        import aiml
    except ImportError:
        raise MissingPart(f"ALICE is not installed: {pip_install('demo')}") from None
    kernel = _seeded(aiml.Kernel)()
    kernel.verbose(False)
    collecting = gc.isenabled()
    gc.disable()  # half of the loading time is the collector going through what is being loaded
    try:
        kernel.learn(str(Path(aiml.__file__).parent / "botdata" / "alice" / "*.aiml"))
    finally:
        if collecting:
            gc.enable()
    return kernel


def _seeded(kernel_class: Any) -> Any:
    """The kernel with its chance in a generator of its own, and without the elements that reach outside it."""

    class Kernel(kernel_class):  # type: ignore[misc]
        def __init__(self) -> None:
            self._chance = Random(0)
            super().__init__()

        def answer(self, text: str, session: str, seed: str) -> str:
            with self._respondLock:
                self._chance.seed(seed)
                return str(self.respond(text, session))

        def forget(self, session: str) -> None:
            with self._respondLock:
                self._deleteSession(session)

        def _processRandom(self, element: Any, session: str) -> str:  # noqa: N802
            choices = [part for part in element[2:] if part[0] == "li"]
            return str(self._processElement(self._chance.choice(choices), session)) if choices else ""

        def _processSystem(self, element: Any, session: str) -> str:  # noqa: N802
            """Would run a shell."""
            return ""

        _processLearn = _processSystem  # noqa: N815 - would read files

    return Kernel
