"""Deletes a document from the knowledge base."""

import knowledge
from hayhooks import BasePipelineWrapper


class PipelineWrapper(BasePipelineWrapper):
    def setup(self) -> None:
        pass

    def run_api(self, name: str) -> int:
        return knowledge.remove(name)
