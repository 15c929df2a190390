"""The files that `init` writes, and what the first campaign says. None of them replaces one that is there."""

from __future__ import annotations

import csv
import io
import re
import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from botattack.audit.beforehand.dryrun import not_asked
from botattack.audit.beforehand.preview import made
from botattack.audit.beforehand.rehearsal import doubtful
from botattack.audit.language_parts import Parts, parts_of
from botattack.audit.starting.call import BadStart
from botattack.audit.starting.draft import SCHEMES
from botattack.config.campaign import QuestionsConfig
from botattack.config.flags import read_attack_flag
from botattack.engine.plan import randomness
from botattack.errors import BotattackError, QuestionsError
from botattack.model import Question
from botattack.protocols import Attack, BadRecord, Context
from botattack.questions.detect import columns_of, reader_for
from botattack.questions.naming import advice, locate
from botattack.questions.order import QuestionSet
from botattack.report.numbers import count


@dataclass(frozen=True)
class StarterFiles:
    """Where they go: side by side, so that a campaign may send its questions wherever its target says."""

    folder: Path
    name: str

    @property
    def target(self) -> Path:
        return self.folder / f"{self.name}-target.yaml"

    @property
    def campaign(self) -> Path:
        return self.folder / f"{self.name}.yaml"

    @property
    def env(self) -> Path:
        return self.folder / f"{self.name}.env.example"

    @property
    def template(self) -> Path:
        return self.folder / f"{self.name}-questions.csv"

    def questions(self, given: Path | None) -> Path:
        """The question file: the given one if it is in the folder or below, else a copy or a template beside it."""
        if given is None:
            return self.template
        if given.resolve().is_relative_to(self.folder.resolve()):
            return self.folder / given.resolve().relative_to(self.folder.resolve())
        return self.folder / f"{self.name}-questions{given.suffix}"

    def check(self, given: Path | None) -> None:
        """Raises BadStart if a file is there already."""
        copied = self.questions(given)
        made = [self.target, self.campaign, self.env]
        if given is None or copied.resolve() != given.resolve():
            made.append(copied)
        if there := next((path for path in made if path.exists()), None):
            raise BadStart(f"{there} is there already; give another --name or --into, or move it away")

    def begin_questions(self, given: Path | None, asks: Sequence[str]) -> Path:
        """The question file: copied, written as a template, or left where it is."""
        path = self.questions(given)
        if given is None:
            _write(path, template_of(asks))
        elif path.resolve() != given.resolve():
            with given.open("rb") as source, _new(path) as copy:
                shutil.copyfileobj(source, copy)
        return path

    def write(self, target: str, campaign: str, env: Sequence[str]) -> list[Path]:
        """Gives the paths that were written."""
        written = {self.target: target, self.campaign: campaign}
        if env:
            head = (
                f"# Copy this to {self.name}.env, fill it in, and add --env-file {self.name}.env to each command that\n"
                "# asks the bot; its --help names the flag.\n"
            )
            written[self.env] = head + "".join(f"{_sent_as(name, target)}{name}=\n" for name in env)
        for path, text in written.items():
            _write(path, text)
        return [*written]


def _sent_as(name: str, target: str) -> str:
    """A comment on a value of the environment that is sent after a word, which whoever copies a header copies, too."""
    value = rf"\{{\{{ env\.{name} \}}\}}"
    keys = r"^  (?:api_key: |auth: \{bearer: )['\"]"  # of `connect`: a body may have an api_key of its own
    found = re.search(rf"({SCHEMES})\s+{value}|{keys}{value}", target, re.IGNORECASE | re.MULTILINE)
    return f"# Without the word {found[1] or 'Bearer'}, which is sent before it.\n" if found else ""


def template_of(asks: Sequence[str]) -> str:
    """A question file to fill in. A question without an answer is judged against the bot's own stable reply."""
    file = io.StringIO()
    rows = csv.writer(file, lineterminator="\n")
    rows.writerow(["question", "answers"])
    rows.writerows([ask, ""] for ask in asks)
    return file.getvalue()


def _write(path: Path, text: str) -> None:
    with _new(path) as file:
        file.write(text.encode())


def _new(path: Path) -> io.BufferedWriter:
    """A file that was not there; raises BadStart for one that is."""
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        return path.open("xb")
    except FileExistsError:
        raise BadStart(f"{path} is there already; give another --name or --into, or move it away") from None


LIMIT = 50
"""Questions of a first campaign."""
SEED = 7
_LOOKED_AT = 20
"""Questions on which attacks are tried before a campaign names them."""
_MOST = 4
"""Attacks of a first campaign."""
_EACH = 2
"""Variants of a question that a first campaign asks of each attack, where the attack lets one say so."""
_TYPING = ("noise", "case", "punctuation", "filler", "dpaeg", "random-characters", "homoglyph")
_PASSAGES = ("add-sent", "distractor", "order")
_TURNS = ("topic-shift", "ellipsis")


def looked_at(path: Path, columns: Mapping[str, str], format_: str = "") -> tuple[Question, ...]:
    """The first questions of a file; raises QuestionsError if it has none that can be read, or `columns` names a field
    that no question has."""
    read = (row for row in reader_for(path, format_, columns)(path) if isinstance(row, Question))
    found = tuple(islice(read, _LOOKED_AT))
    if not found:
        raise QuestionsError(f"{path} contains no question; give it the columns question and answers")
    return found


def told(path: Path, columns: Mapping[str, str], format_: str = "") -> Iterator[str]:
    """What a run will read of the file: which columns, and how many questions have right answers; raises QuestionsError
    for a file that a run would refuse."""
    asked = QuestionsConfig(path, format_, columns=columns)
    bad: list[BadRecord] = []
    with QuestionSet.load(path, asked.reader(), SEED, on_bad=bad.append) as read:
        at = locate(columns_of(path, format_, columns), columns)
        named = "".join(f"{field} from {at[field].strip()!r}, " for field in ("question", "answers") if field in at)
        right = sum(question.has_gold for question, _ in read)
        yield f"questions  {named}{right:,} of {count(len(read), 'question')} with right answers"
        yield from (f"weaker     {sentence}" for sentence in doubtful(asked, read))
        yield from not_asked(read, bad)


def fitting(looked: Sequence[Question]) -> list[str]:
    """A few attacks that work here and change most of the questions, the plainest first."""
    turns = _TURNS if any(question.earlier for question in looked) else ()
    passages = _PASSAGES if _have_passages(looked) else ()
    names = [*passages, *turns, *_TYPING]
    found: list[str] = []
    for name in names:
        if len(found) < _MOST and _fits(name, looked):
            found.append(name)
    return found


def _fits(name: str, questions: Sequence[Question]) -> bool:
    try:
        attack = read_attack_flag(name)
        parts = parts_of([attack])
        return 2 * sum(_changes(attack, parts, question) for question in questions) > len(questions)
    except BotattackError:  # a part is missing
        return False


def _changes(attack: Attack, parts: Parts, question: Question) -> bool:
    if not attack.works_in(question.language):
        return False
    rng = randomness(SEED, attack.name, question)
    return any(True for _ in made(attack, Context(question, (), parts.data), rng, parts.handlers))


def _have_passages(looked: Sequence[Question]) -> bool:
    return any(question.passages for question in looked)


def campaign_text(
    files: StarterFiles, questions: Path, columns: Mapping[str, str], format_: str = "", *, pasted: bool = True
) -> str:
    """The campaign file, in which passages are `pasted` before the question unless the bot takes them by themselves. It
    has no gates: which figures are good enough is not known before the first."""
    own = f"{advice(**columns)[1:-1]}, " if columns else ""
    own += f"format: {format_}, " * bool(format_)
    looked, name = looked_at(questions, columns, format_), files.name
    file = _quoted(questions.relative_to(files.folder).as_posix())
    pasted = pasted and _have_passages(looked)
    lines = [
        f"# A first campaign against {name}: botattack run --dry-run says what it asks, then run it without --dry-run.",
        f"target: {files.target.name}",
        f"questions: {{file: {file}, {own}limit: {LIMIT}}}    # a sample; take the limit out to ask all",
        f"seed: {SEED}",
        *(["carrier: message    # passages are pasted before the question"] if pasted else []),
        "unchanged: true    # the control: correct answers are asked for again in the same words",
        f"variants: {{per_question: {_EACH}}}    # at most, by each attack",
        "attacks:    # botattack attacks list shows more",
        *(f"  - {each}" for each in fitting(looked)),
    ]
    return "\n".join(lines) + "\n"


def _quoted(text: str) -> str:
    import json

    return json.dumps(text, ensure_ascii=False)
