"""Jobs: where the reply to a message names only what is to be fetched, the calls that fetch it are tried."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from urllib.parse import urlsplit

import yaml

from botattack.audit.starting.call import BadStart, placed
from botattack.audit.starting.places import fixed_conversations, own_conversation
from botattack.audit.starting.trial import StartedTarget, Trial
from botattack.engine.outside import Outside
from botattack.errors import BotattackError, RequestRefused
from botattack.options import JsonObject
from botattack.targets.messages.selectors import leaves
from botattack.targets.proving.behaviour import plain_name
from botattack.targets.proving.proof import Proof
from botattack.targets.proving.replies import Asking, Path, form_of, parsed

_ID = re.compile(r"[\w.:|=-]{1,200}")
_NEVER = re.compile(r"cancel|delete|stop|abort|web|html|stream|log", re.IGNORECASE)
"""Names of addresses that do something else than give the answer."""
_LIKELY = re.compile(r"get|self|status|result|poll|fetch|response|output", re.IGNORECASE)
_DONE = frozenset(
    ("succeeded", "success", "successful", "completed", "complete", "done", "finished", "ready", "resolved", "ok")
)
_FLAGS = frozenset(
    ("done", "finished", "completed", "complete", "ready", "isdone", "isready", "isfinished", "iscomplete")
)
_STATES = frozenset(("estado", "situacao", "stato", "statut", "etat", "zustand"))
"""What a state is called in five other languages: its last word is then the sign, whatever it is."""
_OPENED = r'(?i)"(?:\w*id|key|session|conversation|thread)"\s*:\s*"?([\w.-]+)'
"""The name of a conversation in the reply of the call that opens it."""
_UNTIL = {"until": {"where": {"status": "done"}}}
_MOST = 4
"""Addresses that are tried: each costs the bot a message."""
_QUIET = "2s"
"""How long a reply must stay the same where nothing in it says that it is complete."""
_STATE = re.compile(r"(?i)\"[\w-]*(?:status|state|phase|stage)\"\s*:\s*\"(\w+)\"")
_ENDED = rf'(?i)"[\w-]*(?:status|state|phase|stage)"\s*:\s*"(?:{"|".join(sorted(_DONE))})"'


def tried(started: StartedTarget, messages: Sequence[str], outside: Outside) -> tuple[Trial, Proof]:
    """The proof of where the answer is: in the reply to the message, or in what is fetched after it. Where the request
    may name the conversation that it was copied from, each message is tried with a new one first. Raises what
    `Trial.proof` raises."""
    for own in _with_own_conversations(started):
        try:
            trial, proof = tried(own, messages, outside)
        except (RequestRefused, BadStart):  # it named something else
            continue
        if proof.proven:
            return trial, proof
    trial = Trial(started, messages, outside)
    try:
        proof = trial.proof()
    except RequestRefused as error:
        return _otherwise(started, error, messages, outside)
    connect = started.value["connect"]
    if not proof.proven and not started.reads and connect["kind"] == "http" and "poll" not in connect:
        for fetching in _fetching(connect, trial.askings):
            try:
                second = Trial(_complete(started.reading(fetching), trial.askings[0], outside), messages, outside)
                if (found := second.proof()).proven:
                    return second, found
            except BotattackError:  # nothing is there
                continue
        if job := _job(connect, trial.askings):
            proof = replace(proof, reason=job)
    return trial, proof


def _otherwise(
    started: StartedTarget, error: RequestRefused, messages: Sequence[str], outside: Outside
) -> tuple[Trial, Proof]:
    """The proof where the bot opens conversations in another way than was assumed; raises the refusal where not."""
    if error.status in (400, 404, 405):
        if (opening := _opening(started)) is not None:
            with suppress(RequestRefused, BadStart):
                return tried(opening, messages, outside)
        if error.status != 400 and error.place.startswith("connect.open"):
            trial = Trial(_without_opening(started), messages, outside)  # the bot opens conversations by itself
            return trial, trial.proof()
    raise error


def _opening(started: StartedTarget) -> StartedTarget | None:
    """The same with a call that opens the conversation whose name is in the URL, where such an interface has it."""
    connect = started.value["connect"]
    url = connect["request"]["url"] if connect["kind"] == "http" else ""
    before, *rest = re.split(r"/\{\{ session(?: \| uuid)? \}\}", url, maxsplit=1)
    if not rest or "open" in connect:
        return None
    same = {key: connect["request"][key] for key in ("headers",) if key in connect["request"]}
    call = {"url": before, "method": "POST", **same, "json": {}, "take": {"id": {"regex": _OPENED}}}
    request = {**connect["request"], "url": f"{before}/{{{{ open.id }}}}{rest[0]}"}
    return replace(started, value={**started.value, "connect": {**connect, "open": call, "request": request}})


def _job(connect: JsonObject, askings: Sequence[Asking]) -> str:
    """A sentence for replies that say only that a job was begun, with the keys that would fetch it; else empty."""
    if not any(word.casefold() not in _DONE for word in _STATE.findall(askings[0].reply)):
        return ""
    drafted = next(_fetching(connect, askings), {})
    opened = "" if "open" in connect else ", after `open` if a call opens the conversation"
    keys = {"request": {"take": drafted["request"]["take"]}, "poll": drafted["poll"] | _UNTIL} if drafted else {}
    return (
        f"the replies name only a job that is not done, as {askings[0].reply[:200]}; the answer comes from another "
        f"call, the key `poll`{opened}. Record a chat in your browser and give --har, which has these calls, or write "
        "them into the target file (botattack init --no-send --answer JSONPATH makes one)"
        + (f", with the right URL:\n{yaml.safe_dump({'connect': keys}, sort_keys=False)}" if keys else "")
    )


def _with_own_conversations(started: StartedTarget) -> Iterator[StartedTarget]:
    connect = started.value["connect"]
    for place, copied in fixed_conversations(connect).items():
        connect = placed(connect, place, own_conversation(copied))
    if connect is not started.value["connect"]:
        yield replace(started, value={**started.value, "connect": connect})


def _without_opening(started: StartedTarget) -> StartedTarget:
    """The same without the calls that open a conversation: its name is ours."""
    connect = {key: value for key, value in started.value["connect"].items() if key != "open"}
    for path, text in list(leaves(connect)):
        if isinstance(text, str) and "{{ open." in text:
            connect = placed(connect, path, re.sub(r"\{\{ open\.\w+ \}\}", "{{ session }}", text))
    return replace(started, value={**started.value, "connect": connect})


def _fetching(connect: JsonObject, askings: Sequence[Asking]) -> Iterator[JsonObject]:
    """What to add to `connect` to fetch what the replies name, the likeliest first."""
    request = connect["request"]
    origin = "{0.scheme}://{0.netloc}".format(urlsplit(request["url"]))
    same = {key: request[key] for key in ("headers",) if key in request}
    if (query := request.get("query")) and "{{ question" not in str(query):
        same["query"] = query
    for take, url in list(_named(origin, request["url"], askings))[:_MOST]:
        given = same if "?" not in url and not url.startswith("{{") else {**same, "query": {}}
        call = {"url": url, **{key: value for key, value in given.items() if value}, "every": "500ms"}
        yield {"request": {**request, "take": {"job": take}}, "poll": call}


def _named(origin: str, url: str, askings: Sequence[Asking]) -> Iterator[tuple[object, str]]:
    """The places of addresses and of ids, each with the URL to fetch. They differ from reply to reply."""
    bodies = [body_of(asking.reply) for asking in askings]
    if not all(bodies):
        return
    rows = [{path: str(value) for path, value in leaves(body) if isinstance(value, str | int)} for body in bodies]
    new = [path for path in rows[0] if len({row.get(path, "") for row in rows}) == len(rows)]
    links = [path for path in new if all(re.match(r"https?://|/\w", row[path]) for row in rows if path in row)]
    for path in sorted(links, key=lambda path: not _LIKELY.search(str(path[-1]))):
        told = [row[path] for row in rows]
        if _NEVER.search(str(path[-1])):
            continue
        if all(text.startswith(f"{origin}/") for text in told):
            yield at(path), "{{ request.job }}"
        elif all(text.startswith("/") for text in told):
            start, end = _shared(told)
            if _ID.fullmatch(told[0][len(start) : len(told[0]) - len(end)]):
                regex = f"^{re.escape(start)}(.*){re.escape(end)}$".replace(r"\-", "-")
                yield [at(path), {"regex": regex}], f"{origin}{start}{{{{ request.job }}}}{end}"
    ids = [path for path in new if path not in links and all(_ID.fullmatch(row.get(path, " ")) for row in rows)]
    for path in sorted(ids, key=lambda path: (len(path), not plain_name(str(path[-1])).endswith("id"))):
        yield from ((at(path), f"{place}/{{{{ request.job }}}}") for place in _collections(origin, url, path))


def _collections(origin: str, url: str, path: Path) -> Iterator[str]:
    """The addresses below which an id may be: of the message itself, and of what the id is called, beside it or at the
    top (/jobs for `job` and for `job_id`)."""
    if "?" not in url:
        yield url.rstrip("/")
        if kind := plain_name(str(path[-1])).removesuffix("id").removesuffix("s"):
            yield from dict.fromkeys((f"{url.rpartition('/')[0]}/{kind}s", f"{origin}/{kind}s"))


def body_of(reply: str) -> dict[str, object]:
    value = parsed(Asking("", reply), "json").values[0]
    return value if isinstance(value, dict) else {}


def at(path: Path) -> str:
    return "$" + "".join(f"[{part}]" if isinstance(part, int) else f"['{part}']" for part in path)


def _shared(texts: Sequence[str]) -> tuple[str, str]:
    """What all of these addresses begin and end with, to the slash or the question mark."""
    start = texts[0][: next((at for at, each in enumerate(zip(*texts, strict=False)) if len({*each}) > 1), 0)]
    start = start[: start.rfind("/") + 1]
    rests = [text[len(start) :] for text in texts]
    ends = {rest[len(re.match(r"[^/?]*", rest)[0]) :] for rest in rests}  # type: ignore[index]
    return start, ends.pop() if len(ends) == 1 else ""


def _complete(started: StartedTarget, first: Asking, outside: Outside) -> StartedTarget:
    """The same with the sign by which a complete reply is known: that of a job, or that nothing changes any more. A
    stream tells by itself."""
    early = Trial(started, (), outside)
    early.ask(started, [first.message])
    if form_of(early.askings) != "json":
        return started
    poll = started.value["connect"]["poll"]
    waiting = started.reading({"poll": {**poll, "quiet": _QUIET}})
    # A reply with a clock in it is never the same: where it has a state, that is waited for.
    working = any(word.casefold() not in _DONE for word in _STATE.findall(early.askings[0].reply))
    ending = started.reading({"poll": {**poll, "until": {"regex": _ENDED}}})
    early.ask(ending if working else waiting, [first.message])
    before = [body_of(each.reply) for each in (first, early.askings[0])]
    if sign := sign_of(before, body_of(early.askings[1].reply)):
        return started.reading({"poll": {**poll, "until": {"where": sign}}})
    return waiting


def sign_of(before: Sequence[dict[str, object]], after: dict[str, object]) -> dict[str, object]:
    """What a complete reply says and an earlier one does not."""
    for path, value in leaves(after):
        name = plain_name(str(path[-1]))
        is_flag = value is True and name in _FLAGS
        is_word = isinstance(value, str) and (value.casefold() in _DONE or name in _STATES)
        if (is_flag or is_word) and not any(isinstance(part, int) for part in path):
            told = [dict(leaves(each)).get(path) for each in before]
            if any(each != value for each in told):
                return {
                    ".".join(map(str, path)) if all(re.fullmatch(r"\w+", str(p)) for p in path) else at(path): value
                }
    return {}
