"""A story as one page that needs no network and, unless a script is given to it, runs none."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator
from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import TYPE_CHECKING

import msgspec

from botattack.report.story.blocks import Block, Chart, Point, Story
from botattack.report.wording.marks import NOTHING

if TYPE_CHECKING:
    from jinja2 import Environment

WIDTH, HEIGHT, LEFT, TOP, RIGHT, BOTTOM = 480, 180, 54, 10, 24, 25
"""Units of a chart, and the room around it for its scales: about as many as a phone has pixels."""
INSET = 12
"""Units between the scale and the first point, whose ring would cover it."""
DAYS = 4
"""Days that have room below a chart, in the larger letters of a phone."""


def lines(story: Story) -> Iterator[str]:
    """The page of a story without a script."""
    yield page(story)


def page(story: Story, script: str = "", data: str = "") -> str:
    """The whole page; `script` names a file beside the template, `data` is the HTML of the data blocks it reads."""
    return rendered("story.html", ("page.css",), script, story=story, data=data, **drawing())


def drawing() -> dict[str, object]:
    """What a template needs to draw blocks with the macros of `blocks.html`."""
    placed: set[str] = set()

    def anchor(unit: str) -> str:
        """The id of an example that links lead to: the first of a unit has it, as ids of a page are unique."""
        first = unit not in placed
        placed.add(unit)
        return unit if first else ""

    return {
        "anchor": anchor,
        "x": _x,
        "y": _y,
        "ticks": _ticks,
        "runs": _runs,
        "size": (WIDTH, HEIGHT, LEFT),
        "kind": _kind,
        "NOTHING": NOTHING,
    }


def json_inside(value: object) -> str:
    """JSON in a page, which no text in it can end."""
    text = msgspec.json.encode(value).decode()
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _kind(block: Block) -> str:
    return type(block).__name__


def _x(chart: Chart, number: int) -> float:
    """Where the number-th point is drawn; a single one in the middle."""
    last = len(chart.points) - 1
    left = LEFT + INSET
    return round(left + (WIDTH - left - RIGHT) * (number / last if last else 0.5), 1)


def _y(share: float) -> float:
    return round(TOP + (HEIGHT - TOP - BOTTOM) * (1 - share), 1)


def _ticks(chart: Chart) -> list[tuple[float, str]]:
    """Places and days of all points, or of every second, third … until the last, as far as there is room."""
    last = len(chart.points) - 1
    every = 1 + last // DAYS
    return [(_x(chart, number), chart.points[number].day) for number in range(last % every, last + 1, every)]


def _runs(chart: Chart) -> Iterator[str]:
    """The points of each unbroken line: a day with too little to say is a gap."""
    run: list[str] = []
    for number, point in enumerate((*chart.points, Point("", "", None))):
        if point.share is not None:
            run.append(f"{_x(chart, number)},{_y(point.share)}")
        elif run:
            yield " ".join(run)
            run = []


def rendered(template: str, styles: tuple[str, ...], script: str = "", **values: object) -> str:
    """A page made of the files of these names; `values` are what its template shows."""
    style = "".join(map(_file, styles))
    code = _file(script) if script else ""
    return (
        _environment()
        .get_template(template)
        .render(style=style, style_hash=_hash(style), script=code, script_hash=_hash(code), **values)
    )


@cache
def _environment() -> Environment:
    """Compiled once for all pages of a night or of `view`."""
    from jinja2 import Environment, FunctionLoader, StrictUndefined

    return Environment(
        loader=FunctionLoader(_file), autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )


def _file(name: str) -> str:
    return (files("botattack.report") / "page").joinpath(name).read_text("utf-8")


def _hash(text: str) -> str:
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"
