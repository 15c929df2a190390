"""What a report lists has an end, and says how much it leaves out."""

from __future__ import annotations

import pytest

from botattack.cases import cases
from botattack.events import Event, RecordSkipped
from botattack.model import Edit
from botattack.report.figures.heat import Heat, HotQuestion, Troubles
from botattack.report.stories.asked import fragile_question, heated
from botattack.report.story.blocks import Examples, Sentence
from botattack.report.writers.material import material
from tests.report.streams import Asking, Try, ended, stream


def broken(number: int) -> list[Event]:
    """So many questions, each broken by an edit of a word of its own kind, and so many records that are none."""
    askings = [
        Asking(
            f"w{n} is it", tries=(Try("wrong", (Edit(0, "w", "v", "typo", relation=f"r{n}"),)), Try(attack="unchanged"))
        )
        for n in range(number)
    ]
    first, *others = stream(askings, end=ended())
    return [first, *(RecordSkipped(line=n, why="torn") for n in range(number)), *others]


@pytest.mark.parametrize("number", [20, 51])
def test_figures_keep_the_first_of_each_list_and_count_all(number: int) -> None:
    told = broken(number)
    found = material(lambda: told)
    assert len(found.findings) == min(number, 10)
    assert len(found.figures.causes) == min(number, 20)
    assert len(found.figures.skipped) == min(number, 50)
    assert found.figures.questions.bad_records == number
    heat = Heat()
    for case in cases(told):
        heat.add(case)
    assert len(heat.value()) == min(number, 50)


def hot(text: str, *tries: Try) -> HotQuestion:
    heat = Heat()
    for case in cases(stream([Asking(text, tries=tries)], end=ended())):
        heat.add(case)
    (found,) = heat.value()
    return found


def test_the_words_of_a_long_question_are_shown_up_to_the_sixtieth() -> None:
    text = " ".join(["a" * 50, *(f"word{n}" for n in range(99))])
    found = hot(text, Try("wrong", (Edit(0, "a", "b", "typo"),)))
    assert len(found.words) == 60
    assert found.words[0].text == "a" * 40 + "… (10 more characters)"
    assert found.words[-1].text == "word58"


def test_a_word_is_as_dark_as_often_as_its_edits_broke_the_bot() -> None:
    """Ten is for a word whose every edit did. An edit between two words touches the one that it changes."""
    text = "one two three four"
    tries = [
        Try("wrong", (Edit(4, "t", "d", "typo"),)),
        Try("correct", (Edit(6, "o", "a", "typo"),)),
        Try("wrong", (Edit(8, "three", "3", "typo"), Edit(14, "four", "4", "typo"))),
        Try("wrong", (Edit(18, "", "!", "added"),)),
        Try("wrong", (Edit(3, " ", "  ", "added"),)),
    ]
    found = hot(text, *tries)
    assert (found.broken, found.rated) == (4, 5)
    assert [(word.text, word.broken, word.rated) for word in found.words] == [
        ("one", 0, 0),
        ("two", 1, 2),
        ("three", 1, 1),
        ("four", 1, 1),
    ]
    pieces = heated(found.words)
    assert [piece.heat for piece in pieces if piece.text != " "] == [None, 5, 10, 10]
    assert "".join(piece.text for piece in pieces) == text


@pytest.mark.parametrize("number", [12, 13, 16])
def test_a_fragile_question_shows_twelve_variants_those_that_broke_first(number: int) -> None:
    verdicts = ("correct", "unsure", "error", "wrong")
    tries = [
        Try(verdicts[n % 4], (Edit(0, "w", f"v{n}", "typo"),), distance=20 - n)  # type: ignore[arg-type]
        for n in range(number)
    ]
    section = fragile_question(hot("who is it", *tries), "rec", ())
    (examples,) = (block for block in section.blocks if isinstance(block, Examples))
    states = [example.title.partition(":")[0] for example in examples.items]
    assert len(states) == 12
    assert states == sorted(states, key=["broken", "held", "unsure", "error"].index)
    left = [block.text for block in section.blocks if isinstance(block, Sentence)]
    more = number - 12
    assert [text.partition(" in ")[0] for text in left] == [f"{more} more variant{'s' * (more > 1)}"] * (more > 0)


def test_what_failed_is_counted_by_its_reason() -> None:
    troubles = Troubles()
    tries = (Try("error", (Edit(0, "w", "v", "typo"),)), Try("error", (Edit(0, "w", "u", "typo"),)), Try("correct"))
    for case in cases(stream([Asking("who", tries=tries)], end=ended())):
        troubles.add(case)
    assert troubles.kinds == {"timeout: no answer within 30 s": 2}
