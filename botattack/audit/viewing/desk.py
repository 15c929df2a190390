"""What the pages of `botattack view` show and do. They have no figures of their own: a run is shown as its story."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from typing import cast
from urllib.parse import quote, urlencode

from botattack.audit import marking
from botattack.audit.conclusion import ended_today
from botattack.audit.nights.pinning import pin
from botattack.audit.viewing import listing
from botattack.cases import QuestionCase, cases
from botattack.errors import BotattackError, our_fault
from botattack.events import MarkKind
from botattack.net.loopback import Page, Visit
from botattack.recordings import baseline as baselines
from botattack.recordings import manifest, triage
from botattack.recordings.triage import marked_events
from botattack.recordings.writer import EVENTS
from botattack.report.comparison.sides import unchanged_replies
from botattack.report.escape import flowing, visible
from botattack.report.figures.findings import Finding, findings_of
from botattack.report.stories import run, unit
from botattack.report.stories.asked import example_of
from botattack.report.story.blocks import Example, Fact
from botattack.report.story.in_html import drawing, rendered
from botattack.report.wording.headlines import headline
from botattack.report.wording.marks import MarkedText
from botattack.report.writers.material import material

AT_ONCE = 50
"""Recordings, or failures, on one page."""
SORTED = 20_000_000
"""Bytes of a recording whose failures are all read and sorted; those of a larger one come in its own order."""
UNCHANGED = "original"
"""What the filter calls questions that were asked unchanged."""
MARKS: Mapping[MarkKind, str] = {
    "wrong-verdict": "wrong grade",
    "bad-variant": "bad question",
    "accepted": "known, accepted",
}
_NAME = re.compile(r"[\w][\w.-]{0,254}")


class Refused(BotattackError):
    """What was asked for is not here."""


@dataclass
class Desk:
    """The pages of a folder of recordings; `root` is what all their addresses begin with."""

    recordings: Path
    root: str
    _now: dict[str, tuple[object, str]] = field(default_factory=dict)
    """The first sentence of each run that was read, as it is with its marks, by what it was read from."""

    def answer(self, visit: Visit) -> Page:
        """Whatever is wrong becomes a page that says so."""
        try:
            match visit.path:
                case ():
                    return self._list(visit.query)
                case ("run", name, *rest) if _NAME.fullmatch(name) and (self.recordings / name).is_dir():
                    return self._run(name, tuple(rest), visit)
            raise Refused("there is no such page; go back to the list of recordings")
        except BotattackError as error:
            status = 404 if isinstance(error, Refused) else 400
            return self._refusal(str(error), status)
        except Exception as error:
            # A recording may be anybody's: nothing in it may end the server, or show a traceback.
            return self._refusal(our_fault(error), 500)

    def _refusal(self, why: str, status: int) -> Page:
        return replace(self._page("message", "botattack", message=visible(why, None)), status=status)

    def _run(self, name: str, rest: tuple[str, ...], visit: Visit) -> Page:
        folder = self.recordings / name
        if visit.form is not None:
            return self._done(folder, rest, visit.form, visit.query)
        match rest:
            case ():
                return self._failures(folder, visit.query)
            case ("report",):
                return self._report(folder)
            case ("unsure",):
                return self._unsure(folder)
            case ("unit", one):
                return self._unit(folder, one)
            case ("now",):
                return Page(self._headline(folder), kind="text/plain")
        raise Refused("there is no such page of a run; go back to it")

    def _page(self, sort: str, title: str, **shown: object) -> Page:
        values = {
            "run": None,
            "root": self.root,
            "sort": sort,
            "title": visible(title),
            **drawing(),
            **shown,
        }
        return Page(rendered("view.html", ("page.css", "view.css"), "view.js", **values))

    def _list(self, query: Mapping[str, str]) -> Page:
        names, start, bot = listing.recorded(self.recordings), _number(query.get("from", "")), query.get("bot", "")
        if bot:
            # The name of a run has that of its bot between its time and its digits.
            names = [name for name in names if name.partition("-")[2].rpartition("-")[0] == bot]
        runs = list(listing.listed(self.recordings, names[start : start + AT_ONCE]))
        return self._page(
            "list",
            str(self.recordings),
            runs=[replace(each, says=flowing(each.says, 600), why=flowing(each.why, 600)) for each in runs],
            bot=bot,
            pinned={found.run for found in baselines.pinned(self.recordings)},
            start=start,
            before=max(start - AT_ONCE, 0),
            more=start + AT_ONCE if start + AT_ONCE < len(names) else 0,
            total=len(names),
        )

    def _of_run(self, sort: str, folder: Path, **shown: object) -> Page:
        made = manifest.read(folder)
        found = listing.one(folder, made)
        attacks = sorted(made.settings.get("attacks", ()))
        return self._page(
            sort,
            made.target,
            run=replace(found, says=flowing(found.says, 600), why=flowing(found.why, 600)),
            at=f"{self.root}run/{folder.name}",
            attacks=attacks,
            **shown,
        )

    def _failures(self, folder: Path, query: Mapping[str, str]) -> Page:
        start, attack, text = _number(query.get("from", "")), query.get("attack", ""), query.get("text", "")
        small = (folder / EVENTS).stat().st_size <= SORTED if (folder / EVENTS).exists() else True
        night = manifest.read(folder).is_night
        found = (one for one in _examples(folder, attack, night=night, ordered=small) if _has(one, text.casefold()))
        page = list(islice(found, start, start + AT_ONCE + 1))
        return self._of_run(
            "failures",
            folder,
            examples=page[:AT_ONCE],
            start=start,
            before=max(start - AT_ONCE, 0),
            more=start + AT_ONCE if len(page) > AT_ONCE else 0,
            attack=attack,
            text=text,
            small=small,
            kinds=MARKS,
            marked=query.get("marked", ""),
            mark=self._mark_of(folder, query.get("marked", "")),
        )

    def _mark_of(self, folder: Path, name: str) -> str:
        """What a unit is marked as now."""
        mark = triage.beside(folder).of(manifest.read(folder).target).get(triage.variant_of(name))
        return visible(f"{MARKS.get(mark.mark, mark.mark)}: {mark.why}") if mark else ""

    def _report(self, folder: Path) -> Page:
        found = material(lambda: marked_events(folder), str(folder))
        figures = ended_today(folder, found, as_recorded=True)
        told = run.story(figures, found.findings, str(folder), None, run.Read.of(found.cases()))
        return self._of_run("report", folder, story=told)

    def _unsure(self, folder: Path) -> Page:
        unsure = marking.unsure(folder)
        items = [(one.asked.unit, visible(one.case.question.text), tuple(_settled(one))) for one in unsure]
        return self._of_run("unsure", folder, items=items, settles=marking.SETTLES)

    def _unit(self, folder: Path, name: str) -> Page:
        return self._of_run(
            "unit",
            folder,
            story=unit.story(marked_events(folder), name),
            unit=visible(name),
            kinds=MARKS,
            mark=self._mark_of(folder, name),
        )

    def _headline(self, folder: Path) -> str:
        """The first sentence of the report as it is now, with all marks."""
        stamp = tuple(_stamp(path) for path in (folder / EVENTS, self.recordings / triage.NAME))
        known = self._now.get(folder.name)
        if known is None or known[0] != stamp:
            figures = material(lambda: marked_events(folder), str(folder)).figures
            known = self._now[folder.name] = (stamp, headline(figures, failure=False))
        return known[1]

    def _done(self, folder: Path, rest: tuple[str, ...], form: Mapping[str, str], query: Mapping[str, str]) -> Page:
        """Does what a form says, and leads back to what comes after it."""
        here, one = f"run/{folder.name}", form.get("unit", "")
        where, after = dict(query), quote(query.get("next", ""))
        match rest:
            case ("mark",) if form.get("kind") in MARKS:
                new = marking.NewMark(cast("MarkKind", form["kind"]), form.get("why", ""), form.get("by", ""))
                marking.mark(one, new, self.recordings, folder)
                return Page(to=f"{here}?{urlencode(where | {'marked': one})}#{after}")
            case ("undo",):
                marking.undo(one, self.recordings)
                return Page(to=here)
            case ("settle",) if form.get("said") in marking.SETTLES:
                marking.settle(one, form["said"], form.get("by", ""), folder)
                return Page(to=f"{here}/unsure#{after}")
            case ("baseline",):
                made = pin(folder)
                told = "; ".join((f"This run is now the baseline {made.name}", *made.warnings()))
                return self._page("message", made.baseline.target, message=visible(told, None))
        raise Refused("that form is not known here; load the page again")


def _number(text: str) -> int:
    return int(text) if re.fullmatch(r"[0-9]{1,9}", text) else 0


def _stamp(path: Path) -> tuple[int, int]:
    try:
        found = path.stat()
    except FileNotFoundError:
        return 0, 0
    return found.st_mtime_ns, found.st_size


def _examples(folder: Path, attack: str, *, night: bool, ordered: bool) -> Iterator[Example]:
    """The failures of a run; of a night those of unchanged questions first."""
    events = cases(marked_events(folder))
    name = str(folder)
    found: list[Finding] = []
    for case in events:
        if attack == UNCHANGED or (night and not attack):
            yield from _unchanged(case)
        for one in findings_of(case):
            if attack not in ("", one.attack):
                continue
            if not ordered:
                yield example_of(None, one, name)
            found += [one] if ordered else []
    yield from (example_of(None, one, name) for one in sorted(found, key=lambda each: each.size))


def _unchanged(case: QuestionCase) -> Iterator[Example]:
    """A question that the bot answered wrongly as it is."""
    if case.original is None or case.original.standing not in ("wrong", "refused") or case.first is None:
        return
    question = MarkedText("plain", visible(case.question.text))
    got = case.first.reply or (case.first.failure.message if case.first.failure else "")
    facts = Fact("expected", visible(" | ".join(case.expected("gold")))), Fact("got", flowing(got, 300))
    title = MarkedText("plain", "asked unchanged: "), MarkedText("broke", case.original.standing)
    yield Example(title, ((question,),), facts, unit=case.unit)


def _has(example: Example, text: str) -> bool:
    """Whether a failure shows a text."""
    if not text:
        return True
    parts = [*(piece.text for line in example.lines for piece in line), *(_text(fact) for fact in example.answers)]
    return text in " ".join(parts).casefold()


def _text(fact: Fact) -> str:
    return fact.text if isinstance(fact.text, str) else "".join(piece.text for piece in fact.text)


def _settled(one: marking.JudgedUnit) -> Iterator[Fact]:
    """What a person must read to settle a unit."""
    yield Fact("expected", visible(" | ".join(one.case.expected("gold"))))
    for reply in dict.fromkeys(unchanged_replies(one.case)):
        yield Fact("got", flowing(reply, 2000))
