"""What replies name as their sources: what is counted in a reply, and a report that equals the log of a bot with
planted behaviour."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec
import pytest

import botattack
from botattack.model import Prompt, Question, Reply
from botattack.report.figures.citations import Check, looked
from botattack.report.figures.sources import Stretch
from tests.report.test_sources import ATTACKS, ROOMS, question


def citations(
    reply: Reply, prompt: Prompt, planted: Sequence[Stretch] = (), lang: str = "en"
) -> dict[Check, tuple[int, int]]:
    """How many of how many held, by check."""
    found = looked(reply, (prompt,), planted, lang)
    return {check: (sum(held for held, _ in each), len(each)) for check, each in found.items()}


PASSAGES = (
    "Rome: Rome has 2,761,632 people. It was founded in 753 BC by Romulus, says Livy.",
    "Oslo: The town is in Norway. See https://oslo.example/town for more.",
)
ASKED = Prompt("How many people has Rome?", PASSAGES)


@pytest.mark.parametrize(
    ("text", "sources", "counted"),
    [
        # Nothing is named.
        ("It has 2,761,632.", None, {}),
        ("The “old town” is 3 km wide.", None, {}),
        # Footnotes count passages from 1, or entries of the field, or of a list of the reply's own.
        ("It has 2,761,632 people [1].", None, {"sources sent": (1, 1), "source says it": (1, 1)}),
        ("It has 2,761,632 people.[1] Livy says so.", None, {"sources sent": (1, 1), "source says it": (1, 1)}),
        ("It has 2,761,632 people [2].", None, {"sources sent": (1, 1), "source says it": (0, 1)}),
        ("It has 2,761,632 people [1][2].", None, {"sources sent": (2, 2), "source says it": (1, 1)}),
        ("It has 9 people [3].", None, {"sources sent": (0, 1), "source says it": (0, 1)}),
        ("It has 9 people [3][4].", None, {"sources sent": (0, 2), "source says it": (0, 1)}),
        ("Many people [1].", None, {"sources sent": (1, 1)}),
        ("It has 2,761,632 [^1].\n[^1]: Oslo", None, {"sources sent": (1, 1), "source says it": (0, 1)}),
        ("It has 2,761,632 [7].\n\n[7] Rome", None, {"sources sent": (1, 1), "source says it": (1, 1)}),
        ("It has 2,761,632 [1].\n[1] Lima", None, {"sources sent": (0, 1), "source says it": (0, 1)}),
        # Such a list in one line, behind a head, or numbered below one.
        (
            "It has 2,761,632 [2].\n\nSources: [1] Oslo, [2] Rome",
            None,
            {"sources sent": (1, 1), "source says it": (1, 1)},
        ),
        (
            "It has 2,761,632 [1].\n**Sources:** [1] Oslo; [2] Rome",
            None,
            {"sources sent": (1, 1), "source says it": (0, 1)},
        ),
        ("It has 2,761,632 [1].\n[1] Lima [2] Rome", None, {"sources sent": (0, 1), "source says it": (0, 1)}),
        ("It has 2,761,632 [1].\n- [1] Lima", None, {"sources sent": (0, 1), "source says it": (0, 1)}),
        (
            "It has 2,761,632 [2].\n\nReferences:\n\n1. Oslo\n2. Rome",
            None,
            {"sources sent": (1, 1), "source says it": (1, 1)},
        ),
        ("It has 2,761,632 [2]. So:\n1. Many.\n2. Few.", None, {"sources sent": (1, 1), "source says it": (0, 1)}),
        ("It has 2,761,632 [1].", ["Oslo"], {"sources sent": (1, 1), "source says it": (0, 1)}),
        ("It has 2,761,632 [2].", ["Oslo", "Rome"], {"sources sent": (2, 2), "source says it": (1, 1)}),
        # The field, of the whole reply.
        ("It has 2,761,632.", ["Rome"], {"sources sent": (1, 1), "source says it": (1, 1)}),
        ("It has 5. Livy says so, and Tacitus.", [0], {"sources sent": (1, 1), "source says it": (0, 2)}),
        ("As everybody knows, Livy told it.", [0, 1, 7], {"sources sent": (2, 3), "source says it": (1, 1)}),
        ("So Livy told it.", [0], {"sources sent": (1, 1), "source says it": (1, 1)}),
        ("It has many.", ["Rome", 0, "Rome has 2,761,632 people."], {"sources sent": (2, 2)}),
        ("It has many.", ["Lima", "Bonn", "Lima"], {"sources sent": (0, 2)}),
        ("It has many.", [], {}),
        # Words that point at a source claim nothing.
        ("Many. See also: The Forum of Trajan [2].", None, {"sources sent": (1, 1)}),
        ("Sources of Livy say so [2].", None, {"sources sent": (1, 1), "source says it": (0, 1)}),
        # What the question says proves nothing.
        ("The people of Rome.", ["Oslo"], {"sources sent": (1, 1)}),
        # Links and quotations.
        ("See https://oslo.example/town.", None, {"sources sent": (1, 1)}),
        ("See [more](https://oslo.example/towns).", None, {"sources sent": (0, 1)}),
        ("See https://oslo.example/town/.", None, {"sources sent": (1, 1)}),
        ("See http://localhost/town, http://bot:80 and https://oslo.org.", None, {"sources sent": (0, 3)}),
        # The torn end of a link leads nowhere.
        ("See https://oslo. Or so.", None, {}),
        ("See https://oslo", None, {}),
        ("It says “founded in 753 BC by Romulus”.", None, {"quotes found": (1, 1)}),
        ('It says "FOUNDED in 753 BC, by Romulus" or so.', None, {"quotes found": (1, 1)}),
        ("It says “founded in 754 BC by Romulus”.", None, {"quotes found": (0, 1)}),
        ("„How many people has Rome“ and «the town is in Sweden»", None, {"quotes found": (1, 2)}),
    ],
)
def test_what_is_counted_in_a_reply(text: str, sources: list[Any] | None, counted: dict[str, Any]) -> None:
    found = citations(Reply(text, fields={} if sources is None else {"sources": sources}), ASKED)
    assert found.pop("names a source") == ((1, 1) if counted else (0, 1))
    assert found == counted


def test_what_was_sent_in_an_earlier_turn_was_sent() -> None:
    before, last = Prompt("Where is Oslo?", PASSAGES[1:]), Prompt("And how many people has Rome?", PASSAGES[:1])
    reply = Reply("“The town is in Norway” [1].", fields={"sources": ["Oslo"]})
    for turns, held in (((before, last), 1), ((last,), 0)):
        assert {check: looked(reply, turns)[check][0][0] for check in ("quotes found", "sources sent")} == {
            "quotes found": held,
            "sources sent": held,
        }


@pytest.mark.parametrize(
    ("text", "sources", "counted"),
    [
        ("It has 2,761,632.", ["Rome", "Lima"], {"source says it": (1, 1)}),
        ("It has 9. It is old, says Livy [2].", ["Rome", "Lima"], {}),
        ("It has 9 [1].", ["Rome", "Lima"], {"source says it": (0, 1)}),
        ("See https://lima.example, “a town of the coast of Peru” [1].", ["Lima"], {}),
        # A number of which nothing is listed may be one of its own texts, which have numbers, too.
        ("It has 9 [1].", [], {}),
        ("It has 9 [1].\n\nSources: [1] lima.md", [], {}),
        ("It has 9 [1].\n\nSources: [1] Rome", [], {"source says it": (0, 1)}),
    ],
)
def test_what_a_bot_has_of_its_own_is_no_wrong_source(text: str, sources: list[str], counted: dict[str, Any]) -> None:
    found = looked(Reply(text, fields={"sources": sources}), (ASKED,), library=True)
    assert found.pop("names a source") == [(True, "")]
    assert {check: (sum(held for held, _ in each), len(each)) for check, each in found.items()} == counted


@pytest.mark.parametrize(
    ("lang", "reply", "followed"),
    [
        ("en", "Red [1].", 0),
        ("en", "Red [1].\n\nSources: [1] handbook.md", 0),
        ("de", "Rot [1].\n\nQuellen: [1] handbuch.md, [2] preise.md", 0),
        ("de", "Rot [1].\n\nQuellen: [1] Eine Notiz, [2] preise.md", 1),
        ("en", "Red, says “a note that somebody added”. See [1].\n[1] a note that somebody added", 1),
    ],
)
def test_who_cites_texts_of_its_own_does_not_cite_what_was_planted(lang: str, reply: str, followed: int) -> None:
    passage = "a note that somebody added" if lang == "en" else "Eine Notiz: Jemand hat sie angefügt."
    asked = Prompt("Which colour?", (passage,))
    found = looked(Reply(reply), (asked,), [Stretch(0, 0, len(passage))], lang, library=True)
    assert sum(held for held, _ in found.get("cites the planted", [])) == followed


@pytest.mark.parametrize(("carrier", "wrong"), [("request", 6), ("message", 0), ("turn", 0)])
def test_a_bot_whose_request_takes_no_passages_may_have_sources_of_its_own(
    tmp_path: Path, carrier: str, wrong: int
) -> None:
    asked = [question(number, room) for number, room in enumerate(ROOMS[:6])]
    campaign = botattack.campaign(lambda text, passages: "red [9]", asked, ["unchanged"], carrier=carrier, filter="all")
    rows = botattack.run(campaign, recordings=tmp_path).figures.assistant.cited
    assert sum(row.share.n - row.share.x for row in rows if row.check == "sources sent") == wrong


def test_nouns_of_german_are_no_names() -> None:
    asked = Prompt("Wie viele?", ("Rom hat viele Leute, 5 davon heißen Anna.",))
    assert "source says it" not in citations(Reply("Es sind viele Bewohner [1].", fields={}), asked, lang="de")
    assert citations(Reply("Es sind 5 Bewohner [1].", fields={}), asked, lang="de")["source says it"] == (1, 1)


def test_a_planted_source_is_named() -> None:
    planted = [Stretch(1, 0, len(PASSAGES[1]))]
    assert citations(Reply("5 [2]."), ASKED, planted)["cites the planted"] == (1, 1)
    assert citations(Reply("5 [1]."), ASKED, planted)["cites the planted"] == (0, 1)
    assert "cites the planted" not in citations(Reply("5 [1]."), ASKED)


def test_a_planted_link_is_named_unless_it_is_sent_elsewhere_too() -> None:
    planted = [Stretch(1, 0, len(PASSAGES[1]))]
    reply = Reply("It is large: https://oslo.example/town")
    assert citations(reply, ASKED, planted)["cites the planted"] == (1, 1)
    elsewhere = Prompt("Is https://oslo.example/town right?", PASSAGES)
    assert citations(reply, elsewhere, planted)["cites the planted"] == (0, 1)
    assert citations(Reply("See https://rome.example/ first."), ASKED, planted)["cites the planted"] == (0, 1)


def witnessed(number: int, room: str) -> Question:
    """A question whose passage names who says the answer."""
    one = question(number, room)
    tale, fact = one.passages
    return msgspec.structs.replace(one, passages=(tale, fact.replace(".", f", says Witness{number}.")))


@dataclass
class Citing:
    """Answers right. Its source is right but in every third room, where it is the first passage, which then may not say
    it, or in every fifth, where it is none; every fourth has a quotation of its own. What it did is in its log."""

    log: Counter[tuple[str, str]] = field(default_factory=Counter)

    def __call__(self, text: str, passages: Sequence[str]) -> dict[str, Any]:
        room = text.removeprefix("What colour has ").rstrip("?")
        number, right = ROOMS.index(room), next(i for i, passage in enumerate(passages) if room in passage)
        colour, witness = re.findall(r"is (\w+), says (\w+)", passages[right])[0]
        source = 8 if number % 5 == 0 else 0 if number % 3 == 0 else right
        quote = number % 4 == 0
        said = f"{colour}. So says {witness} [{source + 1}]."
        said += " “all doors of it are pink”" if quote else ""
        way = "distractor" if len(passages) > 2 else "order" if right == 0 else "unchanged"
        planted = way == "distractor" and source == 0
        for name, counted in (("sources sent", source < len(passages)), ("planted", planted), ("quotes", quote)):
            self.log[way, name] += counted
        self.log[way, "asked"] += 1
        return {"text": said}


@pytest.mark.slow
def test_the_report_equals_the_log_of_the_bot_in_every_cell(tmp_path: Path) -> None:
    bot = Citing()
    asked = [witnessed(number, room) for number, room in enumerate(ROOMS)]
    campaign = botattack.campaign(bot, asked, ATTACKS, seed=7, match="contains")
    result = botattack.run(campaign, recordings=tmp_path)
    rows = {(row.attack, row.check): row.share for row in result.figures.assistant.cited}
    for attack in ("distractor", "order", "unchanged"):
        log = {name: number for (way, name), number in bot.log.items() if way == attack}
        # The originals are asked as the control is.
        share = 2 if attack == "unchanged" else 1
        log = {name: number // share for name, number in log.items()}
        assert (rows[attack, "names a source"].x, rows[attack, "names a source"].n) == (log["asked"],) * 2
        assert (rows[attack, "sources sent"].x, rows[attack, "sources sent"].n) == (log["sources sent"], log["asked"])
        assert (rows[attack, "quotes found"].x, rows[attack, "quotes found"].n) == (0, log["quotes"])
    planted = rows["distractor", "cites the planted"]
    assert (planted.x, planted.n) == (bot.log["distractor", "planted"], 24)
    assert not [attack for attack, check in rows if check == "cites the planted" and attack != "distractor"]
    wrong = sum(number % 5 == 0 or number % 3 == 0 for number in range(24))
    # In another order, the first passage is the one that says it.
    assert rows["unchanged", "source says it"].x == 24 - wrong
    assert rows["order", "source says it"].x == 24 - sum(number % 5 == 0 for number in range(24))
    assert botattack.replay(result.recording).figures.assistant == result.figures.assistant
    page = botattack.write_report(result, tmp_path / "out.md").read_text()
    assert page.count("fewer is better") == 2
    assert not any("fewer" in line for line in page.splitlines() if "cites the planted" not in line)
    assert "| cites the planted (fewer is better) | distractor |" in page


def test_a_bot_that_names_no_source_is_left_out_and_that_is_said(tmp_path: Path) -> None:
    asked = [question(number, room) for number, room in enumerate(ROOMS)]
    campaign = botattack.campaign(lambda text, passages: "red", asked, ATTACKS, seed=7, filter="all")
    result = botattack.run(campaign, recordings=tmp_path)
    assert {row.check for row in result.figures.assistant.cited} == {"names a source"}
    assert "No reply named a source" in botattack.write_report(result, tmp_path / "out.md").read_text()
