"""What a user sees of the default judge, whatever it weighs: clear replies, refusals, its span and its reason."""

from __future__ import annotations

import json
import re
from functools import cache
from importlib.resources import files
from pathlib import Path

import pytest
import yaml

import botattack
from botattack.matchers.judge import Judge
from botattack.matchers.learned import Learned
from botattack.matchers.reasons import CAPS
from botattack.model import GoldAnswer, Prompt, Reply, Verdict

CAPITAL = "What is the capital of France?"
REFUSALS = (
    "Sorry, I did not get that.",
    "What?",
    "I can only talk about trains.",
    "All that I can offer you here and now is help.",
    "I only know Paris and Rome.",
)


def judged(reply: str, *gold: str, question: str = CAPITAL, regex: bool = False) -> Verdict:
    answers = tuple(GoldAnswer(text, regex) for text in gold)
    return Judge(refusals=REFUSALS).judge(Prompt(question), Reply(reply), answers, ())


@pytest.mark.parametrize(
    ("reply", "kind"),
    [
        ("Paris", "correct"),
        ("The capital of France is Paris.", "correct"),
        ("The capital of France is Lyon.", "wrong"),
        ("It is not Paris, it is Lyon.", "wrong"),
        ("I don't know.", "refused"),
    ],
)
def test_clear_replies(reply: str, kind: str) -> None:
    assert judged(reply, "Paris").kind == kind


@pytest.mark.parametrize("reply", ["Massachusettes", "massachusetts!", "It's in Massachusetts."])
def test_typos_and_spellings_are_taken(reply: str) -> None:
    assert judged(reply, "Massachusetts", question="In which state is Boston?").kind == "correct"


@pytest.mark.parametrize(
    ("reply", "kind"),
    [
        ("What?", "refused"),
        ("What? Paris!", "correct"),
        ("I can only talk about trains!!", "refused"),
        ("Oops. I can only talk about trains. Ask me about one.", "refused"),
        ("I only know Paris and Rome!", "refused"),
    ],
)
def test_refusals_of_the_target(reply: str, kind: str) -> None:
    assert judged(reply, "Paris").kind == kind


@pytest.mark.parametrize("greeting", ["Hello there, nice to hear from you.", "Thank you for your message.", ""])
@pytest.mark.parametrize("farewell", ["Enjoy your ride by train!", "Is there anything else?", ""])
def test_a_known_fallback_is_refused_whatever_stands_around_it(greeting: str, farewell: str) -> None:
    reply = " ".join((greeting, REFUSALS[2], farewell))
    assert judged(reply, "by train to Paris in April", question="How do I travel?").kind == "refused"


def test_a_known_fallback_beside_an_answer_is_none() -> None:
    assert judged(f"{REFUSALS[2]} But the capital of France is Paris.", "Paris").kind != "refused"


def test_an_answer_is_pointed_at_and_every_verdict_has_a_reason() -> None:
    reply = "Well, I would say it is Paris."
    verdict = judged(reply, "Lyon", "Paris")
    assert verdict.span is not None
    assert "Paris" in reply[slice(*verdict.span)]
    assert all(judged(text, "Paris").why for text in (reply, "It is Lyon.", "I don't know.", ""))


@cache
def said_of(side: str) -> re.Pattern[str]:
    """What a reason may say that speaks `for` a reply, or `against` one."""
    meanings = yaml.safe_load(files("botattack.matchers").joinpath("meanings.yaml").read_text("utf-8"))
    other = {"for": "against", "against": "for"}[side]
    told = [above for above, _ in meanings[side].values()] + [below for _, below in meanings[other].values()]
    patterns = [
        re.escape(each).replace(r"only\ \{\}", "(?:none|only .*)").replace(r"\{\}", ".*") for each in told if each
    ]
    return re.compile("|".join(patterns))


@pytest.mark.parametrize("name", ["yes-no", "figures", "names"])
def test_a_reason_says_nothing_that_speaks_against_its_verdict(name: str) -> None:
    told = set[str]()
    for line in (Path(__file__).parents[1] / f"verdicts/invented/{name}.jsonl").read_text("utf-8").splitlines()[::2]:
        row = json.loads(line)
        verdict = Judge().judge(
            Prompt(row["question"]), Reply(row["reply"]), tuple(GoldAnswer(each["text"]) for each in row["gold"]), ()
        )
        said, _, why = verdict.why.partition("; ")
        side = "for" if verdict.kind == "correct" else "against"
        assert not why or said_of(side).fullmatch(why), (row, verdict)
        assert not (verdict.kind == "correct" and said.startswith("no ")), (row, verdict)
        told.add(verdict.kind if why else "")
    assert told >= {"", "correct", "unsure"}


@pytest.mark.parametrize(
    ("gold", "reply", "kind"),
    [
        *((gold, "It is Rome.", "unsure") for gold in ("Rome and Milan", "Rome & Milan")),
        ("at most 12 kg", "at least 12 kg", "wrong"),
        ("The fee is 5 euros a day.", "The fee is 6 euros.", "wrong"),
        ("4 May 2024", "04/05/2024", "unsure"),
    ],
)
def test_what_lowered_a_verdict_is_its_reason(gold: str, reply: str, kind: str) -> None:
    found = judged(reply, gold, question="What is it?")
    assert (found.kind, found.why in CAPS.values()) == (kind, True)


def test_a_gold_pattern_is_a_pattern() -> None:
    assert judged("It is Paris.", "Par.s", regex=True).kind == "correct"
    assert judged("It is Lyon.", "Par.s", regex=True).kind == "wrong"


def test_without_gold_nothing_is_right_or_wrong() -> None:
    assert judged("Paris").kind == "unsure"
    assert judged("Sorry, I did not get that").kind == "refused"


@pytest.mark.parametrize("said", ["", " \n"])
@pytest.mark.parametrize("gold", ["Paris", ".*", "^\\s*$"])
def test_whatever_is_right_a_bot_that_said_nothing_has_refused(said: str, gold: str) -> None:
    assert judged(said, gold, regex=gold != "Paris").kind == "refused"


def test_a_reply_that_comes_again_is_judged_by_all_that_bears_on_it() -> None:
    """Verdicts are kept, and each of these is asked for after another on the same reply that differs in one thing."""
    plain, reply = Judge(Learned()), Reply("Good morning! It is Lyon.")
    paris, lyon = (GoldAnswer("Paris"),), (GoldAnswer("Lyon"),)
    setups: list[tuple[Judge, str, tuple[GoldAnswer, ...], tuple[Reply, ...]]] = [
        (plain, CAPITAL, paris, ()),
        (plain, CAPITAL, lyon, ()),
        (plain, "Is Lyon the capital of France?", lyon, ()),
        (Judge(Learned(correct=0.0001)), CAPITAL, paris, ()),
        (Judge(Learned(), refusals=("Good morning! It is Lyon.",)), CAPITAL, lyon, ()),
        (plain, CAPITAL, lyon, (Reply("Hello! It is Lyon."),)),
        (plain, CAPITAL, (GoldAnswer("l.on", regex=True),), ()),
        (plain, CAPITAL, (GoldAnswer("l.on"),), ()),
    ]
    first = [judge.judge(Prompt(question), reply, gold, own) for judge, question, gold, own in setups]
    again = [judge.judge(Prompt(question), reply, gold, own) for judge, question, gold, own in reversed(setups)]
    assert first == again[::-1]
    assert [verdict.kind for verdict in first[:2]] == ["wrong", "correct"]
    assert first[1].probability != first[2].probability
    assert first[3].kind == "correct"
    assert first[4].kind == "refused"
    assert "own reply" in first[5].why
    assert [verdict.kind == "correct" for verdict in first[6:]] == [True, False]


MESSAGES = (
    "Error {}.",
    "Service temporarily unavailable ({}). Please try again later.",
    "Sorry, something went wrong. Reference: A{}",
    '{{"error": "internal", "id": "{}"}}',
    "500 Internal Server Error",
    "Too many requests. Please slow down.",
    "Fehler {}: Bitte versuchen Sie es später noch einmal.",
    "Erreur {} : veuillez réessayer plus tard.",
    "Error {}: inténtelo de nuevo más tarde.",
    "خطای {}: لطفا بعدا دوباره تلاش کنید.",
)


@pytest.mark.parametrize("message", MESSAGES)
@pytest.mark.parametrize("match", ["learned", "contains"])
def test_an_error_message_gets_one_grade_whatever_was_asked(message: str, match: str) -> None:
    for question, gold in (
        ("How many rooms does the hotel have?", "84"),
        ("How many rooms does the hotel have?", "The hotel has 84 rooms."),
        ("Are dogs allowed?", "no"),
        ("Can I take my bicycle on the tram?", "yes"),
        ("Wer leitet den Verein?", "Mara Lindt"),
        ("ساعت کار موزه چیست؟", "ده تا شش"),
    ):
        for number in ("84", "0x2ab8", "E7"):
            assert botattack.judge(question, message.format(number), [gold], match=match).kind == "refused"


@pytest.mark.parametrize(
    ("question", "gold", "reply"),
    [
        ("What does error E7 mean?", "the drain is blocked", "Error E7: the drain is blocked."),
        ("When does it open?", "nine", "An error occurred while loading images. The museum opens at nine."),
        ("What did the report say?", "the pump failed", "Something went wrong: the pump failed."),
        ("What caused the crash?", "pilot error", "Pilot error, the report says."),
        ("What does the display show?", "Error 404", "Error 404"),
        ("What is the margin?", "3 %", "The error is 3 %."),
    ],
)
def test_an_answer_about_an_error_is_no_error_message(question: str, gold: str, reply: str) -> None:
    assert botattack.judge(question, reply, [gold]).kind == "correct"
