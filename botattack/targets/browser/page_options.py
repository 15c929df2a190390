"""How a bot on a web page is described in a target file."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Annotated, Literal

from botattack.options import BadValue, Deadline, Mistake, ProgramFile, Read, Seconds, Word, shown
from botattack.targets.messages.calls import Host, Text, Url, host_in, host_of, known_url, read_text
from botattack.templates import Template

Place = tuple[str | int, ...]
ACTIONS = ("goto", "click", "fill", "type_", "press", "select", "wait_for", "wait_gone", "wait", "dismiss")
_TAKES_TEXT = ("fill", "type_", "select")


@dataclass(frozen=True)
class Step:
    """One thing done on the page: exactly one of goto, click, fill, type, press, select, wait_for, wait_gone, wait or
    dismiss.

    Elements are named by Playwright's selectors: CSS, `role=button[name="Chat"]`, `text=Chat`, `//xpath`. It is looked
    for in every frame and through open shadow roots; the first that is visible is taken.
    """

    goto: Url | None = None
    """Opens a page."""
    click: Word | None = None
    """Clicks an element."""
    fill: Word | None = None
    """Puts the text of `with` into a field at once."""
    type_: Word | None = None
    """Types the text of `with` key by key, for pages that listen to keys."""
    press: Word | None = None
    """Presses a key, such as Enter or Control+Enter: in the element of `in`, by default where the last step was."""
    select: Word | None = None
    """Chooses, in a list, what has the label or value of `with`."""
    wait_for: Word | None = None
    """Waits until an element is visible."""
    wait_gone: Word | None = None
    """Waits until no such element is visible."""
    wait: Seconds | None = None
    """Waits for a time, for pages that lose what comes early and show no sign of being ready."""
    dismiss: Word | None = None
    """Clicks an element if it appears within two seconds."""
    with_: Text = None
    """The text for fill, type and select."""
    in_: Word | None = None
    """The element in which a key is pressed."""

    def __post_init__(self) -> None:
        given = [name for name in ACTIONS if vars(self)[name] is not None]
        if len(given) != 1:
            known = ", ".join(name.rstrip("_") for name in ACTIONS)
            found = " and ".join(name.rstrip("_") for name in given)
            raise BadValue(f"a step is one of {known}, not {found or 'none of them'}")
        if (given[0] in _TAKES_TEXT) != (self.with_ is not None):
            raise BadValue(f"{given[0].rstrip('_')} {'needs' if self.with_ is None else 'takes no'} with")
        if self.in_ is not None and self.press is None:
            raise BadValue("in belongs to press alone")

    @property
    def action(self) -> str:
        return next(name for name in ACTIONS if vars(self)[name] is not None)

    @property
    def operand(self) -> str:
        """What the action is done to: an element, a key, a page."""
        return str(vars(self)[self.action])

    @property
    def names(self) -> frozenset[str]:
        """The placeholders of its templates."""
        return frozenset[str]().union(*(part.names for part in (self.goto, self.with_) if part is not None))

    @property
    def secret(self) -> bool:
        """Whether what it writes comes from the environment."""
        return self.with_ is not None and bool(self.with_.env_names)


@dataclass(frozen=True)
class Settled:
    """When an answer is complete: the busy sign is gone or the done sign is there, no response that may bring more of
    it is still coming, one more message of the bot is there than before, and its text has not changed for a
    while. No sign ends an answer by itself."""

    gone: Word | None = None
    """The element that is visible while the bot answers."""
    done: Word | None = None
    """The element that appears when the bot has answered: one more than before, or again after it was gone."""
    quiet: Seconds = 1.0
    """How long the text must stay unchanged; longer than the longest pause of a streamed answer."""
    timeout: Deadline = 25.0
    """Longest wait for one answer; limits.timeout, which also counts the opening of the page, must be longer."""
    linger: Seconds | None = None
    """How long the answer is watched after `quiet`: an answer that changes in that time was not complete. By default
    half of `quiet`, and 5s for a run's first answers, later ones less and less; not at all once two answers ended
    with the page's own requests, while no response is open and no WebSocket has brought anything. Once an answer has
    continued after it looked complete, all later ones are watched for 1.2 times that silence, `quiet` included, at
    most half of `timeout` more. It
    does not count as the bot's time."""


_ADDRESS = re.compile(r"(wss?|https?)://\S|\{\{")


def read_browser(value: object) -> Template | None:
    """The address of a browser that runs elsewhere; `chromium` is the one that botattack starts."""
    if value == "chromium":
        return None
    if isinstance(value, str) and _ADDRESS.match(value):
        made = read_text(value)
        if made.names <= {"env"}:
            return made
        raise BadValue("the address of a browser can depend on the environment alone")
    hint = "ws://… of a Playwright server, or http://HOST:PORT of a debugging port; without one, Chromium is started"
    raise BadValue(f"expected the address of a Chromium, found {shown(value)}", hint=hint)


Elsewhere = Annotated[
    Template | None, Read(read_browser, {"type": "string", "pattern": rf"^(chromium|{_ADDRESS.pattern})"})
]


@dataclass(frozen=True)
class PageOptions:
    """What a target file says of a web page; `kind.Browser` is what it is read into."""

    open: tuple[Step, ...]
    """The steps that open the chat; the first is goto."""
    ask: tuple[Step, ...]
    """The steps that send a message."""
    answer: Word
    """What matches each message of the bot."""
    exclude: Word | None = None
    """CSS of what to ignore: elements that `answer` matches but that are no messages, and parts of a message that are
    not its text. Buttons, toolbars and fields inside a message are always ignored, and so are links that lead
    nowhere, such as suggested questions, unless they are in a sentence. Other texts that can be clicked may be the
    answer, so they are read; `check` names them."""
    leave_out: tuple[Word, ...] = ()
    """Lines of the bot's messages that are no answers, such as "One moment, please" or a question whether you are still
    there. Numbers in them make no difference."""
    settled: Settled = field(default_factory=Settled)
    """When an answer is complete."""
    in_place: bool = False
    """Whether the page shows only one answer at a time and replaces it with the next."""
    confirm: Seconds = 3.0
    """How long the sent message may take to appear on the page before botattack checks whether it was sent at all. It
    is sent once more only if its box still contains it, the page shows nothing new, and no request or WebSocket frame
    was sent since. An answer counts only if it came after its message had appeared; if a run's first message does not
    appear within half of `settled.timeout`, the page is assumed to show no sent messages. With 0s botattack does not
    look for the message, never sends it again, and counts whatever comes after it."""
    conversation: Literal["fresh", "reuse"] = "fresh"
    """`fresh`: a new browser context for each question; `reuse`: the same contexts for all, so one question may change
    the answer to the next. A context is not used again if it shows new text since its last answer, is still busy, or a
    question failed in it."""
    history: Literal["ignore", "ask"] = "ignore"
    """Earlier messages of the user: `ignore` leaves them out, `ask` sends them first, one by one."""
    login: tuple[Step, ...] = ()
    """The steps that log in: done once; every context gets the cookies and storage."""
    hosts_: tuple[Host, ...] = ()
    """Further hosts (name or name:port) that the page may load from; requests to all others are blocked."""
    browser: Elsewhere = None
    """The address of a browser that runs elsewhere, ws://HOST:PORT/… of a Playwright server or http://HOST:PORT of a
    Chrome with remote debugging; by default botattack starts a Chromium. Write tokens as {{ env.NAME }}."""
    executable: ProgramFile | None = None
    """The path of the browser, if botattack should not look for one."""
    sandbox: bool = True
    """Chromium's own sandbox; never used by root, because it does not work there."""
    step_timeout: Deadline = 10.0
    """The longest wait for the element of a step."""
    proven: Literal["not yet", "accepted"] | None = None
    """`not yet` is what `targets discover` writes if it could not prove that this reads the bot's answers. Then only
    `check` asks the bot, until you have seen its answers there and write `accepted`."""

    def __post_init__(self) -> None:
        faults = [Mistake("needs at least one step", (name,)) for name in ("open", "ask") if not self.stages[name]]
        for name in ("open", "login"):
            steps = self.stages[name]
            if steps and steps[0].goto is None:
                faults.append(Mistake("the first step opens a page", (name, 0), "begin with {goto: URL}"))
        if self.ask and not any("question" in step.names for step in self.ask):
            faults.append(
                Mistake("no step uses {{ question }}", ("ask",), 'write {fill: "#input", with: "{{ question }}"}')
            )
        if self.is_remote:
            given = [
                name for name, own in (("executable", self.executable is None), ("sandbox", self.sandbox)) if not own
            ]
            sentence = "belongs to a browser that botattack starts, but browser is an address"
            faults += [Mistake(f"{name} {sentence}", (name,), "leave it out") for name in given]
        if faults:
            raise BadValue(mistakes=faults)

    @property
    def is_remote(self) -> bool:
        """Whether the browser runs elsewhere."""
        return self.browser is not None

    def remote(self, env: Mapping[str, str]) -> str:
        """The address of a browser that runs elsewhere; empty if botattack starts one."""
        return str(self.browser.fill({"env": env})) if self.browser is not None else ""

    @property
    def requests_each(self) -> int:
        """How many requests an asking takes: the pages it opens, and its message."""
        opened = () if self.conversation == "reuse" else self.open
        return sum(step.goto is not None for step in opened) + 1

    @property
    def stages(self) -> dict[str, tuple[Step, ...]]:
        """The steps of each stage of a conversation."""
        return {"login": self.login, "open": self.open, "ask": self.ask}

    def steps(self) -> Iterator[tuple[Place, Step]]:
        """Every step, by its place under `connect`."""
        for name, steps in self.stages.items():
            for index, step in enumerate(steps):
                yield (name, index), step

    def urls(self, env: Mapping[str, str]) -> dict[Place, str]:
        """Every page that is opened, as far as it is known before the run, by its place under `connect`."""
        return {(*at, "goto"): known_url(step.goto, env) for at, step in self.steps() if step.goto is not None}

    def hosts(self, env: Mapping[str, str]) -> dict[Place, str]:
        """Each host that the page may load from, by its place under `connect`."""
        found: dict[Place, str] = {place: host_in(url) for place, url in self.urls(env).items()}
        for index, host in enumerate(self.hosts_):
            found["hosts", index] = host_of(host)
        if self.is_remote:
            found["browser",] = host_in(self.remote(env))
        return found


def key_of(step: Step) -> str:
    """The key of a step's action, as the file writes it."""
    return step.action.rstrip("_")
