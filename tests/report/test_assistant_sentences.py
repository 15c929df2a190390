"""The sentences and tables of what a bot obeyed, cited and remembered: each has its figures and names."""

from __future__ import annotations

import io
from dataclasses import replace
from typing import get_args

import pytest

from botattack.report.figures.assistant import AssistantFigures
from botattack.report.figures.citations import Check, CitedRow
from botattack.report.figures.obeyed import OUTCOMES, Answers, ObeyedRow
from botattack.report.figures.remembered import SAID, RememberedRow
from botattack.report.figures.shares import Sample, Share
from botattack.report.printing import console
from botattack.report.stories.assistant import SHOWN, assistant
from botattack.report.story.blocks import Block, Examples, Section, Sentence, Story, Table
from botattack.report.story.in_terminal import show
from botattack.report.wording import assistant_words as words
from botattack.report.wording.words import terms

ROW = ObeyedRow(
    "word",
    "note",
    "in the request",
    {what: Answers(kept=1000 * number) for number, what in enumerate(OUTCOMES)},
    Share(1200, 2400, 0.5, (0.4, 0.6)),
    Share(0, 1500),
    beyond=1200,
)


def remembered(**shares: tuple[int, int]) -> list[RememberedRow]:
    names = {name.replace("_", " "): share for name, share in shares.items()}
    return [RememberedRow(name, dict.fromkeys(SAID, 0), Share(*share)) for name, share in names.items()]


@pytest.mark.parametrize(
    ("row", "alone"),
    [
        (ROW, "0/1,500"),
        (replace(ROW, control=Share(3, 1500), alone=Answers(lost=1100)), "3/1,500 (1,100)"),
        (replace(ROW, control=Share(), alone=Answers(lost=4)), "–"),
    ],
)
def test_a_line_of_an_instruction_ends_with_what_came_without_it(row: ObeyedRow, alone: str) -> None:
    ((name, *found, interval, without),) = words.obeyed_lines([row])
    assert (name, interval, without) == ("word, note", "40.0 – 60.0 %", alone)
    came = [what for what in OUTCOMES if row.outcomes[what].total or what == "obeyed"]
    assert found == [f"{row.outcomes[what].total:,}" for what in came]


def test_a_cell_counts_lost_answers_apart() -> None:
    lost = replace(ROW, outcomes={what: Answers(2000, 1000, 500) for what in OUTCOMES})
    ((_, first, *_),) = words.obeyed_lines([lost])
    assert first == "3,500 (1,000)"


@pytest.mark.parametrize(
    ("rows", "told"),
    [
        ([], ""),
        ([replace(ROW, share=Share(0, 2400))], ""),
        ([ROW], ("1,200 of 2,400 replies", "(system note)", ": 1,200 of 2,400; without the instruction 0 of 1,500")),
        ([replace(ROW, control=Share())], ("nothing was asked without it",)),
        # The clearer row is named, with its door if there are several, and what it does anyway is not obeyed.
        (
            [ROW, replace(ROW, style="plain", door="in the message", share=Share(1, 100), beyond=1)],
            ("1,201 of 2,500 replies", ", passages in the request): 1,200 of 2,400"),
        ),
    ],
)
def test_what_was_obeyed_is_counted_and_the_clearest_named(rows: list[ObeyedRow], told: tuple[str, ...]) -> None:
    sentence = words.obeyed(rows)
    assert bool(sentence) == bool(told)
    for piece in told:
        assert piece in sentence
    assert ("passages in" in sentence.partition("most clearly")[2]) == (len(rows) > 1)


@pytest.mark.parametrize(
    ("not_read", "unknown", "told"),
    [
        (0, 0, []),
        (1100, 0, ["1,100 of 3,500 replies"]),
        (0, 7, ["7 of 2,400 replies"]),
        (1100, 7, ["1,100 of", "7 of"]),
    ],
)
def test_what_the_bot_did_not_read_is_counted(not_read: int, unknown: int, told: list[str]) -> None:
    sentence = words.unread([replace(ROW, outcomes={"not read": Answers(not_read)}, unknown=unknown)])
    assert sentence.count(". ") + sentence.endswith(".") == len(told)
    for piece in told:
        assert piece in sentence


@pytest.mark.parametrize("doors", [1, 2])
def test_answers_that_passages_cost_alone_are_counted_once_a_door(doors: int) -> None:
    """A split instruction comes in two passages, so what these cost is counted, too."""
    row = replace(ROW, alone=Answers(kept=14, lost=4))
    rows = [replace(row, door=f"door {n}", style=style) for n in range(doors) for style in ("note", "plain", "split")]
    assert f"lost {2 * doors * 4} of {2 * doors * 18} answers" in words.alone(rows)
    assert words.alone([ROW]) == ""


def test_errors_and_calls_that_were_not_shown_are_said() -> None:
    assert words.errors([replace(ROW, errors=1000), replace(ROW, errors=234)]).startswith("1,234 without a reply")
    assert words.errors([ROW]) == ""
    tool = replace(ROW, action="tool", share=Share(0, 10), control=Share(0, 10))
    assert words.uncalled([tool])
    assert not words.uncalled([tool, replace(tool, control=Share(1, 10))])
    assert not words.uncalled([tool, replace(tool, share=Share(1, 10))])
    assert not words.uncalled([ROW])


def test_citations_are_counted_for_each_check_with_and_without_attacks() -> None:
    rows = [
        CitedRow(attack, check, Share(1000 * n, 2000, n / 2, (0.1, 0.2)))
        for check in get_args(Check)
        for attack, n in (("a", 0), ("b", 1), ("unchanged", 2))
    ]
    briefly = [*words.cited_briefly(rows)]
    assert [line[0].partition(" (")[0] for line in briefly] == [*get_args(Check)]
    assert {line[1:] for line in briefly} == {("1,000/4,000", "2,000/2,000")}
    assert {name for name, *_ in briefly if name.endswith("(fewer is better)")} == {
        "cites the planted (fewer is better)"
    }
    assert next(iter(words.cited_lines(rows[1:])))[1:] == ("b", "1,000/2,000", "50.0 %", "10.0 – 20.0 %")
    assert next(iter(words.cited_briefly(rows[:1])))[1:] == ("0/2,000", "–")
    assert not words.cites_nothing(rows)
    assert words.cites_nothing(rows[:1])


@pytest.mark.parametrize(
    ("rows", "told"),
    [
        (remembered(other_conversation=(7, 21)), "7 of 21 facts given in one were known in another"),
        (remembered(other_conversation=(7, 21), before=(0, 20)), "before they were given, 0 of 20 were known"),
        (remembered(other_conversation=(7, 21), before=(2, 20)), "2 of 20 were known, perhaps from an earlier run"),
        (remembered(other_conversation=(0, 21), before=(2, 20)), ""),
        (remembered(before=(2, 20)), ""),
    ],
)
def test_what_another_conversation_knew_is_counted(rows: list[RememberedRow], told: str) -> None:
    sentence = words.leaked(rows)
    assert sentence.endswith(told)
    assert bool(sentence) == bool(told)


@pytest.mark.parametrize(
    ("rows", "told"),
    [
        (remembered(for_everyone=(7, 21)), "7 of 21 facts given for everyone were known to another"),
        (remembered(for_everyone=(7, 21), after_forgetting=(2, 20)), "; 2 of 20 after it was asked to forget them"),
        (remembered(for_everyone=(0, 21), after_forgetting=(2, 20)), "; 2 of 20 after it was asked to forget them"),
        (remembered(for_everyone=(0, 21), after_forgetting=(0, 20)), ""),
        (remembered(for_everyone=(0, 21)), ""),
        (remembered(after_forgetting=(2, 20)), ""),
    ],
)
def test_what_one_user_taught_for_everybody_is_counted(rows: list[RememberedRow], told: str) -> None:
    sentence = words.poisoned(rows)
    assert sentence.endswith(told)
    assert bool(sentence) == bool(told)


def test_every_other_check_of_memory_is_counted_and_equal_ones_together() -> None:
    """Each is in one sentence: the own one of what is a fault, or that of all others."""
    names = terms("remembered")
    rows = [RememberedRow(check, dict.fromkeys(SAID, 1000), Share(n, 21)) for n, check in enumerate(names)]
    sentence = words.remembered(rows)
    for n, check in enumerate(names):
        other = (check == "other conversation" and words.leaked(rows)) or (
            check in ("for everyone", "after forgetting") and words.poisoned(rows)
        )
        assert (f"{n} of 21 {names[check]}" in sentence) == (not other and check != "before")
    first, second = [check for check in names if check not in ("before", "other conversation")][:2]
    equal = words.remembered([RememberedRow(check, {}, Share(3, 21)) for check in (first, second)])
    assert f"3 of 21 {names[first]}, {names[second]}" in equal
    assert words.remembered([]) == ""
    assert next(iter(words.remembered_lines(rows))) == (rows[0].check, *["1,000"] * len(SAID), "–", "–")


def sections(**found: object) -> dict[str, tuple[str, str, tuple[Block, ...]]]:
    """Of each section its id, where it is shown, and its blocks; those inside it stand behind it."""
    figures, every = AssistantFigures(**found), {}  # type: ignore[arg-type]
    left = [*assistant(figures, "kept")]
    for one in left:
        assert isinstance(one, Section)
        show(Story("", "", (one,)), console(io.StringIO()))
        every[str(one.title)] = (one.id, one.shown, one.blocks)
        left += [inner for inner in one.blocks if isinstance(inner, Section)]
    return every


def heads(blocks: tuple[Block, ...]) -> list[tuple[str, ...]]:
    return [one.header for one in blocks if isinstance(one, Table)]


def test_each_table_says_what_its_columns_are() -> None:
    assert sections() == {}
    (title,) = found = sections(obeyed=(ROW,))
    assert (title, found[title][:2]) == ("Instructions in passages", ("instructions", "everywhere"))
    assert heads(found[title][2]) == [("instruction", *words.outcomes([ROW]), "likely range", "without it")]
    cited = tuple(CitedRow(attack, get_args(Check)[0], Share(1, 20)) for attack in ("a", "unchanged"))
    found = sections(cited=cited)
    assert {title: told[:2] for title, told in found.items()} == {
        "Sources": ("sources", "everywhere"),
        "Sources, by attack": ("", "files"),
    }
    assert heads(found["Sources"][2]) == [("check", "yes", "unchanged")]
    assert heads(found["Sources, by attack"][2]) == [("check", "attack", "yes", "share", "95 % interval")]
    assert [one.numbers for one in found["Sources, by attack"][2] if isinstance(one, Table)] == [2]
    found = sections(cited=tuple(replace(row, share=Share(0, 20)) for row in cited))
    assert found["Sources"][:2] == ("sources", "files")
    assert "Sources, by attack" not in found
    found = sections(remembered=tuple(remembered(before=(1, 20))))
    assert found["Memory"][:2] == ("memory", "everywhere")
    assert heads(found["Memory"][2]) == [("asked", *SAID, "share", "95 % interval")]


def test_ways_of_sending_have_a_table_each_and_are_named_if_there_are_several() -> None:
    other = replace(ROW, door="in the message")
    for rows, doors in (((ROW,), []), ((ROW, replace(ROW, style="plain")), []), ((ROW, other), [other.door, ROW.door])):
        blocks = sections(obeyed=rows)["Instructions in passages"][2]
        named = [str(one.text) for one in blocks if isinstance(one, Sentence) and one.tone == "plain"]
        assert named == [f"Passages {door}:" for door in doors]
        assert len(heads(blocks)) == len({row.door for row in rows})
        assert sum(len(one.rows) for one in blocks if isinstance(one, Table)) == len(rows)


def test_a_reply_of_each_kind_is_an_example_with_what_it_is_shown_for() -> None:
    one = Sample("u1", "asked this", "about that", "said so")
    leaks = replace(one, reply="first"), replace(one, reply="later")
    wrong = terms("cited wrongly")
    found = sections(
        obeyed=tuple(
            replace(ROW, action=action, example=one, together=0.0) for action in ("word", "link", "repeat", "tool")
        ),
        cited=tuple(
            CitedRow("a", check, Share(1, 20), example=one if check in wrong else None) for check in get_args(Check)
        ),
        remembered=tuple(remembered(before=(1, 20))),
        leaks=leaks,
    )
    shown = {title: [one for one in told[2] if isinstance(one, Examples)] for title, told in found.items()}
    labels = {"Instructions in passages": "passage", "Sources": "not there", "Memory": "given elsewhere"}
    for title, label in labels.items():
        (examples,) = (each.items for each in shown[title])
        assert {fact[:2] for each in examples for fact in each.answers} == {
            (label, "about that"),
            ("got", "first" if title == "Memory" else "said so"),
        }
        assert all("kept" in each.command and each.unit == "u1" for each in examples)
        assert (
            len({str(each.title) for each in examples})
            == len(examples)
            == {"passage": 3, "not there": min(3, len(terms("cited wrongly")))}.get(label, 1)
        )
    assert SHOWN == 3
