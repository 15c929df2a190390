"""Whether gates name what there is, and whether a run can be sure of them before its end."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from botattack.attacks.building.settling import most_of
from botattack.config.checking import Checker
from botattack.config.labels import AttackLabel
from botattack.config.plugs import with_wrong_options
from botattack.config.run_keys import ASKED_BY, Gate, RunKeys
from botattack.errors import nearest
from botattack.protocols import Attack


def check_gates(checker: Checker, given: Mapping[str, object], labels: list[str]) -> None:
    """Finds gates on attacks that the campaign does not have; one whose options are wrong is named elsewhere."""
    gates, unlabelled = given.get("gates"), with_wrong_options(checker, given.get("attacks"), ("attacks",))
    for index, gate in enumerate(gates if isinstance(gates, list) else ()):
        needed = ASKED_BY.get(str(gate.get("metric"))) if isinstance(gate, dict) else None
        if needed and needed not in unlabelled and not any(label.startswith(needed) for label in labels):
            message = f"{gate['metric']} needs the attack {needed}"
            checker.wrong(("gates", index, "metric"), message, f"add {needed} to attacks")
        attack = gate.get("attack") if isinstance(gate, dict) else None
        if not isinstance(attack, str) or attack in labels or AttackLabel.parse(attack).links[0].name in unlabelled:
            continue
        message = f"this campaign has no attack {attack!r}"
        checker.wrong(("gates", index, "attack"), message, nearest(attack, labels))


def check_stopping(checker: Checker, keys: RunKeys, attacks: Sequence[tuple[str, Attack]]) -> None:
    """Finds what a run that stops when it is sure could never be sure of."""
    place = ("stop_when_sure",)
    if not keys.stop_when_sure:
        return
    if not keys.gates:
        checker.wrong(place, "there is nothing to be sure of", "add gates")
    if len(keys.carrier) > 1:
        checker.wrong(place, "it does not go together with several carriers", "keep one carrier")
    for index, gate in enumerate(keys.gates):
        if gate.metric in ASKED_BY:
            checker.wrong(
                ("gates", index, "metric"), f"{gate.metric} is known at the end alone", "leave out stop_when_sure"
            )
        if keys.filter != "all" and _of_all(gate):
            hint = "add filter: all, or look at robust_accuracy"
            checker.wrong(("gates", index, "metric"), f"{gate.metric} cannot be given", hint)
    for label, attack in _looked_at(keys, attacks):
        if most_of(attack) is None:
            message = f"how many variants of one question {label} has at most is not known"
            checker.wrong(place, message, "add per_question to it, or leave out stop_when_sure")


def _of_all(gate: Gate) -> bool:
    return gate.metric == "perturbation_accuracy" or (gate.metric == "standard_accuracy" and gate.attack is not None)


def _looked_at(keys: RunKeys, attacks: Sequence[tuple[str, Attack]]) -> Sequence[tuple[str, Attack]]:
    """The attacks whose variants decide."""
    named = {gate.attack for gate in keys.gates}
    every = any(gate.attack is None and gate.metric != "standard_accuracy" for gate in keys.gates)
    return [(label, attack) for label, attack in attacks if every or label in named]
