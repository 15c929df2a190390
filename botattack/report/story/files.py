"""The files of a report written as a story: JSON of its figures, Markdown, and a page."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any, ParamSpec

import msgspec

from botattack.places import write_place
from botattack.report.report_files import ReportFiles
from botattack.report.story import in_html, in_markdown
from botattack.report.story.blocks import Story

P = ParamSpec("P")


def story_files(what: str, story: Callable[P, Story], figures: Callable[P, Any]) -> ReportFiles[P]:
    """What is written of a story, by how the name of the file ends; `figures` is what JSON contains."""

    def as_json(*given: P.args, **more: P.kwargs) -> Iterator[str]:
        yield json_text(figures(*given, **more))

    def as_markdown(*given: P.args, **more: P.kwargs) -> Iterator[str]:
        return in_markdown.lines(story(*given, **more))

    def as_page(*given: P.args, **more: P.kwargs) -> Iterator[str]:
        return in_html.lines(story(*given, **more))

    return ReportFiles(what, {".json": as_json, ".md": as_markdown, ".html": as_page})


def encoded(figures: Any) -> Any:
    """The figures' own encoding: their fields by name, in the order in which they are declared."""
    return msgspec.to_builtins(figures, str_keys=True, enc_hook=write_place)


def json_text(figures: Any) -> str:
    """What a JSON report contains (docs/report.schema.json)."""
    return json.dumps(encoded(figures), indent=2, ensure_ascii=False)
