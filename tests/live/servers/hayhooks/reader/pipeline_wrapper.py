"""A retriever and a reader: BM25 finds sentences in all that this bot may read, as `library` does, and a language model
behind a server of the OpenAI shape, which READER names, answers from the best of them."""

import os
from typing import Any

import knowledge
from hayhooks import BasePipelineWrapper
from haystack import Pipeline
from haystack.components.builders import ChatPromptBuilder
from haystack.components.generators.chat import OpenAIChatGenerator
from haystack.dataclasses import ChatMessage
from haystack.utils import Secret

READ = 5
"""Sentences that the language model gets."""
NOBODY = "http://127.0.0.1:1/v1"
"""Asked without READER: never a server of somebody else."""
PROMPT = "Passage: {{ found | join(' ') }}\n\nQuestion: {{ asked }}\n\nAnswer:"


class PipelineWrapper(BasePipelineWrapper):
    def setup(self) -> None:
        url = os.environ.get("READER") or NOBODY
        settings = {"temperature": 0, "max_tokens": 24, "seed": 0}
        reader = OpenAIChatGenerator(
            api_key=Secret.from_token("none"),
            model="smollm2",
            api_base_url=url,
            generation_kwargs=settings,
            timeout=120,
            max_retries=0,
        )
        self.pipeline = Pipeline()
        self.pipeline.add_component("prompt", ChatPromptBuilder([ChatMessage.from_user(PROMPT)]))
        self.pipeline.add_component("reader", reader)
        self.pipeline.connect("prompt.prompt", "reader.messages")

    def run_api(self, question: str, passages: list[str], history: list[dict[str, str]]) -> dict[str, Any]:
        *pasted, asked = question.split("\n\n")
        said = [turn["text"] for turn in history if turn["speaker"] == "user"]
        found = knowledge.candidates(asked, [*passages, *said, *pasted])
        if not found:
            return {"answer": "Sorry, I do not know that.", "found": []}
        replies = self.pipeline.run({"prompt": {"found": found[:READ], "asked": asked}})["reader"]["replies"]
        return {"answer": replies[0].text, "found": found}
