"""Every exception botattack raises on purpose.

BotattackError                  one clear sentence; `exit_status` is what the process ends with
├── ConfigError                 2  every problem of a file, each with file, line and column
├── QuestionsError              2  a question set that cannot be read, or is empty
├── MissingPart                 2  an extra or a language part that is not installed
├── TrustRefused                2  a file that would run code, reach another host, or lacks consent
├── RecordingError              2  a recording that is damaged, locked, full or of another run
├── TargetDown                  3  the bot cannot be reached, or failed too often in a row
├── RunStopped                  4  a budget, a quota or a wait longer than allowed; resumable
└── TargetError                 3  one attempt failed; the run continues, and ends like this if nothing else ever comes
    ├── Unreachable                refused, unknown host, TLS: surely not delivered
    ├── TimedOut                   no complete answer before the deadline
    ├── RateLimited                the bot asked us to wait
    ├── ServerFailed               5xx
    ├── BrokenReply                reset, cut short, not the protocol it should be
    ├── RequestRefused          2  4xx
    ├── HostRefused             2  a host the target file does not name
    ├── ExtractionFailed        2  an answer came, but not where the target file says
    └── TargetFault                code of the target raised something else
"""

from __future__ import annotations

import errno
import os
import sys
import traceback
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import ClassVar, Protocol

QUOTED = 200
"""Characters of what a bot said that an error quotes."""

BESIDE = 10_000
"""Names of a folder that a misspelt one is compared with, at 20 µs each."""

LONGEST_FAULT = 300
"""Characters of an exception's own words that are kept, as they may quote a whole reply. Longer words are left out
instead of being cut: half a secret would no longer be recognised and masked."""


class BotattackError(Exception):
    """One sentence a user can act on."""

    exit_status: ClassVar[int] = 2


@dataclass(frozen=True)
class Problem:
    """What is wrong at one place of a file. Lines and columns count from 1; `path` is dotted; `hint` is how to fix
    it."""

    file: str
    line: int
    column: int
    path: str
    message: str
    hint: str = ""
    source: str = ""

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}:{self.column}: " + (f"{self.path}: " if self.path else "")
        hint = f" ({self.hint})" if self.hint else ""
        caret = f"\n    {self.source}\n    {' ' * (self.column - 1)}^" if self.source else ""
        return f"{place}{self.message}{hint}{caret}"


class ConfigError(BotattackError):
    """All problems of one file at once."""

    def __init__(self, problems: tuple[Problem, ...]) -> None:
        super().__init__("\n".join(map(str, problems)))
        self.problems = problems


class QuestionsError(BotattackError):
    """A question set that cannot be used."""


class MissingPart(BotattackError):
    """Something that has to be installed first; the sentence holds the command."""


class TrustRefused(BotattackError):
    """A file asked for more than the user allowed; `problems` are the places where it did."""

    def __init__(self, message: str = "", problems: tuple[Problem, ...] = ()) -> None:
        super().__init__(message or "\n".join(map(str, problems)))
        self.problems = problems


class RecordingError(BotattackError):
    """A recording that cannot be read or written."""


class TargetDown(BotattackError):
    """The bot is not there, or stopped answering."""

    exit_status = 3


class RunStopped(BotattackError):
    """A limit the user set, or a quota of the bot's, ended the run; it can be resumed."""

    exit_status = 4


class Excerpt(Protocol):
    """Makes of a text from outside what may be shown of it. `last` asks for its last line in place of its beginning."""

    def __call__(self, said: str, *, last: bool = False) -> str: ...


def excerpt(said: str, *, last: bool = False) -> str:
    """The beginning of a text, or of its last line, on one printable line of at most QUOTED characters.

    Only for a text in which every secret is masked already: a secret that is cut in two is found by nobody.
    """
    text = said.strip().rpartition("\n")[2] if last else said
    line = " ".join("".join(c if c.isprintable() else " " for c in text[: 10 * QUOTED]).split())
    return line if len(line) <= QUOTED else line[: QUOTED - 1] + "…"


def withheld(said: str, *, last: bool = False) -> str:
    """Shows nothing, for whoever does not know which secrets there are."""
    del said, last
    return ""


class TargetError(BotattackError):
    """One attempt to ask failed.

    The sentence is botattack's own. `said` is what a bot, a page or a program said, uncut; `last` says that the reason
    is in its last line. It may contain secrets: `str` leaves it out, `told` shows what an `Excerpt` makes of it.

    `delivered` is False if the bot surely did not get the request, None if nobody can know.
    `retry_after` is in seconds. `place` is the position in the target file that is to blame, if one is.
    """

    exit_status = 3
    kind: ClassVar[str] = "failed"
    retryable: ClassVar[bool] = False

    def __init__(
        self,
        message: str,
        *,
        said: str = "",
        last: bool = False,
        status: int | None = None,
        delivered: bool | None = None,
        retry_after: float | None = None,
        place: str = "",
    ) -> None:
        super().__init__(message)
        self.__notes__: list[str] = []
        self.said = said
        self.last = last
        self.status = status
        self.delivered = delivered
        self.retry_after = retry_after
        self.place = place

    def told(self, excerpt: Excerpt) -> str:
        """The sentence with what was said."""
        said = excerpt(self.said, last=self.last)
        return f"{self}: {said}" if said else str(self)


class Unreachable(TargetError):
    kind = "unreachable"
    retryable = True


class TimedOut(TargetError):
    kind = "timeout"
    retryable = True


class RateLimited(TargetError):
    kind = "rate limited"
    retryable = True


class AskedTooOften(RateLimited):
    """A sign of the target file says so; nobody has shut the pace yet."""


class ServerFailed(TargetError):
    kind = "server error"
    retryable = True


class BrokenReply(TargetError):
    kind = "broken reply"
    retryable = True


class RequestRefused(TargetError):
    exit_status = 2
    kind = "request refused"


class HostRefused(TargetError):
    exit_status = 2
    kind = "host refused"


class ExtractionFailed(TargetError):
    exit_status = 2
    kind = "extraction failed"


class TargetFault(TargetError):
    """A target raised an exception that is no TargetError. It costs that attempt, and is counted by its place."""

    def __init__(self, error: Exception) -> None:
        fault = Fault.of(error)
        super().__init__(f"the target failed with {fault.kind}", said=fault.why)
        self.kind = fault.kind  # type: ignore[misc]  # each exception is counted by itself


class PlayFailed(TargetError):
    """A play raised an exception, or said nothing at all: the conversation ends, and the bot is not to blame."""

    kind = "play failed"

    def __init__(self, play: str, why: Exception | str) -> None:
        fault = Fault.of(why).why if isinstance(why, Exception) else why
        super().__init__(f"the play {play!r} failed", said=fault, delivered=True)


@dataclass(frozen=True)
class Fault:
    """An exception that costs one answer or one attack and not the run.

    `kind` names the exception and its place ("IndexError at botattack.matchers.gold:17"), and never quotes what was
    judged, so that equal faults can be counted; `why` adds the exception's own words.
    """

    kind: str
    why: str

    @classmethod
    def of(cls, error: Exception) -> Fault:
        """The place is the innermost line outside of Python's own library, which only raises what others asked for."""
        place = "an unknown place"
        for frame, line in traceback.walk_tb(error.__traceback__):
            module = str(frame.f_globals.get("__name__", "?"))
            if module.partition(".")[0] not in sys.stdlib_module_names:
                place = f"{module}:{line}"
        # The traceback module survives an exception whose own text cannot be made.
        said = " ".join("".join(traceback.format_exception_only(error)).split())
        name = type(error).__name__
        if len(said) > LONGEST_FAULT:
            said = f"{name}, whose {len(said):,} characters are left out"
        return cls(f"{name} at {place}", f"{said} (at {place})")


def our_fault(error: Exception) -> str:
    """A sentence that names a private file with the traceback. What the exception says is only written there: it may
    contain anything, secrets too."""
    import tempfile

    with tempfile.NamedTemporaryFile("w", prefix="botattack-", suffix=".txt", delete=False) as file:
        file.write("".join(traceback.format_exception(error)))
    kind = type(error).__name__
    return f"this is a fault of botattack, not yours ({kind}); look {file.name} over for secrets, then please report it"


def nearest(word: str, known: Iterable[str]) -> str:
    """The hint that names the nearest valid word, or all of them; of several valid words, that they are several."""
    from difflib import get_close_matches  # of no use before a mistake

    known = sorted(set(known))
    if "," in word and {*word.split(",")} <= {*known}:
        return "give each name on its own: repeat the flag, or write a list"
    near = get_close_matches(word, known, 1, 0.6)
    if near:
        return f"did you mean {near[0]!r}?"
    return "known: " + ", ".join(known) if known else ""


def nearest_path(written: str | Path, folder: Path = Path()) -> str:
    """The hint that names the file or folder that was meant by a path as seen from `folder`; empty if none is like it.

    Each part that is not there is looked for beside the others, so `campains/dmeo.yaml` finds `campaigns/demo.yaml`.
    """
    from difflib import get_close_matches

    meant, wrong = Path(), False
    try:
        for part in Path(written).parts:
            if not os.path.lexists(folder / meant / part):
                beside = {each.name: each.stem.casefold() for each in islice((folder / meant).iterdir(), BESIDE)}
                # By its stem, as every file of a folder may end in ".yaml"; then by all of it.
                stems = get_close_matches(Path(part).stem.casefold(), set(beside.values()), 3, 0.6)
                near = get_close_matches(part, [name for name in beside if beside[name] in stems], 1, 0)
                if not near:
                    break
                meant, wrong = meant / near[0], True
            else:
                meant /= part
    except (OSError, ValueError):  # not a folder, or not for us to read
        pass
    return f"did you mean {str(meant)!r}?" if wrong else ""


def reason(error: OSError) -> str:
    """What the system says of a file, with the file that was meant if there is none of that name."""
    hint = nearest_path(os.fsdecode(error.filename)) if error.filename and error.errno == errno.ENOENT else ""
    return f"{error.strerror or error}{hint and f' ({hint})'}"
