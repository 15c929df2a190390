"""What the help of each command ends with: its examples and exit statuses, in a text file of its own."""

from __future__ import annotations

from pathlib import Path


def epilog(name: str) -> str:
    """The text of `NAME.txt` as click wants it: a paragraph below a line that ends in a colon keeps its lines."""
    paragraphs = Path(__file__).with_name(f"{name}.txt").read_text("utf-8").split("\n\n")
    return "\n\n".join("\b\n" * each.partition("\n")[0].endswith(":") + each for each in paragraphs)
