"""The file that `targets discover --login` reads: how to log in to a page, and nothing else."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from botattack.config.checking import Checker
from botattack.config.target import EnvName, check_declared, check_env_uses
from botattack.config.yaml import read_yaml
from botattack.targets.browser.found import Login
from botattack.targets.browser.page_options import Step


@dataclass(frozen=True)
class LoginFile:
    """How to log in to a page. A target file that logs in will do, too."""

    login: tuple[Step, ...]
    """The steps, the first of which opens a page."""
    env: tuple[EnvName, ...] = ()
    """The only environment variables that the steps may place."""


def login_of(path: Path | None, environ: Mapping[str, str]) -> Login:
    """What a file says, with the values of the environment that it names; raises ConfigError with all its problems."""
    if path is None:
        return Login()
    document, _ = read_yaml(path)
    given = document.value if isinstance(document.value, dict) else {}
    connect = given.get("connect")
    written = connect.get("login") if isinstance(connect, dict) else given.get("login")
    where = ("connect",) if isinstance(connect, dict) else ()
    checker = Checker(document)
    value = {"login": written, "env": given.get("env", [])}
    steps = checker.read(LoginFile, {key: each for key, each in value.items() if each is not None}, where)
    declared = check_declared(checker, given.get("env"), environ)
    check_env_uses(checker, written, declared)
    if steps and not (steps.login and steps.login[0].goto):
        checker.wrong((*where, "login"), "the first step opens a page", "begin with {goto: URL}")
    checker.finish()
    assert steps is not None  # noqa: S101  # finish() has raised otherwise
    return Login(steps.login, written or (), {name: environ[name] for name in declared})
