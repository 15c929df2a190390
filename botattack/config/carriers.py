"""How the passages of a campaign reach the bot: which carriers there are, and what each needs of the target file."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, get_args

from botattack.config.checking import Checker
from botattack.config.target import TargetConfig, Written
from botattack.config.yaml import Where
from botattack.doors import DOORS, AsDocument
from botattack.errors import BotattackError, TrustRefused, nearest
from botattack.model import Carrier
from botattack.options import BadValue, Read, shown
from botattack.places import EVERYWHERE, PlaceKind
from botattack.protocols import Attack


def read_carriers(value: object) -> tuple[Carrier, ...]:
    """One carrier or a list of different ones."""
    known = get_args(Carrier)
    names = [value] if isinstance(value, str) else value
    if not isinstance(names, list | tuple) or not names:
        raise BadValue(f"expected a carrier or a list of them, found {shown(value)}", hint=f"one of {', '.join(known)}")
    for index, name in enumerate(names):
        at = () if isinstance(value, str) else (index,)
        if name not in known:
            raise BadValue(f"{shown(name)} is not a choice here", at, nearest(str(name), known))
        if name in names[:index]:
            raise BadValue(f"{name} is listed twice", at)
    return tuple(names)


_CARRIER = {"enum": [*get_args(Carrier)]}
Carriers = Annotated[
    tuple[Carrier, ...], Read(read_carriers, {"anyOf": [_CARRIER, {"type": "array", "items": _CARRIER, "minItems": 1}]})
]


def documents_refused(checker: Checker, carriers: Sequence[Carrier], target: TargetConfig) -> BotattackError | None:
    """Who adds to what a bot reads changes it for everybody: without words that allow just that it is refused, on
    whatever machine."""
    if "document" not in carriers:
        return None
    if not target.options.requests_a_document:
        hint = "add documents: {add: …, remove: …} below connect there (kinds http and openai)"
        checker.wrong(("carrier",), f"{target.path} does not say how documents are added and removed", hint)
    else:
        return _unallowed(checker, ("carrier",), target, "documents", f"adds documents to what {target.name} reads")
    return None


def teaching_refused(
    checker: Checker, attacks: Sequence[tuple[str, Attack]], target: TargetConfig
) -> BotattackError | None:
    """The same of who tells a bot what it is to remember for everybody."""
    if not any(one.teaches_all for _, attack in attacks for one in (attack, *attack.within)):
        return None
    return _unallowed(checker, ("attacks",), target, "memory", f"tells {target.name} words to remember for everyone")


def _unallowed(checker: Checker, where: Where, target: TargetConfig, what: Written, does: str) -> TrustRefused | None:
    if target.may_write(what):
        return None
    hint = f"add consent: {{authorised_by: WHO, until: DATE, writes: {what}}} to that file"
    refused = f"this {does}, and {target.path} has no consent to that"
    if target.consent and what in target.consent.writes:
        refused = f"this {does}, and the consent to that ended on {target.consent.until}"
        hint = f"ask for it again: consent: {{…, writes: {what}}} in {target.path}"
    return TrustRefused(problems=(checker.document.problem(where, refused, hint),))


def places_reached(
    checker: Checker,
    attacks: Sequence[tuple[str, Attack]],
    listed: int,
    target: TargetConfig,
    carriers: Sequence[Carrier],
) -> frozenset[PlaceKind]:
    """The places that reach the bot by every carrier. An attack whose edits never reach it would report a rate all the
    same."""
    if all(attack.edits == {"question"} for _, attack in attacks):
        return EVERYWHERE  # nobody will look, so the bot's code need not be imported
    reached = target.carries
    doors = [AsDocument(()) if target.options.holds_passages and one == "document" else DOORS[one] for one in carriers]
    carried = frozenset[PlaceKind](EVERYWHERE).intersection(*(door.carries(reached) for door in doors))
    # The control is not in the file, unless the user put it there.
    for index, (label, attack) in enumerate(attacks, listed - len(attacks)):
        if attack.separates and target.options.reuses_conversations:
            sentence = f"{label} compares conversations, and {target.path} continues one for all (conversation: reuse)"
            checker.wrong(("attacks", index), sentence, "leave that line out there, or leave the attack out")
        _check_tools(checker, ("attacks", index), label, attack, target)
        for place in sorted(attack.must_reach - carried)[:1]:
            lacking = next(door for door in doors if place not in door.carries(reached))
            if "passage" in place and isinstance(lacking, AsDocument):
                sentence = f"{label} edits the passages of a question, which {target.path} says are there anyway"
                hint = "leave documents.holds_passages out there, so that they are added, or leave the attack out"
                checker.wrong(("attacks", index), sentence, hint)
                continue
            placed = "passages" if "passage" in place else place
            checker.wrong(
                ("attacks", index),
                f"{label} edits the {placed} of a question, which {target.path} never sends to the bot",
                f"place {{{{ {placed} }}}} in that file (a Python callable takes a parameter {placed}, "
                "a factory is annotated with such a class), or leave the attack out",
            )
    return carried


def _check_tools(checker: Checker, where: Where, label: str, attack: Attack, target: TargetConfig) -> None:
    """What tells a bot to call a tool says nothing of one that has none, or whose calls nobody sees."""
    tools = target.options.tools
    for name in {one.wants_tool for one in (attack, *attack.within)} - {None}:
        sentence = hint = ""
        if tools is None:
            sentence = f"{label} tells the bot to call a tool, and {target.path} reads no tool calls"
            hint = "add them there: extract: {fields: {tools: $.…}}, or leave the action tool out"
        elif not (name or tools):
            sentence = f"{label} tells the bot to call a tool, and {target.path} declares none"
            hint = "send tools in its request (kind openai: fields: {tools: [...]}), or name one of its own: tool: NAME"
        elif name and tools and name not in tools:
            sentence = f"{label} tells the bot to call {name!r}, which {target.path} does not declare"
            hint = nearest(name, tools)
        if sentence:
            checker.wrong(where, sentence, hint)
