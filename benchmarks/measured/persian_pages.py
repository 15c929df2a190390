"""docs/languages.md as Markdown: every figure in it is computed from the measurements."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from botattack.cases import QuestionCase, cases
from botattack.model import CONTROL
from botattack.recordings.reader import events
from botattack.report.figures.ranking import overlap

Kept = dict[str, Any]
"""What `measure.py` keeps, by campaign and bot."""
Difference = Callable[[dict[str, tuple[float, int]], dict[str, tuple[float, int]]], list[float] | None]
BOTS = {"reader": "our reader", "hayhooks": "hayhooks (BM25)"}
INVISIBLE = "invisible(answers=change, characters={0}, per_question=1{1}) at context"
ROWS = {
    CONTROL: "asked again unchanged",
    "add-any": "AddAny",
    "add-sent": "AddSent",
    INVISIBLE.format("left-to-right-mark", ""): "invisible: U+200E before each space (the paper's code)",
    INVISIBLE.format("hangul-filler", ", position=for-space"): "invisible: U+3164 for each space (the paper's text)",
    INVISIBLE.format("left-to-right-mark", "").replace(
        "answers=change, ", ""
    ): "U+200E, right answers left as they are",
}
"""Attacks, as figures call them, by the paper's names."""
_NOT_MEASURED = "not measured | "
PAPER = {
    "original": ("57.9", "56.1"),
    "AddAny": ("40.5", "50.3"),
    "AddSent": ("50.6", "53.7"),
    "back-translation (en, fr, hy)": ("56.4, 55.4, 53.7", "56.6, 51.1, 55.7"),
    "invisible characters": ("22.3", "19.3"),
}


def measured(folder: Path, difference: Difference) -> dict[str, Any]:
    """F1 as the paper counts it: over all questions with a gold answer, a question that an attack cannot alter as it
    was, and of a search the variant that did most harm."""
    before: dict[str, tuple[float, int]] = {}
    lowest: defaultdict[str, dict[str, tuple[float, int]]] = defaultdict(dict)
    decoys: Counter[str] = Counter()
    took: Counter[str] = Counter()
    for case in cases(events(folder)):
        if case.question.answers and case.first:
            before[case.question.id] = overlap(case.reply, case.question.answers, case.question.language).f1, 1
            for attack, f1 in _lowest(case).items():
                lowest[attack][case.question.id] = f1, 1
            decoys.update(judged.attack for judged in case.judged if judged.decoy)
            took.update(judged.attack for judged in case.judged if judged.took_decoy)
    return {
        "original": [_mean(before), len(before)],
        "attacks": {
            attack: {
                "altered": len(found),
                "decoys": [took[attack], decoys[attack]],
                "F1": _mean(after := {**before, **found}),
                "less": difference(before, after),
                "F1 of altered": [_mean({key: before[key] for key in found}), _mean(found)],
            }
            for attack, found in lowest.items()
        },
    }


def _lowest(case: QuestionCase) -> dict[str, float]:
    found: dict[str, float] = {}
    for variant in case.variants:
        if variant.asked and not variant.judged.probe:
            f1 = overlap(variant.reply, case.question.answers, case.question.language).f1
            found[variant.judged.attack] = min(f1, found.get(variant.judged.attack, 1.0))
    return found


def _mean(found: dict[str, tuple[float, int]]) -> float:
    return sum(value for value, _ in found.values()) / max(1, len(found))


def write(kept: Kept, folder: Path) -> None:
    """The page, into a folder."""
    (folder / "languages.md").write_text("\n".join(_page(kept)) + "\n", "utf-8")


INTRODUCTION = """\
# Persian

How to attack a bot with Persian questions, and how much two bots lose.{finding}

## How to

A question file needs no `lang:`: botattack recognises Persian by its letters. [The catalogue](attacks.md)
says which languages each attack works in. An attack that does not work in Persian is refused before the
run if all questions are Persian. In a mixed file it skips the Persian questions, and every report says
how many. No attack needs a parser of Persian:

```
botattack run campaigns/persian.yaml
```

`reword` with `sources: [translation]` needs a translator. The default one, Apertium, has no Persian, so name the
target file of a translator with HTTP. [targets/bots/libretranslate.yaml](../targets/bots/libretranslate.yaml) asks a
LibreTranslate server on this machine; for another server change `url` and add `consent`:

```yaml
attacks:
  - reword: {sources: [translation], bridges: [en, fr], gates: []}                       # the question
  - at: {place: context, attack: {reword: {sources: [translation], bridges: [en, fr], gates: []}}}    # the passages
```
```
export BOTATTACK_TRANSLATOR=targets/bots/libretranslate.yaml
botattack run campaigns/helpdesk.yaml --dry-run         # names the translator and its host
```

`bridges` are languages that the translator knows. `gates: []` switches off the checks of the meaning, which
read English and would leave out most Persian variants. Placeholders keep right answers
unchanged.

## Persian QA's Table 1 on two bots

The paper "Persian QA" attacks two trained models; this table attacks two bots in the same way, with the
paper's data (PersianQA's test questions that have an answer) and its measure. F1 is the share of words
that a reply has in common with the right answer: 100 is a perfect reply. It is over all questions, right
or wrong before. A question that an attack cannot alter counts unaltered; of AddAny's search, the words
that did most harm count. In brackets: how many questions were altered, and their F1 before and after.
*less* is the loss over all questions with its 95 % interval. F1 counts as SQuAD's
script does.

- **our reader** comes with botattack (`targets/bots/reader.yaml`), compares words and answers in a few words.
- **hayhooks** is a Haystack pipeline. It answers with the whole sentence that BM25 ranks first, so its F1
  is low from the start.

Measured by `python -m benchmarks.measured.measure persian-reader persian-hayhooks` with `campaigns/persian.yaml` on 30 November
2026.
"""
NOTES = """
The paper's code also alters spaces within the right answers (`answers: change`). The row "right answers
left as they are" does not: then the answer is the only part of the passage without a mark, and a bot
that splits texts at such marks finds it more easily.

hayhooks copies the marks into its reply. SQuAD's script keeps them, so that a word with a mark is another word,
though it looks the same. Counted without marks, as before, hayhooks lost nothing by U+200E (21.3 to 21.3)."""
FAKES = """
F1 shows only a part of this: a fake answer shares words with the right one ("5 tons" and "3 tons"), and the
added sentence is shorter than those of the passage, which raises F1."""
NOT_TRIED = "not tried: no translator over HTTP was configured | "


def _page(kept: Kept) -> Iterator[str]:
    runs = [kept.get(f"persian-{bot}", {}).get("table 1") for bot in BOTS]
    first = (f"{_percent(run['original'][0])} (of {run['original'][1]}) | " if run else _NOT_MEASURED for run in runs)
    yield INTRODUCTION.replace("{finding}", _finding(kept))
    yield f"| dataset | {' | '.join(f'{name} | less' for name in BOTS.values())} |"
    yield f"|---|{'---:|' * 2 * len(BOTS)}"
    yield f"| original | {' | '.join(first)} |"
    for attack, name in ROWS.items():
        yield f"| {name} | {' | '.join(_cells(run, attack) for run in runs)} |"
    yield f"| back-translation | {' | '.join([NOT_TRIED] * len(runs))} |"
    for name, run in zip(BOTS.values(), runs, strict=True):
        if run:
            took, planted = run["attacks"]["add-sent"]["decoys"]
            yield f"\nOf AddSent's {planted} fake answers, {name} gave {took}."
    yield FAKES
    yield from ("", "The paper's Table 1 (F1), on models that were trained for the task:", "")
    yield from ("| dataset | mBERT | ParsBERT |", "|---|---:|---:|")
    yield from (f"| {name} | {m} | {pars} |" for name, (m, pars) in PAPER.items())
    yield NOTES


def _finding(kept: Kept) -> str:
    """What a bot lost most by, and how many fake answers were believed."""
    run = kept.get("persian-hayhooks", {}).get("table 1")
    if not run:
        return ""
    took, planted = run["attacks"]["add-sent"]["decoys"]
    worst = min((name for name in ROWS if name in run["attacks"]), key=lambda name: run["attacks"][name]["F1"])
    return (
        f" Most harm was done by {ROWS[worst]}:\nhayhooks' F1 falls from {_percent(run['original'][0])} to "
        f"{_percent(run['attacks'][worst]['F1'])}. AddSent costs less F1, yet hayhooks gave {took} of its\n"
        f"{planted} fake answers."
    )


def _percent(value: float) -> str:
    return f"{100 * value:.1f}"


def _cells(run: Kept | None, attack: str) -> str:
    found = run["attacks"].get(attack) if run else None
    if found is None:
        return _NOT_MEASURED
    one, other = map(_percent, found["F1 of altered"])
    less = found["less"]
    lost = f"{_percent(less[0])} ({_percent(less[1])} to {_percent(less[2])})" if less else ""
    return f"{_percent(found['F1'])} ({found['altered']}: {one} → {other}) | {lost}"
