"""The files that `init` writes: none of them replaces one that is there."""

from __future__ import annotations

import csv
import io
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from botattack.audit.starting.call import BadStart


@dataclass(frozen=True)
class StarterFiles:
    """Where they go: side by side, so that a campaign may send its questions wherever its target says."""

    folder: Path
    name: str

    @property
    def target(self) -> Path:
        return self.folder / f"{self.name}-target.yaml"

    @property
    def campaign(self) -> Path:
        return self.folder / f"{self.name}.yaml"

    @property
    def env(self) -> Path:
        return self.folder / f"{self.name}.env.example"

    @property
    def template(self) -> Path:
        return self.folder / f"{self.name}-questions.csv"

    def questions(self, given: Path | None) -> Path:
        """The question file: the given one if it is in the folder or below, else a copy or a template beside it."""
        if given is None:
            return self.template
        if given.resolve().is_relative_to(self.folder.resolve()):
            return self.folder / given.resolve().relative_to(self.folder.resolve())
        return self.folder / f"{self.name}-questions{given.suffix}"

    def check(self, given: Path | None) -> None:
        """Raises BadStart if a file is there already."""
        copied = self.questions(given)
        made = [self.target, self.campaign, self.env]
        if given is None or copied.resolve() != given.resolve():
            made.append(copied)
        if there := next((path for path in made if path.exists()), None):
            raise BadStart(f"{there} is there already; give another --name or --into, or move it away")

    def begin_questions(self, given: Path | None, asks: Sequence[str]) -> Path:
        """The question file: copied, written as a template, or left where it is."""
        path = self.questions(given)
        if given is None:
            _write(path, template_of(asks))
        elif path.resolve() != given.resolve():
            with given.open("rb") as source, _new(path) as copy:
                shutil.copyfileobj(source, copy)
        return path

    def write(self, target: str, campaign: str, env: Sequence[str]) -> list[Path]:
        """Gives the paths that were written."""
        written = {self.target: target, self.campaign: campaign}
        if env:
            head = (
                f"# Copy this to {self.name}.env, fill it in, and add --env-file {self.name}.env to the commands that\n"
                "# ask the bot: run, check, calibrate, shrink and nightly.\n"
            )
            written[self.env] = head + "".join(f"{name}=\n" for name in env)
        for path, text in written.items():
            _write(path, text)
        return [*written]


def template_of(asks: Sequence[str]) -> str:
    """A question file to fill in. A question without an answer is judged against the bot's own stable reply."""
    file = io.StringIO()
    rows = csv.writer(file, lineterminator="\n")
    rows.writerow(["question", "answers"])
    rows.writerows([ask, ""] for ask in asks)
    return file.getvalue()


def _write(path: Path, text: str) -> None:
    with _new(path) as file:
        file.write(text.encode("utf-8"))


def _new(path: Path) -> io.BufferedWriter:
    """A file that was not there; raises BadStart for one that is."""
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        return path.open("xb")
    except FileExistsError:
        raise BadStart(f"{path} is there already; give another --name or --into, or move it away") from None
