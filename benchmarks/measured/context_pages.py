"""context-measured.md as Markdown: every figure and verdict in it is computed from the measurements."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

Kept = dict[str, Any]
"""What `measure.py` keeps, by campaign and bot."""
BOTS = {
    "reader": "our reader",
    "hayhooks": "hayhooks (BM25)",
    "smollm2": "SmolLM2-135M",
    "rag": "BM25, then SmolLM2-135M",
}
CAMPAIGNS = {
    "context": "One passage: XQuAD",
    "multi-hop": "Two hops over ten passages: HotpotQA",
    "retrieval": "A retriever and a reader: passages planted in the knowledge base, or in the message",
}
NOTES = {
    "retrieval": (
        "BM25 finds sentences in a knowledge base of all of XQuAD's passages, and SmolLM2 answers from the best five.",
        "Three false copies of the passage that answers are planted (dose 3), in the knowledge base or in the message;",
        "the control (dose 0) plants none. It answers few questions correctly, so the second table counts over all.",
    ),
}
"""What is said below the title of a campaign."""
TELLING = ("counterfactual", "distractor(at=first)", "unanswerable")
"""The attacks on one passage that the first lines of the page name."""
DEFAULTS = {"add-sent": "add-sent(at=end)", "distractor": "distractor(at=last)"}
"""Labels with the options that are their defaults."""
CHAIN = "reasoning-chain(at=random)"
NOTHING = 0.0005
"""A difference of F1 that is none: smaller than what is shown."""
FEW = 20
"""Questions below which nothing is said of a direction."""
MEASURES = (
    "EM: answers that are exactly the right one, in percent. F1: how many words an answer and the right one have in",
    "common. Facts F1: the same of the sentences that the bot names as its sources; joint F1: of both. All questions,",
    "right or wrong before; in brackets the 95 % interval after the attack. Counted as SQuAD's script does, but",
    "for SmolLM2's of 22 and 23 November (`add-any`, HotpotQA without `add-doc`, behind a retriever), which also read",
    "numbers in words.",
)
F1S = ("F1", "facts F1", "joint F1")
RANKING = (
    "R@1, R@5: questions whose right answer is first, or among the first five. MRR: one divided by its rank. MAP: the",
    "precision over the ranks of all right candidates. Each in percent, of questions that were right before.",
)
RANKED = ("R@1", "R@5", "MRR", "MAP")
_HARM = {
    True: "holds",
    False: "the opposite holds",
    None: "unclear",
}


def write(kept: Kept, folder: Path) -> None:
    """The page, into a folder."""
    (folder / "context-measured.md").write_text("\n".join(_page(kept)) + "\n", "utf-8")


def _page(kept: Kept) -> Iterator[str]:
    yield from (
        "# Attacks on what a bot reads, measured",
        "",
        "What happens to answers if the passages that a bot reads are altered, joined by others, or false.",
        *_finding(kept),
        "[passages.md](../../docs/passages.md) says what each attack does.",
        "",
        "Three bots answer from the passages they are sent:",
        "",
        "- **our reader** comes with botattack (`targets/bots/reader.yaml`). It always answers, in a few words,",
        "  and names the sentences it read. Its rules were chosen while looking at XQuAD: its accuracy there",
        "  flatters it.",
        "- **hayhooks** is a Haystack pipeline: it answers with the sentence that BM25 ranks first.",
        "- **SmolLM2-135M** is a small language model that answers in at most 24 tokens. It is slow, so fewer",
        "  questions were asked. Of XQuAD, only those it answers correctly were attacked.",
        f"  {_ten_passages(kept)}",
        "",
        "A cell is the share of answers that broke, its 95 % interval, and how many broke of those judged. Only",
        "questions answered correctly count; with fewer than 20 of them only the numbers are given. The control asks",
        "again with nothing altered. *Decoy* is how often the reply gives the fake answer that an attack planted.",
        "‡ a right bot declines to answer: broken means that it answered. Indented: the doses or ways of an attack.",
        "–: not asked, or nothing that could be judged.",
        "",
        "`python -m benchmarks.measured.measure` computes every figure and verdict, from runs of `campaigns/context.yaml`,",
        "`context-smollm2.yaml`, `multi-hop.yaml`, `multi-hop-smollm2.yaml` and `retrieval.yaml`.",
    )
    for campaign, title in CAMPAIGNS.items():
        found = {bot: kept[f"{campaign}-{bot}"] for bot in BOTS if f"{campaign}-{bot}" in kept}
        runs = {bot: _alike(run, found) for bot, run in found.items()}
        yield from ("", f"## {title}", "")
        yield from (*NOTES[campaign], "") if campaign in NOTES else ()
        if not runs:
            yield "Not measured."
            continue
        yield from _rates(runs)
        yield from _stopped(runs)
        yield from _before_and_after(runs)
        yield from _by_requests(runs)
        yield from _ranked(runs)
        yield from _doors(runs)
        yield from _splits(runs)
        yield from _by_kind(runs)
        yield from _directions(runs)


def _finding(kept: Kept) -> Iterator[str]:
    """What a false passage, one that only distracts and one without the answer did to the bots asked most."""
    runs = {bot: _alike(kept[f"context-{bot}"], {}) for bot in ("reader", "hayhooks") if f"context-{bot}" in kept}
    if len(runs) < 2:
        return
    rows = {name: [run["attacks"][name]["as claimed"]["rate"] for run in runs.values()] for name in TELLING}
    false, other, none = (" and ".join(map(_percent, rates)) for rates in rows.values())
    names = " and ".join(BOTS[bot] for bot in runs)
    yield f"On XQuAD, {names} believe what they read. A false copy of the passage broke {false}"
    yield f"of the answers; another passage next to the right one broke {other}. If the answer was taken out"
    yield f"of the passage, they answered anyway in {none}."


def _ten_passages(kept: Kept) -> str:
    if "multi-hop-smollm2" in kept:
        return (
            "Of HotpotQA all were, with their ten passages whole in its prompt; its `reasoning-chain` there is of 23\n"
            "  November, when names were changed, too, its `add-doc` of 29 November, of the 26 questions that this alters.\n"
            "  Its figures, and those behind a retriever, are from before 30 November, since when a reply that claims a planted\n"
            "  answer is wrong, however like the right one: they may be too low."
        )
    return "With HotpotQA's ten passages it has not been asked yet."


def _alike(run: Kept, runs: Kept) -> Kept:
    """A run with the labels of the others: an attack that is listed once has its defaults left out."""
    known = {name for other in runs.values() for name in other["attacks"]}
    names = {short: full for short, full in DEFAULTS.items() if full in known and full not in run["attacks"]}
    return {
        **run,
        **{
            part: {names.get(name, name): found for name, found in run[part].items()}
            for part in ("attacks", "by attack")
        },
    }


def _rates(runs: Kept) -> Iterator[str]:
    yield from _head("attack", [cell for bot in runs for cell in (BOTS[bot], "decoy")])
    for name in _names(runs):
        rows = [run["attacks"].get(name, {}).get("as claimed") for run in runs.values()]
        decoys = [run["by attack"].get(name, {}).get("decoys") for run in runs.values()]
        rates = [_ends(run, name) or _rate(row) for run, row in zip(runs.values(), rows, strict=True)]
        yield _line(_shown(name, runs), _cells(rates, decoys))
        for kind in _values(runs, name, "kind"):
            split = [_split(run, name, "kind").get(kind) for run in runs.values()]
            yield _line(f"&emsp;{kind}", _cells(map(_rate, split), [row and row["decoys"] for row in split]))
    counts = [_answered(run) for run in runs.values()]
    yield _line("questions answered correctly", [cell for count in counts for cell in (count, "")])


def _answered(run: Kept) -> str:
    """A question counts once for each way in which its passages reach the bot."""
    doors = f", each asked in {len(run['by door'])} ways" if run.get("by door") else ""
    return f"{run['questions']['correct']} of {run['questions']['asked']}{doors}"


def _names(runs: Kept) -> list[str]:
    names = dict.fromkeys(name for run in runs.values() for name in run["attacks"])
    return sorted(names, key=lambda name: (name != "unchanged", name))


def _shown(name: str, runs: Kept) -> str:
    expects = {run["attacks"][name]["expect"] for run in runs.values() if name in run["attacks"]}
    mark = " ‡" if "declines" in expects else " †" if "different" in expects else ""
    return "control" if name == "unchanged" else f"`{name}`{mark}"


def _split(run: Kept, name: str, split: str) -> Kept:
    found: Kept = run["by attack"].get(name, {}).get("splits", {}).get(split, {})
    return found


def _values(runs: Kept, name: str, split: str) -> list[str]:
    return list(dict.fromkeys(value for run in runs.values() for value in _split(run, name, split)))


def _cells(rates: Iterable[str], decoys: Sequence[Any]) -> list[str]:
    return [cell for rate, took in zip(rates, decoys, strict=True) for cell in (rate, _took(took))]


def _ends(run: Kept, name: str) -> str:
    """What is said instead of the rate of a search, which sinks with each request before its success."""
    if name not in run["F1 by requests"]:
        return ""
    broken, questions = run["by attack"][name]["broken"]
    return f"broke {broken} of {questions} questions"


def _rate(row: Kept | None) -> str:
    if not row or not row["rated"]:
        return "–"
    counts = f"{row['success']}/{row['rated']}"
    if row["rate"] is None:
        return f"{counts} of {row['questions']} questions"
    return f"{_percent(row['rate'])} ({_interval(row['interval'])}), {counts}"


def _took(decoys: Any) -> str:
    return f"{decoys[0]}/{decoys[1]}" if decoys and decoys[1] else ""


def _percent(rate: float) -> str:
    return f"{100 * rate:.1f} %"


def _interval(interval: Sequence[float]) -> str:
    return "–".join(f"{100 * end:.1f}" for end in interval)


def _stopped(runs: Kept) -> Iterator[str]:
    for bot, run in runs.items():
        if run["run"]["exit"] in (4, 130):
            asked = run["questions"]["asked"]
            yield from ("", f"{BOTS[bot]}: stopped to save time; {asked} questions were begun, a random sample.")


def _before_and_after(runs: Kept) -> Iterator[str]:
    """All questions, right or not."""
    first = next(iter(runs))
    for bot, run in runs.items():
        known = run["by attack"]["unchanged"]["measures"]
        named = [name for name in F1S if known.get(f"{name} after", [None])[0] is not None]
        if not named:
            continue
        cites = any("cites the distractor" in found["measures"] for found in run["by attack"].values())
        shown = ["EM", *named, *(["cites the distractor"] if cites else [])]
        explained = () if bot != first else (*MEASURES, "")
        yield from ("", f"Words in common with the right answer, before → after: {BOTS[bot]}", "", *explained)
        yield from _head("attack", shown)
        for name in _names({bot: run}):
            measures = run["by attack"][name]["measures"]
            if "EM after" in measures and name not in run["F1 by requests"]:
                cells = [_change(measures, what) for what in ("EM", *named)]
                cells += [_share(measures.get("cites the distractor"))] if cites else []
                yield _line(_shown(name, {bot: run}), cells)


def _by_requests(runs: Kept) -> Iterator[str]:
    for bot, run in runs.items():
        for name, found in run["F1 by requests"].items():
            told = ", ".join(f"{100 * f1:.1f} within {spent}" for spent, f1 in found.items() if spent != "0")
            least = f"How far `{name}` lowers F1: {100 * found['0']:.1f} before it, {told} requests"
            yield from ("", f"{least} ({BOTS[bot]}).")


def _ranked(runs: Kept) -> Iterator[str]:
    """Whether what a bot ranks has a right answer, and how far up."""
    for bot, run in runs.items():
        measures = {name: run["by attack"][name]["measures"] for name in _names({bot: run})}
        lines = [
            _line(_shown(name, {bot: run}), [_change(found, what) for what in RANKED])
            for name, found in measures.items()
            if name not in run["F1 by requests"] and found.get("R@1 after", [None])[0] is not None
        ]
        if lines:
            yield from ("", f"Where the right answer is in the ranking, before → after: {BOTS[bot]}", "", *RANKING, "")
            yield from _head("attack", RANKED)
            yield from lines


def _doors(runs: Kept) -> Iterator[str]:
    for bot, run in runs.items():
        if found := run.get("by door"):
            yield from (
                "",
                f"By how the passages reach the bot, over all questions, right or wrong before: {BOTS[bot]}",
                "",
            )
            yield from _head("passages", ["attack", "right before", "right after", "decoy"])
        for door, attacks in found.items() if found else ():
            for name, row in attacks.items():
                asked, took = row["asked"], _took(row["decoys"])
                right = [f"{row[when]}/{asked}" for when in ("right before", "right after")]
                yield _line(door, [_shown(name, {bot: run}), *right, took])


def _change(measures: Kept, what: str) -> str:
    before, after = (measures.get(f"{what} {when}") for when in ("before", "after"))
    if not before or not after or before[0] is None or after[0] is None:
        return "–"
    return f"{100 * before[0]:.1f} → {100 * after[0]:.1f} ({_interval(after[2])})"


def _share(measure: Any) -> str:
    if not measure:
        return ""
    return f"{_percent(measure[0])} of {measure[1]}" if measure[0] is not None else f"– of {measure[1]}"


def _splits(runs: Kept) -> Iterator[str]:
    for split in ("place", "distance to the answer"):
        lines = [
            _line(
                f"{_shown(name, runs)}: {value}", [_rate(_split(run, name, split).get(value)) for run in runs.values()]
            )
            for name in _names(runs)
            for value in _values(runs, name, split)
        ]
        if lines:
            yield from ("", f"Share broken by {split}, of attacks that have several", "")
            yield from _head("attack", [BOTS[bot] for bot in runs])
            yield from lines


def _by_kind(runs: Kept) -> Iterator[str]:
    kinds = list(dict.fromkeys(kind for run in runs.values() for kind in run["kinds"] if kind))
    if len(kinds) < 2:
        return
    counts = next(iter(runs.values()))["kinds"]
    told = ", ".join(f"{counts.get(kind, 0)} {kind}" for kind in kinds)
    yield from (
        "",
        f"By kind of question ({told}): broken of those judged, of questions right before, and F1 over all",
        "",
    )
    for bot, run in runs.items():
        yield from _head(BOTS[bot], kinds)
        for name in _names({bot: run}):
            found = run["by attack"][name]
            split = found["splits"].get("question kind", {})
            if split:
                cells = [_count(split.get(kind), found["measures"], kind) for kind in kinds]
                yield _line(_shown(name, {bot: run}), cells)
        yield ""
    yield "- **A changed chain harms bridging questions most** (reasoning chain, Table 2)"
    for bot, run in runs.items():
        rights = {kind: row for kind, row in _split(run, CHAIN, "question kind").items() if row["rated"]}
        few = [f"{row['questions']} {kind}" for kind, row in rights.items() if row["questions"] < FEW]
        counted = f": {', '.join(few)}" if few else ""
        said = f"too few questions right before{counted}" if few or len(rights) < 2 else "see the table"
        yield f"  - {BOTS[bot]}: {said}"


def _count(row: Kept | None, measures: Kept, kind: str) -> str:
    counts = f"{row['success']}/{row['rated']}" if row and row["rated"] else "–"
    before, after = (measures.get(f"F1 {when}, {kind}") for when in ("before", "after"))
    if not before or not after or before[0] is None or after[0] is None:
        return counts
    return f"{counts}; F1 {100 * before[0]:.1f} → {100 * after[0]:.1f}"


def _directions(runs: Kept) -> Iterator[str]:
    pairs = list(dict.fromkeys(pair for run in runs.values() for pair in run["compared"]))
    if not pairs:
        return
    yield from (
        "",
        "Which attack does more harm, by F1 over the questions that both can alter, right or wrong before. A claim",
        "*holds*, or *the opposite holds*, if the 95 % interval of the difference does not contain 0; otherwise it is",
        "*unclear*. It needs 20 questions.",
        "",
    )
    for pair in pairs:
        one, other = pair.split(" - ")
        yield f"- **`{other}` harms more than `{one}`**"
        for bot, run in runs.items():
            if found := run["compared"].get(pair):
                yield f"  - {BOTS[bot]}: {_verdict(found)}"


def _verdict(found: Kept) -> str:
    if found["F1"] is None or found["questions"] < FEW:
        return f"too few questions ({found['questions']})"
    value, low, high = found["F1"]
    if max(map(abs, found["F1"])) < NOTHING:
        return f"no difference at all ({found['questions']} questions)"
    harm = True if low > 0 else False if high < 0 else None
    points = f"{100 * value:+.1f} points of F1, {100 * low:+.1f} to {100 * high:+.1f}".replace("-", "−")
    return f"{_HARM[harm]} ({points}, {found['questions']} questions)"


def _head(first: str, others: Sequence[str]) -> Iterator[str]:
    yield _line(first, others)
    yield "|" + "---|" * (len(others) + 1)


def _line(first: str, others: Sequence[str]) -> str:
    return "| " + " | ".join([first.replace("|", "\\|"), *others]) + " |"
