"""What spares the guards work changes no verdict: every rule asked of every sentence says the same."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from botattack.matchers import guards
from botattack.matchers.context import asked
from botattack.matchers.guards import objection
from botattack.matchers.lexical import Contains
from botattack.matchers.place import Objection, Place
from botattack.model import GoldAnswer, Prompt, Reply

QUESTIONS = (
    ("What is the capital of France?", "Paris"),
    ("Who killed the dragon?", "George"),
    ("Is the largest city of France Paris or Lyon?", "Paris"),
    ("Who wrote Hamlet? Was it William Shakespeare?", "William Shakespeare"),
    ("On which day does the library open?", "Monday"),
    ("How long is the oldest bridge in the world?", "5 feet"),
)
SAID = [gold for _, gold in QUESTIONS]
WORDS = (
    "it is the was a of and in Lyon France Italy Spain dragon killed George capital city not no never or may maybe one "
    "One Hundred 4 4 inches II Smith Jr. about similar works U.S. U.S.A. it's doubt than other last first before that "
    "wrong who if know smallest youngest closes library built they say another wait Rome"
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
