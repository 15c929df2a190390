"""Questions whose parse is wrong, taken apart by the tags of their words. Pure; English."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import msgspec

from botattack.attacks.building.clauses import BE, DO, Clause, asked_for
from botattack.attacks.building.parsed import body_of, paired
from botattack.model import Token
from botattack.text.parts.inflection import Inflection

_NAMED = frozenset(["called", "named", "known", "titled", "termed"])
_MARKS = frozenset(['"', "“", "”"])
_VERBS = frozenset(["VB", "VBP", "VBD", "VBN"])
_NOMINAL = frozenset(["DET", "PROPN", "NOUN", "PRON", "ADJ"])
_LOSING = frozenset([("VBG", "acl"), ("VB", "advcl"), ("VB", "xcomp")])
_PLACED = frozenset(["in", "at", "on", "during", "from"])
_LIKE_PREPOSITIONS = frozenset(["regarding", "concerning", "including", "following", "during"])
_FINITE = frozenset(["VBZ", "VBP", "VBD"])
_BEFORE_A_NOUN = frozenset(["DET", "ADJ", "NUM", "ADP"])


def helped(text: str, tokens: Sequence[Token], inflection: Inflection) -> Clause | None:
    """The clause of such a question; None if there is no "do" behind the question phrase, or its verb was found.

    A "do" with no verb behind it is the verb itself: "who did the national anthem".
    """
    body = body_of(tokens)
    asked = asked_for(tokens, body) if body else ()
    after = len(asked)
    if not asked or after + 1 >= len(body) or tokens[after].text.lower() not in DO:
        return None
    behind = body[after + 1 :]
    below_it = [
        i for i in behind if tokens[i].tag == "VB" and tokens[i].relation == "ccomp" and tokens[i].head == after
    ]
    if below_it and tokens[after].head == after and below_it[0] > after + 1:
        there = below_it[0]
        return Clause(text, tokens, there, asked, after, tuple(range(after + 1, there)), tuple(body[there:]))
    if any(tokens[i].tag in _VERBS and tokens[i].relation not in ("acl", "relcl", "amod") for i in behind):
        return None
    verb = next((i for i in reversed(behind[1:]) if _may_be_verb(tokens, i, body[-1], inflection)), None)
    if verb is None:
        named = tokens[after + 1].pos in ("DET", "NOUN")
        itself = named and any(tokens[i].relation.startswith("nsubj") for i in asked)
        return Clause(text, tokens, after, asked, None, (), tuple(body[after:])) if itself else None
    tagged = [
        msgspec.structs.replace(token, tag="VB", pos="VERB") if i == verb else token for i, token in enumerate(tokens)
    ]
    return Clause(text, tagged, verb, asked, after, tuple(range(after + 1, verb)), tuple(body[verb:]))


def _may_be_verb(tokens: Sequence[Token], i: int, last: int, inflection: Inflection) -> bool:
    """A base form in front of a preposition or the end that no article, adjective or preposition is before."""
    token = tokens[i]
    ends = i == last or tokens[i + 1].pos in ("ADP", "SCONJ", "PUNCT")
    base = token.text.islower() and token.text.isalpha() and inflection.lemma(token.text, "VERB") == token.text
    return (
        ends
        and base
        and token.relation not in ("pobj", "compound")
        and token.tag in ("NN", "NNP", "JJ", "VB")
        and tokens[i - 1].pos not in _BEFORE_A_NOUN
    )


def with_both(text: str, tokens: Sequence[Token]) -> Clause | None:
    """A yes/no question with "both", which goes in front of what is asked of the two."""
    body = body_of(tokens)
    at = next((i for i in body if tokens[i].text.lower() == "both"), 0)
    if not at or tokens[0].pos not in ("AUX", "VERB"):
        return None
    end = at
    if at == 1:
        end = 2
        while end < len(body) and (tokens[end].text[:1].isupper() or tokens[end].text.lower() in _JOINS):
            end += 1
    subject = tuple(range(1, at)) if at > 1 else tuple(range(2, end))
    rest = (at, *(i for i in body if i >= (at + 1 if at > 1 else end)))
    return Clause(text, tokens, 0, (), 0, subject, rest) if subject and len(rest) > 1 else None


_JOINS = frozenset(["and", ",", "of", "the", "in", "'s"])


def by_tags(text: str, tokens: Sequence[Token]) -> Clause | None:
    """The clause of a question by its tags alone: the question phrase up to a verb, and, if that is an auxiliary, the
    subject up to the next verb. What stands between commas behind the phrase is left out."""
    body = body_of(tokens)
    first = 1 if tokens and tokens[0].pos == "ADP" else 0
    if len(body) < first + 3 or not tokens[first].tag.startswith("W"):
        return None
    after = first + 1
    while after < len(body) and tokens[after].pos in ("ADJ", "NUM", "NOUN", "PROPN", "DET"):
        after += 1
    asked, after = tuple(range(after)), _behind_commas(tokens, after, len(body))
    if after >= len(body) or tokens[after].pos not in ("AUX", "VERB"):
        return None
    if tokens[after].pos == "VERB" and tokens[after].text.lower() not in DO:
        return Clause(text, tokens, after, asked, None, (), tuple(body[after:])) if not first else None
    if asked[-1] + 1 < after or (not first and tokens[after + 1].tag in ("VBN", "VBG", "RB")):
        return Clause(text, tokens, after, asked, None, (), tuple(body[after:]))
    verb = next((i for i in body[after + 2 :] if tokens[i].tag in _VERBS | {"VBG"}), None)
    clear = verb is not None and not any(tokens[i].tag.startswith("W") for i in range(after + 1, verb))
    if verb is None or not clear or tokens[after + 1].pos not in ("DET", "PROPN", "PRON", "NOUN", "ADJ"):
        return None
    return Clause(text, tokens, verb, asked, after, tuple(range(after + 1, verb)), tuple(body[verb:]))


def _behind_commas(tokens: Sequence[Token], at: int, end: int) -> int:
    """Where the sentence goes on behind ", Letters to Cleo or Screaming Trees,"."""
    if at >= end or tokens[at].text != ",":
        return at
    commas = [i for i in range(at + 1, end - 1) if tokens[i].text == "," and tokens[i + 1].pos in ("AUX", "VERB")]
    return commas[0] + 1 if commas else at


def whole(clause: Clause) -> Clause:
    """With all of a subject that was cut inside quotation marks, or before "and" and a name; "both" goes behind."""
    clause = _turned(clause)
    tokens, subject, rest = clause.tokens, list(clause.subject), list(clause.rest)
    named = next((n for n, i in enumerate(subject) if n and _names(tokens, i)), None)
    if named and clause.asked and not rest:
        subject, rest = subject[:named], subject[named:]  # "what is the hymn known as in English"
    subject, rest = _split(clause, subject, rest)
    if len(subject) > 1 and rest and tokens[subject[-1]].tag == "RB":
        rest.insert(0, subject.pop())  # "what is the theory officially known as"
    marks = sum(tokens[i].text in _MARKS for i in subject)
    while rest and marks % 2 and any(tokens[i].text in _MARKS for i in rest):
        marks += tokens[rest[0]].text in _MARKS
        subject.append(rest.pop(0))
    both = [tokens[i].text.lower() for i in subject] == ["both"]
    if not clause.asked and rest and (both or tokens[rest[0]].tag == "CC"):
        while rest and (tokens[rest[0]].tag in ("CC", "DT") or tokens[rest[0]].text[:1].isupper()):
            if tokens[rest[0]].text.lower() == "both":
                break
            subject.append(rest.pop(0))
    return replace(clause, subject=tuple(subject), rest=tuple(rest))


def _split(clause: Clause, subject: list[int], rest: list[int]) -> tuple[list[int], list[int]]:
    """Subject and rest behind a form of "be", where the parser took what is said of the subject for a part of it."""
    tokens = clause.tokens
    if not clause.asked or not subject or clause.auxiliary is None or tokens[clause.auxiliary].text.lower() not in BE:
        return subject, rest
    stranded = len(rest) == 1 and tokens[rest[0]].pos == "ADP"
    at: int | None = None
    if stranded and tokens[tokens[rest[0]].head].relation == "relcl":
        return [*subject, *rest], []  # "what is the hall that they play in"
    if rest and tokens[rest[0]].text == "to" and len(clause.asked) == 1:
        return [*subject, *rest], []  # "what is the other team to win"
    if stranded and tokens[subject[-1]].pos == "ADJ":
        at = len(subject) - 1  # "what are they compliant with"
    elif stranded and tokens[subject[-1]].pos == "NOUN":
        at = next((n for n, i in enumerate(subject) if n and tokens[i].pos == "ADP"), None)
    elif not rest and tokens[clause.asked[0]].text.lower() == "how" and tokens[clause.asked[-1]].pos == "ADJ":
        at = next((n for n, i in enumerate(subject) if n and tokens[i].text.lower() in _PLACED), None)
    elif not rest and (tokens[clause.asked[0]].tag == "WRB" or tokens[clause.asked[0]].pos == "ADP"):
        at = next(
            (n for n, i in enumerate(subject) if n and tokens[i].tag == "VBN" and tokens[i].relation == "acl"), None
        )
    return (subject[:at], [*subject[at:], *rest]) if at else (subject, rest)


def _names(tokens: Sequence[Token], i: int) -> bool:
    """Whether a participle gives a name: "what is the hymn known as"."""
    joined = tokens[i - 1].end == tokens[i].start
    return tokens[i].tag == "VBN" and tokens[i].text.lower() in _NAMED and not joined


def _turned(clause: Clause) -> Clause:
    """The order of a question where the parser took the phrase for the subject: "how many cups has the team won"."""
    tokens, rest = clause.tokens, clause.rest
    has = bool(rest) and tokens[rest[0]].text.lower() in ("has", "have", "had")
    turned = clause.asks_for_subject and len(rest) > 2 and (has or tokens[rest[0]].pos == "AUX")
    kind = len(clause.asked) > 2 and tokens[clause.asked[1]].text.lower() in ("kind", "type", "sort", "many")
    if (
        turned
        and kind
        and tokens[rest[1]].pos != "ADP"
        and tokens[rest[0]].text.lower() in BE
        and not any(tokens[i].tag == "VBN" for i in rest)
    ):
        return replace(clause, root=rest[0], auxiliary=rest[0], subject=rest[1:], rest=())
    if not turned or tokens[rest[1]].pos not in ("DET", "PROPN", "PRON"):
        return clause
    done = [i for i in rest[2:] if tokens[i].tag in ("VBN", "VBD")]
    if tokens[rest[-1]].pos == "ADP":
        done = [i for i in rest[2:] if tokens[i].tag in ("VBN", "VBD") or tokens[i].text.endswith("ing")][:1]
        done = done or [i for i in rest[-2:-1] if tokens[i].pos == "ADJ"]
        has = True
    verb = next((i for i in reversed(done) if has or i == rest[-1] or stranded(tokens, i + 1)), None)
    if verb is None:
        return clause
    subject, behind = (tuple(i for i in rest[1:] if before == (i < verb)) for before in (True, False))
    return replace(clause, root=verb, auxiliary=rest[0], subject=subject, rest=behind)


def stranded(tokens: Sequence[Token], i: int) -> bool:
    """Whether a preposition is here that has no object behind it."""
    behind = tokens[i + 1].pos if i + 1 < len(tokens) else "PUNCT"
    return i < len(tokens) and tokens[i].pos == "ADP" and behind in ("PUNCT", "ADP", "SCONJ")


def bare(tokens: Sequence[Token], i: int, rest: Sequence[int]) -> bool:
    """Whether a preposition has lost its object to the question phrase; "originally" and "regarding this" are none."""
    holds = any(
        token.head == i
        and n in rest
        and token.relation in ("pobj", "pcomp", "prep")
        and token.pos != "ADV"
        and token.text not in _LIKE_PREPOSITIONS
        for n, token in enumerate(tokens)
    )
    return (not holds and tokens[i].relation in ("prep", "agent", "dative")) or (
        i == rest[-1] and tokens[i].relation != "prt" and not holds
    )


def gapped(clause: Clause) -> bool:
    """Whether a verb inside the subject has lost its object to the question phrase: "what are they concerned about
    losing in the forest", "what were the men wearing during the flight"."""
    tokens = clause.tokens
    what = not clause.rest and [tokens[i].text.lower() for i in clause.asked] == ["what"]
    return any(
        (
            (tokens[i].tag == "VBG" and tokens[i].relation == "pcomp")
            or (what and (tokens[i].tag, tokens[i].relation) in _LOSING)
        )
        and not any(token.head == i and token.relation in ("dobj", "attr", "advmod") for token in tokens)
        and any(tokens[n].head == i and tokens[n].text.lower() in _PLACED for n in clause.subject)
        for i in clause.subject
    )


def complete(clause: Clause) -> bool:
    """Whether the question phrase was found to its end, and no quotation mark or bracket is open."""
    tokens, asked = clause.tokens, clause.asked
    cut = len(asked) == 1 and tokens[asked[0]].relation == "det"
    odd = (
        clause.asks_for_subject
        and bool(clause.rest)
        and tokens[clause.rest[0]].pos in ("NOUN", "PROPN", "ADJ", "NUM", "DET")
    )
    odd = odd or (clause.asks_for_subject and bool(clause.rest) and tokens[clause.rest[0]].tag in ("VBN", "VBG", ","))
    lost = clause.asks_for_subject and tokens[asked[0]].pos == "ADP"
    last = clause.rest[-1] if clause.rest else 0
    turned = len(clause.rest) > 1 and tokens[clause.rest[0]].pos == "AUX" and tokens[clause.rest[1]].pos in _NOMINAL
    modal = [n for n, i in enumerate(clause.rest) if n and tokens[i].tag == "MD"]
    inner = any(tokens[i].tag.startswith("W") or tokens[i].text == "that" for i in clause.rest[: (modal or [0])[0]])
    there = turned and tokens[clause.rest[1]].text.lower() == "there" and tokens[asked[0]].tag != "WRB"
    done = (
        turned and tokens[clause.rest[0]].text.lower() in BE and tokens[last].tag in ("VBN", "VBD")
    )  # "what is it called"
    odd = odd or (clause.asks_for_subject and (done or (turned and bool(modal) and not inner)))
    hangs = there or (clause.asks_for_subject and turned and tokens[last].pos == "ADP")
    says = not clause.rest and any(
        tokens[i].tag in _FINITE and tokens[i].head not in clause.subject for i in clause.subject
    )
    ends = tokens[clause.subject[-1]] if clause.subject and not clause.rest else None
    bare = ends is not None and (
        ends.tag == "VBG" or (ends.tag == "IN" and tokens[ends.head].relation not in ("relcl", "acl"))
    )
    return not (says or cut or odd or lost or hangs or bare) and paired(tokens, clause.rest)
