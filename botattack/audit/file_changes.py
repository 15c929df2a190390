"""What has changed in a question file since a run asked it."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from botattack.audit.job import WHOLE, Shard, load_questions
from botattack.config.campaign import CampaignConfig
from botattack.errors import BotattackError
from botattack.events import QuestionOpened, RunStarted
from botattack.model import Question
from botattack.recordings.reader import events


def changed(campaign: CampaignConfig, recording: Path, shard: Shard = WHOLE) -> str:
    """`1 removed, 2 added, 1 with another answer` of the questions of a run of this campaign; empty if none changed, or
    if its file can be read only once. Questions that the run had not asked yet are counted, not compared."""
    if not campaign.questions.file.is_file():
        return ""
    with suppress(BotattackError):
        asked, total = dict[str, Question](), 0
        for event in events(recording):
            if isinstance(event, QuestionOpened):
                asked[event.question.id] = event.question
            elif isinstance(event, RunStarted):
                total = event.total + event.gone
        return _told(campaign, asked.values(), max(0, total - len(asked)), shard)
    return ""


def _told(campaign: CampaignConfig, asked: Iterable[Question], waiting: int, shard: Shard) -> str:
    before = {_seen(question): _right(question) for question in asked if not question.masked}
    masked, now = sum(bool(question.masked) for question in asked), dict[int, int]()
    with load_questions(campaign, [], shard) as found:
        for question, _ in found:
            now[_seen(question)] = _right(question)
    kept = before.keys() & now.keys()
    counts = {
        "removed": len(before) - len(kept),
        "added": len(now) - len(kept) - waiting - masked,
        "with another answer": sum(before[seen] != now[seen] for seen in kept),
    }
    return ", ".join(f"{number:,} {what}" for what, number in counts.items() if number > 0)


def _seen(question: Question) -> int:
    """The same whatever way its passages are sent, and whatever language it is taken for."""
    earlier = tuple(turn.text for turn in question.earlier)
    return hash((question.text, question.passages, question.history, earlier))


def _right(question: Question) -> int:
    earlier = tuple((frozenset(turn.answers), turn.requires) for turn in question.earlier)
    return hash((frozenset(question.answers), question.requires, earlier))
