"""MutualFriends (He et al. 2017, "Learning Symmetric Collaborative Dialogue Agents with Dynamic Knowledge Graph
Embeddings", 2): two players, each with a private list of friends, look for the one that is on both. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from random import Random
from typing import Annotated, Any

import msgspec

from botattack.model import Value

MOST_ROWS = 50
"""Friends on the list of a player, at most."""
Short = Annotated[str, msgspec.Meta(max_length=200)]
Row = Annotated[tuple[Short, ...], msgspec.Meta(max_length=16)]
Table = Annotated[tuple[Row, ...], msgspec.Meta(max_length=MOST_ROWS)]
FEW, MOST = 3, 4
"""Attributes of a deal; the name is always one."""
SPREADS = (0.3, 1.0, 3.0)
"""How evenly the values of an attribute are spread over the rows (alpha of a Dirichlet distribution): each attribute
has one of these."""
POOL = 1000
"""Rows that are drawn at most for one deal: where values hardly spread, many are the same."""
LONGEST = 2_000
"""Characters of a message that the other player hears; the rest is cut."""
ACTION = "SELECT"
_ACTION = re.compile(rf"^(?:[^\w\n]|_)*{ACTION}\b[^\n]*", re.IGNORECASE | re.MULTILINE)
FRIEND = "Name"
RULES = (
    "Let us play a game. You and I each have a private list of friends. Exactly one friend is on both lists: we must "
    "find out which. Talk to me in short plain sentences about your friends; I do the same. Once you think you know "
    f"the friend, answer with one line: {ACTION}, the name, and the details, as in {ACTION} Ann, Yale University. "
    "A wrong guess costs only a turn."
)
OPENING = "Your friends:"
BEGIN, HEARD = "You begin.", "I begin: "


class Deal(Value, frozen=True, dict=True):
    """What both players have: the attributes, a table for each, and the one row that is in both."""

    attributes: Row
    tables: tuple[Table, Table]
    shared: Row

    def opening(self, player: int, heard: str) -> str:
        """The first message to a player, with the rules, the player's table, and what the other said, if anything."""
        rows = [" | ".join(map(": ".join, zip(self.attributes, row, strict=True))) for row in self.tables[player]]
        return "\n".join([RULES, OPENING, *rows, HEARD + heard if heard else BEGIN])

    @cached_property
    def kinds(self) -> Mapping[str, int]:
        """The attribute of each value of both tables, by its text in lower case."""
        rows = [row for table in self.tables for row in table]
        return {value.lower(): at for row in rows for at, value in enumerate(row)}

    def entities(self, text: str) -> Iterator[re.Match[str]]:
        """The values of both tables that a text mentions, longest first where they overlap."""
        return _values(tuple(sorted(self.kinds))).finditer(text)

    def selected(self, player: int, text: str) -> Row | None:
        """The friend that a message selects; None where it is none of the player's friends, or may be several."""
        named = {found[0].lower() for found in self.entities(action(text))}
        fits = [row for row in self.tables[player] if named and named <= {value.lower() for value in row}]
        return fits[0] if len(fits) == 1 else None

    def confusing(self, value: str, hearer: int) -> list[str]:
        """Values of the same kind that the hearer's table has, and the shared row has not."""
        at = self.kinds[value.lower()]
        others = {row[at] for row in self.tables[hearer]} - {self.shared[at]}
        return sorted(other for other in others if other.lower() != value.lower())


def action(text: str) -> str:
    """The line of a message that selects a friend; empty if it only talks."""
    found = _ACTION.search(text)
    return found[0].strip() if found else ""


@lru_cache(64)
def _values(known: Sequence[str]) -> re.Pattern[str]:
    longest = sorted(known, key=lambda value: (-len(value), value))
    return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, longest))})(?!\w)", re.IGNORECASE)


class Attribute(msgspec.Struct, frozen=True):
    """A column of the tables, and the list that its values are of."""

    name: Short
    value_type: str


class Schema(msgspec.Struct, frozen=True):
    """The file schema.json of CoCoA: the attributes, and the values of each type."""

    attributes: tuple[Attribute, ...]
    values: dict[str, tuple[Short, ...]]

    def __post_init__(self) -> None:
        """Raises ValueError for one that no game can be dealt from."""
        others = [one for one in self.attributes if one.name != FRIEND]
        if len(others) == len(self.attributes) or len(others) < MOST - 1:
            raise ValueError(f"a game needs the attribute {FRIEND} and {MOST - 1} others")
        for one in self.attributes:
            if not any(value.strip() for value in self.values.get(one.value_type, ())):
                raise ValueError(f"the attribute {one.name} has no values")

    def deal(self, rows: int, rng: Random) -> Deal:
        """Two tables of so many rows each, with one row in common; raises ValueError if the values are too few."""
        name = next(one for one in self.attributes if one.name == FRIEND)
        others = [one for one in self.attributes if one.name != FRIEND]
        columns = [name, *rng.sample(others, rng.randint(FEW, MOST) - 1)]
        draws = [self._drawn(one, rows, rng) for one in columns]
        found: dict[Row, None] = {}
        for _ in range(POOL):
            found[tuple([rng.choices(*draw)[0] for draw in draws])] = None
            if len(found) == 2 * rows - 1:
                shared, *rest = found
                first, second = [shared, *rest[: rows - 1]], [shared, *rest[rows - 1 :]]
                rng.shuffle(first)
                rng.shuffle(second)
                return Deal(tuple(one.name for one in columns), (tuple(first), tuple(second)), shared)
        raise ValueError(f"{rows} rows a player are too many for the values of this schema")

    def _drawn(self, one: Attribute, rows: int, rng: Random) -> tuple[list[str], list[float]]:
        """Values of an attribute and how likely each is."""
        values = sorted({" ".join(value.split()) for value in self.values[one.value_type]} - {""})
        pool = rng.sample(values, min(len(values), 2 * rows))
        spread = 1.0 if one.name == FRIEND else rng.choice(SPREADS)
        return pool, [rng.gammavariate(spread, 1.0) + 1e-9 for _ in pool]


def read_schema(content: bytes) -> Schema:
    """Raises ValueError for what is not a schema of CoCoA."""
    read: Any = msgspec.json.decode(content, type=Schema)  # msgspec's errors are ValueErrors
    return read  # type: ignore[no-any-return]
