"""Right answers proposed from what a bot said itself, for people to confirm, correct or drop; and their decisions."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from math import log
from pathlib import Path
from typing import Any

from botattack.audit.judged import boilerplate_of
from botattack.cases import QuestionCase, cases
from botattack.errors import BotattackError
from botattack.events import QuestionOpened, RunStarted
from botattack.matchers.courtesies import body
from botattack.matchers.evidence.answer_key import answer_key
from botattack.matchers.evidence.reading import Reading, read
from botattack.matchers.judge import Judge
from botattack.matchers.learned import declining
from botattack.model import GoldAnswer, Reply
from botattack.questions.lines import table
from botattack.recordings import manifest
from botattack.recordings.locks import writing
from botattack.recordings.reader import events
from botattack.recordings.triage import marked_events
from botattack.report.report_files import whole_file
from botattack.report.writers.csv_file import cell, uncelled

LEAST = 0.7
"""The probability from which a reply is proposed; of less sure ones, only the replies are shown."""
_ASIDE = 0.6
"""What the probability of a claim is multiplied by that may be about something else than its question."""
_GIVEN = ("passages", "history", "times_asked")
TABLE = "golds.csv"
"""The table that `botattack view` reads and writes, in the folder of the recording."""
COLUMNS = ("id", "question", "proposed", "sure", "decision")
"""Before those of the replies, "reply 1" and so on."""
_REPLY = "reply "


def proposals(folder: Path) -> list[dict[str, str]]:
    """The rows of the table, one for every question of a run that has no right answer and got stable replies: what the
    bot replied each time, and which claim of it may be the answer. Most asked and least sure questions come first.

    The probability is that a reader takes all replies for the claim. It is lowered (_ASIDE) if the question asks two
    things, if another question's claim fits this question better, or if this claim fits another question better. It
    does not know whether the claim is true. Raises RecordingError.
    """
    boilerplate = boilerplate_of(manifest.read(folder))
    right = (case for case in cases(marked_events(folder)) if case.right and not case.question.has_gold)
    asked = sorted(right, key=lambda one: (-one.question.times_asked, one.question.key))
    found = [_Seen(case, boilerplate.without) for case in asked]
    ranked = [(rank, one.sure(fits), one) for rank, (one, fits) in enumerate(_fitting(found), 1)]
    # How often a question is asked falls with its rank about as 1/rank does. 1.01 instead of 1 leaves a sure claim a
    # little doubt, so that one asked very often comes before a doubtful one that is hardly ever asked.
    ranked.sort(key=lambda item: (-(1.01 - item[1]) / item[0], item[0]))
    return [one.row(sure) for _, sure, one in ranked]


class _Seen:
    """A question with the claim that its replies have in common."""

    def __init__(self, case: QuestionCase, without: Any) -> None:
        self.case = case
        prompt = case.question.prompt.spoken(case.question.lang)
        self._context, self._prompt = answer_key(prompt.text, (), prompt.lang), prompt
        units = case.original.units if case.original else ()
        self.replies = tuple([case.asked[unit].reply for unit in units if unit in case.asked])
        self.content = self._content(self._context.question)
        asked = map(self._context.language.questions.get, self._context.question.words)
        self.asks_twice = len([kind for kind in asked if kind not in (None, "polar", "how_many")]) > 1
        self.claim = min((self._claim(without(reply)) for reply in self.replies), key=len, default="")
        self.said = self._content(read(self.claim, self._context.language))

    def _claim(self, reply: str) -> str:
        """A reply without greetings and offers of help."""
        said = body(read(reply, self._context.language), self._context)
        if not said.words:
            return ""
        end = said.spans[-1][1]
        return (reply[said.spans[0][0] : end] + reply[end : end + 1].strip()).strip()

    def _content(self, said: Reading) -> frozenset[str]:
        skipped = self._context.language.function_words
        return frozenset(stem for word, stem in zip(said.words, said.stems, strict=True) if word not in skipped)

    def sure(self, fits: bool) -> float:
        """The probability of the claim; `fits` says whether it is about the question."""
        gold = (GoldAnswer(self.claim),)
        same = [Judge().judge(self._prompt, Reply(reply), gold, ()).probability or 0.0 for reply in self.replies]
        refused = not self.claim or declining(self._prompt, self.claim)
        return 0.0 if refused else min(same, default=0.0) * (1 if fits else _ASIDE)

    def row(self, sure: float) -> dict[str, str]:
        """What the table says of the question."""
        claim, question = self.claim if sure >= LEAST else "", self.case.question
        asked = "\n".join(turn.text for turn in question.turns)
        cells = (question.id, cell(asked), cell(claim), f"{sure:.2f}", "")
        said = {f"{_REPLY}{at}": cell(reply) for at, reply in enumerate(self.replies, 1)}
        return dict(zip(COLUMNS, cells, strict=True)) | said


def _fitting(found: Sequence[_Seen]) -> Iterator[tuple[_Seen, bool]]:
    """Whether each question and its claim belong together: it asks one thing, no other claim, nor a question that got
    it, shares more with the question, and no other question shares more with the claim. A word counts the more the
    fewer have it (idf)."""
    uses = Counter(word for one in found for word in one.content | one.said)

    def shared(some: frozenset[str], others: frozenset[str]) -> int:
        return sum(round(1e6 * log((1 + len(found)) / uses[word])) for word in some & others)

    for one in found:
        own, replies = 0 if one.asks_twice else shared(one.content, one.said), {*one.replies}
        owner = own > 0 and all(shared(each.content, one.said) <= own for each in found)
        others = [each for each in found if owner and each is not one]
        about = [(shared(one.content, each.content | each.said), bool(replies & {*each.replies})) for each in others]
        # Of equals, its own claim counts as the best.
        yield one, owner and max([(own, True), *about])[1]


def decided(folder: Path, path: Path) -> Iterator[dict[str, Any]]:
    """The questions of a run without a right answer as records of a question file, with the answers that people
    confirmed or corrected in the table. What they dropped is left out; what they left open has no answer. Raises
    BotattackError for a wrong table."""
    every = list(rows(path))
    decisions = {row["id"]: row for row in every}
    if len(decisions) < len(every):
        raise BotattackError(f"{path} has a question in two rows; keep one of them")
    open_ones = [case.question for case in cases(marked_events(folder)) if not case.question.has_gold]
    if unknown := sorted(decisions.keys() - {question.id for question in open_ones}):
        which = f"no question {unknown[0][:40]!r} without a right answer"
        raise BotattackError(f"{path}: {folder} has {which}; name the run that the table was made from")
    for question in sorted(open_ones, key=lambda one: one.key):
        row = decisions.get(question.id, {})
        if row.get("decision") != "no":
            answer = uncelled(row["proposed"].strip() or row.get("reply 1", "").strip()) if row.get("decision") else ""
            last: dict[str, object] = {"answers": [answer]} if answer else {}
            turns = [*(turn.text for turn in question.earlier), {"user": question.text, **last}]
            asked = {"turns": turns} if question.earlier else {"question": question.text, **last}
            given = {name: value for name in _GIVEN if (value := getattr(question, name))}
            yield {"id": question.key or question.id, **asked, "lang": question.lang, **given}


def unasked(folder: Path) -> int:
    """How many questions a run that stopped did not come to."""
    told = list(filter(lambda event: isinstance(event, RunStarted | QuestionOpened), events(folder)))
    opened = {event.question.base for event in told if isinstance(event, QuestionOpened)}
    return max((event.total + event.gone for event in told if isinstance(event, RunStarted)), default=0) - len(opened)


def rows(path: Path) -> Iterator[dict[str, str]]:
    """The cells of each row by their columns; raises BotattackError for what is no row of such a table."""
    for line, row in table(path):
        if isinstance(row, str) or not {"id", "proposed", "decision"} <= row.keys():
            raise BotattackError(f"{path}:{line}: it is no row of a table that botattack judge golds wrote")
        said = row["decision"].strip().lower()
        if said not in ("", "yes", "no"):
            raise BotattackError(f"{path}:{line}: the decision is {said[:20]!r}; write yes, no, or nothing")
        yield row | {"decision": said}


def replies(row: Mapping[str, str]) -> list[str]:
    """What the bot said to the question of a row, each reply once."""
    return list(dict.fromkeys(said for name, said in row.items() if name.startswith(_REPLY) and said))


def decide(path: Path, question: str, decision: str, answer: str | None = None) -> None:
    """Writes what a person says of one question into its row: `yes`, `no`, or nothing to leave it open again; `answer`
    takes the place of the proposed one. All other cells stay as they are, and several processes may decide at once.
    Raises BotattackError for a wrong table, a question that it lacks, and `yes` to no answer."""
    with writing(path):
        every = list(rows(path))
        row = next((row for row in every if row["id"] == question), None)
        if row is None:
            raise BotattackError(f"{path} has no question {question[:40]!r}; load the page again")
        if answer is not None and answer != uncelled(row["proposed"]):
            row["proposed"] = cell(answer.strip())
        if decision == "yes" and not row["proposed"]:
            raise BotattackError("no answer is proposed here: write the right one, or drop the question")
        row["decision"] = decision
        write_table(path, every)


def propose(folder: Path) -> None:
    """Writes the table into the folder of the recording, if it has none yet. Raises BotattackError."""
    found, path = proposals(folder), folder / TABLE
    with writing(path):
        if not path.exists():
            write_table(path, found)


def write_table(path: Path, every: Sequence[dict[str, str]]) -> None:
    """Writes the table that people fill in, with the columns that any of its rows has; raises ReportError."""
    with whole_file(path, newline="") as file:
        written = csv.DictWriter(file, dict.fromkeys(chain(*every)) or COLUMNS, restval="")
        written.writeheader()
        written.writerows(every)
