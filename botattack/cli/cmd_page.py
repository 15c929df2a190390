"""What target files of web pages need: a login, and someone to look a page over."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from botattack.cli.shared_flags import FILE, NEW_FILE, allow_code, say, say_wait
from botattack.config.checking import Checker
from botattack.config.target import EnvName, check_declared, check_env_uses
from botattack.config.yaml import read_yaml
from botattack.targets.browser.found import Login
from botattack.targets.browser.page_options import Step

if TYPE_CHECKING:
    from botattack.targets.browser.browser_target import BrowserTarget


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
    given = document.mapping
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
    return Login(checker.sure(steps).login, written or (), {name: environ[name] for name in declared})


@click.command()
@click.argument("file", type=FILE)
@allow_code
def login(file: Path, allow_code: bool) -> int:
    """Log in to the web page of a target FILE once.

    Its cookies and storage are kept for every later run.

    Does the login steps of the file; if it has none, a window opens and you log in. What is kept is in your state
    folder, and only you can read it.
    """
    from botattack.audit.secrets import quoting, redactor_of
    from botattack.config.target import load_target
    from botattack.targets.browser.browser_target import BrowserTarget

    config = load_target(file, allow_code=allow_code)
    target, redactor = config.open(), redactor_of(config)
    if not isinstance(target, BrowserTarget):
        raise click.UsageError(f"{file} is no page: only bots of kind browser are logged in to")
    with quoting(redactor.mask.excerpt):
        click.echo(asyncio.run(_log_in(target)))
    return 0


async def _log_in(target: BrowserTarget) -> str:
    from botattack.protocols import Unpaced

    try:
        state = await target.log_in(Unpaced()) if target.options.login else await _by_hand(target)
        target.store(state)
    finally:
        await target.close()
    return f"logged in; kept in {target.login_file}"


async def _by_hand(target: BrowserTarget) -> object:
    from botattack.errors import MissingPart
    from botattack.protocols import Unpaced

    if target.options.is_remote:
        raise MissingPart("a browser that runs elsewhere opens no window here: give the file login steps")
    if sys.platform.startswith("linux") and not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        raise MissingPart("there is no display to open a window on: give the file login steps, or log in elsewhere")
    target.headless = False
    page = await target.page()
    await page.do(target.options.open[:1], "open", {"env": target.env}, Unpaced())
    await asyncio.to_thread(input, "log in in the window, then press Enter here: ")
    return await target.state_of(page)


@click.command()
@click.argument("url")
@click.option("-o", "--output", type=NEW_FILE, help="Write the target file here.")
@click.option("--login", type=FILE, help="A file with the steps that log in, as login: of a target file has them.")
@click.option("--ask", "asks", multiple=True, help="A question the bot knows; give two with different answers.")
@click.option("--authorised-by", default="", help="Who allowed it; needed for a page that is not on this machine.")
def discover(
    url: str,
    *,
    output: Path | None,
    login: Path | None,
    asks: tuple[str, ...],
    authorised_by: str,
) -> int:
    """Open a chat page and print a target file for it.

    Opens URL, waits until it is drawn, finds the box, the button, the answer and the busy sign, each with how sure it
    is, and sends four messages or a few more: two to learn from, two to prove the file. It is proven if two questions
    have two different answers and nothing in them is the same in both.
    """
    from botattack.errors import ExtractionFailed
    from botattack.files import write_whole
    from botattack.report.report_files import check_place

    if output and output.exists():
        raise click.UsageError(f"{output} is there already: name another file, or move it away")
    if output:
        check_place(output)
    if len(asks) == 1:
        raise click.UsageError(
            "one question is not enough: give --ask twice, with questions that have different answers"
        )
    text, doubt = found_file(url, "discovered", login, asks, authorised_by=authorised_by)
    if output:
        write_whole(output, text.encode())
    click.echo(f"written to {output}" if output else text, nl=output is not None)
    if doubt:
        raise ExtractionFailed(f"the file is not proven: {doubt}")
    return 0


def found_file(
    url: str, name: str, login: Path | None, asks: Sequence[str], *, authorised_by: str, until: str = ""
) -> tuple[str, str]:
    """The target file of a page, and why it is not proven; empty if it is."""
    from botattack.audit.secrets import quoting
    from botattack.engine.outside import Outside
    from botattack.limits import Limits
    from botattack.recordings.masking import Masker
    from botattack.targets.browser.discover import discover as look_over

    known = login_of(login, os.environ)
    for opened in (url, *known.urls):
        _allowed(opened, authorised_by)
    masker = Masker(known.env.values())
    with quoting(masker.excerpt):
        pace = Outside(Limits(), say_wait).pacer()
        found = asyncio.run(look_over(url, pace, Path.cwd(), login=known, asks=tuple(asks), tell=say))
    text = masker.text(found.yaml(name))
    if authorised_by:
        who = json.dumps(authorised_by, ensure_ascii=False)
        text += f"consent: {{authorised_by: {who}, until: {until or datetime.now(UTC).date().isoformat()}}}\n"
    return text, "" if found.proof else masker.text(found.doubt)


def _allowed(url: str, authorised_by: str) -> None:
    from botattack.addresses import addresses, is_loopback
    from botattack.errors import TargetDown, TrustRefused
    from botattack.targets.messages.calls import host_in

    host = host_in(url)
    if not host or not url.startswith(("http://", "https://")):
        raise click.UsageError(f"{url!r} is not a whole URL: start it with http:// or https://")
    try:
        here = is_loopback(addresses(host))
    except OSError as error:
        raise TargetDown(f"the host {host} has no address: {error}") from None
    if not here and not authorised_by:
        raise TrustRefused(f"{host} is not this machine: say who allowed it with --authorised-by WHO")
