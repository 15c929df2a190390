"""What spares the guards work changes no verdict: every rule asked of every sentence says the same."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from botattack.matchers import lexical, sentences
from botattack.matchers.combine import AnyOf
from botattack.matchers.context import asked
from botattack.matchers.described import Words
from botattack.matchers.gold import Literal
from botattack.matchers.lexical import Contains, Exact, Fuzzy, TokenF1
from botattack.matchers.objections import guards, neighbours
from botattack.matchers.objections.guards import objection
from botattack.matchers.objections.place import Objection, Place
from botattack.matchers.several import Listed
from botattack.matchers.values import DateMatch, Numeric
from botattack.model import GoldAnswer, Prompt, Reply
from botattack.protocols import Matcher
from botattack.text.normalise import normalise

QUESTIONS = (
    ("What is the capital of France?", "Paris"),
    ("Who killed the dragon?", "George"),
    ("Is the largest city of France Paris or Lyon?", "Paris"),
    ("Who wrote Hamlet? Was it William Shakespeare?", "William Shakespeare"),
    ("On which day does the library open?", "Monday"),
    ("How long is the oldest bridge in the world?", "5 feet"),
    ("What does an adult ticket cost?", "\u00a3250"),
    ("When is check out?", "noon"),
    ("When is the garden open?", "Easter to October"),
    ("How many litres does the tank hold?", "60"),
    ("When is the museum closed?", "Monday"),
)
SAID = [gold for _, gold in QUESTIONS]
WORDS = (
    "it is the was a of and in Lyon France Italy Spain dragon killed George capital city not no never or may maybe one "
    "One Hundred 4 4 inches II Smith Jr. about similar works U.S. U.S.A. it's doubt than other last first before that "
    "wrong who if know smallest youngest closes library built they say another wait Rome adult child ticket costs "
    "250 euros 5% free noon half 3 hours check up off out October to Easter while $250 student miles litres open "
    "daily except until now was works by foreword"
)
PIECES = st.sampled_from([*WORDS.split(), *SAID, *SAID])
JOINTS = st.sampled_from(
    [" ", " ", " ", " ", ". ", ", ", "? ", "; ", "/", "  ", "\n", "! ", " - ", "...", "\u2026", "-"]
)


@st.composite
def replies(draw: st.DrawFn) -> str:
    return "".join(piece + draw(JOINTS) for piece in draw(st.lists(PIECES, max_size=14)))


def the_long_way(place: Place) -> Objection | None:
    checks = (guards._misplaced if check is guards._beside else check for check in guards._ALL)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(neighbours, "may_have_another_figure", lambda _: True)
        return next((found for check in checks if (found := check(place))), None)


@given(st.sampled_from(QUESTIONS), replies(), replies())
def test_no_objection_is_missed(question: tuple[str, str], before: str, after: str) -> None:
    text, answer = question
    gold = (GoldAnswer(answer),)
    reply = f"{before}{answer} {after}"
    span = Contains().judge(Prompt(text), Reply(reply), gold, ()).span
    if span is not None:
        context = asked(text, gold)
        assert objection(context, reply, span) == the_long_way(Place(context, reply, span))


GOLD = (
    "Paris", "George Washington", "red, green and blue", "they are collected", "5 feet", "12", "4 July 1776", "1840s",
    "half past four", "17th century", "free", "U.S.", "half a dozen", "third", "US", "a quarter", "10:00-15:00",
)  # fmt: skip
ANSWERS = st.lists(st.sampled_from(GOLD), min_size=1, max_size=3, unique=True).map(
    lambda texts: tuple(map(GoldAnswer, texts))
)
MATCHERS: tuple[Matcher, ...] = (
    Exact(), Contains(), TokenF1(), Fuzzy(), Numeric(), Numeric(bare=True), DateMatch(), Words(), Listed(),
)  # fmt: skip
SAYING = st.lists(
    st.sampled_from(
        ["it is", "at", "in", "1845", "1650", "4:30", "July 4th", "six", "3rd", "Washington", *WORDS.split(), *GOLD]
    ),
    max_size=8,
).map(" ".join)
ASKING = st.sampled_from(["Who was it?", "What is it?", "After how many wrong tries?", "When was it built?"])


@given(st.lists(st.sampled_from(MATCHERS), min_size=1, max_size=5), ASKING, SAYING, ANSWERS)
def test_any_says_what_it_said_when_every_matcher_is_asked(
    matchers: list[Matcher], question: str, said: str, gold: tuple[GoldAnswer, ...]
) -> None:
    best = None
    for matcher in sorted(matchers, key=lambda matcher: matcher.cost):
        verdict = matcher.judge(Prompt(question), Reply(said), gold, ())
        if not matcher.speaks_of(gold):
            assert (verdict.kind, verdict.score) == ("wrong", 0.0)
        if verdict.kind == "correct":
            best = verdict
            break
        rank = (verdict.kind == "unsure", verdict.score)
        if best is None or rank > (best.kind == "unsure", best.score):
            best = verdict
    assert AnyOf(tuple(matchers)).judge(Prompt(question), Reply(said), gold, ()) == best


TEXTS = st.text(st.sampled_from("abortwherscn.' -0123%&,O?\u00e9"), max_size=30) | replies()


@given(TEXTS)
def test_no_word_of_a_question_is_missed(text: str) -> None:
    lacks = asked(text, (GoldAnswer("x"),)).lacks
    assert not [word for word in normalise(text).words if lacks(word)]


@given(TEXTS, TEXTS)
def test_a_question_said_again_is_seen_without_its_normal_form(text: str, reply: str) -> None:
    context = asked(text, (GoldAnswer("x"),))
    for said in (text, reply, f"{text}!", text.upper()):
        assert context.is_said_by(normalise(said)) == (normalise(said).text == normalise(text).text)


SPACED = st.text(st.sampled_from("aB .!?\n\t\u00a0\u2026\u3002)\"'"), max_size=25)


@given(SPACED)
def test_quick_marks_are_all_marks(text: str) -> None:
    slow = [mark.span() for mark in sentences._MARK.finditer(text) if sentences._ends(mark)]
    assert [mark.span() for mark in sentences._marks(text) if sentences._ends(mark)] == slow


@given(SPACED, st.data())
def test_what_is_surely_in_the_first_sentence_is_there(text: str, data: st.DataObject) -> None:
    place = data.draw(st.integers(0, len(text)))
    if place < len(text) and sentences.is_in_first(text, place):
        assert sentences.sentence_of(text, (place, place + 1))[0] == 0


SPELLINGS = "bank of the a to Baank Banks Englnad England Englamd city City oof"
SPELT = st.lists(st.sampled_from(SPELLINGS.split()), max_size=8).map(" ".join)


@given(SPELT, st.sampled_from(["Bank of England", "City to England", "England", "Banks of the City"]))
def test_no_misspelt_answer_is_missed(said: str, answer: str) -> None:
    gold = Literal.of(answer)
    found = lexical._similar(normalise(said), gold, 0.8)
    assert found == lexical._similar(normalise(said), replace(gold, fixed=()), 0.8)
