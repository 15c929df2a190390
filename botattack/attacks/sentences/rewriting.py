"""A rewritten text, as edits of the old one. Pure."""

from __future__ import annotations

import re
from difflib import SequenceMatcher

from botattack.attacks.building.parsed import ENDS
from botattack.model import Edit

_PIECE = re.compile(r"\w+(?:['’\u2010-]\w+)*|\s+|[^\w\s]")


def rewritten(before: str, after: str, kind: str) -> tuple[Edit, ...]:
    """Edits, word by word, that make the second text of the first; none where both are the same."""
    old, new = _PIECE.findall(before), _PIECE.findall(after)
    starts = [0]
    for piece in old:
        starts.append(starts[-1] + len(piece))
    changes = SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
    return tuple(
        Edit(starts[one], "".join(old[one:two]), "".join(new[three:four]), kind)
        for what, one, two, three, four in changes
        if what != "equal"
    )


def in_form_of(original: str, text: str, *, asks: bool = True) -> str:
    """A sentence with the first letter's case and the last mark of another; what does not ask has no question mark."""
    body = text.strip().rstrip(ENDS + " ")
    mark = original[len(original.rstrip(ENDS + " \n")) :]
    mark = mark if asks else mark.replace("?", ".")
    first, wanted = body[:1], original.lstrip()[:1]
    acronym = len(body) > 1 and body[:2].isupper()
    if wanted.islower() and not acronym:
        first = first.lower()
    elif wanted.isupper():
        first = first.upper()
    return first + body[1:] + mark
