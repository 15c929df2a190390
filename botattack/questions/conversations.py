"""What users and bots said to each other in a log: a stream of messages, each with its conversation.

A record is a conversation (`messages`), a call with what was said before it (Langfuse, LangSmith), or one message, with
the name of its conversation and of who said it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Literal, NamedTuple

from botattack.protocols import BadRecord
from botattack.questions.chats import asked_in, each_record, turn_of
from botattack.questions.files import Unfit
from botattack.questions.naming import NAMES, Columns, plain

_FIX = "a conversation is a list of `messages`, each with `role` and `content`"
Speaker = Literal["user", "bot"]
FIELDS = ("conversation", "speaker", "text")
"""What `--column` may name in a log of one message a record."""
_LISTS = ("messages", "conversation", "turns", "dialogue", "history", "chat")
_CHATS = ("conversation", "chat", "session", "thread", "dialogue", "ticket")
_OF_CHAT = tuple(f"{of}{end}" for of in _CHATS for end in (" id", "id", ""))
_CALLS = ("inputs", "input", "request", "body")
_TEXT = (*NAMES["question"], "content", "message", "body", "value")
_USERS = ("user", "human", "customer", "client", "visitor", "end user", "kunde", "nutzer", "کاربر", "مشتری", "me")
_BOTS = ("assistant", "ai", "bot", "chatbot", "agent", "operator", "support", "model")


class Said(NamedTuple):
    """One message. `chat` tells conversations apart."""

    chat: int
    speaker: Speaker
    text: str


def said(path: Path, columns: Columns) -> Iterator[Said | BadRecord]:
    """Every message of a log in its order; raises QuestionsError for a file that is none."""
    for line, place, read in each_record(path):
        try:
            chat, messages = _messages(read(), columns)
        except Unfit as why:
            yield BadRecord(line, f"{place}: {why}" if place else str(why))
            continue
        key = hash(chat or (str(path), line, place))
        yield from (Said(key, who, text) for who, text in messages if text.strip())


def _messages(record: object, columns: Columns) -> tuple[str, Sequence[tuple[Speaker, str]]]:
    """The name of the conversation, if the record has one, and what was said."""
    if not isinstance(record, dict):
        raise Unfit(f"the record is not a mapping; {_FIX}")
    known = {plain(key): key for key in reversed([*record])}
    names = {"conversation": _OF_CHAT, "speaker": NAMES["speaker"], "text": _TEXT}
    at = {field: columns.get(field) or next((known[n] for n in names[field] if n in known), "") for field in FIELDS}
    named = record.get(at["conversation"])
    chat = str(named) if isinstance(named, str | int) else ""
    listed = next((record[name] for name in _LISTS if isinstance(record.get(name), list)), None)
    if listed is not None and not columns:
        return chat, [turn for turn in map(_turn, listed) if turn]
    call = next((name for name in _CALLS if isinstance(record.get(name), dict | list)), "")
    if call and not columns:
        # What was said before is in an earlier record as well: it must not make one conversation into several.
        found = asked_in(record[call], call)
        first = next((turn["text"] for turn in found.get("history", ()) if turn["speaker"] == "user"), "")
        return chat or first, [("user", str(found["text"]))]
    if missing := [field for field in FIELDS if at[field] not in record]:
        # A name of many words is what somebody said, in a file without names of columns: it is not shown.
        have = ", ".join([name for name in map(str, record) if len(name.split()) <= 3][:8]) or "text"
        raise Unfit(
            f"it does not say its {missing[0]}, only {have}; {_FIX}; for single messages, name it with "
            f"--column {missing[0]}=NAME"
        )
    turn = _turn({"role": record[at["speaker"]], "content": record[at["text"]]})
    return chat, [turn] if turn else []


def _turn(message: object) -> tuple[Speaker, str] | None:
    """Who says what, also where it is called otherwise than in the formats that are known by name."""
    if isinstance(message, Mapping) and not {"role", "content"} <= message.keys():
        text = next((message[name] for name in _TEXT if isinstance(message.get(name), str)), None)
        who = next((message[name] for name in NAMES["speaker"] if isinstance(message.get(name), str)), "")
        message = {"role": who, "content": text} if text is not None else message
    if isinstance(message, Mapping) and isinstance(message.get("role"), str):
        role = plain(message["role"])
        message = {**message, "role": "user" if role in _USERS else "assistant" if role in _BOTS else role}
    turn = turn_of(message)
    return ("user" if turn[0] == "user" else "bot", turn[1]) if turn else None
