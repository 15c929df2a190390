"""A list of words in a file: the option `vocabulary` of attacks that put words in place of others."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path
from typing import Annotated

from botattack.errors import reason
from botattack.options import BadValue, Read, shown
from botattack.text.tokens import words


class WordList:
    """Words in lower case, one a line of a file, or several separated by white space.

    Its text names file, count and digest, so that a run's record says which list it was.
    """

    def __init__(self, path: Path) -> None:
        content = path.read_bytes()
        self.words = frozenset(content.decode("utf-8").casefold().split())
        self._told = f"{path} ({len(self.words):,} words, SHA-256 {sha256(content).hexdigest()})"

    def holds(self, text: str) -> bool:
        """Whether every word of a text is in the list; marks and spaces are not looked at."""
        return all(word.text.casefold() in self.words for word in words(text))

    def __str__(self) -> str:
        return self._told

    __repr__ = __str__

    def __eq__(self, other: object) -> bool:
        return isinstance(other, WordList) and other._told == self._told

    def __hash__(self) -> int:
        return hash(self._told)


def word_list(value: object) -> WordList | None:
    """The list in a file, by a path as seen from where botattack runs."""
    if value is None or isinstance(value, WordList):
        return value
    if not isinstance(value, str) or not value:
        raise BadValue(f"expected the path of a word list, found {shown(value)}")
    try:
        found = WordList(Path(value).expanduser())
    except OSError as error:
        raise BadValue(f"the word list {value!r} cannot be read: {reason(error)}") from None
    except UnicodeDecodeError:
        raise BadValue(f"the word list {value!r} is not UTF-8 text") from None
    if not found.words:
        raise BadValue(f"the word list {value!r} contains no word")
    return found


Vocabulary = Annotated[WordList | None, Read(word_list, {"type": ["string", "null"]})]
