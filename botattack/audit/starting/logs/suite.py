"""A question file from logs: what users asked, near-duplicates together, each with how often it was asked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache, partial
from itertools import islice
from pathlib import Path

import msgspec

from botattack.audit.starting.call import BadStart
from botattack.audit.starting.logs.asking import asked, stands_alone
from botattack.audit.starting.logs.counting import SHARED, Words, tokens
from botattack.audit.starting.logs.wording import LOST, Masking, Wording
from botattack.files import write_whole
from botattack.model import content_id
from botattack.options import JsonObject
from botattack.questions.conversations import Said, said
from botattack.report.numbers import count
from botattack.report.report_files import check_place
from botattack.text.folding import folded
from botattack.text.languages import codes, language, language_among, language_of_all, stemmer, written
from botattack.text.made_up import faker_of, listed_names, made_up
from botattack.text.personal import cleaned, without_structured
from botattack.text.word_lists import word_tuple

_LOOKED_AT = 500
"""Messages of users that tell the language of a log."""
_OPEN = 5_000
"""Conversations whose last questions are remembered, if those of a log overlap."""
_BEFORE = 4
"""Questions of a conversation that one which leans on them may need."""
_WORDINGS = 20
"""Wordings of a question that are counted: the most usual one is among the first."""
_MISSING = 0.2
"""The largest share of records that may be broken: with more, the rest of the file cannot be trusted either."""
Progress = Callable[[int, int], None]
"""Told the pass, 1 or 2, and the number of messages read."""


@dataclass(frozen=True)
class LogSettings:
    """What is read. `lang` empty: told by the words. `keep`: words that are never taken for personal."""

    files: tuple[Path, ...]
    lang: str = ""
    keep: frozenset[str] = frozenset()
    columns: Mapping[str, str] = field(default_factory=dict)


@dataclass
class Group:
    """Near-duplicates: their wordings without what is personal, and how often each was asked."""

    code: str
    times: int = 0
    wordings: Counter[tuple[Wording, ...]] = field(default_factory=Counter)

    def add(self, wording: tuple[Wording, ...]) -> None:
        self.times += 1
        if wording in self.wordings or len(self.wordings) < _WORDINGS:
            self.wordings[wording] += 1

    @property
    def usual(self) -> tuple[Wording, ...]:
        return min(self.wordings, key=lambda turns: (-self.wordings[turns], [wording.text for wording in turns]))


@dataclass
class Summary:
    """What was found: printed, never with a word of what was replaced."""

    chats: int = 0
    messages: int = 0
    broken: list[str] = field(default_factory=list)
    asked: int = 0
    lost: int = 0
    named: int = 0
    """Questions with a made-up name."""
    replaced: Counter[str] = field(default_factory=Counter)


def suite_from(settings: LogSettings, progress: Progress = lambda _, __: None) -> tuple[list[JsonObject], Summary]:
    """The records of a question file, most asked first; raises BotattackError with what is wrong with the log."""
    groups, summary = grouped(settings, progress)
    ordered = sorted(groups.items(), key=lambda item: (-item[1].times, item[0]))
    summary.named = sum(any(wording.has("name") for wording in group.usual) for group in groups.values())
    rows = (_row(group, key) for key, group in ordered)
    return [{"id": f"log-{at:05}", **row} for at, row in enumerate(rows, 1)], summary


def grouped(settings: LogSettings, progress: Progress = lambda _, __: None) -> tuple[dict[str, Group], Summary]:
    """The questions of a log, near-duplicates together; raises BotattackError with what is wrong with the log.

    The log is read twice. First every word is counted; then questions are taken out, without what is personal.
    """
    listed_names()
    summary, words = Summary(), Words(settings.keep)
    common = _language(settings)
    for number, one in enumerate(_said(settings, summary.broken), 1):
        progress(1, number)
        if one.speaker == "user":
            summary.messages += 1
            code = _code(one.text, common, settings)
            words.add(one.chat, without_structured(cleaned(one.text), code)[0], code)
    if (bad := len(summary.broken)) > _MISSING * summary.messages:
        raise BadStart(f"{summary.broken[0]} ({count(bad, 'record')} cannot be read)")
    groups = _grouped(settings, common, Masking(words), summary, progress)
    summary.chats = len(words.chats)
    if not groups:
        raise BadStart(
            f"{_names(settings)}: no question was found whose words at least {SHARED} conversations share; give more "
            "conversations, or name words that may be kept with --keep"
        )
    return groups, summary


def write_suite(path: Path, rows: Sequence[JsonObject]) -> None:
    """Writes a file of JSON lines, all of it or nothing."""
    check_place(path)
    write_whole(path, msgspec.json.Encoder().encode_lines(rows))


def _said(settings: LogSettings, broken: list[str]) -> Iterator[Said]:
    for path in settings.files:
        for one in said(path, settings.columns):
            if isinstance(one, Said):
                yield one
            else:
                broken.append(f"{path}:{one.line}: {one.why}")


def _language(settings: LogSettings) -> str:
    """The language of a log, which its first messages tell; raises BadStart if there are none, or if it is of another
    language than was said."""
    broken: list[str] = []
    users = [one.text for one in islice((one for one in _said(settings, broken) if one.speaker == "user"), _LOOKED_AT)]
    if not users:
        none = "no message in it is a user's; each message needs a `role`, which is user or assistant, and `content`"
        raise BadStart(broken[0] if broken else f"{_names(settings)}: {none}")
    found = language_of_all(users)
    told = Counter(language_among(text, found) for text in users)
    most = told.most_common(1)[0][0]
    known = sorted(code for code in codes() if written(code, "chats"))
    if (common := settings.lang or most) not in known:
        own = f"write {common}/chats.yaml in a folder that BOTATTACK_LANGUAGES names (docs/from-logs.md says how)"
        raise BadStart(f"{_names(settings)}: names are found in {', '.join(known)}, not in {common!r}: {own}")
    if settings.lang and told[settings.lang] < told.total() / 2:
        raise BadStart(f"{_names(settings)} is mostly written in {most!r}, not in {settings.lang!r}; change --lang")
    return common


def _code(text: str, common: str, settings: LogSettings) -> str:
    code = settings.lang or language_among(text, common)
    return code if written(code, "chats") else common


def _names(settings: LogSettings) -> str:
    return ", ".join(map(str, settings.files))


def _grouped(
    settings: LogSettings, common: str, masking: Masking, summary: Summary, progress: Progress
) -> dict[str, Group]:
    groups: dict[str, Group] = {}
    open_chats = lru_cache(_OPEN)(lambda _: _Chat())
    for number, one in enumerate(_said(settings, []), 1):
        progress(2, number)
        chat = open_chats(one.chat)  # the last that spoke is the last to be forgotten
        if one.speaker == "bot":
            chat.bot_asked = one.text.rstrip().endswith(("?", "؟"))
            continue
        code = chat.code = _code(one.text, chat.code or common, settings)
        for turns in chat.questions(one.text, code, masking):
            summary.asked += 1
            if any(wording.has(LOST) for wording in turns):
                summary.lost += 1
                continue
            key = content_id(*(_key(wording, code) for wording in turns))
            groups.setdefault(key, Group(code)).add(turns)
            summary.replaced.update(slot.kind for wording in turns for slot in wording.slots)
    return groups


@dataclass
class _Chat:
    """A conversation that may go on: its language, whether the bot has just asked something, and what the user did."""

    bot_asked: bool = False
    code: str = ""
    before: list[tuple[str, Wording]] = field(default_factory=list)

    def questions(self, text: str, code: str, masking: Masking) -> Iterator[tuple[Wording, ...]]:
        """The questions of a message, each with those before it that it needs."""
        plain, slots = without_structured(cleaned(text), code)
        for one in asked(plain, code, masking.words.is_name, answers=self.bot_asked):
            alone = [at for at, (before, _) in enumerate(self.before) if not one.alone and stands_alone(before, code)]
            wording = masking.wording(one.text, slots, code)
            if one.alone or alone:
                # What leans on others needs the last of them that does not, and all behind it.
                yield (*(before for _, before in self.before[alone[-1] :]), wording) if alone else (wording,)
            self.before = [*self.before, (one.text, wording)][-_BEFORE:]
        self.bot_asked = False


def _key(wording: Wording, code: str) -> str:
    """What near-duplicates have in common: the stems of their words in order, without those that may be dropped, and
    the kinds of what is made up."""
    kept = (word for word in tokens(wording.text) if word.is_sign or word.folded not in _dropped(code))
    cut = stemmer(code)
    return " ".join(wording.slots[word.sign].kind if word.is_sign else cut(word.folded) for word in kept)


@cache
def _dropped(code: str) -> frozenset[str]:
    """Words with and without which a question is the same."""
    spoken = language(code)
    stop = frozenset(map(folded, spoken.stop_words)) | spoken.greetings | spoken.fillers
    said = frozenset(folded(word) for text in (*spoken.said_before, *spoken.said_after) for word in text.split())
    apart = frozenset(map(folded, word_tuple("chats.apart", code)))
    return (stop | said) - apart - spoken.negations - frozenset(spoken.questions)


def _row(group: Group, seed: str) -> JsonObject:
    """A record of a question file. The same value is made up for the same question, whatever else is in the log."""
    fake = faker_of(group.code)
    fake.seed_instance(seed)
    texts = [wording.filled(partial(made_up, fake, code=group.code)) for wording in group.usual]
    asked_as = {"turns": texts} if len(texts) > 1 else {"question": texts[0]}
    return {**asked_as, "lang": group.code, "times_asked": group.times}
