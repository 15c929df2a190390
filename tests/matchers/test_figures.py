"""A rule whose cue is missing would have found nothing."""

from __future__ import annotations

from unittest.mock import patch

from hypothesis import given
from hypothesis import strategies as st

from botattack.matchers.figures import plain as figures
from botattack.matchers.figures.plain import plain

WORDS = (
    "a an the and half in of per cent dozen couple pair score once twice thrice third quarter two three four five "
    "ten thirteen nineteen twenty twenty-one fifties 1 2 12 45 100 1,5 1,000 1.000 1'000 3.25 1/2 ½ € $ eur USD "
    "million k m m2 m² m^2 m³ cubic metres square sq. kilometres feet minutes hour day weeks year century bce "
    "300bce b.c.e. '68 1900s 1800s 19 60s oh o four every each other daily fortnight biweekly times half-yearly "
    "for is first second world war wwi WW2 Henry VIII Eighth none not any nothing at all costs free no charge 0 "
    "euros between one time pound fifty below zero minus degrees × * 5*3 multiplied by \u2212 5\u20326\u2033 "
    "\u0663 f\u0131fties tw\u0131ce da\u0131ly th\u0131rd \u017fq t\u0130mes HALF"
)
TEXTS = st.lists(
    st.tuples(st.sampled_from(WORDS.split()), st.sampled_from([" ", " ", " ", "", "-", ", ", ".\n"])), max_size=12
).map(lambda parts: "".join(word + joint for word, joint in parts))


class Everything(str):
    """A text that holds every cue."""

    __slots__ = ()

    def __contains__(self, cue: object) -> bool:
        return True


@given(TEXTS)
def test_cues_miss_nothing(text: str) -> None:
    quick = plain.__wrapped__(text)
    with patch.object(figures, "cue_form", lambda _: Everything()):
        slow = plain.__wrapped__(text)
    assert (quick and quick.text) == (slow and slow.text)
