"""The pages of `botattack view`. They have no figures of their own: a run is shown as its story."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any

from botattack.audit import marking
from botattack.audit.reviewing import golds
from botattack.audit.viewing import listing, today
from botattack.audit.viewing.changes import MARKS, Refused
from botattack.audit.viewing.failures import Failures, to_settle
from botattack.events import QuestionOpened
from botattack.net.loopback import Page
from botattack.recordings import baseline as baselines
from botattack.recordings import manifest, triage
from botattack.recordings.reader import events
from botattack.recordings.triage import marked_events
from botattack.report.escape import flowing, visible
from botattack.report.stories import unit
from botattack.report.story.in_html import drawing, rendered
from botattack.report.wording.commands import command
from botattack.report.wording.words import terms
from botattack.report.writers.csv_file import uncelled

AT_ONCE = 50
"""Recordings, failures or questions on one page."""
FIRST = 500
"""Events that tell whether a run asked questions without a right answer."""
Query = Mapping[str, str]


@dataclass(frozen=True)
class Pages:
    """Those of a folder of recordings; `root` is what all their addresses begin with."""

    recordings: Path
    root: str
    now: today.Today = field(default_factory=today.Today)

    def drawn(self, sort: str, title: str, **shown: Any) -> Page:
        """A page of that sort with what its template shows."""
        values = {"run": None, "root": self.root, "sort": sort, "title": visible(title), **drawing(), **shown}
        values |= {"flowing": flowing, "visible": visible}
        return Page(rendered("view.html", ("page.css", "view.css"), "view.js", **values))

    def message(self, says: str, back: str = "", asks: str = "") -> Page:
        """`back` is the page behind the token that a link leads to, and `asks` the form of it to send once more."""
        return self.drawn("message", "botattack", message=visible(says, None), back=back, asks=asks)

    def list(self, query: Query) -> Page:
        names, start, bot = listing.recorded(self.recordings), _number(query), query.get("bot", "")
        if bot:
            # The name of a run has that of its bot between its time and its digits.
            names = [name for name in names if name.partition("-")[2].rpartition("-")[0] == bot]
        found = list(listing.listed(self.recordings, names, start, AT_ONCE))
        return self.drawn(
            "list",
            str(self.recordings),
            runs=[each for each in found if each.state != "unanswered"],
            unanswered=[each for each in found if each.state == "unanswered"],
            bot=bot,
            pinned={found.run for found in baselines.pinned(self.recordings)},
            total=len(names),
            **_paging(start, len(names) > start + AT_ONCE),
        )

    def failures(self, folder: Path, query: Query) -> Page:
        start, found = _number(query), Failures(folder, query.get("attack", ""), query.get("text", ""))
        page = list(islice(found.examples(), start, start + AT_ONCE + 1))
        shown = {"examples": page[:AT_ONCE], "found": found, "order": terms("notes")["order"]}
        return self._of_run("failures", folder, query, **shown, **_paging(start, len(page) > AT_ONCE))

    def unsure(self, folder: Path, query: Query) -> Page:
        items = [
            (one.asked.unit, visible(one.case.question.text), tuple(to_settle(one.case)), marking.settles(one))
            for one in marking.unsure(folder)
        ]
        return self._of_run("unsure", folder, query, items=items)

    def golds(self, folder: Path, query: Query) -> Page:
        """The questions of which nobody has decided yet whether the proposed answer is right, in the table's order."""
        path, done = folder / golds.TABLE, query.get("done", "")
        rows = list(golds.rows(path)) if path.exists() else []
        left = [row for row in rows if not row["decision"]]
        collect = command("judge", "golds", str(folder), "--collect", str(path), "-o", "questions.jsonl")
        return self._of_run(
            "golds",
            folder,
            query,
            table=str(path),
            proposed=path.exists(),
            items=left[:AT_ONCE],
            left=len(left),
            total=len(rows),
            decided=next((row for row in rows if row["id"] == done and row["decision"]), None),
            replies=golds.replies,
            uncelled=uncelled,
            command=collect,
        )

    def report(self, folder: Path, query: Query) -> Page:
        return self._of_run("report", folder, query, story=today.report(folder))

    def why(self, folder: Path, query: Query) -> Page:
        """What was found out of the failures of a run."""
        if found := self._why(folder):
            return self._of_run("why", folder, query, story=today.report(found))
        raise Refused("nobody has asked why this run failed; botattack why does")

    def unit(self, folder: Path, name: str) -> Page:
        story = unit.story(marked_events(folder), name)
        return self._of_run("unit", folder, {"done": name}, story=story, unit=visible(name))

    def _of_run(self, sort: str, folder: Path, query: Query, **shown: Any) -> Page:
        made, done = manifest.read(folder), query.get("done", "")
        return self.drawn(
            sort,
            made.target,
            run=listing.one(folder, made),
            at=f"{self.root}run/{folder.name}",
            tabs=self._tabs(folder),
            pinned=any(found.run == made.run for found in baselines.pinned(self.recordings)),
            attacks=sorted(made.settings.get("attacks", ())),
            query={name: value for name, value in query.items() if name in ("attack", "text")},
            kinds=MARKS,
            done=done,
            mark=triage.beside(folder).of(made.target).get(triage.variant_of(done)),
            **shown,
        )

    def _tabs(self, folder: Path) -> Iterable[tuple[str, str, str]]:
        """The sorts of pages that this run has, where they are, and what they are called."""
        yield "failures", "", "Failures"
        yield "unsure", "/unsure", "Unsure"
        if self._why(folder):
            yield "why", "/why", "Why"
        first = islice(events(folder), FIRST)
        if any(isinstance(event, QuestionOpened) and not event.question.has_gold for event in first):
            yield "golds", "/golds", "Right answers"
        yield "report", "/report", "Report"

    def _why(self, folder: Path) -> Path | None:
        names = listing.recorded(self.recordings)
        at = names.index(folder.name)
        newer = listing.read(self.recordings, names[max(at - listing.AROUND, 0) : at])[0]
        return listing.why_of(folder, manifest.read(folder).run, newer)


def _number(query: Query) -> int:
    text = query.get("from", "")
    return int(text) if re.fullmatch(r"[0-9]{1,9}", text) else 0


def _paging(start: int, more: bool) -> dict[str, int]:
    return {"start": start, "before": max(start - AT_ONCE, 0), "more": start + AT_ONCE if more else 0}
