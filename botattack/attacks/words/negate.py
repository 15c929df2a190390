"""Negation (dialogue 3.1, Add Negation): the right answer must change. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import ClassVar, Literal

from botattack.attacks.building.advice import DETAILS
from botattack.attacks.building.drafting import Drafting, Drafts
from botattack.attacks.building.guard import Draft, Edits, Judgement
from botattack.attacks.building.keywords import is_word
from botattack.attacks.building.parsed import WH, asking, below, complains, roots
from botattack.model import Edit, Expect, Token
from botattack.places import QUESTION
from botattack.protocols import ENGLISH, Context
from botattack.text.parse_need import parse
from botattack.text.tokens import match_case
from botattack.text.word_lists import attack_words, denied, grammar_words

DO = {"VBD": "did", "VBZ": "does"}
DOES = frozenset({"do", "does", "did"})
SUBJECTS = frozenset({"nsubj", "nsubjpass", "csubj", "expl"})


@dataclass(frozen=True)
class Negate(Drafting):
    """Negates the question: "I want some coffee" becomes "I don't want some coffee" (dialogue 3.1, Add Negation).

    Forms of "be", other auxiliaries and modals get a "not"; other verbs get "do" with it and their plain form. A right
    bot gives a different answer: `expect: different`.

    Decided here: the meaning is changed if one answer cannot be right for both questions, and both have one: those with
    "why", about who can or may, and wishes. Otherwise it is unsure: a yes/no question keeps its answer ("don't you
    open?"); what is left over of a list is no answer ("which books did Lincoln not write?"); and nobody asks why
    nothing is wrong ("why is my card not declined?"). If an auxiliary comes before its subject ("Does he live here?"),
    the "not" follows the subject; if a question word asks with "be" ("What is the capital?"), it follows the "be"; if
    the parse shows no subject, it follows the auxiliary. A negated verb has no variant.
    """

    name: ClassVar[str] = "negate"
    plain: ClassVar[str] = "Negations"
    advice: ClassVar[str] = DETAILS.format("negations")
    expect: ClassVar[Expect] = "different"
    languages: ClassVar[frozenset[str] | None] = ENGLISH
    uses: ClassVar[tuple[str, ...]] = ("parse",)

    verb: Literal["first", "root"] = "first"
    """The `first` verb of the text (section 5), or its `root` (section 3.1)."""

    def drafts(self, context: Context, rng: Random) -> Drafts:
        question = context.question
        tokens = yield from parse(question.text, question.lang, lemmas=True)
        verb = _verb(tokens, self.verb)
        if verb is None or _negated(tokens, verb):
            return []
        edits = self._edits(tokens, verb)
        return [Draft(edits, _judged(tokens, verb))]

    def _edits(self, tokens: Sequence[Token], verb: int) -> Edits:
        token = tokens[verb]
        helper = _helper(tokens, verb)
        if helper is not None:
            at = _place(tokens, helper)
            after = "n't" if at == helper and tokens[at].text.lower() in DOES else " not"
            return (Edit(tokens[at].end, "", after, "negated", QUESTION, token.relation, token.pos),)
        to = [other for other in tokens[:verb] if other.head == verb and other.text.lower() == "to"]
        if to:
            return (Edit(to[0].start, "", "not ", "negated", QUESTION, token.relation, token.pos),)
        if token.tag in ("VBG", "VBN"):
            return (Edit(token.start, "", "not ", "negated", QUESTION, token.relation, token.pos),)
        support = denied()[DO.get(token.tag, "do")]
        plain = (token.lemma or token.text).lower() if token.tag in DO else token.text
        after = f"{match_case(token.text, support) if token.start == 0 else support} "
        after += plain.lower() if token.start == 0 else plain
        return (Edit(token.start, token.text, after, "negated", QUESTION, token.relation, token.pos),)


def _judged(tokens: Sequence[Token], verb: int) -> Judgement:
    said = f"{tokens[verb].text!r} was negated"
    asks = asking(tokens)
    root = roots(tokens)[0] if roots(tokens) else -1
    turns = verb == root or (tokens[verb].head == root and tokens[verb].relation in ("aux", "auxpass"))
    if turns and ((asks == "wish" and verb == root) or (asks == "open" and _shuts_out(tokens))):
        return "changed", said
    return "unsure", f"{said}, yet the answer may be the same, or there may be none"


def _shuts_out(tokens: Sequence[Token]) -> bool:
    """Whether an open question and its negation have no answer in common, and both have one."""
    asked, following = tokens[0].text.lower(), tokens[1] if len(tokens) > 1 else tokens[0]
    said = [token.text.lower() for token in tokens]
    if not attack_words.once.isdisjoint(said) or any(token.tag in ("JJS", "RBS", "CD") for token in tokens):
        return False
    if asked == "why":
        return not complains(tokens)
    return asked == "who" and following.text.lower() in ("can", "may")


def _verb(tokens: Sequence[Token], which: str) -> int | None:
    verbs = (i for i, token in enumerate(tokens) if token.pos in ("VERB", "AUX"))
    roots = (i for i, token in enumerate(tokens) if token.head == i)
    return next(verbs if which == "first" else roots, None)


def _negated(tokens: Sequence[Token], verb: int) -> bool:
    """Whether the clause of the verb has its negation already."""
    heads = {verb, tokens[verb].head} if tokens[verb].relation in ("aux", "auxpass") else {verb}
    return any(token.relation == "neg" and token.head in heads for token in tokens)


def _helper(tokens: Sequence[Token], verb: int) -> int | None:
    """What carries the "not": the verb itself where it is an auxiliary, or its first auxiliary."""
    token = tokens[verb]
    if token.relation in ("aux", "auxpass") or token.tag == "MD" or _is_be(token):
        return verb
    # A "do" that was taken for the verb asks: "did the war end", whose "end" was taken for a noun.
    if token.text.lower() in DOES and (verb == 0 or tokens[verb - 1].tag == "WRB"):
        return verb
    helpers = [i for i, other in enumerate(tokens) if other.head == verb and other.relation in ("aux", "auxpass")]
    return next((i for i in helpers if tokens[i].text.lower() != "to"), None)


def _is_be(token: Token) -> bool:
    """Whether it is a form of "be", also one behind a pronoun."""
    said = token.text.lower()
    return said in grammar_words.be or said.lstrip("'’") in ("m", "re", "s")


def _place(tokens: Sequence[Token], helper: int) -> int:
    """The last token before the "not"."""
    main = tokens[helper].head if tokens[helper].relation in ("aux", "auxpass") else helper
    asked = any(token.tag in WH and token.tag != "WRB" for token in tokens[:helper])
    if main == helper and (asked or tokens[helper].text.lower() in DOES):
        return helper
    subjects = [i for i, token in enumerate(tokens) if token.head == main and token.relation in SUBJECTS and i > helper]
    if not subjects:
        return helper
    phrase = below(tokens, subjects[0])
    last = helper
    while last + 1 in phrase:
        last += 1
    if main == helper and not any(map(is_word, tokens[last + 1 :])):
        # What is said of the subject was taken for a part of it: "is breakfast included".
        return subjects[0]
    return last if main == helper or last < main else helper
