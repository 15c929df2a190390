"""Paths of a campaign: seen from its folder, or below a folder that an environment variable names (`${NAME}/file`)."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import islice
from pathlib import Path

from botattack.config.checking import Checker
from botattack.config.target import check_declared
from botattack.config.yaml import Where
from botattack.errors import nearest, nearest_path
from botattack.model import Question
from botattack.options import File
from botattack.protocols import Attack, QuestionReader

MOST_OTHERS = 20_000
"""Questions that an attack is given to ask beside, from the beginning of their file."""
_PLACED = re.compile(r"\$\{([A-Za-z_]\w*)\}/(.+)", re.ASCII | re.DOTALL)


class Paths:
    """The files that one campaign file names.

    A variable must be declared under `env` and name a folder, and the path must stay below it. Its value is never
    shown: messages quote the path as it is written.
    """

    def __init__(self, checker: Checker, folder: Path, environ: Mapping[str, str] | None = None) -> None:
        self._checker = checker
        self._folder = folder
        self._environ = os.environ if environ is None else environ
        self._declared = check_declared(checker, checker.document.mapping.get("env"), self._environ)

    def place(self, written: str, where: Where) -> Path | None:
        """Where a path leads, whether or not a file is there; None once it is noted that it leads nowhere."""
        if "${" not in written:
            return self._folder / written
        match = _PLACED.fullmatch(written)
        if match is None:
            self._checker.wrong(where, "a variable is not at the beginning of this path", "write ${NAME}/path/to/file")
            return None
        name, rest = match.groups()
        if name not in self._declared:
            hint = nearest(name, self._declared)
            hint = hint if hint.startswith("did") else f"add it to env: [{', '.join([*self._declared, name])}]"
            self._checker.wrong(where, f"the environment name {name} is not declared", hint)
        elif self._environ.get(name):
            return self._below(name, rest, where)
        return None

    def file(self, written: str, where: Where) -> Path | None:
        """The file at a path; None once it is noted that there is none."""
        path = self.place(written, where)
        if path is None or path.is_file():
            return path
        shown = written if "${" in written else path
        what = "this is a folder, not a file" if path.is_dir() else f"there is no file {shown}"
        placed = _PLACED.fullmatch(written)
        rest, folder = (placed[2], Path(self._environ[placed[1]])) if placed else (written, self._folder)
        self._checker.wrong(where, what, nearest_path(rest, folder) or "check the path")
        return None

    def _below(self, name: str, rest: str, where: Where) -> Path | None:
        folder = Path(self._environ[name])
        path = folder / rest
        try:
            inside = folder.is_absolute() and folder.is_dir() and path.resolve().is_relative_to(folder.resolve())
        except (OSError, RuntimeError, ValueError):  # links in a circle, a name that no file can have
            inside = False
        if inside:
            return path
        hint = f"export {name}=/absolute/path, and write no .. behind it"
        self._checker.wrong(where, f"this path is not below a folder that {name} names", hint)
        return None


class Sources:
    """The files that attacks take other questions from: those they name, else the question set."""

    def __init__(self, checker: Checker, paths: Paths, questions: Path, reader: Callable[[], QuestionReader]) -> None:
        self._checker = checker
        self._paths = paths
        self._questions = questions
        self._reader = reader
        self.files: list[tuple[Where, Path]] = []
        """The files that were named, by their place."""

    def known_to_all(self, attacks: Sequence[tuple[str, Attack]], first: int) -> tuple[tuple[str, Attack], ...]:
        """Attacks with all that they take from elsewhere; `first` is where the first is in the file's list. Raises
        QuestionsError."""
        places = [("attacks", number) for number, _ in enumerate(attacks, first)]
        return tuple((label, self._known_to(attack, at)) for (label, attack), at in zip(attacks, places, strict=True))

    def _known_to(self, attack: Attack, where: Where) -> Attack:
        from botattack.attacks.combined.at import At

        for inner in (one.attack for one in (attack, *attack.within) if isinstance(one, At)):
            if inner.edits.isdisjoint(("question", "added turn")):
                sentence = f"at gives an attack a text to alter, and {inner.name} alters or adds passages by itself"
                self._checker.wrong(where, sentence, f"list {inner.name} by itself")
        return attack.with_questions(partial(self._others, where))

    def _others(self, where: Where, named: File | None, /, least: int = 2) -> list[Question]:
        from botattack.questions.detect import reader_for

        path = self._file(where, named)
        if path is None:
            return []
        rows = (reader_for(path) if named else self._reader())(path)
        found = [*islice((row for row in rows if isinstance(row, Question)), MOST_OTHERS)]
        if len(found) < (min(least, 1) if named else least):
            self._checker.wrong(where, f"there is no other question in {path.name} to ask", "add questions: FILE")
        return found

    def _file(self, where: Where, named: File | None) -> Path | None:
        """The file that is named, which is noted, else the question set; None if there is none."""
        if named is None:
            return self._questions
        place = self._paths.file(named.text, where)
        if place is not None:
            self.files.append((where, place))
        return place
