"""Whatever a bot says, judging ends soon, never raises, and points into the reply."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from botattack.matchers.judge import Judge
from botattack.matchers.lexical import Contains, Exact, Fuzzy, Regex, TokenF1
from botattack.matchers.own import OwnReference
from botattack.model import GoldAnswer, Prompt, Reply
from botattack.protocols import Matcher
from tests.timing import quickest

MATCHERS: list[Matcher] = [Exact(), Contains(), TokenF1(), Fuzzy(), Judge(), OwnReference()]
PIECES = st.sampled_from(
    (
        "Paris",
        "not",
        "no",
        "is",
        "it",
        "isn't",
        "or",
        "Rome",
        ",",
        ".",
        "?",
        "if",
        "than",
        "but",
        "I don't know",
        "\n",
        "é",
        "法国",
        "twenty",
        "one",
        "15",
        "maybe",
        "the capital of Spain",
        "yes",
        "\u202e",
        "{{ 7*7 }}",
        "<b>",
        "sorry",
        "could be",
        "/",
        "\x00",
    )
)
NEAR_FIGURES = ("about 1,200", "at least 10", "people over 65", "20 % off tickets", "about 0")
TEXTS = st.one_of(st.text(), st.lists(PIECES, max_size=15).map(" ".join))
GOLDS = st.lists(st.one_of(TEXTS, PIECES, st.sampled_from(NEAR_FIGURES)).map(GoldAnswer), max_size=3).map(tuple)


@given(TEXTS, TEXTS, GOLDS, st.lists(TEXTS.map(Reply), max_size=2).map(tuple), st.sampled_from(MATCHERS))
def test_no_text_breaks_a_matcher(
    question: str, text: str, gold: tuple[GoldAnswer, ...], baseline: tuple[Reply, ...], matcher: Matcher
) -> None:
    verdict = matcher.judge(Prompt(question), Reply(text), gold, baseline)
    assert verdict == matcher.judge(Prompt(question), Reply(text), gold, baseline)
    assert verdict.kind in ("correct", "wrong", "refused", "unsure")
    assert 0 <= verdict.score <= 1
    assert verdict.why
    if verdict.span is not None:
        assert 0 <= verdict.span[0] <= verdict.span[1] <= len(text)


LONG = {
    "one letter": "a" * 1_000_000,
    "words": "Paris is not Rome or " * 50_000,
    "questions": "Paris? " * 140_000,
    "commas": "Paris, " * 140_000,
    "marks": "." * 1_000_000,
    "spaces": " " * 1_000_000,
    "numbers": "one hundred and " * 60_000,
    "digits": "1" * 1_000_000,
    "decimals": "1," * 500_000,
    "dots": "a." * 500_000,
    "quotes": "it's " * 200_000,
    "combining": "e" + "\u0301" * 999_999,
    "accents": "é " * 500_000,
    "chinese": "巴黎" * 500_000,
    "hyphens": "-" * 1_000_000,
    "ors": "Paris or " * 110_000,
    "nots": "not Paris, " * 90_000,
}


@pytest.mark.parametrize("text", LONG.values(), ids=LONG.keys())
def test_a_million_characters_are_judged_at_once(text: str) -> None:
    gold = (GoldAnswer("Paris"), GoldAnswer("Champs Elysees"), GoldAnswer("1.5"), GoldAnswer("巴黎"))
    prompt, texts = Prompt("What is the capital of France, Paris or Rome?"), iter((text, text + "y", text + "z"))

    def judge() -> None:
        told = next(texts)  # another one each time: what was made of the last is remembered
        for matcher in MATCHERS:
            matcher.judge(prompt, Reply(told), gold, (Reply(told + "x"),))

    assert quickest(judge, enough=5) <= 5


HOSTILE = (
    "\n",
    "\n1. ",
    "- a\n",
    "\t \n",
    "\u00a0",
    " ",
    "1",
    "1 ",
    "1-1 ",
    "1/2 ",
    "S 8 ",
    "A ",
    "Aa, ",
    "and a ",
    "Aa and ",
    "Hall A; ",
    "Mon to ",
    "14 Mill ",
    "over 65 ",
    "until 1950 ",
    "\u0967 ",
    "sorry i meant ",
    "Jupiter has the most moons. ",
)
ASKED = (
    ("What is the capital of France, Paris or Rome?", "Paris"),
    ("How many people live there?", "about 1,200"),
    ("How many people live there?", "about 0"),
    ("How long is it?", "90 minutes"),
    ("How much is it?", "£6"),
    ("Where is the keynote?", "Hall B"),
    ("Where is the office?", "14 Mill Lane, Norwich"),
    ("Who travels free?", "people over 65"),
    ("When is it open?", "Monday to Friday"),
    ("What are the opening hours?", "10 am to 6 pm"),
    ("Is it free on Sundays?", "yes"),
    ("Does it take more than an hour?", "no"),
    ("Can I bring my dog?", "yes, on a lead"),
)


@pytest.mark.parametrize("piece", HOSTILE)
def test_everyday_rules_end_soon_on_what_is_said_over_and_over(piece: str) -> None:
    text = (piece * 20_000)[:20_000]

    def judge() -> None:
        for question, gold in ASKED:
            half = len(text) // 2
            for told in (text, f"{gold} {text}", f"{text[:half]} {gold} {text[half:]}"):
                Judge().judge(Prompt(question), Reply(told), (GoldAnswer(gold),), ())

    assert quickest(judge, enough=10) <= 10


@pytest.mark.parametrize("pattern", ["(a+)+$", "(a|aa)+$", "(.*a){25}b", "([a-z]+)*1"])
def test_a_pattern_that_hangs_is_stopped(pattern: str) -> None:
    prompt, gold, ends = Prompt("Who?"), (GoldAnswer(pattern, regex=True),), iter("!?-")

    def judge() -> None:
        reply = Reply("a" * 100_000 + next(ends))
        for matcher in (Regex(), Judge()):
            matcher.judge(prompt, reply, gold, ())

    assert quickest(judge, enough=5) <= 5
