"""Names of people as Faker lists them, and made-up values in place of personal data."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from typing import TYPE_CHECKING, Any

from botattack.errors import BotattackError
from botattack.text.folding import folded
from botattack.text.locales import locale
from botattack.text.personal import Slot
from botattack.text.word_lists import word_tuple
from botattack.version import pip_install

if TYPE_CHECKING:
    from faker import Faker

_LISTS = ("first_names", "last_names", "male_last_names", "unisex_last_names", "middle_names")
_LOCALES = {"en": "en_US", "de": "de_DE", "fa": "fa_IR"}
_OWN = {"en": ("names.men", "names.women", "fakes.given", "fakes.surnames"), "fa": ("chats.names", "people.names")}
"""Lists of names of our own."""


class NoNames(BotattackError):
    """Without lists of names, names would stay."""


def _faker() -> Any:
    try:
        import faker
    except ImportError:
        raise NoNames(f"names of people are found with the lists of Faker: {pip_install('logs')}") from None
    return faker


@cache
def listed_names() -> frozenset[str]:
    """The folded words of names of people in all countries that Faker knows; raises NoNames without it.

    People write to a bot from everywhere: with the names of one country alone, "Ayşe" would stay in a German log.
    """
    faker = _faker()
    found = {word for code, lists in _OWN.items() for name in lists for word in word_tuple(name, code)}
    for place in faker.config.AVAILABLE_LOCALES:
        provider, *_ = faker.Factory._find_provider_class("faker.providers.person", place)
        lists = [names for name, names in vars(provider).items() if name.startswith(_LISTS)]
        found.update(*(names for names in lists if not isinstance(names, property)))
    return frozenset(word for name in found for word in folded(name).replace("-", " ").split() if len(word) > 1)


@cache
def public_names(code: str) -> dict[str, dict[str, str]]:
    """The names of countries and languages that are one word, by kind and by their folded form; none is anybody's."""
    named = locale(code)
    kinds = {"country": named.territories, "language": named.languages}
    return {
        kind: {folded(name): name for key, name in names.items() if len(key) == 2 and name.isalpha()}
        for kind, names in kinds.items()
    }


def public_kind(key: str, code: str) -> str:
    """Whether a folded word is the name of a "country" or of a "language"; empty if of neither."""
    return next((kind for kind, names in public_names(code).items() if key in names), "")


@cache
def faker_of(code: str) -> Faker:
    """What makes values up in a language."""
    made: Faker = _faker().Faker(_LOCALES.get(code, "en_US"))
    return made


def made_up(fake: Faker, slot: Slot, code: str) -> str:
    """A value of the kind and the form of a slot, of nobody that we know of."""
    makers: dict[str, Callable[[], str]] = {
        **{kind: partial(fake.random_element, [*names.values()]) for kind, names in public_names(code).items()},
        "name": lambda: f"{fake.first_name()} {fake.last_name()}" if " " in slot.form else fake.first_name(),
        "email": fake.ascii_safe_email,
        "link": lambda: f"https://example.com/{fake.numerify('###')}",
        "iban": fake.iban,
        "card": fake.credit_card_number,
        "address": lambda: fake.street_address().replace("\n", ", "),
        "network": lambda: "192.0.2.1",  # RFC 5737: for documentation
        "handle": lambda: "@example",
        "date": lambda: fake.date("%d.%m.%Y" if "." in slot.form else "%Y-%m-%d"),
    }
    form = slot.form.translate({ord("0"): "#", ord("a"): "?", ord("A"): "?"})
    return makers.get(slot.kind, lambda: fake.bothify(form, "ABCDEFGHKLMNPRSTUVWXYZ"))()
