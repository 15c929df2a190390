"""Measures what hardening-measured.md says: hardens NLP.js and a small intent model of our own in several ways.

Writes hardening.json and the page.

From the project's root, with the environment of the live tests and BANKING77 below BOTATTACK_DATA:

    python -m benchmarks.measured.measure_harden FOLDER             recordings stay in the folder
    python -m benchmarks.measured.measure_harden FOLDER intents     this bot only; the figures of the other stay
    python -m benchmarks.measured.measure_harden --page             nothing is asked, the page is written again
"""

from __future__ import annotations

import csv
import json
import os
import shutil
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import nullcontext
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

from botattack.audit.hardening.folder import opened
from botattack.audit.hardening.hardening import Hardening, Shown, harden
from botattack.config.campaign import CampaignConfig, load_campaign
from botattack.model import Question
from botattack.report.numbers import percent
from botattack.report.report_files import encoded
from botattack.report.training_sets.examples import half_of
from botattack.report.wording.measure_words import point_span, points
from botattack.report.wording.words import terms
from tests.live import environments
from tests.live.servers import nlpjs_deploy
from tests.servers import intents

ROOT = Path(__file__).parents[2]
FIGURES, PAGE = Path(__file__).with_name("hardening.json"), Path(__file__).with_name("hardening-measured.md")
SEEDS = (1, 2, 3)
INTENTS, TAUGHT, ASKED = 30, 12, 12
"""Intents of BANKING77, utterances of each that the bot is built from, and further ones that are asked."""
ATTACKS = [{name: {"per_question": 2}} for name in ("dpaeg", "noise", "drop-stopwords")] + [
    {"case": {"kinds": ["lower", "upper"], "per_question": 2}}
]
NOTHING = "nothing new"
WAYS: dict[str, dict[str, Any]] = {
    NOTHING: {"for": "mda", "share": 0},
    "variants of 20 % of the questions": {"for": "mda", "share": 0.2},
    "variants of all questions": {"for": "mda", "share": 1.0},
    "two variants of each attack": {"for": "mda", "share": 1.0, "per_attack": 2},
    "pairs of questions joined": {"for": "concat"},
}
BOTS = {"nlpjs": "NLP.js", "intents": "our intent model"}


def written(folder: Path, seed: int) -> None:
    """The questions, and what the bot is built from: other utterances, and the questions of the train half. So a
    training set without variants teaches it nothing new."""
    source = Path(os.environ["BOTATTACK_DATA"]) / "banking77" / "test.csv"
    by_intent = defaultdict(list)
    with source.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            by_intent[row["category"]].append(" ".join(row["text"].split()))
    random, base, asked = Random(seed), list[str](), list[str]()
    for intent in random.sample(sorted(by_intent), INTENTS):
        texts = random.sample(by_intent[intent], TAUGHT + ASKED)
        for number, text in enumerate(texts):
            line = json.dumps({"question": text, "answers": [intent.replace("_", " ")]}) + "\n"
            if number >= TAUGHT:
                asked.append(line)
            if number < TAUGHT or half_of(Question(text)) == "train":
                base.append(line)
    (folder / "faq.jsonl").write_text("".join(asked), "utf-8")
    (folder / "base.jsonl").write_text("".join(base), "utf-8")


def nlpjs(folder: Path) -> tuple[list[str], list[str]]:
    """The command that is the bot, and the one that retrains it: it trains when it starts, on what is there then."""
    modules = str(environments.nlpjs().folder())
    nlpjs_deploy.write_corpus(folder / "corpus.json", [folder / "base.jsonl"])
    (folder / "retrain.py").write_text(
        f"import sys; sys.path.insert(0, {str(ROOT)!r})\nfrom pathlib import Path\n"
        "from tests.live.servers.nlpjs_deploy import write_corpus\n"
        "write_corpus(Path('corpus.json'), map(Path, sys.argv[1:]))\n",
        "utf-8",
    )
    server = Path(nlpjs_deploy.__file__).with_name("nlpjs_lines.js")
    return ["node", str(server), "corpus.json", modules], ["retrain.py"]


def own(folder: Path) -> tuple[list[str], list[str]]:
    """The same of the intent model."""
    intents.train(folder / "model.json", [folder / "base.jsonl"])
    return [sys.executable, intents.__file__, "--answer", "model.json"], [intents.__file__, "model.json"]


def measure(folder: Path, bot: str, seed: int) -> Iterator[dict[str, Any]]:
    """Hardens a bot in every way, over one audit before."""
    folder.mkdir(parents=True)
    written(folder, seed)
    command, retrain = (nlpjs if bot == "nlpjs" else own)(folder)
    target = {"name": bot, "connect": {"kind": "process", "command": command}, "limits": {"rate": "unlimited"}}
    (folder / "bot.yaml").write_text(json.dumps(target), "utf-8")
    before: Path | None = None
    for way, keys in WAYS.items():
        words = [sys.executable, *retrain, "base.jsonl", "{training_set}"]
        campaign = _campaign(folder, seed, {**keys, "retrain": words})
        made = _hardened(campaign, folder / "recordings", before)
        if made.found is None:
            sys.exit(f"{bot}, {way}: {made.ending.why}; see {made.folder}")
        before = made.folder / "before"
        found = encoded(made.found)
        yield {"bot": bot, "seed": seed, "way": way, **{key: found[key] for key in KEPT}}


KEPT = ("verdict", "totals", "accuracy", "rows", "replies", "changed", "training", "seconds")


def _campaign(folder: Path, seed: int, keys: dict[str, Any]) -> CampaignConfig:
    campaign = {
        "target": "bot.yaml",
        "questions": {"file": "faq.jsonl"},
        "match": "exact",
        "seed": seed,
        "attacks": ATTACKS,
        "harden": keys,
    }
    path = folder / "campaign.yaml"
    path.write_text(json.dumps(campaign), "utf-8")
    return load_campaign(path, allow_code=True)


def _hardened(campaign: CampaignConfig, recordings: Path, before: Path | None) -> Hardening:
    resume = None
    if before:
        assert campaign.harden, "every way has one"
        resume = opened(campaign, campaign.harden, recordings, None).path
        shutil.copytree(before, resume / "before")
    return harden(campaign, recordings, resume, ["harden"], Shown(lambda _: nullcontext(Silent()), print))


class Silent:
    """A view that shows nothing."""

    def update(self, event: Any) -> None: ...

    def recall(self, event: Any) -> None: ...


def page(figures: list[dict[str, Any]]) -> Iterator[str]:
    yield from HEAD.splitlines()
    for bot, name in BOTS.items():
        of_bot = [one for one in figures if one["bot"] == bot]
        yield from ("", f"## {name}", "", _summary(of_bot), "")
        between = "change (95 % interval)"
        cells = (
            "training set",
            "seed",
            "rows",
            "broken before",
            "now",
            between,
            "clean before",
            "now",
            between,
            "verdict",
        )
        yield f"| {' | '.join(cells)} |"
        yield "| --- | ---: | ---: | ---: | ---: | --- | ---: | ---: | --- | --- |"
        yield from (_line(one) for way in WAYS for one in of_bot if one["way"] == way)
        yield from ("", "By attack, with variants of all questions:", "")
        yield "| attack | " + " | ".join(f"seed {seed}" for seed in SEEDS) + " |"
        yield "| --- |" + " --- |" * len(SEEDS)
        yield from _attacks([one for one in of_bot if one["way"] == "variants of all questions"])


def _summary(of_bot: list[dict[str, Any]]) -> str:
    same = [one for one in of_bot if one["way"] == NOTHING]
    others = [one for one in of_bot if one["way"] != NOTHING]
    verdicts = Counter(one["verdict"] for one in others)
    cost = sum(one["accuracy"]["interval"][1] < 0 for one in others)
    unchanged = sum(one["verdict"] == "no answer changed" for one in same)
    return (
        f"With nothing new, no answer changed in {unchanged} of {len(same)} runs. Of the other {len(others)} runs, "
        f"{verdicts['helped']} surely helped and {verdicts['worse']} surely made it worse; {cost} surely cost "
        "accuracy on clean questions."
    )


def _line(one: dict[str, Any]) -> str:
    (total,), accuracy = one["totals"], one["accuracy"]
    asked = accuracy["asked"]
    cells = (
        one["way"],
        str(one["seed"]),
        f"{one['training']['rows']:,}",
        percent(total["old"] / total["units"]),
        percent(total["new"] / total["units"]),
        f"{points(total['change'])} ({point_span(total['interval'])})",
        percent(accuracy["before"] / asked),
        percent(accuracy["now"] / asked),
        f"{points(accuracy['change'])} ({point_span(accuracy['interval'])})",
        one["verdict"],
    )
    return f"| {' | '.join(cells)} |"


def _attacks(seeds: list[dict[str, Any]]) -> Iterator[str]:
    rows = [{row["name"]: row for row in one["rows"][1:]} for one in seeds]
    for name in dict.fromkeys(name for each in rows for name in each):
        yield f"| `{name}` | " + " | ".join(_cell(each[name]) if name in each else "–" for each in rows) + " |"


def _cell(row: dict[str, Any]) -> str:
    counted = f"{row['old']}/{row['units']} → {row['new']}"
    change = f", {points(row['change'])}" if row["change"] is not None else ""
    return f"{counted}{change}, {terms('hardened')[row['tier']]}"


HEAD = f"""# Hardening, measured

Written by `python -m benchmarks.measured.measure_harden`; [training.md](../../docs/training.md) explains what `botattack harden` does and what its
figures mean. {INTENTS} intents of BANKING77 (CC BY 4.0), drawn again for each seed: {TAUGHT} utterances of each build
the bot, {ASKED} others are asked. The bot is also built from those of the train half, so that a training set without
variants teaches it nothing new; the test half it never sees. Every figure is of the test half. Variants count where the
original was right before and after.

Intervals are not corrected for the number of runs on this page: of twenty that changed nothing, about one would exclude
0 by chance. `case` shows what can be learned: our model tells capitals from small letters until it has seen both, and
NLP.js never does. Typing mistakes are nearly all different, and those of one question teach little about another."""


def main(words: list[str]) -> None:
    bots = words[1:] or BOTS
    found = [one for one in json.loads(FIGURES.read_text("utf-8")) if one["bot"] not in bots] if words[1:] else []
    for bot, seed in product(bots, SEEDS) if words[0] != "--page" else ():
        found += measure(Path(words[0]).resolve() / f"{bot}-{seed}", bot, seed)
        FIGURES.write_text(json.dumps(found, indent=1, ensure_ascii=False) + "\n", "utf-8")
    PAGE.write_text("\n".join(page(json.loads(FIGURES.read_text("utf-8")))).rstrip() + "\n", "utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
