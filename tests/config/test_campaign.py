"""Campaigns from files and from flags: the same checks, the same values."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from syrupy.assertion import SnapshotAssertion

from botattack import registry
from botattack.attacks.letters.dpaeg import Dpaeg
from botattack.attacks.unchanged import Unchanged
from botattack.config.campaign import CampaignConfig, load_campaign
from botattack.config.flags import campaign_from_flags, with_flags
from botattack.config.plugs import matcher_from, with_weights
from botattack.config.run_keys import Changes, Gate
from botattack.errors import BotattackError, ConfigError, QuestionsError, TrustRefused
from botattack.limits import Budget
from botattack.matchers.combine import AllOf, AnyOf, Not, Seconded
from botattack.matchers.learned import Learned, Taught
from botattack.matchers.lexical import Contains, Exact, TokenF1
from botattack.matchers.weights import weights
from botattack.registry import UnknownName, names

Write = Callable[[str, str], Path]
Load = Callable[[str], CampaignConfig]

CAMPAIGN = """
target: targets/alice.yaml
questions: {file: faq.jsonl, limit: 200, columns: {question: ask}}
seed: 7
filter: all
attacks: [shout: {marks: 2}, shout, {chain: [unchanged, shout: {words: [first]}]}]
match: {any: [exact, not: contains, {all: [{f1: {at_least: 0.5}}]}]}
budget: {requests: 5000, seconds: 1800}
gates: [{metric: robust_accuracy, at_least: 0.80}, {metric: success_rate, attack: shout, drop_at_most: 5%}]
max_errors: 10%
"""
BROKEN = """
target: targets/broken.yaml
questions: {file: none.jsonl, format: jsnol, limit: 0, columns: {questoin: ask}}
filter: rigth
seed: "7"
attacks:
  - shuot
  - shout:
    marks: 2
  - shout: {mark: 2, words: [all, last]}
  - shout
  - shout
  - chain: [shout]
  - 7
match: {any: [exat, {f1: {at_least: high}}, all: []]}
budget: {requests: many, seconds: 10s}
gates:
  - {metric: robust_acuracy, at_least: 80}
  - {metric: success_rate, attack: shuot, at_most: 0.1}
  - {metric: robust_accuracy}
  - {metric: success_rate, at_most: 1}
max_errors: 5
reapeat: 2
"""
ALICE = "connect: {kind: local, call: 'botattack.bots.alice:bot'}\nlimits: {rate: unlimited}\n"


@pytest.fixture(autouse=True)
def plugins(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """`shout`, `outsource` and `chain`, as installed plug-ins."""
    monkeypatch.syspath_prepend(str(Path(__file__).parent))
    for name, place in (("shout", "plugins:Shout"), ("outsource", "plugins:Outsource"), ("chain", "plugins:Chain")):
        monkeypatch.setitem(registry.BUILT_IN["attacks"], name, place)
    registry.names.cache_clear()
    yield
    registry.names.cache_clear()
    sys.modules.pop("plugins", None)


@pytest.fixture
def folder(write: Write) -> Write:
    write("targets/alice.yaml", ALICE)
    write("targets/broken.yaml", "connect: {kind: local, cal: x}\n")
    write("faq.jsonl", '{"ask": "who?", "answers": ["you"]}\n')
    return write


@pytest.fixture
def load(folder: Write, allowed: dict[str, Any]) -> Load:
    return lambda text: load_campaign(folder("nightly.yaml", text), **allowed)


def test_a_run_cannot_be_sure_of_attacks_without_a_known_end(load: Load) -> None:
    told = said(load, CAMPAIGN + "stop_when_sure: true\n")
    assert "nightly.yaml:10:17: stop_when_sure" in told
    assert "per_question" in told


def test_a_budget_is_spent_evenly(load: Load) -> None:
    assert "leave it out" in said(load, CAMPAIGN + "spend: weakest-first\n")


def said(load: Load, text: str, kind: type[BotattackError] = ConfigError) -> str:
    with pytest.raises(kind) as caught:
        load(text)
    assert type(caught.value) is kind
    return str(caught.value)


def test_a_campaign(load: Load) -> None:
    campaign = load(CAMPAIGN)
    labels = ["unchanged", "shout(marks=2)", "shout", "unchanged | shout"]
    assert [label for label, _ in campaign.attacks] == labels
    attacks: Any = dict(campaign.attacks)
    assert attacks["shout(marks=2)"].marks == 2
    assert [attack.name for attack in attacks["unchanged | shout"].attacks] == ["unchanged", "shout"]
    assert campaign.match == AnyOf((Exact(), Not(Contains()), AllOf((TokenF1(0.5),))))
    assert (campaign.seed, campaign.filter, campaign.max_errors) == (7, "all", 0.1)
    assert campaign.budget == Budget(5000, 1800.0)
    assert campaign.gates == (
        Gate("robust_accuracy", at_least=0.8),
        Gate("success_rate", attack="shout", drop_at_most=0.05),
    )
    assert (campaign.target.name, campaign.questions.limit) == ("alice", 200)
    assert [question.text for question in campaign.questions.reader()(campaign.questions.file)] == ["who?"]  # type: ignore[union-attr]


@pytest.mark.parametrize("attack", ["outsource: {command: [rm, -r]}", "chain: [shout, outsource: {command: [rm, -r]}]"])
def test_an_attack_that_would_start_a_program_needs_permission(
    attack: str, folder: Write, allowed: dict[str, Any]
) -> None:
    path = folder(
        "nightly.yaml", f"target: targets/alice.yaml\nquestions: {{file: faq.jsonl}}\nattacks: [{{{attack}}}]\n"
    )
    with pytest.raises(TrustRefused, match=r"^nightly\.yaml:3:\d+: attacks.*would run code on this machine: rm -r"):
        load_campaign(path, **allowed)
    assert load_campaign(path, **{**allowed, "allow_code": True}).attacks


BELOW = "target: targets/alice.yaml\nenv: [SETS]\nquestions: {file: '${SETS}/faq.jsonl'}\nattacks: [shout]\n"


def test_questions_below_a_folder_that_a_declared_variable_names(folder: Write, allowed: dict[str, Any]) -> None:
    sets = folder("sets/faq.jsonl", '{"question": "who?"}\n').parent.resolve()
    campaign = load_campaign(folder("nightly.yaml", BELOW), **{**allowed, "environ": {"SETS": str(sets)}})
    assert campaign.questions.file == sets / "faq.jsonl"


@pytest.mark.parametrize(
    ("text", "value", "why"),
    [
        (BELOW, "", "SETS is empty in the environment"),
        (BELOW, "sets", "not below a folder that SETS names"),
        (BELOW, "/secret-token", "not below a folder that SETS names"),
        (BELOW, "FOLDER/sets/faq.jsonl", "not below a folder that SETS names"),
        (BELOW.replace("}/faq", "}/../faq"), "FOLDER/sets", "not below a folder that SETS names"),
        (BELOW.replace("}/faq", "}/link/faq"), "FOLDER/sets", "not below a folder that SETS names"),
        (BELOW.replace("faq", "none"), "FOLDER/sets", r"there is no file \$\{SETS\}/none\.jsonl"),
        (BELOW.replace("faq", "fqa"), "FOLDER/sets", r"did you mean 'faq\.jsonl'"),
        (BELOW.replace("${SETS}/", "a/${SETS}"), "FOLDER/sets", "not at the beginning of this path"),
        (BELOW.replace("env: [SETS]\n", ""), "FOLDER/sets", r"SETS is not declared.*env: \[SETS\]"),
        (BELOW.replace("[SETS]", "[SET]"), "FOLDER/sets", "SETS is not declared.*did you mean 'SET'"),
    ],
)
def test_variables_in_paths_that_lead_nowhere(
    text: str, value: str, why: str, folder: Write, allowed: dict[str, Any]
) -> None:
    sets = folder("sets/faq.jsonl", '{"question": "who?"}\n').parent
    (sets / "link").symlink_to(Path.cwd())
    where = value.replace("FOLDER", str(Path.cwd()))
    with pytest.raises(ConfigError, match=why) as caught:
        load_campaign(folder("nightly.yaml", text), **{**allowed, "environ": {"SETS": where, "SET": where}})
    assert not value or f"{where}/" not in str(caught.value)


def test_questions_below_a_variable_are_sent_to_another_machine_only_with_permission(
    folder: Write, allowed: dict[str, Any], tmp_path_factory: pytest.TempPathFactory
) -> None:
    sets = tmp_path_factory.mktemp("sets")
    (sets / "faq.jsonl").write_text('{"question": "who?"}\n')
    remote = "connect: {kind: http, request: {url: 'http://bot.example/', json: '{{ question }}'}}\n"
    folder("targets/alice.yaml", f"{remote}consent: {{authorised_by: me, until: 2027-01-01}}\n")
    path, here = folder("nightly.yaml", BELOW), {**allowed, "environ": {"SETS": str(sets)}}
    with pytest.raises(
        TrustRefused, match=r"would send a file from outside the folder of this campaign to bot\.example"
    ):
        load_campaign(path, **here)
    assert load_campaign(path, **{**here, "allow_code": True}).questions.file == sets / "faq.jsonl"


ELSEWHERE = """
target: targets/alice.yaml
env: [SETS]
questions: {file: faq.jsonl}
attacks: [shout, {chain: [shout, {distractor: {questions: FILE}}]}, {distractor: {questions: FILE, rungs: [random]}}]
unchanged: false
"""
NEAR = '{"question": "where?", "passages": ["First text.", "Second text."]}\n{"question": "when?"}\n'


def passages_of(campaign: CampaignConfig) -> list[list[str]]:
    found: list[Any] = [attack for _, attack in campaign.attacks]
    return [[text for each in attack.others for text in each.passages] for attack in (found[1].attacks[1], found[2])]


@pytest.fixture
def passing(monkeypatch: pytest.MonkeyPatch, folder: Write) -> Write:
    """A bot that takes passages, and files with some."""
    monkeypatch.setitem(registry.BUILT_IN["attacks"], "chain", "botattack.attacks.combined.chain:Chain")
    remote = "connect: {kind: http, request: {url: 'http://bot.example/', json: ['{{ question }}', '{{ passages }}']}}"
    folder("targets/alice.yaml", f"{remote}\nconsent: {{authorised_by: me, until: 2027-01-01}}\n")
    folder("faq.jsonl", '{"question": "who?", "answers": ["you"], "passages": ["One."]}\n{"question": "what?"}\n')
    folder("near.jsonl", NEAR)
    return folder


@pytest.mark.parametrize(("named", "texts"), [("near.jsonl", ["First text.", "Second text."]), ("", ["One."])])
def test_passages_that_an_attack_takes_from_elsewhere(
    named: str, texts: list[str], passing: Write, allowed: dict[str, Any]
) -> None:
    text = ELSEWHERE.replace("env: [SETS]\n", "")
    text = (
        text.replace("FILE", named)
        if named
        else text.replace("{questions: FILE}", "{}").replace("questions: FILE, ", "")
    )
    campaign = load_campaign(passing("nightly.yaml", text), **allowed)
    assert passages_of(campaign) == [texts, texts]
    kept = json.dumps(campaign.settings)
    assert texts[0] not in kept
    passing("near.jsonl", NEAR.replace("where", "wherever"))
    passing("faq.jsonl", '{"question": "whoever?", "answers": ["you"]}\n{"question": "what?"}\n')
    assert json.dumps(load_campaign(passing("nightly.yaml", text), **allowed).settings) != kept


def test_passages_from_outside_the_folder_are_sent_to_another_machine_only_with_permission(
    passing: Write, allowed: dict[str, Any], tmp_path_factory: pytest.TempPathFactory
) -> None:
    sets = tmp_path_factory.mktemp("sets")
    (sets / "near.jsonl").write_text(NEAR)
    for named in ("'${SETS}/near.jsonl'", str(sets / "near.jsonl")):
        path = passing("nightly.yaml", ELSEWHERE.replace("FILE", named))
        here = {**allowed, "environ": {"SETS": str(sets)}}
        with pytest.raises(TrustRefused, match=r"would send a file from outside .* to bot\.example") as caught:
            load_campaign(path, **here)
        assert str(caught.value).count("would send") == 2
        assert passages_of(load_campaign(path, **{**here, "allow_code": True})) == [["First text.", "Second text."]] * 2


@pytest.mark.parametrize(
    ("key", "given", "meant"),
    [
        ("questions", "faq.jsonl", "{file: faq.jsonl}"),
        ("questions", "'my faq.jsonl'", '{file: "my faq.jsonl"}'),
        ("variants", "2", "{per_question: 2}"),
        ("budget", "100", "{requests: 100}"),
        ("why", "4", "{each: 4}"),
        ("questions", "true", ""),
        ("questions", "[faq.jsonl]", ""),
        ("variants", "many", ""),
    ],
)
def test_a_value_in_place_of_a_mapping_is_answered_with_the_mapping(
    load: Load, key: str, given: str, meant: str
) -> None:
    lines = {"target": "targets/alice.yaml", "questions": "{file: faq.jsonl}", "attacks": "[shout]"} | {key: given}
    told = said(load, "\n".join(f"{name}: {text}" for name, text in lines.items()))
    assert f": {key}: expected a mapping" in told
    assert (f"(write {meant}; known: " in told) == bool(meant), told
    lines[key] = meant
    assert not meant or load("\n".join(f"{name}: {text}" for name, text in lines.items()).replace("my faq", "faq"))


@pytest.mark.parametrize(
    "key", ["target: %s", "judge: %s", "questions: {file: %s}"], ids=["target", "judge", "questions.file"]
)
def test_a_mapping_in_place_of_a_file_is_answered_with_a_file_of_its_own(load: Load, key: str) -> None:
    lines = {"target": "target: targets/alice.yaml", "questions": "questions: {file: faq.jsonl}"}
    lines[key.partition(":")[0]] = key % "{connect: {kind: http}}"
    told = said(load, "\n".join([*lines.values(), "attacks: [shout]"]))
    assert ": expected a path, found a mapping (put these lines into a file " in told


@pytest.mark.parametrize("name", registry.GONE)
@pytest.mark.parametrize("written", ["[%s]", "[{%s: {per_question: 2}}]", "[{chain: [%s, case]}]"])
def test_an_attack_that_became_a_source_is_answered_with_that_source(load: Load, name: str, written: str) -> None:
    lines = "target: targets/alice.yaml\nquestions: {file: faq.jsonl}\nattacks: "
    told = said(load, lines + written % name)
    now = f"{{reword: {{sources: [{registry.GONE[name]}]}}}}"
    assert f"no attack is called {name!r} (it is a source of `reword` now: {now})" in told
    assert load(f"{lines}[{now}]").attacks[1][0].startswith("reword")


def test_a_name_of_before_is_said_of_attacks_alone() -> None:
    for name in registry.GONE:
        with pytest.raises(UnknownName, match=r"no matcher is called .*; (known|did you mean)"):
            registry.find("matchers", name)


def test_a_target_file_is_not_taken_for_a_campaign(load: Load) -> None:
    with pytest.raises(ConfigError) as caught:
        load("env: [A]\nconnect: {kind: http}\nlimits: {}\n")
    (problem,) = caught.value.problems
    assert problem.message == "this is a target file, not a campaign"
    assert problem.hint.startswith("botattack run -t ")
    assert problem.line == 2


def test_what_a_campaign_leaves_out(load: Load) -> None:
    campaign = load("target: targets/alice.yaml\nquestions: {file: faq.jsonl}\nattacks: [shout]\n")
    assert campaign.match == Learned()
    assert (campaign.seed, campaign.filter, campaign.repeat, campaign.window) == (0, "right", 1, 256)
    assert (campaign.budget, campaign.gates, campaign.max_errors) == (Budget(), (), 0.05)
    assert [label for label, _ in campaign.attacks] == ["unchanged", "shout"]


@pytest.mark.parametrize(
    ("attacks", "labels"),
    [
        ("[shout]\nunchanged: false", ["shout"]),
        ("[shout, unchanged: {times: 3}]", ["shout", "unchanged"]),
        ("[]", ["unchanged"]),
    ],
)
def test_the_control(attacks: str, labels: list[str], load: Load) -> None:
    campaign = load(f"target: targets/alice.yaml\nquestions: {{file: faq.jsonl}}\nattacks: {attacks}\n")
    assert [label for label, _ in campaign.attacks] == labels
    assert dict(campaign.attacks).get("unchanged", Unchanged()) in (Unchanged(), Unchanged(times=3))


def test_every_problem_of_both_files_at_once(load: Load, snapshot: SnapshotAssertion) -> None:
    assert said(load, BROKEN) == snapshot


@pytest.mark.parametrize(
    "text",
    [
        "attacks: shout",
        "target: none.yaml\nquestions: {file: targets}\nattacks: [shout]",
        "target: targets/alice.yaml\nquestions: faq.jsonl\nattacks: [{}]",
        "target: targets/alice.yaml\nquestions: {file: faq.jsonl}\nattacks: [unchanged: {times: 0}]",
        "target: targets/alice.yaml\nquestions: {file: faq.jsonl}\nattacks: [shout: [2]]\nmatch: {}",
        "target: targets/alice.yaml\nquestions: {file: faq.jsonl}\nattacks: [shout, {shout: loud}]",
    ],
)
def test_sentences(text: str, load: Load, snapshot: SnapshotAssertion) -> None:
    assert said(load, text) == snapshot


def test_a_refusal_is_one_of_the_problems(load: Load, folder: Write) -> None:
    folder("targets/foreign.yaml", "connect: {kind: local, call: 'os:system'}\n")
    text = "target: targets/foreign.yaml\nquestions: {file: faq.jsonl}\nattacks: [shout]\n"
    assert "os:system" in said(load, text, TrustRefused)
    wrong = said(load, text.replace("[shout]", "[shuot]"))
    assert "os:system" in wrong
    assert "'shuot'" in wrong


def test_a_gate_may_be_of_an_attack_that_is_wrong_itself(load: Load) -> None:
    gates = (
        "gates: [{metric: success_rate, attack: shout, at_most: 5%}, {metric: success_rate, attack: x, at_most: 5%}]"
    )
    text = "target: targets/alice.yaml\nquestions: {file: faq.jsonl}\nattacks: [shout: {marks: loud}]\n"
    wrong = said(load, text + gates)
    assert "attacks[0].shout.marks" in wrong
    assert "no attack 'x'" in wrong
    assert "no attack 'shout'" not in wrong


@pytest.mark.parametrize(
    ("gate", "key", "told"),
    [
        ("{metric: obeyed, at_most: 5%}", "metric", "obeyed needs the attack injection (add injection to attacks)"),
        ("{metric: leaked, at_most: 5%}", "metric", "leaked needs the attack memory (add memory to attacks)"),
        ("{metric: success_rate, at_most: 5%, attack: shuot}", "attack", "this campaign has no attack 'shuot'"),
        ("{at_most: 1.5, metric: robust_accuracy}", "at_most", ""),
        ("{at_most: 5%, metric: accuracy}", "metric", ""),
    ],
)
def test_a_wrong_gate_is_shown_at_its_key(load: Load, gate: str, key: str, told: str) -> None:
    right = "{metric: robust_accuracy, at_least: 80%}"
    text = "target: targets/alice.yaml\nquestions: {file: faq.jsonl}\nattacks: [shout]\ngates:\n"
    (problem,) = said(load, f"{text}  - {right}\n  - {gate}\n").splitlines()[:1]
    column = len("  - ") + gate.index(f"{key}: ") + len(f"{key}: ") + 1
    assert problem.startswith(f"nightly.yaml:6:{column}: gates[1].{key}: {told}")


@pytest.mark.parametrize(
    ("keys", "place", "told"),
    [
        ("gates: []", "stop_when_sure", "there is nothing to be sure of"),
        ("carrier: [message, turn]", "stop_when_sure", "several carriers"),
        ("gates: [{metric: perturbation_accuracy, at_least: 1%}]", "gates[0].metric", "perturbation_accuracy cannot"),
        (
            "gates: [{metric: standard_accuracy, attack: shout(marks=1), at_least: 1%}]",
            "gates[0].metric",
            "standard_accuracy cannot be given",
        ),
        (
            "gates: [{metric: leaked, at_most: 1%}]\nattacks: [memory]",
            "gates[0].metric",
            "leaked is known at the end alone",
        ),
    ],
)
def test_what_a_run_could_never_be_sure_of_is_shown_at_its_key(load: Load, keys: str, place: str, told: str) -> None:
    lines = {
        "target": "targets/alice.yaml",
        "questions": "{file: faq.jsonl}",
        "attacks": "[unchanged]",
        "gates": "[{metric: standard_accuracy, at_least: 1%}]",
        "stop_when_sure": "true",
    }
    lines |= dict(line.split(": ", 1) for line in keys.split("\n"))
    if "shout" in keys:
        lines["attacks"] = "[shout: {marks: 1}]"
    problems = said(load, "\n".join(f"{key}: {value}" for key, value in lines.items())).splitlines()
    assert any(f": {place}: " in line and told in line for line in problems), problems


@pytest.mark.parametrize(
    ("match", "place", "told"),
    [
        ("{second: [judge]}", "match.second", "write ask: [judge, similar], and match: the matcher before them"),
        ("{second: {match: contains}}", "match.second", "write ask: "),
        ("{second: {ask: [judge], then: contains}}", "match.second", "write ask: "),
        ("{second: {ask: []}}", "match.second.ask", "expected a list of at least 1"),
        ("{second: {ask: [contains]}}", "match.second.ask[0]", "contains is not a second opinion"),
        ("{by-kind: [contains]}", "match.by-kind", "by-kind takes a mapping (write kind: matcher)"),
        ("judge", "match", "'judge' is a second opinion (write {second: {match: any matcher, ask: [judge]}})"),
        ("{any: []}", "match.any", "expected a list of at least 1"),
        ("{not: {by-kind: {other: exact}}}", "match.not", "no matcher inside any, all or not"),
        ("{second: {ask: [7]}}", "match.second.ask[0]", "expected the name of an opinion"),
        ("{any: [7]}", "match.any[0]", "expected the name of a matcher"),
        ("{exact: {}, contains: {}}", "match.contains", "indent the options of 'exact' one step more"),
    ],
)
def test_each_shape_of_a_matcher_is_corrected_at_its_place(load: Load, match: str, place: str, told: str) -> None:
    text = "target: targets/alice.yaml\nquestions: {file: faq.jsonl}\nattacks: [shout]\n"
    line = said(load, f"{text}match: {match}\n").splitlines()[0]
    assert f": {place}: " in line
    assert told in line


def test_settings_tell_campaigns_apart(load: Load) -> None:
    first, second = load(CAMPAIGN), load(CAMPAIGN.replace("at_least: 0.5", "at_least: 0.6"))
    assert first.settings == load(CAMPAIGN).settings
    assert first.settings != second.settings
    assert first.settings["attacks"]["shout"] == {"shout": {"marks": 0, "words": ["all"]}}
    assert first.digest != second.digest


@pytest.mark.parametrize(
    ("key", "line", "value"),
    [
        ("attacks", "attacks: [shout: {marks: 3}]", ...),
        ("match", "match: {exact: {}}", {"exact": {}}),
        ("filter", "filter: all", "all"),
        ("repeat", "repeat: 3", 3),
        ("limit", "questions: {file: faq.jsonl, limit: 5}", 5),
        ("ask_unsure", "ask_unsure: true", True),
        ("seed", "seed: 8", 8),
        ("carrier", "carrier: [message, turn]", ["message", "turn"]),
        ("stop_when_sure", "stop_when_sure: true", ...),
    ],
)
def test_each_key_that_decides_what_is_asked_is_a_setting_of_its_name(
    load: Load, key: str, line: str, value: Any
) -> None:
    """It is kept in the recording, whose run continues only with the same; no other key changes it."""
    lines = {
        "target": "target: targets/alice.yaml",
        "questions": "questions: {file: faq.jsonl}",
        "attacks": "attacks: []",
        "gates": "gates: [{metric: robust_accuracy, at_least: 1%}]",
    }
    before = load("\n".join(lines.values())).settings
    after = load("\n".join((lines | {line.partition(":")[0]: line}).values())).settings
    assert {name for name in after if after[name] != before[name]} == {key}
    assert value in (..., after[key])
    more = {"window": "window: 2", "max_errors": "max_errors: 1%", "why": "why: {each: 2}", "alarm": "alarm: {}"}
    assert load("\n".join((lines | more).values())).settings == before
    assert {*before} == {"attacks", "match", "judge", "filter", "repeat", "limit", "ask_unsure", "seed", "carrier"} | {
        "stop_when_sure"
    }


def test_a_kept_match_tree_is_the_same_matcher(load: Load) -> None:
    campaign = load(CAMPAIGN)
    assert matcher_from(json.loads(json.dumps(campaign.settings["match"]))) == campaign.match
    assert matcher_from(None) == Learned()
    with pytest.raises(ConfigError, match=r"run.json:1:1: match: no matcher is called 'exat'"):
        matcher_from("exat")


def flags(allowed: dict[str, Any], *attacks: str, **more: Any) -> CampaignConfig:
    return campaign_from_flags(Path("targets/alice.yaml"), Path("faq.jsonl"), attacks, **more, **allowed)


def test_flags_say_the_same_as_a_file(load: Load, folder: Write, allowed: dict[str, Any]) -> None:
    text = "target: targets/alice.yaml\nquestions: {file: faq.jsonl}\n"
    written = load(text + "attacks: [shout: {marks: 2, words: [first, all]}, unchanged: {times: 2}]\nseed: 3\n")
    given = with_flags(flags(allowed, "shout:marks=2,words=[first,all]", "unchanged:times=2"), Changes(seed=3))
    assert given.settings == written.settings
    assert given.attacks == written.attacks
    assert given.questions == written.questions


@pytest.mark.usefixtures("folder")
def test_the_main_attack_by_flags(allowed: dict[str, Any]) -> None:
    ((_, control), (label, attack)) = flags(allowed, "dpaeg:epsilon=3,take=nearest,words=[typo]").attacks
    assert (control, label) == (Unchanged(), "dpaeg")
    assert attack == Dpaeg(epsilon=3, take="nearest", words=("typo",))


@pytest.mark.parametrize(
    "attack",
    [
        "shuot",
        "shout:mark=2",
        "shout:marks=two",
        "shout:marks",
        "shout:words=[all,last]",
        "shout:",
        "",
        "shout:marks=1,marks=2",
    ],
)
@pytest.mark.usefixtures("folder")
def test_flags_that_are_wrong(attack: str, allowed: dict[str, Any], snapshot: SnapshotAssertion) -> None:
    with pytest.raises(ConfigError) as caught:
        flags(allowed, "unchanged", attack)
    listed = ", ".join(sorted(names("attacks")))  # grows with every attack
    assert str(caught.value).replace(listed, "ATTACKS") == snapshot


def test_flags_over_a_campaign(load: Load) -> None:
    campaign = with_flags(
        load(CAMPAIGN), Changes(seed=1, limit=5, rate="2/s", concurrency=9, budget="requests=50,seconds=6")
    )
    assert (campaign.seed, campaign.questions.limit, campaign.budget) == (1, 5, Budget(50, 6.0))
    assert (campaign.target.limits.rate, campaign.target.limits.concurrency) == (2.0, 9)
    assert with_flags(campaign, Changes(budget="500")).budget == Budget(500)
    assert with_flags(campaign, Changes(rate="unlimited")).target.limits.unlimited
    assert with_flags(campaign, Changes()) == campaign


@pytest.mark.parametrize(
    ("flag", "text"),
    [("rate", "5"), ("budget", "request=5"), ("budget", "requests=x,seconds=-1"), ("budget", "5 h")],
)
def test_wrong_flags_over_a_campaign(flag: str, text: str, load: Load, snapshot: SnapshotAssertion) -> None:
    with pytest.raises(ConfigError) as caught:
        with_flags(load(CAMPAIGN), Changes(**{flag: text}))  # type: ignore[arg-type]
    assert str(caught.value) == snapshot


def test_a_format_without_columns(load: Load) -> None:
    campaign = load(CAMPAIGN.replace("limit: 200", "format: squad"))
    with pytest.raises(QuestionsError, match="columns"):
        campaign.questions.reader()


@pytest.mark.parametrize(
    ("options", "place", "said"),
    [
        ("{correct: 2}", "correct", "from 0 to 1"),
        ("{unsure: 0.5}", "unsure", "expected a list"),
        ("{unsure: [0.4]}", r"unsure(\[1\])?", ""),
        ("{unsure: [0.4, high]}", r"unsure\[1\]", "the text 'high'"),
        ("{unsure: [0.6, 0.4]}", "unsure", r"write \[0.4, 0.6\]"),
        ("{correct: 0.9, unsure: [0.4, 0.6]}", "", "outside of unsure"),
        ("{weights: any.json}", "weights", "no such key"),
    ],
)
def test_options_of_the_learned_matcher_are_checked(options: str, place: str, said: str, load: Load) -> None:
    text = (
        f"target: targets/alice.yaml\nquestions: {{file: faq.jsonl}}\nattacks: [shout]\nmatch: {{learned: {options}}}\n"
    )
    with pytest.raises(ConfigError, match=rf"yaml:4:\d+: match\.learned{'.' if place else ''}{place}: .*{said}"):
        load(text)


def test_every_learned_matcher_of_a_tree_judges_by_the_weights_of_the_campaign() -> None:
    found = with_weights(
        matcher_from({"second": {"match": {"any": ["exact", "learned"]}, "ask": ["judge"]}}), weights()
    )
    assert isinstance(found, Seconded)
    assert isinstance(found.matcher, AnyOf)
    (taught,) = (matcher for matcher in found.matcher.matchers if isinstance(matcher, Taught))
    assert taught.known is weights()
