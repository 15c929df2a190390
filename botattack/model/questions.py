"""Questions, dialogues, and what is sent when they are asked."""

from __future__ import annotations

from functools import cached_property
from typing import Annotated, Literal

import msgspec

from botattack.model.values import Carrier, Value, code_of, content_id


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
    def golds(self) -> tuple[GoldAnswer, ...]:
        return golds_of(self)

    @property
    def has_gold(self) -> bool:
        """Whether anything says what a right reply is."""
        return bool(self.answers or self.requires)


def golds_of(said: UserTurn | Question) -> tuple[GoldAnswer, ...]:
    """The gold answers, and all other texts that a right reply has."""
    return (*said.answers, *(GoldAnswer(each.text) for each in said.requires if each.text))


class Fact(Value, frozen=True):
    """A stretch of a passage, in characters, that supports the answer."""

    passage: int
    start: int
    end: int


class Question(Value, frozen=True, dict=True):
    """A question with the answers that count as right; any one of `answers` is enough, none means not known. A right
    reply also does all that `requires` says.

    `earlier` makes it the last turn of a dialogue: these are asked first, in the same session, and answered by the bot.
    A dialogue is right if all its turns are that have something to judge by; if none has, each is compared with the
    bot's own reply. `history` is what others said before, and is not asked.

    `key` is the name the user's file gives it, `kind` groups questions in reports; neither enters the id. `masked` is
    the id from before a secret in it was masked. `facts` are what of the passages supports the answers. `carrier` is
    how the passages reach the bot: asked in two ways, it is two questions. `licence` is what its file calls its own.
    `times_asked` is how often users asked it, as its file says; 0 if it does not.
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
    licence: str = ""
    times_asked: int = 0

    @cached_property
    def id(self) -> str:
        """Content hash of everything a bot sees and of the way there, so never of the answers."""
        if self.masked:
            return self.masked
        if self.carrier != "request":
            return content_id(self.carrier, self.base)
        earlier = ([turn.text for turn in self.earlier],) if self.earlier else ()
        return content_id("question", self.text, self.passages, self.history, self.lang, *earlier)

    @cached_property
    def golds(self) -> tuple[GoldAnswer, ...]:
        return golds_of(self)

    @property
    def base(self) -> str:
        """The same for a question whatever its carrier."""
        return self.id if self.carrier == "request" else msgspec.structs.replace(self, carrier="request").id

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
