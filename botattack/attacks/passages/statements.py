"""A question and an answer made into a statement (Jia and Liang 2017, 3.3; reasoning chain 2.4). Pure; English."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import msgspec

from botattack.attacks.building.clauses import DO, INSIDE, Clause, clause_of
from botattack.attacks.building.parsed import ENDS, below, body_of
from botattack.attacks.building.restating import Inflects, without_do
from botattack.attacks.passages.repaired_parses import by_tags, complete, helped, stranded, whole, with_both
from botattack.model import Token
from botattack.text.function_word_list import CLASSES, word_list

_PREPOSITIONS = frozenset(CLASSES["preposition"])
_STARTS = _PREPOSITIONS | {"because", "due", "so"}
_ADVERBIAL = {"when": "in", "where": "in", "why": "because of", "how": "by"}
_DAYS = frozenset(word_list("monday tuesday wednesday thursday friday saturday sunday"))
_MONTHS = frozenset(
    word_list(
        "january february march april may june july august september october november december jan feb mar apr jun jul "
        "aug sep sept oct nov dec"
    )
)
_BEGINS = frozenset(["A", "An", "The", "His", "Her", "Its", "Their"])
_BEFORE_TIMES = frozenset(word_list("in during on at from between since until for"))
_OBJECTS = frozenset(["dobj", "attr", "acomp", "oprd"])
_LEADS = frozenset(["ADP", "SCONJ", "ADV", "ADJ"])
_VAGUE = frozenset(word_list("over more about approximately nearly almost around under less roughly some up at"))
_KINDS = frozenset(word_list("percentage percent share fraction part portion proportion amount quantity number"))
_TIMES = frozenset(["year", "month", "decade", "century", "date", "day"])
_COUNTED = frozenset(["many", "much"])
NUMBER_WORDS = frozenset(
    word_list(
        "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
        "eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand million billion "
        "dozen several many few"
    )
)
YES = frozenset(["yes", "true"])
NO = frozenset(["no", "false"])


def statement(text: str, tokens: Sequence[Token], answer: str, inflection: Inflects) -> str:
    """The question as a statement that gives the answer, with a full stop; "" if no rule fits its parse.

    A yes/no question with the answer yes is affirmed, with no negated.
    """
    answer = answer.strip().rstrip(ENDS)
    tokens = _without_choices(tokens)
    front = _front(tokens)
    if front and tokens[front].tag == "CC":
        return statement(text, tokens_behind(tokens, front + 1), answer, inflection)
    if front:
        behind = statement(text, tokens_behind(tokens, front), answer, inflection)
        said = text[: tokens[front - 1].end].rstrip(",")
        return f"{said[:1].upper()}{said[1:]}, {_small(behind, tokens, answer)}" if behind else ""
    ahead = _adverb_ahead(tokens)
    if ahead:
        vague = answer.partition(" ")[0].lower() in _VAGUE
        answer, tokens = answer if vague else f"{tokens[0].text.lower()} {answer}", tokens_behind(tokens, 1)
    if _asks_twice(tokens) or not answer:
        return ""
    first, _, more = answer.partition(" ")
    answer = answer if first not in _BEGINS or more[:1].isupper() else f"{first.lower()} {more}"
    said = _said(text, tokens, answer, inflection) or _in_place(text, tokens, answer)
    said = said.strip().rstrip(ENDS + ",")
    return f"{said[:1].upper()}{said[1:]}." if said else ""


def _said(text: str, tokens: Sequence[Token], answer: str, inflection: Inflects) -> str:
    found = (
        with_both(text, tokens),
        helped(text, tokens, inflection),
        clause_of(text, tokens),
        by_tags(text, tokens),
    )
    clause = next((repaired for one in found if one and complete(repaired := whole(one))), None)
    if clause is None:
        return ""
    if not clause.asked:
        return _decided(clause, answer.lower(), inflection)
    if clause.auxiliary is not None and not clause.asks_for_subject:
        return _placed(clause, answer, inflection)
    exists = [clause.tokens[i].text.lower() for i in clause.rest[1:]] == ["there"]
    named = _named(clause, answer)
    return clause.said("there", clause.rest[:1], named) if exists else clause.said(named, clause.rest)


def _front(tokens: Sequence[Token]) -> int:
    """How many tokens with a comma stand in front of the question: "In 1880, what city did Tesla move to"; before "but"
    and a question word, any."""
    commas = [i for i, token in enumerate(tokens[:-2]) if token.text == ","]
    comma = next((i for i in commas if any(token.tag.startswith("W") for token in tokens[i + 1 : i + 3])), 0)
    behind = tokens[comma + 1 : comma + 3]
    if not comma or any(token.tag in ("WP", "WRB", "WDT") for token in tokens[:comma]):
        return 0
    if behind[0].tag == "CC":
        return comma + 1 if behind[1].tag.startswith("W") else 0
    return comma + 1 if tokens[0].pos in _LEADS or tokens[0].text == "According" else 0


def _small(said: str, tokens: Sequence[Token], answer: str) -> str:
    """A statement behind what stands in front of it: its first letter is small where the question had it so."""
    word = said.split(maxsplit=1)[0].lower()
    small = any(token.text == word for token in tokens) or answer.startswith(word)
    return said[:1].lower() + said[1:] if small else said


def _asks_twice(tokens: Sequence[Token]) -> bool:
    """Whether a second question word follows "and"."""
    return any(
        tokens[i].tag == "CC" and tokens[i + 1].tag in ("WP", "WDT", "WRB") and tokens[0].tag.startswith("W")
        for i in range(1, len(tokens) - 1)
    )


def _without_choices(tokens: Sequence[Token]) -> Sequence[Token]:
    """The tokens without the choices at the end: "which is larger, the Manchester Terrier or the Scotch Collie"."""
    body = body_of(tokens)
    either = next((i for i in body if tokens[i].text.lower() == "or"), None)
    mark = next((i for i in reversed(body[:either]) if tokens[i].text in (",", ":")), None) if either else None
    closed = mark and any(tokens[i].text == "," and tokens[i + 1].pos in ("AUX", "VERB") for i in body[either:-1])
    if not mark or closed or not tokens[0].tag.startswith("W"):
        return tokens
    return [msgspec.structs.replace(token, head=min(token.head, mark - 1)) for token in tokens[:mark]]


def _adverb_ahead(tokens: Sequence[Token]) -> bool:
    """Whether an adverb is in front of the question word: "approximately how many"."""
    return len(tokens) > 2 and tokens[0].pos == "ADV" and not tokens[0].tag.startswith("W") and tokens[1].tag == "WRB"


def tokens_behind(tokens: Sequence[Token], count: int) -> list[Token]:
    """The tokens without the first ones, whose dependents become roots."""
    return [
        msgspec.structs.replace(token, head=token.head - count if token.head >= count else i)
        for i, token in enumerate(tokens[count:])
    ]


def _in_place(text: str, tokens: Sequence[Token], answer: str) -> str:
    """ "The school is in what city" asks where it would answer: the question phrase becomes the answer."""
    body = body_of(tokens)
    marks = [i for i in body if tokens[i].tag in ("WDT", "WP", "WP$", "WRB") and i > 0]
    final = next((i for i in marks if _ends_in(tokens, i, body[-1])), None)
    if final is not None and not tokens[0].tag.startswith("W"):
        twice = (
            tokens[final - 1].pos == "ADP"
            and tokens[final - 1].text.lower() in _BEFORE_TIMES
            and answer.split(maxsplit=1)[0].lower() in _PREPOSITIONS
        )
        return text[: tokens[final - twice].start] + answer
    asking = [i for i in marks if _asks_there(tokens, i, body[-1])]
    if len(asking) != 1 or tokens[0].tag.startswith("W"):
        return ""
    first = last = asking[0]
    while tokens[last].relation in INSIDE and last < tokens[last].head:
        last = tokens[last].head
    while tokens[last].pos in ("NOUN", "PROPN") and last < body[-1] and tokens[last + 1].pos in ("NOUN", "PROPN"):
        last += 1
    if tokens[last].text.lower() in ("kind", "type", "sort") and last < body[-1] and tokens[last + 1].text == "of":
        last = body[-1]
    word = tokens[first].text.lower()
    if word == "whose":
        last, answer = first, f"{answer}'s"
    answer = _adverbial(word, answer) if word in _ADVERBIAL and first == last else answer
    if word == "how" and tokens[first + 1].text.lower() in _COUNTED and _bare_number(answer):
        answer = f"{answer} {text[tokens[first + 2].start : tokens[last].end]}" if first + 2 <= last else answer
    twice = tokens[first - 1].pos == "ADP" and answer.split()[0].lower() in _PREPOSITIONS
    start = tokens[first - 1 if twice else first].start
    return text[:start] + answer + text[tokens[last].end : tokens[body[-1]].end]


def _ends_in(tokens: Sequence[Token], i: int, last: int) -> bool:
    """Whether the text ends in "what" or "which" and a noun, behind a preposition or verb: "under which president"."""
    noun = i < last and all(token.pos in ("NOUN", "PROPN", "ADJ", "NUM") for token in tokens[i + 1 : last + 1])
    return (
        tokens[i].text.lower() in ("what", "which") and tokens[i - 1].pos in ("ADP", "VERB") and (noun or i + 1 == last)
    )


def _asks_there(tokens: Sequence[Token], i: int, last: int) -> bool:
    """Whether a question word asks, and begins no clause of its own."""
    if tokens[i].tag == "WRB":
        return i == last or tokens[i + 1].text.lower() in _COUNTED
    top = i
    while tokens[top].relation in INSIDE and top < tokens[top].head:
        top = tokens[top].head
    above = tokens[top].head
    if tokens[above].pos == "ADP":
        above = tokens[above].head
    return above < i or (tokens[i].relation == "dobj" and above < i)


def _decided(clause: Clause, answer: str, inflection: Inflects) -> str:
    """A yes/no question, affirmed or negated."""
    auxiliary = clause.auxiliary
    if auxiliary is None or answer not in YES | NO or (not clause.rest and clause.root != auxiliary):
        return ""
    word, subject, rest = clause.word(auxiliary).lower(), clause.subject, clause.rest
    if answer in NO:
        return clause.said(subject, f"{word} not", rest)
    if word in DO:
        spoken = without_do(clause, word, inflection)
        return spoken.said(subject, spoken.rest) if spoken else ""
    return clause.said(subject, word, rest)


def _placed(clause: Clause, answer: str, inflection: Inflects) -> str:
    """The clause in the order of a statement, with the answer where the question phrase belongs."""
    auxiliary = clause.auxiliary
    if auxiliary is None:
        return ""
    verb = clause.word(auxiliary).lower()
    denied = any(clause.tokens[i].relation == "neg" and i < clause.root for i in clause.rest)
    if verb in DO and not denied:
        spoken = without_do(clause, verb, inflection) if _is_verb(clause) else None
        past = clause.tokens[clause.root].tag in ("VBD", "VBN") and clause.root in clause.rest  # "when did it ended"
        if spoken is None and not past:
            return ""
        clause, verb = spoken or clause, ""
    phrase, end = _phrase(clause, answer)
    if [clause.tokens[i].text.lower() for i in (*clause.subject, *clause.rest)] == ["there"]:
        return clause.said("there", verb, phrase)
    subject = clause.said(clause.subject) + ("," if _is_open(clause) else "")
    at = len(clause.rest) if end else _gap(clause)
    before, after = clause.rest[:at], clause.rest[at:]
    return clause.said(subject, verb, before, phrase, after)


def _is_verb(clause: Clause) -> bool:
    """Whether the main word can be the verb that "do" helps: none that is a noun in its place, or an adjective."""
    verb, before = clause.tokens[clause.root], clause.tokens[clause.root - 1].pos
    noun = verb.tag.startswith("N") and (verb.text[:1].isupper() or before in ("DET", "NUM", "ADJ", "ADP"))
    return clause.root != clause.auxiliary and not noun and verb.pos not in ("ADJ", "ADV")


def _is_open(clause: Clause) -> bool:
    """Whether the subject ends with what a comma began: "the boat, a gift of the king"."""
    commas = [i for i in clause.subject if clause.tokens[i].text == ","]
    behind = [clause.tokens[i] for i in clause.subject if commas and i > commas[0]]
    said = clause.said(clause.subject)
    inside = bool(commas) and said[: said.rfind(",")].count('"') % 2 == 1
    return len(commas) == 1 and len(behind) > 1 and not inside and not any(token.tag == "CC" for token in behind)


def _phrase(clause: Clause, answer: str) -> tuple[str, bool]:
    """What stands for the question phrase, and whether it goes to the end."""
    first = clause.tokens[clause.asked[0]]
    if first.pos == "ADP":
        named = _named(replace(clause, asked=clause.asked[1:]), answer)
        begins = answer.split(maxsplit=1)[0].lower() in _PREPOSITIONS
        return named if begins else f"{first.text.lower()} {named}", True
    word = first.text.lower()
    if word in _ADVERBIAL and len(clause.asked) == 1:
        hangs = clause.rest and clause.tokens[clause.rest[-1]].pos == "ADP" and word == "where"
        return answer if hangs else _adverbial(word, answer), True
    noun = clause.tokens[clause.asked[-1]].text.lower()
    if (
        noun in _TIMES
        and not any(clause.tokens[i].pos == "ADP" for i in clause.rest[-1:])
        and clause.root in clause.rest
    ):
        return _adverbial("when", answer), True
    return _named(clause, answer), False


def _adverbial(word: str, answer: str) -> str:
    """An answer to when, where, why or how, with the preposition it lacks."""
    first = answer.split(maxsplit=1)[0].lower()
    begins = (
        first in _STARTS or answer.endswith((" ago", " later", " earlier")) or (word == "how" and first.endswith("ly"))
    )
    return answer if begins else f"{_when(answer) if word == 'when' else _ADVERBIAL[word]} {answer}"


def _when(answer: str) -> str:
    words = [piece.strip(",.").lower() for piece in answer.split()]
    if words[0] in _DAYS or (any(w in _MONTHS for w in words) and any(len(w) <= 2 and w.isdigit() for w in words)):
        return "on"
    return "at" if ":" in answer or words[-1] in ("am", "pm", "a.m", "p.m", "noon", "midnight") else "in"


def _named(clause: Clause, answer: str) -> str:
    """The answer, with what the question says of it: "how many people" and 12 give "12 people"; what follows the
    noun that is asked about stays ("which king of France")."""
    tokens, asked = clause.tokens, clause.asked
    first = tokens[asked[0]].text.lower() if asked else ""
    mark = next((i for i in asked if tokens[i].tag == "POS"), None)
    if (
        mark is not None and mark < asked[-1] and not any(tokens[i].pos == "ADP" for i in asked if i < mark)
    ):  # "which dog's ancestors"
        return f"{answer}'s {clause.said([i for i in asked if i > mark])}"
    if first == "whose" and len(asked) > 1:
        return f"{answer}'s {clause.said(asked[1:])}"
    counted = first == "how" and len(asked) > 1 and tokens[asked[1]].text.lower() in _COUNTED
    if counted:
        noun = clause.said(asked[2:])
        return f"{answer} {noun}" if noun and not _says(answer, noun) and _bare_number(answer) else answer
    if first == "how" and len(asked) > 1:
        return answer
    behind = _behind(clause)
    return f"{answer} {behind}" if behind and not _says(answer, behind.split()[-1]) else answer


def _bare_number(answer: str) -> bool:
    """Whether the last word of an answer is a number."""
    last = answer.rsplit(maxsplit=1)[-1]
    counts = last.lower().rpartition("-")[2] in NUMBER_WORDS
    return counts or last.strip("~,.").replace(",", "").replace(".", "").isdigit()


def _behind(clause: Clause) -> str:
    """What follows the noun of the question phrase and belongs to it."""
    nouns = [i for i in clause.asked if clause.tokens[i].pos in ("NOUN", "PROPN")]
    preposition = next((i for i in clause.asked if clause.tokens[i].pos == "ADP" and nouns and i > nouns[0]), None)
    of = preposition is None or clause.tokens[preposition].text.lower() == "of"
    if preposition is None or (of and clause.tokens[nouns[0]].text.lower() not in _KINDS):
        return ""
    return clause.said([i for i in clause.asked if i >= preposition])


def _says(answer: str, noun: str) -> bool:
    said = {word.lower().rstrip("s") for word in answer.split()}
    return any(word.lower().rstrip("s") in said for word in noun.split())


def _gap(clause: Clause) -> int:
    """How much of the rest stands before the answer: the verb, with what belongs to it, or a stranded preposition."""
    tokens, rest = clause.tokens, clause.rest
    hanging = [n for n, i in enumerate(rest) if tokens[i].pos == "ADP" and _bare(tokens, i, rest)]
    if hanging:
        return hanging[-1] + 1
    if not rest:
        return 0
    if clause.root not in rest and tokens[rest[0]].tag in ("VBN", "VBG"):  # "what was the ship named"
        behind = tokens[rest[1]] if len(rest) > 1 else None
        return 2 if behind and behind.pos == "ADP" and stranded(tokens, rest[1]) else 1
    asked = {tokens[i].relation for i in clause.asked if tokens[i].head == clause.root or tokens[i].head in rest}
    if clause.root in rest and asked & {"dobj", "attr", "pobj", "nsubjpass", "nsubj", "oprd", "dative"}:
        verbs = [n for n, i in enumerate(rest) if i == clause.root or tokens[i].relation == "prt"]
        inner = [n for n, i in enumerate(rest) if tokens[i].relation == "xcomp" and _lacks_object(clause, i)]
        objects = [n for n, i in enumerate(rest) if tokens[i].relation == "dobj" and tokens[i].head in (clause.root,)]
        if objects:  # "what did they call the dog": behind the object
            return max(n for n, i in enumerate(rest) if i in below(tokens, rest[objects[-1]])) + 1
        return max([*verbs, *inner]) + 1
    return len(rest) if clause.root in rest else 0


def _lacks_object(clause: Clause, verb: int) -> bool:
    """Whether a verb below the main one has no object of its own: "want to buy", not "use to catch fish"."""
    own = any(
        token.head == verb and token.relation in _OBJECTS and i in clause.rest for i, token in enumerate(clause.tokens)
    )
    return clause.tokens[verb].head == clause.root and not own


def _bare(tokens: Sequence[Token], i: int, rest: Sequence[int]) -> bool:
    """Whether a preposition has lost its object to the question phrase."""
    holds = any(
        token.head == i and token.relation in ("pobj", "pcomp", "prep") and n in rest for n, token in enumerate(tokens)
    )
    return (not holds and tokens[i].relation in ("prep", "agent", "dative")) or (
        i == rest[-1] and tokens[i].relation != "prt" and not holds
    )
