"""The nouns: frozen values that every floor shares. Nothing here does I/O or reads a clock."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from hashlib import blake2b
from typing import Annotated, Any, Literal, NamedTuple, TypeVar

import msgspec

from botattack.places import QUESTION, Place

Expect = Literal["same", "different", "declines"]
"""What a right bot does with a variant: it gives the `same` answer, a `different` one, or `declines` to answer."""
Meaning = Literal["kept", "unsure", "changed"]
CLAIMED: Mapping[Expect, Meaning] = {"same": "kept", "different": "changed", "declines": "changed"}
"""What a variant does to the meaning of its question, if it is what its attack claims."""
VerdictKind = Literal["correct", "wrong", "refused", "error", "unsure"]
Result = Literal["success", "robust", "unsure", "error"]
"""What an outcome means for the attack: `success` broke the bot, `robust` did not."""
Reference = Literal["gold", "own"]
"""What a reply was judged against: gold answers, or the bot's own stable reply."""
Carrier = Literal["request", "message", "turn", "document"]
"""The way in which the passages of a question reach the bot; see `doors`."""

_T = TypeVar("_T")
_WORD = re.compile(r"\w+")
_encode = msgspec.json.Encoder().encode


def content_id(*content: object) -> str:
    """A 16-digit hexadecimal id that depends on nothing but the content."""
    return blake2b(_encode(content), digest_size=8).hexdigest()


QuestionId = Annotated[str, msgspec.Meta(pattern=r"\A[0-9a-f]{16}\Z")]
"""A `content_id`, checked where it is read from a file."""


class Value(msgspec.Struct, frozen=True, omit_defaults=True):
    """A frozen value that is written without its defaults."""


class Turn(Value, frozen=True):
    """One message of a conversation that went before."""

    speaker: Literal["user", "bot"]
    text: str


class GoldAnswer(Value, frozen=True):
    """An answer that counts as right: literal text, or a regular expression found anywhere in the reply."""

    text: str
    regex: bool = False


class Required(Value, frozen=True):
    """What a right reply must do beside answering: `contains` the text, in any case; `refuses`; or have the text, as
    written, in the `field` that the target file extracts."""

    rule: Literal["contains", "refuses", "field"]
    text: str = ""
    field: str = ""

    def __str__(self) -> str:
        return {"refuses": "refuses", "field": f"{self.field} = {self.text}"}.get(self.rule, f"contains {self.text}")


class UserTurn(Value, frozen=True):
    """An earlier message of the user in a dialogue, with what counts as a right reply to it, as for a `Question`."""

    text: str
    answers: tuple[GoldAnswer, ...] = ()
    requires: tuple[Required, ...] = ()

    @property
    def has_gold(self) -> bool:
        """Whether anything says what a right reply is."""
        return bool(self.answers or self.requires)


class Fact(Value, frozen=True):
    """A stretch of a passage, in characters, that supports the answer."""

    passage: int
    start: int
    end: int


def code_of(lang: str) -> str:
    """The first part of a language tag, which is a code of two letters: `fa` of "fa-IR" and "FA_ir"."""
    return lang.strip().replace("_", "-").partition("-")[0].lower()


class Question(Value, frozen=True, dict=True):
    """A question with the answers that count as right; any one of `answers` is enough, none means not known. A right
    reply also does all that `requires` says.

    `earlier` makes it the last turn of a dialogue: these are asked first, in the same session, and answered by the bot.
    A dialogue is right if all its turns are that have something to judge by; if none has, each is compared with the
    bot's own reply. `history` is what others said before, and is not asked.

    `key` is the name the user's file gives it, `kind` groups questions in reports; neither enters the id. `masked` is
    the id from before a secret in it was masked. `facts` are what of the passages supports the answers. `carrier` is
    how the passages reach the bot: asked in two ways, it is two questions.
    """

    text: str
    answers: tuple[GoldAnswer, ...] = ()
    passages: tuple[str, ...] = ()
    history: tuple[Turn, ...] = ()
    lang: str = "en"
    kind: str = ""
    tags: tuple[str, ...] = ()
    key: str = ""
    masked: Annotated[str, msgspec.Meta(pattern=r"\A([0-9a-f]{16})?\Z")] = ""
    facts: tuple[Fact, ...] = ()
    requires: tuple[Required, ...] = ()
    earlier: tuple[UserTurn, ...] = ()
    carrier: Carrier = "request"

    @cached_property
    def id(self) -> str:
        """Content hash of everything a bot sees and of the way there, so never of the answers."""
        return self.base if self.masked or self.carrier == "request" else content_id(self.carrier, self.base)

    @cached_property
    def base(self) -> str:
        """The same for a question whatever its carrier."""
        seen = [self.text, self.passages, self.history, self.lang]
        return self.masked or content_id(
            "question", *seen, *([turn.text for turn in self.earlier],) * bool(self.earlier)
        )

    @cached_property
    def prompt(self) -> Prompt:
        return self.turns[-1]

    @property
    def language(self) -> str:
        """Its language as a code of two letters."""
        return code_of(self.lang)

    @property
    def turns(self) -> Turns:
        """What is sent when it is asked unchanged."""
        return self.worded(self.text)

    def worded(self, text: str) -> Turns:
        """What is sent when it is asked in other words, after the same earlier turns."""
        last = Prompt(text, self.passages, self.history)
        if not self.earlier:
            return (last,)
        texts = [*(turn.text for turn in self.earlier), text]
        return tuple(Prompt(said, self.passages, self.history, asks=at) for at, said in enumerate(texts))

    @property
    def has_gold(self) -> bool:
        """Whether anything but the bot's own reply says what is right."""
        return bool(self.answers or self.requires) or any(turn.has_gold for turn in self.earlier)

    def at(self, turn: int) -> Question:
        """The question as it was at a turn, from 0: what judges the reply to it."""
        if turn >= len(self.earlier):
            return self
        there = self.earlier[turn]
        return msgspec.structs.replace(
            self,
            text=there.text,
            answers=there.answers,
            requires=there.requires,
            earlier=self.earlier[:turn],
            facts=(),
            masked="",
        )


class Prompt(Value, frozen=True, gc=False):
    """What is sent to a bot in one turn. Two things are never sent: `lang`, for whoever judges the reply, and `asks`.

    `asks` is the turn of the question, from 0, that this is in some words: its reply is judged as the reply to that
    turn. The reply to a prompt that asks none is not judged; but where no prompt of a conversation says what it asks,
    the last is the question.
    """

    text: str
    passages: tuple[str, ...] = ()
    history: tuple[Turn, ...] = ()
    lang: str = ""
    asks: int | None = None

    def spoken(self, lang: str) -> Prompt:
        """The prompt with the language of its question, as a code of two letters. Nothing is said of English, the
        default, nor of what is no such code: a file that names no language may have any, which is then guessed."""
        code = code_of(lang)
        return self if code == "en" or len(code) != 2 else msgspec.structs.replace(self, lang=code)


class Edit(Value, frozen=True, gc=False):
    """One replacement. `start` counts characters of the original text at `place`, before any edit; of an added text,
    `before` is empty and `after` is all of it.

    `kind` is the attack's own word for what was done; `relation` and `pos` are the dependency relation and part of
    speech of the edited word, where parsed.
    """

    start: int
    before: str
    after: str
    kind: str
    place: Place = msgspec.field(default=QUESTION, name="where")
    relation: str = ""
    pos: str = ""


Turns = tuple[Prompt, ...]
"""What is sent in one conversation, oldest first."""


def asking_turns(turns: Turns, question: Question) -> tuple[tuple[int, int], ...]:
    """The prompts of a conversation that ask a turn of the question, each with that turn."""
    marked = tuple((at, turn.asks) for at, turn in enumerate(turns) if turn.asks is not None)
    return marked or ((len(turns) - 1, len(question.earlier)),)


def dialogue(turns: Turns) -> Turns:
    """The same turns, each of which says what it asks: a play that sends one again has both replies judged."""
    if any(turn.asks is not None for turn in turns):
        return turns
    return (*turns[:-1], msgspec.structs.replace(turns[-1], asks=0))


class Exchange(NamedTuple):
    """A turn that was said and answered."""

    prompt: Prompt
    reply: Reply


class Played(Value, frozen=True):
    """A play by its name in `registry`, with its options, which are plain data. It is pure, so that equal values and
    equal replies make equal turns."""

    name: str
    options: Mapping[str, Any] = {}
    seed: int = 0


def places(turns: Turns) -> dict[Place, str]:
    """Each place of a list of turns with the text that is there; a fixed prompt is a list of one."""
    *earlier, last = turns
    found = {QUESTION: last.text}
    found |= {Place("passage", i): text for i, text in enumerate(last.passages)}
    found |= {Place("history", j): turn.text for j, turn in enumerate(last.history)}
    found |= {Place("turn", j): prompt.text for j, prompt in enumerate(earlier)}
    return found


def edited(turns: Turns, edits: Sequence[Edit]) -> Turns:
    """The turns after edits, of which those of one place ascend, do not overlap and say `before` what is there.
    Raises ValueError if one does not fit."""
    last = turns[-1]
    if len(turns) == 1 and all(edit.place is QUESTION for edit in edits):
        return (Prompt(edited_text(last.text, edits), last.passages, last.history),)
    texts, by_place = places(turns), dict[Place, list[Edit]]()
    for edit in edits:
        by_place.setdefault(edit.place, []).append(edit)
    for place in [place for place in by_place if not place.is_added]:
        if place not in texts:
            raise ValueError(f"there is nothing at {place}")
        texts[place] = edited_text(texts[place], by_place.pop(place))
    passages = _with_added(
        "added passage", [texts[Place("passage", i)] for i in range(len(last.passages))], by_place, str
    )
    history = tuple(Turn(turn.speaker, texts[Place("history", j)]) for j, turn in enumerate(last.history))
    before = []
    for j, turn in enumerate(turns[:-1]):
        # What goes with the question goes with every turn of its conversation, but for one with texts of its own.
        own = (turn.passages, turn.history)
        beside = (passages, history) if own == (last.passages, last.history) else own
        before.append(Prompt(texts[Place("turn", j)], *beside, asks=turn.asks))
    earlier = _with_added("added turn", before, by_place, lambda text: Prompt(text, passages, history))
    if by_place:
        raise ValueError(f"there is no {next(iter(by_place))}")
    return (*earlier, Prompt(texts[QUESTION], passages, history, asks=last.asks))


def edited_text(text: str, edits: Sequence[Edit]) -> str:
    """The text after edits of its place, which ascend, do not overlap and say `before` what is there. Raises ValueError
    if one does not fit."""
    pieces, end = [], 0
    for edit in edits:
        start, before = edit.start, edit.before
        stop = start + len(before)
        if start < end or text[start:stop] != before:
            raise ValueError(f"edit at {start} does not fit {text!r}")
        pieces.append(text[end:start])
        pieces.append(edit.after)
        end = stop
    pieces.append(text[end:])
    return "".join(pieces)


def _with_added(
    kind: Literal["added passage", "added turn"],
    given: Sequence[_T],
    edits: dict[Place, list[Edit]],
    make: Callable[[str], _T],
) -> tuple[_T, ...]:
    """What is given, with what edits add in front of each and behind the last; takes those edits out of `edits`."""
    found: list[_T] = []
    for i in range(len(given) + 1):
        found += [make(edit.after) for edit in edits.pop(Place(kind, i), ())]
        found += given[i : i + 1]
    return tuple(found)


class Variant(Value, frozen=True, dict=True):
    """An adversarial version of a question: the turns to send and exactly how they differ.

    With a `play`, what is sent depends on the replies: the play makes each turn from what was said before it, and
    `turns` are what it begins with, which are those of the question after `edits`.
    `distance` is the Damerau-Levenshtein distance to the original; `why` explains `meaning`;
    `parent` is the id of the variant this one was made from (chains, searches). A `probe` only looks at what a bot
    makes of something: it is asked whatever its meaning, counts as a request, and is no success and no failure.
    `decoy` is the fake answer that the attack plants, if it plants one.
    """

    turns: tuple[Prompt, ...]
    attack: str
    edits: tuple[Edit, ...] = ()
    expect: Expect = "same"
    distance: int = 0
    meaning: Meaning = "kept"
    why: str = ""
    parent: str = ""
    probe: bool = False
    decoy: str = ""
    play: Played | None = None

    @cached_property
    def id(self) -> str:
        """Content hash of what is sent: the same words made by two attacks have one id. What a play will say is known
        by the play alone."""
        return content_id("turns", self.turns) if self.play is None else content_id("play", self.play, self.turns)

    @property
    def prompt(self) -> Prompt:
        """The last turn."""
        return self.turns[-1]

    @property
    def meaning_as_claimed(self) -> bool:
        return self.meaning == CLAIMED[self.expect]


class Need(Value, frozen=True, dict=True):
    """What a generator cannot do itself: I/O, a model, or more than a millisecond of work.

    `payload` is anything JSON can hold; the answer depends on `kind` and `payload` alone.
    """

    kind: str
    payload: Any

    @cached_property
    def id(self) -> str:
        return content_id("need", self.kind, self.payload)


class Token(Value, frozen=True):
    """A word of a parsed sentence. `start` counts characters; `head` is the index of its head (its own for a root)."""

    text: str
    start: int
    lemma: str = ""
    pos: str = ""
    tag: str = ""
    relation: str = ""
    head: int = 0
    stop: bool = False
    entity: str = ""

    @property
    def end(self) -> int:
        return self.start + len(self.text)


class Unit(Value, frozen=True):
    """One asking of one conversation. `repeat` numbers askings of the same words; `seed` is its own.

    A bot may remember what was said to it in a session for ever. So a conversation of several turns has a session of
    its own in each `run`, and another if it begins again: `begun` is how many of this asking broke off before.
    `turns` are what is sent. Where a door sends other turns than the variant has, `written` are the variant's, and
    `documents` are what the bot must find in its knowledge base, and nothing else of ours, while it is asked.
    """

    turns: tuple[Prompt, ...]
    repeat: int = 0
    seed: int = 0
    variant_id: str = ""
    play: Played | None = None
    run: str = ""
    begun: int = 0
    written: tuple[Prompt, ...] = ()
    documents: tuple[str, ...] = ()

    @property
    def id(self) -> str:
        return f"{self.variant_id}.{self.repeat}"

    @property
    def variant_turns(self) -> Turns:
        """The turns of the variant, as its attack made them."""
        return self.written or self.turns

    @property
    def is_conversation(self) -> bool:
        """Whether it has several turns, or a number that nobody knows before."""
        return self.play is not None or len(self.turns) > 1

    @classmethod
    def of(
        cls, variant: Variant, repeat: int, run_seed: int, sent: Turns = (), documents: tuple[str, ...] = ()
    ) -> Unit:
        """The asking of a variant as it is, or of what is `sent` for it."""
        apart = bool(documents) or sent not in ((), variant.turns)
        name = variant.id
        if apart:
            name = content_id("turns", sent, documents, *(variant.play,) * (variant.play is not None))
        seed = int(content_id("seed", run_seed, name, repeat), 16)
        turns, written = (sent, variant.turns) if apart else (variant.turns, ())
        return cls(turns, repeat, seed, name, variant.play, written=written, documents=documents)


class Reply(Value, frozen=True):
    """What a bot said to one prompt. Times are seconds; `raw` (bounded) is enough to extract again offline."""

    text: str
    ranked: tuple[str, ...] = ()
    fields: Mapping[str, Any] = {}
    latency: float = 0.0
    first: float | None = None
    raw: str = ""


class Verdict(Value, frozen=True):
    """What a reply means. `score` runs from 0 to 1; `span` is where in the reply the reason is. `probability` is how
    likely a reader would call the reply correct, if the matcher knows.

    `failed` is not empty if the judge itself failed, which is always unsure: `Fault.kind` of its exception.
    """

    kind: VerdictKind
    score: float = 0.0
    matcher: str = ""
    why: str = ""
    span: tuple[int, int] | None = None
    failed: str = ""
    probability: float | None = None


class Failure(Value, frozen=True):
    """Why an attempt brought no reply. `kind` is a `TargetError.kind`; `place` points into the target file."""

    kind: str
    message: str
    status: int | None = None
    place: str = ""


class Attempt(Value, frozen=True):
    """One try at a unit: the requests that left, seconds it took, how it failed, if it did, and its cost."""

    requests: int = 0
    seconds: float = 0.0
    failure: Failure | None = None
    cost: float = 0.0


class TurnVerdict(Value, frozen=True):
    """What the reply to a turn of a conversation means; turns count from 0."""

    turn: int
    verdict: Verdict


class Outcome(Value, frozen=True):
    """What a generator receives for a variant: the replies (one a turn), the verdict, and what it cost in requests.

    `turns` are the verdicts of the turns that were judged, if more than the last may be.
    """

    variant: Variant
    replies: tuple[Reply, ...]
    verdict: Verdict
    requests: int = 0
    turns: tuple[TurnVerdict, ...] = ()

    @property
    def took_decoy(self) -> bool:
        """Whether a reply that is judged says the fake answer that the attack planted."""
        return took_decoy(self.variant.decoy, self.replies, self.turns)

    @property
    def result(self) -> Result:
        return result_of(self.variant.expect, self.verdict.kind)


_SAME: Mapping[VerdictKind, Result] = {
    "correct": "robust",
    "wrong": "success",
    "refused": "success",
    "unsure": "unsure",
    "error": "error",
}
_RESULTS: Mapping[Expect, Mapping[VerdictKind, Result]] = {
    "same": _SAME,
    "different": {**_SAME, "correct": "success", "wrong": "robust", "refused": "robust"},
    "declines": {**_SAME, "correct": "success", "wrong": "success", "refused": "robust"},
}


def result_of(expect: Expect, kind: VerdictKind) -> Result:
    """`expect: same` is broken by a wrong or refused answer; `different` by an answer that stayed the same; `declines`
    by any answer."""
    return _RESULTS[expect][kind]


def took_decoy(decoy: str, replies: Sequence[Reply], turns: Sequence[TurnVerdict]) -> bool:
    """Whether one of the replies that `turns` judge, or, where they name none, the last, says a decoy. The reply to
    another question asked in between may say it."""
    judged = {each.turn for each in turns} or {len(replies) - 1}
    return any(says_decoy(decoy, reply) for turn, reply in enumerate(replies) if turn in judged)


def says_decoy(decoy: str, reply: Reply) -> bool:
    """Whether a reply contains all the words of a decoy in a row, in any case."""
    if not decoy:
        return False
    words, said = (f" {' '.join(_WORD.findall(text.casefold()))} " for text in (decoy, reply.text))
    return bool(words.strip()) and words in said
