"""Campaigns: which questions and attacks a bot meets, how answers are judged, and what must hold."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any

from botattack.attacks.building.choosing import VariantKeys
from botattack.config.campaign_paths import Paths, Sources
from botattack.config.carriers import documents_refused, places_reached, teaching_refused
from botattack.config.checking import Checker
from botattack.config.gates import check_gates, check_stopping
from botattack.config.plugs import matcher_from, options_of, read_attack, read_attacks, read_matcher, with_weights
from botattack.config.run_keys import Changes, HardenKeys, RunKeys
from botattack.config.target import EnvName, TargetConfig, load_target
from botattack.config.trust import permissions_needed
from botattack.config.yaml import Document, Where, read_yaml
from botattack.environment import instead
from botattack.errors import BotattackError, ConfigError, Problem, QuestionsError, TrustRefused, nearest_path
from botattack.matchers.weights import BadWeights, Weights, read_weights
from botattack.model import CONTROL
from botattack.options import BadValue, Count, File, FileName, JsonObject, Word
from botattack.places import EVERYWHERE, PlaceKind
from botattack.protocols import Attack, Matcher, QuestionReader

NO_PRICE = "the target file does not say what asking costs"


@dataclass(frozen=True)
class QuestionKeys:
    """Which questions are asked."""

    file: FileName
    """The question set, relative to the campaign's folder, or ${NAME}/path below a folder that a declared environment
    name leads to. A file outside of the campaign's folder is sent to another machine only with --allow-code."""
    format: Word | None = None
    """How it is read, such as jsonl, csv, xlsx or openai-chat; by default recognised from the file."""
    limit: Count | None = None
    """At most this many questions, a seeded random sample."""
    columns: Mapping[str, Word] = field(default_factory=dict)
    """The names of the fields in the file, if they are not the usual ones: {question: Frage, answers: Antwort}. In JSON
    and YAML also JSONPaths from each record, of keys, indexes and `*`: {question: $.input.text, answers: $.gold[*].v}.
    """
    lang: Word | None = None
    """The language of questions whose record names none, such as de or fa-IR; by default found from
    their letters and words, and those of the other questions."""


@dataclass(frozen=True, kw_only=True)
class CampaignFile(RunKeys):
    """One run over one bot."""

    target: FileName
    """The target file; its path is relative to the campaign's folder."""
    questions: QuestionKeys
    """Which questions are asked."""
    variants: VariantKeys = field(default_factory=VariantKeys)
    """How many variants of each question the attacks make, and how they choose them."""
    attacks: tuple[Any, ...]
    """The attacks: names, {name: {option: value}}, or {chain: [first, second]}."""
    env: tuple[EnvName, ...] = ()
    """The only environment variables that paths of files may begin with, as ${NAME}/path; each names a folder."""
    unchanged: bool = True
    """Ask correctly answered questions again as a control: the bot's own noise."""
    match: Any = None
    """What counts as right: a matcher, or a tree of them with any, all and not."""
    judge: FileName | None = None
    """Weights for the learned matcher, written by `botattack judge fit`: a file in this file's folder or below."""
    harden: HardenKeys | None = None
    """How `botattack harden` retrains the bot."""


@dataclass(frozen=True)
class QuestionsConfig:
    """A question set to read; `format` is empty if the file shows it, `pipe` what a copy in `file` came out of."""

    file: Path
    format: str = ""
    limit: int | None = None
    columns: Mapping[str, str] = field(default_factory=dict)
    lang: str = ""
    pipe: Path | None = None

    def reader(self) -> QuestionReader:
        """Raises QuestionsError if the file does not show its format, or has no columns."""
        from botattack.questions.detect import reader_for

        return reader_for(self.file, self.format, self.columns, self.lang)


@dataclass(frozen=True, kw_only=True)
class CampaignConfig(RunKeys):
    """A campaign that was read and checked with its target. `attacks` holds (label, attack), the control first.

    `path` is the file, or None if the command line said it all; `digest` is the SHA-256 of what was read.
    """

    path: Path | None
    target: TargetConfig
    questions: QuestionsConfig
    attacks: tuple[tuple[str, Attack], ...]
    match: Matcher
    digest: str
    match_tree: Any = None
    """The `match` of the file as it is there; None is the default."""
    carried: frozenset[PlaceKind] = EVERYWHERE
    """The places that reach the bot, where an attack edits more than the question."""
    weights: Weights | None = None
    """Those of the file that `judge` names; None are those of the package."""
    sends: tuple[tuple[Where, Path], ...] = ()
    """The files of which texts are sent to the bot, by their place in the campaign file."""
    allow_code: bool = False
    """Whether the files were read with the permission to run code."""
    changes: Changes = field(default_factory=Changes)
    """What flags changed after the file was read; workers, who read it for themselves, change the same."""
    harden: HardenKeys | None = None

    @property
    def conversing(self) -> tuple[str, ...]:
        """Labels of the attacks that mean nothing to a bot that does not remember the turns before."""
        needs = {"turn", "added turn"} | ({"passage", "added passage"} if "turn" in self.carrier else set())
        return tuple(label for label, attack in self.attacks if needs & attack.must_reach)

    @property
    def settings(self) -> dict[str, object]:
        """Every option that decides which units are asked and what they mean, as plain values."""
        return {
            "attacks": {label: {attack.name: options_of(attack)} for label, attack in self.attacks},
            "match": self.match_tree,
            "judge": self.weights.digest if self.weights else None,
            "filter": self.filter,
            "repeat": self.repeat,
            "limit": self.questions.limit,
            "ask_unsure": self.ask_unsure,
            "seed": self.seed,
            "carrier": list(self.carrier),
            "stop_when_sure": [None, *map(asdict, self.gates)] if self.stop_when_sure else None,
        }


TargetLoader = Callable[[Path], TargetConfig]


def load_campaign(path: Path, **allowed: Any) -> CampaignConfig:
    """A campaign with its target; `allowed` is what `load_target` takes in addition to the path.

    Raises ConfigError with all problems of both files, and whatever `load_target` raises.
    """
    document, data = read_yaml(path)
    target, digest = partial(load_target, **allowed), sha256(data).hexdigest()
    campaign = build(document, path.parent, target, path, digest, environ=allowed.get("environ"))
    _check_permissions(document, campaign, path.parent, **allowed)
    return replace(campaign, allow_code=bool(allowed.get("allow_code")))


def _check_permissions(
    document: Document, campaign: CampaignConfig, folder: Path, allow_code: bool = False, **_: object
) -> None:
    """Raises TrustRefused for what a campaign needs the user's permission for."""
    parts = {"attacks": dict(campaign.attacks), "match": campaign.match, "harden": campaign.harden}
    sent = leaving(document, campaign.target, campaign.sends, folder)
    refusals = (*permissions_needed(document, parts, folder), *sent)
    if refusals and not allow_code:
        raise TrustRefused(problems=refusals)


def leaving(
    document: Document, target: TargetConfig, sends: Iterable[tuple[Where, Path]], folder: Path
) -> Iterator[Problem]:
    """Questions are sent to the bot, so that a stranger's campaign could send any file to another machine."""
    hosts = ", ".join(sorted(target.hosts))
    for where, path in () if target.here else sends:
        if not path.resolve().is_relative_to(folder.resolve()):
            sentence = f"would send a file from outside the folder of this campaign to {hosts}"
            yield document.problem(where, sentence, "if you want that, add --allow-code")


def declarations_of(path: Path) -> tuple[CampaignFile, tuple[str, ...]]:
    """What a campaign file alone says, without its target, and the language parts that it needs; raises ConfigError."""
    from botattack.matchers.judge import Judge

    checker = Checker(read_yaml(path)[0])
    raw, attacks, match = _parts(checker)
    judged_by = Judge(checker.sure(match)).parts()
    return checker.sure(raw), tuple(
        dict.fromkeys((*(part for _, each in attacks for part in each.parts()), *judged_by))
    )


def build(
    document: Document,
    folder: Path,
    target: TargetLoader | TargetConfig,
    path: Path | None,
    digest: str,
    *,
    questions: QuestionsConfig | None = None,
    environ: Mapping[str, str] | None = None,
) -> CampaignConfig:
    """The campaign that a document describes; paths are seen from `folder`, variables from `environ` (by default
    that of this process). A `target` or `questions` that are there already stand in place of the files that the
    document names."""
    given = document.mapping
    _refuse_target_file(document, given)
    checker = Checker(document)
    raw, attacks, match = _parts(checker)
    paths = Paths(checker, folder, environ)
    file = _check_questions(checker, given.get("questions"), paths) if questions is None else None
    check_gates(checker, given, [label for label, _ in attacks])
    known = _weights(checker, raw.judge, folder) if raw else None
    config, refusal = target_named(checker, folder, given.get("target"), target)
    if raw:
        refusal = _check_keys(checker, raw, config, attacks) or refusal
    carried = EVERYWHERE
    if config and not checker.problems:
        carried = places_reached(checker, attacks, len(given["attacks"]), config, raw.carrier if raw else ())
    checker.finish(refusal)
    assert raw and match and config  # noqa: S101, PT018  # finish() has raised otherwise
    asked = questions or _asked(raw.questions, file)
    sources = Sources(checker, paths, asked.file, asked.reader)
    attacks = sources.known_to_all(attacks, len(given["attacks"]) - len(attacks))
    checker.finish()
    return CampaignConfig(
        **raw.run_keys,
        path=path,
        target=config,
        questions=asked,
        attacks=attacks,
        match=with_weights(match, known),
        digest=digest,
        match_tree=given.get("match"),
        carried=carried,
        weights=known,
        sends=((("questions", "file"), asked.file), *sources.files),
        harden=raw.harden,
    )


def _parts(checker: Checker) -> tuple[CampaignFile | None, tuple[tuple[str, Attack], ...], Matcher | None]:
    """The keys of a file, its attacks and its matcher, as far as they are right."""
    given = checker.document.mapping
    raw, tree = checker.read(CampaignFile, checker.document.value), given.get("match")
    match = matcher_from(None) if tree is None else read_matcher(checker, tree, ("match",))
    return raw, _attacks(checker, given), match


def _check_keys(
    checker: Checker, raw: CampaignFile, config: TargetConfig | None, attacks: tuple[tuple[str, Attack], ...]
) -> BotattackError | None:
    """What keys say together, and with the target; why it is refused, if it is."""
    if raw.budget.cost is not None and config and not config.limits.price:
        checker.wrong(("budget", "cost"), NO_PRICE, "add limits: {price: {request: 0.002}} to the target file")
    check_stopping(checker, raw, attacks)
    if config is None:
        return None
    return documents_refused(checker, raw.carrier, config) or teaching_refused(checker, attacks, config)


def _refuse_target_file(document: Document, given: Mapping[str, object]) -> None:
    if "connect" in given and "target" not in given:
        hint = instead("run", "-t", document.source.file, "-q", "QUESTIONS", "-a", "ATTACK")
        raise ConfigError((document.problem(("connect",), "this is a target file, not a campaign", hint, at_key=True),))


def _asked(keys: QuestionKeys, file: Path | None) -> QuestionsConfig:
    return QuestionsConfig(file or Path(keys.file.text), keys.format or "", keys.limit, keys.columns, keys.lang or "")


def _weights(checker: Checker, named: File | None, folder: Path) -> Weights | None:
    try:
        return read_weights(named.under(folder)) if named else None
    except (BadValue, BadWeights, OSError, ValueError) as error:
        checker.wrong(("judge",), str(error))
        return None


def _attacks(checker: Checker, given: JsonObject) -> tuple[tuple[str, Attack], ...]:
    items = given.get("attacks")
    shared = {} if checker.wrong_below("variants") else given.get("variants") or {}
    attacks = read_attacks(checker, items, ("attacks",), shared) if isinstance(items, list) else ()
    if given.get("unchanged") is False or any(attack.name == CONTROL for _, attack in attacks):
        return attacks
    control = read_attack(checker, CONTROL, ("unchanged",))
    return ((CONTROL, control), *attacks) if control else attacks


def _check_questions(checker: Checker, given: object, paths: Paths) -> Path | None:
    """The file, if it is there. Says what can be said of a raw value, right or wrong in other ways; types are checked
    elsewhere."""
    from botattack.questions.naming import check_columns

    keys = given if isinstance(given, dict) else {}
    name, form, columns = keys.get("file"), keys.get("format"), keys.get("columns")
    file = paths.file(name, ("questions", "file")) if isinstance(name, str) and name else None
    if isinstance(form, str) and form:
        checker.plugin("readers", form, ("questions", "format"))
    for column, called in columns.items() if isinstance(columns, dict) else ():
        try:
            check_columns({column: called if isinstance(called, str) else ""})
        except QuestionsError as error:
            checker.wrong(("questions", "columns", column), str(error), at_key=True)
    return file


def target_named(
    checker: Checker, folder: Path, given: object, target: TargetLoader | TargetConfig, key: str = "target"
) -> tuple[TargetConfig | None, BotattackError | None]:
    """The target that a file names under a key, or why it is refused; its own problems join those of the file."""
    if isinstance(target, TargetConfig):
        return target, None
    if not isinstance(given, str) or not given:
        return None, None
    path = folder / given
    if not path.is_file():
        checker.wrong((key,), f"there is no file {path}", nearest_path(given, folder) or "check the path")
        return None, None
    try:
        found = target(path)
        if place := found.options.unproven:
            sentence = "this file was not proven: nobody has seen it read the bot's answers"
            hint = f"look at these with {instead('check', str(path))}, then write {place}: accepted"
            raise ConfigError((found.document.problem(("connect", place), sentence, hint),))
        return found, None
    except ConfigError as error:
        checker.problems += error.problems
    except BotattackError as error:
        return None, error
    return None, None
