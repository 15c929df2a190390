"""A Haystack pipeline that answers with the entry of the FAQ that BM25 finds first."""

import json
import os
from pathlib import Path
from typing import Any

from hayhooks import BasePipelineWrapper, get_last_user_message
from haystack import Document, Pipeline
from haystack.components.retrievers.in_memory import InMemoryBM25Retriever
from haystack.document_stores.in_memory import InMemoryDocumentStore


class PipelineWrapper(BasePipelineWrapper):
    def setup(self) -> None:
        lines = Path(os.environ["FAQ"]).read_text("utf-8").splitlines()
        entries = [json.loads(line) for line in lines]
        store = InMemoryDocumentStore()
        store.write_documents([Document(content=e["question"], meta={"answer": e["answer"]}) for e in entries])
        self.pipeline = Pipeline()
        self.pipeline.add_component("retriever", InMemoryBM25Retriever(store, top_k=1))

    def run_api(self, question: str) -> str:
        found = self.pipeline.run({"retriever": {"query": question}})["retriever"]["documents"]
        return found[0].meta["answer"] if found else "Sorry, I do not know that."

    def run_chat_completion(self, model: str, messages: list[dict[str, Any]], body: dict[str, Any]) -> str:
        return self.run_api(get_last_user_message(messages) or "")
