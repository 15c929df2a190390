"""A Haystack pipeline that answers with the sentence of the passages sent that BM25 finds first."""

from hayhooks import BasePipelineWrapper
from haystack import Document, Pipeline
from haystack.components.preprocessors import DocumentSplitter
from haystack.components.retrievers.in_memory import InMemoryBM25Retriever
from haystack.components.writers import DocumentWriter
from haystack.document_stores.in_memory import InMemoryDocumentStore
from haystack.document_stores.types import DuplicatePolicy


class PipelineWrapper(BasePipelineWrapper):
    def setup(self) -> None:
        pass

    def run_api(self, question: str, passages: list[str]) -> str:
        store = InMemoryDocumentStore()  # of this question alone
        indexing = Pipeline()
        indexing.add_component("splitter", DocumentSplitter(split_by="period", split_length=1))
        indexing.add_component("writer", DocumentWriter(store, DuplicatePolicy.SKIP))
        indexing.connect("splitter", "writer")
        indexing.run({"splitter": {"documents": [Document(content=passage) for passage in passages]}})
        retriever = InMemoryBM25Retriever(store, top_k=1)
        found = retriever.run(query=question)["documents"]
        return found[0].content.strip() if found else "Sorry, I do not know that."
