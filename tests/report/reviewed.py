"""Recordings for readers, made by hand, and readers who answer them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from botattack.events import Event
from botattack.model import Edit
from botattack.recordings import manifest, reviews
from botattack.recordings.redaction import Redactor
from botattack.recordings.reviews import Item, Review
from botattack.recordings.writer import EVENTS, Recorder
from tests.report.streams import RUN, Asking, Try, ended, stream

HOSTILE = "</script><script>window.owned=1</script><img src=x onerror='window.owned=1'>\u202eevil\u200b{{7*7}}"
PERSIAN = "پایتخت فرانسه کجاست"


def askings(number: int, tries: int = 4) -> list[Asking]:
    """Questions of which every variant has a text and a reply of its own."""
    made = []
    for at in range(number):
        own = tuple(
            Try("wrong" if n % 2 else "correct", (Edit(0, "w", f"{n}w", "typo"),), reply=f"City{at}.{n}")
            for n in range(tries)
        )
        made.append(Asking(f"what is the capital of country {at}", (f"City{at}",), tries=own, reply=f"City{at}"))
    return made


def recording(folder: Path, told: Iterable[Event]) -> Path:
    folder.mkdir(parents=True)
    made = manifest.Manifest(run=RUN, target="alice", started="", seed=7, settings={}, digests={})
    manifest.write(folder, made)
    (folder / EVENTS).touch()
    with Recorder(folder, Redactor()) as recorder:
        for event in told:
            recorder(event)
    return folder


def a_run(folder: Path, questions: int = 20, tries: int = 4, *more: Asking) -> Path:
    return recording(folder, stream([*askings(questions, tries), *more], {"dpaeg": "same"}, ended()))


def the_review(folder: Path) -> Review:
    (path,) = folder.glob("review-*.json")
    found = reviews.read(folder, path.stem.removeprefix("review-"))
    assert found is not None
    return found


Says = Callable[[Item], str]


def attentive(item: Item) -> str:
    """Knows what is known, and calls everything else by its first answer."""
    return next((word for word, label in item.means.items() if label == item.expected), next(iter(item.means)))


def answers(folder: Path, review: Review, reader: str, says: Says = attentive, **changes: Any) -> Path:
    """What a page saves."""
    path = folder / f"answers-{reader}.json"
    said = [{"item": item.id, "answer": says(item), "seconds": 1.5} for item in review.order(reader)]
    path.write_text(json.dumps({"review": review.id, "reader": reader, "answers": said} | changes))
    return path
