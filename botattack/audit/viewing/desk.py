"""What a browser asks of `botattack view`, and which page answers it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from botattack.audit.viewing import changes
from botattack.audit.viewing.changes import Refused
from botattack.audit.viewing.pages import Pages
from botattack.errors import BotattackError, our_fault
from botattack.net.loopback import Page, Visit
from botattack.recordings import manifest

_NAME = re.compile(r"[\w][\w.-]{0,254}")


@dataclass(frozen=True)
class Desk:
    """Answers visits to a folder of recordings."""

    pages: Pages

    def answer(self, visit: Visit) -> Page:
        """Whatever is wrong becomes a page that says so."""
        try:
            match visit.path:
                case ():
                    return self.pages.list(visit.query)
                case ("run", name, *rest) if _NAME.fullmatch(name):
                    folder = self.pages.recordings / name
                    if (folder / manifest.NAME).exists():
                        return self._run(folder, tuple(rest), visit)
            raise Refused("there is no such page; go back to the list of recordings")
        except BotattackError as error:
            if isinstance(error, Refused):
                return replace(self.pages.message(str(error)), status=404)
            return replace(self.pages.message(str(error), "/".join(visit.path[:2])), status=400)
        except Exception as error:
            # A recording may be anybody's: nothing in it may end the server, or show a traceback.
            return replace(self.pages.message(our_fault(error)), status=500)

    def _run(self, folder: Path, rest: tuple[str, ...], visit: Visit) -> Page:
        if visit.form is not None:
            return self._changed(folder, "".join(rest), visit.form, visit.query)
        pages = self.pages
        match rest:
            case () | ("unsure" | "golds" | "report" | "why",):
                show = {"unsure": pages.unsure, "golds": pages.golds, "report": pages.report, "why": pages.why}
                return show.get("".join(rest), pages.failures)(folder, visit.query)
            case ("unit", one):
                return pages.unit(folder, one)
            case ("now",):
                return Page(pages.now.sentences(folder), kind="text/plain")
        raise Refused("there is no such page of a run; go back to it")

    def _changed(self, folder: Path, what: str, form: Mapping[str, str], query: Mapping[str, str]) -> Page:
        done = changes.made(folder, what, form, query)
        return Page(to=done.to) if done.to else self.pages.message(done.told, f"run/{folder.name}", done.asks)
