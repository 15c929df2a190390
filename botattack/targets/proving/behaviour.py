"""What texts of one place are, by how they behave when a bot is asked several things, and one of them twice."""

from __future__ import annotations

import re
from base64 import b64decode
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from statistics import fmean

from botattack.targets.messages.selectors import json_or_none
from botattack.text.folding import folded
from botattack.text.languages import column_names

_TOKEN = re.compile(r"[\w.:/+=@#%&?~-]*[\d_:/=-][\w.:/+=@#%&?~-]*|[a-z]+|[A-Z_]+|")
"""An id, a time, an address, or a word of a program."""
_CHANGING = re.compile(r"\b(?:0x[0-9a-f]+|[0-9a-f]{6,})\b|\d+", re.IGNORECASE)
"""What clocks, counters and ids put into a text that is otherwise the same."""
_BESIDE = re.compile(
    r"think|thought|reason|trac(?:e|ing)|debug|(?:^|[ _.-])logs?$|suggest|follow|citation|cited|sources?\b|referenc"
    r"|retriev|tool|(?<!in.)progress|typing|rewrit|error|usage|meta|greet|welcome|disclaim|feedback|scratch|analysis|quick"
    r"|snippet|passage|chunk_?text|highlight|annotation|ground",
    re.IGNORECASE,
)
"""Names of what stands beside an answer, wherever they are part of one."""
_BESIDE_WHOLE = frozenset(
    (
        *("query", "question", "prompt", "input", "inputtext", "user", "human", "context", "contexts", "history"),
        *("documents", "document", "docs", "title", "status", "step", "steps", "action", "actions", "intent", "search"),
        *(
            "buttons",
            "options",
            "plan",
            "echo",
            "transcript",
            "querytext",
            "searchresults",
            "related",
            "info",
            "notice",
        ),
        *("system", "ping", "event", "hint", "hints", "summary", "explanation", "warning", "warnings", "next"),
    )
)
"""Names that mean such a thing only alone: `queryResult` contains an answer."""
_ANSWERS = frozenset(
    (
        *("answer", "reply", "response", "text", "message", "content", "output", "outputtext", "generatedtext"),
        *("completion", "utterance", "botresponse", "speech", "say", "body", "delta", "fulfillmenttext", "token"),
        *("result", "bot", "assistant", "markdown", "final", "finalanswer", "model", "ai", "agent", "responsetext"),
    )
)
"""Names of what a bot says. They decide only between places that behave alike."""
_TAGS = re.compile(r"</?(?:p|br|b|i|a|div|span|ul|ol|li|strong|em|h\d|table|pre|code)\b[^<>]{0,200}>", re.IGNORECASE)
_ID = re.compile(r"\b[0-9a-f]{8}-[0-9a-f]{4}-|\b(?=[a-z]*\d)(?=\d*[a-z])[0-9a-f]{12,}\b", re.IGNORECASE)
_TAGGED = re.compile(r"\s*(?:<(\w+)>|\[(\w+)\]).*?(?:</\1>|\[/\2\])", re.DOTALL)
_FORMATTING = re.compile(
    r"(?:rich|plain|unstyled|formatted|text|paragraph|para|heading|header|title|subtitle|one|two|three|h?[1-6]|un|"
    r"(?:un)?ordered|bullet(?:ed)?|numbered|list|item|block|quote|code|section|bold|italic|strong|em|p|li|[-_ ])+",
    re.IGNORECASE,
)
_ITEM = re.compile(r"(?:[-*•–]|\d{1,2}[.)])\s+\w")
"""How an item of a list begins."""
SAME = "the same for different questions"
SURE = frozenset({"answer", "reply", "response", "finalanswer", "botresponse", "fulfillmenttext", "completion"})


def plain_name(name: str) -> str:
    """A key without what spellings differ in: userMessage and user_message are one."""
    return re.sub(r"[\W_]", "", name).lower()


def is_beside(name: str) -> bool:
    """Whether a name is that of something beside an answer; that of a question may be of any language."""
    asked = column_names().get(folded(name)) == "question"
    return asked or bool(_BESIDE.search(name)) or plain_name(name) in _BESIDE_WHOLE


def is_sure(name: str) -> bool:
    """Whether a name is that of an answer alone, in any language."""
    return plain_name(name) in SURE or column_names().get(folded(name)) == "answers"


def is_formatting(name: str) -> bool:
    """Whether a name says how a part of a text looks: all such parts are one text."""
    return bool(_FORMATTING.fullmatch(name))


def names_score(names: Sequence[str]) -> int:
    """How much names on the way to a text are those of an answer; the last tells most."""
    if any(map(is_beside, names)):
        return -4
    told = [plain_name(name) in _ANSWERS or is_sure(name) for name in names]
    sure = any(map(is_sure, names))
    return (2 if told and told[-1] else 0) + (1 if any(told) else 0) + sure


def squeezed(text: str) -> str:
    return " ".join(text.split())


def steady(text: str) -> str:
    """Without numbers and ids, which change by themselves."""
    return _CHANGING.sub("0", squeezed(text))


def is_markup(text: str) -> bool:
    """Whether a text has tags or entities of HTML in it."""
    return has_tags(text) or bool(
        re.search(r"&(?:amp|lt|gt|quot|nbsp|#\d+|#x[0-9a-f]+|[a-z]{2,6}dash|[lr]dquo|rsquo);", text, re.I)
    )


def has_tags(text: str) -> bool:
    """Whether a text has tags of HTML in it."""
    return bool(_TAGS.search(text))


@dataclass(frozen=True)
class Said:
    """The texts of one reading, one for each asking."""

    messages: tuple[str, ...]
    texts: tuple[str, ...]

    @property
    def _first(self) -> dict[str, str]:
        """The first text for each message."""
        found: dict[str, str] = {}
        for message, text in zip(self.messages, self.texts, strict=True):
            found.setdefault(message, text)
        return found

    @property
    def same(self) -> bool:
        """Whether different messages got the same lines, however often, numbers and ids aside."""
        lines = {frozenset(map(steady, text.splitlines())) for text in self._first.values()}
        return len(self._first) > 1 and len(lines) < 2

    @property
    def different(self) -> int:
        """How many texts differ in more than numbers and ids."""
        return len({*map(steady, self.texts)})

    @property
    def echo(self) -> bool:
        """Whether it is the question, perhaps with something constant around it."""
        pairs = [
            (squeezed(m).casefold(), squeezed(t).casefold()) for m, t in zip(self.messages, self.texts, strict=True)
        ]
        return all(message in text for message, text in pairs) and (
            len({steady(text.replace(message, "\0")) for message, text in pairs}) == 1
        )

    @property
    def taken(self) -> bool:
        """Whether every line of every text stands in its question, as what was searched for or recognised does."""
        pairs = [(squeezed(m).casefold(), t.casefold()) for m, t in zip(self.messages, self.texts, strict=True)]
        return all(squeezed(line).strip(".?! ") in message for message, text in pairs for line in text.splitlines())

    @property
    def token(self) -> bool:
        """Whether every text is an id, a label or an address."""
        return all(_TOKEN.fullmatch(line.strip()) for text in self.texts for line in text.splitlines())

    @property
    def code(self) -> bool:
        """Whether every text, or every line of it, is JSON, which a program is to read."""
        return all(
            text.strip()[:1] in ("{", "[") and (_is_json(text) or all(map(_is_json, text.splitlines())))
            for text in self.texts
        )

    @property
    def encoded(self) -> bool:
        """Whether every text is base64 of something that can be read."""
        return all(map(_is_base64, self.texts))

    @property
    def tags(self) -> tuple[str, ...]:
        """The names of tags, not of HTML, around something that a text begins with: what a model thinks."""
        found = (_TAGGED.match(text) for text in self.texts if not _TAGS.match(text.lstrip()))
        return tuple(dict.fromkeys(each[1] or each[2] for each in found if each))

    @property
    def restless(self) -> bool:
        """Whether the same message got something else, numbers and ids included."""
        return any(self._first[message] != text for message, text in zip(self.messages, self.texts, strict=True))

    @property
    def drawn(self) -> bool:
        """Whether texts for one message share no more words than texts for different ones: chance alone may tell them
        apart."""
        once, other = list[float](), list[float]()
        for (a, text), (b, then) in combinations(zip(self.messages, self.texts, strict=True), 2):
            one, two = (set(steady(each).casefold().split()) for each in (text, then))
            (once if a == b else other).append(len(one & two) / max(1, len(one | two)))
        return bool(once and other) and fmean(once) <= fmean(other)

    @property
    def ticking(self) -> bool:
        """Whether it differs for the same message, but in numbers and ids alone."""
        pairs = [(self._first[message], text) for message, text in zip(self.messages, self.texts, strict=True)]
        return any(a != b for a, b in pairs) and all(steady(a) == steady(b) for a, b in pairs)

    @property
    def quotes(self) -> bool:
        """Whether every text repeats its question, as traces and transcripts do."""
        pairs = zip(self.messages, self.texts, strict=True)
        return all(squeezed(message).casefold() in squeezed(text).casefold() for message, text in pairs)

    @property
    def doubt(self) -> str:
        """Why more than the answer may be in the texts; empty if nothing shows that."""
        if self.quotes:
            return "every text repeats its question"
        starts = [text.lstrip()[:1] for text in self.texts]
        if starts[0] in ("[", "{", "(", "<", "|") and len({*starts}) == 1:
            return f"every text begins with {starts[0]}: it may be more than the answer"
        if all(_ID.search(text) for text in self.texts):
            return "every text has an id in it: it may be more than the answer"
        return ""

    @property
    def asks(self) -> bool:
        """Whether every text is a question, as suggestions are."""
        return all(text.rstrip()[-1:] in ("?", "؟", "？") for text in self.texts)

    @property
    def fault(self) -> str:
        """Why this cannot be what the bot answers; empty if it can."""
        faults = {
            "not in every reply": not all(text.strip() for text in self.texts),
            "the question": self.echo,
            "JSON inside a text": self.code,
            "base64 of a text": self.encoded,
            "an id, a label or an address": self.token,
            SAME: self.same,
        }
        return next((why for why, is_so in faults.items() if is_so), "")

    @property
    def score(self) -> int:
        """How much it behaves like an answer, compared with what stands beside one."""
        lost = 4 * self.taken + 2 * self.quotes + 2 * self.asks + 2 * self.ticking + self.restless
        words = sorted(len(text.split()) for text in self.texts)
        return -lost - (1 if words[len(words) // 2] < 3 else 0)


def _is_json(text: str) -> bool:
    return isinstance(json_or_none(text), dict | list)


def _is_base64(text: str) -> bool:
    try:
        return len(text) > 15 and b64decode(text.strip(), validate=True).decode().strip().count(" ") > 0
    except ValueError:
        return False


def goes_on(before: str, after: str) -> bool:
    """Whether one text continues in another: no sentence ends between them."""
    ended = before.rstrip()[-1:] in tuple(".!?:…。؟！？") or before.endswith("\n") or after.startswith("\n")
    glued = (before[-1:].isalnum() or before[-1:] in tuple('}])>"”')) and after[:1].isupper()
    begins = after[:1] in ("{", "[") or _ITEM.match(after)
    return bool(before.strip()) and not ended and not glued and not begins


def alike(texts: Iterable[str]) -> tuple[str, ...]:
    return tuple(map(squeezed, texts))
