"""Code that a target file names. Whether it may run has been decided before."""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

from botattack.errors import BotattackError, ConfigError, Problem
from botattack.options import Code


def imported(code: Code, folder: Path, place: str) -> Any:
    """The object that code names; raises ConfigError."""
    try:
        module = _from_file(code.file.under(folder)) if code.file else import_module(code.module)
        return getattr(module, code.attribute)
    except BotattackError:
        raise
    except BaseException as error:
        if isinstance(error, KeyboardInterrupt):
            raise
        beside = f"{code.module.removesuffix('.py').replace('.', '/')}.py"  # not where Python looks for modules
        hint = f"write file://{beside}:{code.attribute}" if code.module and (folder / beside).is_file() else ""
        problem = Problem(str(folder), 1, 1, place, f"{code.text} cannot be loaded: {_said(error)}", hint)
        raise ConfigError((problem,)) from error


def _from_file(path: Path) -> object:
    spec = spec_from_file_location(f"botattack_file_{path.stem}", path)
    if spec is None or spec.loader is None:
        raise ImportError(f"{path.name} is not a Python file")
    module = module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look their module up there
    spec.loader.exec_module(module)
    return module


def _said(error: BaseException) -> str:
    return " ".join(f"{type(error).__name__}: {error}".split()).removesuffix(": ")
