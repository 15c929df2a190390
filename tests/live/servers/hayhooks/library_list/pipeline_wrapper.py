"""Lists the documents of the knowledge base."""

import knowledge
from hayhooks import BasePipelineWrapper


class PipelineWrapper(BasePipelineWrapper):
    def setup(self) -> None:
        pass

    def run_api(self) -> list[str]:
        return knowledge.names()
