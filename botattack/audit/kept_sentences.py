"""A target file with more sentences of a bot, its comments and form kept."""

from __future__ import annotations

import re
from json import dumps
from pathlib import Path

from botattack.errors import BotattackError

ABOUT = {"refusals": "# What the bot says to nonsense.", "boilerplate": "# What the bot says around every answer."}
"""The lists of sentences that a target file has, each with the comment that begins it."""
_FIRST = re.compile(r"\n(?:[ \t]*(?:#.*)?\n)*(?P<indent> *)-[ \n]")
"""The first item of a list whose key stands on the line before."""


def added(text: str, sentences: list[str], path: Path, of: str = "refusals") -> str:
    """The text of a target file with more sentences `of` a list; raises BotattackError if it is written in one line."""
    key = re.search(rf"^{of}:(?P<inline>.*)$", text, re.MULTILINE)
    first = _FIRST.match(text, key.end()) if key else None
    indent = first["indent"] if first else "  "
    items = "".join(f"{indent}- {dumps(sentence, ensure_ascii=False)}\n" for sentence in sentences)
    if key is None:
        return f"{text.rstrip()}\n{ABOUT[of]}\n{of}:\n{items}" if items else text
    if key["inline"].partition("#")[0].strip():
        raise BotattackError(
            f"{path}: its {of} are all on one line; write each on its own line, beginning with '- ', "
            "or run without --write and add them by hand"
        )
    end = key.end() + 1
    return text[:end] + items + text[end:]
