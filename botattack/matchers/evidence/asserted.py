"""What a reply itself says is so: without what it denies, concedes, repeats, cites, or hides from its reader."""

from __future__ import annotations

import re
from collections.abc import Iterator

from botattack.matchers.evidence.answer_key import AnswerKey
from botattack.matchers.evidence.heads import in_its_words
from botattack.matchers.evidence.reading import Reading, read
from botattack.text.folding import folded
from botattack.text.values.identifiers import is_number

_FAR = 12
"""Words after which something denied or set aside has ended."""
_NEAR = 5
"""Words after a negation in which what it denies begins, and after a comparison in which a number may be what it
compares with."""
_HIDDEN = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_PAUSE = re.compile(r"[,;:()\u2013\u2014\u060c\u061b\n]")
_QUOTE = re.compile('["\u201c\u201d\u201e\u00ab\u00bb]')
_HEADS = re.compile(r"^[ \t>*_#(\[-]*([^\W\d_][^\n:]{0,30}?)[ \t*_]*(?::|\n|\Z)", re.MULTILINE)
"""A line that is a heading, or what stands before the colon of a line."""
_ROW = re.compile(r"^[ \t]*\|.*\|[ \t]*$", re.MULTILINE)


def asserted(reply: Reading, key: AnswerKey) -> Reading:
    """A reply read again with spaces for what it does not assert; the same if nothing else is left, or if question or
    gold answer use such words themselves ("by card instead of cash")."""
    spans = sorted(_aside(reply, key))
    if not spans:
        return reply
    kept, last = list[str](), 0
    for start, end in spans:
        kept += [reply.text[last:start], " " * (end - max(start, last))]
        last = max(last, end)
    left = read("".join([*kept, reply.text[last:]]), reply.language)
    return left if left.words else reply


def _aside(reply: Reading, key: AnswerKey) -> Iterator[tuple[int, int]]:
    """Where in the text something is said that the reply does not assert."""
    yield from (found.span() for found in _HIDDEN.finditer(reply.text))
    if "|" in reply.text:
        yield from _other_rows(reply, key)
    if "\n" in reply.text:
        yield from _sources(reply)
    denying = reply.language.denying
    # Of a gold answer that is a yes or a no, all that negates is needed.
    if not denying.isdisjoint(reply.vocabulary) and all(denying.isdisjoint(gold.reading.words) for gold in key.golds):
        yield from _corrected(reply, key)
        for gold in key.golds:  # "not 42" denies "forty-two", too
            yield from _denied(in_its_words(gold.reading, reply), key)
    compared = (at for at in _cues(reply, key, "compared") if _is_asked_for(key, reply, at))
    yield from (_until_pause(reply, at) for at in (*_cues(reply, key, "replaced"), *compared))
    for at in _cues(reply, key, "conceded"):
        yield from _conceded(reply, at)
    yield from _repeated(reply, key)


def _repeated(reply: Reading, key: AnswerKey) -> Iterator[tuple[int, int]]:
    """ "You asked whether …": its sentence. If that is all of the reply, a word is left, and all of it if it answers by
    what the question does not say."""
    for at in _cues(reply, key, "repeated"):
        start, end = reply.sentence(reply.sentences[at])
        if (start, end) != (0, len(reply.words)):
            yield reply.span(start, end - 1)
        elif not any(gold.fresh for gold in key.golds):
            yield reply.span(start + 1, end - 1)


def _cues(reply: Reading, key: AnswerKey, role: str) -> list[int]:
    """Where such phrases begin, unless the question or the gold answer has one, too."""
    found = reply.places(role)
    own = any(each.reading.places(role) for each in key.golds) or key.question.places(role) if found else False
    return [] if own else found


def _corrected(reply: Reading, key: AnswerKey) -> Iterator[tuple[int, int]]:
    """ "not the first but", up to the word that corrects it. "Not only" denies nothing, and "I do not know, but"
    declines."""
    spoken, words, declines = reply.language, reply.words, reply.places("declines")
    for turn in _cues(reply, key, "corrections"):
        start = max(reply.sentence(reply.sentences[turn])[0], turn - _FAR)
        no = next((at for at in range(turn - 2, start - 1, -1) if words[at] in spoken.negations), -1)
        if no >= 0 and words[no + 1] not in spoken.only and not any(no - 2 <= at < turn for at in declines):
            yield reply.span(no, turn)


def _denied(reply: Reading, key: AnswerKey) -> Iterator[tuple[int, int]]:
    """The words of a gold answer after one that negates or calls it false, as in "not in Paris" or "I do not think it
    is Paris", with nothing but words of the question and of no content between them; "not until 1945" denies nothing.
    Words of the question negate nothing, as they may be a title's, and of one that offers a choice say nothing: "not
    older than Rome". "Neither" of several denies them all."""
    spoken, stems, words = reply.language, reply.stems, reply.words
    gold = frozenset().union(*(each.reading.known for each in key.golds if each.whole is not each.reading))
    offers = not spoken.alternatives.isdisjoint(key.question.vocabulary)
    plain = gold if offers else gold | key.question.known
    for no, word in enumerate(words):
        if offers and word in spoken.neither and _says_no_more(reply, no):
            yield from (reply.span(at, at) for at, stem in enumerate(stems) if stem in gold)
        elif _negates(reply, no) and word not in key.question.vocabulary:
            end = no + 1
            while end < len(words) and (end - no <= _NEAR or stems[end] in gold) and _goes_on(reply, end, plain):
                end += 1
            said = [at for at in range(no + 1, end) if stems[at] in gold]
            if said and spoken.only.isdisjoint(words[no + 1 : said[0]]):
                yield reply.span(said[0], said[-1])
            yield from _not_so(reply, key, no, gold)


def _not_so(reply: Reading, key: AnswerKey, no: int, gold: frozenset[str]) -> Iterator[tuple[int, int]]:
    """The words of a gold answer of which a reply says that it is not what was asked for: "Paris is not the capital".
    All that follows them up to the next pause is the question's or of no content, but for the word that negates, which
    is not in a title (a quotation mark tells), and no "no. 1". "Paris is wrong" needs no words of the question."""
    stems, words, sentences, functions = reply.stems, reply.words, reply.sentences, reply.language.function_words
    last = next(
        (at for at in range(no - 1, max(-1, no - 2 * _FAR), -1) if stems[at] in gold and words[at] not in functions), no
    )
    most = min(len(words), no + 2 * _FAR)  # of a reply of negations alone, each looks no further
    end = next((at for at in range(last + 1, most) if not _is_linked(reply, at)), most)
    rest = [stems[at] for at in range(last + 1, end) if at != no and words[at] not in functions]
    if not (last < no < end and (rest or words[no] in reply.language.untrue) and key.question.known.issuperset(rest)):
        return
    is_only = not (reply.language.only - key.question.vocabulary).isdisjoint(words[no:end])
    counts = any(map(is_number, words[no + 1 : no + 2]))
    if is_only or counts or _QUOTE.search(reply.text[slice(*reply.span(last, no))]):
        return
    first = last
    while 0 < first > last - 2 * _FAR and stems[first - 1] in gold and sentences[first - 1] == sentences[last]:
        first -= 1
    yield reply.span(first, last)


def _is_linked(reply: Reading, at: int) -> bool:
    """Whether a word is of the same sentence as the one before, without a pause between them."""
    return reply.sentences[at] == reply.sentences[at - 1] and not _PAUSE.search(reply.gap(at))


def _goes_on(reply: Reading, at: int, plain: frozenset[str]) -> bool:
    """Whether a word is one of these, of a name or of no content, and neither turns against what was said, nor follows
    a pause."""
    word = reply.words[at]
    if word in reply.language.beliefs and reply.sentences[at] == reply.sentences[at - 1]:
        return True
    told = reply.stems[at] in plain or reply.capitals[at] or word in reply.language.function_words
    turns = word in reply.language.contrasts or word in reply.language.exceptions
    return told and not turns and _is_linked(reply, at)


def _negates(reply: Reading, at: int) -> bool:
    """Whether a word negates, or calls something false and is not negated itself."""
    spoken, words = reply.language, reply.words
    return words[at] in spoken.negations or (words[at] in spoken.untrue and words[at - 1] not in spoken.negations)


def _says_no_more(reply: Reading, at: int) -> bool:
    """Whether no word of any content follows in the sentence: "Neither of them." """
    end = reply.sentence(reply.sentences[at])[1]
    return reply.language.function_words.issuperset(reply.words[at + 1 : end])


def _is_asked_for(key: AnswerKey, reply: Reading, at: int) -> bool:
    """Whether what stands before "than" is what the question asks for ("Which is older?"), and no number is compared
    with: "older than 18" says 18, and "younger than Oslo" that Oslo is older."""
    spoken, before = reply.language.function_words, range(max(0, at - 2), at)
    known = [reply.stems[each] in key.question.known for each in before]
    return (
        any(known[-1:])
        and all(asked or reply.words[each] in spoken for each, asked in zip(before, known, strict=True))
        and not any(map(is_number, reply.words[at : at + _NEAR]))
    )


def _conceded(reply: Reading, at: int) -> Iterator[tuple[int, int]]:
    """ "It is often said that …, but": its sentence up to the word that turns against it, there or in the next one."""
    start, end = reply.sentence(reply.sentences[at])
    turns = reply.places("corrections")
    if turn := next((turn for turn in turns if at < turn < end + 2), None):
        yield reply.span(start, turn)


def _until_pause(reply: Reading, at: int) -> tuple[int, int]:
    """From a word to the next pause of its sentence. Where the sentence begins with it and has none, to the first word
    of no content after one that has some: "Statt Rom war es Paris" """
    first, last = reply.sentence(reply.sentences[at])
    start, end = reply.span(at, min(last, at + _FAR) - 1)
    if pause := _PAUSE.search(reply.text, start, end):
        return start, pause.start()
    functions, words = reply.language.function_words, reply.words
    ends = (to for to in range(at + 2, last) if words[to] in functions and words[to - 1] not in functions)
    return start, reply.spans[next(ends, last - 1)][0] if at == first else end


def _sources(reply: Reading) -> Iterator[tuple[int, int]]:
    """From a heading such as "Sources:" or "Note to the grader:" to the next blank line, or to the end of the reply."""
    last = 0
    for found in _HEADS.finditer(reply.text):
        if found.start() >= last and folded(found[1]) in reply.language.sources:
            # A blank line right behind the heading does not count (+ 1); where none is found, -1 becomes the length.
            last = reply.text.find("\n\n", found.end() + 1) % (len(reply.text) + 1)
            yield found.start(), last


def _other_rows(reply: Reading, key: AnswerKey) -> Iterator[tuple[int, int]]:
    """The rows of a table that say less of what the question asks about than another one does."""
    rows = list(_ROW.finditer(reply.text))[1:]
    told = [len(key.content & read(row.group(), reply.language).known) for row in rows]
    if 2 * max(told, default=0) > len(key.content):
        yield from (row.span() for row, many in zip(rows, told, strict=True) if many < max(told))
