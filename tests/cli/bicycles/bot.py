"""The support bot of a bicycle rental: it greets, answers in Markdown, and says goodbye, each time in other words.

It gives the entry that shares most words with the question; entries whose numbers are in deleted.txt are gone.
night.txt is the seed of its greetings.
"""

import re
from collections import Counter
from pathlib import Path
from random import Random

FOLDER = Path(__file__).parent
ENTRIES = [line.split(" | ") for line in (FOLDER / "faq.txt").read_text().splitlines()]
GREETINGS = [
    "Hello!",
    "Hi there!",
    "Hello there, nice to hear from you.",
    "Good day!",
    "Hey! Thanks for asking.",
    "Welcome to Pedal & Go!",
    "Thank you for your message.",
    "Sure, happy to help!",
    "",
]
FAREWELLS = [
    "",
    "Anything else?",
    "Have a nice ride!",
    "Is there anything else I can help you with?",
    "Enjoy your day!",
]
FALLBACK = "Sorry, I have no answer to that. Please ask our team at the counter."
DELETED = FOLDER / "deleted.txt"
NIGHT = FOLDER / "night.txt"
ASKED = Counter()
NEEDED = 0.6


def words(text):
    return set(re.findall("[a-z]+", text.lower()))


def answer(text):
    gone = {int(number) for number in DELETED.read_text().split()}
    entries = [entry for number, entry in enumerate(ENTRIES) if number not in gone]
    asked = words(text)

    def likeness(entry):
        known = words(entry[0])
        return len(asked & known) / max(1, len(asked | known))

    best = max(entries, key=likeness)
    body = best[1] if likeness(best) >= NEEDED else FALLBACK
    ASKED[text] += 1
    random = Random(f"{NIGHT.read_text()} {text} {ASKED[text]}")
    return "\n\n".join(part for part in (random.choice(GREETINGS), body, random.choice(FAREWELLS)) if part)
