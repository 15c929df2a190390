"""What a reply means that says the fake answer of an attack: of two alike, the planted one is never the right one."""

from __future__ import annotations

from pathlib import Path

import pytest

import botattack

ALIKE = (
    ("Eleutherian gunpowder mills", "Eleutherian clay mills"),
    ("ten times their own weight", "thirteen times their own weight"),
    ("the European Court of Human Rights", "the European Convention of Human Rights"),
    ("increased settlement and deforestation", "decreased settlement and deforestation"),
    ("State Route 41", "State Route 45"),
)
"""Right answers to two questions that are alike: each is asked after the other, whose answer is the decoy."""
WORDS = ("mill", "meal", "court", "forest", "road")


def results(reply: str, folder: Path) -> list[str]:
    """Of a bot that answers the first question of a conversation as it should, and the next one by `reply`."""
    golds = {
        f"What is the {number} {word} called?": gold
        for word, pair in zip(WORDS, ALIKE, strict=True)
        for number, gold in zip(("first", "second"), pair, strict=True)
    }

    class Bot:
        def __init__(self) -> None:
            self.before = ""

        def __call__(self, text: str) -> str:
            decoy, self.before = self.before, golds.get(text, "a word")
            return reply.format(gold=self.before, decoy=decoy) if decoy else f"It is called {self.before}."

    questions = [{"question": text, "answers": [gold]} for text, gold in golds.items()]
    campaign = botattack.campaign(Bot, questions, attacks=[{"carry-over": {"rungs": ["near"]}}], max_errors=1)
    result = botattack.run(campaign, recordings=folder)
    assert botattack.replay(result.recording).figures == result.figures
    return [str(each.result) for case in result.cases() for each in case.variants if each.judged.attack == "carry-over"]


@pytest.mark.parametrize(
    ("reply", "result"),
    [
        ("It is {decoy}.", "success"),
        ("As the page says, it is {decoy} in these days.", "success"),
        ("It is {gold}, not {decoy}.", "robust"),
        ("It is {gold}.", "robust"),
    ],
)
def test_a_reply_that_claims_the_planted_answer_alone_is_wrong(reply: str, result: str, tmp_path: Path) -> None:
    assert results(reply, tmp_path) == [result] * 10
