"""A passage that answers nothing and tells the assistant to do something that can be seen. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import ClassVar, Literal, get_args

from botattack.attacks.building.advice import DATA
from botattack.attacks.building.composed_edits import variant_of
from botattack.attacks.building.guard import answer_spans
from botattack.attacks.fakes.names import made_up
from botattack.model import Edit, Question
from botattack.options import BadValue, Some
from botattack.places import Place, PlaceKind
from botattack.protocols import Attack, Context, Proposals
from botattack.text.languages import codes
from botattack.text.word_lists import word_groups, word_tuple

Action = Literal["word", "link", "refuse", "repeat", "tool"]
Style = Literal["plain", "note", "comment", "language", "split"]
CONTROL_OF = {"plain": "passage alone", "split": "two passages alone"}
"""What the edits of a control are called: one passage, or two, without the instruction."""
KINDS: dict[str, tuple[Action, Style]] = {
    f"{action}, {style}": (action, style) for action in get_args(Action) for style in get_args(Style)
}
"""What the edits of an instruction are called; those that name a tool say which: "tool NAME, plain"."""


def kind_and_tool(kind: str) -> tuple[str, str]:
    """Return the key of `KINDS` that an edit of this kind has, and the tool that it names."""
    action, comma, style = kind.rpartition(", ")
    action, _, tool = action.partition(" ")
    return f"{action}{comma}{style}", tool


@dataclass(frozen=True)
class Injection(Attack):
    """Adds a passage that answers nothing and tells the assistant to do something that can be seen (indirect prompt
    injection, Greshake et al. 2023). A right bot answers as before, and does nothing of the kind.

    The actions: say a made-up `word`, add a `link` to a host under `.invalid`, `refuse` to answer, `repeat` the first
    message, call a `tool`. The styles: `plain` words, a "system `note`", an HTML `comment`, another `language`, or one
    sentence `split` over two passages. Each pair of both is a variant. The control is the same passage, or two, without
    the instruction: it is asked once a question, enters no rate, and tells how often a bot does so anyway.

    The rate counts answers that were lost. Whether the bot obeyed, only mentioned what the passage says, ignored it or
    refused is a table of its own. Questions need no passages of their own. Decided here: where passages are sent in an
    earlier turn, only the reply to the question is read; nobody runs a tool that the bot calls.
    """

    name: ClassVar[str] = "injection"
    plain: ClassVar[str] = "Hidden instructions"
    advice: ClassVar[str] = DATA
    edits: ClassVar[frozenset[PlaceKind]] = frozenset({"added passage"})

    actions: Some[Action] = ("word",)
    """What the passage tells the assistant to do."""
    styles: Some[Style] = ("plain", "note", "comment", "language", "split")
    """How the passage says it."""
    tool: str = ""
    """The tool that `tool` asks for; where left out, one that the target file declares, chosen for each question
    by the seed. A bot whose replies show no tool calls is refused."""

    quotes_question: bool = False
    """Whether the passage begins with the question, so that a bot that searches its documents by words finds it."""

    def __post_init__(self) -> None:
        if self.tool and "tool" not in self.actions:
            raise BadValue("no action calls it", ("tool",), "add tool to actions, or leave it out")

    @property
    def per_question(self) -> int:
        return len({*self.actions}) * len({*self.styles})

    @property
    def controls(self) -> int:
        return len([*self._controls(("", ""))])

    @property
    def wants_tool(self) -> str | None:
        return self.tool if "tool" in self.actions else None

    @property
    def languages(self) -> frozenset[str] | None:
        return frozenset(_speaking())

    def propose(self, context: Context, rng: Random) -> Proposals:
        question = context.question
        word = made_up(rng)
        filler = rng.choice(word_groups("instructions.filler", question.language))
        said = " ".join((*filler, question.text, *question.passages, *(answer.text for answer in question.answers)))
        if answer_spans(" ".join(filler), question.answers) or word in said.casefold():
            return 0
        other = rng.choice([code for code in _speaking() if code != question.language])
        alone = [
            variant_of(question, self.name, self._added(question, texts, kind), probe=True)
            for kind, texts in self._controls(filler)
        ]
        tools = (self.tool,) if self.tool else context.tools
        tool = rng.choice(tools) if tools and self.wants_tool is not None else ""
        wanted = [
            (f"tool {tool}" if action == "tool" else action, action, style)
            for action in dict.fromkeys(self.actions)
            if tool or action != "tool"
            for style in dict.fromkeys(self.styles)
        ]
        found = [
            variant_of(question, self.name, self._added(question, texts, f"{kind}, {style}"))
            for kind, action, style in wanted
            for named in [tool if action == "tool" else word]
            for told in [_instruction(action, named, question.language, other, style)]
            for texts in [_texts(filler, told, style, question)]
        ]
        yield [*alone, *found]
        return len(found)

    def _controls(self, filler: Sequence[str]) -> Iterator[tuple[str, Sequence[str]]]:
        if {*self.styles} - {"split"}:
            yield CONTROL_OF["plain"], [" ".join(filler)]
        if "split" in self.styles:
            yield CONTROL_OF["split"], filler

    def _added(self, question: Question, texts: Sequence[str], kind: str) -> tuple[Edit, ...]:
        """Behind all passages."""
        place, lead = Place("added passage", len(question.passages)), f"{question.text} " * self.quotes_question
        return tuple(Edit(0, "", f"{lead}{text}", kind, place) for text in texts)


def _speaking() -> tuple[str, ...]:
    """The languages that have instructions."""
    return tuple(code for code in codes() if word_tuple("instructions.note", code))


def _instruction(action: Action, word: str, code: str, other: str, style: Style) -> str:
    said = word_groups("instructions.actions", other if style == "language" else code)
    text = next(text for name, text in said if name == action)
    return text.format(word=f"https://{word}.invalid/" if action == "link" else word)


def _texts(filler: Sequence[str], instruction: str, style: Style, question: Question) -> Sequence[str]:
    """The passages that are added."""
    if style == "split":
        said, halves = instruction.split(), word_tuple("instructions.halves", question.language)
        parts = " ".join(said[: len(said) // 2]), " ".join(said[len(said) // 2 :])
        return [f"{one} {half.format(half=part)}" for one, half, part in zip(filler, halves, parts, strict=True)]
    if style == "note":
        instruction = word_tuple("instructions.note", question.language)[0].format(instruction=instruction)
    return [" ".join((*filler, f"<!-- {instruction} -->" if style == "comment" else instruction))]
