"""`botattack run`: ask a bot, attack it, say where it breaks."""

from __future__ import annotations

import os
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click

EPILOG = """\b
Examples:
  botattack run campaigns/demo.yaml
  botattack run -t targets/alice.yaml -q faq.jsonl -a dpaeg -a dpaeg:epsilon=3,take=nearest
  botattack run campaigns/nightly.yaml --limit 50 --budget requests=500,seconds=60
  botattack run campaigns/nightly.yaml --resume recordings/20260101T020000Z-helpdesk-1a2b3c4d

\b
Exit status: 0 all held, 1 a gate failed or nothing was left to attack, 2 a wrong file or flag,
3 the bot is unreachable, 4 a budget stopped it (resumable), 130 interrupted (resumable).
"""

READABLE = click.Path(exists=True, path_type=Path)


@click.command(epilog=EPILOG)
@click.argument("campaign", required=False, type=READABLE)
@click.option("-t", "--target", type=READABLE, help="A target file, in place of a campaign.")
@click.option("-q", "--questions", type=READABLE, help="A question file, in place of a campaign.")
@click.option("-a", "--attack", "attacks", multiple=True, help="NAME or NAME:option=value,…; may be repeated.")
@click.option("--format", "format_", default="", help="How the question file is read; by default told from it.")
@click.option("-n", "--limit", type=click.IntRange(1), help="Ask at most this many questions, a seeded sample.")
@click.option("--seed", type=int, help="Decides the order of questions and every random choice.")
@click.option("--rate", default="", help="Requests in a time, such as 5/s or 300/min, or unlimited.")
@click.option("-j", "--concurrency", type=click.IntRange(1), help="Conversations open at the same time.")
@click.option("--budget", default="", help="requests=N,seconds=S: stop there, resumable.")
@click.option("--fail-fast", is_flag=True, help="Stop at the first success of an attack.")
@click.option("--resume", type=click.Path(exists=True, file_okay=False, path_type=Path), help="Go on with a recording.")
@click.option("-o", "--output", "outputs", multiple=True, type=click.Path(path_type=Path), help="Also write a report.")
@click.option(
    "--recordings",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("recordings"),
    show_default=True,
    help="Where the recording goes.",
)
@click.option("--allow-code", is_flag=True, help="Let the target file run code of its own.")
@click.option("--dry-run", is_flag=True, help="Say what would be asked of whom, and ask nothing.")
def run(**flags: Any) -> int:
    """Ask a bot the questions, attack what it answers rightly, and say where it breaks.

    CAMPAIGN is a campaign file; -t, -q and -a say the same in flags.
    """
    from botattack.cli import conclusion, wiring
    from botattack.recordings.reader import events
    from botattack.report.findings import Findings
    from botattack.report.gates import Gates
    from botattack.report.material import Material, kind_of, write_report
    from botattack.report.metrics import Metrics
    from botattack.report.terminal import Terminal

    for file in flags["outputs"]:
        kind_of(file)
    campaign = _campaign(flags)
    if flags["dry_run"]:
        from botattack.cli.dryrun import describe

        click.echo(describe(campaign))
        return 0
    job = wiring.prepare(campaign, flags["recordings"], flags["resume"], sys.argv[1:], fail_fast=flags["fail_fast"])
    metrics, findings, gates = Metrics(), Findings(), Gates()
    with Terminal(sys.stdout, sys.stderr, recording=str(job.folder)) as terminal:
        ending = wiring.conduct(
            job,
            [metrics, findings, gates, terminal],
            lambda: conclusion.conclude(campaign, metrics.value(), gates),
        )
        terminal.finish(metrics.value(), findings.value())
    for file in flags["outputs"]:
        write_report(file, Material(metrics.value(), findings.value(), str(job.folder), lambda: events(job.folder)))
    click.echo(f"\nrecording  {job.folder}", err=True)
    if ending.exit:
        click.echo(f"botattack: {ending.why}", err=True)
    return ending.exit


def _campaign(flags: dict[str, Any]) -> Any:
    from botattack.config.campaign import load_campaign
    from botattack.config.flags import campaign_from_flags, with_flags

    allowed: dict[str, Any] = {
        "environ": os.environ,
        "today": datetime.now(UTC).date(),
        "allow_code": flags["allow_code"],
    }
    if flags["campaign"]:
        if flags["target"] or flags["questions"] or flags["attacks"]:
            raise click.UsageError("a campaign file names its target, questions and attacks: leave out -t, -q and -a")
        campaign = load_campaign(flags["campaign"], **allowed)
    elif flags["target"] and flags["questions"] and flags["attacks"]:
        campaign = campaign_from_flags(
            flags["target"], flags["questions"], flags["attacks"], format=flags["format_"], **allowed
        )
    else:
        raise click.UsageError("name a campaign file, or all of -t TARGET, -q QUESTIONS and -a ATTACK")
    return with_flags(
        campaign,
        seed=flags["seed"],
        limit=flags["limit"],
        rate=flags["rate"],
        concurrency=flags["concurrency"],
        budget=flags["budget"],
    )
