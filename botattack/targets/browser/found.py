"""What was found on a chat page, and the target file that it makes."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from botattack.errors import ExtractionFailed, excerpt
from botattack.options import JsonObject
from botattack.targets.browser.browser_kind import Browser
from botattack.targets.browser.page import KINDS
from botattack.targets.browser.page_options import Settled, Step
from botattack.targets.browser.settling import plain
from botattack.targets.messages.calls import known_url, read_text, read_url

LONGEST = 60.0
NOTHING = ":not(*)"
"""Stands for the bot's messages while they are not known."""


@dataclass(frozen=True)
class Guess:
    """A selector and how sure it is, from 0 to 1."""

    selector: str
    sure: float


@dataclass(frozen=True)
class Login:
    """How to log in to a page: the steps, as they are and as they were written, and the environment they use."""

    steps: tuple[Step, ...] = ()
    written: Sequence[JsonObject] = ()
    env: Mapping[str, str] = field(default_factory=dict)

    @property
    def urls(self) -> tuple[str, ...]:
        """Every page that is opened."""
        return tuple(known_url(step.goto, self.env) for step in self.steps if step.goto is not None)


@dataclass
class Found:
    """What was found on a page."""

    url: str
    login: Login = field(default_factory=Login)
    named: bool = False
    """Whether the questions are the user's."""
    steps: list[Mapping[str, str]] = field(default_factory=list)
    drawn: float = 0.0
    """Seconds until there was a box to write in."""
    input: Guess | None = None
    send: Guess | None = None
    answer: Guess | None = None
    exclude: str = ""
    in_place: bool = False
    busy: Guess | None = None
    disabled: bool = False
    quiet: float = 0.8
    leave_out: tuple[str, ...] = ()
    """Lines that several answers contained, so that they are none."""
    kinds: set[str] = field(default_factory=set)
    """Which of KINDS the answers contained."""
    echoes: bool = True
    """Whether the page shows what is sent, as far as it was seen."""
    proof: str = ""
    """What the bot said last, read with this file; empty if it could not be read."""
    doubt: str = ""
    unread: str = ""
    """A line that came with an answer but was not read."""

    @property
    def advice(self) -> str:
        """What to do where two different answers were not seen."""
        if self.named:
            return "see in a browser whether the bot answers your two questions differently, and name others if not"
        return "name two questions with different answers, each with --ask"

    def gone(self) -> str | None:
        if self.busy is not None:
            return self.busy.selector
        return f"{self.input.selector}:disabled" if self.input and self.disabled else None

    @property
    def step_timeout(self) -> float:
        """Long enough for a page that is drawn three times as slowly the next time."""
        return max(Browser.step_timeout, float(round(3 * self.drawn)))

    def opening(self) -> Browser:
        """Options that open the page and ask nothing."""
        made = [Step(**{key: value}) for step in self.steps for key, value in step.items()]  # type: ignore[arg-type]
        return Browser(
            open=(Step(goto=read_url(self.url)), *made),
            ask=(Step(fill="input", with_=read_text("{{ question }}")),),
            answer=NOTHING,
            settled=Settled(timeout=LONGEST),
            login=self.login.steps,
            step_timeout=self.step_timeout,
        )

    def options(self) -> Browser:
        """Raises ExtractionFailed if something needed was not found."""
        if self.input is None or self.answer is None:
            what = "no box to write in" if self.input is None else self.doubt or "no answer"
            hint = f"{self.advice}, or write the target file by hand"
            raise ExtractionFailed(f"{what} was found on {self.url}: {hint}", place="connect")
        send = Step(click=self.send.selector) if self.send else Step(press="Enter")
        write = Step(fill=self.input.selector, with_=read_text("{{ question }}"))
        return replace(
            self.opening(),
            ask=(write, send),
            answer=self.answer.selector,
            exclude=self.exclude or None,
            leave_out=self.leave_out,
            in_place=self.in_place,
            settled=Settled(gone=self.gone(), quiet=self.quiet, timeout=0.75 * LONGEST),
        )

    def yaml(self, name: str) -> str:
        """A target file."""
        self.options()
        return "\n".join(_lines(self, name)) + "\n"


def repeated(texts: Sequence[str]) -> str:
    """A line that all of several answers contain, numbers apart, such as a name or a time; empty if there is none."""
    kept = [{plain(line) for line in text.split("\n")} for text in texts]
    return next((line for line in texts[-1].split("\n") if line and all(plain(line) in lines for lines in kept)), "")


def _lines(found: Found, name: str) -> Iterator[str]:
    assert found.input is not None  # noqa: S101  # options() has raised otherwise
    assert found.answer is not None  # noqa: S101
    gone = found.gone()
    busy = f"gone: {_q(gone)}, " if gone else ""
    yield "# Found by botattack targets discover; look it over, then: botattack check FILE"
    yield f"# Proven: it read {excerpt(found.proof)!r}." if found.proof else f"# NOT proven: {found.doubt}"
    if found.proof and (unseen := sorted(KINDS - found.kinds)):
        yield f"# Not seen in any answer, so not proven to be read: {', '.join(unseen)}."
    yield f"name: {_q(name)}"
    if found.login.env:
        yield f"env: {_q(list(found.login.env))}"
    yield from ("connect:", "  kind: browser", *_opening(found), "  ask:")
    yield f'    - {{fill: {_q(found.input.selector)}, with: "{{{{ question }}}}"}}  {_sure(found.input)}'
    yield f"    - {{click: {_q(found.send.selector)}}}  {_sure(found.send)}" if found.send else "    - {press: Enter}"
    yield f"  answer: {_q(found.answer.selector)}  {_sure(found.answer)}"
    if found.exclude:
        yield f"  exclude: {_q(found.exclude)}  # the same in each message that was seen"
    if found.leave_out:
        yield f"  leave_out: {_q(found.leave_out)}  # in several answers, so no part of any"
    if found.in_place:
        yield "  in_place: true  # each answer replaces the one before"
    if not found.echoes:
        yield "  confirm: 0s  # the page does not show what is sent"
    if not found.proof:
        yield "  proven: not yet  # once check shows the bot's own answers, write: accepted"
    yield f"  settled: {{{busy}quiet: {round(found.quiet * 1000)}ms}}" + (
        f"  {_sure(found.busy)}" if found.busy else ""
    )
    yield "limits: {concurrency: 1}  # asked by one visitor at a time; more make it faster"


def _opening(found: Found) -> Iterator[str]:
    if found.login.written:
        yield "  login:"
        yield from (f"    - {_q(step)}" for step in found.login.written)
    yield from ("  open:", f"    - {{goto: {_q(found.url)}}}")
    yield from (f"    - {{{key}: {_q(value)}}}" for step in found.steps for key, value in step.items())
    if found.step_timeout > Browser.step_timeout:
        yield f"  step_timeout: {found.step_timeout:g}s  # the page is drawn slowly"


def _q(value: object) -> str:
    """JSON is YAML."""
    return json.dumps(value, ensure_ascii=False)


def _sure(guess: Guess) -> str:
    return f"# {guess.sure:.0%} sure"
