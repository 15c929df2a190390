"""What a house rule says to a yes/no question: "We do not refund tickets", "Only in the shop", "Any two people can"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal

from botattack.matchers.claimless.void import content, stem
from botattack.text.normalise import Normal, normalise

Side = Literal["yes", "no"]

_LEAVE_TEXT = "may can could allowed permitted allow permit possible welcome ok okay able"
_LEAVE = frozenset(_LEAVE_TEXT.split())
_BARRED = frozenset(("forbidden", "banned", "prohibited", "not", "never", "no", "without"))
_CLAUSE = re.compile(r";|\s[-\u2013\u2014]\s|,\s*(?=(?:but|only|though|although|because|as|so|since|while)\b)", re.I)
_SAME_TEXT = (
    "pram pushchair stroller buggy", "photo photograph photography picture", "bike bicycle", "car vehicle automobile",
    "child children kid son daughter", "toilet restroom bathroom loo", "lift elevator", "luggage baggage suitcase",
    "parcel package", "phone telephone mobile smartphone", "shop store", "refund refundable reimburse",
    "cancel cancellation cancellable",
    "dog puppy", "wifi internet", "swim bath", "begin start", "drink beverage", "rent hire",
    "deliver delivery ship shipping shipment send dispatch", "eligible qualify entitled eligibility",
    "work worker employee employed job staff", "instalment installment",
    "sell sold buy bought purchase", "book booking reserve reservation",
)  # fmt: skip


def _root(word: str) -> str:
    """The stem, of "bookings" too."""
    return stem(stem(word))


_SAME = {_root(word): _root(group.split()[0]) for group in _SAME_TEXT for word in group.split()}
_BACK = _root("back")
_PAID = frozenset(map(_root, ("money", "deposit", "payment", "fee", "fare", "price")))
_LIGHT_TEXT = (
    "get got take taken make give bring use used using possible allowed permitted unfortunately sorry generally "
    "usually "
    "currently please kindly visitor guest people person someone anyone everyone ever possibl want like even go come"
)
_LIGHT = frozenset(map(_root, _LIGHT_TEXT.split()))
"""What says nothing of the thing asked about."""
_ADJUNCT = re.compile(
    r" (?:in|on|at|before|after|until|till|during|within|inside|outside|without|under|from|near|between|when|if|unless"
    r"|while|for|to|with|by) (?P<what>.*)$"
)
_NOT = re.compile(r" (?:not|never|non) (?:(?:be|been|yet|ever|\w+ly) )*(?P<act>\w+) (?P<rest>.*)$")
_NO_SUCH = re.compile(
    r" no (?P<what>(?:\S+ ){1,3}?)(?:is|are|can be|will be) (?:possible|allowed|permitted|given|offered|granted"
    r"|accepted|available) "
)
""" "Once it has been used, no refund is possible"."""
_NO_RULE = frozenset(("only", "just", "forget", "worry", "hesitate", "miss", "mind", "know", "sure", "always"))
_ORDERS = re.compile(r"^ (?:(?:but|so|please|kindly) )*(?:do not|never) ")
_DISSUADES = re.compile(
    r"^ (?:(?:unfortunately|but|so|sorry) )*(?:please |kindly )?(?:refrain from|avoid|abstain from"
    r"|leave (?=\S+ (?:\S+ )?to )"
    r"|(?:switch|turn) off|(?:leave|keep|put) (?=(?:\S+ ){1,3}(?:at home|outside|behind|away|out|off) ))"
    r"| (?:ask|asks|asked|request|requested) (?:\S+ ){0,4}to (?:refrain|avoid|abstain) "
    r"| (?:reserved|restricted|limited) (?:for|to) "
    r"| (?:must|has to|have to|needs? to|should) (?:be )?(?:wait|stay|remain|left|kept|tied|parked)"
    r" (?:outside|at home|out) "
    r"|^ (?:but )?without "
)
_STEERING = frozenset(map(_root, ("leave", "keep", "put", "switch", "turn", "stay", "wait", "ask", "avoid")))
_SUBJECT = 5
"""Words before a negation up to which it denies the sentence, and not some part of it."""
_ONLY = re.compile(r" (?:only|solely|exclusively) ")
_DOES = frozenset(("do", "does", "is", "are", "will"))
_TO_WHOM = re.compile(
    r"^(?:\S+ ){0,2}?(?P<how>in|at|on|from|to|for|inside|outside|under|within|with|if|by|via|upon)"
    r" (?P<what>.*)$"
)
_CONDITIONS = re.compile(r"^(?:leash|lead|request|foot|condition|payment|prepayment|advance|appointment|consent) ")
_PLACES = frozenset(
    ("in", "at", "on", "from", "to", "inside", "outside", "under", "within", "for", "into", "over", "online")
)
_ANY = re.compile(
    r" (?:(?:any|every|all) (?:\S+ ){1,3}|anyone |anybody |everyone |everybody )(?:may|can|could) "
    r"| (?:may|can|could) (?:\S+ ){1,3}?(?:everywhere|anywhere|always|at any time|(?:on|in) (?:every|any|all)) "
    r"| (?:feel free to|by all means|go ahead and|happy for you to) "
)
_OFFERED = re.compile(
    r"^ (?P<what>(?:\S+ ){1,4}?)(?:is|are) (?:\w+ly |also |always )?(?:possible|available|accepted|offered) "
)
_AKIN = 5
"""Letters two words begin with alike where one is derived from the other: "renewal", "renewed"."""
_INVITED = re.compile(r"^ (?:please |do )?(?:feel free|you are (?:\w+ )?welcome) to (?P<act>\S+) ")
_MINE = re.compile(r" (?:of|for|on) (?:my|our) (?P<whose>\S+) $")
_EXCEPT = re.compile(r" (?:except|apart from|but|save|unless) ")
_TAKEN = frozenset(
    ("taken", "accepted", "available", "offered", "provided", "served", "supported", "given", "admitted")
)
_DENYING = frozenset(
    ("not", "never", "no", "non", "only", "but", "except", "unless", "solely", "exclusively", "neither", "nor")
)


def rule(question: Normal, reply: Normal) -> Side | None:
    """What follows from a sentence that forbids, restricts or grants what was asked about; None where nothing does."""
    if not _BARRED.isdisjoint(question.words):
        return None
    asked = things(question)
    for clause in clauses(reply.raw):
        if (
            side := _barred(question, asked, clause)
            or _restricted(question, asked, clause)
            or (_ONLY.search(clause.text) and question.words[0] in _DOES and _solely(question, asked, clause))
            or _granted(question, asked, clause)
        ):
            return side
    owned = _MINE.search(question.text)
    wanted = asked - things(normalise(owned["whose"])) if owned else asked
    wanted = wanted if len(wanted) > 1 else asked
    said = [things(clause) for clause in clauses(reply.raw) if _DENYING.isdisjoint(clause.words)]
    return "yes" if len(wanted) > 1 and any(wanted <= each for each in said) else None


def clauses(raw: str) -> Iterator[Normal]:
    yield from map(normalise, _CLAUSE.split(raw))


def things(text: Normal) -> frozenset[str]:
    """The stems of what a text speaks of, words of one meaning made one."""
    found = {_SAME.get(root, root) for root in map(stem, content(text))}
    if _BACK in found and not _PAID.isdisjoint(found):  # "get my money back"
        found = found - {_BACK, _root("money")} | {"refund"}
    elif "returned" in text.words and not _PAID.isdisjoint(found):  # "the deposit is returned"
        found = found - {_root("returned")} | {"refund"}
    return frozenset(found - _LIGHT)


def _barred(question: Normal, asked: frozenset[str], clause: Normal) -> Side | None:
    said = things(clause)
    if _DISSUADES.search(clause.text):
        shared = (said - _STEERING) & asked or not {"it", "they", "them"}.isdisjoint(clause.words)
        return "no" if shared and not _LEAVE.isdisjoint(question.words) else None
    if (none := _NO_SUCH.search(clause.text)) and things(normalise(none["what"])) & asked:
        return "no"
    denied = _NOT.search(clause.text)
    if denied is None or denied["act"] in _NO_RULE or clause.text.count(" ", 1, denied.start() + 1) > _SUBJECT:
        return None
    act = {_named(denied["act"])}
    beside, wanted = said - act, asked - act
    if not act <= asked and not (beside & wanted and (denied["act"] in _TAKEN or _ORDERS.match(clause.text))):
        return None
    if beside and wanted and not beside & wanted:
        return None
    return None if _narrower(asked, denied["rest"]) else "no"


def _named(word: str) -> str:
    return _SAME.get(_root(word), _root(word))


def _narrower(asked: frozenset[str], rest: str) -> bool:
    """Whether what is said holds only at a place or time that was not asked about."""
    adjunct = _ADJUNCT.search(f" {rest}")
    return adjunct is not None and not things(normalise(adjunct["what"])) & asked


def _restricted(question: Normal, asked: frozenset[str], clause: Normal) -> Side | None:
    """ "Cash is taken only in the shop", "Downloads work on phones only"."""
    only = _ONLY.search(clause.text)
    if only is None:
        return None
    last = clause.words[-1] in ("only", "solely", "exclusively")
    before, after = clause.text[: only.start()], clause.text[only.end() - 1 :].strip()
    topic, rest = (before, after) if not last else _parted(before)
    to = _TO_WHOM.match(f"{rest} ")
    topic = f"{topic} {rest[: to.start('how')]}" if to else topic
    if to is None or not things(normalise(topic)) & asked or any(map(str.isdecimal, rest)) or " not " in clause.text:
        return None
    what = things(normalise(to["what"]))
    if what & asked:
        return "no" if what - asked and asked - things(clause) else "yes"
    if to["how"] in question.words[2:]:
        return "no"
    if to["how"] in ("with", "if", "by", "via", "upon") or _CONDITIONS.match(to["what"]):
        return "yes" if not _LEAVE.isdisjoint(question.words) else None
    whom = to["how"] in ("for", "to")
    placed = not whom and not _PLACES.isdisjoint(question.words[2:])
    mine = whom and not {"i", "we", "my", "our"}.isdisjoint(question.words)
    return "no" if placed or mine else None


def _solely(question: Normal, asked: frozenset[str], clause: Normal) -> Side | None:
    """ "The policy covers theft only", to "Does the policy cover floods?"."""
    found = _ONLY_THIS.search(clause.text)
    if found is None or not _REFERRING.isdisjoint(clause.words[2:]) or "not" in clause.words:
        return None
    verb = _root(found["verb"] or found["last"])
    what = things(normalise(_ADJUNCT.sub("", f" {found['what']} ")))
    same = {verb} if verb not in _TAKING else _TAKING
    return "no" if what and what.isdisjoint(asked) and not same.isdisjoint(map(_root, question.words)) else None


_HANDLES = r"covers?|accepts?|takes?|sells?|offers?|serves?|includes?|speaks?|stocks?|stops?|lends?|rents?|has|have"
_ONLY_THIS = re.compile(
    rf" (?:only (?P<verb>{_HANDLES})|(?P<last>{_HANDLES})(?= only |.* only $)) (?:only )?(?P<what>\S.*?)(?: only)? $"
)
_TAKING = frozenset(map(_root, ("take", "accept", "takes", "accepts")))
_REFERRING = frozenset(("it", "them", "they", "these", "those", "this", "that"))


def _parted(text: str) -> tuple[str, str]:
    """ "downloads work", "on phones and tablets"."""
    words = text.split()
    at = next((at for at, word in enumerate(words) if word in _PLACES and at), len(words))
    return " ".join(words[:at]), " ".join(words[at:])


def _granted(question: Normal, asked: frozenset[str], clause: Normal) -> Side | None:
    """ "Any two people can share an account", "Prams may go everywhere except the tower"."""
    invited = _INVITED.match(clause.text)
    if invited and invited["act"] in question.words and _DENYING.isdisjoint(clause.words):
        return "yes"
    if _LEAVE.isdisjoint(question.words):
        return None
    if (offer := _OFFERED.match(clause.text)) and _DENYING.isdisjoint(clause.words):
        what = things(normalise(offer["what"]))
        return "yes" if what and all(any(one[:_AKIN] == other[:_AKIN] for other in asked) for one in what) else None
    if not _ANY.search(clause.text):
        return None
    granted, *exceptions = _EXCEPT.split(clause.text, maxsplit=1)
    if 2 * len(things(normalise(granted)) & asked) < max(1, len(asked)) or not {
        "not",
        "never",
        "no",
        "only",
    }.isdisjoint(granted.split()):
        return None
    return "no" if exceptions and things(normalise(exceptions[0])) & asked else "yes"
