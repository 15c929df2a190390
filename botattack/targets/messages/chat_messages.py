"""Messages as chat APIs want them: {role, content}."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from botattack.model import Turn
from botattack.targets.messages.calls import Text
from botattack.targets.messages.filling import as_text, filler

_ROLES = {"user": "user", "bot": "assistant"}


@dataclass(frozen=True)
class Chat:
    """How {{ messages }} is made: the system's message, the turns so far, the question."""

    system: Text = None
    """The system's message; none by default."""
    user: Text = None
    """The last message; by default the passages, if there are any, and the question."""

    def asks(self, names: Collection[str]) -> bool:
        """Whether the question is in what templates with these placeholders make."""
        return "question" in names or ("messages" in names and (self.user is None or "question" in self.user.names))

    def placed(self, names: frozenset[str]) -> frozenset[str]:
        """What reaches the bot through templates with these placeholders, `messages` taken apart."""
        if "messages" not in names:
            return names
        own = ("passages",) if self.user is None else self.user.names
        return names.union(own, ("history",), self.system.names if self.system is not None else ())


class ChatFiller:
    """Makes `messages`."""

    def __init__(self, chat: Chat, env: Mapping[str, str]) -> None:
        self._chat = chat
        self._system = filler(chat.system, env, "connect.chat.system")
        self._user = filler(chat.user, env, "connect.chat.user")

    def names_with(self, names: frozenset[str]) -> frozenset[str]:
        """The names that a call needs, those of the messages included."""
        if "messages" not in names:
            return names
        parts = (self._chat.system, self._chat.user)
        return names.union({"passages"}, *(part.names for part in parts if part is not None))

    def place(self, values: dict[str, Any], history: tuple[Turn, ...], names: frozenset[str]) -> None:
        """Adds `messages` to the values of a call, if it is wanted."""
        if "messages" in names:
            values["messages"] = self.messages(values, history)

    def messages(self, values: Mapping[str, Any], history: tuple[Turn, ...]) -> list[dict[str, str]]:
        """`history` is what went before, in this conversation and in the question's own."""
        said = [{"role": _ROLES[turn.speaker], "content": turn.text} for turn in history]
        if self._chat.system is not None:
            said.insert(0, {"role": "system", "content": as_text(self._system(values))})
        own = "\n\n".join([*values["passages"], values["question"]])
        text = own if self._chat.user is None else as_text(self._user(values))
        return [*said, {"role": "user", "content": text}]
