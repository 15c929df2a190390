"""The kind of bot that lives on a web page: its options, and what they make."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from botattack.errors import ConfigError, Problem
from botattack.limits import Limits
from botattack.places import PlaceKind, carried_by
from botattack.protocols import TargetKind
from botattack.targets.browser.page_options import PageOptions

if TYPE_CHECKING:
    from botattack.targets.browser.browser_target import BrowserTarget


@dataclass(frozen=True)
class Browser(PageOptions, TargetKind):
    """A bot on a web page.

    A request, as rates and budgets count it, is the opening of a page (each `goto`) or a message sent; what the page
    loads by itself is not counted.
    """

    def target(self, name: str, env: Mapping[str, str], folder: Path) -> BrowserTarget:
        """Nothing is launched before the first question; raises ConfigError if an environment name contains no URL."""
        from botattack.targets.browser.browser_target import BrowserTarget

        try:
            return BrowserTarget(name, self, env, folder)
        except ValueError as error:
            raise ConfigError((Problem(name, 1, 1, "connect", str(error)),)) from error

    def address(self, env: Mapping[str, str]) -> str:
        return next(iter(self.urls(env).values()), "")

    def carries(self, folder: Path) -> frozenset[PlaceKind]:
        names = frozenset[str]().union(*(step.names for step in self.ask))
        return carried_by(names, history=self.history == "ask")

    @property
    def install(self) -> tuple[str, ...]:
        return () if self.is_remote else ("playwright install --with-deps chromium",)

    def reach(self) -> Iterator[str]:
        if not self.sandbox:
            yield "starts     Chromium without its sandbox (connect.sandbox)"

    @property
    def unproven(self) -> str:
        return "proven" if self.proven == "not yet" else ""

    @property
    def reuses_conversations(self) -> bool:
        return self.conversation == "reuse"

    def advice(self, limits: Limits, raw: str) -> Iterator[str]:
        if self.settled.timeout >= limits.timeout:
            yield "limits.timeout, which also counts the opening of the page, is not above settled.timeout"
