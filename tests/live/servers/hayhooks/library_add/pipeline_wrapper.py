"""Uploads a document into the knowledge base."""

import knowledge
from hayhooks import BasePipelineWrapper


class PipelineWrapper(BasePipelineWrapper):
    def setup(self) -> None:
        pass

    def run_api(self, name: str, text: str) -> str:
        knowledge.add(name, text)
        return name
