"""What a form of `botattack view` does, as the commands do it, and which page comes after it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple, cast
from urllib.parse import quote, urlencode

from botattack.audit import marking
from botattack.audit.nights.pinning import LosesAnswers, pin
from botattack.audit.reviewing import golds
from botattack.errors import BotattackError
from botattack.events import MarkKind

MARKS: Mapping[MarkKind, str] = {
    "wrong-verdict": "the grade is wrong, the bot is right",
    "bad-variant": "nobody should ask this",
    "accepted": "the bot fails here, and that is known",
}
DECISIONS = {"confirm": "yes", "drop": "no", "open again": ""}
"""What a form says of a proposed answer, and what the table says."""


class Done(NamedTuple):
    """The page behind the token that comes next, or, without one, what is to be told; `asks` is the form
    that does it all the same, with agreed: yes."""

    to: str = ""
    told: str = ""
    asks: str = ""


class Refused(BotattackError):
    """What was asked for is not here."""


def made(folder: Path, what: str, form: Mapping[str, str], query: Mapping[str, str]) -> Done:
    """Does what a form says. Raises BotattackError."""
    here, one, said = f"run/{folder.name}", form.get("unit", ""), form.get("said", "")
    after, back = quote(query.get("next", "")), "/unsure" if query.get("page") == "unsure" else ""
    match what:
        case "mark" if form.get("kind") in MARKS:
            new = marking.NewMark(cast("MarkKind", form["kind"]), form.get("why", ""), form.get("by", ""))
            marking.mark(one, new, folder.parent, folder)
            return Done(f"{here}?{urlencode({**query, 'done': one})}#{after}")
        case "undo":
            marking.undo(one, folder.parent, folder)
            return Done(f"{here}{back}#{quote(one)}")
        case "settle" if said in marking.SETTLES:
            marking.settle(one, said, form.get("by", ""), folder)
            return Done(f"{here}/unsure?{urlencode({'done': one})}#{after}")
        case "propose":
            golds.propose(folder)
            return Done(f"{here}/golds")
        case "decide" if said in DECISIONS:
            golds.decide(folder / golds.TABLE, one, DECISIONS[said], form.get("answer") if said == "confirm" else None)
            return Done(f"{here}/golds?{urlencode({'done': one})}#{after}")
        case "baseline":
            return _pinned(folder, agreed=form.get("agreed") == "yes")
    raise Refused("that form is not known here; load the page again")


def _pinned(folder: Path, *, agreed: bool) -> Done:
    try:
        found = pin(folder, agreed=agreed)
    except LosesAnswers as error:
        return Done(told=str(error), asks="baseline")
    return Done(told="; ".join((f"This run is now the baseline {found.name}", *found.warnings())))
