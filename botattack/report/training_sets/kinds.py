"""The formats of training sets. Each is a pure function from questions with their variants to pieces of a file."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from random import Random
from typing import Any, NamedTuple

import yaml

from botattack.doors import BETWEEN, DOORS
from botattack.model import Prompt, Question
from botattack.report.training_sets.examples import Example, Group, Survey, Unfit, anything, plain_answers

CONCAT = " </s> "
"""What Jia & Liang (2016, section 3.3) write between two examples."""
_LINE_ENDS = str.maketrans({sign: f"\\u{ord(sign):04x}" for sign in "\x85\u2028\u2029"})
"""Signs that some readers of JSON lines take for the end of a line."""
_NAME = re.compile(r"(?!None\Z)[A-Za-z0-9_][\w.-]*", re.ASCII)
"""What can name an intent. NLP.js calls that of all it does not know "None"."""
_ENTITY = re.compile(r"\][({]")
_SPEAKERS = {"user": "user", "bot": "assistant"}


class Piece(NamedTuple):
    """A part of the file, and what each of its rows was made of."""

    text: str
    rows: tuple[tuple[Example, ...], ...]


Pieces = Callable[[Iterator[Group], Survey], Iterator[Piece]]


@dataclass(frozen=True)
class Kind:
    """A format. `share` is the share of questions whose variants it takes unless the user says otherwise; `variants` is
    whether it takes any, `changed` whether also those that are meant to change the answer, `one_language` whether it
    holds one language only. In `head`, {lang} is that language."""

    pieces: Pieces
    share: float = 1.0
    unfit: Unfit = anything
    variants: bool = True
    changed: bool = False
    one_language: bool = False
    head: str = ""
    between: str = "\n"
    foot: str = "\n"


def written(value: object) -> str:
    """JSON on one line, which is one for every reader."""
    return json.dumps(value, ensure_ascii=False).translate(_LINE_ENDS)


def _asked(prompt: Prompt) -> dict[str, object]:
    """As our own question files have it."""
    history = [{"speaker": turn.speaker, "text": turn.text} for turn in prompt.history]
    given = {"question": prompt.text, "passages": list(prompt.passages), "history": history}
    return {name: value for name, value in given.items() if value}


def _row(example: Example) -> dict[str, object]:
    question = example.question
    named = {"id": question.key, "kind": question.kind, "lang": question.lang, "licence": question.licence}
    return {
        **_asked(example.prompt),
        "answers": list(example.answers),
        **{name: value for name, value in named.items() if value},
    }


def _with_examples(groups: Iterator[Group], found: Survey) -> Iterator[tuple[Group, tuple[Example, ...]]]:
    """The questions of which there is anything to write, each with its examples."""
    for group in groups:
        if examples := ((group.original,) if found.order.originals else ()) + group.variants:
            yield group, examples


def _mda(groups: Iterator[Group], found: Survey) -> Iterator[Piece]:
    for _, examples in _with_examples(groups, found):
        yield from (Piece(written(_row(example)), ((example,),)) for example in examples)


def _concat(groups: Iterator[Group], found: Survey) -> Iterator[Piece]:
    """The questions, and pairs of two questions in one language drawn at random, one answer after the other."""
    originals = sorted((group.original for group in groups), key=lambda example: example.question.id)
    if found.order.originals:
        for example in originals:
            yield Piece(written(_row(example)), ((example,),))
    rng, made = Random(f"concat {found.order.seed}"), set[tuple[str, str]]()
    for _ in range(round(found.order.share * len(originals))):
        first, second = rng.choice(originals), rng.choice(originals)
        pair = (first.question.id, second.question.id)
        if first is second or pair in made or first.question.language != second.question.language:
            continue
        made.add(pair)
        text = first.prompt.text + CONCAT + second.prompt.text
        passages = (*first.prompt.passages, *second.prompt.passages)
        row = {
            **_asked(Prompt(text, tuple(dict.fromkeys(passages)))),
            "answers": [first.answers[0] + CONCAT + second.answers[0]],
            "lang": first.question.lang,
        }
        yield Piece(written(row), ((first, second),))


def _pairs(groups: Iterator[Group], found: Survey) -> Iterator[Piece]:
    del found
    for original, variants in groups:
        for variant in variants:
            row = {
                "original": _asked(original.prompt),
                "variant": _asked(variant.prompt),
                "answers": list(original.answers),
                "label": "positive" if variant.expect == "same" else "negative",
            }
            yield Piece(written(row), ((original, variant),))


def _squad(groups: Iterator[Group], found: Survey) -> Iterator[Piece]:
    """An article for each question, a paragraph for each wording."""
    for group, examples in _with_examples(groups, found):
        paragraphs = [_paragraph(example) for example in examples]
        title = group.original.question.key or group.original.question.id
        yield Piece(written({"title": title, "paragraphs": paragraphs}), tuple((one,) for one in examples))


def _paragraph(example: Example) -> dict[str, object]:
    question, prompt = example.question, example.prompt
    context = BETWEEN.join(prompt.passages)
    spans = [(_occurrences(context, answer), _which(question, answer)) for answer in example.answers]
    answers = [
        {"text": context[slice(*places[at])], "answer_start": places[at][0]} for places, at in spans if at < len(places)
    ]
    asked = {"id": f"{question.id}-{example.unit or 0}", "question": prompt.text, "answers": answers}
    return {"context": context, "qas": [asked]}


def _occurrences(context: str, answer: str) -> list[tuple[int, int]]:
    """Where an answer is in a text as words of their own, in any case."""
    return [found.span() for found in re.finditer(rf"(?<!\w){re.escape(answer)}(?!\w)", context, re.IGNORECASE)]


def _which(question: Question, answer: str) -> int:
    """The occurrence of an answer that is meant: the first in a supporting fact, else the first."""
    starts = [0]
    for passage in question.passages:
        starts.append(starts[-1] + len(passage) + len(BETWEEN))
    facts = [(starts[fact.passage] + fact.start, starts[fact.passage] + fact.end) for fact in question.facts]
    places = _occurrences(BETWEEN.join(question.passages), answer)
    supporting = (at for at, (start, _) in enumerate(places) if any(low <= start < high for low, high in facts))
    return next(supporting, 0)


def _not_squad(question: Question, prompt: Prompt) -> str:
    """Where an attack adds the answer, or takes it away, nobody knows which occurrence is the meant one."""
    if prompt.history:
        return "it has earlier messages, which this format cannot hold"
    before, now = BETWEEN.join(question.passages), BETWEEN.join(prompt.passages)
    times = [len(_occurrences(before, answer)) for answer in plain_answers(question)]
    if not any(times):
        return "no passage contains its answer"
    if times != [len(_occurrences(now, answer)) for answer in plain_answers(question)]:
        return "it changes how often the answer is in the passages"
    return ""


def _intent(example: Example, found: Survey) -> str:
    """The key that the question file gives the question, if it can name an intent and names no other; else its id."""
    key = example.question.key
    return key if found.keys[key] == 1 and _NAME.fullmatch(key) else example.question.id


def _not_an_utterance(question: Question, prompt: Prompt) -> str:
    del question
    return "it has passages or earlier messages, which this format cannot hold" if prompt != Prompt(prompt.text) else ""


def _not_rasa(question: Question, prompt: Prompt) -> str:
    return _not_an_utterance(question, prompt) or "Rasa takes it for an entity" * bool(_ENTITY.search(prompt.text))


def _not_nlpjs(question: Question, prompt: Prompt) -> str:
    """NLP.js fills in what is in double braces of an answer, and evaluates it; @name and %name% are its slots."""
    if "{{" in plain_answers(question)[0]:
        return "NLP.js takes a part of its answer for a template"
    return _not_an_utterance(question, prompt) or "NLP.js takes a word of it for a slot" * bool(
        _SLOT.search(prompt.text)
    )


_SLOT = re.compile(r"(?:^|[\s,.!?;:(\[\]'\"¡¿)/])(?:@\w|%\w+%)")


def _rasa(groups: Iterator[Group], found: Survey) -> Iterator[Piece]:
    for group, examples in _with_examples(groups, found):
        texts = [{"text": example.prompt.text} for example in examples]
        item = [{"intent": _intent(group.original, found), "examples": texts}]
        text = yaml.safe_dump(item, allow_unicode=True, sort_keys=False, width=10**6)
        yield Piece(text.rstrip("\n"), tuple((one,) for one in examples))


def _nlpjs(groups: Iterator[Group], found: Survey) -> Iterator[Piece]:
    for group, examples in _with_examples(groups, found):
        utterances = [example.prompt.text for example in examples]
        name, answers = _intent(group.original, found), [group.original.answers[0]]
        item = {"intent": name, "utterances": utterances, "answers": answers}
        yield Piece(written(item), tuple((one,) for one in examples))


def _openai(groups: Iterator[Group], found: Survey) -> Iterator[Piece]:
    """The passages are where somebody would paste them: in the message, before the question."""
    for _, examples in _with_examples(groups, found):
        for example in examples:
            (sent,), _ = DOORS["message"].sent((example.prompt,))
            messages = [{"role": _SPEAKERS[turn.speaker], "content": turn.text} for turn in sent.history]
            messages += [{"role": "user", "content": sent.text}, {"role": "assistant", "content": example.answers[0]}]
            yield Piece(written({"messages": messages}), ((example,),))


def _not_concat(question: Question, prompt: Prompt) -> str:
    del question
    return "it has earlier messages, which cannot be joined" if prompt.history else ""


_LIST: Mapping[str, Any] = {"between": ",\n", "foot": "\n]}\n"}
KINDS: Mapping[str, Kind] = {
    "mda": Kind(_mda, 0.2),
    "concat": Kind(_concat, unfit=_not_concat, variants=False),
    "pairs": Kind(_pairs, changed=True),
    "squad": Kind(_squad, 0.25, _not_squad, head='{"version": "1.1", "data": [\n', **_LIST),
    "rasa": Kind(_rasa, unfit=_not_rasa, one_language=True, head='version: "3.1"\nnlu:\n'),
    "nlpjs": Kind(
        _nlpjs,
        unfit=_not_nlpjs,
        one_language=True,
        head='{"name": "botattack", "locale": "{lang}", "data": [\n',
        **_LIST,
    ),
    "openai-jsonl": Kind(_openai),
}
"""By the name of --for. 20 % is MDA's share, 25 % that of the reasoning-chain attack (section 3.6)."""
