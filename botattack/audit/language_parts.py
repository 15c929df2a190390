"""The language parts and services that a campaign's attacks and matchers declare, loaded."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from botattack import registry
from botattack.config.campaign import CampaignConfig
from botattack.errors import MissingPart
from botattack.matchers.judge import Judge
from botattack.protocols import Attack, NeedHandler, Part, PartsByName


@dataclass(frozen=True)
class Parts:
    """The language parts of a campaign: data for attacks, handlers for Needs, and the digest of each."""

    data: PartsByName
    handlers: Mapping[str, NeedHandler]
    digests: dict[str, str]


def load_parts(campaign: CampaignConfig) -> Parts:
    """Raises MissingPart, with the commands that install what is not there, before anything is asked."""
    return parts_of([attack for _, attack in campaign.attacks], Judge(campaign.match).parts())


def parts_of(attacks: Sequence[Attack], others: Iterable[str] = ()) -> Parts:
    """What attacks declare, and `others`, loaded; raises MissingPart, with the command for each that is not there."""
    wanted: dict[str, list[str]] = {name: [] for name in others}
    for attack in attacks:
        for name in attack.parts():
            wanted.setdefault(name, []).append(attack.name)
    loaded = _loaded(wanted)
    for attack in attacks:
        check_parts(attack, loaded)
    handlers = {name: part for name, part in loaded.items() if isinstance(part, NeedHandler)}
    digests = {name: f"{part.info.name} {part.info.version} {part.info.digest}" for name, part in loaded.items()}
    return Parts({name: part for name, part in loaded.items() if name not in handlers}, handlers, digests)


def _loaded(wanted: Mapping[str, Sequence[str]]) -> PartsByName:
    """The parts by name; `wanted` says which attacks want each."""
    found, missing = dict[str, Part](), dict[str, list[str]]()
    for name, attacks in sorted(wanted.items()):
        try:
            found[name] = registry.find("parts", name)()
        except MissingPart as error:
            missing.setdefault(str(error), []).extend(attacks)
    if missing:
        said = (f"{', '.join(dict.fromkeys(whose))}: {error}" if whose else error for error, whose in missing.items())
        raise MissingPart("; ".join(said))
    return found


def check_parts(attack: Attack, loaded: Mapping[str, object]) -> None:
    """Raises MissingPart if a part is there, but cannot do what an attack's options ask of it."""
    for link in attack.links:
        check_parts(link, loaded)
    attack.check_parts(loaded)
