"""What is quick to cut is cut as the full patterns cut it."""

from __future__ import annotations

import re
from unittest.mock import patch

from hypothesis import given
from hypothesis import strategies as st

from botattack.matchers import sentences as module
from botattack.matchers.sentences import clause_of, is_in_first, sentence_of, sentences

PARTS_IN_ONE = (
    ". ! ? .. ?! .) .' … 。 ！ \n \r \t | || A Ab a b. Mr. e.g. U.S. 3.5 -- - , ; : ( ) – — but But because instead of "
    "instead since wh\u0131le in\u017ftead é x"
)
PARTS = PARTS_IN_ONE.split(" ")
FULL = re.compile(r"[.!?]+[\"')\]]*|[\n\r\u2026\u3002\uff01\uff1f]|(?<=\S)\s{2,}(?=[A-Z])")
"""Every mark between sentences."""
PIECES = [part.replace("|", " ") for part in PARTS] + [" "] * 8
PLAIN = [piece for piece in PIECES if piece.isascii() and piece.isprintable()]
TEXTS = st.one_of(*(st.lists(st.sampled_from(pieces), max_size=60).map("".join) for pieces in (PIECES, PLAIN)))


@given(TEXTS, st.integers(0, 60), st.integers(0, 9))
def test_the_quick_way_cuts_as_the_full_pattern_does(text: str, start: int, length: int) -> None:
    span = min(start, len(text)), min(start + length, len(text))
    quick = sentences(text), sentence_of(text, span), clause_of(text, span, (0, len(text)))
    with (
        patch.object(module, "_marks", FULL.finditer),
        patch.object(module, "_cuts", lambda _: module._CUT),
    ):
        assert quick == (sentences(text), sentence_of(text, span), clause_of(text, span, (0, len(text))))


@given(TEXTS, st.integers(0, 60))
def test_what_is_surely_in_the_first_sentence_is(text: str, start: int) -> None:
    start = min(start, len(text))
    if is_in_first(text, start):
        assert sentence_of(text, (start, start + 1))[0] == 0
