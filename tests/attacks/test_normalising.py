"""What a normaliser makes of a message, with a speller that knows the words of the questions alone."""

from __future__ import annotations

import pytest

from botattack.attacks.combined.normalising import normalised

WORDS = {
    word.lower(): word for word in ("Where", "may", "I", "barbecue", "on", "the", "meadow", "in", "Norway", "can't")
}


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("Where may I bsrbecue?", "Where may I barbecue?"),
        ("Where may I barb3cue?", "Where may I barbecue?"),
        ("Where may I barbecue on the mowdae?", "Where may I barbecue on the mowdae?"),
        ("Where may I barbecue in Nroway?", "Where may I barbecue in Norway?"),
        ("WHERE MAY I BАRBECUE?", "Where may I barbecue?"),
        ("Where may I barbeϲue?", "Where may I barbecue?"),
        ("WHERE MAY I BARBECUE ՕN THE MEADՕW?", "Where may I barbecue on the meadow?"),
        ("Where may I ｂａｒｂｅｃｕｅ?", "Where may I barbecue?"),
        ("Where may I camp on the shadow?", "Where may I camp on the meadow?"),
        ("", ""),
    ],
)
def test_a_word_becomes_the_nearest_known_one_if_there_is_one(written: str, meant: str) -> None:
    assert normalised(written, WORDS) == meant


@pytest.mark.parametrize("known", ["can't", "can’t"])
@pytest.mark.parametrize(
    "written",
    ["I can't log in", "I can’t log in", "I CAN’T LOG IN", "I cna't log in", "I cna’t log in", "I cant log in"],
)
def test_an_apostrophe_is_written_as_in_the_known_word(known: str, written: str) -> None:
    assert normalised(written, {word.lower(): word for word in ("I", known, "log", "in")}) == f"I {known} log in"


@pytest.mark.parametrize("written", ["I can't log in", "I can’t log in"])
def test_a_word_that_is_known_with_either_apostrophe_stays(written: str) -> None:
    known = ("I", "can't", "can’t", "log", "in")
    assert normalised(written, {word.lower(): word for word in known}) == written


def test_without_words_nothing_is_spelled_in_another_way() -> None:
    assert normalised("Where may I bsrbecue?", {}) == "Where may I bsrbecue?"
