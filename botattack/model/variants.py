"""What attacks make, and what is asked of a bot."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any

from botattack.model.edits import Edit
from botattack.model.questions import GoldAnswer, Prompt, Turns
from botattack.model.values import CLAIMED, Expect, Meaning, Searched, Value, content_id


class Played(Value, frozen=True):
    """A play by its name in `registry`, with its options, which are plain data. It is pure, so that equal values and
    equal replies make equal turns."""

    name: str
    options: Mapping[str, Any] = {}
    seed: int = 0


class Variant(Value, frozen=True, dict=True):
    """An adversarial version of a question: the turns to send and exactly how they differ.

    With a `play`, what is sent depends on the replies: the play makes each turn from what was said before it, and
    `turns` are what it begins with, which are those of the question after `edits`.
    `distance` is the Damerau-Levenshtein distance to the original; `why` explains `meaning`;
    `parent` is the id of the variant this one was made from (chains). A `probe` only looks at what a bot
    makes of something: it is asked whatever its meaning, counts as a request, and is no success and no failure.
    `decoy` is the fake answer that the attack plants, if it plants one. `right` are the answers that are right now,
    where it is known that others are. `again` numbers askings of the same words: each number is asked once. `search` is
    set for an attack that counts questions.
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
    again: int = 0
    search: Searched = ""
    right: tuple[GoldAnswer, ...] = ()

    @cached_property
    def id(self) -> str:
        """Content hash of what is sent: the same words made by two attacks have one id. What a play will say is known
        by the play alone. Where another answer is `right`, the words may be those of another question, whose marks and
        readings are not its own: then the edits are hashed, too."""
        if self.right:
            return content_id("turns", self.turns, self.edits, self.play)
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

    A bot may remember what was said to it in a session for ever. So each asking has a session of its own in each
    `run`, and a conversation of several turns another if it begins again: `begun` is how many of this asking broke off
    before.
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
            more = (variant.play,) * (variant.play is not None) + (variant.id,) * bool(variant.right)
            name = content_id("turns", sent, documents, *more)
        seed = int(content_id("seed", run_seed, name, repeat), 16)
        turns, written = (sent, variant.turns) if apart else (variant.turns, ())
        return cls(turns, repeat, seed, name, variant.play, written=written, documents=documents)
