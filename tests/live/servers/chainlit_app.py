"""A Chainlit chat, which streams over its socket: FAQ=FILE chainlit run chainlit_app.py"""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

import chainlit
from faq import Faq

known = Faq(Path(os.environ["FAQ"]))


@chainlit.on_message
async def reply(message: chainlit.Message) -> None:
    said = chainlit.Message(content="")
    for piece in known.pieces(known.answer(message.content, [])):
        await said.stream_token(piece)
        await asyncio.sleep(0.02)
    await said.send()
