"""The guard on meaning that needs models: variants too far from their question, or no longer a sentence, are unsure."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain, islice, product
from math import floor
from typing import Any, ClassVar, Literal

import msgspec

from botattack.attacks.building.composed_edits import texts_edited
from botattack.attacks.building.guard import DRAWN, batches
from botattack.model import Edit, Need, Token, Variant
from botattack.options import Share
from botattack.protocols import Context, Needing, PartsByName, Proposals, are_needs
from botattack.text.tokens import words
from botattack.text.word_lists import opposites, word_groups, word_table
from botattack.text.wordlist import Vocabulary, WordList

Gate = Literal["similar", "roles", "grammar", "opposites"]
_GATE_PARTS = {
    "similar": ("similar",),
    "roles": ("parse",),
    "grammar": ("grammar",),
    "opposites": ("thesaurus", "inflection"),
}
_OPEN = ("ADJ", "VERB", "NOUN", "ADV")
Gating = Needing[list[Variant]]


@dataclass(frozen=True)
class MeaningGates:
    """The guards on meaning, as options of an attack."""

    gates: tuple[Gate, ...] = ("similar",)
    """Checks of each variant: `similar` (cosine of the two sentences), `roles` (its words depend on one another as in
    the original), `grammar` (it can be parsed if the original can) and `opposites` (no edit adds an antonym). If one
    fails, the meaning is unsure, and `why` says which; without gates nothing is checked."""
    at_least: Share = 0.85
    """The cosine below which meaning is unsure."""
    vocabulary: Vocabulary = None
    """A file with words; a word is put in only if it is one of them."""

    strict: ClassVar[bool] = False
    """Whether what cannot be parsed whole is unsure even where the original cannot."""

    def least(self, variant: Variant) -> float:
        """The cosine that a variant needs."""
        return self.at_least

    def sure(self, variant: Variant) -> bool:
        """Whether no gate needs to look at a variant."""
        return False

    @property
    def checks(self) -> tuple[Gate, ...]:
        """The gates, and those that go with them."""
        return self.gates

    def gate_parts(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(part for gate in self.checks for part in _GATE_PARTS[gate]))


def filled(proposals: Proposals, context: Context, options: MeaningGates, most: int) -> Proposals:
    """At most `most` variants of proposals that hear of no outcome, those that pass the gates first; the gates look at
    no more than they must to find so many."""
    sent: Any = None
    claimed: list[Variant] = []
    others: list[Variant] = []
    existing: int | None = None
    while True:
        try:
            batch = proposals.send(sent)
        except StopIteration as end:
            existing = end.value
            break
        sent = ()
        if are_needs(batch):
            sent = yield batch
            continue
        for at in range(0, len(batch), most):
            if len(claimed) >= most:
                break
            some = batch[at : at + most]
            looked = (yield from judged(context, some, options)) if options.gates else some
            claimed += [variant for variant in looked if variant.meaning_as_claimed]
            others += [variant for variant in looked if not variant.meaning_as_claimed]
    yield from batches([*claimed, *others][:most])
    return existing


def gated_draw(propose: Callable[[Any], Proposals], context: Context, attack: Any) -> Proposals:
    """What an attack proposes, through its gates: `propose` is asked with more variants a question than wanted, so that
    those that do not pass leave none of `per_question` empty."""
    wider = replace(attack, per_question=DRAWN * attack.per_question)
    return (yield from filled(propose(wider), context, attack, attack.per_question))


def judged(context: Context, variants: Sequence[Variant], options: MeaningGates) -> Gating:
    """The variants in their order; those whose meaning was kept and that do not pass are unsure."""
    question, gates = context.question, options.checks
    asked = [variant for variant in variants if variant.meaning == "kept" and not options.sure(variant)]
    pairs = [texts_edited(question.turns, variant) for variant in asked]
    wanted = {
        "similar": [Need("similar", {"one": one, "other": other}) for one, other in pairs],
        "roles": [Need("parse", {"text": text, "lang": question.lang}) for pair in pairs for text in pair],
        "grammar": [Need("grammar", {"text": text}) for text in (question.text, *(other for _, other in pairs))],
    }
    needs = {gate: wanted[gate] for gate in wanted if gate in gates and asked}
    results = iter((yield list(chain(*needs.values()))) if needs else ())
    met = {gate: list(islice(results, len(found))) for gate, found in needs.items()}
    found = {}
    for i, variant in enumerate(asked):
        why = opposite(variant, context.parts) if "opposites" in gates else ""
        if not why and "roles" in met:
            why = other_roles(*met["roles"][2 * i : 2 * i + 2])
        one = (options.strict or met["grammar"][0], met["grammar"][i + 1]) if "grammar" in met else None
        why = why or _why(met["similar"][i] if "similar" in met else None, one, options.least(variant))
        found[variant.id] = msgspec.structs.replace(variant, meaning="unsure", why=why) if why else variant
    return [found.get(variant.id, variant) for variant in variants]


def _why(cosine: float | None, parses: tuple[bool | None, bool | None] | None, at_least: float) -> str:
    if cosine is not None and cosine < at_least:
        # Rounded down: 0.928 is not 0.93, which would not be below 0.93.
        return f"similarity {floor(cosine * 100) / 100:.2f} is below {at_least:g}"
    return "it cannot be parsed whole, as the original can" if parses and parses[0] and parses[1] is False else ""


def opposite(variant: Variant, parts: PartsByName) -> str:
    """Why a variant's meaning is unsure, if an edit puts in an antonym of what it takes away; else ""."""
    for edit in variant.edits:
        before, after = ([word.text.lower() for word in words(text)] for text in (edit.before, edit.after))
        for one, other, pos in product(before, after, _OPEN):
            lemma = partial(parts["inflection"].lemma, pos=pos)
            if one != other and _opposed(lemma(one), lemma(other), pos, parts):
                return f"{other!r} is an opposite of {one!r}"
    return ""


def _opposed(one: str, other: str, pos: str, parts: PartsByName) -> bool:
    """Whether any source of antonyms lists a pair."""
    lexicon = parts.get("paraphrases")
    return (
        any(other in sense for sense in parts["thesaurus"].antonyms(one, pos))
        or any(other in opposites(kind).get(one, ()) for kind in word_table("attacks.opposites"))
        or tuple(sorted((one, other))) in word_groups("attacks.opposite_function_words")
        or bool(lexicon and other in lexicon.antonyms(one))
    )


_ROLES = {"nsubj": "subject", "attr": "subject", "nsubjpass": "object", "dobj": "object", "dative": "to"}
"""Of a sentence with "be" either side is its subject, and the subject of a passive is what something is done to."""


def other_roles(before: Sequence[Token], after: Sequence[Token]) -> str:
    """Why a sentence may say something else of the same words, as "from Boston to Denver" of Denver; else "".

    Where words were only exchanged, each must be the part of speech of the one before: the parser errs on names too
    often to look at more.
    """
    if len(before) == len(after):
        pairs = ((old, new) for old, new in zip(before, after, strict=True) if old.text != new.text)
        other = next((new.text for old, new in pairs if old.pos in _OPEN and new.pos != old.pos), "")
        return f"{other!r} is another part of speech there" if other else ""
    one, two = _roles(before), _roles(after)
    word = next((word for word in one if word in two and one[word] != two[word]), "")
    return f"{word!r} is {two[word]!r} there, not {one[word]!r}" if word else ""


def _roles(tokens: Sequence[Token]) -> dict[str, str]:
    """What each word is in its sentence, behind a preposition that preposition; a word said twice is left out."""
    found: dict[str, str] = {}
    for token in tokens:
        head = tokens[token.head]
        behind = "subject" if head.relation == "agent" else head.text.lower()
        role = behind if token.relation == "pobj" else _ROLES.get(token.relation, "")
        word = token.text.lower()
        found[word] = role if word not in found else ""
    return {word: role for word, role in found.items() if role}


def allowed(edits: Sequence[Edit], vocabulary: WordList | None) -> bool:
    """Whether all that edits put in is in the vocabulary, if there is one."""
    return vocabulary is None or all(vocabulary.holds(edit.after) for edit in edits)
