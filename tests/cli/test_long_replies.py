"""Long replies in reports: the part that is shown is the one in which the bot broke."""

from __future__ import annotations

import itertools
import re
from pathlib import Path

import pytest

from botattack.report.escape import LIMIT, flowing
from tests.cli.conftest import Botattack

BEFORE = (
    'Thank you so much for reaching out! You asked: "{asked}" That is an excellent question, and many of our 12,000 '
    "customers ask it. Let me walk you through it step by step. Please note that our office was founded in 1998 and "
    "that we have 14 branches. After carefully checking our documentation, I can tell you the following: "
)
AFTER = " I hope this helps. If there is anything else, do call us at 0800 555 1234, and have a wonderful day!"
QUESTIONS = [
    ("What time does breakfast start?", "WHAT TIME DOES BREAKFAST START?"),
    ("Is there a pool?", "Is there a lool?"),
]
AROUND = [(BEFORE, AFTER), (BEFORE, AFTER * 5), ("", AFTER * 5), (BEFORE * 4, "")]
SAID = ["Breakfast is at 9 am.", "Sorry, I do not know that.", "No.", "The manager\nis Mary  Cole, not\tJohn."]


@pytest.mark.parametrize(("said", "around"), [*itertools.product(SAID, AROUND)])
@pytest.mark.parametrize(("question", "sent"), QUESTIONS)
def test_a_long_reply_is_cut_around_what_is_new_in_it(
    question: str, sent: str, said: str, around: tuple[str, str]
) -> None:
    usual, reply = (
        f"{around[0]}{text}{around[1]}".replace("{asked}", asked)
        for asked, text in ((question, "It is what you think it is."), (sent, said))
    )
    shown = flowing(reply, LIMIT, usual, sent)
    assert " ".join(said.split()) in shown
    left_out = sum(int(number.replace(",", "")) for number in re.findall(r"\((\d[\d,]*) (?:more )?characters", shown))
    text = re.sub(r"^\([\d,]+ characters before\) …|… \([\d,]+ more characters\)$", "", shown)
    assert len(text) + left_out == len(" ".join(reply.split()))
    assert len(text) <= LIMIT
    assert flowing(reply, LIMIT).startswith(" ".join(reply.split())[:LIMIT])


def test_reports_show_where_a_long_reply_broke(botattack: Botattack, campaign: Path, folder: Path) -> None:
    (folder / "bot.py").write_text(
        "import json, pathlib\n"
        'CAPITALS = json.loads((pathlib.Path(__file__).parent / "capitals.json").read_text())\n'
        "def answer(text):\n"
        '    known = {f"What is the famous capital of {country}?": city for country, city in CAPITALS.items()}\n'
        f"    return {BEFORE!r}.replace('{{asked}}', text) + f\"It is {{known.get(text, 'the town of Gotham')}}.\" + {AFTER!r}\n"  # noqa: E501
    )
    for name in ("md", "html"):
        ended = botattack("run", campaign, "--allow-code", "-o", f"report.{name}")
        assert ended.status == 0, ended
        examples = ended.out.count("    got ")
        assert 0 < examples == ended.out.count("Gotham"), ended.out
        report = (folder / f"report.{name}").read_text()
        assert report.count("Gotham") >= examples
        assert "more characters" in report
