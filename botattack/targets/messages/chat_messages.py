"""Messages as chat APIs want them: {role, content}, or of another shape."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal

from botattack.model import Prompt, Reply, Turn, Unit
from botattack.options import BadValue, Read, Word, shown
from botattack.protocols import Pace
from botattack.targets.messages.calls import Text
from botattack.targets.messages.filling import as_text, filler
from botattack.targets.messages.placed_values import place_values, session_id
from botattack.templates import Template, uuid_of

Role = Literal["user", "bot", "system"]


@dataclass(frozen=True)
class Shape:
    """How one message is written. `system_elsewhere` is how a request says what the system says, if no message may."""

    message: Template
    bot: str = "assistant"
    system_elsewhere: str = ""


def _shape(message: object, *more: str) -> Shape:
    made = Template.compile(message, extra=("role", "text", "id"))
    if "text" not in made.names:
        raise BadValue("no {{ text }} is in the shape of a message", hint="write it where the message's text belongs")
    return Shape(made, *more)


_PLAIN = {"role": "{{ role }}", "content": "{{ text }}"}
_IN_PARTS = [{"text": "{{ text }}"}]
SHAPES: Mapping[str, Shape] = {
    "openai": _shape(_PLAIN),
    "anthropic": _shape(_PLAIN, "assistant", "system: …"),
    "gemini": _shape({"role": "{{ role }}", "parts": _IN_PARTS}, "model", "systemInstruction: {parts: [{text: …}]}"),
    "bedrock": _shape({"role": "{{ role }}", "content": _IN_PARTS}, "assistant", "system: [{text: …}]"),
    "parts": _shape({"id": "{{ id }}", "role": "{{ role }}", "parts": [{"type": "text", "text": "{{ text }}"}]}),
}


def read_shape(value: object) -> Shape:
    """One of SHAPES by name, or a message with {{ role }}, {{ text }} and {{ id }}. Raises BadValue."""
    if isinstance(value, str) and value in SHAPES:
        return SHAPES[value]
    if isinstance(value, str) and "{{" not in value:
        hint = f"one of {', '.join(SHAPES)}, or a message such as {{role: '{{{{ role }}}}', content: '{{{{ text }}}}'}}"
        raise BadValue(f"no shape of messages is called {shown(value).removeprefix('the text ')}", hint=hint)
    return _shape(value)


@dataclass(frozen=True)
class Chat:
    """How {{ messages }} is made: the system's message, the turns so far, the question."""

    system: Text = None
    """The system's message; none by default."""
    user: Text = None
    """The last message; by default the passages, if there are any, and the question."""
    messages: Annotated[Shape, Read(read_shape, {"type": ["string", "object", "array"]})] | None = None
    """The shape of each message: `openai` (the default), `anthropic`, `gemini`, `bedrock`, `parts` (of UI streams), or
    any JSON with {{ role }}, {{ text }} and, if wanted, {{ id }}: it is written once for each message. {{ history }} is
    made of the same, without the system's message and the question."""
    roles: Mapping[Role, Word] = field(default_factory=dict)
    """What the bot calls the roles, where not as in the shape: {bot: CHATBOT, user: USER}."""

    def __post_init__(self) -> None:
        if self.system is not None and (hint := self.shape.system_elsewhere):
            sentence = "no message of this shape is the system's"
            raise BadValue(sentence, ("system",), f"write {hint} in the request instead")

    @property
    def shape(self) -> Shape:
        return self.messages or SHAPES["openai"]

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
        self._message = filler(chat.shape.message, env, "connect.chat.messages")
        self._roles: dict[str, str] = {"user": "user", "bot": chat.shape.bot, "system": "system"} | {**chat.roles}

    def names_with(self, names: frozenset[str]) -> frozenset[str]:
        """The names that a call needs, those of the messages included."""
        if "messages" not in names:
            return names
        parts = (self._chat.system, self._chat.user, self._chat.shape.message)
        return names.union({"passages"}, *(part.names for part in parts if part is not None))

    def place(self, values: dict[str, object], history: tuple[Turn, ...], names: frozenset[str]) -> None:
        """Adds `messages` to the values of a call, if it is wanted, and gives `history` the same shape."""
        if "messages" in names:
            values["messages"] = self.messages(values, history)
        if "history" in names and self._chat.messages is not None:
            values["history"] = self._written(values, ((turn.speaker, turn.text) for turn in history))

    def messages(self, values: Mapping[str, Any], history: tuple[Turn, ...]) -> list[object]:
        """`history` is what went before, in this conversation and in the question's own."""
        said: list[tuple[str, str]] = [(turn.speaker, turn.text) for turn in history]
        if self._chat.system is not None:
            said.insert(0, ("system", as_text(self._system(values))))
        own = "\n\n".join([*values["passages"], values["question"]])
        said.append(("user", own if self._chat.user is None else as_text(self._user(values))))
        return self._written(values, said)

    def _written(self, values: Mapping[str, object], said: Iterable[tuple[str, str]]) -> list[object]:
        placed, written = dict(values), list[object]()
        has_id = "id" in self._chat.shape.message.names
        for at, (who, text) in enumerate(said):
            placed |= {"role": self._roles[who], "text": text}
            if has_id:
                placed["id"] = uuid_of(f"{values['session']}/message {at}")
            written.append(self._message(placed))
        return written


class Conversation:
    """What a conversation of any kind of target keeps: who it is, its pace, and what was said in it so far."""

    def __init__(self, unit: Unit, pace: Pace) -> None:
        self._id = session_id(unit)
        self._seed = unit.seed
        self._pace = pace
        self._turns: tuple[Turn, ...] = ()

    def _placed(
        self, prompt: Prompt, names: frozenset[str], env: Mapping[str, str], chat: ChatFiller
    ) -> dict[str, object]:
        """The values for one question, with the environment and what `chat` makes of the turns so far."""
        values = place_values(self._id, self._seed, prompt, self._turns, names)
        values["env"] = env
        chat.place(values, (*prompt.history, *self._turns), names)
        return values

    def _heard(self, prompt: Prompt, reply: Reply) -> None:
        self._turns += (Turn("user", prompt.text), Turn("bot", reply.text))
