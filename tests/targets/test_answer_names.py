"""A name says what a text of a reply is: an answer, something beside one, how a part looks, or how it is ranked."""

from __future__ import annotations

from typing import Any

import pytest

from botattack.targets.proving.behaviour import is_formatting, is_sure, names_score
from botattack.targets.proving.proof import Proof, prove
from botattack.targets.proving.replies import Asking
from tests.targets.test_proving import ASKED, dumped, events, half, passage, say, words

BESIDE = (
    *[
        "query",
        "question",
        "prompt",
        "input",
        "inputText",
        "user",
        "human",
        "context",
        "contexts",
        "history",
        "documents",
        "document",
        "docs",
    ],
    *[
        "title",
        "status",
        "step",
        "steps",
        "action",
        "actions",
        "intent",
        "search",
        "buttons",
        "options",
        "plan",
        "echo",
        "transcript",
        "queryText",
    ],
    *[
        "searchResults",
        "related",
        "info",
        "notice",
        "system",
        "ping",
        "event",
        "hint",
        "hints",
        "summary",
        "explanation",
        "warning",
        "warnings",
    ],
    *[
        "next",
        "thinking",
        "thought",
        "reasoning",
        "tracing",
        "debug",
        "app-logs",
        "suggestions",
        "follow_ups",
        "citations",
        "cited",
        "source",
    ],
    *[
        "sources",
        "references",
        "retrieved",
        "tool_calls",
        "progress",
        "typing",
        "rewritten",
        "error",
        "usage",
        "metadata",
        "greeting",
    ],
    *[
        "welcome",
        "disclaimer",
        "feedback",
        "scratchpad",
        "analysis",
        "quick_replies",
        "snippet",
        "passage",
        "chunk_text",
        "highlights",
    ],
    *["annotations", "grounding", "frage", "pregunta"],
)
OF_ANSWERS = (
    *[
        "answer",
        "reply",
        "response",
        "text",
        "message",
        "content",
        "output",
        "outputText",
        "generated_text",
        "completion",
        "utterance",
    ],
    *[
        "bot_response",
        "speech",
        "say",
        "body",
        "delta",
        "fulfillmentText",
        "token",
        "result",
        "bot",
        "assistant",
        "markdown",
        "final",
    ],
    *["finalAnswer", "model", "ai", "agent", "responseText"],
)
OF_ANSWERS_ALONE = [
    "answer",
    "reply",
    "response",
    "finalAnswer",
    "botResponse",
    "fulfillmentText",
    "completion",
    "antwort",
    "respuesta",
]
OF_LOOKS = [
    "rich-text",
    "paragraph",
    "heading",
    "h2",
    "title",
    "bulleted_list",
    "numbered-list-item",
    "blockquote",
    "code",
    "unordered",
    "em",
]
HIGHEST_FIRST = [
    "score",
    "p",
    "prob",
    "conf",
    "logprob",
    "confidence",
    "probability",
    "similarity",
    "relevance",
    "relevance_score",
]
LOWEST_FIRST = ["rank", "index", "distance"]
OPPOSITE = {True: (0.9, 0.3), False: (0.3, 0.9)}


def proof(*members: Any) -> Proof:
    """The proof from replies of one shape; `members` take the question and the answer."""
    (shape,) = members
    return prove([Asking(asked, shape(asked, say(asked))) for asked in ASKED])


@pytest.mark.parametrize("name", BESIDE)
def test_what_has_the_name_of_something_else_is_no_rival_of_an_answer(name: str) -> None:
    assert names_score([name]) < 0
    assert names_score(["answer", name]) < 0
    if name != "system":
        found = proof(lambda q, a: dumped({"zz": a, name: passage(q)}))
        assert found.chosen, found.reason
        assert found.chosen.at == "$.zz"


def test_a_name_that_says_nothing_leaves_two_rivals() -> None:
    found = proof(lambda q, a: dumped({"zz": a, "yy": passage(q)}))
    assert not found.proven
    assert "$.zz" in found.reason
    assert "$.yy" in found.reason


@pytest.mark.parametrize("name", OF_ANSWERS)
def test_what_has_the_name_of_an_answer_is_it_rather_than_a_part_of_it(name: str) -> None:
    assert names_score(["zz"]) == 0 < names_score([name, "zz"]) < names_score([name])
    found = proof(lambda q, a: dumped({"zz": half(a), name: a}))
    assert found.chosen, found.reason
    assert found.chosen.at == f"$.{name}"


@pytest.mark.parametrize("name", OF_ANSWERS_ALONE)
def test_a_name_of_an_answer_alone_tells_more(name: str) -> None:
    assert is_sure(name)
    assert names_score([name]) > names_score(["text"])
    assert proof(lambda q, a: dumped({"zz": f"Or {passage(q)}", name: a})).proven


@pytest.mark.parametrize("name", ["text", "message", "content", "output", "bot"])
def test_a_name_that_other_things_have_too_does_not_settle_it(name: str) -> None:
    assert not is_sure(name)
    assert not proof(lambda q, a: dumped({"zz": f"Or {passage(q)}", name: a})).proven


@pytest.mark.parametrize("name", OF_LOOKS)
def test_parts_that_only_look_different_are_one_text(name: str) -> None:
    assert is_formatting(name)
    assert not is_formatting(f"{name} zz")


@pytest.mark.parametrize("name", [*HIGHEST_FIRST, *LOWEST_FIRST, "Score"])
@pytest.mark.parametrize("best_first", [True, False])
def test_of_ranked_candidates_the_first_is_read_if_it_is_the_best(name: str, best_first: bool) -> None:
    first, second = OPPOSITE[best_first is (name not in LOWEST_FIRST)]
    found = proof(lambda q, a: dumped({"of": [{"t": a, name: first}, {"t": f"Or {q[::-1]}", name: second}]}))
    assert found.proven is best_first
    if found.chosen:
        assert found.chosen.at == "$.of[0].t"
    else:
        assert "ranks highest" in found.reason


def test_numbers_of_another_name_rank_nothing() -> None:
    found = proof(lambda q, a: dumped({"of": [{"t": a, "price": 0.9}, {"t": f"Or {q[::-1]}", "price": 0.3}]}))
    assert not found.proven
    assert "2 texts" in found.reason


@pytest.mark.parametrize("number", [2, 11, 12])
def test_kinds_of_pieces_are_told_apart_by_the_key_that_names_them(number: int) -> None:
    """One kind is the answer; the others are named as no part of it."""
    kinds = [f"{'thought' if at else 'said'}{chr(96 + at) if at else ''}" for at in range(number)]

    def shape(q: str, a: str) -> str:
        rest = [{"of": {"ch": kind}, "v": f" see {q[:4]}"} for kind in kinds[1:]]
        return events(*rest, *[{"of": {"ch": "said"}, "v": word} for word in words(a)])

    found = proof(shape)
    assert found.chosen, found.reason
    assert found.options["stream"]["where"] == {"of.ch": "said"}  # type: ignore[index]
    assert [each.partition(" (")[0] for each in found.chosen.left_out] == [f"of.ch: {kind}" for kind in kinds[1:]]


@pytest.mark.parametrize("nested", [False, True])
def test_kinds_whose_names_tell_nothing_are_named_with_their_key(nested: bool) -> None:
    def piece(kind: str, text: str) -> dict[str, Any]:
        return {"of": {"ch": kind}, "v": text} if nested else {"ch": kind, "v": text}

    found = proof(lambda q, a: events(*[piece(k, v) for t in words(a) for k, v in (("b", f" see {q[:4]}"), ("a", t))]))
    assert f"({'of.ch' if nested else 'ch'}: b and a)" in found.reason


@pytest.mark.parametrize("sign", list("[{(<|"))
def test_a_sign_that_every_text_begins_with_is_named(sign: str) -> None:
    found = proof(lambda q, a: dumped({"answer": f"{sign}{a}"}))
    assert f"begins with {sign}:" in found.reason
