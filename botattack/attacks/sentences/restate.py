"""Questions asked in another structure (DPAEG 4.2.1). Pure; English."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import ClassVar

from botattack.attacks.building.advice import WORDINGS
from botattack.attacks.building.clauses import BE, DO, Clause, clause_of, without_do
from botattack.attacks.building.drafting import Drafting, Drafts
from botattack.attacks.building.guard import Draft
from botattack.attacks.building.meaning_gates import MeaningGates, allowed, gated_draw
from botattack.attacks.building.parsed import below
from botattack.attacks.sentences.rewriting import in_form_of, rewritten
from botattack.protocols import ENGLISH, Context, Proposals
from botattack.text.parse_need import parse
from botattack.text.parts.inflection import Inflection


@dataclass(frozen=True)
class Restate(MeaningGates, Drafting):
    """Asks the same in another structure: indirectly, passively, as a cleft sentence or a request; with "the capital of
    France" and "France's capital", "why" and "for what reason".

    DPAEG 4.2.1 restated its questions by hand; this does it by rules over the parse. `{chain: [restate, dpaeg]}` is
    that section's experiment, `{chain: [reword, restate]}` has other words too.

    Decided here: the question's mark (a full stop where the sentence no longer asks) and the case of its first letter
    stay. Meaning is kept where the gates let it pass.
    """

    name: ClassVar[str] = "restate"
    plain: ClassVar[str] = "Other wordings"
    advice: ClassVar[str] = WORDINGS
    languages: ClassVar[frozenset[str] | None] = ENGLISH

    def parts(self) -> tuple[str, ...]:
        return ("parse", "inflection", *self.gate_parts())

    def propose(self, context: Context, rng: Random) -> Proposals:
        return (yield from gated_draw(lambda wider: Drafting.propose(wider, context, rng), context, self))

    def drafts(self, context: Context, rng: Random) -> Drafts:
        question = context.question
        tokens = yield from parse(question.text, question.lang, entities=True)
        clause = clause_of(question.text, tokens)
        found = restated(clause, context.parts["inflection"]) if clause else ()
        return self._drafts(question.text, iter(found))

    def _drafts(self, text: str, found: Iterator[tuple[str, str]]) -> Iterator[Draft]:
        for sentence, rule in found:
            edits = rewritten(text, in_form_of(text, sentence, asks=rule != REQUEST), rule)
            if edits and allowed(edits, self.vocabulary):
                yield Draft(edits)


Restated = tuple[str, str]
"""A sentence without its last mark, and the rule that made it."""

REQUEST = "request"
"""The rule of sentences that do not ask."""
_POLITE = {"can you tell me": "indirect", "do you know": "indirect", "please tell me": REQUEST}
_QUESTION_WORDS = {"why": "for what reason", "where": "in what place", "when": "at what time"}


def restated(clause: Clause, inflection: Inflection) -> Iterator[Restated]:
    """Every rule that fits."""
    inner = _indirect(clause, inflection)
    if inner:
        yield from ((f"{start} {inner}", rule) for start, rule in _POLITE.items())
    yield from _passive(clause, inflection)
    yield from _cleft(clause)
    yield from _other_question_word(clause)
    yield from _named(clause)
    yield from _owned(clause)


def _indirect(clause: Clause, inflection: Inflection) -> str:
    """The question in the order of a statement, as it is behind "tell me"."""
    asked = clause.lowered(clause.asked) if clause.asked else "whether"
    auxiliary = clause.auxiliary
    if auxiliary is None:
        return clause.said(asked, clause.rest) if clause.asked else ""
    word = clause.word(auxiliary).lower()
    if word in DO:
        spoken = without_do(clause, word, inflection) if clause.root != auxiliary else None
        return spoken.said(asked, spoken.subject, spoken.rest) if spoken else ""
    return clause.said(asked, clause.subject, word, clause.rest)


def _passive(clause: Clause, inflection: Inflection) -> Iterator[Restated]:
    """ "Who played the voice" becomes "by whom was the voice played"."""
    verb = clause.tokens[clause.root]
    alone = len(clause.asked) == 1 and clause.tokens[0].text.lower() == "who"
    if not (alone and clause.asks_for_subject and verb.tag in ("VBD", "VBZ") and clause.rest[0] == clause.root):
        return
    objects = [i for i, token in enumerate(clause.tokens) if token.relation == "dobj" and token.head == clause.root]
    phrase = [i for i in below(clause.tokens, objects[0]) if i in clause.rest] if len(objects) == 1 else []
    if not phrase or phrase != list(range(clause.root + 1, phrase[-1] + 1)):
        return
    plural = clause.tokens[objects[0]].tag in ("NNS", "NNPS")
    be = {("VBD", False): "was", ("VBD", True): "were", ("VBZ", False): "is"}.get((verb.tag, plural), "are")
    done = inflection.inflected(inflection.lemma(clause.word(clause.root), "VERB"), "VBN")
    rest = [i for i in clause.rest if i > phrase[-1]]
    yield clause.said("by whom", be, phrase, done, rest), "passive"
    if not any(clause.tokens[i].pos == "PUNCT" or clause.tokens[i].relation == "cc" for i in rest):
        yield clause.said(phrase, be, done, rest, "by whom"), "passive"


def _cleft(clause: Clause) -> Iterator[Restated]:
    """ "Who played it" becomes "who was it that played it"."""
    verb = clause.tokens[clause.rest[0]] if clause.rest else None
    first = clause.tokens[0].text.lower()
    if clause.asks_for_subject and len(clause.asked) == 1 and first == "who" and verb and verb.tag in ("VBD", "VBZ"):
        be = "was" if verb.tag == "VBD" else "is"
        if verb.pos == "VERB":
            yield clause.said(clause.lowered(clause.asked), be, "it that", clause.rest), "cleft"


def _other_question_word(clause: Clause) -> Iterator[Restated]:
    word = clause.tokens[0].text.lower()
    if len(clause.asked) == 1 and word in _QUESTION_WORDS and clause.auxiliary is not None:
        after = [clause.auxiliary, *clause.subject, *clause.rest]
        yield clause.said(_QUESTION_WORDS[word], after), "question word"


def _named(clause: Clause) -> Iterator[Restated]:
    """ "What is the capital of France" becomes "name the capital of France"."""
    if len(clause.asked) != 1 or clause.auxiliary != clause.root or clause.rest:
        return
    asks = clause.tokens[0].text.lower() in ("what", "who") and clause.word(clause.root).lower() in BE
    if asks and clause.tokens[clause.subject[0]].tag == "DT":
        yield clause.said("name", clause.subject), REQUEST


def _owned(clause: Clause) -> Iterator[Restated]:
    """ "The capital of France" becomes "France's capital", and the other way round."""
    tokens, every = clause.tokens, _places(clause)
    for i in every:
        if tokens[i].text.lower() == "of" and tokens[i].relation == "prep":
            yield from _to_genitive(clause, every, i)
        elif tokens[i].tag == "POS" and i + 1 in every:
            yield from _from_genitive(clause, every, i)


def _to_genitive(clause: Clause, every: Sequence[int], of: int) -> Iterator[Restated]:
    """Only a name becomes an owner: of other nouns "of" also means what something is made of."""
    tokens = clause.tokens
    thing = tokens[of].head
    start = thing - 1
    while start >= 0 and tokens[start].head == thing and tokens[start].relation in ("amod", "compound"):
        start -= 1
    owner = [i for i in below(tokens, of) if i > of]
    simple = owner and owner == list(range(of + 1, owner[-1] + 1)) and all(tokens[i].pos == "PROPN" for i in owner)
    if thing == of - 1 and start >= 0 and tokens[start].text.lower() == "the" and simple:
        named = clause.said(owner) + ("'" if clause.word(owner[-1]).endswith("s") else "'s")
        before, after = [i for i in every if i < start], [i for i in every if i > owner[-1]]
        yield clause.said(before, named, range(start + 1, of), after), "genitive"


def _from_genitive(clause: Clause, every: Sequence[int], mark: int) -> Iterator[Restated]:
    tokens = clause.tokens
    owner = [i for i in below(tokens, tokens[mark].head) if i < mark]
    thing = tokens[tokens[mark].head].head
    between = list(range(mark + 1, thing + 1))
    of = any(token.head == thing and token.text.lower() == "of" for token in tokens)
    of = of or [token.tag for token in tokens[thing + 1 : thing + 2]] == ["POS"]
    if owner and owner == list(range(owner[0], mark)) and between and tokens[thing].pos == "NOUN" and not of:
        before, after = [i for i in every if i < owner[0]], [i for i in every if i > thing]
        yield clause.said(before, "the", between, "of", owner, after), "genitive"


def _places(clause: Clause) -> list[int]:
    auxiliary = [] if clause.auxiliary is None else [clause.auxiliary]
    return [*clause.asked, *auxiliary, *clause.subject, *clause.rest]
