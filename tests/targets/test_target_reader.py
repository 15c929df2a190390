"""The reader that comes with botattack answers from passages in any script, and says from where."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from botattack.config.target import load_target
from botattack.model import Prompt, Reply
from tests.targets.asking import Tally, unit_of

pytestmark = pytest.mark.anyio
FILE = Path(__file__).parents[2] / "targets" / "bots" / "reader.yaml"
TOWER = "The Larkfield Tower was built by Edith Marlow. It opened in 1887. It has 312 steps and a small museum."
RIVER = "The river Sel is 48 miles long. Its source is a lake north of Hanby."
FILM = "Harbour Light: Harbour Light is a film that was directed by Edith Marlow."
BORN = "Edith Marlow: Edith Marlow was born in Hanby. She wrote plays."
PERSIAN = "برج آزادی در تهران است. حسین امانت برج آزادی را طراحی کرد. این برج در سال ۱۳۵۰ ساخته شد."


async def asked(text: str, *passages: str) -> Reply:
    target = load_target(FILE, environ={}, today=date(2026, 1, 1)).open()
    async with target.session(unit_of(text), Tally()) as session:
        return await session.ask(Prompt(text, passages))


@pytest.mark.parametrize(
    ("question", "right", "source"),
    [
        ("Who built the Larkfield Tower?", "Edith Marlow", "The Larkfield Tower was built by Edith Marlow."),
        ("In what year did the Larkfield Tower open?", "1887", "It opened in 1887."),
        ("How many steps has the Larkfield Tower?", "312", "It has 312 steps and a small museum."),
    ],
)
async def test_it_answers_in_words_of_the_kind_asked_for(question: str, right: str, source: str) -> None:
    reply = await asked(question, RIVER, TOWER)
    assert reply.text == right
    assert reply.ranked[0] == right
    assert reply.fields["sources"][0] == source
    again = await asked(question, RIVER, TOWER)
    assert (again.text, again.ranked, again.fields) == (reply.text, reply.ranked, reply.fields)


async def test_it_reads_persian() -> None:
    assert (await asked("برج آزادی در چه سالی ساخته شد؟", RIVER, PERSIAN)).text == "۱۳۵۰"


async def test_it_names_the_passage_of_the_other_hop() -> None:
    reply = await asked("Where was the person born who directed Harbour Light?", RIVER, FILM, BORN)
    assert any(source in FILM for source in reply.fields["sources"])
    assert any(source in BORN for source in reply.fields["sources"])


async def test_a_yes_no_question_gets_yes_or_no() -> None:
    assert (await asked("Was Harbour Light directed by Edith Marlow?", FILM)).text == "yes"
    assert (await asked("Was Harbour Light directed by Ruth Pym?", FILM)).text == "no"


@pytest.mark.parametrize("passages", [(), ("",), (RIVER,)])
async def test_it_declines_where_nothing_has_to_do_with_the_question(passages: tuple[str, ...]) -> None:
    refusal = (await asked("Which violin did Amati sell?", *passages)).text
    assert refusal in load_target(FILE, environ={}, today=date(2026, 1, 1)).refusals
