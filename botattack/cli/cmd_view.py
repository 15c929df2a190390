"""`botattack view`: recordings in a browser on this machine."""

from __future__ import annotations

import asyncio
import secrets
from pathlib import Path

import click

from botattack.cli.epilogs import epilog
from botattack.cli.shared_flags import FOLDER, say


@click.command(epilog=epilog("view"))
@click.argument("recordings", type=FOLDER, default=Path("recordings"), metavar="[DIR]")
@click.option("--port", type=click.IntRange(0, 65535), default=0, help="The port.  [default: one that nobody uses]")
def view(recordings: Path, port: int) -> None:
    """Look at the recordings of DIR in a browser: read reports, mark failures, settle what the judge was unsure of,
    confirm right answers.

    The page is served on this machine alone, and only to whoever has its whole address, which is printed. It needs no
    network. Marks are written to triage.yaml in DIR, as by `botattack mark`; right answers
    to golds.csv in the folder of their run, as `botattack judge golds` reads it. Stop it with Ctrl-C.
    """
    from botattack.audit.viewing.desk import Desk
    from botattack.audit.viewing.pages import Pages
    from botattack.errors import BotattackError
    from botattack.net.loopback import HOST, serve

    token = secrets.token_urlsafe(24)
    desk = Desk(Pages(recordings, f"/{token}/"))
    say("open this address in a browser; Ctrl-C ends it")
    try:
        asyncio.run(serve(desk.answer, token, port, click.echo, asyncio.Event()))
    except OSError as error:
        raise BotattackError(f"{HOST}:{port} cannot be used: {error.strerror}; choose another --port") from None
