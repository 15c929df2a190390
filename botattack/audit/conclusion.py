"""The exit status of a run that nothing stopped: whether it could attack at all, and whether its gates held."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from botattack.config.campaign import CampaignConfig
from botattack.engine.ending import Ending
from botattack.errors import RecordingError
from botattack.events import HeldGate, RunEnded, StopRule
from botattack.recordings import baseline as baselines
from botattack.recordings import manifest
from botattack.recordings.manifest import Manifest
from botattack.recordings.triage import marked_events
from botattack.report.figures.figure_values import Figures
from botattack.report.figures.gates import AnyGate, bounds_of, checked, failures, held
from botattack.report.figures.metrics import figures_of
from botattack.report.numbers import count, percent
from botattack.report.wording.cautions import none_counted
from botattack.report.wording.headlines import headline
from botattack.report.wording.words import counted, faults, silence, stopped_early
from botattack.report.writers.material import Material

if TYPE_CHECKING:
    from botattack.report.comparison.sides import Side

_OF_RIGHT = frozenset({"success_rate", "robust_accuracy", "obeyed"})
"""What gates look at that is counted over right originals alone, so that it moves when these get fewer."""
CALM = "no regression against the baseline"
"""What a night that raises no alarm says of it; its report says what changed, if anything did."""


@dataclass(frozen=True)
class Against:
    """What became of a run since its baseline: what is `worse` raises the alarm, a sentence each. `lost` originals are
    right in the baseline and not any more: attacks' figures lack them."""

    worse: tuple[str, ...]
    lost: int = 0

    @classmethod
    def of(cls, before: Side, after: Side, least: int) -> Against:
        """`least` is from how many lost answers on the alarm is raised."""
        from botattack.report.comparison.diff import rows_of
        from botattack.report.comparison.lost import lost_answers
        from botattack.report.stories.comparison import alarms

        rows, lost = rows_of(before, after), lost_answers(before, after, least)
        return cls(tuple(alarms(rows, lost)), rows[0].broken)


def conclude(campaign: CampaignConfig, figures: Figures, recordings: Path) -> Ending:
    """0 if everything held; else 1 and the reasons. `drop_at_most` is compared with the baseline of the target."""
    return conclude_against(campaign, figures, _compared_with(campaign, recordings))


def stop_rule(campaign: CampaignConfig, recordings: Path) -> StopRule | None:
    """When a run may stop before its plan; None if it may not."""
    if not campaign.stop_when_sure:
        return None
    gates = held(campaign.gates, _compared_with(campaign, recordings))
    most = {label: 1 if attack.counts_questions else attack.per_question or 0 for label, attack in campaign.attacks}
    return StopRule(gates, most=most)


def _compared_with(campaign: CampaignConfig, recordings: Path) -> Figures | None:
    """The figures of the baseline, if a gate looks at it and there is one."""
    if not _any_compares(campaign.gates) or not (found := baselines.read(recordings, campaign.target.name)):
        return None
    from botattack.audit.replays.replaying import as_judged_by

    return figures_of(as_judged_by(campaign, found.folder(recordings)).events())


def conclude_against(
    campaign: CampaignConfig, figures: Figures, baseline: Figures | None, since: Against | None = None
) -> Ending:
    """The same against the figures of a baseline; `since` says what became of it, None if nobody looked."""
    return _concluded(held(campaign.gates, baseline), campaign.max_errors, figures, since)


def conclude_merged(made: Manifest, ends: Sequence[RunEnded], figures: Figures, recordings: Path) -> Ending:
    """The ending that one process would have given to all that the shards of a run recorded."""
    # The gates that a shard was checked against say more than how the run was set up: it knows the baseline of its
    # time.
    kept = max(ends, key=lambda end: (any(gate.compared for gate in end.gates), bool(end.gates), end.at)).gates
    if not kept and made.gates:
        kept = held(made.gates, _baseline(recordings, made.target) if _any_compares(made.gates) else None)
    return _concluded(kept, made.max_errors, figures)


def ended_today(recording: Path, found: Material, *, as_recorded: bool = False) -> Figures:
    """The figures, of which a night that finished ends as it would without what was marked since. It ends as it did if
    nothing is marked, or the baseline is gone. With `as_recorded`, no verdict on the baseline is of today's judge."""
    from botattack.audit.replays.replaying import by_one_judge
    from botattack.report.comparison.sides import side_of

    figures, made = found.figures, manifest.read(recording)
    marked = any(each.left_out or each.settled for each in figures.marks)
    if not (marked and made.suite and figures.run.exit in (0, 1)):
        return figures
    baseline = recording.resolve().parent / made.suite
    try:
        before = side_of(marked_events(baseline) if as_recorded else by_one_judge(baseline, recording)[0].events())
    except RecordingError:
        return figures
    after = side_of(found.events())
    since, kept = Against.of(before, after, made.lost_answers), after.ended.gates if after.ended else ()
    ending = _concluded(kept, made.max_errors, figures, since)
    return replace(figures, run=replace(figures.run, exit=ending.exit, why=ending.why))


def _concluded(kept: tuple[HeldGate, ...], max_errors: float, figures: Figures, since: Against | None = None) -> Ending:
    ending = _checked(kept, max_errors, figures, since)
    return replace(ending, headline=headline(figures, failure=False))


def _checked(kept: tuple[HeldGate, ...], max_errors: float, figures: Figures, since: Against | None) -> Ending:
    ended, worse = faults(figures, "attack"), since.worse if since else ()
    if failure := _failure(max_errors, figures, resumable=since is None):
        return Ending(1, "; ".join([*worse, failure, *ended]))
    gates = [gate for gate in checked(kept, figures) if gate.failed]
    broken = failures(gates, figures)
    if since and since.lost and any(gate.metric in _OF_RIGHT for gate in gates):
        broken.append(
            f"rates of attacks lack the variants of {count(since.lost, 'original')} that were right in the baseline "
            "and are not any more"
        )
    if broken or worse or ended:
        early = [*filter(None, [stopped_early(figures)])]
        return Ending(1, "; ".join([*worse, *broken, *ended, *early]), kept)
    nothing = [*filter(None, [none_counted(figures)])]
    return Ending(0, "; ".join([*nothing, _all_held(kept, figures, since)]), kept)


def _any_compares(gates: Sequence[AnyGate]) -> bool:
    """Whether a gate looks at the baseline."""
    return any("drop_at_most" in bounds_of(gate) for gate in gates)


def _failure(max_errors: float, figures: Figures, *, resumable: bool) -> str:
    """Why the figures of the run are worth nothing, if they are. A night is not `resumable`."""
    questions = figures.questions
    unjudged = sum(fault.times for fault in figures.faults if fault.part == "judge")
    if questions.kept == 0 and questions.error == questions.asked > 0:
        return f"no question left to attack: the bot answered none of {questions.asked}"
    if questions.kept == 0:
        missing = f", and the judge failed on {count(unjudged, 'verdict')}" if unjudged else ""
        became = ", ".join(counted(questions, "standings")) or "no answer yet"
        return f"no question left to attack: of {questions.asked} asked, {became}{missing}"
    given_up = sum(figures.failures.values())
    if given_up + unjudged > max_errors * figures.askings:
        again = "--resume with --retry-errors asks these again" if resumable and given_up else ""
        missing = f" and {unjudged} could not be judged" if unjudged else ""
        most = percent(max_errors)
        failed = f"{given_up} of {figures.askings} askings failed{missing}, more than max_errors ({most})"
        return "; ".join(filter(None, (failed, silence(figures) or again)))
    return ""


def _all_held(kept: Sequence[HeldGate], figures: Figures, since: Against | None) -> str:
    if not kept:
        calm = CALM if since else stopped_early(figures) or "finished"
        return f"{calm}; no gate is set"
    number = sum(any(gate.held for gate in checked([gate], figures)) for gate in kept)
    all_held = "the gate held" if number == 1 else f"all {count(number, 'gate')} held"
    undecided = dict.fromkeys(gate.sentence for gate in checked(kept, figures) if gate.undecided)
    said = [
        CALM if since else "",
        stopped_early(figures),
        all_held if number else "" if since else "finished",
        *undecided,
    ]
    if not since and _any_compares(kept) and not any(gate.compared for gate in kept):
        said.append("drop_at_most has no baseline yet: pin one with botattack nightly baseline set")
    return "; ".join(filter(None, said))


def _baseline(recordings: Path, target: str) -> Figures | None:
    if not (found := baselines.read(recordings, target)):
        return None
    from botattack.audit.replays.replaying import by_one_judge

    return figures_of(by_one_judge(found.folder(recordings))[0].events())
