"""Edits of a plain text, for tests that know nothing of turns."""

from __future__ import annotations

from collections.abc import Sequence

from botattack.model import Edit, Prompt, edited


def apply_edits(text: str, edits: Sequence[Edit]) -> str:
    return edited((Prompt(text),), edits)[0].text
