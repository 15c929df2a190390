"""The FAQ, and a plain way to answer from it: for bots that bring a page or an API but no brain."""

from __future__ import annotations

import json
import re
from pathlib import Path

FALLBACK = "Sorry, I do not know that."


class Faq:
    """Answers with the entry whose words overlap most; remembers a name told earlier in the conversation."""

    def __init__(self, path: Path) -> None:
        entries = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
        self._entries = [(_words(entry["question"]), entry["answer"]) for entry in entries]

    def answer(self, message: str, before: list[str]) -> str:
        """`before` are the visitor's earlier messages."""
        if message.strip() == "What is my name?":
            names = [match[1] for text in before if (match := re.match(r"My name is (\w+)", text))]
            return f"You are {names[-1]}." if names else "You have not told me."
        asked = _words(message)
        overlap = [len(asked & known) / max(1, len(asked | known)) for known, _ in self._entries]
        best = max(range(len(overlap)), key=overlap.__getitem__)
        return self._entries[best][1] if overlap[best] > 0.2 else FALLBACK

    @staticmethod
    def pieces(text: str) -> list[str]:
        return re.findall(r"\S+\s*", text)


def _words(text: str) -> set[str]:
    return set(re.findall(r"\w+", text.lower()))
