"""`botattack attacks`: which there are, what each does, and what it makes of a sentence."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from botattack.cli.epilogs import epilog

if TYPE_CHECKING:
    from rich.text import Text

    from botattack.model import Variant

WIDEST = 100
_EXPECT = {
    "same": "stays the same",
    "different": "must change",
    "declines": "is none",
    "as its attacks": "is what its attacks expect",
    "unknown": "is not known",
}


@click.group(epilog=epilog("attacks"))
def attacks() -> None:
    """List the attacks, describe one, or try one on a sentence."""


@attacks.command("list")
def list_attacks() -> None:
    """List the attacks, and whether each can run here.

    + can run, - lacks a language part (botattack resources list). Then: whether the right answer changes, and what the
    attack does.
    """
    from shutil import get_terminal_size

    from botattack.config.docstrings import entries
    from botattack.report.printing import console
    from botattack.resources.catalogue import lacking

    out = console(sys.stdout)
    lacks, found = lacking(), entries()
    width = min(get_terminal_size().columns, WIDEST)
    for entry in found:
        head = listed(entry.name, f"a right answer {_EXPECT[entry.expect]}", there=entry.name not in lacks)
        out.print(head, soft_wrap=True)
        does = f"{entry.plain}. {entry.line}" if entry.plain != entry.name else entry.line
        for line in filter(None, (does, *lacks.get(entry.name, ()))):
            click.echo(click.wrap_text(line, width, "    ", "    "))
    click.echo(f"\n{len(found) - len(lacks)} of {len(found)} run here as they are; options may need more parts")


@attacks.command()
@click.argument("name")
def show(name: str) -> None:
    """Describe the attack NAME and its options."""
    from botattack.config.docstrings import entry_of

    entry = entry_of(name)
    told = f"a right answer {_EXPECT[entry.expect]}; languages: {entry.languages}; needs {entry.needs}"
    click.echo(f"{entry.name}: {told}\n\n{entry.plain}. {entry.text}")
    shared = "Options that a campaign can also give to all of its attacks, under `variants`"
    for title, options in (("Options", entry.options), (shared, entry.shared)):
        if options:
            click.echo(f"\n{title}:")
        for option in options:
            click.echo(f"  {option.name}: {option.kind} = {option.default}")
            if option.text:
                click.echo(click.wrap_text(option.text, WIDEST, "      ", "      "))


@attacks.command()
@click.argument("attack")
@click.argument("sentence")
@click.option("--lang", default="", help="The language of the sentence.  [default: by its words]")
@click.option("--seed", type=int, default=0, show_default=True, help="Decides every random choice.")
def preview(attack: str, sentence: str, lang: str, seed: int) -> None:
    """Show what ATTACK makes of SENTENCE; no bot is asked.

    ATTACK is NAME or NAME:option=value,….

    It shows what would be asked of a bot that never breaks.
    """
    from botattack.audit.beforehand.preview import variants_of
    from botattack.config.flags import read_attack_flag
    from botattack.report.printing import console

    variants = variants_of(read_attack_flag(attack, "attacks preview"), sentence, lang, seed)
    out = console(sys.stdout)
    for variant in variants:
        out.print(*_lines(sentence, variant), sep="\n", soft_wrap=True)
    if not variants:
        click.echo("no variant: the attack finds nothing in this sentence that it could change")


def listed(name: str, told: str, *, there: bool) -> Text:
    """A line of a list: a plus for what is there and a minus for what is not, its name, and what is said of it."""
    from rich.text import Text

    return Text.assemble(("+", "green") if there else ("-", "red"), " ", (name, "bold"), f": {told}")


def _lines(sentence: str, variant: Variant) -> Iterator[Text]:
    """The sentence with its edits in colour, each other place that is edited, and what that does to the meaning."""
    from botattack.cases import Alteration
    from botattack.model import Prompt
    from botattack.report.escape import visible
    from botattack.report.story.in_terminal import styled
    from botattack.report.wording.alterations import marked

    *lines, last = marked(Alteration((Prompt(sentence),), variant.edits, variant.turns))
    meaning = "" if variant.meaning == "kept" else f"; meaning {variant.meaning}: {visible(variant.why)}"
    yield from map(styled, lines)
    yield styled(last).append(f"  (distance {variant.distance}{meaning})", "dim")
