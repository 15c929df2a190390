"""The tables of README.md, made of results.json: `python examples/white-box/page.py` writes them again."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

BASE = "plain"
METHODS: Mapping[str, str] = {
    BASE: "plain",
    "fgm": "FGM",
    "pgd": "PGD",
    "mda": "MDA",
    "concat": "concatenation",
    "max-margin": "max-margin",
}
SETS: Mapping[str, str] = {"geo": "GeoQuery", "jobs": "Jobs", "atis": "Atis"}
_ROBUSTNESS = {
    "standard": "standard accuracy",
    "perturbation": "perturbation accuracy",
    "robust": "robust accuracy",
    "black-box": "success rate of black-box attack",
}
_MUST_CHANGE = {"must change: changes": "the form changes", "must change: F1": "F1 with the form of the original"}
NO_FIGURE = "not measured"
CLOSE = 0.05
"""Two figures count as equal if the whole interval of their difference is within this."""
_MARKED = re.compile(r"(?s)(<!-- tables -->\n).*(<!-- end of tables -->)")


@dataclass(frozen=True)
class Claim:
    """What a paper says: that a method's figure is higher (1) or lower (-1) than that of plain training, or about the
    same (0). `other` are the sets of which it says something else."""

    text: str
    method: str
    metric: str
    direction: int
    other: Mapping[str, int] = field(default_factory=dict)


_JOBS = {"jobs": 1}
_PARSERS = "semantic parsers"
_DIALOGUE = "dialogue"
CLAIMS: Mapping[str, tuple[Claim, ...]] = {
    _PARSERS: (
        Claim("MDA raises perturbation accuracy (RQ3)", "mda", "perturbation", 1),
        Claim("MDA raises robust accuracy (RQ3)", "mda", "robust", 1),
        Claim("MDA lowers the success rate of the black-box attack (RQ3)", "mda", "black-box", -1),
        Claim("MDA hardly changes standard accuracy (RQ4)", "mda", "standard", 0),
        Claim("FGM hardly changes perturbation accuracy, but raises it on Jobs (RQ3)", "fgm", "perturbation", 0, _JOBS),
        Claim("PGD hardly changes perturbation accuracy, but raises it on Jobs (RQ3)", "pgd", "perturbation", 0, _JOBS),
        Claim("Concatenation hardly changes standard accuracy (RQ5)", "concat", "standard", 0),
        Claim("Concatenation hardly changes robust accuracy (RQ5)", "concat", "robust", 0),
    ),
    _DIALOGUE: (
        Claim(
            "Training on variants that mean the same raises the F1 of such variants (6.1)", "mda", "perturbation F1", 1
        ),
        Claim("It raises the F1 of unchanged questions, too (6.1)", "mda", "standard F1", 1),
        Claim("Max-margin lowers the F1 of variants that must change (6.1)", "max-margin", "must change: F1", -1),
        Claim("Max-margin does not change the F1 of unchanged questions (table 2)", "max-margin", "standard F1", 0),
    ),
}


def update(path: Path, results: Mapping[str, Any]) -> None:
    """Write the tables of a page again."""
    text = path.read_text(encoding="utf-8")
    made = "\n".join(tables(results))
    path.write_text(_MARKED.sub(lambda found: f"{found[1]}{made}\n{found[2]}", text), encoding="utf-8")


def tables(results: Mapping[str, Any]) -> Iterator[str]:
    """The lines of all tables."""
    for name, told in results["sets"].items():
        yield f"### {SETS[name]}"
        yield ""
        yield f"{told['questions']} questions, {told['same']:,} variants that mean the same"
        yield f"and {told['must change']:,} that must change the logical form; {results['seeds']} seeds."
        yield ""
        yield from _figures(told["methods"], _ROBUSTNESS)
        if told["must change"]:
            yield "Variants that must change the logical form:"
            yield ""
            yield from _figures(told["methods"], _MUST_CHANGE)
        yield "In the shape of the dialogue paper's table 2 (accuracy, F1):"
        yield ""
        yield from _trained(told)
        yield "Share of variants that are parsed as the original should be, by attack (with the number of variants)."
        yield "For `antonym` and `negate` that is wrong:"
        yield ""
        yield from _attacks(told["attacks"], results["seeds"])
    yield "### What the papers say, and what was measured here"
    yield ""
    yield from _claims(results["sets"])


def verdict(direction: int, difference: tuple[float, float, float] | None) -> str:
    """Return whether a claim holds, by the interval of a difference."""
    if difference is None:
        return NO_FIGURE
    _, low, high = difference
    if direction:
        low, high = (low, high) if direction > 0 else (-high, -low)
        return "holds" if low > 0 else "the opposite holds" if high < 0 else "unclear"
    if max(-low, high) <= CLOSE:
        return "holds"
    return "unclear" if low <= 0 <= high else "does not hold"


def sure(difference: tuple[float, float, float] | None) -> bool:
    """Return whether an interval excludes 0."""
    return difference is not None and not difference[1] <= 0 <= difference[2]


def _row(*cells: str) -> str:
    return f"| {' | '.join(cells)} |"


def _head(*cells: str, texts: int = 1) -> Iterator[str]:
    """The first `texts` columns contain words, the others figures."""
    yield _row(*cells)
    yield f"|{'|'.join('---' if at < texts else '---:' for at in range(len(cells)))}|"


def _percent(value: float) -> str:
    return f"{100 * value:.1f}"


def _difference(difference: tuple[float, float, float] | None) -> str:
    if difference is None:
        return NO_FIGURE
    told = [f"{100 * value:+.1f}".replace("-", "\N{MINUS SIGN}") for value in difference]
    return f"{told[0]} ({told[1]} to {told[2]})"


def _cell(figure: Mapping[str, Any] | None) -> str:
    """A figure with its difference from plain training, in bold if that is sure."""
    if figure is None:
        return ""
    difference = figure.get("difference")
    if difference is None:
        return _percent(figure["value"])
    text = f"{_percent(figure['value'])}: {_difference(difference)}"
    return f"**{text}**" if sure(difference) else text


def _figures(methods: Mapping[str, Any], metrics: Mapping[str, str]) -> Iterator[str]:
    yield from _head("training", *metrics.values())
    for method, found in methods.items():
        yield _row(METHODS[method], *(_cell(found.get(metric)) for metric in metrics))
    yield ""


def _trained(told: Mapping[str, Any]) -> Iterator[str]:
    yield from _head("variants", "N-train + A-test", "A-train + A-test", "A-train + N-test", "N-train + N-test")
    rows = {"mda": ("mean the same (MDA)", "perturbation"), "max-margin": ("must change (max-margin)", "must change:")}
    for method, (label, kind) in rows.items():
        tried, normal = (kind, f"{kind} F1"), ("standard", "standard F1")
        if kind.endswith(":"):
            tried = ("must change: kept", f"{kind} F1")
        if method in told["methods"]:
            yield _row(
                label,
                *(_two(told["methods"][of], which) for of, which in ((BASE, tried), (method, tried), (method, normal))),
                _two(told["methods"][BASE], normal),
            )
    yield ""


def _two(found: Mapping[str, Any], metrics: tuple[str, str]) -> str:
    shown = [_percent(found[metric]["value"]) + "\\*" * sure(found[metric].get("difference")) for metric in metrics]
    return ", ".join(shown)


def _attacks(attacks: Mapping[str, Mapping[str, tuple[int, int]]], seeds: int) -> Iterator[str]:
    names = list(attacks[BASE])
    yield from _head("training", *(f"`{name}` ({attacks[BASE][name][0] // seeds})" for name in names))
    for method, found in attacks.items():
        yield _row(METHODS[method], *(_percent(found[name][1] / found[name][0]) for name in names))
    yield ""


def _claims(sets: Mapping[str, Any]) -> Iterator[str]:
    judged = [(paper, claim, _verdicts(claim, sets)) for paper, claims in CLAIMS.items() for claim in claims]
    for word, said in (("does not hold", "this does not hold"), ("the opposite holds", "the opposite holds")):
        for _, claim, verdicts in judged:
            where = [SETS[name] for name, found in verdicts.items() if found == word]
            if where:
                yield f"- On {' and '.join(where)}, {said}: {claim.text}."
    yield ""
    yield from _head("paper", "claim", *(SETS[name] for name in sets), texts=2 + len(sets))
    for paper, claim, verdicts in judged:
        cells = (_judged(found, _found(sets[name]["methods"], claim)) for name, found in verdicts.items())
        yield _row(paper, claim.text, *cells)
    yield ""


def _verdicts(claim: Claim, sets: Mapping[str, Any]) -> dict[str, str]:
    directions = {name: claim.other.get(name, claim.direction) for name in sets}
    return {name: verdict(directions[name], _found(told["methods"], claim)) for name, told in sets.items()}


def _judged(word: str, difference: tuple[float, float, float] | None) -> str:
    return word if difference is None else f"{word}: {_difference(difference)}"


def _found(methods: Mapping[str, Any], claim: Claim) -> tuple[float, float, float] | None:
    difference: tuple[float, float, float] | None = (
        methods.get(claim.method, {}).get(claim.metric, {}).get("difference")
    )
    return difference


if __name__ == "__main__":
    here = Path(__file__).parent
    update(here / "README.md", json.loads((here / "results.json").read_text(encoding="utf-8")))
