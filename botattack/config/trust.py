"""What of this machine a target file may use: which files, whose code, programs and models."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from botattack.config.checking import Checker, specials
from botattack.config.yaml import Document
from botattack.errors import Problem, nearest_path
from botattack.options import BadValue, Code, Command, Executable, File, Model, Reaching
from botattack.targets.local.own_bots import OWN


def check_files(checker: Checker, whole: object, folder: Path) -> None:
    """Notes each file that is not there, or not below `folder`, where the file that names it is. Only a model may lie
    elsewhere, if the user allows it: nobody copies gigabytes."""
    for path, part in specials(whole):
        file = part.file if isinstance(part, Reaching) else None
        if file is None:
            continue
        try:
            elsewhere = isinstance(part, Model) and not file.is_below(folder)
            if not elsewhere and not file.under(folder).is_file():
                what = f"there is no file {file.text!r} in the folder of this file"
                checker.wrong(path, what, nearest_path(file.text, folder))
        except (BadValue, OSError, ValueError) as error:
            checker.wrong(path, str(error))


def permissions_needed(document: Document, whole: object, folder: Path) -> Iterator[Problem]:
    """What of a whole file in `folder`, read into its classes, the user must allow before it is used."""
    for where, part in specials(whole):
        if isinstance(part, Reaching) and (sentence := needs_permission(part, folder)):
            yield document.problem(where, sentence, "if you know what it does, add --allow-code")


def needs_permission(part: Reaching, folder: Path) -> str:
    """What the user must allow before this option of a file in `folder` is used; empty if any file may have it.

    A file needs no permission: one outside of the folder is refused, whoever allows what.
    """
    match part:
        case File():
            return ""
        case Code(text):
            return "" if text in OWN else f"would run code on this machine: {text}"
        case Command(words):
            return f"would run code on this machine: {' '.join(words)}"
        case Executable(text):
            return f"would run code on this machine: {text}"
        case Model(text):
            inside = part.file is None or part.file.is_below(folder)
            return "" if inside else f"would load a model from outside the folder of this file: {text}"
        case _:
            return f"would use what botattack does not know: {part}"
