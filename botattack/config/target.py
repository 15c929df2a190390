"""Target files: how a bot is asked, how hard it may be pushed, and who allowed it."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime
from hashlib import sha256
from pathlib import Path
from typing import Annotated, Any, Literal

from botattack.addresses import addresses, is_loopback
from botattack.config.checking import Checker, specials
from botattack.config.levels import misplaced
from botattack.config.literals import texts
from botattack.config.trust import check_files, permissions_needed
from botattack.config.yaml import Document, Where, dotted, read_yaml
from botattack.environment import READ, instead
from botattack.errors import ConfigError, Problem, TargetDown, TargetError, TrustRefused, nearest
from botattack.limits import Limits
from botattack.options import BadValue, JsonObject, OneOrMore, Pattern, Read, Word, Words, shown
from botattack.places import PlaceKind
from botattack.protocols import Target, TargetKind
from botattack.targets.messages.signs import NO_SIGNS, NOTHING, Signs
from botattack.templates import Template

_NAME = re.compile(r"\w[\w.-]{0,63}")
_ENV_USE = re.compile(r"\{\{[^{}]*?\benv\.([A-Za-z_]\w*)", re.ASCII)
_ENV_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*", re.ASCII)


def _day(value: Any) -> date:
    try:
        return date.fromisoformat(value)
    except (TypeError, ValueError):
        raise BadValue(f"expected a date, found {shown(value)}", hint="write it like 2027-01-31") from None


def read_name(value: object) -> str:
    """What may name a bot; raises BadValue."""
    if isinstance(value, str) and _NAME.fullmatch(value):
        return value
    hint = "letters, digits, '-', '_' and '.', at most 64, no spaces"
    raise BadValue(f"expected a name, found {shown(value)}", hint=hint)


def _env_name(value: object) -> str:
    if isinstance(value, str) and _ENV_NAME.fullmatch(value):
        return value
    raise BadValue(f"expected the name of an environment variable, found {shown(value)}")


Name = Annotated[str, Read(read_name, {"type": "string", "pattern": r"^\w[\w.-]{0,63}$"})]
EnvName = Annotated[str, Read(_env_name, {"type": "string", "pattern": "^[A-Za-z_][A-Za-z0-9_]*$"})]


Written = Literal["documents", "memory"]


@dataclass(frozen=True)
class Consent:
    """Who allowed this bot to be attacked, and for how long. Needed for every bot that is not on this machine."""

    authorised_by: Word
    """Who may allow it, and did: a name, a contract, a ticket."""
    until: Annotated[date, Read(_day, {"type": "string", "format": "date"})]
    """The last day on which it is valid, such as 2027-01-31."""
    writes: Annotated[tuple[Written, ...], OneOrMore()] = ()
    """`documents` if a campaign may add documents to what the bot reads, and remove them; `memory` if it may tell the
    bot made-up words to remember for everyone, and to forget; also on this machine."""


@dataclass(frozen=True)
class TargetFile:
    """A bot: how it is asked, how hard it may be pushed, and who allowed it."""

    connect: JsonObject
    """How the bot is asked: its `kind`, and the options of that kind."""
    name: Name | None = None
    """The bot's name in reports and recordings; by default that of the file."""
    env: tuple[EnvName, ...] = ()
    """The only environment variables that templates may use, as {{ env.NAME }}."""
    limits: Limits = field(default_factory=Limits)
    """How hard the bot may be pushed."""
    signs: Signs = NO_SIGNS
    """How the bot says that it refuses, is asked too often or has failed."""
    boilerplate: Words | None = None
    """Sentences the bot says around every answer, such as greetings and disclaimers. Grading ignores them, whatever
    numbers are in them; a reply that is nothing else is empty. If left out, each run learns them from its first
    originals; a list or `off` ends that."""
    redact: tuple[Pattern, ...] = ()
    """Regular expressions; whatever they match in a bot's replies is masked before it is written."""
    consent: Consent | None = None
    """Who allowed the attack; needed for every bot that is not on this machine."""


@dataclass(frozen=True)
class TargetConfig:
    """A target file that was read, checked and allowed. `digest` is the SHA-256 of the file.

    `env` holds the values of the declared environment names; it never enters a recording.
    """

    name: str
    path: Path
    kind: str
    options: TargetKind
    limits: Limits
    signs: Signs
    env: Mapping[str, str] = field(repr=False)
    consent: Consent | None
    here: bool
    """Whether nobody allowed more than to ask this machine."""
    digest: str
    document: Document = field(repr=False, compare=False)
    redact: tuple[str, ...] = ()
    boilerplate: tuple[str, ...] | None = None
    """None if the file leaves it to the run to learn it."""
    learned: tuple[str, ...] | None = None
    """What a night learned of it from its baseline; None for a run that learns it itself."""

    @property
    def refusals(self) -> tuple[str, ...]:
        """The sentences with which it refuses."""
        return tuple(sign for sign in self.signs.refused if isinstance(sign, str) and sign != NOTHING)

    @property
    def hosts(self) -> frozenset[str]:
        """Every host that requests may go to; empty for a bot in this process."""
        return frozenset(self.options.hosts(self.env).values())

    @property
    def env_places(self) -> dict[str, list[str]]:
        """Each environment name that a template places, and where in the file."""
        places: dict[str, list[str]] = {}
        for where, name in _env_uses(self.options, ("connect",)):
            places.setdefault(name, []).append(dotted(where))
        return places

    def open(self) -> Target:
        """The bot, ready to be asked.

        Raises ConfigError with the place in the file, or another BotattackError, if it cannot be made ready.
        """
        with self._in_file():
            target = self.options.target(self.name, self.env, self.path.parent)
        target.signs = self.signs
        # A name may have another address by the time it is asked than when it was allowed.
        if self.here and self.hosts:
            target.stay_here()
        return target

    def may_write(self, what: Written) -> bool:
        """Whether somebody allowed to change what the bot reads or remembers for all its users, and still does."""
        return not self.here and self.consent is not None and what in self.consent.writes

    @property
    def carries(self) -> frozenset[PlaceKind]:
        """The places of a conversation that reach the bot; raises as `open`, as it may import the bot's code."""
        with self._in_file():
            return self.options.carries(self.path.parent)

    def where(self, place: str) -> str:
        """`file:line:column` of a place such as `connect.request.url`, as `TargetError.place` gives it."""
        problem = self.document.problem(self.document.find(place), "")
        return f"{problem.file}:{problem.line}:{problem.column}"

    @contextmanager
    def _in_file(self) -> Iterator[None]:
        """Errors of the bot's kind, with their places in the file."""
        try:
            yield
        except ConfigError as error:
            raise ConfigError(tuple(map(self._placed, error.problems))) from error
        except TargetError as error:
            raise ConfigError((self.document.problem(self.document.find(error.place), str(error)),)) from error

    def _placed(self, problem: Problem) -> Problem:
        """A target knows its own name, but not where in the file its options are."""
        if not problem.path.startswith("connect"):
            return problem
        return self.document.problem(self.document.find(problem.path), problem.message, problem.hint)


def load_target(
    path: Path,
    *,
    environ: Mapping[str, str] | None = None,
    today: date | None = None,
    allow_code: bool = False,
    resolve: Callable[[str], Sequence[str]] = addresses,
) -> TargetConfig:
    """A target file, checked whole before anything it names is imported, run or asked; by default in the environment
    of this process and as of this day.

    Raises ConfigError with all its problems; TrustRefused if it would run code or load a model from elsewhere
    (unless `allow_code`), or ask another machine without a consent that holds on `today`;
    TargetDown for one without address."""
    environ, today = os.environ if environ is None else environ, today or datetime.now(UTC).date()
    document, data = read_yaml(path)
    checker, raw, kind, options = _read_file(document, path)
    given = document.mapping
    declared = check_declared(checker, given.get("env"), environ)
    connect = options if options and not checker.wrong_below("connect") else given.get("connect")
    check_env_uses(checker, connect, declared)
    whole = raw and replace(raw, connect=options)
    check_files(checker, whole, path.parent)
    name = _named(checker, raw, path)
    env = {name: environ.get(name, "") for name in declared}
    refusals = [] if allow_code else list(permissions_needed(document, whole, path.parent))
    here = raw is None or raw.consent is None or raw.consent.until < today
    hosts = _hosts(checker, options, env) if here and raw and options else {}
    unknown = _check_hosts(checker, hosts, raw.consent if raw else None, resolve, refusals)
    if refusals or (unknown and checker.problems):
        checker.finish(TrustRefused(problems=(*refusals, *unknown)))
    checker.finish(TargetDown(str(unknown[0])) if unknown else None)
    assert raw is not None and options is not None  # noqa: S101, PT018  # finish() has raised otherwise
    return TargetConfig(
        name,
        path,
        kind,
        options,
        raw.limits,
        raw.signs,
        env,
        raw.consent,
        here,
        sha256(data).hexdigest(),
        document,
        raw.redact,
        raw.boilerplate,
    )


def _named(checker: Checker, raw: TargetFile | None, path: Path) -> str:
    name = (raw and raw.name) or path.stem
    if not _NAME.fullmatch(name):
        checker.wrong(("name",), f"the file's name {name!r} cannot name a bot", "add name: with letters and digits")
    return name


def _hosts(checker: Checker, options: TargetKind, env: Mapping[str, str]) -> dict[Where, str]:
    """The hosts that are asked, by their place in the file; none where they cannot be compared with its consent."""
    used = (env.get(name) for _, name in _env_uses(options, ("connect",)))
    if checker.wrong_below("consent") or not all(used):
        return {}
    return {("connect", *where): host for where, host in options.hosts(env).items()}


def declarations_of(path: Path) -> tuple[TargetFile, Any]:
    """What a target file says, and the options of its kind, for whoever only looks at it: it is checked as far as that
    needs neither this machine's environment nor anybody's permission. Raises ConfigError with all its problems."""
    document, _ = read_yaml(path)
    checker, raw, _, options = _read_file(document, path)
    return checker.sure(raw), options


def _read_file(document: Document, path: Path) -> tuple[Checker, TargetFile | None, str, Any]:
    """(the problems so far, the file, its kind, the options of that kind)"""
    given = document.mapping
    if "attacks" in given and "connect" not in given:
        raise document.source.refusal("this is a campaign, not a target file", instead("run", str(path)))
    checker = Checker(document)
    misplaced(checker, given, TargetFile)
    raw = checker.read(TargetFile, document.value, partly=True)
    connect = given.get("connect")
    kind, options = _options(checker, connect) if isinstance(connect, dict) else ("", None)
    _check_question(checker, options, connect)
    check_signs(checker, raw, options)
    return checker, raw, kind, options.heeding(raw.signs) if raw and options else options


def check_signs(checker: Checker, raw: TargetFile | None, options: TargetKind | None) -> None:
    """A sign that no reply of this kind of bot can show is wrong."""
    if not raw or not options or checker.wrong_below("signs"):
        return
    for outcome, at, sign in raw.signs.each():
        if not isinstance(sign, options.sign_types):
            checker.wrong(("signs", outcome, at), "no reply of this kind of bot shows it", "write words that it says")


def _options(checker: Checker, connect: Mapping[str, object]) -> tuple[str, TargetKind | None]:
    kind = connect.get("kind")
    if not isinstance(kind, str):
        from botattack.registry import names

        hint = "one of " + ", ".join(sorted(names("targets")))
        checker.wrong(("connect", "kind"), "is required, but not given" if kind is None else "expected text", hint)
        return "", None
    cls = checker.plugin("targets", kind, ("connect", "kind"))
    rest = {key: value for key, value in connect.items() if key != "kind"}
    options: TargetKind | None = checker.read(cls, rest, ("connect",), partly=True) if cls else None

    def part(of: type, value: Any, key: str) -> object:
        return checker.read(of, value, ("connect", key), partly=True)

    return kind, options and options.completed(part)


def _check_question(checker: Checker, options: TargetKind | None, connect: object) -> None:
    """A bot that is always sent the same cannot be attacked. Where a part is wrong, the question may be in that."""
    misplaced = checker.wrong_below("connect") and any("question" in text for _, text in texts(connect))
    if options is not None and not misplaced and (place := options.unasked()):
        hint = "write {{ question }} where the bot looks for it"
        checker.wrong(("connect", place), "no template here uses {{ question }}", hint, at_key=True)


def check_declared(checker: Checker, given: object, environ: Mapping[str, str]) -> list[str]:
    """The declared environment names; wrong ones are noted elsewhere."""
    names = given if isinstance(given, list) else []
    declared: list[str] = []
    for index, name in enumerate(names):
        if not isinstance(name, str) or not _ENV_NAME.fullmatch(name):
            continue
        if name in declared:
            checker.wrong(("env", index), f"{name} is listed twice")
            continue
        if not environ.get(name):
            state = "is empty" if name in environ else "is not set"
            read = READ.get()
            hint = f"export {name}=…, or {'add it there' if read else 'name a file of them: botattack … --env-file'}"
            checker.wrong(("env", index), f"{name} {state} in the environment{read and f', and {read}'}", hint)
        elif re.search("[\ud800-\udfff]", environ[name]):
            checker.wrong(("env", index), f"{name} contains a byte that is not UTF-8 in the environment")
        declared.append(name)
    return declared


def check_env_uses(checker: Checker, options: object, declared: Sequence[str]) -> None:
    for path, name in _env_uses(options, ("connect",)):
        if name not in declared:
            near = nearest(name, declared)
            hint = near if near.startswith("did") else f"add it to env: [{', '.join([*declared, name])}]"
            checker.wrong(path, f"the environment name {name} is not declared", hint)


def _env_uses(options: object, path: Where) -> Iterator[tuple[Where, str]]:
    """Where environment names are placed: in checked options, or in raw ones that did not pass."""
    for where, part in specials(options, path):
        for below, name in part.env_places if isinstance(part, Template) else ():
            yield where + below, name
    for where, text in texts(options, path):
        for name in _ENV_USE.findall(text):
            yield where, name


def _check_hosts(
    checker: Checker,
    hosts: Mapping[Where, str],
    consent: Consent | None,
    resolve: Callable[[str], Sequence[str]],
    refusals: list[Problem],
) -> list[Problem]:
    """Which hosts have no address; adds those that are not this machine to the `refusals`: the file has no consent, or
    one that has ended."""
    unknown: list[Problem] = []
    for at, host in hosts.items():
        if not host:
            checker.wrong(at, "this URL names no host", "write http://HOST:PORT/PATH")
            continue
        try:
            if is_loopback(resolve(host)):
                continue
        except OSError as error:
            why = error.strerror or str(error)
            why += "" if consent else "; unless it is this machine, it may be asked only with consent in the file"
            unknown.append(checker.document.problem(at, f"the host {host} has no address", why))
            continue
        if consent:
            message = f"the consent to attack {host} ended on {consent.until}"
            refusals.append(checker.document.problem(("consent", "until"), message, "ask for it again"))
        else:
            message = f"{host} is not this machine, and the file has no consent to attack it"
            hint = "add consent: {authorised_by: WHO, until: DATE}"
            refusals.append(checker.document.problem(at, message, hint))
    return unknown
