"""Where in a request the message stands, and which of its values must be new each time."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from botattack.audit.starting.call import Place, placed
from botattack.config.literals import is_secret_name
from botattack.targets.messages.selectors import leaves
from botattack.targets.proving.behaviour import plain_name

MESSAGE_NAMES = (
    *("question", "query", "message", "text", "prompt", "input", "usermessage", "userinput", "utterance", "content"),
    *("msg", "ask", "q", "body", "inputs", "inputtext", "payload"),
)
"""What a message is usually called, most telling first."""
BOT_WORDS = re.compile(
    r"chat|ask|messag|question|answer|query|complet|respon|conversation|predict|webhook|bot|assist", re.IGNORECASE
)
"""Words in the path of what asks a bot."""
QUESTION = "{{ question }}"
_USERS = frozenset({"user", "human", "visitor", "customer", "client"})
_OTHERS = frozenset({"system", "assistant", "bot", "model", "developer", "ai", "agent"})
_ROLES = ("role", "author", "sender", "from", "speaker", "type")
_SESSION = re.compile(
    r"(?:session|conversation|thread|chat|sender|visitor|dialog|dialogue|room)(?:id|key|uuid)?|guestid|anonymousid"
)
_CONVERSATIONS = frozenset({"session", "conversation", "thread", "dialog", "dialogue"})
"""Names of what a question has for itself, also if its value is short."""
_ELSEWHERE = re.compile(
    "(?:sitzung|gespr(?:ä|ae)ch|unterhaltung|sesi[oó]n|conversaci[oó]n|s[eé]ance|sessione|conversazione|sess[aã]o|conversa)(?:id)?"
)
"""The same in other languages: whether the bot takes another value there is tried."""
_NUMBERED = re.compile(r"(?=.*\d)[\w.-]{1,64}")
_UNIQUE = re.compile(
    r"x?(?:idempotency|idempotence)(?:key|token)?|x?(?:client)?(?:message|request|msg|mutation|correlation|event)(?:id|uuid)"
    r"|clientmutationid|client(?:request)?token|nonce|traceparent|uuid|requesttoken"
)
RANDOM = re.compile(r"(?=.*\d)(?=.*[A-Za-z])[\w-]{8,64}|\d{6,20}")
"""A value that looks drawn by a program: letters with digits, or many digits."""
_UUID = "[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}"
ID = re.compile(rf"{_UUID}|[0-9a-f]{{24,64}}|[0-9A-HJKMNP-TV-Z]{{26}}", re.IGNORECASE)
"""A UUID, a ULID, or the hexadecimal text of one: what a program made up."""
_THINGS = re.compile(
    r"assistant|bot|agent|tenant|org|project|workspace|app|account|customer|client|deployment|model|widget|site|channel"
    r"|user|index|collection|knowledge|flow|team|brand|company|store|shop|version|build|hash|sign|parent"
)
"""Names of what stays the same in each conversation, or is no place for an id of ours."""
_DOCUMENT = re.compile(r"\s*(?:#[^\n]*\n\s*)*(?:(?:query|mutation|subscription|fragment)\b[^{]{0,500})?\{")
"""A document of GraphQL."""
_SEGMENT = re.compile(
    rf"(?<=/)(?:(sessions?|conversations?|threads?)/([\w.-]*\d[\w.-]*)|(convs?|chats?|dialog(?:ue)?s?)/({ID.pattern}))"
    r"(?=[/:]|$)",
    re.IGNORECASE,
)


def question_place(body: object, message: str = "") -> Place | None:
    """Where in a body the message is: the given text, {{ question }}, the last turn of the user, or the most telling
    name; else the only text of several words. What GraphQL is to do is none."""
    texts = [(path, text) for path, text in leaves(body) if isinstance(text, str) and not _is_document(path, text)]
    exact = [path for path, text in texts if (message and message in text) or QUESTION in text]
    if exact or message:
        return exact[-1] if exact else None
    texts = [(path, text) for path, text in texts if not _is_of_others(body, path) and text[:1] not in ("{", "[")]
    named = [(rank, -at, path) for at, (path, _) in enumerate(texts) if (rank := _rank(path)) is not None]
    if turns := [each for each in named if _turn(body, each[2])]:
        return min(turns, key=lambda each: each[1])[2]
    if named:
        return min(named)[2]
    sentences = [path for path, text in texts if len(text.split()) > 1]
    return sentences[0] if len(sentences) == 1 else None


def _rank(path: Place) -> int | None:
    names = [plain_name(part) for part in path if isinstance(part, str)]
    return MESSAGE_NAMES.index(names[-1]) if names and names[-1] in MESSAGE_NAMES else None


def _is_document(path: Place, text: str) -> bool:
    """Whether a text is what GraphQL is to do, beside its variables."""
    return bool(path) and path[-1] == "query" and bool(_DOCUMENT.match(text))


def _member(body: Any, path: Place) -> Mapping[str, Any] | None:
    """The innermost member of a list that a place is in, if it says who speaks."""
    here, member = body, None
    for part in path:
        here = here[part]
        if isinstance(part, int) and isinstance(here, Mapping) and _speaker(here):
            member = here
    return member


def _speaker(member: Mapping[str, Any]) -> str:
    told = next((member[name] for name in _ROLES if isinstance(member.get(name), str)), "")
    return plain_name(told)


def _turn(body: object, path: Place) -> bool:
    member = _member(body, path)
    return member is not None and _speaker(member) in _USERS


def _is_of_others(body: object, path: Place) -> bool:
    """Whether somebody else says it: the system, or the bot before."""
    member = _member(body, path)
    return member is not None and _speaker(member) in _OTHERS


def asked_in(body: object, path: Place, message: str) -> str:
    """The text at a place with the question in it; what is around the question stays, and JSON inside it stays JSON."""
    text = str(dict(leaves(body))[path])
    if QUESTION in text:
        return text
    try:
        inner = json.loads(text) if text.lstrip().startswith(("{", "[")) else None
    except ValueError:
        inner = None
    if inner is not None and (within := question_place(inner, message) or inner_place(inner)) is not None:
        return json.dumps(placed(inner, within, asked_in(inner, within, message)), ensure_ascii=False)
    return text.replace(message, QUESTION) if message and message in text else QUESTION


def inner_place(body: object) -> Place | None:
    """The text of a body that is JSON with a message in it."""
    for path, text in leaves(body):
        if isinstance(text, str) and text.lstrip().startswith(("{", "[")):
            try:
                inner = json.loads(text)
                if (question_place(inner) or inner_place(inner)) is not None:
                    return path
            except (ValueError, RecursionError):
                continue
    return None


def with_fresh(value: object, asked: Place = ()) -> Any:
    """The same with a conversation of its own for each question, and new values where one must not come twice."""
    for path, text in list(leaves(value)):
        if isinstance(text, str) and text and "{{" not in text and path and (new := _fresh(path, text, asked)):
            value = placed(value, path, new)
    return value


def own_conversation(copied: str) -> str:
    """The template that names a conversation in place of a copied id, and looks like that where it was a UUID: some
    bots take nothing else."""
    return "{{ session | uuid }}" if re.fullmatch(_UUID, copied, re.IGNORECASE) else "{{ session }}"


def _fresh(path: Place, text: str, asked: Place) -> str:
    name = plain_name(str(path[-1]))
    if _SESSION.fullmatch(name) and (name.endswith(("id", "key", "uuid")) or RANDOM.fullmatch(text)):
        return own_conversation(text)
    if name in _CONVERSATIONS and _NUMBERED.fullmatch(text):
        return own_conversation(text)
    if _UNIQUE.fullmatch(name):
        return "{{ uuid }}"
    if name == "id" and asked and path[:-1] == asked[: len(path) - 1] and RANDOM.fullmatch(text):
        # The id of the message itself, or of the chat that it is in.
        return "{{ uuid }}" if any(isinstance(part, int) for part in path) else own_conversation(text)
    return ""


def fixed_conversations(connect: object) -> dict[Place, str]:
    """Where a request always names what is, or by its look may be, the same conversation."""
    return {
        path: text
        for path, text in leaves(connect)
        if len(path) > 2 and isinstance(text, str) and text and "{{" not in text
        if _fresh(path, text, ()) == own_conversation(text) or (path[1] != "headers" and _is_unnamed_id(path, text))
    }


def fixed_told(connect: object) -> str:
    """A sentence about these; empty if there are none."""
    fixed = fixed_conversations(connect).items()
    told = "; ".join(f"connect.{'.'.join(map(str, place))} is always {text!r}" for place, text in fixed)
    ways = " or ".join(sorted({own_conversation(text) for _, text in fixed}))
    return f"{told}: where that names a conversation, write {ways}" if told else ""


def _is_unnamed_id(path: Place, text: str) -> bool:
    """Whether a value looks made up for this conversation, under a name that says nothing of it: in another language,
    or one of the bot's own."""
    names = [plain_name(str(part)) for part in path[2:]]
    named = " ".join(names)
    is_id = ID.fullmatch(text) or (_ELSEWHERE.fullmatch(names[-1]) and _NUMBERED.fullmatch(text))
    return bool(is_id) and not _THINGS.search(named) and not is_secret_name(named)


def with_fresh_path(url_path: str) -> str:
    """The path of a URL with a conversation of its own for each question."""
    return _SEGMENT.sub(lambda found: f"{found[1] or found[3]}/{own_conversation(found[2] or found[4])}", url_path)
