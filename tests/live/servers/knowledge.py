"""The knowledge base that the library pipelines share: passages, cut into sentences, found by BM25."""

from __future__ import annotations

import json
import os
from collections import defaultdict
from pathlib import Path

from haystack import Document
from haystack.components.preprocessors import DocumentSplitter
from haystack.components.retrievers.in_memory import InMemoryBM25Retriever
from haystack.document_stores.in_memory import InMemoryDocumentStore

FOUND = 10
"""Sentences that are looked at for an answer."""
STORE = InMemoryDocumentStore()
_TEXTS: dict[str, str] = {}
_SPLITTER = DocumentSplitter(split_by="period", split_length=1)
_SPLITTER.warm_up()


def add(name: str, text: str) -> None:
    """Cut into sentences, each of which knows the name of the whole."""
    STORE.write_documents(_SPLITTER.run([Document(content=text, meta={"name": name})])["documents"])
    _TEXTS[name] = text


def remove(name: str) -> int:
    """How many sentences that were."""
    found = STORE.filter_documents({"field": "meta.name", "operator": "==", "value": name})
    STORE.delete_documents([each.id for each in found])
    _TEXTS.pop(name, None)
    return len(found)


def names() -> list[str]:
    return sorted({each.meta["name"] for each in STORE.filter_documents()})


def candidates(question: str, read: list[str]) -> list[str]:
    """Sentences, best first, of the knowledge base and of what was `read` beside it: what several passages say counts
    as often, and of equals what was there first. A passage that the knowledge base has is not read twice."""
    store, scores = STORE, defaultdict[str, float](float)
    read = [text for text in read if text not in _TEXTS.values()]
    if read:
        store = InMemoryDocumentStore()  # of this question alone
        sentences = _SPLITTER.run([Document(content=text, meta={"name": str(n)}) for n, text in enumerate(read)])
        store.write_documents([*STORE.filter_documents(), *sentences["documents"]])
    for each in InMemoryBM25Retriever(store, top_k=FOUND).run(query=question)["documents"]:
        scores[(each.content or "").strip()] += each.score or 0.0
    return sorted(scores, key=lambda text: -scores[text])


def load() -> None:
    """The passages of a file in SQuAD's format, if LIBRARY names one."""
    path = os.environ.get("LIBRARY")
    articles = json.loads(Path(path).read_bytes())["data"] if path else []
    passages = [each["context"] for article in articles for each in article["paragraphs"]]
    for number, passage in enumerate(passages):
        add(f"own-{number}", passage)


load()
