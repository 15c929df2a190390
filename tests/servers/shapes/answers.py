"""Ten questions with quotes, dashes, lists and other letters, and what every bot here answers to them."""

from __future__ import annotations

import hashlib

ANSWERS = {
    "When do you open on Sundays?": "On Sundays we open at 10:30 – and close at 18:00.",
    'Do you ship to the "Isle of Man" – and what does it cost?': 'To the "Isle of Man" it is £4.95 – always.',
    "Which of these do you sell?\n- tea\n- coffee\n- “decaf”": "We sell two of them:\n- tea, loose\n- coffee, as beans",
    "Was heißt „Rückgabe“ auf Englisch?": "„Rückgabe“ heißt „return“; in jeder Größe.",
    "Is it true that 5 < 7 & 7 > 5?": "It is: 5 < 7 & 7 > 5.",
    "What is 100% of €20?": "100% of €20 is €20.",
    "Does C:\\temp\\new exist, or only /tmp?": "Only /tmp exists; C:\\temp\\new doesn't.",
    "چه ساعتی باز می‌کنید؟": "ما ساعت ۹ باز می‌کنیم.",
    'What is {{ name }} in {"to": "{{ name }}"}?': "{{ name }} is a placeholder; {} is an empty object.",
    "It’s late 🙂 — is anybody there?": "We’re here until 22:00 🙂 — even tonight.",
}
QUESTIONS = tuple(ANSWERS)

_OTHERS = (
    "Orders leave our warehouse within two days.",
    "You can pay by card or by invoice.",
    "Returns are free for thirty days.",
    "Our shop is next to the station.",
    "The warranty lasts for two years.",
    "Gift cards never expire.",
    "We repair what we sell.",
    "Delivery takes three days – or one, by express.",
    "Students get ten per cent off.",
    "Please bring the receipt.",
    "We close on public holidays.",
    "The blue model is sold out.",
)


def answer(message: str) -> str:
    """What the bots say to a message: always the same, and to most other messages something else."""
    if message in ANSWERS:
        return ANSWERS[message]
    digest = hashlib.sha256(message.strip().encode("utf-8", "replace")).digest()
    return f"{_OTHERS[digest[0] % 12]} {_OTHERS[(digest[0] + 1 + digest[1] % 11) % 12]}"
