"""`run --resume FOLDER` alone: the flags of the command that made the recording."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource


def as_recorded(ctx: click.Context) -> dict[str, Any]:
    """The flags that the recording in `resume` was made with, under those that are given today.

    Raises RecordingError if its command cannot be run again as it is.
    """
    from botattack.errors import RecordingError
    from botattack.recordings import manifest

    flags, folder = ctx.params, ctx.params["resume"]
    made = manifest.read(folder)
    again = f"name the campaign: botattack run CAMPAIGN --resume {folder}"
    if made.is_night:
        raise RecordingError(f"{folder} is a night; continue it with botattack nightly CAMPAIGN --resume {folder}")
    if made.command[:1] != ["run"]:
        raise RecordingError(f"{folder} was not made by botattack run; {again}")
    try:
        then = ctx.command.make_context("run", list(made.command[1:]), parent=ctx.parent)
    except click.UsageError as error:
        said = error.format_message().rstrip(".")
        raise RecordingError(
            f"{folder} cannot be continued as it was made ({said}); go to the folder it was made in, or {again}"
        ) from None
    ctx.call_on_close(then.close)
    sources = {name: ctx.get_parameter_source(name) for name in flags}
    given = {name for name, source in sources.items() if source not in (ParameterSource.DEFAULT, None)}
    merged = {**then.params, **{name: flags[name] for name in given}, "resume": folder}
    merged["campaigns"] = _of_target(then.params["campaigns"], made.target)
    return merged


def _of_target(campaigns: tuple[Path, ...], target: str) -> tuple[Path, ...]:
    """Of campaigns that ran side by side, the one over this bot."""
    if len(campaigns) < 2:
        return campaigns
    from botattack.config.campaign import load_campaign

    return tuple(path for path in campaigns if load_campaign(path, allow_code=True).target.name == target)
