"""From a record of any format to a Question: names of fields, types, bounds."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any, Literal

from botattack.model import GoldAnswer, Question, Required, Turn, UserTurn, tag_of
from botattack.options import JsonObject
from botattack.patterns import BadPattern, compiled, in_time
from botattack.protocols import BadRecord
from botattack.questions.files import Unfit
from botattack.questions.naming import NAMES, RIGHT, Columns, fields_of, misspelt, short, unnamed_answers
from botattack.text.languages import language_of

Row = Question | BadRecord
MAX_TEXT = 100_000
"""Bytes of the longest question, UTF-8."""
MAX_TURNS = 200
"""User turns of the longest dialogue."""

_BESIDE = ("passages", "history")
"""The fields that are sent, and that a turn has not."""
_TYPES = {
    str: "text",
    bool: "true or false",
    int: "a number",
    float: "a number",
    Decimal: "a number",
    list: "a list",
    dict: "a mapping",
}
LONGEST_NUMBER = 30
"""Digits of a number that are written out."""
_LISTS, _NUMBERS = (list, tuple), (int, float, Decimal)
_FLAGS: Mapping[bool | str, bool] = {True: True, False: False, "true": True, "false": False}
_ANSWERING = frozenset(
    ("bot", "chatbot", "assistant", "ai", "model", "agent", "operator", "support", "system", "tool", "function")
)
"""Who says rows of a chat that are no questions."""
_SPEAKERS: Mapping[str, Literal["user", "bot"]] = {"user": "user", "human": "user", "bot": "bot", "assistant": "bot"}


def to_question(record: object, columns: Columns, lang: str = "") -> Question:
    """A question from a mapping, or from bare text, in `lang` unless it says otherwise; raises Unfit."""
    if isinstance(record, str):
        return question(record, lang=lang)
    if not isinstance(record, dict):
        raise Unfit(f"the record is {_type(record)}; it should be a mapping with at least `question`")
    fields = fields_of(record, columns)
    fields.setdefault("lang", lang)
    return from_fields(fields)


def from_fields(fields: JsonObject) -> Question:
    """A question of the values of its fields, or else a dialogue; raises Unfit."""
    text, turns = fields.pop("question", None), fields.pop("turns", None)
    return _dialogue(turns, fields) if text is None and turns is not None else question(text, **fields)


def _dialogue(turns: object, fields: JsonObject) -> Question:
    """The question that is the last of the user's turns; each turn has its own gold."""
    if own := [name for name in RIGHT if name in fields]:
        raise Unfit(f"a dialogue has `{own[0]}` in its turns, not next to `turns`")
    said = each(turns, "turn")
    if not 0 < len(said) <= MAX_TURNS:
        raise Unfit(f"the dialogue has {len(said)} turns; it should have 1 to {MAX_TURNS}")
    *earlier, last = [_user_turn(turn, number) for number, turn in enumerate(said, 1)]
    made = [question(**turn) for turn in earlier]
    before = tuple(UserTurn(turn.text, turn.answers, turn.requires) for turn in made)
    return question(**last, **fields, earlier=before)


def _user_turn(turn: object, number: int) -> JsonObject:
    """Text and gold of a turn, as `question` takes them."""
    if not isinstance(turn, dict):
        return {"text": turn}
    text = next((turn[name] for name in ("user", *NAMES["question"]) if name in turn), None)
    if text is None or turn.get("speaker", "user") not in ("user", "human"):
        raise Unfit(f"turn {number} is not the user's; write {{user: …}} (`history` has what a bot said before)")
    if aside := [name for field in _BESIDE for name in NAMES[field] if name in turn]:
        raise Unfit(
            f"turn {number} has `{aside[0]}`; write that next to `turns`, because it belongs to the whole dialogue"
        )
    at = {field: a for field in RIGHT for a in NAMES[field] if a in turn}
    if wrong := misspelt(tuple(turn)) or unnamed_answers(turn, at, set(), turn=True):
        raise Unfit(f"turn {number}: {wrong}")
    right = {field: turn[a] for field in RIGHT for a in NAMES[field] if turn.get(a) is not None}
    return {"text": text, **right}


def question(
    text: object,
    answers: object = (),
    *,
    regex: object = (),
    lang: object = "",
    contains: object = (),
    refuses: object = False,
    fields: object = None,
    speaker: object = "",
    **others: object,
) -> Question:
    """A checked question; the `others` are those of `_CHECKED`. Space around text and answers goes; everything else
    stays as it is. Raises Unfit.

    Where nobody names its language, its script tells it.
    """
    if speaker and said_by_a_bot(speaker):
        raise Unfit("a bot or an agent said it: leave such rows out, or write what was said before into `history`")
    words = clean(text, "the question")
    if not words:
        raise Unfit("the question is empty")
    if 4 * len(words) > MAX_TEXT and (size := len(words.encode())) > MAX_TEXT:
        raise Unfit(f"the question is longer than {MAX_TEXT // 1000} kB ({size:,} bytes)")
    gold = dict.fromkeys(map(_gold, each(answers, "answer")))
    if regex != ():
        gold.update(dict.fromkeys(map(pattern, each(regex, "regex"))))
    checked: JsonObject = {name: _CHECKED[name](value) for name, value in others.items()}
    if contains != () or refuses is not False or fields is not None:
        checked["requires"] = _required(contains, refuses, fields, answered=bool(gold))
    return Question(words, tuple(gold), lang=tag_of(clean(lang, "`lang`")) or language_of(words), **checked)


def said_by_a_bot(speaker: object) -> bool:
    """Whether the value of a field such as `role` or `sender` names one who answers."""
    if isinstance(speaker, dict):
        return any(said_by_a_bot(speaker.get(name)) for name in ("role", "type", "name"))
    return isinstance(speaker, str) and speaker.strip().lower().lstrip("#") in _ANSWERING


def _required(contains: object, refuses: object, fields: object, *, answered: bool) -> tuple[Required, ...]:
    found = [Required("contains", _answer(value)) for value in each(contains, "contains")]
    if not isinstance(fields, dict | None):
        raise Unfit("`fields` should be {NAME: VALUE}, by the names of `extract.fields` in the target file")
    found += [Required("field", _label(value, f"`fields.{name}`"), str(name)) for name, value in (fields or {}).items()]
    if not (isinstance(refuses, bool | str) and refuses in _FLAGS):
        raise Unfit("`refuses` should be true or false")
    if not _FLAGS[refuses]:
        return tuple(found)
    if answered or found:
        raise Unfit("a reply that refuses has no answer: leave `refuses` out, or everything else that is right")
    return (Required("refuses"),)


def clean(value: object, name: str, *, strip: bool = True) -> str:
    """Text that can be encoded; raises Unfit for anything else."""
    if not isinstance(value, str):
        raise Unfit(f"{name} is {_type(value)}, not text")
    if not value.isascii() and any("\ud800" <= character <= "\udfff" for character in value):
        raise Unfit(f"{name} contains a character that is not UTF-8; save the file as UTF-8")
    return value.strip() if strip else value


def each(value: object, name: str) -> Sequence[Any]:
    """The members of a list, or the value itself if it is none; an empty member is refused."""
    if value is None or value == "":
        return ()
    members = value if isinstance(value, _LISTS) else (value,)
    for number, member in enumerate(members, 1):
        if member is None or (isinstance(member, str) and not member.strip()):
            raise Unfit(f"{name} {number} is empty")
    return members


def pattern(text: object) -> GoldAnswer:
    """A regular expression that compiles and comes to an end; raises Unfit."""
    source = clean(text, "the pattern")
    try:
        search = compiled(source).search
        for probe in _probes(source):
            in_time(search, probe, seconds=0.25)
    except BadPattern as error:
        raise Unfit(f"the pattern {short(source)} {error}") from None
    except TimeoutError:
        raise Unfit(f"the pattern {short(source)} takes too long: it may repeat a repetition") from None
    except MemoryError:
        raise Unfit(f"the pattern {short(source)} needs too much memory") from None
    return GoldAnswer(source, regex=True)


def reading(line: int, place: str, make: Callable[..., Question], *record: Any) -> Row:
    """The question that is made of a record, or the bad record that says why there is none."""
    try:
        return make(*record)
    except Unfit as why:
        return BadRecord(line, f"{place}: {why}" if place else str(why))


def _probes(source: str) -> Iterator[str]:
    """Texts on which a pattern that backtracks without end does so: long runs of what it repeats, then a mismatch."""
    letters = dict.fromkeys(character for character in source if character.isalnum())
    for run in (*[*letters][:8], source[:8], "0", " ", "a ", "a,"):
        yield run * 64 + "\x00"


def _gold(value: object) -> GoldAnswer:
    if not isinstance(value, dict):
        return GoldAnswer(_answer(value))
    is_regex = value.get("regex", False)
    if not (isinstance(is_regex, bool | str) and is_regex in _FLAGS) or value.keys() - {"text", "regex"}:
        raise Unfit("an answer may be text, a number or {text, regex: true}")
    return pattern(value.get("text")) if _FLAGS[is_regex] else GoldAnswer(_answer(value.get("text")))


def _answer(value: object) -> str:
    """Numbers are answers as they are written; true and false are not, for nobody knows what the file said."""
    if isinstance(value, Decimal) and abs(value.adjusted()) <= LONGEST_NUMBER:
        value = f"{value:f}"  # a file that says 1e+05 means 100000, as a bot says it
    elif isinstance(value, _NUMBERS) and not isinstance(value, bool):
        value = str(value)
    text = clean(value, "an answer")
    if not text:
        raise Unfit("an answer is empty")
    return text


def _turn(value: object) -> Turn:
    if isinstance(value, dict):
        speaker = value.get("speaker", value.get("role"))
        if isinstance(speaker, str) and speaker in _SPEAKERS:
            return Turn(_SPEAKERS[speaker], clean(value.get("text", value.get("content")), "a turn", strip=False))
    raise Unfit("a turn of `history` should be {speaker: user or bot, text: …}")


def _label(value: object, name: str) -> str:
    return clean(str(value) if type(value) is int else value, name)


def _times(value: object) -> int:
    said = _label(value, "`times_asked`")
    if not (said.isascii() and said.isdigit() and len(said) <= LONGEST_NUMBER // 2):
        raise Unfit(f"`times_asked` is {short(said)}; it should be how often users asked it, such as 12")
    return int(said)


_CHECKED: Mapping[str, Callable[[object], object]] = {
    "passages": lambda value: tuple(clean(one, "a passage", strip=False) for one in each(value, "passage")),
    "history": lambda value: tuple(map(_turn, each(value, "turn"))),
    "kind": lambda value: _label(value, "`kind`"),
    "tags": lambda value: tuple(_label(one, "a tag") for one in each(value, "tag")),
    "key": lambda value: _label(value, "`id`"),
    "licence": lambda value: _label(value, "`licence`"),
    "times_asked": _times,
    "facts": lambda made: made,
    "earlier": lambda made: made,
}
"""What most records lack: looking for each of it in every record would take longer than all else."""


def _type(value: object) -> str:
    return "missing" if value is None else _TYPES.get(type(value), "of a type that cannot be read")
