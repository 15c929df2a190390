"""The reader that comes with botattack answers from passages in any script, and says from where."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Any

import pytest

from botattack.bots.reader import answer, asked_for
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


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("Who built it?", "name"),
        ("Where is it?", "name"),
        ("Which river is it?", "name"),
        ("When did it open?", "time"),
        ("In what year did it open?", "time"),
        ("How many steps has it?", "number"),
        ("How long is it?", "number"),
        ("Is it open?", "yes or no"),
        ("What is it?", "any"),
        ("It opened.", "any"),
        ("", "any"),
    ],
)
def test_what_kind_of_answer_a_question_wants(question: str, kind: str) -> None:
    assert asked_for(question) == kind


TOWN = "The river Sel is long. Its lake lies near Hanby."
NAMES = "The tale of the Count of Monte was written by the Earl of Hanby, van Dyck, Otto von Bern."
WHO = "Yesterday, Edith Marlow, old Ruth Pym, king, Olaf 2, 1911, and men saw cats."


@pytest.mark.parametrize(
    ("question", "passage", "order"),
    [
        # A time comes first, then what is near the words of the question, and only then another number.
        ("When did the Larkfield Tower open?", TOWER, ["1887", "built", "Edith Marlow", "312", "312 steps"]),
        ("How many people died on the bridge?", "In 1911, 40 people died on the bridge.", ["40", "1911"]),
        (
            "How many died?",
            "In 1911 forty, 7, A7, b, 20 men died.",
            ["20", "20 men", "7", "A7", "1911 forty", "1911", "b"],
        ),
        ("When did it open?", "It opened late, at 9, on 3 June 1911, with 12345 men.", ["3 June 1911", "12345", "9"]),
        ("When was it opened?", "It was opened in May, 1902, with 40 men.", ["1902", "40", "40 men"]),
        # Names have capitals, but so has the first word of a sentence.
        ("Who saw cats?", WHO, ["Ruth Pym", "Edith Marlow", "Yesterday", "old Ruth Pym", "men", "Olaf 2", "king"]),
        ("What saw cats?", WHO, ["men", "Ruth Pym", "Edith Marlow", "Olaf 2", "old Ruth Pym", "king", "1911"]),
        ("Who wrote of the Count of Monte?", NAMES, ["Earl of Hanby", "Otto von Bern", "van Dyck", "written", "tale"]),
    ],
)
def test_answers_are_in_the_order_of_their_kind_and_of_what_is_near(
    question: str, passage: str, order: list[str]
) -> None:
    ranked: Any = answer(question, [passage])["ranked"]
    assert [one for one in ranked if one in order] == order


@pytest.mark.parametrize(
    ("question", "passages", "ranked"),
    [
        # Three sentences are read, eight words of an answer are said, and ten answers listed.
        ("What has it? The tower.", ["".join(f"The tower has thing{n}x. " for n in "abcde")], ["a", "b", "c"]),
        ("What has the tower?", [f"The tower has {', '.join(f'thing{n}x' for n in 'abcdefghijkl')}."], [*"abcdefghij"]),
        # A sentence needs a fifth of the question's words, of which those beside it in the passage count two fifths.
        ("Who saw black cats dancing?", ["thingax saw."], ["a"]),
        ("Who saw seven black cats dancing yesterday evening?", ["thingax saw."], []),
        ("Who saw Hanby dancing?", ["The thingax is long. Its lake lies in Hanby."], []),
        ("Where is Hanby?", ["The thingax is long. Its lake lies in Hanby."], ["a"]),
    ],
)
def test_what_is_read_is_bounded(question: str, passages: list[str], ranked: list[str]) -> None:
    found: Any = answer(question, passages).get("ranked", [])
    assert [one[5] for one in found if one.startswith("thing")] == ranked


def test_a_long_answer_has_eight_words() -> None:
    assert answer("What saw Ruth?", ["Ruth saw one red green blue black white pink grey gold brown."])["text"] == (
        "one red green blue black white pink grey"
    )


@pytest.mark.parametrize(
    ("said", "sources"),
    [
        ("large black cats dancing", 2),
        ("large black cats dancing yesterday evening outside Hanby station under small trees", 1),
    ],
)
def test_another_hop_is_a_tenth_of_the_question(said: str, sources: int) -> None:
    fields: Any = answer(f"Who saw seven {said}?", [f"Anna saw {said}.", "Seven dwarfs lived."])["fields"]
    assert len(fields["sources"]) == sources
