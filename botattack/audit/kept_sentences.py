"""A target file with more sentences of a bot, its comments and form kept."""

from __future__ import annotations

import re
from json import dumps
from pathlib import Path

from botattack.errors import BotattackError

ABOUT = {
    "refused": "# What the bot says to nonsense.\nsigns:\n  ",
    "boilerplate": "# What the bot says around every answer.\n",
}
"""The lists of sentences that a target file has, each with what begins it in a file without one."""
_FIRST = re.compile(r"\n(?:[ \t]*(?:#.*)?\n)*(?P<indent> *)-[ \n]")
"""The first item of a list whose key stands on the line before."""
_SIGNS = re.compile(r"^signs:(?P<inline>.*)(?P<block>(?:\n(?:[ \t#].*)?)*)", re.MULTILINE)


def added(text: str, sentences: list[str], path: Path, of: str = "refused") -> str:
    """The text of a target file with more sentences `of` a list; raises BotattackError if it is written in one line.
    The list `refused` is below `signs`."""
    signs = _SIGNS.search(text) if of == "refused" else None
    start, end = signs.span("block") if signs else (0, len(text))
    key = re.compile(rf"^(?P<indent> *){of}:(?P<inline>.*)$", re.MULTILINE).search(text, start, end)
    for name, found in (("signs", signs), (of, key)):
        if found and found["inline"].partition("#")[0].strip():
            raise BotattackError(
                f"{path}: its {name} are all on one line; write each on its own line, beginning with '- ', "
                "or run without --write and add them by hand"
            )
    if not sentences:
        return text
    if key is None:
        head = f"\n{re.split('[^ ]', signs['block'].strip(chr(10)))[0] or '  '}" if signs else f"\n{ABOUT[of]}"
        at = start if signs else len(text.rstrip())
        return added(f"{text[:at]}{head}{of}:{text[at:] or chr(10)}", sentences, path, of)
    first = _FIRST.match(text, key.end())
    indent = first["indent"] if first else key["indent"] + "  "
    items = "".join(f"{indent}- {dumps(sentence, ensure_ascii=False)}\n" for sentence in sentences)
    return text[: key.end() + 1] + items + text[key.end() + 1 :]
