"""Trains a small parser for a language from Universal Dependencies files: parts of speech and dependency relations."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import process_time
from typing import TYPE_CHECKING, Any

from botattack.errors import BotattackError

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc
    from spacy.training import Example

EPOCHS = 16
"""More bring next to nothing on treebanks of some thousand sentences."""
MOST_SECONDS = 300.0
"""CPU seconds after which no further epoch begins."""
BATCH_WORDS = 1000
HELD_OUT = 10
"""Where there are no test files, every so many-th sentence is kept for measuring."""
WIDTH = 96

Told = Callable[[str], None]
"""Hears a sentence on how far the training is."""


class CannotTrain(BotattackError):
    """What is not there, or cannot be read, so that no parser can be trained."""


@dataclass(frozen=True)
class Trained:
    """A parser that was trained, and what it reached on sentences that it had never seen, from 0 to 1."""

    folder: Path
    sentences: int
    held_out: int
    upos: float
    uas: float
    las: float
    seconds: float


def train(lang: str, source: Path, folder: Path, told: Told) -> Trained:
    """Trains on the files `<lang>_*.conllu` in a folder and below it, and writes the parser into `folder`.

    What is measured are the sentences of its test files, of which none is trained on; where it has none, every tenth
    sentence. One thread and the same files make the same parser, unless the CPU is so slow that time ends it before.
    Raises CannotTrain.
    """
    learnt, measured = _sentences(lang, source)
    nlp = _untrained(lang)
    started = process_time()
    told(f"{len(learnt):,} sentences to learn from, {len(measured):,} to measure by; at most {MOST_SECONDS:g} CPU s")
    _learn(nlp, _examples(nlp, learnt), told)
    scores = nlp.evaluate(_examples(nlp, measured))
    upos, uas, las = (round(float(scores[name] or 0.0), 4) for name in ("pos_acc", "dep_uas", "dep_las"))
    seconds = process_time() - started
    found = Trained(folder, len(learnt), len(measured), upos, uas, las, seconds)
    _write(nlp, found, source)
    return found


def _sentences(lang: str, source: Path) -> tuple[list[Doc], list[Doc]]:
    files = sorted(source.rglob(f"{lang}_*.conllu")) if source.is_dir() else []
    if not files:
        raise CannotTrain(
            f"{source} has no files {lang}_*.conllu: name the folder of a Universal Dependencies treebank "
            "(universaldependencies.org)"
        )
    tests = [path for path in files if path.stem.endswith("-test")]
    learnt = [doc for path in files if path not in tests for doc in _read(path)]
    measured = [doc for path in tests for doc in _read(path)]
    if not tests or not learnt:
        every = learnt or measured
        learnt, measured = [doc for i, doc in enumerate(every) if i % HELD_OUT], every[::HELD_OUT]
    if not learnt or not measured:
        raise CannotTrain(f"{source} has too few sentences to learn from")
    return learnt, measured


def _read(path: Path) -> Iterator[Doc]:
    from spacy.training.converters.conllu_to_docs import conllu_to_docs

    read: Any = conllu_to_docs
    try:
        found = read(path.read_text("utf-8"), n_sents=1, merge_subtokens=True, no_print=True)
        for doc in found:
            for token in doc:
                token.set_morph("")  # only the part of speech is learnt
            if any(token.dep_ for token in doc):
                yield doc
    except (OSError, ValueError, IndexError, KeyError) as error:
        raise CannotTrain(f"{path} cannot be read as CoNLL-U: {error}") from None


def _untrained(lang: str) -> Language:
    import spacy

    listens = {"@architectures": "spacy.Tok2VecListener.v1", "width": WIDTH, "upstream": "tok2vec"}
    tags = {"@architectures": "spacy.Tagger.v2", "tok2vec": listens}
    trees = {
        "@architectures": "spacy.TransitionBasedParser.v2",
        "state_type": "parser",
        "extra_state_tokens": False,
        "hidden_width": 64,
        "maxout_pieces": 2,
        "use_upper": True,
        "tok2vec": listens,
    }
    try:
        nlp = spacy.blank(lang)
    except ImportError as error:
        raise CannotTrain(f"no tokeniser for the language {lang!r}: {str(error).splitlines()[0]}") from None
    nlp.add_pipe("tok2vec")
    nlp.add_pipe("morphologizer", config={"model": tags})
    nlp.add_pipe("parser", config={"model": trees})
    return nlp


def _examples(nlp: Language, docs: Sequence[Doc]) -> list[Example]:
    """The sentences as the tokeniser cuts them, beside what a reader made of them."""
    from spacy.training import Example

    return [Example(nlp.make_doc(doc.text), doc) for doc in docs]


def _learn(nlp: Language, examples: list[Example], told: Told) -> None:
    from random import Random

    from thinc.api import fix_random_seed

    fix_random_seed(0)
    optimizer: Any = nlp.initialize(lambda: examples)
    rng, started = Random(0), process_time()
    mean = sum(len(example.reference) for example in examples) / len(examples)
    size = max(1, round(BATCH_WORDS / mean))
    for epoch in range(1, EPOCHS + 1):
        rng.shuffle(examples)
        for start in range(0, len(examples), size):
            nlp.update(examples[start : start + size], sgd=optimizer, drop=0.1)
        seconds = process_time() - started
        told(f"epoch {epoch} of {EPOCHS}, {seconds:.0f} CPU s")
        if seconds * (epoch + 1) / epoch > MOST_SECONDS:
            return


def _write(nlp: Language, found: Trained, source: Path) -> None:
    """The parser takes the place of one that was there only once it is whole."""
    reached = {"upos": found.upos, "uas": found.uas, "las": found.las, "held out sentences": found.held_out}
    nlp.meta.update(name=found.folder.name, version="1", license=_licence(source), performance=reached)
    part = found.folder.with_name(f".{found.folder.name}.part")
    try:
        shutil.rmtree(part, ignore_errors=True)
        part.mkdir(parents=True)
        nlp.to_disk(part)
        shutil.rmtree(found.folder, ignore_errors=True)
        part.replace(found.folder)
    except OSError as error:
        raise CannotTrain(f"{error.filename or found.folder}: {error.strerror or error}") from None


def _licence(source: Path) -> str:
    """What the treebanks' README files say, as all of Universal Dependencies do."""
    told = {
        match[1].strip()
        for path in sorted(source.rglob("README.md"))
        if (match := re.search(r"^License: *(\S.*)$", path.read_text("utf-8", "replace"), re.MULTILINE))
    }
    return ", ".join(sorted(told)) or "as the treebank"
