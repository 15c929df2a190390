"""The pages on what was measured, as Markdown: every figure and verdict in them is computed from the measurements."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

Kept = dict[str, Any]
"""What `measure.py` keeps, by campaign."""
NAMES = {
    "nlpjs": "NLP.js",
    "hayhooks": "hayhooks (BM25)",
    "smollm2": "SmolLM2-135M",
    "alice": "ALICE",
}
CLOSE = 0.05
"""Two rates are close where the whole interval of their difference is within this."""


class Direction(NamedTuple):
    """What the paper found: the first attack breaks more than the second, or about as much (`close`)."""

    first: str
    second: str
    close: bool = False


class Table(NamedTuple):
    """One table or figure of the paper, and the labels of its attacks in the campaign."""

    name: str
    title: str
    text: str
    arms: dict[str, str]
    directions: tuple[Direction, ...]


def _arms(per: str, option: str, values: Sequence[str], words: str = "") -> dict[str, str]:
    return {
        value: f"dpaeg({_options({option: value, 'meaning': 'paper', 'words': words, 'per_question': per})})"
        for value in values
    }


def _options(given: dict[str, str]) -> str:
    return ", ".join(f"{key}={value}" for key, value in sorted(given.items()) if value)


KEYWORDS = ("dependency", "content", "random")
THROUGH = "dependency, through prepositions"
POS = ("same", "different", "free")
BY_KEYWORD = (Direction("dependency", "random"), Direction("dependency", "content"), Direction("content", "random"))
BY_POS = (Direction("same", "different"), Direction("same", "free"))
TABLES = (
    Table(
        "keywords",
        "By keyword method, keywords removed (Table 7)",
        "All keywords are removed. What is left may ask something else, so botattack counts these variants as unsure;\n"
        "the paper counts them. `random` removes as many words as Algorithm 1 finds; `content` removes all content\n"
        "words, so never fewer than `dependency`. *Through prepositions* also removes the objects of prepositions,\n"
        "which Algorithm 1 as printed leaves out. In brackets: the mean edit distance.",
        {value: f"dpaeg(edit=remove, keywords={value})" for value in KEYWORDS}
        | {THROUGH: "dpaeg(edit=remove, keywords=dependency, through_prepositions=True)"},
        BY_KEYWORD,
    ),
    Table(
        "keywords",
        "By keyword method, keywords replaced",
        "The same keywords, replaced as DPAEG does it: the paper has no such table. In brackets as above.",
        _arms("{n}", "keywords", KEYWORDS)
        | {THROUGH: "dpaeg(keywords=dependency, meaning=paper, per_question={n}, through_prepositions=True)"},
        BY_KEYWORD,
    ),
    Table(
        "modification",
        "By modification (Table 8)",
        "The same keywords, modified in three ways; in brackets the mean edit distance of the variants.",
        {name: name for name in ("dpaeg", "random-characters", "noise")},
        (Direction("dpaeg", "random-characters"), Direction("noise", "dpaeg", close=True)),
    ),
    Table(
        "epsilon",
        "By largest edit distance ε (Figure 5)",
        "In brackets the mean edit distance of the variants.",
        {f"ε = {value}": f"dpaeg(epsilon={value}, meaning=paper, per_question={{n}})" for value in (3, 4, 5)},
        (Direction("ε = 4", "ε = 3"), Direction("ε = 5", "ε = 4"), Direction("ε = 5", "ε = 3")),
    ),
    Table(
        "pos",
        "By part of speech of spell-similar words (Figure 4)",
        "All three kinds of adversarial words, as in the paper.",
        _arms("{n}", "pos", POS),
        BY_POS,
    ),
    Table(
        "pos",
        "By part of speech, spell-similar words and their typos alone",
        "The rule for parts of speech does not apply to typos of a keyword, so they are left out here.",
        _arms("{n}", "pos", POS, "similar+similar-typo"),
        BY_POS,
    ),
)


def write(kept: Kept, folder: Path) -> None:
    """The pages, into a folder."""
    (folder / "ablation.md").write_text("\n".join(_ablation(kept)) + "\n", "utf-8")
    (folder / "attacks-measured.md").write_text("\n".join(_attacks(kept)) + "\n", "utf-8")


def _ablation(kept: Kept) -> Iterator[str]:
    yield from (
        "# DPAEG's ablations, measured",
        "",
        "Does each part of DPAEG, our main attack by typing mistakes, do what its paper says? This page repeats the",
        "paper's comparisons on three bots. Below each table is what the paper found, and whether it holds here.",
        "",
        "`python -m benchmarks.measured.measure` starts the bots, runs `campaigns/ablation/`, and computes",
        f"every figure and verdict. {_dates(kept)}",
        "",
        "The bots: NLP.js (an intent classifier) and hayhooks (Haystack's BM25 retrieval), both over the 308 entries",
        "of the project's own FAQ, asked in words that differ from the bots' own; SmolLM2-135M (a small language",
        "model) on questions of XQuAD, with the passage before the question and at most 24 tokens an answer.",
        "",
        "A cell is the share of answers that broke, its 95 % interval, and how many broke of those judged.",
        "As in the paper (`meaning: paper`), every variant counts, also one that a reader might take for another question.",
        "Only questions answered correctly are attacked: each original is asked twice, and those with two different",
        "answers are left out. The control asks correctly answered originals once more. A finding of the",
        "paper *holds*, or *the opposite holds*, if the 95 % interval of the difference (same questions, clustered)",
        "does not contain 0; otherwise it is "
        f"*unclear*. Two rates are *close* if that interval lies within ±{100 * CLOSE:.0f} points.",
    )
    for table in TABLES:
        yield from _table(table, kept)
    yield from (
        "",
        "## Guided search",
        "",
        "A guided search was built and is gone: it chose each variant by what had broken the bot before. It broke up to 4.5",
        "times as many answers per 100 requests as the same attack in order on NLP.js and hayhooks, which it was tuned on, but",
        "0.54 to 1.31 times as many on two other bots with 20 and 200 questions of WebQuestions and 20 of Banking77 (28 November",
        "2026, three seeds).",
    )


def _dates(kept: Kept) -> str:
    dates = sorted({found["run"]["date"] for found in kept.values()})
    return f"Measured on {dates[0]}." if len(dates) == 1 else f"Measured from {dates[0]} to {dates[-1]}."


def _table(table: Table, kept: Kept) -> Iterator[str]:
    found = {bot: kept[f"{table.name}-{bot}"] for bot in NAMES if f"{table.name}-{bot}" in kept}
    runs = {bot: run for bot, run in found.items() if any(_of(run, label) for label in table.arms.values())}
    bots = list(runs)
    yield from ("", f"## {table.title}", "", table.text, "")
    if not runs:
        yield "Not measured."
        return
    yield from _head("", [NAMES[bot] for bot in bots])
    for arm, label in table.arms.items():
        yield _line(arm, [_cell(_of(run, label)) for run in runs.values()])
    yield _line("control", [_cell(_of(run, "unchanged")) for run in runs.values()])
    yield _line("questions kept of asked", [_kept(run["questions"]) for run in runs.values()])
    yield ""
    for direction in table.directions:
        relation = "is close to" if direction.close else "breaks more than"
        yield f"- **{direction.first} {relation} {direction.second}**"
        yield from (f"  - {NAMES[bot]}: {_verdict(table, direction, run)}" for bot, run in runs.items())
    yield from _stopped(runs)


def _stopped(runs: Kept) -> Iterator[str]:
    for bot, run in runs.items():
        if run["run"]["exit"] in (4, 130):
            asked = run["questions"]["asked"]
            yield from ("", f"{NAMES[bot]}: stopped to save time after {asked} questions, a random sample.")


def _label(run: Kept, label: str) -> str:
    """The label as the campaign has it, whatever its number of variants a question."""
    fitting = [label.replace("{n}", str(n)) for n in range(1, 51)]
    return next((one for one in fitting if one in run["attacks"]), label)


def _of(run: Kept, label: str) -> Kept:
    attack = run["attacks"].get(_label(run, label), {})
    row: Kept = attack.get("as claimed") or attack.get("unsure") or {}
    return {**row, "distance": attack.get("distance")} if row else {}


def _cell(row: Kept) -> str:
    if not row:
        return "–"
    counts = f"{row['success']}/{row['rated']}"
    if row["rate"] is None:
        return (
            f"{counts}, too few questions ({row['questions']})" if "few" in row["note"] else f"{counts}, {row['note']}"
        )
    far = f" [{row['distance']:.1f}]" if row.get("distance") else ""
    return f"{_percent(row['rate'])} ({_interval(row['interval'])}), {counts}{far}"


def _percent(rate: float) -> str:
    return f"{100 * rate:.1f} %"


def _interval(interval: Sequence[float]) -> str:
    return "–".join(f"{100 * end:.1f}" for end in interval)


def _kept(questions: Kept) -> str:
    asked, kept, unstable = (questions[key] for key in ("asked", "kept", "unstable"))
    return f"{kept} of {asked}, {unstable} unstable"


def _verdict(table: Table, direction: Direction, run: Kept) -> str:
    first, second = (_label(run, table.arms[arm]) for arm in direction[:2])
    forward, back = (run["differences"].get(key) for key in (f"{first} - {second}", f"{second} - {first}"))
    if not forward and not back:
        return "unclear (too few questions)"
    value, low, high = forward or (-back[0], -back[2], -back[1])
    shown = f"{100 * value:+.1f} points, {100 * low:+.1f} to {100 * high:+.1f}"
    if direction.close:
        holds, fails, otherwise = low > -CLOSE and high < CLOSE, low > CLOSE or high < -CLOSE, "does not hold"
    else:
        holds, fails, otherwise = low > 0, high < 0, "the opposite holds"
    return f"{'holds' if holds else otherwise if fails else 'unclear'} ({shown})"


def _attacks(kept: Kept) -> Iterator[str]:
    bots = sorted(bot for bot in NAMES if f"all-attacks-{bot}" in kept)
    runs = {NAMES[bot]: kept[f"all-attacks-{bot}"] for bot in bots}
    yield from (
        "# Every attack on three bots",
        "",
        "How often each attack on the question broke a right answer of three bots.",
        *_worst(runs),
        "",
        "A cell is the share of right answers that broke, its 95 % interval, how many broke of those judged, and how",
        "many broke per 100 requests. † the right answer changes: broken means that the bot did not notice. NLP.js",
        "takes three requests an answer: to open the conversation, to ask, and to read.",
        "",
        "`python -m benchmarks.measured.measure` computes every figure, from runs of `campaigns/all-attacks-*.yaml`.",
        _dates({name: kept[name] for name in kept if name.startswith("all-attacks-")}),
        "",
        "Some attacks need language parts: PPDB 2.0 (as in github.com/nmrksic/counter-fitting) and WordNet gave",
        "synonyms, JFLEG common mistakes.",
        "Variants that may ask something else are in the second table; MiniLM measured how similar each is to its",
        "question.",
    )
    for title, part in (("The same question", "as claimed"), ("Variants that may ask something else", "unsure")):
        yield from ("", f"## {title}", "")
        yield from _all(runs, part)


def _worst(runs: Kept) -> Iterator[str]:
    """Of each bot what broke it most, of what should not change the answer."""
    for bot, run in runs.items():
        rows = {name: found.get("as claimed") for name, found in run["attacks"].items() if found["expect"] == "same"}
        rates = {name: row["rate"] for name, row in rows.items() if row and row["rate"] is not None}
        worst = max(rates, key=lambda name: rates[name])
        yield f"{bot} was broken most by `{worst}`: {100 * rates[worst]:.0f} %."


def _all(runs: Kept, part: str) -> Iterator[str]:
    yield from _head("attack", [f"{bot} · per 100 requests" for bot in runs])
    for name in _ordered(runs, part):
        rows = [run["attacks"].get(name, {}).get(part) for run in runs.values()]
        yield _line(
            _named(name, runs), [f"{_cell(row)} · {row['per 100 requests']:.0f}" if row else "–" for row in rows]
        )
    yield _line("questions kept of asked", [_kept(run["questions"]) for run in runs.values()])


def _ordered(runs: Kept, part: str) -> list[str]:
    names = dict.fromkeys(name for run in runs.values() for name, attack in run["attacks"].items() if part in attack)
    return sorted(names, key=lambda name: (name != "unchanged", name))


def _named(name: str, runs: Kept) -> str:
    if name == "unchanged":
        return "control"
    changed = any(run["attacks"].get(name, {}).get("expect") == "different" for run in runs.values())
    return f"`{name}`".replace("|", "\\|") + " †" * changed


def _head(first: str, others: Sequence[str]) -> Iterator[str]:
    yield _line(first, others)
    yield "|" + "---|" * (len(others) + 1)


def _line(first: str, others: Sequence[str]) -> str:
    return "| " + " | ".join([first, *others]) + " |"
