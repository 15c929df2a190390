"""Where the answer is in replies of many shapes is proven or refused, and never proven wrongly."""

from __future__ import annotations

import base64
import html
import json
import re
from collections.abc import Callable, Iterable
from itertools import accumulate, count
from typing import Any
from uuid import UUID

import pytest

from botattack.targets.proving.proof import prove, reading_of
from botattack.targets.proving.replies import Asking

ANSWERS = {
    "hi there": "Hello! I am the city desk – ask me about hours, fees or parking.",
    "What can you do?": "I can answer “simple” questions about the town hall: hours, fees and permits.",
    "What is the capital of France?": "Paris is the capital of France.",
    "When is the pool open?": "The pool is open:\n- Mon–Fri 8 to 20\n- Sat 9 to 18\n\nSee you there!",
    "What does a permit cost?": 'A permit costs 12.50 €, or "free" for residents.',
    "Where can I park?": "You can park at the 'Old Mill' lot — it's 2 minutes away.",
    "Who is the mayor?": "The mayor is Zoë Müller-Łukaszewicz.",
    "Where do I report a pothole?": "Use the form at https://town.example/potholes & add a photo if a < b.",
    "Do you sell stamps?": "Yes.",
    "May I bring a dog?": "Only on a lead, please!",
}
ASKED = ("hi there", "What can you do?", "Who are you?", "What is the capital of France?", "hi there")
_NUMBERS = count(1)


def say(asked: str) -> str:
    return ANSWERS.get(asked, "Sorry, I can only answer questions about the town.")


def new_id() -> str:
    return str(UUID(int=next(_NUMBERS) * 0x9E3779B97F4A7C15F39CC0605CEDC835 % 2**128))


def words(text: str) -> list[str]:
    return re.findall(r"\s*\S+", text)


def dumped(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def events(*pieces: Any) -> str:
    """Server-sent events: a value, or a name and a value."""
    named = [piece if isinstance(piece, tuple) else ("", piece) for piece in pieces]
    return "".join(f"event: {name}\ndata: {dumped(data)}\n\n" if name else f"data: {dumped(data)}\n\n"
                   for name, data in named) + "data: [DONE]\n\n"  # fmt: skip


def lines(values: Iterable[Any]) -> str:
    return "".join(dumped(value) + "\n" for value in values)


def turns(*texts: tuple[str, str]) -> list[dict[str, str]]:
    return [{"from": who, "text": text, "id": new_id()} for who, text in texts]


def page(text: str) -> str:
    return html.escape(text, quote=False).replace("\n", "<br>")


def delta(kind: str, text: str) -> dict[str, Any]:
    return {"type": "content_block_delta", "delta": {"type": f"{kind}_delta", kind: text}}


WELCOME = "Welcome to the town bot!"
Shape = Callable[[str, str], str]
PROVEN: dict[str, Shape] = {
    "one text": lambda q, a: dumped({"id": new_id(), "answer": a}),
    "a trace beside it": lambda q, a: dumped({"text": a, "debug": {"trace": f"3 documents for '{q}' in 12 ms"}}),
    "a clock and a greeting": lambda q, a: dumped({"hi": WELCOME, "say": a, "at": f"08:00:{next(_NUMBERS):02}"}),
    "joined pieces": lambda q, a: events(*[{"choices": [{"index": 0, "delta": {"content": t}}]} for t in words(a)]),
    "growing pieces": lambda q, a: events(*[{"parts": [t]} for t in accumulate(words(a))]),
    "growing lines": lambda q, a: lines({"text": t} for t in accumulate(words(a))),
    "the whole at the end": lambda q, a: events(*[{"text": t} for t in words(a)], {"text": a}),
    "the whole at the end, told apart": lambda q, a: events(
        *[{"text": t, "final": False} for t in words(a)], {"text": a, "final": True}
    ),
    "reasoning in between": lambda q, a: events(
        *[{"kind": k, "v": v} for t in words(a) for k, v in (("thinking", " hm"), ("answer", t))]
    ),
    "reasoning first": lambda q, a: events(
        *[delta("thinking", t) for t in words(f"They ask {q}")], *[delta("text", t) for t in words(a)]
    ),
    "thought parts": lambda q, a: dumped(
        {"candidates": [{"content": {"parts": [{"thought": True, "text": f"They ask {q}."}, {"text": a}]}}]}
    ),
    "sources": lambda q, a: dumped({"data": {"ask": {"reply": {"text": a, "sources": [{"title": f"On {q}"}]}}}}),
    "progress": lambda q, a: lines([{"status": "Searching…"}, {"status": "Thinking…"}, {"answer": a}]),
    "progress at the same key": lambda q, a: lines([{"text": "Searching the page…"}, {"text": a}]),
    "progress by name": lambda q, a: events(("progress", {"text": f"Reading {q}"}), ("answer", {"text": a})),
    "suggestions": lambda q, a: dumped({"message": a, "suggestions": [f"More about {q}", "Where can I park?"]}),
    "suggested messages": lambda q, a: dumped(
        {"messages": [{"type": "text", "text": a}, {"type": "quick_reply", "text": f"More of {q}?"}]}
    ),
    "newest first": lambda q, a: dumped({"messages": turns(("bot", a), ("user", q), ("bot", WELCOME))}),
    "newest last": lambda q, a: dumped({"messages": turns(("bot", WELCOME), ("user", q), ("bot", a))}),
    "several messages": lambda q, a: dumped([{"text": text} for text in a.split("\n\n")]),
    "ranked": lambda q, a: dumped({"of": [{"text": a, "score": 0.9}, {"text": f"Or {q[::-1]}", "score": 0.3}]}),
    "an intent and an echo": lambda q, a: dumped(
        {"queryResult": {"queryText": q, "fulfillmentText": a, "intent": {"displayName": f"town.{q[:3].lower()}"}}}
    ),
    "markup in a text": lambda q, a: dumped({"reply": f"<p>{page(a)}</p>"}),
    "markup": lambda q, a: f"<p>{page(a)}</p>",
    "a page": lambda q, a: f'<html><body><h1>Bot</h1><i>{page(q)}</i><div class="bot">{page(a)}</div></body></html>',
    "xml": lambda q, a: f"<?xml version='1.0'?><r><id>{new_id()}</id><q>{page(q)}</q><answer>{page(a)}</answer></r>",
    "plain": lambda q, a: a,
    "the last piece is of another kind": lambda q, a: events(
        *[{"status": "in_progress", "text": t} for t in words(a)[:-1]], {"status": "finished", "text": words(a)[-1]}
    ),
    "base64": lambda q, a: dumped({"payload": base64.b64encode(a.encode()).decode(), "id": new_id()}),
    "lines of an unknown protocol": lambda q, a: "".join(f"chunk: data: {dumped({'text': t})}\n" for t in words(a)),
    "lines with a letter for the kind": lambda q, a: "".join(f"0:{dumped(t)}\n" for t in words(a)) + 'd:{"end": 1}\n',
    "JSON in a string": lambda q, a: dumped({"status": 200, "body": dumped({"answer": a, "id": new_id()})}),
    "the newest of JSON texts": lambda q, a: dumped(
        {"edges": [{"c": dumped({"blocks": [{"type": "paragraph", "text": t}]})} for t in (a, q, WELCOME)]}
    ),
    "said again after the question": lambda q, a: dumped(
        {"text": a, "turns": turns(("user", q), ("bot", a)), "found": {"note": f"Old news of {topic(q)}"}}
    ),
    "words after the passages that they are made of": lambda q, a: (
        f"a:{dumped([{'content': passage(q)}])}\n" + "".join(f"0:{dumped(t)}\n" for t in words(a)) + 'd:{"end": 1}\n'
    ),
    "HTML in XML": lambda q, a: f"<?xml version='1.0'?><r><q>{page(q)}</q><that>{html.escape(page(a))}</that></r>",
    "an argument of a function": lambda q, a: f"/**/cb_7({dumped({'id': new_id(), 'answer': a})});",
    "words and an object": lambda q, a: "".join(
        "".join(f"data: {line}\n" for line in word.split("\n")) + "\n" for word in (dumped({"id": new_id()}), *words(a))
    ),
    "an id with each piece but an empty one": lambda q, a: (
        events(*[{"task": task, "kind": "say", "answer": t} for task in [new_id()] for t in words(a)])
        + "event: ping\ndata:\n\n"
    ),
    "what a model thinks": lambda q, a: dumped({"response": f"<thinking>They ask {q}</thinking>\n\n{a}"}),
}


def named(name: str) -> Shape:
    return lambda q, a: dumped({"x": {name: a, "y": [{"z": f"{q} {a}"}, {"z": f"{a[::-1]} or so"}]}})


PROVEN |= {f"named {name}": named(name) for name in ("antwort", "respuesta", "réponse", "ответ", "پاسخ")}
PROVEN["JSON beside it that was looked into"] = lambda q, a: dumped(
    {"said": a, "state": dumped({"asked": q, "of": "visitor"})}
)
PROVEN["sources of one name"] = lambda q, a: dumped({"said": a, "of": [{"t": "The handbook"}] * (1 + len(q) % 3)})
REFUSED: dict[str, Shape] = {
    "kinds without a telling name": lambda q, a: events(
        *[{"ch": k, "v": v} for t in words(a) for k, v in (("b", f" see {q[:4]}"), ("a", t))]
    ),
    "two texts": lambda q, a: dumped({"message": f"I look at {q.lower()[:-1]}", "speech": a}),
    "a decoy with a better name": lambda q, a: dumped({"x": a, "text": f"The topic is {q.split()[-1]} of town"}),
    "ranked, the best last": lambda q, a: dumped({"of": [{"t": q[::-1], "score": 0.3}, {"t": a, "score": 0.9}]}),
    "plain progress": lambda q, a: f"Searching…\nThinking…\n{a}",
    "a plain footer": lambda q, a: f"{a}\n\nAnything else?",
    "a fixed number of texts": lambda q, a: dumped({"out": [f"They ask of {q.split()[-1]} here.", a]}),
    "a nudge after one answer alone": lambda q, a: dumped(
        [{"text": a}, *([{"text": "Did that answer your question?"}] if q == ASKED[0] else [])]
    ),
    "parts of a sentence": lambda q, a: dumped(
        {"parts": [{"t": a[:9]}, {"t": a[9:20]}, *([{"t": a[20:]}] * len(a[40:41]))]}
    ),
    "a transcript": lambda q, a: dumped({"out": f"User: {q}\nBot: {a}"}),
    "channels inside a text": lambda q, a: dumped(
        {"text": f"<|channel|>analysis<|message|>{q[1:]}<|channel|>final{a}"}
    ),
    "an id in a text": lambda q, a: f'200,"{new_id()}","{a}"',
    "progress before growing pieces": lambda q, a: events(
        {"msg": "Searching the web…"}, *[{"msg": t} for t in accumulate(words(a))]
    ),
    "a piece elsewhere": lambda q, a: events({"start": {"text": words(a)[0]}}, *[{"text": t} for t in words(a)[1:]]),
    "always the same": lambda q, a: dumped({"answer": WELCOME, "id": new_id()}),
    "nothing but the question": lambda q, a: dumped({"text": f"You said: {q}", "id": new_id()}),
    "suggestions alone": lambda q, a: dumped({"suggestions": [f"More of {q}?"], "id": new_id()}),
}


TOWN = (
    *("When is the pool open?", "What does a permit cost?", "Where can I park?", "Who is the mayor?"),
    *("Where do I report a pothole?", "When is the pool open?"),
)


def topic(asked: str) -> str:
    return asked.rstrip("?!. ").split()[-1].capitalize()


def passage(asked: str) -> str:
    """What was found for a question, and is not its answer."""
    found = [*ANSWERS.values()][sum(map(ord, asked)) % len(ANSWERS)]
    return found if found != say(asked) else "The town hall is at 1 Market Square."


def half(text: str) -> str:
    return " ".join(text.split()[: max(3, len(text.split()) // 2)])


def thought(asked: str) -> list[str]:
    return words(f"They ask about {topic(asked)} so I look it up in the guide")


DECOYS: dict[str, Shape] = {
    "a title": lambda q, a: dumped(
        {"content": f"You ask about {topic(q)}", "text": f"You ask about {topic(q)}", "o": a}
    ),
    "a passage": lambda q, a: dumped({"text": passage(q), "best": {"text": passage(q)}, "out": a}),
    "a retriever's turn": lambda q, a: dumped(
        {"turns": turns(("user", q), ("finder", passage(q)), ("bot", a)), "text": passage(q)}
    ),
    "a suggestion": lambda q, a: dumped(
        {"cards": [{"text": f"All on {topic(q)}"}], "last": {"text": f"All on {topic(q)}"}, "r": a}
    ),
    "a summary": lambda q, a: dumped({"message": half(a), "notice_of": {"body": half(a)}, "page": a}),
    "a line of a log": lambda q, a: dumped(
        {"trail": [{"text": f"rule {topic(q)}"}], "end": {"text": f"rule {topic(q)}"}, "r": a}
    ),
    "another wording": lambda q, a: dumped(
        {"standalone": f"They want {topic(q)} please", "message": f"They want {topic(q)} please", "v": a}
    ),
    "a title of a stream": lambda q, a: events(
        {"text": f"On {topic(q)} in town"}, *[{"t": w} for w in words(a)], {"end": {"text": f"On {topic(q)} in town"}}
    ),
    "a passage of a stream": lambda q, a: events(
        {"message": passage(q)}, *[{"t": w} for w in words(a)], {"end": {"message": passage(q)}}
    ),
    "the old bot": lambda q, a: dumped(
        {"output": f"No {topic(q)} here.", "old": {"output": f"No {topic(q)} here."}, "new": a}
    ),
    "a translation": lambda q, a: dumped({"text": a[::-1], "original": {"text": a[::-1]}, "en": a}),
    "words of thought, then the whole": lambda q, a: events(*[{"g": w} for w in thought(q)], {"z": a}),
    "the whole, then words of more": lambda q, a: events({"text": a}, *[{"g": w} for w in thought(q)]),
    "words of thought in a list": lambda q, a: dumped({"trail": thought(q), "z": a}),
    "two texts word by word": lambda q, a: events(*[{"g": w} for w in thought(q)], *[{"h": w} for w in words(a)]),
    "JSON that is newest first": lambda q, a: dumped(
        {"edges": [{"c": dumped({"t": f"On {topic(q)} see below"})}, {"c": dumped({"t": WELCOME})}], "x": a}
    ),
}
"""Something beside the answer that is said twice, has a better name, or comes word by word."""


@pytest.mark.parametrize("asked", [ASKED, TOWN], ids=["anything", "the town"])
@pytest.mark.parametrize("name", DECOYS)
def test_what_is_said_twice_or_at_length_is_not_taken_for_the_answer(name: str, asked: tuple[str, ...]) -> None:
    found = prove([Asking(each, DECOYS[name](each, say(each))) for each in asked])
    assert not found.chosen or found.chosen.texts == tuple(map(say, asked)), found.chosen.at


def askings(shape: Shape) -> list[Asking]:
    return [Asking(asked, shape(asked, say(asked))) for asked in ASKED]


@pytest.mark.parametrize("name", PROVEN)
def test_what_is_proven_is_the_answer(name: str) -> None:
    found = prove(askings(PROVEN[name]))
    assert found.chosen, found.reason
    for asked, answer in ANSWERS.items():
        read = reading_of(found.chosen.reading, Asking(asked, PROVEN[name](asked, answer)))
        assert read.split() == answer.split()


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_not_proven_is_refused(name: str) -> None:
    found = prove(askings(REFUSED[name]))
    assert not found.proven
    assert found.options == {}
    assert found.reason


@pytest.mark.parametrize("asked", [ASKED[:4], ("a", "b", "a"), ()])
def test_few_replies_prove_nothing(asked: tuple[str, ...]) -> None:
    shape = PROVEN["one text"]
    assert not prove([Asking(each, shape(each, say(each))) for each in asked]).proven


def test_a_place_that_one_reply_leaves_empty_is_named_with_how_many_do_not() -> None:
    found = prove(
        [Asking(asked, dumped({"answer": say(asked) if at else "", "n": 1})) for at, asked in enumerate(ASKED)]
    )
    assert not found.proven
    assert f"$.answer has a text in {len(ASKED) - 1} of {len(ASKED)} replies" in found.reason


@pytest.mark.parametrize(("last", "done"), [
    ([], {}), ([{"type": "end", "len": 3}], {"done": {"where": {"type": "end"}}}), ([{"type": "suggestions"}], {}),
    ([{"type": "end"}, {"type": "end"}], {}),
])  # fmt: skip
def test_messages_of_a_socket(last: list[object], done: dict[str, object]) -> None:
    def talk(asked: str) -> Asking:
        said = [dumped(each) for each in ({"type": "typing"}, {"type": "message", "text": say(asked)}, *last)]
        return Asking(asked, "\n".join(said), tuple(said))

    found = prove([talk(asked) for asked in ASKED])
    assert found.options == {"extract": {"answer": "$.text"}, "pieces": "messages"} | done


@pytest.mark.parametrize(("last", "done"), [
    ([], {}), ([{"t": "closed"}], {}), ([{"t": "", "finish_reason": "stop"}], {}), ([{"t": "", "a b.done": True}], {}),
    ([{"object": "x.completed"}, {"t": ""}], {}), ([{"kind": "messageEnd", "n": 1}], {"where": {"kind": "messageEnd"}}),
    ([{"t": "", "done": True}], {"where": {"done": True}}), ([{"status": "done"}] * 2, {}),
])  # fmt: skip
def test_what_ends_every_stream_is_proposed_as_its_end(last: list[dict[str, Any]], done: dict[str, Any]) -> None:
    def reply(asked: str, *ends: dict[str, Any]) -> Asking:
        return Asking(asked, lines([*({"t": word, "done": False} for word in words(say(asked))), *ends]))

    whole = [reply(asked, *last) for asked in ASKED]
    found = prove(whole)
    assert found.proven, found.reason
    assert found.options["stream"].get("done", {}) == done  # type: ignore[attr-defined]
    cut = prove([*whole[:1], reply(ASKED[1]), *whole[2:]])
    assert cut.proven is not bool(done)
    assert f"1 of {len(ASKED)} replies" in cut.reason or not done
