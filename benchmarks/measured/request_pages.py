"""The page on what runs save that stop when they are sure, as Markdown: every figure
in it is computed from the measurements."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from benchmarks.measured.pages import NAMES
from botattack.report.figures.figure_values import Figures

Kept = dict[str, Any]
FLAGS = {"gates": ("--stop-when-sure",)}
"""What the second run of a campaign is asked with, by how the campaign's name begins."""


def measured(runs: Sequence[Figures]) -> Kept:
    """What the page needs to know of the runs of a campaign."""
    first = runs[0].run
    return {
        "run": {"exit": first.exit, "seed": first.seed, "date": first.started[:10]},
        "attacks": {},
        "runs": [_measured(figures) for figures in runs],
    }


def _measured(figures: Figures) -> Kept:
    broken = {name: attack.gold.broken_questions for name, attack in figures.attacks.items()}
    return {
        "exit": figures.run.exit,
        "asked": figures.questions.asked,
        "total": figures.questions.total,
        "requests": figures.requests.sent,
        "broken": sum(attack.gold.success for attack in figures.attacks.values()),
        "pairs": sum(broken.values()),
        "gates": [asdict(gate) for gate in figures.gates],
        "early": asdict(figures.early) if figures.early else None,
    }


def write(kept: Kept, folder: Path) -> None:
    """The page, into a folder."""
    (folder / "requests-measured.md").write_text("\n".join(_page(kept)) + "\n", "utf-8")


def _page(kept: Kept) -> Iterator[str]:
    yield from (
        "# Fewer requests, measured",
        "",
        "Written by `python -m benchmarks.measured.measure` from runs of `campaigns/requests/`, each asked twice with the same seed:",
        "as it is, and with the flag. The bots are those of [ablation.md](ablation.md), over the project's own FAQ.",
        "How it works is in [scale.md](../../docs/scale.md#fewer-requests).",
        "",
        "## Stopping early",
        "",
    )
    runs = {bot: kept[f"gates-{bot}"]["runs"] for bot in NAMES if f"gates-{bot}" in kept}
    yield from (
        "| bot | questions, whole plan | requests | questions, stopped early | requests | of the plan | decisions |",
        "|---|---|---|---|---|---|---|",
    )
    for bot, (whole, early) in runs.items():
        share = early["requests"] / whole["requests"]
        yield (
            f"| {NAMES[bot]} | {whole['asked']} | {whole['requests']:,} | {early['asked']} | {early['requests']:,} "
            f"| {100 * share:.0f} % | {_decisions(whole, early)} |"
        )
    yield from ("", "| gate | bot | whole plan | stopped early |", "|---|---|---|---|")
    for bot, (whole, early) in runs.items():
        for one, other in zip(whole["gates"], early["gates"], strict=True):
            of = f" of {one['attack']}" if one["attack"] else ""
            bound = f"{one['metric'].replace('_', ' ')}{of} {one['bound'].replace('_', ' ')} {100 * one['limit']:g} %"
            yield f"| {bound} | {NAMES[bot]} | {_held(one)} | {_held(other)} |"


def _decisions(whole: Kept, early: Kept) -> str:
    pairs = list(zip(whole["gates"], early["gates"], strict=True))
    equal = sum(one["held"] == other["held"] for one, other in pairs)
    return f"{equal} of {len(pairs)} equal"


def _held(gate: Kept) -> str:
    shown = "–" if gate["value"] is None else f"{100 * gate['value']:.1f} %"
    return f"{shown}, {'held' if gate['held'] else 'failed'}"
