"""A gradio chat with login, which streams: python gradio_app.py FAQ PORT"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import gradio
from faq import Faq

known, port = Faq(Path(sys.argv[1])), int(sys.argv[2])


def said(content: Any) -> str:
    """A message's text, which may come in parts."""
    return content if isinstance(content, str) else "".join(part.get("text", "") for part in content)


def reply(message: str, history: list[dict[str, Any]]) -> Iterator[str]:
    text = ""
    for piece in known.pieces(known.answer(message, [said(t["content"]) for t in history if t["role"] == "user"])):
        text += piece
        yield text
        time.sleep(0.02)


chat = gradio.ChatInterface(reply, api_name="chat", title="Ravensbrook helpdesk")
chat.launch(server_name="127.0.0.1", server_port=port, auth=("visitor", "let-me-in"), ssr_mode=False, quiet=True)
