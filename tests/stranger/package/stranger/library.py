"""A kind of bot: it says the last word of the passage, unless somebody talks of something else first."""

from contextlib import asynccontextmanager
from dataclasses import dataclass

from botattack.model import Reply
from botattack.places import carried_by
from botattack.protocols import Target, TargetKind


@dataclass(frozen=True)
class Library(TargetKind):
    hosts = staticmethod(lambda env: {})
    carries = staticmethod(lambda folder: carried_by({"passages"}))

    def target(self, name, env, folder):
        return Reader(name)


@dataclass
class Reader(Target):
    name: str

    @asynccontextmanager
    async def session(self, unit, pace):
        async def ask(prompt):
            await pace.leave()
            return Reply(prompt.passages[0].split()[-1] if len(unit.turns) == 1 else "Hush")

        yield type("Visit", (), {"ask": staticmethod(ask)})
