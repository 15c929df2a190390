"""Attack live chatbots from the outside and measure where they break.

`load` or `campaign`, then `run` (or `await run_async`); `load_games`, then `play`; `replay` a recording, `judge` one
reply, `write_report` of a result, `export` a training set. Each is imported when it is first used, so that importing
botattack costs nothing.
"""

from typing import TYPE_CHECKING

from botattack.version import __version__

if TYPE_CHECKING:
    from botattack.audit.games import GamesResult
    from botattack.audit.given import campaign
    from botattack.audit.library import export, judge, load, play, replay, run, run_async
    from botattack.audit.result import Result, write_report
    from botattack.config.campaign import CampaignConfig
    from botattack.config.games import load_games
    from botattack.errors import BotattackError
    from botattack.model import Question, Verdict
    from botattack.report.writers.material import Material

__all__ = [
    "BotattackError",
    "CampaignConfig",
    "GamesResult",
    "Material",
    "Question",
    "Result",
    "Verdict",
    "__version__",
    "campaign",
    "export",
    "judge",
    "load",
    "load_games",
    "play",
    "replay",
    "run",
    "run_async",
    "write_report",
]

_HOMES = {
    "audit.games": ("GamesResult",),
    "audit.given": ("campaign",),
    "audit.library": ("export", "judge", "load", "play", "replay", "run", "run_async"),
    "audit.result": ("Result", "write_report"),
    "config.campaign": ("CampaignConfig",),
    "config.games": ("load_games",),
    "errors": ("BotattackError",),
    "model": ("Question", "Verdict"),
    "report.writers.material": ("Material",),
}


def __getattr__(name: str) -> object:
    home = next((home for home, names in _HOMES.items() if name in names), None)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    found = globals()[name] = getattr(import_module(f"{__name__}.{home}"), name)
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
