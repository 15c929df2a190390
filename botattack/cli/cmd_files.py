"""Commands about target and campaign files."""

from __future__ import annotations

import json
import re
from itertools import takewhile
from pathlib import Path
from typing import ClassVar, Literal

import click


@click.command()
@click.argument("kind", type=click.Choice(["target", "campaign", "games"]))
def schema(kind: Literal["target", "campaign", "games"]) -> None:
    """Print the JSON Schema of target, campaign or games files, for an editor.

    Put it next to the file and name it in the file's first line: # yaml-language-server: $schema=target.schema.json
    """
    from botattack.config.schema import schema as schema_of

    click.echo(json.dumps(schema_of(kind), indent=2))


class _Targets(click.Group):
    """Imports what needs a browser only when it is named."""

    LAZY: ClassVar[dict[str, str]] = {
        "login": "Log in to the page of a target file once, for every later run.",
        "discover": "Look a chat page over and print a target file for it.",
    }

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [*super().list_commands(ctx), *self.LAZY]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self.LAZY:
            return super().get_command(ctx, cmd_name)
        from botattack.cli import cmd_page as browser

        return {"login": browser.login, "discover": browser.discover}[cmd_name]


@click.group(cls=_Targets)
def targets() -> None:
    """List the target files that come with botattack, make one for a web page, or log in to it."""


@targets.command("list")
def list_targets() -> None:
    """List the target files that come with botattack.

    Each with the products it is for, or what it says of itself.
    """
    list_templates()


def list_templates() -> None:
    """The same, also for `init --list`."""
    from botattack.audit.starting.shapes import products_in, shipped

    for path in shipped():
        products = products_in(path.read_text("utf-8"))
        click.echo(f"{path.stem}  {', '.join(products) or _about(path)}".rstrip())


def _about(path: Path) -> str:
    """The first sentence of the comment that a file begins with, up to what it lists or explains."""
    lines = takewhile(lambda line: line.startswith("#"), path.read_text("utf-8", errors="replace").splitlines())
    text = " ".join(line.removeprefix("#").strip() for line in lines)
    return re.split(r"[.:;](?:\s|$)", text, maxsplit=1)[0]


@targets.command("show")
@click.argument("name")
def show_target(name: str) -> None:
    """Print a target file that comes with botattack.

    To begin your own: botattack targets show template-http > targets/my-bot.yaml
    """
    from botattack.audit.starting.shapes import shipped
    from botattack.errors import BotattackError

    found = {path.stem: path for path in shipped()}
    if name not in found:
        raise BotattackError(f"no target file {name!r} comes with botattack; use one of {', '.join(found)}")
    click.echo(found[name].read_text("utf-8"), nl=False)
