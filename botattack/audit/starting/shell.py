"""The words of a command as a shell reads them. Nothing is run, and no variable is looked up."""

from __future__ import annotations

import re
import shlex

from botattack.audit.starting.call import BadStart

_NAME = r"\$(?:\{([A-Za-z_]\w*)\}|([A-Za-z_]\w*))"
_PART = re.compile(
    rf"""\$'(?P<ansi>(?:[^'\\]|\\.)*+)'|'[^']*+'|(?P<double>"(?:[^"\\]|\\.)*+")|\\.|{_NAME}""", re.DOTALL | re.ASCII
)
"""What a shell reads in its own way: a quoted part, an escaped character, a variable."""
_IN_DOUBLE_QUOTES = re.compile(rf"\\[\n$`]|\\.|{_NAME}", re.DOTALL | re.ASCII)
_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|(.))", re.DOTALL)
_PLAIN_ESCAPES = dict(zip("ntrab0\\'\"?", "\n\t\r\a\b\0\\'\"?", strict=True))


def shell_words(command: str) -> tuple[list[str], frozenset[str]]:
    """The words as bash would split them, and the variables that it would place: {{ env.NAME }} stands there.

    It would place none inside single quotes. Raises BadStart for a quote that is never closed.
    """
    names: set[str] = set()

    def variable(found: re.Match[str]) -> str:
        names.add(name := found[found.lastindex or 0])
        return f"{{{{ env.{name} }}}}"

    def in_double_quotes(found: re.Match[str]) -> str:
        # The two that shlex knows, an escaped quote and backslash, stay for it.
        return variable(found) if found.lastindex else {"\\\n": "", "\\$": "$", "\\`": "`"}.get(found[0], found[0])

    def read(found: re.Match[str]) -> str:
        if found["ansi"] is not None:
            return shlex.quote(_unescaped(found["ansi"]))
        if found["double"] is not None:
            return _IN_DOUBLE_QUOTES.sub(in_double_quotes, found["double"])
        return f'"{variable(found)}"' if found.lastindex else "" if found[0] == "\\\n" else found[0]

    try:
        words = shlex.split(_PART.sub(read, command.replace("\r\n", "\n")))
    except ValueError as error:
        raise BadStart(f"the curl command cannot be split into words: {str(error).lower()}; close the quote") from None
    return words, frozenset(names)


def _unescaped(text: str) -> str:
    def plain(match: re.Match[str]) -> str:
        code = match[1] or match[2]
        return chr(int(code, 16)) if code else _PLAIN_ESCAPES.get(match[3], match[0])

    return _ESCAPE.sub(plain, text).encode("utf-16", "surrogatepass").decode("utf-16", "replace")
