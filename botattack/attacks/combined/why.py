"""Asks, for each failure of an earlier run, what shows its cause: the probes, and the attack that sends them. Pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from operator import methodcaller
from random import Random
from typing import ClassVar

from msgspec.structs import replace

from botattack.attacks.building.diagnosing import MOST, PARTS, Answer, Named, diagnose
from botattack.attacks.combined.failures import Failure, listed
from botattack.attacks.passages.reading import golds_of
from botattack.doors import BETWEEN
from botattack.model import Prompt, Question, Reply, Result, Turns, Variant
from botattack.protocols import Attack, Context, Proposals

SPAN = 100
"""Askings of one failure are numbered from a multiple of this, so that no two failures share an asking."""


def _beside(failure: Failure, *texts: str, parts: Sequence[str] = PARTS[1:], neutral: bool = False) -> Turns:
    """The question beside what supports its answer, and what a bot could take for that: these are its passages or, of a
    bot with a library, in the message. Its letters are as in the file by default: a misspelt word is no matter of
    passages, and asked about alone."""
    if failure.given:
        return failure.turns(*parts, passages=texts)
    asked = failure.text(*parts, neutral=neutral)
    return failure.turns(*parts, text=BETWEEN.join((*texts, asked)), passages=())


def _joined(failure: Failure, turns: Turns) -> Turns:
    """All that was said by the user, as one message."""
    history = (turn.text for turn in failure.variant.prompt.history if turn.speaker == "user")
    text = "\n".join([*history, *(turn.text for turn in turns)])
    passages = dict.fromkeys(one for turn in turns for one in turn.passages)
    return (Prompt(text, tuple(passages), asks=failure.variant.prompt.asks),)


PROBES: Mapping[str, Callable[[Failure], Turns]] = {
    "again": lambda failure: failure.variant.turns,
    "plain": lambda failure: failure.question.turns,
    **{f"only {part}": methodcaller("turns", part) for part in PARTS},
    **dict.fromkeys(("gold", "alone"), lambda failure: _beside(failure, failure.support.passage)),
    "among": lambda failure: _beside(failure, failure.support.passage, *failure.others),
    "among as sent": lambda failure: _beside(failure, failure.support.passage, *failure.others, parts=PARTS),
    "padded among": lambda failure: _beside(failure, failure.support.passage, *failure.others, neutral=True),
    "gold as sent": lambda failure: _beside(failure, failure.support.passage, parts=PARTS),
    "padded gold": lambda failure: _beside(failure, failure.support.passage, neutral=True),
    "sentence": lambda failure: _beside(failure, failure.support.sentence),
    # That passages are not used is seen without what else is changed, which may break the bot as well.
    "bare": lambda failure: failure.turns(*() if "passages" in failure.parts else PARTS, passages=()),
    "joined": lambda failure: _joined(failure, failure.variant.turns),
    "spelled": lambda failure: failure.spelled,
    "joined, spelled": lambda failure: _joined(failure, failure.spelled),
    "padding": lambda failure: failure.turns(text=failure.text("added", neutral=True)),
    "easy": lambda failure: failure.unlike[0].question.turns,
    "quoted": lambda failure: failure.unlike[0].quoting(failure.put),
    "quoted letters": lambda failure: failure.unlike[0].quoting(failure.odd_letters),
    "neutral": lambda failure: failure.unlike[0].quoting(failure.neutral),
    "order": lambda failure: failure.turns(*PARTS, passages=failure.order),
    "marked": lambda failure: failure.turns(text=f"{failure.question.text}?"),
    "some letters": lambda failure: failure.turns(text=failure.lighter[0]),
    "other letters": lambda failure: failure.turns(text=failure.lighter[-1]),
    "quoted passage": lambda failure: failure.unlike[0].quoting(failure.support.passage),
    "normalised": lambda failure: failure.turns(*PARTS, text=failure.restored),
}
"""What is sent, by the name of the probe; `original` is asked by the run itself."""
EASY = {"easy", "quoted", "quoted letters", "quoted passage", "neutral"}
"""Probes after which the easy answer is looked for in the reply."""


def probe(failure: Failure, name: str) -> Variant:
    """In no rate. Its name is in `why`, as what a probe does to the meaning is of no matter."""
    asked, turns = failure.variant, PROBES[name](failure)
    if turns != asked.turns:
        old = next(iter(golds_of(failure.question)), "") if asked.expect != "same" else ""
        decoys = {"padding": failure.unlike[1].answer, "bare": old, **dict.fromkeys(EASY, failure.unlike[0].answer)}
        asked = replace(asked, turns=turns, edits=(), distance=0, decoy=decoys.get(name, ""))
        # Where passages change the answer, it is the old one without them.
        if turns[-1].passages == failure.question.passages != failure.variant.prompt.passages:
            asked = replace(asked, expect="same", right=())
    return replace(asked, why=name, probe=True)


class Inquiry:
    """A diagnosis under way: `answers` are what came of each probe so far, and `next` is the probe to ask next, or the
    cause once nothing more is asked."""

    def __init__(self, question: Question, has: Sequence[str], most: int) -> None:
        self._question, self._has, self._most = question, has, most
        self._failing, self.answers = "", list[Answer]()
        self.next: Named | str = "original"

    def hear(self, result: Result, replies: Sequence[Reply], turns: Turns, kind: str = "", took: bool = False) -> None:
        """What came of the probe, as an attack hears it and as it is recorded. `turns` are what was sent, as far as
        that is known."""
        reply, asked = replies[-1] if replies else Reply(""), (turns or self._question.turns)[-1]
        place, text = listed(self._question, reply, asked.passages), reply.text.strip()
        same, refused = bool(text) and text == self._failing, kind == "refused" or bool(reply.refused)
        if self.next in ("original", "again") and result != "robust":
            self._failing = text
        self.answers.append(Answer(result, took, same, refused, place))
        self.next = diagnose(self._has, self.answers, self._most)


@dataclass(frozen=True)
class Why(Attack):
    """Asks what shows why failures came about: at most `most` askings of each, chosen by what came back.

    Everything asked is a probe, which enters no rate. `run` is the run that found the failures; `each` of each
    attack, or of those named `only`, were `found`.
    """

    diagnosis: ClassVar[bool] = True
    name: ClassVar[str] = "why"
    run: str
    each: int = 0
    only: tuple[str, ...] = ()
    most: int = MOST
    found: Sequence[Failure] = field(default=(), repr=False, compare=False)

    def propose(self, context: Context, rng: Random) -> Proposals:
        for number, failure in enumerate(one for one in self.found if one.question.id == context.question.id):
            inquiry = Inquiry(context.question, failure.has(), self.most)
            inquiry.hear("robust" if context.right else "success", context.replies, context.question.turns)
            while isinstance(inquiry.next, str):
                again = number * SPAN + len(inquiry.answers) - 1
                (told,) = yield [replace(probe(failure, inquiry.next), again=again)]
                inquiry.hear(told.result, told.replies, told.variant.turns, told.verdict.kind, told.took_decoy)
        return 0
