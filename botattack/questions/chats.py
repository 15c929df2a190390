"""Exports of chat tools, by name: conversations as OpenAI has them, and records of Langfuse and LangSmith.

What a person wrote as the wanted reply is the answer. What a bot was recorded to say is none, whatever it is called.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from botattack.model import Question
from botattack.options import JsonObject
from botattack.protocols import BadRecord
from botattack.questions import records
from botattack.questions.files import Unfit, lines, opened, sample
from botattack.questions.lines import decode_json, table
from botattack.questions.naming import NAMES, advice, likely_question, plain
from botattack.questions.records import Row
from botattack.questions.stream import members

_LISTS = (b"data", b"examples", b"items", b"runs", b"traces")
_PLACES = ((), *((name.decode(),) for name in _LISTS))
_ASKED = (*NAMES["question"], "input", "prompt", "message", "user input", "human input", "content", "chat input")
_SAID = (*NAMES["answers"], "output", "text", "content", "response", "result", "expected", "expected output")
_OF_A_RUN = ("run_type", "trace_id", "session_id", "start_time", "dotted_order")
"""Keys of what LangSmith recorded; an example of a data set has none of them."""
_LINES = re.compile(rb"\{[^\n]*\}\s*(?:\n\s*\{|\Z)")
_DOCUMENT = re.compile(rb'\{\s*"(?:%s)"\s*:\s*\[[^\n]*\]\s*[,}]' % b"|".join(_LISTS))
_USER, _ASSISTANT = ("user", "human"), ("assistant", "ai", "bot")


def read_openai_chat(path: Path) -> Iterator[Row]:
    """Lines of {messages: [{role, content}…]}, as for fine-tuning: the user's last message is the question, what was
    said before it the history, and the assistant's message after it the answer.

    Also evals ({input: […], ideal: …}), requests of batches ({body: {messages}}), and stored completions ({request:
    {messages}, choices}), whose choices are no answers.
    """
    return _each(path, _openai)


def read_langfuse(path: Path) -> Iterator[Row]:
    """Items of a data set, or traces and observations: `input` is the question, `expectedOutput` the answer; `output`
    is what the bot said, and no answer."""
    return _each(path, _langfuse)


def read_langsmith(path: Path) -> Iterator[Row]:
    """Examples of a data set ({inputs, outputs}), or runs, whose `outputs` are what the bot said, and no answers."""
    return _each(path, _langsmith)


def _openai(record: Mapping[str, Any]) -> Question:
    inner = next((record[name] for name in ("request", "body") if isinstance(record.get(name), dict)), record)
    said = inner.get("messages", record.get("input"))
    if not isinstance(said, list):
        raise Unfit("it has no list of `messages`; read it as jsonl or json with `columns`")
    asked, after = asked_of(said)
    gold = record.get("ideal", after if inner is record or "body" in record else None)
    return records.question(answers=gold or (), **asked, key=_key(record, "id", "custom_id"))


def _langfuse(record: Mapping[str, object]) -> Question:
    if "input" not in record:
        raise Unfit("it has no `input`; read it as jsonl or json with `columns`")
    gold = next((record[name] for name in ("expectedOutput", "expected_output") if name in record), None)
    return records.question(answers=_answer(gold), **asked_in(record["input"], "input"), key=_key(record, "id"))


def _langsmith(record: Mapping[str, object]) -> Question:
    if "inputs" not in record:
        raise Unfit("it has no `inputs`; read it as jsonl or json with `columns`")
    recorded = any(record.get(name) for name in _OF_A_RUN)
    gold = record.get("reference_outputs", None if recorded else record.get("outputs"))
    return records.question(answers=_answer(gold), **asked_in(record["inputs"], "inputs"), key=_key(record, "id"))


def _each(path: Path, make: Callable[[Mapping[str, object]], Question]) -> Iterator[Row]:
    for line, place, read in each_record(path):
        yield records.reading(line, place, _made, read, make)


def _made(read: Callable[[], object], make: Callable[[Mapping[str, object]], Question]) -> Question:
    record = read()
    if not isinstance(record, dict):
        raise Unfit("the record is not a mapping")
    return make(record)


def each_record(path: Path) -> Iterator[tuple[int, str, Callable[[], Any]]]:
    """Line, place and content of every record: of a JSON list, of lines of JSON, or of CSV with JSON in its cells."""
    head = sample(path).lstrip()
    if not head.startswith((b"{", b"[")):
        for line, row in table(path):
            yield line, "", partial(_row, row)
    elif path.suffix == ".jsonl" or (_LINES.match(head) and not _DOCUMENT.match(head)):
        for each in lines(path):
            if isinstance(each, BadRecord):
                yield each.line, "", partial(_unfit, each.why)
            elif each[1].strip():
                yield each[0], "", partial(decode_json, each[1])
    else:
        with opened(path) as file:
            for number, member in enumerate(members(file, *_PLACES), 1):
                read = partial(_unfit, member.fault) if member.fault else partial(decode_json, member.text)
                yield member.line, f"record {number}", read


def _unfit(why: str) -> Any:
    raise Unfit(why)


def _row(row: Mapping[str, str] | str) -> Any:
    if isinstance(row, str):
        raise Unfit(row)
    return {name: _cell(cell) for name, cell in row.items() if cell.strip()}


def _cell(cell: str) -> object:
    if cell.lstrip()[:1] not in ("{", "[", '"'):
        return cell
    try:
        return decode_json(cell.encode("utf-8", "surrogateescape"))
    except Unfit:
        return cell


def asked_in(value: object, name: str) -> JsonObject:
    """The question in what was sent to a chain of calls, and the history before it."""
    if isinstance(value, dict):
        for key in ("messages", "chat history"):
            if isinstance(value.get(key), list):
                return asked_of(value[key])[0]
        inside = _inside(value, _ASKED)
        if inside is None:
            found = likely_question([{name: value}], set())
            fix = (
                f"read it as jsonl or json with `questions: {advice(question=found)}`"
                if found
                else "name one `question`"
            )
            raise Unfit(f"several values of `{name}` may be the question ({', '.join([*value][:8])}); {fix}")
        return asked_in(inside, name)
    return asked_of(value)[0] if isinstance(value, list) else {"text": value}


def asked_of(said: Sequence[object]) -> tuple[JsonObject, str]:
    """The user's last message with what was said before it, and the reply to it."""
    turns = [turn for turn in map(turn_of, said) if turn is not None]
    last = max((at for at, (speaker, _) in enumerate(turns) if speaker == "user"), default=None)
    if last is None:
        raise Unfit("no message of it is a user's")
    history = [{"speaker": speaker, "text": text} for speaker, text in turns[:last]]
    return {"text": turns[last][1], "history": history}, turns[last + 1][1] if turns[last + 1 :] else ""


def turn_of(message: object) -> tuple[str, str] | None:
    """Who says what; None for instructions, calls of tools and what is empty."""
    if isinstance(message, list) and len(message) == 1:  # LangChain's batches of one
        message = message[0]
    if not isinstance(message, dict):
        raise Unfit("a message is not {role, content}")
    inner = next((message[name] for name in ("kwargs", "data") if isinstance(message.get(name), dict)), message)
    kind = message.get("role") or inner.get("type") or message.get("type")
    text = _content(inner.get("content"))
    if not isinstance(kind, str) or not text.strip():
        return None
    speaker = kind.lower().removesuffix("message")
    return ("user", text) if speaker in _USER else ("bot", text) if speaker in _ASSISTANT else None


def _content(content: object) -> str:
    parts = content if isinstance(content, list) else [content]
    texts = [part.get("text") if isinstance(part, dict) else part for part in parts]
    return "\n".join(text for text in texts if isinstance(text, str))


def _inside(value: Mapping[str, object], names: Iterable[str]) -> Any:
    """What has the first of these names, else the only thing that is there; None if several things may be meant."""
    known = {plain(key): key for key in reversed([*value])}
    found = next((value[known[each]] for each in names if each in known), None)
    return next(iter(value.values())) if found is None and len(value) == 1 else found


def _answer(value: object) -> Any:
    """The text of a wanted output."""
    if isinstance(value, list) and value and isinstance(value[0], dict):
        return next((turn[1] for turn in reversed([*map(turn_of, value)]) if turn and turn[0] == "bot"), ())
    if not isinstance(value, dict):
        return () if value is None else value
    if isinstance(value.get("messages"), list):
        return _answer(value["messages"])
    inside = _inside(value, _SAID)
    if inside is None and value:
        raise Unfit(f"several values of its output may be the answer ({', '.join([*value][:8])}); name one `answer`")
    return _answer(inside)


def _key(record: Mapping[str, object], *names: str) -> str:
    return next((str(record[name]) for name in names if isinstance(record.get(name), str | int)), "")
