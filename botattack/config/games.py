"""Games files: which bots play MutualFriends with each other, how often, and what is done to their talk."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from random import Random
from typing import Annotated, Any, get_args

from botattack.config.campaign import leaving, target_named
from botattack.config.campaign_paths import Paths
from botattack.config.checking import Checker
from botattack.config.target import EnvName, TargetConfig, load_target
from botattack.config.yaml import read_yaml
from botattack.errors import BotattackError, TrustRefused
from botattack.files import content
from botattack.games.friends import MOST_ROWS, Deal, Schema, read_schema
from botattack.games.game import CONTROL, Strategy
from botattack.limits import Budget, Limits
from botattack.model import content_id
from botattack.options import BadValue, Count, FileName, JsonObject, Read, count

LARGEST = 16_000_000
"""Bytes of a schema."""


def _rows(value: Any) -> int:
    if 2 <= count(value) <= MOST_ROWS:
        return int(value)
    raise BadValue(f"expected 2 to {MOST_ROWS} rows")


@dataclass(frozen=True, kw_only=True)
class GamesFile:
    """Games of two bots, each of which looks for the friend that both know."""

    target: FileName
    """The target file of the bot that speaks first, relative to this file's folder."""
    partner: FileName | None = None
    """The target file of the other; by default the target plays with itself, in two sessions."""
    schema: FileName
    """The values of the tables: schema.json of CoCoA's MutualFriends, or a file of that form; or ${NAME}/path below a
    folder that a declared environment name leads to."""
    env: tuple[EnvName, ...] = ()
    """The only environment variables that paths of files may begin with, as ${NAME}/path; each names a folder."""
    games: Count = 200
    """How many deals are played, each with every strategy."""
    rows: Annotated[int, Read(_rows, {"type": "integer", "minimum": 2, "maximum": MOST_ROWS})] = 10
    """Friends on the list of each player."""
    turns: Count = 40
    """The most turns of a game, counting both players."""
    strategies: tuple[Strategy, ...] = get_args(Strategy)[1:]
    """How messages are altered; every deal is also played undisturbed."""
    seed: int = 0
    """Decides the tables and every random choice."""
    budget: Budget = field(default_factory=Budget)
    """What the run may use."""


@dataclass(frozen=True)
class GamesConfig:
    """A games file that was read and checked with its target files."""

    path: Path
    keys: GamesFile
    target: TargetConfig
    partner: TargetConfig | None
    schema: Schema

    @property
    def bots(self) -> tuple[TargetConfig, ...]:
        return (self.target,) if self.partner is None else (self.target, self.partner)

    @property
    def strategies(self) -> tuple[Strategy, ...]:
        """The control first."""
        return tuple(dict.fromkeys((CONTROL, *self.keys.strategies)))

    @property
    def limits(self) -> Limits:
        """Those of both bots; a conversation has as many turns as a game."""
        return replace(self.target.limits, turns=self.keys.turns)

    @property
    def settings(self) -> JsonObject:
        """Every option that decides what is played, as plain values."""
        named = {name: vars(self.keys)[name] for name in ("games", "rows", "turns", "seed")}
        return {"schema": content_id("schema", self.schema), "strategies": list(self.strategies), **named}

    def deal(self, game: int) -> Deal:
        """The tables of a game; raises BotattackError if the schema has too few values."""
        try:
            return self.schema.deal(self.keys.rows, Random(content_id("deal", self.keys.seed, game)))
        except ValueError as error:
            raise BotattackError(f"{self.path}: {error}; lower rows, or name a larger schema") from None


def load_games(path: Path | str, **allowed: Any) -> GamesConfig:
    """A games file with its targets; `allowed` is what `load_target` takes in addition to the path.

    Raises ConfigError with all problems of the files, and whatever `load_target` raises.
    """
    path = Path(path)
    document, _ = read_yaml(path)
    checker, folder = Checker(document), path.parent
    given = document.mapping
    raw = checker.read(GamesFile, document.value)
    named, paths = given.get("schema"), Paths(checker, folder, allowed.get("environ"))
    file = paths.file(named, ("schema",)) if isinstance(named, str) and named else None
    schema = _schema(checker, file) if file else None
    loader = partial(load_target, **allowed)
    target, refusal = target_named(checker, folder, given.get("target"), loader)
    partner, refused = target_named(checker, folder, given.get("partner"), loader, "partner")
    if target and partner and target.limits != partner.limits:
        sentence = f"{target.path} and {partner.path} give different limits"
        checker.wrong(("partner",), sentence, "make them agree: both bots are asked at one pace")
    checker.finish(refusal or refused)
    assert raw and target and file and schema  # noqa: S101, PT018  # finish() has raised otherwise
    config = GamesConfig(path, raw, target, partner, schema)
    leaves = [problem for bot in config.bots for problem in leaving(document, bot, [(("schema",), file)], folder)]
    if leaves and not allowed.get("allow_code"):
        raise TrustRefused(problems=tuple(leaves))
    config.deal(0)
    return config


def _schema(checker: Checker, file: Path) -> Schema | None:
    try:
        return read_schema(content(file, LARGEST))
    except (OSError, ValueError, RecursionError) as error:
        checker.wrong(("schema",), f"{file.name} is not a schema of MutualFriends: {error}")
        return None
