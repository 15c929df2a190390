"""Finds secrets in text, in whatever encoding they are written there, and masks them."""

from __future__ import annotations

import base64
import json
import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import accumulate, chain
from time import monotonic
from typing import Any

from botattack.config.literals import SHORTEST_MASKED
from botattack.errors import excerpt
from botattack.patterns import compiled, in_time
from botattack.recordings.decoding import LAYERS, Layer, Span, contents, decoded, folded, plain, runs

Find = Callable[[str], Sequence[Span]]
"""Where secrets stand in a text."""


def masked(text: str, spans: Iterable[Span], mask: str, continued: Iterable[Span] = ()) -> str:
    """A text with each span replaced, those that overlap as one; what is `continued` from a text before is left out."""
    found: list[tuple[int, int, str]] = []
    for start, end, sign in sorted([*((*span, mask) for span in spans), *((*span, "") for span in continued)]):
        if found and start < found[-1][1]:
            found[-1] = found[-1][0], max(end, found[-1][1]), found[-1][2] or sign
        else:
            found.append((start, end, sign))
    parts, at = [], 0
    for start, end, sign in found:
        parts += [text[at:start], sign]
        at = end
    return "".join([*parts, text[at:]])


def pieces(texts: Sequence[str], find: Find, mask: str) -> list[str]:
    """Pieces of one text, or looks at one that grows, masked: the mask stands in the piece in which a secret begins,
    and what continues it is left out of the pieces after."""
    own = _grown(texts, find)
    rest: list[list[Span]] = [[] for _ in texts]
    ends = list(accumulate(map(len, texts)))
    for start, end in find("".join(texts)):
        for index in range(bisect_right(ends, start), bisect_left(ends, end) + 1):
            begin = ends[index] - len(texts[index])
            part = max(start - begin, 0), min(end - begin, len(texts[index]))
            (own if start >= begin else rest)[index].append(part)
    return [masked(text, spans, mask, more) for text, spans, more in zip(texts, own, rest, strict=True)]


def _grown(texts: Sequence[str], find: Find) -> list[list[Span]]:
    """Where secrets stand in each text, and in the next one as far as that begins in the same way."""
    spans = [list(find(text)) for text in texts]
    for index in range(len(texts) - 2, -1, -1):
        same = shared(texts[index], texts[index + 1])
        spans[index] += [(start, min(end, same)) for start, end in spans[index + 1] if start < same]
    return spans


def shared(old: str, new: str) -> int:
    """How many characters both begin with."""
    most = min(len(old), len(new))
    if old[:most] == new[:most]:
        return most
    return next(index for index in range(most) if old[index] != new[index])


MASK = "[redacted]"
LONGEST = 0.25
"""Seconds a pattern may search one text."""
TOGETHER = 2.0
"""Seconds that the patterns may search all texts of one event, of which a bot may make any number."""
BEGINNING, END = 8_192, 65_536
"""Characters of a text of which an excerpt of its beginning, or of its last line, is made."""
LOWERED = 8
"""Secrets of at least so many characters are looked for in lower case, too: host names are lower-cased."""
PACKED = 6
"""Characters of a secret that is looked for in base64 and hexadecimal."""
_SURE = 3
"""Shortest run of letters and digits of a secret that can serve as a quick test. For secrets with a shorter one, every
text is searched."""
_LETTER = "(?:3[0-9]|[46][1-9a-fA-F]|[57][0-9aA]|5[cC]|2[356])"
"""In hexadecimal: a letter, a digit, or a sign with which a code begins."""
_CODES = (
    (("\\u", "\\x", "\\U"), re.compile(rf"\\(?:[ux]\{{?0{{0,6}}|U0{{6}}){_LETTER}")),
    (("%",), re.compile(rf"%(?:25)*{_LETTER}")),
    (
        ("&",),
        re.compile(
            rf"&(?:amp;)*#(?:0*(?:3[578]|4[89]|5[0-7]|6[5-9]|[78]\d|9[027-9]|1[01]\d|12[0-2])|[xX]0*{_LETTER});"
        ),
    ),
)
"""A letter, a digit or one of `\\ % & #` that is written as a code, with what it begins with: most texts hold
nothing of that."""


class SearchTime:
    """The time that patterns may still search the texts of one event."""

    def __init__(self) -> None:
        self._left = TOGETHER

    def spend(self, search: Callable[..., str]) -> str:
        """Raises TimeoutError if the search, or all searches together, take too long."""
        if self._left <= 0:
            raise TimeoutError
        began = monotonic()
        try:
            return str(in_time(search, seconds=min(LONGEST, self._left)))
        finally:
            self._left -= monotonic() - began


class Masker:
    """Masks secrets in text: written plainly, with whatever signs JSON, URLs, HTML or programs quote, up to LAYERS
    times over, with white space of another kind, in small letters, and in base64 or hexadecimal.

    `patterns` are regular expressions of the `regex` package; whatever they find, as it is, is masked as well.
    """

    def __init__(self, secrets: Iterable[str] = (), patterns: Iterable[str] = ()) -> None:
        self._patterns = tuple(map(compiled, patterns))
        self._secrets: frozenset[str] = frozenset()
        self._forms: tuple[str, ...] = ()
        self._packed: tuple[str, ...] = ()
        self._hints: tuple[str, ...] = ()
        self.learn(secrets)

    def learn(self, secrets: Iterable[str]) -> None:
        """From now on these are masked, too."""
        known = self._secrets | {secret.strip() for secret in secrets if len(secret.strip()) >= SHORTEST_MASKED}
        if known != self._secrets:
            self._secrets = known
            self._forms = tuple(sorted({form for secret in known for form in _forms(secret)}, key=len, reverse=True))
            self._packed = tuple(sorted({core for secret in known for core in _cores(secret)}))
            self._hints = (*sorted({anchor for secret in known for anchor in _anchors(secret)}), *self._packed)

    def suspects(self, text: str) -> bool:
        """Whether there may be anything to mask, in a text or in JSON that holds it."""
        return bool(self._patterns) or self._hints_at(text)

    def _hints_at(self, text: str) -> bool:
        # Looking for one text after the other takes a fifth of the time that a search for all of them at once does.
        return any(hint in text for hint in self._hints) or (bool(self._hints) and _holds_code(text))

    def text(self, text: str, *, cut: bool = False, left: SearchTime | None = None) -> str:
        """A text with every secret masked. `cut` says that it may end in the middle of one; `left` is the time that
        the patterns may take for it and for other texts."""
        if self._secrets and (cut or self._hints_at(text)):
            text = masked(text, self._spans(text, cut), MASK)
        left = left or SearchTime()
        for pattern in self._patterns:
            try:
                text = left.spend(partial(pattern.sub, MASK, text))
            except TimeoutError:
                # What cannot be searched in time may contain anything.
                return MASK
        return text

    @property
    def is_needed(self) -> bool:
        """Whether there is anything to mask at all."""
        return bool(self._secrets or self._patterns)

    def pieces(self, texts: Sequence[str]) -> list[str]:
        """The pieces of one text, in each of which there may be a part of a secret."""
        return pieces(texts, self._found, MASK)

    def _found(self, text: str) -> list[Span]:
        """Where anything is masked: all of a text that a pattern cannot be searched for in time."""
        found = list(self._spans(text, cut=False)) if self._hints_at(text) else []
        for pattern in self._patterns:
            try:
                found += in_time(_spans_of, pattern, text, seconds=LONGEST)
            except TimeoutError:
                return [(0, len(text))]
        return found

    def excerpt(self, said: str, *, last: bool = False) -> str:
        """An `Excerpt`: masked first, and cut then."""
        part = (said[-END:] if last else said[:BEGINNING]).rstrip()
        if last and len(said) >= END and "\n" not in part:
            # This line begins with the end of who knows what.
            return ""
        return excerpt(self.text(part, cut=True), last=last)

    def _spans(self, text: str, cut: bool, *, packed: bool = False) -> Iterator[Span]:
        """Where secrets stand, in this text or in one that it encodes; `packed` says that base64 held it."""
        layers: list[Layer] = []
        for _ in range(LAYERS + 1):
            blank = folded(text)
            found = map(blank.source, self._plain_spans(blank.text, cut))
            for span in (*found, *(() if packed else self._packed_spans(text, cut))):
                for layer in reversed(layers):
                    span = layer.source(span)  # noqa: PLW2901  # step by step back to the text that was given
                yield span
            layers.append(decoded(text))
            if not layers[-1].changed:
                return
            text = layers[-1].text

    def _plain_spans(self, text: str, cut: bool) -> Iterator[Span]:
        for form in self._forms:
            at = text.find(form)
            while at >= 0:
                yield at, at + len(form)
                at = text.find(form, at + 1)
        if cut:
            yield from self._begun(text)

    def _begun(self, text: str) -> Iterator[Span]:
        """The beginning of a secret with which a text ends, perhaps in the middle of a code."""
        for form in self._forms:
            for end in {len(text), _sound(text)}:
                sizes = range(min(len(form) - 1, end), SHORTEST_MASKED - 1, -1)
                size = next((size for size in sizes if text.endswith(form[:size], 0, end)), 0)
                if size:
                    yield end - size, len(text)

    def _packed_spans(self, text: str, cut: bool) -> Iterator[Span]:
        if not (cut or self._packs(text)):
            return
        end = _sound(text)
        for span, digits in runs(text):
            last = cut and span[1] >= end
            if (last or self._packs(digits)) and any(self._content_spans(digits, last)):
                yield span

    def _packs(self, text: str) -> bool:
        return any(core in text for core in self._packed)

    def _content_spans(self, digits: str, cut: bool) -> Iterator[Span]:
        return chain.from_iterable(self._spans(content, cut, packed=True) for content in contents(digits))


def _sound(text: str) -> int:
    """Where a text ends without the code, or the character, that is not all there."""
    found = _HALF.search(text, max(0, len(text) - 64))
    return found.start() if found else len(text)


_HALF = re.compile(r"\ufffd*(?:\\+(?:[uUx]\{?[0-9A-Fa-f]{0,7})?|%[0-9A-Fa-f]?|&#?\w{0,8})?\Z")


def _holds_code(text: str) -> bool:
    return any(begin in text and code.search(text) for begins, code in _CODES for begin in begins)


def _forms(secret: str) -> Iterator[str]:
    """How it, or a line of it, reads once codes are taken back."""
    for form in (folded(secret).text, plain(secret)):
        if len(form) >= SHORTEST_MASKED:
            yield form
        if len(form) >= LOWERED:
            yield form.lower()
    yield from map(plain, _lines(secret))


def _anchors(secret: str) -> Iterator[str]:
    """Its longest run of letters and digits, which most encodings leave as it is. If that is too short, the empty text:
    every text contains it, so every text is searched."""
    run = _run(secret)
    yield from (run, run.lower()) if len(run) >= _SURE else ("",)
    yield from map(_run, _lines(secret))


def _lines(secret: str) -> Iterator[str]:
    """The lines of a key in a file, each of which may appear alone."""
    lines = [line.strip() for line in secret.splitlines()]
    return (line for line in lines if len(lines) > 1 and re.fullmatch(r"[\w+/=-]{16,}", line) and line[0] != "-")


def _run(secret: str) -> str:
    return max(re.findall(r"[A-Za-z0-9]{1,16}", secret), key=len, default="")


def _cores(secret: str) -> Iterator[str]:
    """The digits that its longest run, or all of it, gives in base64 and hexadecimal, whatever stands around it."""
    run = _run(secret)
    for text in (
        {run} if len(run) >= PACKED else {secret, *(json.dumps(secret, ensure_ascii=a)[1:-1] for a in (False, True))}
    ):
        data = text.encode(errors="replace")
        yield from (data.hex(), data.hex().upper())
        for encode in (base64.b64encode, base64.urlsafe_b64encode):
            # Of whatever stands before and after, the digits at the edges may have bits: these are cut off.
            for offset in range(3):
                coded = encode(b"\0" * offset + data).decode().rstrip("=")
                core = coded[(0, 2, 3)[offset] : len(coded) - (1 if (offset + len(data)) % 3 else 0)]
                if len(core) >= PACKED:
                    yield core


def _spans_of(pattern: Any, text: str, **limits: Any) -> list[Span]:
    return [match.span() for match in pattern.finditer(text, **limits) if match[0]]
