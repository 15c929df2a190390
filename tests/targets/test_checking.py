"""What a file reads is compared with what replies prove: a wrong place is named, a right one is never accused."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from botattack.model import Reply
from botattack.targets.proving.checking import asking_of, checked, contradicted, fault_of
from botattack.targets.proving.replies import Asking
from tests.servers.shapes import QUESTIONS, SHAPES, Shape, answer, serving
from tests.targets.asking import ask
from tests.targets.test_proving import ASKED, PROVEN, new_id, say
from tests.targets.test_shapes import closing, opened

TWICE = (*QUESTIONS[:3], QUESTIONS[0])
Misreading = Callable[[Asking], str]
WRONG: dict[str, Misreading] = {
    "the question": lambda asking: asking.message,
    "the question in a frame": lambda asking: f"You asked: {asking.message}",
    "a greeting": lambda asking: "Welcome to the town bot!",
    "a clock": lambda asking: f"It is 08:00:{len(asking.message):02}.",
    "an id": lambda asking: new_id(),
    "a label": lambda asking: f"intent_{len(asking.message)}",
}
PARTS: dict[str, Misreading] = {
    "the first half": lambda asking: said(asking)[: len(said(asking)) // 2 + 1],
    "more than it": lambda asking: f"{said(asking)} (source: page {len(asking.message)} of the handbook)",
}


def said(asking: Asking) -> str:
    return say(asking.message)


def askings(shape: str, asked: Sequence[str] = ASKED) -> list[Asking]:
    return [Asking(each, PROVEN[shape](each, say(each))) for each in asked]


@pytest.mark.parametrize("shape", PROVEN)
def test_what_is_read_rightly_is_proven(shape: str) -> None:
    came = askings(shape)
    found = checked(came, [said(each) for each in came])
    assert found.proven or found.unknown
    assert not found.wrong


@pytest.mark.parametrize("twice", [True, False], ids=["one asked twice", "each asked once"])
@pytest.mark.parametrize("kind", WRONG)
@pytest.mark.parametrize("shape", ["one text", "a trace beside it", "joined pieces"])
def test_what_cannot_be_an_answer_is_called_wrong(shape: str, kind: str, twice: bool) -> None:
    came = askings(shape, ASKED if twice else ASKED[:-1])
    assert checked(came, [WRONG[kind](each) for each in came], twice=twice).wrong


@pytest.mark.parametrize("kind", PARTS)
@pytest.mark.parametrize("shape", ["one text", "a clock and a greeting", "joined pieces"])
def test_a_place_that_gives_the_answer_alone_is_named(shape: str, kind: str) -> None:
    came = askings(shape)
    found = checked(came, [PARTS[kind](each) for each in came])
    assert "$." in found.wrong
    assert any(said(each) in found.wrong or repr(said(each)) in found.wrong for each in came)


@pytest.mark.parametrize("kind", WRONG)
def test_texts_alone_show_it_too_where_no_reply_is_kept(kind: str) -> None:
    read = [WRONG[kind](Asking(each, "")) for each in ASKED]
    assert fault_of(ASKED, read)
    assert contradicted(ASKED, [Reply(text) for text in read]) == fault_of(ASKED, read)
    assert not contradicted(ASKED, [Reply(say(each)) for each in ASKED])


def test_one_message_shows_nothing() -> None:
    assert not fault_of(["hi", "hi"], ["Hello!", "Hello!"])
    assert checked([Asking("hi", "Hello!")] * 2, ["Hello!"] * 2).unknown


@pytest.mark.parametrize(
    ("texts", "proven"),
    [
        (("It opens at nine.", "It costs two euros.", "It opens at nine."), True),
        (("Sure! It opens at nine.", "It costs two euros.", "It opens at nine, I hope."), True),
        (("Hm, no idea.", "Ask somebody else.", "Who knows that?"), False),
    ],
    ids=["the same", "in other words", "by chance"],
)
def test_texts_that_chance_alone_may_tell_apart_prove_nothing(texts: Sequence[str], proven: bool) -> None:
    asked = ("When does it open?", "What is the price?", "When does it open?")
    found = checked([Asking(message, text) for message, text in zip(asked, texts, strict=True)], texts)
    assert (bool(found.proven), bool(found.unknown)) == (proven, not proven)


@pytest.mark.parametrize("raw", ['{"data":"\\q","event":""}', '{"data":"', "\x01{}\nx", "[" * 5000, ""])
def test_hostile_replies_end_no_run(raw: str) -> None:
    assert isinstance(contradicted(ASKED, [Reply(say(each), raw=raw) for each in ASKED]), str)


@pytest.mark.anyio
@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.name)
async def test_no_file_that_reads_the_exact_text_is_accused(shape: Shape, tmp_path: Path) -> None:
    if shape.name == "lex":
        pytest.importorskip("botocore")
    async with serving() as base_url, closing(opened(shape, base_url, tmp_path)) as target:
        replies = [await ask(target, question, repeat=at) for at, question in enumerate(TWICE)]
    assert [reply.text for reply in replies] == [answer(question) for question in TWICE]
    came = [asking_of(question, reply) for question, reply in zip(TWICE, replies, strict=True)]
    assert not checked(came, [reply.text for reply in replies]).wrong
    assert not contradicted(TWICE[:-1], replies[:-1])
