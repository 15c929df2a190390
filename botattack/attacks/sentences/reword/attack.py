"""The question in other words: candidates of several sources, all through one gate. Pure."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain
from random import Random
from typing import ClassVar, Literal

from botattack.attacks.building.advice import WORDINGS
from botattack.attacks.building.choosing import PerQuestion
from botattack.attacks.building.guard import KEPT, Draft, answer_spans, batches, guarded
from botattack.attacks.building.meaning_gates import Gate, MeaningGates, allowed, filled
from botattack.attacks.sentences.reword.exchanges import OPEN, OWN, VERB, Listed, Source, exchanges, own, wordings
from botattack.attacks.sentences.rewriting import doubt, in_form_of, rewritten
from botattack.errors import MissingPart
from botattack.model import Need, Question, Token, Variant
from botattack.options import Share, Some
from botattack.protocols import ENGLISH, Attack, Context, Needing, PartsByName, Proposals
from botattack.text.languages import script_of
from botattack.text.parse_need import parse
from botattack.text.parts.thesaurus import Thesaurus
from botattack.text.parts.translation import Apertium
from botattack.text.tokens import words
from botattack.text.word_lists import attack_words, grammar_words

Sentences = Needing[list[tuple[str, str]]]
"""Yields Needs, is sent their results, returns sentences with the kind of their edits."""
_LETTERS = "ABCDEFGHJKLMNPRSTUVWYZ"
Span = tuple[int, int]


def drafts_of(question: Question, found: Sequence[tuple[str, str]], *, compared: bool) -> Iterator[Draft]:
    """The sentences in the form of the question; one that may ask for something else is unsure."""
    for sentence, kind in found:
        edits = rewritten(question.text, in_form_of(question.text, sentence), kind)
        if edits and script_of(sentence) == script_of(question.text):  # a model may answer in its own language
            why = doubt(question, sentence, compared=compared)
            why = why or (_other_question(question.text, sentence) if kind != MODEL else "")
            yield Draft(edits, ("unsure", why) if why else KEPT)


MODEL = "model"


def modelled(question: Question, most: int) -> Sentences:
    """What a model writes."""
    (found,) = yield [Need("paraphrase", {"text": question.text, "n": most})]
    return [(sentence, MODEL) for sentence in found]


def translated(question: Question, tokens: Sequence[Token], bridges: Sequence[str]) -> Sentences:
    """The question in other languages and back, its names behind letters that no translator touches."""
    lang = question.language
    bridges = [bridge for bridge in bridges if bridge != lang]
    text, names = veiled(question, tokens)
    there = yield [Need("translate", {"text": text, "from": lang, "to": bridge}) for bridge in bridges]
    said = [(bridge, found) for bridge, found in zip(bridges, there, strict=True) if found]
    if not said:
        return []
    back = yield [Need("translate", {"text": found, "from": bridge, "to": lang}) for bridge, found in said]
    unveiled = ((_unveiled(found or "", names), bridge) for found, (bridge, _) in zip(back, said, strict=True))
    return [(sentence, f"by way of {bridge}") for sentence, bridge in unveiled if sentence]


def _other_question(before: str, after: str) -> str:
    """What tells that a sentence asks with another word ("how" became "as"); "what" and "which" are one."""
    one, other = (
        {"what" if word.text.lower() == "which" else word.text.lower() for word in words(text)}
        & grammar_words.question_words
        for text in (before, after)
    )
    lost = sorted(one - other)
    return f"it lost {lost[0]!r}" if lost else ""


def reached(bridge: str, pairs: Collection[str]) -> bool:
    """Whether some language leads to the bridge and back."""
    return any(there.endswith(f"-{bridge}") and f"{bridge}-{there[: -len(bridge) - 1]}" in pairs for there in pairs)


def veiled(question: Question, tokens: Sequence[Token]) -> tuple[str, list[str]]:
    """The question with XQA, XQB … in place of names, and the names; every run of names is one."""
    text, veiled_text, names, end = question.text, "", list[str](), 0
    for start, stop in _name_spans(question, tokens):
        if len(names) < len(_LETTERS):
            veiled_text += text[end:start] + f"XQ{_LETTERS[len(names)]}"
            names.append(text[start:stop])
            end = stop
    return veiled_text + text[end:], names


def _name_spans(question: Question, tokens: Sequence[Token]) -> list[Span]:
    spans = [(token.start, token.end) for token in tokens if token.entity or token.pos == "PROPN"]
    joined: list[Span] = []
    for start, end in sorted([*spans, *answer_spans(question.text, question.answers)]):
        if joined and start <= joined[-1][1] + 1 and not question.text[joined[-1][1] : start].strip():
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    return joined


def _unveiled(text: str, names: Sequence[str]) -> str:
    """The text with its names back; empty if one was lost or doubled, or got an ending, which no name takes."""
    for letter, name in zip(_LETTERS, names, strict=False):
        found = re.findall(rf"\w*XQ{letter}\w*", text)
        if found != [f"XQ{letter}"]:
            return ""
        text = text.replace(f"XQ{letter}", name)
    return text


From = Literal["own", "thesaurus", "lexicon", "neighbours", "translation", "model"]
WORDS: tuple[From, ...] = ("own", "thesaurus", "lexicon")
"""The sources of words that need nothing but lists."""
_EXCHANGED = ("own", "thesaurus", "lexicon", "neighbours")
_PARTS = {"lexicon": "paraphrases", "neighbours": "neighbours", "translation": "translate", "model": "paraphrase"}
_ASKS = {"what": "which", "which": "what"}
_NAMING = frozenset({"ADJ", "NOUN", "NUM", "PROPN"})
SENSES = 2
"""Of how many senses of a word synonyms are taken, the most frequent first."""
SENTENCES = 0.95
"""The cosine that a translation needs at least."""
NEAREST = 40
"""How many neighbours of each word are looked at; the paper gives no number."""
Drafts = Needing[list[Draft]]


@dataclass(frozen=True)
class Reword(PerQuestion, MeaningGates, Attack):
    """Asks the question in other words: "She bought a bike" becomes "She purchased a bike" (dialogue 3.1, semantic
    parsers 3.1).

    Each source proposes, and one gate decides for all of them. `own` is our list of words, phrases and whole questions
    that ask the same ("how do I", "how can I"), and rules: "where is it", "where can I find it"; "may I pay", "am I
    allowed to pay"; "whom is it for", "for whom is it". `thesaurus` has WordNet's synonyms, as the papers' hand-made
    paraphrases (DPAEG 4.2.1). `lexicon` has the pairs of PPDB (dialogue 3.1, Data-level Paraphrasing). `neighbours` are
    the words with the nearest GloVe vectors, in for the paper's masked language model, which no package contains
    (semantic parsers 3.1, Substitution (nf)). `translation` goes into other languages and back (semantic parsers 3.1,
    Back Translation; Persian QA's augmentation). `model` is any that a target file names (dialogue 3.1,
    Generative-level Paraphrasing).

    Decided here: a variant exchanges one word or phrase, or is one rewritten sentence. Meaning is kept where our list
    has a phrase or a question, and, if the gates let it pass, a word of our list or one that two other sources list.
    What is a name, a function word alone, a word of an answer or half of a hyphenated word stays. A rewritten sentence
    is unsure if it does not ask, answers, negates, loses a number or a content word, adds several, or is half or twice
    as long. Only `own` is on by default: the others claim little, and are right less often.
    """

    name: ClassVar[str] = "reword"
    plain: ClassVar[str] = "Other words"
    advice: ClassVar[str] = WORDINGS

    sources: Some[From] = ("own",)
    """Who proposes; see above."""
    bridges: tuple[str, ...] = ("eo", "es")
    """Languages of `translation`, by their two-letter codes; the translator is BOTATTACK_TRANSLATOR, else Apertium."""
    gates: tuple[Gate, ...] = ("similar", "roles", "opposites")
    at_least: Share = 0.9
    strict: ClassVar[bool] = True

    @property
    def languages(self) -> frozenset[str] | None:
        return ENGLISH if self._exchanged else None

    @property
    def _exchanged(self) -> tuple[str, ...]:
        return tuple(source for source in _EXCHANGED if source in self.sources)

    @property
    def checks(self) -> tuple[Gate, ...]:
        """Whoever writes whole sentences may write what is none."""
        return (*self.gates, "grammar") if self.gates and {"translation", "model"} & {*self.sources} else self.gates

    def least(self, variant: Variant) -> float:
        """Rules translate by the first sense of a word."""
        return (
            max(self.at_least, SENTENCES) if any("by way of" in edit.kind for edit in variant.edits) else self.at_least
        )

    def sure(self, variant: Variant) -> bool:
        """Whether our list has it as a phrase or a whole question: a single word may have other senses."""
        edits = variant.edits
        return {edit.kind for edit in edits} == {OWN} and (len(edits) > 1 or " " in edits[0].before + edits[0].after)

    def parts(self) -> tuple[str, ...]:
        words = ("parse", "inflection", "dictionary", "thesaurus") if self._exchanged else ()
        parse_ = ("parse",) if "translation" in self.sources else ()
        more = (_PARTS[source] for source in self.sources if source in _PARTS)
        return tuple(dict.fromkeys((*words, *parse_, *more, *self.gate_parts())))

    def check_parts(self, parts: Mapping[str, object]) -> None:
        """Raises MissingPart if the translator tells its languages and a bridge is none of them."""
        translator = parts.get("translate")
        known = translator.pairs if isinstance(translator, Apertium) else None
        lost = [bridge for bridge in self.bridges if known is not None and not reached(bridge, known)]
        if lost:
            there = ", ".join(sorted({pair[3:] for pair in known or () if pair.startswith("en-")}))
            raise MissingPart(
                f"{self.name} has no way there and back to {', '.join(lost)}; from English there are {there}: "
                "install that pair (apt-get install apertium-…), or give other bridges"
            )

    def propose(self, context: Context, rng: Random) -> Proposals:
        return (yield from filled(self._propose(context, rng), context, self, self.per_question))

    def _propose(self, context: Context, rng: Random) -> Proposals:
        question, drafts = context.question, list[Draft]()
        tokens: tuple[Token, ...] = ()
        if "parse" in self.parts():
            tokens = yield from parse(question.text, question.lang, entities=True)
        if self._exchanged:
            drafts += yield from self._exchanges(question, tokens, context.parts)
        if OWN in self.sources:
            said = (in_form_of(question.text, each) for each in wordings(question.text, tokens))
            drafts += (Draft(rewritten(question.text, each, OWN)) for each in said)
        if "translation" in self.sources:
            drafts += self._sentences(question, (yield from translated(question, tokens, self.bridges)))
        if "model" in self.sources:
            drafts += self._sentences(question, (yield from modelled(question, self.per_question)))
        found = [draft for draft in drafts if allowed(draft.edits, self.vocabulary)]
        drawn = sorted(rng.sample(found, len(found)), key=lambda draft: draft.judgement[0] != "kept")
        variants = list(guarded(question, drawn, attack=self.name))
        yield from batches(variants)
        return len(variants)

    def _sentences(self, question: Question, found: Sequence[tuple[str, str]]) -> Iterator[Draft]:
        return drafts_of(question, found, compared="similar" in self.gates)

    def _exchanges(self, question: Question, tokens: Sequence[Token], parts: PartsByName) -> Drafts:
        near: dict[str, list[str]] = {}
        if "neighbours" in self.sources:
            free = {tokens[i].text.lower() for i in _content_words(tokens)}
            asked = sorted(free)
            found = (yield [Need("neighbours", {"word": word, "top": NEAREST}) for word in asked]) if asked else ()
            near = {word: [other for other, _ in others] for word, others in zip(asked, found, strict=True)}
        known: Mapping[str, Source] = {
            "own": partial(_own, _asked_nouns(tokens)),
            "thesaurus": partial(_synonyms, parts["thesaurus"]),
            "lexicon": lambda listed: parts["paraphrases"].of(listed.phrase),
            "neighbours": lambda listed: near.get(listed.phrase, ()),
        }
        longest = max(
            parts["paraphrases"].longest if "lexicon" in self.sources else 1, max(key.count(" ") for key in own()) + 1
        )
        return list(exchanges(question.text, tokens, {name: known[name] for name in self._exchanged}, longest, parts))


def _asked_nouns(tokens: Sequence[Token]) -> Mapping[str, str]:
    """A question word with the word after it that belongs to the noun it asks for, and what may stand there as well:
    "what city" and "which city"."""
    pairs = (
        (token.text.lower(), tokens[i + 1].text.lower(), tokens[token.head].text.lower())
        for i, token in enumerate(tokens)
        if token.relation == "det"
        and token.head > i
        and {each.pos for each in tokens[i + 1 : token.head + 1]} <= _NAMING
    )
    found = ((word, after) for word, after, noun in pairs if word in _ASKS and noun not in attack_words.never_altered)
    return {f"{word} {after}": f"{_ASKS[word]} {after}" for word, after in found}


def _own(nouns: Mapping[str, str], listed: Listed) -> Sequence[str]:
    asked_for = {listed.phrase, listed.lemma, VERB + listed.lemma if listed.pos == "VERB" else ""}
    known = (own().get(word, ()) for word in asked_for)
    asked = nouns.get(listed.phrase)
    return [*sorted(chain(*known)), *([asked] if asked else [])]


def _synonyms(thesaurus: Thesaurus, listed: Listed) -> Sequence[str]:
    if listed.pos not in OPEN:
        return ()
    found: Sequence[str] = thesaurus.synonyms(listed.lemma, listed.pos, SENSES)
    return [other for other in found if other == other.lower()]


def _content_words(tokens: Sequence[Token]) -> Iterator[int]:
    """Nouns, verbs, adjectives and adverbs that are not stop words and belong to no name."""
    for i, token in enumerate(tokens):
        if token.pos in ("NOUN", "VERB", "ADJ", "ADV") and not token.stop and not token.entity and token.text.isalpha():
            yield i
