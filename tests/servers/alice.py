"""ALICE behind HTTP: {"text", "session", "seed"} in, {"reply": {"text"}} out. Memory ends with the conversation."""

from __future__ import annotations

import asyncio

from botattack.bots.alice import bot
from tests.servers.http import Received, Server, response


def alice_server() -> Server:
    async def behave(request: Received, writer: asyncio.StreamWriter) -> None:
        talk = bot(request.json["session"], request.json["seed"])
        try:
            writer.write(response({"reply": {"text": talk(request.json["text"])}}))
        finally:
            talk.close()

    return Server(behave)
