"""What a bot's reply says: the answer, its candidates and fields, its charset. Pure: the same reply, kept in a
recording, can be read again with other options."""

from __future__ import annotations

import re
from codecs import BOM_UTF8, getincrementaldecoder, lookup
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any, Literal

from botattack.errors import BrokenReply, ExtractionFailed, RequestRefused
from botattack.model import Reply
from botattack.protocols import Explained
from botattack.protocols.signs import NOTHING, Signs, error_of, shown_sign
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
from botattack.targets.messages.signs import Rule, rules_of

PLACE = "connect.extract"
_NO_CHARSETS = frozenset({"idna", "punycode", "raw-unicode-escape", "undefined", "unicode-escape"})
"""What Python knows beside charsets. No bot writes its replies in it, and some of it takes a hostile one for ever."""


class Silent(ExtractionFailed):
    """A reply that can be read, with nothing at the answer's place."""


@dataclass(frozen=True)
class Extract:
    """Where things are in a reply: a JSONPath such as $.reply.text, {regex: …}, body for the whole text, or
    file://x.py:function for a function that is given the whole text."""

    answer: SelectedByCode = BODY
    """What the bot says."""
    ranked: SelectedByCode | None = None
    """Its candidates, best first."""
    fields: Mapping[str, SelectedByCode] = field(default_factory=dict)
    """Anything else to keep, by name: confidence, intent, usage. A field called `sources` gets figures of its own: the
    passages that the bot read, as numbers from 0, titles, or texts out of them."""
    several: Literal["join", "first", "last"] = "join"
    """What to do if the answer's place contains several messages."""
    separator: str = "\n"
    """What is between joined messages."""
    html: bool = False
    """Strip tags, resolve entities."""
    charset: str = ""
    """Instead of the charset that the reply declares."""

    @property
    def rules(self) -> tuple[Rule, ...]:
        """The signs that are looked for in a reply before anything is read from it, the first that is there counts."""
        return ()

    def heeding(self, signs: Signs) -> Extract:
        """With these signs before those it heeds already. Raises BadValue."""
        given = {name: value for name, value in vars(self).items() if name in Extract.__dataclass_fields__}
        return Heeding(**given, rules=(*rules_of(signs), *self.rules))

    def bound(self, folder: Path) -> Extract:
        """With the functions it names loaded; raises ConfigError if one cannot be."""

        def load(place: Selector) -> Selector:
            return place.bound(folder) if isinstance(place, ByCode) else place

        fields = {name: load(place) for name, place in self.fields.items()}
        return replace(self, answer=load(self.answer), ranked=self.ranked and load(self.ranked), fields=fields)

    @cached_property
    def wanted(self) -> frozenset[tuple[str, str]]:
        """(call, name) of the earlier values that filters look at; only these are kept in a recording."""
        places = (self.answer, self.ranked, *self.fields.values())
        return frozenset(pair for place in places if place for pair in re.findall(r"_\.(\w+)\.(\w+)", place.source))

    def reply(self, body: Body) -> Reply:
        """Raises ExtractionFailed, naming the option to fix, or BrokenReply."""
        if (rule := self.sign(body)) is not None:
            return self.meant(rule, body)
        if body.status >= 400:  # a refusal when it was recorded, which no sign names any more
            told = f"the bot refused the request with HTTP {body.status}"
            raise RequestRefused(told, said=body.text, status=body.status, delivered=True, place="signs.refused")
        if self._is_silence(body):
            return Reply(self.silence("the reply is empty", body.text))
        ranked = tuple(self._texts("ranked", self.ranked, body)) if self.ranked else ()
        return Reply(self.text(body), ranked, self.values(body))

    def text(self, body: Body) -> str:
        """The answer, empty if the bot refused; raises ExtractionFailed if there is none."""
        found = self.found(body)
        if found is None:
            return self.silence(f"there is nothing at {self.answer.source} in this reply", body.text)
        return found

    def sign(self, body: Body, event: str = "") -> Rule | None:
        """The first sign that a reply, or a piece of one, shows."""
        return next((rule for rule in self.rules if rule.on(body, event)), None)

    def meant(self, rule: Rule, body: Body) -> Reply:
        """The empty reply of a bot that refused, with the fields that can be read; raises what busy and failed mean."""
        if rule.outcome != "refused":
            raise error_of(rule.outcome, rule.sign, body.text)
        with suppress(ExtractionFailed, BrokenReply):
            return Reply("", (), self.values(body), refused=shown_sign(rule.sign))
        return Reply("", refused=shown_sign(rule.sign))

    @cached_property
    def on_silence(self) -> Rule | None:
        """What it says if there is nothing at the answer's place; None if the file does not tell."""
        return next((rule for rule in self.rules if rule.sign == NOTHING), None)

    def silence(self, sentence: str, said: str) -> str:
        """The empty answer of a bot that refused by saying nothing; raises a TargetError if that is none."""
        if self.on_silence is None:
            raise Silent(sentence, said=said, delivered=True, place=f"{PLACE}.answer")
        if self.on_silence.outcome != "refused":
            raise error_of(self.on_silence.outcome, NOTHING, said)
        return ""

    def _is_silence(self, body: Body) -> bool:
        """A reply without any text contains nothing, wherever one looks."""
        return self.on_silence is not None and not body.text.strip()

    def found(self, body: Body) -> str | None:
        """The answer, or None if there is nothing at its place."""
        found = [] if self._is_silence(body) else self._texts("answer", self.answer, body)
        return self.together(found) if found else None

    def together(self, messages: list[str]) -> str:
        """Several messages as one answer."""
        if len(messages) > 1 and self.several != "join":
            return messages[0 if self.several == "first" else -1]
        return self.separator.join(messages)

    def values(self, body: Body) -> Mapping[str, Any]:
        """The fields that are there; a list where a place contains several."""
        found = {name: find(place, f"{PLACE}.fields.{name}", body) for name, place in self.fields.items()}
        return {name: values[0] if len(values) == 1 else values for name, values in found.items() if values}

    def explain(self, body: Body) -> Explained:
        """Each option, where it looks, and what it takes; raises what `reply` raises."""
        if (rule := self.sign(body)) is not None:
            yield f"signs.{rule.outcome}", shown_sign(rule.sign), [body.text]
            return
        named = {"answer": self.answer, "ranked": self.ranked, **{f"fields.{n}": at for n, at in self.fields.items()}}
        for name, place in named.items():
            if place is not None and not self._is_silence(body):
                yield f"{PLACE}.{name}", place.source, find(place, f"{PLACE}.{name}", body)

    def _texts(self, name: str, place: Selector, body: Body) -> list[str]:
        return [clean(text, self.html) for text in texts(find(place, f"{PLACE}.{name}", body), f"{PLACE}.{name}")]


@dataclass(frozen=True)
class Heeding(Extract):
    """With the signs of the target file, and those that the kind of bot knows."""

    rules: tuple[Rule, ...] = ()


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
        raise _charset_failure(f"{name.removesuffix('-sig')!r} does not fit the reply's bytes") from None


class Decoder:
    """`decoded` for a body that comes in pieces."""

    def __init__(self, content_type: str, charset: str) -> None:
        self._name = charset_of(content_type, charset)
        self._decoder = getincrementaldecoder(self._name)()

    def __call__(self, piece: bytes, *, final: bool = False) -> str:
        try:
            return self._decoder.decode(piece, final)
        except ValueError:
            raise _charset_failure(f"{self._name.removesuffix('-sig')!r} does not fit the stream's bytes") from None
