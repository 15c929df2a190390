"""`pytest --botattack CAMPAIGN`: a campaign as tests, and a fixture for tests written in Python.

Without the flag or the fixture nothing of botattack is imported beyond this module.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from botattack.audit.result import Result
    from botattack.cases import QuestionCase
    from botattack.config.campaign import CampaignConfig

SHOWN = 5
"""Broken variants that a failure spells out."""
UNNAMED = "questions"
"""The group of questions without a kind."""


class Broken(Exception):
    """A test that fails with these words, and no traceback."""


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("botattack", "botattack")
    group.addoption(
        "--botattack", action="append", default=[], metavar="CAMPAIGN", help="Run a campaign file, as tests."
    )
    group.addoption(
        "--botattack-recordings", default="recordings", metavar="DIR", help="Where its recording goes: recordings."
    )
    group.addoption("--botattack-allow-code", action="store_true", help="Let the target file run code of its own.")


def pytest_configure(config: pytest.Config) -> None:
    for name in config.getoption("--botattack"):
        if not Path(name).is_file():
            from botattack.errors import nearest_path

            hint = nearest_path(name) or "check the path"
            raise pytest.UsageError(f"--botattack {name}: there is no such campaign file; {hint}")
        config.args.append(name)


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> Campaign | None:
    given = [Path(name).resolve() for name in parent.config.getoption("--botattack")]
    return Campaign.from_parent(parent, path=file_path) if file_path.resolve() in given else None


class Campaign(pytest.File):
    """A campaign file; it is run when the first of its tests is."""

    def collect(self) -> Iterator[pytest.Item]:
        from botattack.report.figures.gates import bounds_of, gate_name

        yield RunItem.from_parent(self, name="run")
        for gate in self.campaign.gates:
            for bound, limit in bounds_of(gate).items():
                about = gate.metric, gate.attack, bound, limit
                yield GateItem.from_parent(self, name=f"gate[{gate_name(*about)}]", about=about)
        for kind in self._kinds():
            yield GroupItem.from_parent(self, name=f"group[{kind or UNNAMED}]", about=kind)

    def _kinds(self) -> list[str]:
        from botattack.audit.job import load_questions

        with load_questions(self.campaign, []) as questions:
            return sorted({question.kind for question, _ in questions})

    @cached_property
    def campaign(self) -> CampaignConfig:
        from botattack.audit.library import load

        return load(self.path, allow_code=self.config.getoption("--botattack-allow-code"))

    @cached_property
    def outcome(self) -> Result | Exception:
        """What came of the run, or what kept it from its end."""
        from botattack.audit.library import run
        from botattack.errors import BotattackError

        try:
            return run(self.campaign, recordings=self.config.getoption("--botattack-recordings"))
        except BotattackError as error:
            return error

    @property
    def result(self) -> Result:
        if isinstance(self.outcome, Exception):
            raise Broken(str(self.outcome))
        return self.outcome

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: object = None) -> Any:
        del style
        return _sentence(excinfo) or super().repr_failure(excinfo)


class _Item(pytest.Item):
    """A test about the run of its campaign."""

    def __init__(self, *, about: Any = None, **keys: Any) -> None:
        super().__init__(**keys)
        self.about = about

    @property
    def result(self) -> Result:
        assert isinstance(self.parent, Campaign)  # noqa: S101  # nothing else makes one
        return self.parent.result

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        return _sentence(excinfo) or super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, None, str]:
        return self.path, None, self.name


class RunItem(_Item):
    """The run came to its end, and its figures are worth something."""

    def runtest(self) -> None:
        result = self.result
        if not result.ok and not any(gate.failed for gate in result.gates):
            raise Broken(_visible(f"{result.why}\nrecording  {result.recording}"))


class GateItem(_Item):
    """One bound of a gate."""

    def runtest(self) -> None:
        result = self.result
        found = [one for one in result.gates if (one.metric, one.attack, one.bound, one.limit) == self.about]
        if not found and result.ok and "drop_at_most" in self.about:
            pytest.skip("there is no baseline yet: pin one with botattack nightly baseline set")
        if not found:
            raise Broken(_visible(f"the run gives no figure for this gate: {result.why}"))
        if found[0].undecided:
            pytest.skip(_visible(found[0].sentence))
        if not found[0].held:
            raise Broken(_visible(f"{found[0].sentence}\nrecording  {result.recording}"))


class GroupItem(_Item):
    """The questions of one kind that the bot answered correctly."""

    def runtest(self) -> None:
        from botattack.report.wording.words import terms

        group = [one for one in self.result.cases() if one.question.kind == self.about]
        kept = [one for one in group if one.right]
        if not kept:
            ends = Counter(each.standing if (each := one.original) else "marked" for one in group)
            became = ", ".join(f"{number:,} {terms('standings')[end]}" for end, number in ends.items())
            pytest.skip(f"no question of this group is right as asked: {became}")
        if lines := list(_broken(kept, self.result)):
            raise Broken("\n".join(lines))


def _broken(questions: list[QuestionCase], result: Result) -> Iterator[str]:
    """What broke a group, the shortest edits spelt out."""
    from botattack.report.figures.findings import finding
    from botattack.report.stories.asked import example_of
    from botattack.report.story.in_markdown import example_lines

    cases = [(one, case) for one in questions for case in one.variants if case.claimed and case.judged.edits]
    broken = [(one, case) for one, case in cases if case.result == "success"]
    if not broken:
        return
    of = len({one.question.id for one, _ in broken})
    yield f"{len(broken)} of {len(cases)} variants broke the bot, on {of} of {len(questions)} questions"
    for found in sorted((finding(one, case) for one, case in broken), key=lambda each: each.size)[:SHOWN]:
        yield from ("", *example_lines(example_of(None, found, str(result.recording))))


def _sentence(excinfo: pytest.ExceptionInfo[BaseException]) -> str:
    """The words of a failure that needs no traceback; empty for any other."""
    from botattack.errors import BotattackError

    return str(excinfo.value) if isinstance(excinfo.value, Broken | BotattackError) else ""


def _visible(text: str) -> str:
    from botattack.report.escape import visible

    return "\n".join(visible(line, None) for line in text.splitlines())


@pytest.fixture
def botattack_audit(tmp_path: Path) -> Callable[..., Result]:
    """Runs a campaign, or the campaign file of a path, and gives its result; the recording is in the test's folder.

    Further arguments are those of `botattack.load` for a path, and of `botattack.run` for a campaign.
    """

    def audit(campaign: CampaignConfig | Path | str, **options: Any) -> Result:
        from botattack.audit.library import load, run

        if isinstance(campaign, Path | str):
            return run(load(campaign, **options), recordings=tmp_path / "recordings")
        return run(campaign, **{"recordings": tmp_path / "recordings", **options})

    return audit
