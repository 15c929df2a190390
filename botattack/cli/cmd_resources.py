"""`botattack resources`: the language parts, which are there, and how to get the others."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from botattack.cli.epilogs import epilog
from botattack.cli.shared_flags import say

if TYPE_CHECKING:
    from botattack.resources.catalogue import PartEntry
    from botattack.resources.fetch import Progress as Told


@click.group(epilog=epilog("resources"))
def resources() -> None:
    """The language parts (dictionaries, parsers …) that some attacks need: which are installed, how to get others."""


@resources.command("list")
def list_resources() -> None:
    """List the language parts, and how to install each.

    Shows of each whether it is installed, its version, licence and digest, and which attacks need it.
    """
    from botattack.resources.catalogue import entries, fetchables

    for entry in entries():
        _print(entry)
    click.echo("\nTo fetch (botattack resources get NAME):")
    for item in fetchables().values():
        size = sum(download.size for download in item.downloads)
        click.echo(f"  {item.name}: {item.what} ({size / 1e6:.1f} MB, {item.licence})")


def _print(entry: PartEntry) -> None:
    from botattack.cli.cmd_attacks import listed
    from botattack.report.printing import console

    if entry.info:
        info = entry.info
        told = ", ".join(
            part for part in (info.name, info.version, info.licence, f"SHA-256 {info.digest[:16]}") if part
        )
    else:
        told = entry.missing
    console(sys.stdout).print(listed(entry.name, told, there=bool(entry.info)), soft_wrap=True)
    if entry.unlocks:
        click.echo(f"    for {', '.join(entry.unlocks)}")
    if entry.info is None and entry.install and entry.install not in entry.missing:
        click.echo(f"    {entry.install}")


@resources.command()
@click.argument("name")
@click.option("--from", "source", default="", metavar="PLACE", help="Read it from this file, folder or address.")
def get(name: str, source: str) -> None:
    """Download the language part NAME into your cache.

    An interrupted download continues.

    Only a file whose SHA-256 is the one known here is kept. If none is known, as for evouna, the file comes from a
    commit that cannot change, and its SHA-256 is printed.
    """
    import asyncio

    from botattack.resources.catalogue import fetchable
    from botattack.resources.fetch import digest, fetch

    resource = fetchable(name)
    folder = asyncio.run(fetch(resource, source, _progress()))
    click.echo(f"{resource.name} is in {folder} ({resource.licence})")
    for download in resource.downloads:
        if not download.sha256:
            told = (
                f"botattack knows no SHA-256 to compare it with; that of this one is {digest(folder / download.name)}"
            )
            click.echo(f"{download.name}: {told}")
    if resource.use:
        click.echo(f"to use it: {resource.use.format(folder=folder)}")


def _progress() -> Told:
    """Says of each file how large it is, and after each tenth of it how far it has come."""
    told = dict[str, int]()

    def tell(name: str, have: int, size: int) -> None:
        tenth = 10 * have // max(size, 1)
        if tenth > told.get(name, -1):
            told[name] = tenth
            say(f"fetching {name}: {10 * tenth} % of {size:,} bytes")

    return tell
