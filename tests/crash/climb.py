"""A search: its next variants depend on what the bot said to the last ones."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import blake2b
from random import Random
from typing import ClassVar

from botattack.model import Edit, Expect, Outcome, Prompt, Variant
from botattack.protocols import Attack, Context, Proposals


@dataclass(frozen=True)
class Climb(Attack):
    """Keeps the `width` variants whose replies hash lowest, and changes one more letter of each, `rounds` times."""

    name: ClassVar[str] = "climb"
    expect: ClassVar[Expect] = "same"

    rounds: int = 2
    width: int = 2

    def parts(self) -> tuple[str, ...]:
        return ()

    def propose(self, context: Context, rng: Random) -> Proposals:
        # The number at the end stays, so that no two questions have a variant in common.
        places = rng.sample(range(len(context.question.text) - 5), self.rounds * self.width)
        beam: list[tuple[Edit, ...]] = [()]
        made = 0
        while len(places) >= self.width:
            fresh, places = places[: self.width], places[self.width :]
            batch = [_variant(context.question.text, (*edits, at)) for edits in _places(beam) for at in fresh]
            made += len(batch)
            outcomes = yield batch
            beam = [outcome.variant.edits for outcome in sorted(outcomes, key=_rank)[: self.width]]
        return made


def _places(beam: list[tuple[Edit, ...]]) -> list[tuple[int, ...]]:
    return [tuple(edit.start for edit in edits) for edits in beam]


def _variant(text: str, places: tuple[int, ...]) -> Variant:
    edits = tuple(Edit(at, text[at], "*", "star") for at in sorted(places))
    starred = "".join("*" if at in places else letter for at, letter in enumerate(text))
    return Variant((Prompt(starred),), Climb.name, edits, distance=len(edits))


def _rank(outcome: Outcome) -> bytes:
    said = outcome.replies[0].text if outcome.replies else ""
    return blake2b(said.encode()).digest()
