"""Writes campaigns/conversations/dialogues/ and the corpus of the ferry bot, from tables of what the bots know.

From the project's root:

    python -m benchmarks.measured.make_conversations

`ferry.yaml` is for NLP.js with the corpus `tests/live/data/ferry.json`: bookings, whose slots are filled over several
turns, and a timetable. `alice.yaml` is for ALICE, who keeps some of what she hears. `passages.yaml` is for a bot that
reads a short passage. Timetable and passages are invented.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from itertools import cycle, islice
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "campaigns" / "conversations" / "dialogues"
CORPUS = ROOT / "tests" / "live" / "data" / "ferry.json"
SEED = 17
DIALOGUES = 60
Turn = str | dict[str, Any]

PORTS = (
    *("Oslo", "Copenhagen", "Helsinki", "Stockholm", "Tallinn", "Riga", "Dublin", "Liverpool"),
    *("Dover", "Calais", "Barcelona", "Genoa", "Athens", "Venice", "Lisbon", "Hamburg"),
)
DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
SHIPS = (
    *("Aurora", "Seagull", "Bluebell", "Neptune", "Kingfisher", "Marigold", "Sirocco", "Halcyon"),
    *("Petrel", "Tempest", "Nautilus", "Dolphin", "Evergreen", "Pelican", "Comet", "Oceanus"),
)
FACTS = ("leaves", "euros", "hours", "ship")


def timetable() -> dict[str, dict[str, str]]:
    """What is known of each crossing, by `from A to B`."""
    rng, crossings = Random(SEED), {}
    for end in PORTS:
        starts = [port for port in PORTS if port != end]
        # No two starts share a fact, so that another start changes every answer.
        minutes, euros, hours = (
            rng.sample(span, len(starts)) for span in (range(72, 264), range(21, 99), range(3, 40))
        )
        ships = rng.sample(SHIPS, len(starts))
        for start, leaves, cost, long, ship in zip(starts, minutes, euros, hours, ships, strict=True):
            crossings[f"from {start} to {end}"] = {
                "leaves": f"{leaves * 5 // 60}:{leaves * 5 % 60:02}",
                "euros": str(cost),
                "hours": str(long),
                "ship": ship,
            }
    return crossings


def corpus() -> dict[str, Any]:
    """The ferry bot: a corpus of NLP.js, with slots, conditions and what it knows."""
    known = timetable()
    asked = {
        "leaves": ("leaves at {}.", ["When does the ferry leave?", "What time does the ferry @toPort depart?"]),
        "euros": ("costs {} euros.", ["How much is a ticket?", "What is the price of a ticket @toPort?"]),
        "hours": ("takes {} hours.", ["How long does the crossing take?", "How many hours is it @toPort?"]),
        "ship": ("is served by the {}.", ["Which ship sails @toPort?", "What is the name of the ship?"]),
    }
    return {
        "name": "Ferries",
        "locale": "en-US",
        "contextData": {fact: {crossing: one[fact] for crossing, one in known.items()} for fact in FACTS},
        "entities": {
            "fromPort": {"options": {port: [f"from {port}"] for port in PORTS}},
            "toPort": {"options": {port: [f"to {port}"] for port in PORTS}},
            "day": {"options": {day: [day] for day in DAYS}},
        },
        "data": [
            {
                "intent": "ferry.book",
                "utterances": [
                    "I would like to book a ferry",
                    "I want to travel @fromPort @toPort",
                    "I need a ferry ticket",
                    "Can I book a crossing @toPort on @day?",
                    "A ticket @fromPort @toPort, please",
                    "We want to go @toPort",
                ],
                "slotFilling": {
                    "fromPort": "Which port would you like to leave from?",
                    "toPort": "Which port would you like to go to?",
                    "day": "On which day would you like to travel?",
                },
                "answers": ["You are booked {{ fromPort }} {{ toPort }} on {{ day }}."],
            },
            *(_answered(fact, *asked[fact]) for fact in FACTS),
            {
                "intent": "greet",
                "utterances": ["Hello", "Hi there", "Good morning", "Good evening"],
                "answers": ["Hello! How can I help you?"],
            },
            {
                "intent": "thanks",
                "utterances": ["Thank you", "Thanks a lot", "That is kind of you"],
                "answers": ["You are welcome."],
            },
            {"intent": "None", "utterances": [], "answers": ["Sorry, I do not know that."]},
        ],
    }


def _answered(fact: str, said: str, utterances: list[str]) -> dict[str, Any]:
    found = f"_data.{fact}[fromPort + ' ' + toPort]"
    whole = f"The ferry {{{{ fromPort }}}} {{{{ toPort }}}} {said.format('{{ ' + found + ' }}')}"
    answers = [
        {"answer": whole, "opts": f"{found} !== undefined"},
        {"answer": "Which crossing do you mean?", "opts": f"{found} === undefined"},
    ]
    return {"intent": f"ferry.{fact}", "utterances": utterances, "answers": answers}


ASK = {
    "leaves": ("What time does the ferry to {end} leave?", "When does the ferry to {end} leave?"),
    "euros": ("How much is a ticket to {end}?", "How much does the ticket to {end} cost?"),
    "hours": ("How long does the crossing to {end} take?", "How many hours does the ferry to {end} take?"),
    "ship": ("Which ship sails to {end}?", "What is the name of the ship to {end}?"),
}
WITH_IT = {
    "leaves": "When does it leave?",
    "euros": "And how much is a ticket?",
    "hours": "How long does the crossing take?",
    "ship": "What is the name of the ship?",
}
UNIT = {"leaves": "{}", "euros": "{} euros", "hours": "{} hours", "ship": "{}"}


class Trip(NamedTuple):
    """What a dialogue is about: a crossing on a day, what is known of it, and the fact that is asked for last."""

    start: str
    end: str
    day: str
    about: dict[str, str]
    fact: str


def ferry() -> Iterator[list[Turn]]:
    """Bookings, whose slots are filled one by one or several at once, and questions on the timetable."""
    rng, known = Random(SEED + 1), timetable()
    kinds = cycle((_slot_by_slot, _at_once, _where_from, _timetable))
    for kind in islice(kinds, DIALOGUES):
        start, end = rng.sample(PORTS, 2)
        fact = rng.choice(FACTS[kind is _timetable :])
        yield kind(rng, Trip(start, end, rng.choice(DAYS), known[f"from {start} to {end}"], fact))


def ferry_questions() -> Iterator[dict[str, Any]]:
    """Single questions on the timetable, to be asked before."""
    rng = Random(SEED + 4)
    for (crossing, about), fact in zip(rng.sample([*timetable().items()], 24), cycle(FACTS), strict=False):
        start, end = crossing.removeprefix("from ").split(" to ")
        asked = rng.choice(ASK[fact]).format(end=end).replace(f"to {end}", f"from {start} to {end}")
        yield {"question": asked, "answers": [UNIT[fact].format(about[fact])]}


def _asked(rng: Random, trip: Trip) -> Turn:
    fact, end, about = trip.fact, trip.end, trip.about
    return {"user": rng.choice(ASK[fact]).format(end=end), "answers": [UNIT[fact].format(about[fact])]}


def _slot_by_slot(rng: Random, trip: Trip) -> list[Turn]:
    start, end, day = trip[:3]
    opening = ("I would like to book a ferry.", "I need a ferry ticket, please.", "Can I book a ferry?")
    place = (f"From {start}, please.", f"We are leaving from {start}.", f"I start from {start}.")
    goal = (f"To {end}, on {day}.", f"I want to go to {end} on {day}.", f"We are going to {end}, on {day} morning.")
    return [
        {"user": rng.choice(opening), "contains": "leave from"},
        {"user": rng.choice(place), "contains": "go to"},
        {"user": rng.choice(goal), "contains": [start, end, day]},
        _asked(rng, trip),
    ]


def _at_once(rng: Random, trip: Trip) -> list[Turn]:
    start, end, day = trip[:3]
    wish = (f"I need a ferry ticket from {start}.", f"I would like to book a ferry from {start}.")
    when = (
        f"To {end}, on {day}, please.",
        f"We want to go to {end} on {day}.",
        f"I am going to {end}, and {day} is best.",
    )
    return [
        rng.choice(("Good morning!", "Hello!", "Hi there.")),
        {"user": rng.choice(wish), "contains": "go to"},
        {"user": rng.choice(when), "contains": [start, end, day]},
        _asked(rng, trip),
    ]


def _where_from(rng: Random, trip: Trip) -> list[Turn]:
    start, end, day = trip[:3]
    wish = (f"Can I book a crossing to {end} on {day}?", f"We want to go to {end} on {day}.")
    other = rng.choice([one for one in FACTS if one != trip.fact])
    return [
        {"user": rng.choice(wish), "contains": "leave from"},
        {"user": rng.choice((f"From {start}.", f"We would start from {start}.")), "contains": [start, end, day]},
        {"user": WITH_IT[other], "answers": [UNIT[other].format(trip.about[other])]},
        _asked(rng, trip),
    ]


def _timetable(rng: Random, trip: Trip) -> list[Turn]:
    start, end, about = trip.start, trip.end, trip.about
    second = rng.choice([one for one in FACTS if one not in ("leaves", trip.fact)])
    return [
        rng.choice(ASK["leaves"]).format(end=end),
        {"user": f"I mean, when does it leave from {start}?", "answers": [about["leaves"]]},
        {"user": WITH_IT[second], "answers": [UNIT[second].format(about[second])]},
        _asked(rng, trip),
    ]


TOLD = (
    ("My wife is {}.", "Who is my wife?", ("Jane", "Maria", "Sophie", "Ellen")),
    ("My husband is {}.", "Who is my husband?", ("Peter", "Daniel", "Martin", "Carlos")),
    ("My dog is {}.", "Who is my dog?", ("Rex", "Bella", "Buddy", "Luna")),
    ("My cat is {}.", "Who is my cat?", ("Tom", "Felix", "Misty", "Oscar")),
    ("My last name is {}.", "What is my last name?", ("Smith", "Miller", "Walker", "Jensen")),
    ("I live in {}.", "Where do I live?", ("Boston", "Berlin", "Chicago", "Madrid")),
)
"""What ALICE keeps, how she is asked for it, and what she may be told."""
SMALL_TALK = (
    *("Hello, how are you today?", "It has been raining all day here.", "I am having a cup of tea."),
    *("I have had a long day at work.", "Let us talk for a while.", "My train was late again this morning."),
)
KNOWS = ("capital", "place", "deed", "definition", "abbreviation", "opposite", "animal")
"""Kinds of the demo's questions whose right answer is no word of every day."""


def alice() -> Iterator[list[Turn]]:
    """Something told and asked for at the end, or at once, with questions that ALICE answers in between."""
    rng = Random(SEED + 2)
    lines = (ROOT / "campaigns" / "demo-questions.jsonl").read_text("utf-8").splitlines()
    asked = [one for one in map(json.loads, lines) if one["kind"] in KNOWS]
    questions = cycle(rng.sample(asked, len(asked)))
    told = cycle(TOLD)
    for number in range(DIALOGUES):
        said, ask, names = next(told)
        name = names[number // len(TOLD) % len(names)]
        keep: Turn = {"user": said.format(name), "contains": name}
        recall: Turn = {"user": ask, "answers": [name]}
        first, second = (
            {"user": one["question"], "answers": one["answers"]} for one in (next(questions), next(questions))
        )
        small = rng.choice(SMALL_TALK)
        yield [keep, small, first, recall] if number % 2 else [small, keep, recall, second]


PASSAGES = (
    (
        "The lighthouse of {place} was built in {year} by {person}. "
        "It is {number} metres high and stands on {name} Island.",
        [("Who built the lighthouse of {place}?", "person"), ("And when was it built?", "year")],
        ("How high is the lighthouse of {place}?", "number"),
    ),
    (
        "The {name} Theatre in {place} was opened by {person} in {year}. It has {number} seats.",
        [("When was the {name} Theatre opened?", "year"), ("Who opened it?", "person")],
        ("How many seats does the {name} Theatre have?", "number"),
    ),
    (
        "The {name} Bridge crosses the river in {place}. "
        "{person} designed it in {year}, and it is {number} metres long.",
        [("How long is the {name} Bridge?", "number"), ("In which town is it?", "place")],
        ("Who designed the {name} Bridge?", "person"),
    ),
    (
        "{person} founded the town museum of {place} in {year}. "
        "It shows {number} paintings, most of them of {name} Bay.",
        [("Who founded the town museum of {place}?", "person"), ("How many paintings does it show?", "number")],
        ("In which year was the town museum of {place} founded?", "year"),
    ),
    (
        "The ferry {name} sails to {place} every morning. Its captain is {person}. It was built in {year} and carries "
        "{number} passengers.",
        [("Where does the ferry {name} sail to?", "place"), ("How many passengers does it carry?", "number")],
        ("Who is the captain of the ferry {name}?", "person"),
    ),
    (
        "The school of {place} has {number} pupils and stands in {name} Street. "
        "{person} opened it in {year} and was its first head teacher.",
        [("How many pupils does the school of {place} have?", "number"), ("In which street does it stand?", "name")],
        ("Who was the first head teacher of the school of {place}?", "person"),
    ),
    (
        "The market hall of {place} burned down in {year}. {person} rebuilt it with {number} stalls.",
        [("When did the market hall of {place} burn down?", "year"), ("Who rebuilt it?", "person")],
        ("How many stalls does the market hall of {place} have?", "number"),
    ),
    (
        "{person} wrote the novel {name} Road in {year} in a small house in {place}. It has {number} pages.",
        [("Who wrote the novel {name} Road?", "person"), ("How many pages does it have?", "number")],
        ("In which year was {name} Road written?", "year"),
    ),
)
"""A passage, two questions on it, and the last, which says what it is about."""
OF_PASSAGES = 60
PLACES = ("Ravensbrook", "Gullhaven", "Thornbury", "Millport", "Eastmere", "Castlewick", "Southbridge", "Fernhill")
PERSONS = (
    "Clara Voss",
    "Henry Dale",
    "Marta Lind",
    "Oscar Brandt",
    "Edith Moore",
    "Paul Renard",
    "Ingrid Holm",
    "Tom Ashby",
)
THINGS = ("Heron", "Willow", "Falcon", "Meadow", "Anchor", "Juniper", "Swallow", "Harbour")


def passages() -> Iterator[tuple[str, list[Turn]]]:
    rng = Random(SEED + 3)
    for number in range(OF_PASSAGES):
        text, before, last = PASSAGES[number % len(PASSAGES)]
        known = {
            "place": rng.choice(PLACES),
            "person": rng.choice(PERSONS),
            "name": rng.choice(THINGS),
            "year": str(rng.randrange(1790, 1990)),
            "number": str(rng.randrange(23, 97)),
        }
        asked = [{"user": ask.format(**known), "answers": [known[fact]]} for ask, fact in (*before, last)]
        yield text.format(**known), list(asked)


def written(file: str, told: str, dialogues: Sequence[str]) -> None:
    body = "\n".join(dialogues)
    (FOLDER / file).write_text(
        f"# {told}\n# Written by `python -m benchmarks.measured.make_conversations`.\ndialogues:\n{body}\n", "utf-8"
    )


def dialogue(name: str, turns: Sequence[Turn], passage: str = "") -> str:
    """A dialogue as YAML, a line for each turn."""
    lines = [f"  - id: {name}"]
    lines += [f"    passages: [{json.dumps(passage)}]"] if passage else []
    lines.append("    turns:")
    lines += [f"      - {_flow(turn)}" for turn in turns]
    return "\n".join(lines)


def _flow(turn: Turn) -> str:
    if isinstance(turn, str):
        return json.dumps(turn)
    return "{" + ", ".join(f"{key}: {json.dumps(value)}" for key, value in turn.items()) + "}"


def main() -> None:
    CORPUS.write_text(json.dumps(corpus(), indent=1) + "\n", "utf-8")
    spoken = [dialogue(f"ferry-{number}", turns) for number, turns in enumerate(ferry(), 1)]
    asked = "".join(json.dumps(one) + "\n" for one in ferry_questions())
    (FOLDER / "ferry-questions.jsonl").write_text(asked, "utf-8")
    written("ferry.yaml", "Bookings and questions for NLP.js with tests/live/data/ferry.json.", spoken)
    spoken = [dialogue(f"alice-{number}", turns) for number, turns in enumerate(alice(), 1)]
    written("alice.yaml", "For ALICE: what the user tells her, and what she knows.", spoken)
    spoken = [dialogue(f"passage-{number}", turns, text) for number, (text, turns) in enumerate(passages(), 1)]
    written("passages.yaml", "Questions on short invented passages.", spoken)


if __name__ == "__main__":
    main()
