"""What the bots know, and what they are asked."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.live.environments import FAQ

QUESTIONS = Path(__file__).parents[2] / "campaigns" / "faq-questions.jsonl"


def entries() -> list[dict[str, Any]]:
    """The FAQ: id, question, also (the same in other words), answer."""
    return [json.loads(line) for line in FAQ.read_text("utf-8").splitlines()]


def questions() -> list[dict[str, Any]]:
    """The question set: id, question (in yet other words), answers, kind."""
    return [json.loads(line) for line in QUESTIONS.read_text("utf-8").splitlines()]
