"""What `init` asks its user, and what it says where nobody can answer."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from typing import Any

import click


def asked(
    question: str, flag: str, given: Mapping[str, object], default: str | None, kind: Any = None, *, quiet: bool = False
) -> str:
    """An answer of the user; the default with --yes. Where nobody can answer, says which flag does."""
    if given["yes"] and default is not None:
        return default
    try:
        return str(click.prompt(question, default=default, type=kind, err=True, show_default=not quiet))
    except (click.Abort, OSError):
        wanted = "; ".join(dict.fromkeys([flag, *_unsaid(given)]))
        other = "" if given["yes"] else "; or --yes for what is proposed"
        raise click.UsageError(f"nobody is here to answer {question!r}: give {wanted}{other}") from None


def _unsaid(given: Mapping[str, object]) -> Iterator[str]:
    """The flags of everything that may still be asked; with --yes, of what has no proposal."""
    kind, called, proposed = given["kind"], given["command"] or given["openapi"] or given["har"], given["yes"]
    body = kind not in ("page", "openai", "local")
    asked = {
        "--kind": not (called or kind or proposed),
        "--url": not (called or given["url"]),
        "--model": kind == "openai" and not given["model"],
        "--send-json": body and not (called or given["send_json"] or proposed),
        "--ask": not given["asks"] and (kind == "page" or not proposed),
        "--send": given["send"] is None and not proposed,
        "--questions": given["questions"] is None and not proposed,
    }
    return (flag for flag, open_ in asked.items() if open_)


def agreed(question: str, flags: str = "--send or --no-send") -> bool:
    try:
        return click.confirm(question, default=True, err=True)
    except (click.Abort, OSError):
        raise click.UsageError(f"nobody is here to answer {question!r}: give {flags}") from None


def wanted(question: str) -> bool:
    with suppress(click.UsageError):  # nobody is here, and all files are written
        return agreed(question)
    return False


def shown(text: str, replies: Iterable[str] = (), sent: str = "") -> str:
    """A text on one line; a long reply is cut around what is neither in another of the `replies` nor in what was
    `sent`."""
    from botattack.report.escape import flowing

    return flowing(text, usual=next((reply for reply in replies if reply != text), ""), sent=sent)
