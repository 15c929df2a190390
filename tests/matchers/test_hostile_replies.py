"""Whatever a bot says, judging ends soon, never raises, and points into the reply."""

from __future__ import annotations

import tracemalloc
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from botattack.matchers.evidence.reading import LONGEST
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
OVER_AND_OVER = (
    *HOSTILE, "a", "Paris is not Rome or ", "Paris? ", "Paris, ", ".", "one hundred and ", "1,", "a.", "it's ",
    "\u0301", "\u00e9 ", "\u5df4\u9ece", "-", "Paris or ", "not Paris, ",
)  # fmt: skip
"""What makes a reply long when a bot says it again and again."""
ASKED = (
    ("What is the capital of France, Paris or Rome?", "Paris"),
    ("How many people live there?", "about 1,200"),
    ("How long is it?", "90 minutes"),
    ("Where is the keynote?", "Hall B"),
    ("What are the opening hours?", "10 am to 6 pm"),
    ("Can I bring my dog?", "yes, on a lead"),
)


SHORT, LONG = 6_250, 100_000
LEAST = 0.05
"""CPU seconds below which a clock says little."""
MORE = 64
"""How many times as much a reply of LONG characters may cost as one of SHORT: 16 is linear, 256 the square."""


def cpu_seconds(piece: str, size: int, enough: float = 0) -> float:
    """What it costs to judge a reply of `size` characters with the gold answer in the middle of `piece`s; measured
    again only while it is not within `enough`."""
    ends = iter("abc")

    def judge() -> None:
        end = next(ends)  # another one each time: what was made of the last is remembered
        half = (piece * size)[: size // 2]
        for question, gold in ASKED:
            Judge().judge(Prompt(question), Reply(f"{half} {gold} {end} {half}"), (GoldAnswer(gold),), ())

    return quickest(judge, enough=enough)


@pytest.mark.slow
@pytest.mark.parametrize("piece", OVER_AND_OVER)
def test_what_a_reply_costs_grows_with_its_length(piece: str) -> None:
    short = max(cpu_seconds(piece, SHORT), LEAST)
    assert cpu_seconds(piece, LONG, enough=MORE * short) <= MORE * short


CUT = ("- a\n", "1 ", "1,", "A ", "a", "-", "\u0301", "\u5df4\u9ece", "Jupiter has the most moons. ")
"""Lines, words, digits, marks, and what is written without spaces: the end of what is read falls into each of them."""


@pytest.mark.slow
@pytest.mark.parametrize("matcher", MATCHERS, ids=lambda matcher: matcher.name)
@pytest.mark.parametrize("piece", CUT)
def test_only_the_beginning_of_a_long_reply_is_read(piece: str, matcher: Matcher) -> None:
    """The right answer comes after it. A matcher that says so calls the reply unsure instead."""
    gold = (GoldAnswer("Paris"), GoldAnswer("Champs Elysees"), GoldAnswer("1.5"))
    prompt, own = Prompt("What is the capital of France, Paris or Rome?"), (Reply("It is Paris."),)
    text = (piece * LONGEST)[:LONGEST]
    whole, more = (
        matcher.judge(prompt, Reply(told), gold, own) for told in (text, f"{text}{piece * 50_000}\nIt is Paris.")
    )
    assert (more.kind, more.span) == (whole.kind, whole.span) or (more.kind == "unsure" and "characters" in more.why)


SLOW = pytest.mark.slow


@pytest.mark.slow
@pytest.mark.parametrize(
    "pattern", ["(a+)+$", *(pytest.param(more, marks=SLOW) for more in ("(a|aa)+$", "(.*a){25}b", "([a-z]+)*1"))]
)
def test_a_pattern_that_hangs_is_stopped(pattern: str) -> None:
    prompt, gold, ends = Prompt("Who?"), (GoldAnswer(pattern, regex=True),), iter("!?-")

    def judge() -> None:
        reply = Reply("a" * 100_000 + next(ends))
        for matcher in (Regex(), Judge()):
            matcher.judge(prompt, reply, gold, ())

    assert quickest(judge, enough=5) <= 5


@pytest.mark.slow
def test_words_of_hostile_replies_are_not_kept() -> None:
    rng, prompt, gold = Random(1), Prompt("What is the capital of France?"), (GoldAnswer("Paris"),)
    judge = Judge()
    judge.judge(prompt, Reply("It is Paris."), gold, ())
    replies = [" ".join("".join(rng.choices("abcdefgh\u00e9", k=990)) for _ in range(20)) for _ in range(100)]
    tracemalloc.start()
    for reply in replies:
        judge.judge(prompt, Reply(reply), gold, ())
    kept, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert kept < 6_000_000  # the last 64 replies are kept, and no word of the others
