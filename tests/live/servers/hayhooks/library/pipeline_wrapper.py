"""Answers with the sentence that most speaks for itself, of all that this bot reads: the documents of its knowledge
base, the passages of the request, what was said before, and what stands in the message before its last paragraph."""

from typing import Any

import knowledge
from hayhooks import BasePipelineWrapper


class PipelineWrapper(BasePipelineWrapper):
    def setup(self) -> None:
        pass

    def run_api(self, question: str, passages: list[str], history: list[dict[str, str]]) -> dict[str, Any]:
        *pasted, asked = question.split("\n\n")
        said = [turn["text"] for turn in history if turn["speaker"] == "user"]
        found = knowledge.candidates(asked, [*passages, *said, *pasted])
        return {"answer": found[0] if found else "Sorry, I do not know that.", "candidates": found}
