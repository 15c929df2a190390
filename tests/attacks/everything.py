"""The real language parts, as far as they are here."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from botattack import registry
from botattack.errors import MissingPart
from botattack.protocols import PartInfo
from botattack.text.parts.grammar_errors import LearnerErrors as Table
from botattack.text.parts.paraphrases import Paraphrases

ON_PASSAGES = {
    *(
        "add-any",
        "add-doc",
        "add-sent",
        "counterfactual",
        "distractor",
        "injection",
        "order",
        "reasoning-chain",
        "unanswerable",
    ),
}
"""Attacks that need passages: `test_passages.py`."""
PLAYED = {"are-you-sure", "carry-over", "ellipsis", "false-premise", "leading", "memory", "sharded", "topic-shift"}
"""Attacks that add turns, or say something untrue: `test_are_you_sure.py`, `test_turns.py`, `test_carry_over.py`."""
INFO = PartInfo("hand-made", "1", "none", "0")
LEXICON = Paraphrases(
    INFO,
    {
        "bought": ("purchased", "sold"),
        "bike": ("vehicle",),
        "a bike": ("a bicycle",),
        "a": ("an",),
        "what is": ("tell me",),
        "car": ("auto", "CAR"),
        "old": ("ancient", "former", "run down"),
        "big": ("large", "very big"),
    },
    {},
    2,
)
ERRORS = Table(
    INFO, {"does": ("do", "is"), "in": ("at", "on"), "not": ("no",), "is to": ("are for",), "big": ("beg", "tall")}, 2
)
BY_HAND: Mapping[str, Any] = {"paraphrases": LEXICON, "grammar-errors": ERRORS}
"""Resources that cannot be shipped, in the form of the real ones."""


class Parts(dict[str, Any]):
    """Parts by name, loaded once, when first asked for; what is not here is skipped with its own sentence."""

    def __missing__(self, name: str) -> Any:
        try:
            self[name] = BY_HAND[name] if name in BY_HAND else registry.find("parts", name)()
        except MissingPart as missing:
            pytest.skip(str(missing))
        return self[name]

    def met(self, name: str, payload: Any) -> Any:
        """What the part makes of a payload; asked once."""
        key = f"{name} {payload}"
        if key not in self:
            self[key] = self[name].meet([payload])[0]
        return self[key]
