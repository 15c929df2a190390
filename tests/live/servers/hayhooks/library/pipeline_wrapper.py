"""Answers with the sentence that most speaks for itself in the passages of the knowledge base."""

from typing import Any

import knowledge
from hayhooks import BasePipelineWrapper


class PipelineWrapper(BasePipelineWrapper):
    def setup(self) -> None:
        pass

    def run_api(self, question: str) -> dict[str, Any]:
        found = knowledge.candidates(question)
        return {"answer": found[0] if found else "Sorry, I do not know that.", "candidates": found}
