"""What a bot's reply says: the answer, its candidates and fields, its charset. Pure: the same reply, kept in a
recording, can be read again with other options."""

from __future__ import annotations

import re
from codecs import BOM_UTF8, getincrementaldecoder, lookup
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Annotated, ClassVar, Literal

from botattack.errors import ExtractionFailed, RequestRefused
from botattack.model import TOOLS, Reply, called
from botattack.options import BadValue, Read, shown
from botattack.protocols import Explained
from botattack.targets.messages.conditions import earlier
from botattack.targets.messages.selectors import (
    BODY,
    Body,
    ByCode,
    SelectedByCode,
    Selector,
    clean,
    find,
    texts,
)
from botattack.targets.messages.signs import NO_SIGNS, Signs
from botattack.targets.messages.signs import found as found_anyway

PLACE = "connect.extract"
_NO_CHARSETS = frozenset({"idna", "punycode", "raw-unicode-escape", "undefined", "unicode-escape"})
"""What Python knows beside charsets. No bot writes its replies in it, and some of it takes a hostile one for ever."""


def _tag_name(value: object) -> str:
    if isinstance(value, str) and re.fullmatch(r"[\w:.|-]{1,100}", value):
        return value
    raise BadValue(f"expected the name of a tag, found {shown(value)}", hint="write think for <think>…</think>")


TagName = Annotated[str, Read(_tag_name, {"type": "string", "pattern": r"^[\w:.|-]{1,100}$"})]
_TAG = re.compile(r"[<\[]/?[\w|]")


def without_reasoning(text: str, tags: tuple[str, ...]) -> str:
    """Without what is between these tags; where only an end is there, without all before it: some models begin so."""
    begins, ends = _reasoning(tags)
    kept, at = list[str](), 0
    while begin := begins.search(text, at):
        kept.append(text[at : begin.start()])
        end = ends.search(text, begin.end())
        at = end.end() if end else len(text)
    said = "".join(kept) + text[at:]
    last = max((end.end() for end in ends.finditer(said)), default=0)
    return said[last:].strip() if at or last else text


@lru_cache(16)
def _reasoning(tags: tuple[str, ...]) -> tuple[re.Pattern[str], re.Pattern[str]]:
    names = "|".join(map(re.escape, tags))
    begin = rf"[<\[](?:{names})(?:\s[^<>\[\]]{{0,200}})?[>\]]"
    return re.compile(begin, re.IGNORECASE), re.compile(rf"[<\[]/(?:{names})\s?[>\]]", re.IGNORECASE)


class Silent(ExtractionFailed):
    """A reply that can be read, with nothing at the answer's place; `at` is that place as the file writes it."""

    at = ""


@dataclass(frozen=True)
class Extract:
    """Where things are in a reply: a JSONPath such as $.reply.text, {regex: …}, body for the whole text, base64, html
    for the text that HTML shows, a list of these that are applied one after another ([{regex: "42(.*)"}, "$[1].text"]:
    JSONPaths read a text as JSON), or file://x.py:function for a function that is given the whole text."""

    answer: SelectedByCode = BODY
    """What the bot says."""
    ranked: SelectedByCode | None = None
    """Its candidates, best first."""
    fields: Mapping[str, SelectedByCode] = field(default_factory=dict)
    """Anything else to keep, by name: confidence, intent, usage. A field called `sources` gets figures of its own: the
    passages that the bot read, as numbers from 0, titles, or texts out of them; and so does one called `tools`: the
    tools that the reply calls."""
    several: Literal["join", "first", "last"] = "join"
    """What to do if the answer's place contains several messages."""
    separator: str = "\n"
    """What is between joined messages."""
    reasoning: tuple[TagName, ...] = ("think",)
    """Tags around reasoning, such as think for <think>…</think> or [THINK]…[/THINK]: what is between them is no part
    of the answer."""
    html: bool = False
    """Strip tags, resolve entities."""
    charset: str = ""
    """Instead of the charset that the reply declares."""
    signs: ClassVar[Signs] = NO_SIGNS
    """Those of the target file and of the kind of bot: no key of this part, set by `bound`."""

    def bound(self, folder: Path, signs: Signs | None = None) -> Extract:
        """With the functions it names loaded, and with signs; raises ConfigError if a function cannot be."""

        def load(place: Selector) -> Selector:
            return place.bound(folder) if isinstance(place, ByCode) else place

        fields = {name: load(place) for name, place in self.fields.items()}
        made = replace(self, answer=load(self.answer), ranked=self.ranked and load(self.ranked), fields=fields)
        object.__setattr__(made, "signs", signs or NO_SIGNS)
        return made

    @cached_property
    def wanted(self) -> frozenset[tuple[str, str]]:
        """(call, name) of the earlier values that filters look at; only these are kept in a recording."""
        return earlier((self.answer, self.ranked, *self.fields.values()))

    def reply(self, body: Body) -> Reply:
        """Raises ExtractionFailed, naming the option to fix, or BrokenReply."""
        if refused := self.refused(body):
            return refused
        if body.status:  # a refusal when it was recorded, which no sign names any more
            raise RequestRefused(f"the bot refused the request with HTTP {body.status}", said=body.text, delivered=True)
        if self._is_silence(body):
            return Reply("")
        ranked = tuple(self._texts("ranked", self.ranked, body)) if self.ranked else ()
        values = self.values(body)
        # Who calls a tool need not say anything.
        text = (self.found(body) or "") if called(values.get(TOOLS)) else self.text(body)
        return Reply(text, ranked, values)

    def text(self, body: Body) -> str:
        """The answer, empty if the bot refused; raises ExtractionFailed if there is none."""
        found = self.found(body)
        if found is None:
            return self.silence(f"there is nothing at {self.answer.source} in this reply", body.text)
        return found

    def silence(self, sentence: str, said: str) -> str:
        """The empty answer of a bot that refused by saying nothing; raises ExtractionFailed if that is an error."""
        if self.signs.refusal(Body(said), nothing=True):
            return ""
        error = Silent(sentence, said=said, delivered=True, place=f"{PLACE}.answer")
        error.at = self.answer.source
        raise error

    def _is_silence(self, body: Body) -> bool:
        """A reply without any text contains nothing, wherever one looks."""
        return not body.text.strip() and bool(self.signs.refusal(body, nothing=True))

    def refused(self, body: Body) -> Reply | None:
        """The empty reply of a bot that refused by a sign in this body; raises what other signs mean."""
        if not (sign := self.signs.refusal(body)):
            return None
        values = {name: found_anyway(place, body) for name, place in self.fields.items()}
        return Reply("", (), {name: each[0] for name, each in values.items() if each}, refused=sign)

    def found(self, body: Body) -> str | None:
        """The answer, or None if there is nothing at its place."""
        found = [] if self._is_silence(body) else self._texts("answer", self.answer, body)
        return self.together(found) if found else None

    def together(self, messages: list[str]) -> str:
        """Several messages as one answer."""
        if len(messages) > 1 and self.several != "join":
            return messages[0 if self.several == "first" else -1]
        return self.separator.join(messages)

    @property
    def tools(self) -> tuple[str, ...] | None:
        """No name of a tool; None if tool calls are not read."""
        return () if TOOLS in self.fields else None

    def values(self, body: Body) -> Mapping[str, object]:
        """The fields that are there; a list where a place contains several."""
        found = {name: find(place, f"{PLACE}.fields.{name}", body) for name, place in self.fields.items()}
        return {name: values[0] if len(values) == 1 else values for name, values in found.items() if values}

    def explain(self, body: Body) -> Explained:
        """Each option, where it looks, and what it takes; raises what `reply` raises."""
        named = {"answer": self.answer, "ranked": self.ranked, **{f"fields.{n}": at for n, at in self.fields.items()}}
        for name, place in named.items():
            if place is not None and not self._is_silence(body):
                yield f"{PLACE}.{name}", place.source, find(place, f"{PLACE}.{name}", body)

    def clean(self, text: str) -> str:
        """A message as people read it."""
        if self.reasoning and _TAG.search(text):
            text = without_reasoning(text, self.reasoning)
        return clean(text, self.html)

    def _texts(self, name: str, place: Selector, body: Body) -> list[str]:
        return [self.clean(text) for text in texts(find(place, f"{PLACE}.{name}", body), f"{PLACE}.{name}")]


@lru_cache(64)
def charset_of(content_type: str, charset: str) -> str:
    """By the option, else as declared, else UTF-8. Raises ExtractionFailed if there is no such charset."""
    declared = re.search(r"charset=[\"']?([\w.:-]+)", content_type, re.IGNORECASE)
    name = (charset or (declared[1] if declared else "utf-8")).lower()
    if name in ("utf-8", "utf8"):
        return "utf-8-sig"
    try:
        "".encode(name)
        is_known = lookup(name).name not in _NO_CHARSETS
    except (LookupError, ValueError):
        is_known = False
    if not is_known:
        raise _charset_failure("the reply's charset is not known", name)
    return name


def _charset_failure(what: str, said: str = "") -> ExtractionFailed:
    return ExtractionFailed(f"{what}; name the right one", said=said, delivered=True, place=f"{PLACE}.charset")


def decoded(body: bytes, content_type: str, charset: str) -> str:
    """The text of a body. Raises ExtractionFailed if its charset does not fit."""
    name = charset_of(content_type, charset)
    if name == "utf-8-sig":  # which Python decodes in Python
        name, body = "utf-8", body.removeprefix(BOM_UTF8)
    try:
        return body.decode(name)
    except ValueError:
        raise _unreadable(name, content_type, charset) from None


def _unreadable(name: str, content_type: str, charset: str) -> ExtractionFailed:
    kind = content_type.partition(";")[0].strip()
    if kind and not charset and not re.search("text|json|xml|script|charset|form", content_type, re.IGNORECASE):
        return ExtractionFailed(f"the reply is {kind}, which is no text", delivered=True, place=PLACE)
    return _charset_failure(f"{name.removesuffix('-sig')!r} does not fit the reply's bytes")


class Decoder:
    """`decoded` for a body that comes in pieces."""

    def __init__(self, content_type: str, charset: str) -> None:
        self._from = charset_of(content_type, charset), content_type, charset
        self._decoder = getincrementaldecoder(self._from[0])()

    def __call__(self, piece: bytes, *, final: bool = False) -> str:
        try:
            return self._decoder.decode(piece, final)
        except ValueError:
            raise _unreadable(*self._from) from None
