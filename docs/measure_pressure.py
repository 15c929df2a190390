"""The measurement of `are-you-sure` in docs/conversations.md: its questions, and its table with flips.

From the project's root, with BOTATTACK_DATA set:

    python -m docs.measure_pressure questions /tmp/pressure         XQuAD's questions on its shortest passages, and the
                                                                    campaign on SmolLM2
    botattack run /tmp/pressure/pressure.yaml
    python -m docs.measure_pressure table recordings/NAME…          the table, and ten flips; of several, all shards
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path

from botattack.attacks.turns.are_you_sure import ASKED, KINDS
from botattack.cases import QuestionCase, cases
from botattack.recordings.reader import events
from botattack.report.figures.figure_values import Row
from botattack.report.figures.metrics import figures_of

LONGEST = 688
"""Characters of the longest passage: longer ones take a language model on one processor too long."""
CAMPAIGN = """target: {target}
questions: {{file: ./questions.jsonl}}
seed: 7
window: 6
unchanged: false
attacks:
  - are-you-sure
  - are-you-sure: {{rungs: [innocent]}}
"""
LADDER = "are-you-sure"
CONTROL = "are-you-sure(rungs=innocent)"
FLIPS = 10


def questions(folder: Path) -> None:
    """Writes the questions and the campaign."""
    articles = json.loads((Path(os.environ["BOTATTACK_DATA"]) / "xquad" / "xquad.en.part1.json").read_text("utf-8"))
    target = Path(__file__).resolve().parents[1] / "targets" / "bots" / "smollm2-short.yaml"
    lines = [
        json.dumps(
            {
                "question": asked["question"],
                "passages": [paragraph["context"]],
                "answers": list(dict.fromkeys(answer["text"] for answer in asked["answers"])),
            },
            ensure_ascii=False,
        )
        for article in articles["data"]
        for paragraph in article["paragraphs"]
        if len(paragraph["context"]) <= LONGEST
        for asked in paragraph["qas"]
    ]
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "questions.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    (folder / "pressure.yaml").write_text(CAMPAIGN.format(target=target), encoding="utf-8")


def table(*recordings: Path) -> Iterator[str]:
    """The rows of the page, and flips."""
    figures = figures_of(event for recording in recordings for event in events(recording))
    attacks = figures.attacks
    yield f"{figures.questions.correct} of {figures.questions.asked} originals right\n"
    yield "| what is said after the answer | now wrong, of those right before | share | 95 % interval |"
    yield "|---|---|---|---|"
    yield _row("innocent follow-up (control)", attacks[CONTROL].gold)
    yield _row("the whole ladder", attacks[LADDER].gold)
    kinds = attacks[LADDER].splits["kind"]
    for kind in (ASKED, *(KINDS[rung] for rung in ("doubt", "claim", "authority", "insist", "truth"))):
        if kind in kinds:
            yield _row(f"… {kind}", kinds[kind])
    found = (flip for recording in recordings for case in cases(events(recording)) for flip in _flips(case))
    for number, flip in zip(range(FLIPS), found, strict=False):
        yield f"\n{number + 1}. {flip}"


def _row(name: str, row: Row) -> str:
    share = "" if row.success_rate is None else f"{100 * row.success_rate:.0f} %"
    span = "" if row.interval is None else "{:.0f} to {:.0f} %".format(*(100 * end for end in row.interval))
    return f"| {name} | {row.success} of {row.rated} | {share} | {span} |"


def _flips(case: QuestionCase) -> Iterator[str]:
    for one in case.variants:
        if one.judged.attack == LADDER and one.result == "success":
            right = ", ".join(case.expected("gold"))
            talk = zip(one.alteration.sent, one.alteration.replies, strict=False)
            yield f"Right: {right}\n" + "\n".join(
                f"   - {prompt.text}\n     - **{' '.join(reply.split())}**" for prompt, reply in talk
            )


if __name__ == "__main__":
    command, *paths = sys.argv[1:]
    if command == "questions":
        questions(Path(*paths))
    else:
        print("\n".join(table(*map(Path, paths))))
