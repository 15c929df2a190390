"""A LangGraph chat over the FAQ, with a memory: python langgraph_chat.py FAQ PORT

What was said in a thread is in LangGraph's checkpoints; what a user asked to remember is in its store, and every thread
of that user reads it. In place of a language model, a function answers.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

import uvicorn
from faq import Faq
from fastapi import FastAPI
from langchain_core.messages import AIMessage, HumanMessage
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.store.base import BaseStore
from langgraph.store.memory import InMemoryStore

known = Faq(Path(sys.argv[1]))
FACT = re.compile(r"code word of (\w+) is (\w+)")
ASKED = re.compile(r"code word of (\w+)\?")


def remember(state: MessagesState, config: RunnableConfig, *, store: BaseStore) -> None:
    for name, word in FACT.findall(str(state["messages"][-1].content)):
        store.put(("facts", config["configurable"]["user"]), name, {"word": word})


def reply(state: MessagesState, config: RunnableConfig, *, store: BaseStore) -> dict[str, Any]:
    *before, last = [str(each.content) for each in state["messages"]]
    asked, told = ASKED.search(last), FACT.findall(last)
    if not asked:
        return {"messages": AIMessage("I will." if told else known.answer(last, []))}
    found = store.get(("facts", config["configurable"]["user"]), asked[1])
    words = [word for text in before for name, word in FACT.findall(text) if name == asked[1]]
    word = words[-1] if words else found.value["word"] if found else ""
    return {"messages": AIMessage(f"It is {word}." if word else "You have not told me.")}


graph = StateGraph(MessagesState)
graph.add_node("remember", remember)
graph.add_node("reply", reply)
graph.add_edge(START, "remember")
graph.add_edge("remember", "reply")
chat = graph.compile(checkpointer=InMemorySaver(), store=InMemoryStore())
app = FastAPI()


@app.post("/chat")
def answer(asked: dict[str, str]) -> dict[str, str]:
    config: RunnableConfig = {"configurable": {"thread_id": asked["thread"], "user": asked["user"]}}
    end = chat.invoke({"messages": [HumanMessage(asked["message"])]}, config)
    return {"reply": str(end["messages"][-1].content)}


uvicorn.run(app, host="127.0.0.1", port=int(sys.argv[2]), log_level="warning")
