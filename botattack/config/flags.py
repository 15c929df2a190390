"""A campaign from flags: `-t TARGET -q FILE -a dpaeg:epsilon=3,take=nearest`."""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any

from botattack.config.campaign import NO_PRICE, CampaignConfig, build
from botattack.config.checking import Checker
from botattack.config.gates import check_stopping
from botattack.config.plugs import read_attacks
from botattack.config.run_keys import Changes
from botattack.config.target import load_target
from botattack.config.yaml import Document, Mark, Source, Where, scalar
from botattack.limits import Budget, Limits
from botattack.options import JsonObject, rate
from botattack.protocols import Attack

_COMMA = re.compile(r",(?![^\[]*\])")


class CommandLine:
    """A command line as a document: what each flag says, and where on the line it stands."""

    def __init__(self) -> None:
        self.text = ""
        self.value: JsonObject = {}
        self.values: dict[Where, Mark] = {(): (1, 1)}
        self.keys: dict[Where, Mark] = {}
        self.doubles: list[Where] = []

    def flag(self, name: str, value: str) -> int:
        """Appends a flag; gives the column at which its value begins."""
        self.text += f"{' ' if self.text else ''}{name} "
        column = len(self.text) + 1
        self.text += shlex.quote(value)
        return column + self.text[column - 1 :].startswith("'")

    def put(self, flag: str, value: object, *path: str) -> None:
        """What one flag says about one key."""
        column = self.flag(flag, str(value))
        place = self.value
        for part in path[:-1]:
            place = place.setdefault(part, {})
        place[path[-1]] = str(value) if isinstance(value, Path) else value
        for depth in range(1, len(path) + 1):
            self.values.setdefault(path[:depth], (1, column))

    def attack(self, text: str, flag: str = "-a") -> None:
        """`name:option=value,option=value` or `chain:[name,name]`, as it is after a flag or words of a command."""
        attacks = self.value.setdefault("attacks", [])
        column, path = self.flag(flag, text), ("attacks", len(attacks))
        name, colon, options = text.partition(":")
        self.values[path] = self.keys[*path, name] = (1, column)
        if options.startswith("["):
            self.values[*path, name] = (1, column + len(name) + 1)
            attacks.append({name: flag_value(options)})
        else:
            attacks.append({name: self.options(options, column + len(name) + 1, (*path, name))} if colon else name)

    def options(self, text: str, column: int, path: Where) -> dict[str, object]:
        found: dict[str, object] = {}
        for piece in _COMMA.split(text):
            key, _, value = piece.partition("=")
            if key in found:
                self.doubles.append((*path, key))
            self.keys[*path, key] = (1, column)
            self.values[*path, key] = (1, column + len(key) + 1)
            found[key] = flag_value(value)
            column += len(piece) + 1
        return found

    def document(self) -> Document:
        source = Source("command line", (self.text,))
        twice = [
            source.problem(self.keys[path], f"{path[-1]!r} is there twice", "keep one", path) for path in self.doubles
        ]
        return Document(source, self.value, self.values, self.keys, tuple(twice))


def read_attack_flag(text: str, flag: str = "-a") -> Attack:
    """The attack that `name:option=value,…` describes; raises ConfigError, which shows it after `flag`."""
    line = CommandLine()
    line.attack(text, flag)
    checker = Checker(line.document())
    attacks = read_attacks(checker, line.value["attacks"], ("attacks",))
    checker.finish()
    return attacks[0][1]


def flag_value(text: str) -> object:
    """A scalar of YAML 1.2, or a list in brackets."""
    if text.startswith("[") and text.endswith("]"):
        return [scalar(item.strip()) for item in text[1:-1].split(",") if item.strip()]
    return scalar(text)


def campaign_from_flags(
    target: Path,
    questions: Path,
    attacks: Sequence[str],
    *,
    format: str = "",  # noqa: A002  # the name of the key in a campaign file
    lang: str = "",
    **allowed: Any,
) -> CampaignConfig:
    """The campaign `run -t TARGET -q FILE -a ATTACK…` describes.

    `allowed` is what `load_target` takes beside the path. Raises what `load_campaign` raises; places are columns of
    the command line.
    """
    line = CommandLine()
    line.put("-t", target, "target")
    line.put("-q", questions, "questions", "file")
    if format:
        line.put("--format", format, "questions", "format")
    if lang:
        line.put("--lang", lang, "questions", "lang")
    line.value["attacks"] = []
    for text in attacks:
        line.attack(text)
    digest = sha256(line.text.encode("utf-8", "surrogatepass")).hexdigest()
    return build(line.document(), Path(), partial(load_target, **allowed), None, digest)


def with_flags(campaign: CampaignConfig, changes: Changes) -> CampaignConfig:
    """The campaign with what flags change of its file; raises ConfigError."""
    limits = campaign.target.limits
    if changes.rate:
        limits = replace(limits, rate=_rate(changes.rate))
    if changes.concurrency is not None:
        limits = replace(limits, concurrency=changes.concurrency)
    budget, limit = changes.budget, changes.limit
    changed = replace(
        campaign,
        target=replace(campaign.target, limits=limits),
        questions=campaign.questions if limit is None else replace(campaign.questions, limit=limit),
        seed=campaign.seed if changes.seed is None else changes.seed,
        budget=_priced(read_budget(budget), budget, limits) if budget else campaign.budget,
        stop_when_sure=changes.stop_when_sure or campaign.stop_when_sure,
        ask_unsure=changes.ask_unsure or campaign.ask_unsure,
        changes=replace(campaign.changes, **changes.given),
    )
    _check_together(changed)
    return changed


def _check_together(campaign: CampaignConfig) -> None:
    """What the keys of a file allow, flags may not."""
    line = CommandLine()
    line.flag("--stop-when-sure", "")
    checker = Checker(line.document())
    check_stopping(checker, campaign, campaign.attacks)
    checker.finish()


def _rate(text: str) -> float:
    try:
        return rate(text)
    except ValueError as error:
        raise Source("command line", (f"--rate {text}",)).refusal(str(error), mark=(1, 8)) from None


def read_budget(text: str) -> Budget:
    """`requests=500,seconds=60,cost=2.5`, or `500`, which are requests; raises ConfigError."""
    line = CommandLine()
    if not text.strip().isdecimal() and "=" not in text:
        source = Source("command line", (f"--budget {text}",))
        raise source.refusal("a budget is a number of requests, or requests=N,seconds=S,cost=C", mark=(1, 10))
    text = f"requests={text}" if text.strip().isdecimal() else text
    column = line.flag("--budget", text)
    line.value = line.options(text, column, ())
    checker = Checker(line.document())
    return checker.sure(checker.read(Budget, line.value))


def _priced(budget: Budget, text: str, limits: Limits) -> Budget:
    if budget.cost is not None and not limits.price:
        hint = "add limits: {price: {request: 0.002}} to it"
        raise Source("command line", (f"--budget {text}",)).refusal(NO_PRICE, hint, mark=(1, 10))
    return budget
