"""A question taken apart by its parse: what is asked for, the auxiliary, the subject and the rest. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from botattack.attacks.building.parsed import below, body_of, paired
from botattack.model import Token
from botattack.text.parts.inflection import Inflection

DO = frozenset({"do", "does", "did"})
BE = frozenset({"is", "are", "was", "were", "'s", "’s", "'re", "’re"})
_WRITTEN_OUT = {"'s": "is", "’s": "is", "'re": "are", "’re": "are", "'d": "did", "’d": "did"}
_DO_TAGS = {"did": "VBD", "does": "VBZ"}
INSIDE = frozenset({"det", "amod", "advmod", "poss", "nummod", "quantmod", "compound", "predet"})
_COMPOUNDED = frozenset({"as", "for", "from", "of", "than", "to"})
"""What is part of a preposition: "out of"."""
_SUBJECTS = frozenset({"nsubj", "nsubjpass", "csubj", "attr", "expl"})


@dataclass(frozen=True)
class Clause:
    """Places of tokens: `asked` is the question phrase (empty in yes/no questions), then comes the auxiliary, if the
    order is that of a question, then subject and rest. `words` stand in place of single tokens."""

    text: str
    tokens: Sequence[Token]
    root: int
    asked: tuple[int, ...]
    auxiliary: int | None
    subject: tuple[int, ...]
    rest: tuple[int, ...]
    words: Mapping[int, str] = field(default_factory=dict)

    @property
    def asks_for_subject(self) -> bool:
        return bool(self.asked) and not self.subject

    def word(self, i: int) -> str:
        found = self.words.get(i, self.tokens[i].text)
        return _WRITTEN_OUT.get(found.lower(), found)

    def said(self, *pieces: Sequence[int] | str) -> str:
        """Pieces of the sentence in a row, with the white space that was inside them and one space between, but none
        before a mark that had none."""
        said = ""
        for piece in pieces:
            found = piece if isinstance(piece, str) else self._joined(piece)
            between = " " if isinstance(piece, str) or not piece else self._before(piece[0])
            said += (between if said and found else "") + found
        return said

    def _before(self, i: int) -> str:
        token = self.tokens[i]
        closes = token.pos == "PUNCT" and i and self.tokens[i - 1].end == token.start
        return "" if closes else " "

    def _joined(self, places: Sequence[int]) -> str:
        found = ""
        for last, i in zip((None, *places), places, strict=False):
            between = self.text[self.tokens[i - 1].end : self.tokens[i].start] if last == i - 1 and i else " "
            main = i in (self.auxiliary, self.root, *self.rest[:1])  # not the "'s" of "it's" for "its"
            written_out = main and self.tokens[i].text.lower() in _WRITTEN_OUT and self.tokens[i].pos != "PART"
            word = self.word(i) if written_out or i in self.words else self.tokens[i].text
            found += (" " if written_out and last is not None else between if last is not None else "") + word
        return found

    def lowered(self, places: Sequence[int]) -> str:
        """As `said`, with a small first letter unless a name is there."""
        found = self.said(places)
        token = self.tokens[places[0]] if places else None
        keep = token is None or token.pos == "PROPN" or token.text == "I" or found[:2].isupper()
        return found if keep else found[:1].lower() + found[1:]


def clause_of(text: str, tokens: Sequence[Token]) -> Clause | None:
    """The clause of a question with one root and the order of a question, or that asks for its subject; else None."""
    body = body_of(tokens)
    roots = [i for i in body if tokens[i].head == i]
    if len(roots) != 1:
        return None
    root, asked = roots[0], asked_for(tokens, body)
    after = len(asked)
    if after >= len(body):
        return None
    do = tokens[after].text.lower() in DO
    verb = _final_verb(tokens, after, body[-1])
    if do or verb or (tokens[after].pos == "AUX" and not _names_subject(tokens, asked, root, after)):
        # A bare verb at the end is often taken for a noun, and its auxiliary for the verb.
        root = _verb_taken_for_noun(tokens, body, after) if do and root == after else root
        subject = tuple(range(after + 1, verb)) if verb else _subject(tokens, root, after, body[-1])
        if subject:
            return Clause(text, tokens, root, asked, after, subject, tuple(body[subject[-1] + 1 :]))
        denied = after + 1 < len(body) and tokens[after + 1].relation == "neg" and _is_subject(tokens, asked, root)
        compared = denied or any(token.relation == "acomp" and token.head == root for token in tokens)
        return Clause(text, tokens, root, asked, None, (), tuple(body[after:])) if asked and compared else None
    if not _is_subject(tokens, asked, root) and not _names_subject(tokens, asked, root, after):
        return None
    return Clause(text, tokens, root, asked, None, (), tuple(body[after:]))


def _verb_taken_for_noun(tokens: Sequence[Token], body: Sequence[int], root: int) -> int:
    """The main verb behind "do" as its root: "how many points did they score in the game"."""
    nouns = [i for i in body[root + 2 :] if tokens[i].tag in ("NN", "NNP", "VB", "VBP")]
    behind = {i: tokens[i + 1] for i in nouns if i < body[-1] and tokens[i - 1].pos in ("NOUN", "PROPN", "PRON")}
    inside = [i for i, token in behind.items() if token.pos in ("ADP", "DET", "ADV") and token.text != "of"]
    ends = [body[-1]] if tokens[body[-1]].tag in ("NN", "NNS", "NNP") else []
    return next(iter([*inside, *ends]), root)


def asked_for(tokens: Sequence[Token], body: Iterable[int]) -> tuple[int, ...]:
    """The question phrase at the front, with a preposition before it; nothing in a yes/no question."""
    first = next((i for i in body if tokens[i].pos != "ADP"), 0)
    if not tokens[first].tag.startswith("W"):
        return ()
    top, seen = first, 0
    while tokens[top].relation in INSIDE and tokens[top].head > top and seen < len(tokens):
        above = tokens[tokens[top].head].pos
        verb = any(tokens[n].pos == "AUX" for n in range(top + 1, tokens[top].head))
        if (
            verb
            or above in ("VERB", "AUX")
            or (tokens[top].relation == "advmod" and above not in ("ADJ", "ADV", "DET", "NUM"))
        ):
            break
        top, seen = tokens[top].head, seen + 1
    phrase = set(below(tokens, top)) if tokens[top].head != top and tokens[top].pos not in ("VERB", "AUX") else {first}
    end = max(first, top)
    while end + 1 in phrase:
        end += 1
    return tuple(range(end + 1))


def labels(tokens: Sequence[Token]) -> set[int]:
    """What says of which kind the answer is: the question phrase, the noun that it is said to be ("what is the currency
    of Oslo"), and nouns that a clause tells apart: "the actor that plays Ann"."""
    body = body_of(tokens)
    phrase = asked_for(tokens, body)
    be = {tokens[i].head for i in phrase if tokens[i].tag != "WRB" and tokens[tokens[i].head].text.lower() in BE}
    near = [i for i, t in enumerate(tokens) if t.head in be and t.relation in _SUBJECTS and t.pos == "NOUN"]
    said = [i for i in near if (under := below(tokens, i)) == _without_verb(tokens, i, under, body[-1])]
    return {*phrase, *said, *(token.head for token in tokens if token.relation == "relcl")}


def _is_subject(tokens: Sequence[Token], asked: Sequence[int], root: int) -> bool:
    return any(tokens[i].relation in ("nsubj", "nsubjpass") and tokens[i].head == root for i in asked)


def _names_subject(tokens: Sequence[Token], asked: Sequence[int], root: int, after: int) -> bool:
    """ "What state is the largest", and "who was born": the phrase is the subject, whatever follows the auxiliary."""
    named = len(asked) > 1 and root == after and any(tokens[i].relation in ("attr", "nsubj") for i in asked)
    # "What time is it" has a subject of its own.
    others = [token for token in tokens[after + 1 :] if token.relation == "nsubj" and token.head == root]
    named = named and not any(token.pos in ("PRON", "NOUN", "PROPN") for token in others)
    return named or (
        root != after and _is_subject(tokens, asked, root) and not _subject(tokens, root, after, len(tokens))
    )


def _without_verb(tokens: Sequence[Token], subject: int, phrase: list[int], last: int) -> list[int]:
    """The phrase without a participle that says what is done, and was taken for a part of it: "where is it located"."""
    done = [i for i in phrase if i > subject and tokens[i].head in phrase and tokens[i].relation == "acl"]
    if not done or tokens[0].pos in ("AUX", "VERB"):
        return phrase
    lacks = not any(token.relation == "dobj" and token.head == done[0] for token in tokens)
    lacks = lacks and any(token.tag == "VBG" for token in tokens[done[0] : phrase[-1]])
    if lacks or any(i > done[0] and stranded(tokens, i) for i in phrase):
        return [i for i in phrase if i < done[0]]  # "what were they wearing", "what is it known as in Spain"
    if phrase[-1] != last or tokens[done[0]].tag not in ("VBN", "VBD"):
        return phrase
    ends = all(tokens[i].pos == "ADP" for i in phrase if i > done[0])
    return [i for i in phrase if i < done[0]] if ends or tokens[0].tag == "WRB" else phrase


def stranded(tokens: Sequence[Token], i: int) -> bool:
    """Whether a preposition has lost its object to the question phrase."""
    below_it = [token for token in tokens[i + 1 :] if token.head == i]
    holds = any(token.relation in ("pobj", "pcomp") or token.text in _COMPOUNDED for token in below_it)
    counts = i + 1 < len(tokens) and tokens[i + 1].pos == "NUM"  # "win at 38 years old"
    return tokens[i].relation in ("prep", "agent", "dative") and not holds and not counts


def _last_joined(tokens: Sequence[Token], i: int) -> int:
    """The last word that is joined to another by "and"."""
    joined = [n for n, token in enumerate(tokens) if token.relation == "conj" and token.head == i]
    return _last_joined(tokens, joined[-1]) if joined and joined[-1] > i else i


def _subject(tokens: Sequence[Token], root: int, auxiliary: int, last: int) -> tuple[int, ...]:
    """The subject's words, if they follow the auxiliary without a gap."""
    taken_for_noun = tokens[root].tag in ("NN", "NNS", "NNP")
    if taken_for_noun and (root == last or tokens[auxiliary].text.lower() in DO):
        return tuple(range(auxiliary + 1, root))
    for i, token in enumerate(tokens):
        if token.relation in _SUBJECTS and i > auxiliary and i != root and token.head in (root, auxiliary):
            phrase = _without_verb(tokens, i, [place for place in below(tokens, i) if auxiliary < place <= last], last)
            if root == auxiliary and auxiliary == 0 and phrase and phrase[-1] == last:
                phrase = [place for place in phrase if place <= _last_joined(tokens, i)]
            while len(phrase) > 1 and _hangs(tokens, phrase[-1]):  # "where is she from"
                above = tokens[phrase.pop()].head
                if tokens[above].relation == "pobj" and above != i:  # "off the coast of"
                    phrase = [place for place in phrase if place < tokens[above].head]
            while phrase and phrase[-1] < last and not paired(tokens, phrase) and tokens[phrase[-1] + 1].pos == "PUNCT":
                phrase.append(phrase[-1] + 1)  # a quotation mark that was taken for the verb's
            if phrase and phrase == list(range(auxiliary + 1, phrase[-1] + 1)) and root not in phrase:
                return tuple(phrase)
    return ()


def _final_verb(tokens: Sequence[Token], auxiliary: int, last: int) -> int:
    """The participle at the end, or before a preposition there, that a form of "be" helps, if no other verb is between:
    "where was the film shot", "what is he known for"; else 0."""
    named = tokens[last].text.lower() in ("called", "named")
    tag = "WP" if named else {"VBN": "WRB", "VBD": "WRB", "VBG": "WP"}.get(tokens[last].tag)
    hangs = tokens[last].pos == "ADP" and tokens[last - 1].tag in ("VBN", "VBG") and tokens[0].tag.startswith("W")
    verb = last - hangs
    between = tokens[auxiliary + 1 : verb]
    helps = tokens[auxiliary].text.lower() in BE and (hangs or (auxiliary == 1 and tokens[0].tag == tag))
    other = any(token.tag in ("VBD", "VBZ", "VBP", "MD", "RB", "PRP") for token in between)
    return verb if helps and between and not other else 0


def _hangs(tokens: Sequence[Token], i: int) -> bool:
    """Whether a word may belong to the verb, not to the subject before it: "where is she from", but not "what is the
    name of the stadium that they played in"."""
    head = tokens[i].head
    own = [t for t in tokens if t.head == head and t.relation == "nsubj" and not t.tag.startswith("W")]
    return tokens[i].pos in ("ADP", "ADV") and not (own and tokens[head].relation == "relcl")


def without_do(clause: Clause, do: str, inflection: Inflection) -> Clause | None:
    """The main verb in the form that do-support took over; None if it is no base form, so a wrong parse."""
    verb = clause.tokens[clause.root]
    if (
        clause.root not in clause.rest
        or clause.tokens[clause.root].text.lower() in DO
        or (verb.tag not in ("VB", "VBP", "NN", "NNS", "NNP") and inflection.lemma(verb.text, "VERB") != verb.text)
    ):
        return None
    form = inflection.inflected(inflection.lemma(clause.word(clause.root), "VERB"), _DO_TAGS.get(do, "VB"))
    return replace(clause, words={**clause.words, clause.root: form})
