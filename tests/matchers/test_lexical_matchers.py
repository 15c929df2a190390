"""Each lexical matcher by itself."""

from __future__ import annotations

from pathlib import Path

import pytest

from botattack.config.plugs import matcher_from
from botattack.errors import ConfigError
from botattack.matchers.combine import Similar
from botattack.matchers.gold import BadPattern
from botattack.matchers.lexical import Contains, Exact, Fuzzy, Listed, Regex, TokenF1
from botattack.matchers.value_matchers import Numeric
from botattack.model import GoldAnswer, Prompt, Reply, Verdict
from botattack.protocols import Matcher

PROMPT = Prompt("What is it?")


def judged(matcher: Matcher, reply: str, *gold: str, regex: bool = False) -> Verdict:
    return matcher.judge(PROMPT, Reply(reply), tuple(GoldAnswer(text, regex) for text in gold), ())


def found(matcher: Matcher, reply: str, *gold: str, regex: bool = False) -> str | None:
    """The part of the reply that a matcher takes for the answer; None where it does not."""
    verdict = judged(matcher, reply, *gold, regex=regex)
    if verdict.kind != "correct":
        return None
    assert verdict.span is not None
    return reply[slice(*verdict.span)]


@pytest.mark.parametrize(
    ("reply", "gold", "matches"),
    [
        ("Paris.", "paris", True),
        (" The Nile! ", "Nile", True),
        ("Four.", "4", True),
        ("São Tomé", "Sao Tome", True),
        ("कुल", "कल", False),  # a vowel, and no accent
        ("It is Paris.", "Paris", False),
        ("A.", "A", True),
        ("B.", "A", False),
        ("+", "+", True),
        ("", "Paris", False),
    ],
)
def test_exact(reply: str, gold: str, matches: bool) -> None:
    assert found(Exact(), reply, gold) == (reply.strip() if matches else None)


@pytest.mark.parametrize(
    ("reply", "gold", "part"),
    [
        ("I believe it's Paris, sir.", "Paris", "Paris"),
        ("Parisian fashion", "Paris", None),
        ("Tirana", "Iran", None),
        ("There are 1500.", "15", None),
        ("There are fifteen.", "15", "fifteen"),
        ("About 3,700,000 live there", "3.7 million", "3,700,000"),
        ("15.5", "15", None),
        ("The US did", "US", "US"),
        ("The U.S. did", "US", "U.S."),
        ("Rene Descartes", "René Descartes", "Rene Descartes"),
        ("René Descartes", "Rene Descartes", "René Descartes"),
        ("Everest: Mt. Everest", "Mount Everest", "Mt. Everest"),
        ("法国的首都是巴黎。", "巴黎", "巴黎"),
        ("Paris", "Lyon", None),
    ],
)
def test_contains(reply: str, gold: str, part: str | None) -> None:
    assert found(Contains(), reply, gold) == part


def test_any_alias_is_enough_and_blank_ones_are_none() -> None:
    assert found(Contains(), "Holland, of course", "the Netherlands", "Holland") == "Holland"
    assert judged(Contains(), "Holland", "", " ").kind == "unsure"
    assert judged(Contains(), "Holland").kind == "unsure"


@pytest.mark.parametrize(
    "matcher", [Exact(), Contains(), Regex(), TokenF1(), Fuzzy()], ids=lambda matcher: matcher.name
)
def test_a_gold_pattern_is_a_pattern_to_every_matcher(matcher: Matcher) -> None:
    assert found(matcher, "in NEW  YORK", r"New\s+York|Boston", regex=True) == "NEW  YORK"
    assert judged(matcher, "in Rome", r"New\s+York|Boston", regex=True).kind == "wrong"


@pytest.mark.slow
@pytest.mark.parametrize(
    "matcher",
    [Contains(), *(pytest.param(more, marks=pytest.mark.slow) for more in (Exact(), Regex(), TokenF1(), Fuzzy()))],
    ids=lambda matcher: matcher.name,
)
def test_a_gold_pattern_that_never_ends_is_unsure(matcher: Matcher) -> None:
    verdict = judged(matcher, "a" * 5000 + "!", r"(a|aa)+$", regex=True)
    assert verdict.kind == "unsure"
    assert "took longer than" in verdict.why


def test_a_bad_pattern_is_named() -> None:
    with pytest.raises(BadPattern, match=r"'\(' is not a regular expression"):
        judged(Contains(), "x", "(", regex=True)
    with pytest.raises(BadPattern):
        Regex("(")


def test_regex_by_its_own_pattern_or_by_the_gold_texts() -> None:
    assert found(Regex(r"\d+ km"), "It is 12 KM away", "whatever") == "12 KM"
    assert found(Regex(), "It is 12 km away", r"\d+") == "12"
    assert judged(Regex(), "It is away", r"\d*").kind == "wrong"


@pytest.mark.parametrize(
    ("reply", "gold", "share", "matches"),
    [
        ("Lee Oswald", "Lee Harvey Oswald", 0.8, True),
        ("Oswald, Lee Harvey", "Lee Harvey Oswald", 1.0, True),
        ("It was Lee Harvey Oswald that did it", "Lee Harvey Oswald", 0.8, False),
        ("the second president of the republic of Texas", "the first president of the republic of Texas", 0.8, False),
        ("not made of red brick", "made of red brick", 0.8, False),
    ],
)
def test_f1(reply: str, gold: str, share: float, matches: bool) -> None:
    assert found(TokenF1(share), reply, gold) == (reply if matches else None)


def test_f1_scores() -> None:
    assert judged(TokenF1(), "Lee Oswald", "Lee Harvey Oswald").score == pytest.approx(0.8)


@pytest.mark.parametrize(
    ("reply", "gold", "verbs", "nouns"),
    [
        ("Installing the kernel should work.", "You have to install the kernel.", 1, 1),
        ("Install it, then reboot.", "You installed the kernel?", 2 / 3, 0),
        ("Open a terminal.", "Reboot the machine.", 0, 0),
        ("The kernel, or 2 kernels?", "No kernel.", 1, 1),
        ("I do not know.", "Hello.", 1, 1),
        ("I do not know.", "Reboot.", 0, 1),
    ],
)
def test_f1_of_listed_words(reply: str, gold: str, verbs: float, nouns: float, tmp_path: Path) -> None:
    for listed, share in (("install reboot", verbs), ("Kernels\nTerminal machine", nouns)):
        (tmp_path / "words.txt").write_text(listed)
        matcher = matcher_from({"f1": {"words": str(tmp_path / "words.txt"), "at_least": 0.6}})
        verdict = judged(matcher, reply, gold)
        assert (verdict.kind, verdict.score) == ("correct" if share > 0.6 else "wrong", pytest.approx(share))


@pytest.mark.parametrize(
    ("reply", "gold", "part"),
    [
        ("in Massachusettes", "Massachusetts", "Massachusettes"),
        ("A programming langauge.", "programming language", "programming langauge"),
        ("in Austria", "Australia", None),
        ("Tirana", "Iran", None),
        ("Iraq", "Iran", None),
        ("George H. W. Bush", "George W. Bush", None),
        ("World War II began", "World War I began", None),
        ("in 1954", "1945", None),
        ("in 1945", "1945", "1945"),
        ("mice", "mice", "mice"),
    ],
)
def test_fuzzy(reply: str, gold: str, part: str | None) -> None:
    assert found(Fuzzy(), reply, gold) == part


@pytest.mark.parametrize(
    ("reply", "gold", "score", "part"),
    [
        ("It is red, blue and green.", "red, green and blue", 1.0, "red, blue and green"),
        ("It is red and blue.", "red, green and blue", 2 / 3, None),
        ("It is red.", "red and blue", 0.5, None),
        ("It is black.", "red and blue", 0.0, None),
        ("It is red.", "red", 0.0, None),
        ("It is red.", "red and .", 0.0, None),
    ],
)
def test_a_list_scores_by_its_items(reply: str, gold: str, score: float, part: str | None) -> None:
    assert found(Listed(), reply, gold) == part
    assert judged(Listed(), reply, gold).score == pytest.approx(score)


@pytest.mark.parametrize(
    ("said", "gold", "alike"),
    [
        ("abcdf", "abcde", True),  # 80 of 100
        ("abxdf", "abcde", False),
        ("abcdexyz", "abcde", False),
        ("abcdexy", "abcde", True),
        ("abcx", "abcd", False),
    ],
)
def test_a_word_is_another_from_a_fifth_of_its_letters(said: str, gold: str, alike: bool) -> None:
    assert (judged(Fuzzy(at_least=0.1), said, gold).kind == "correct") == alike


@pytest.mark.parametrize("share", [-1, 1.5, "120%"])
def test_a_share_is_a_share(share: object) -> None:
    similar = {"second": {"ask": [{"similar": {"at_least": share}}]}}
    for tree in (
        {"f1": {"at_least": share}},
        {"fuzzy": {"at_least": share}},
        {"numeric": {"tolerance": share}},
        similar,
    ):
        with pytest.raises(ConfigError, match="expected a share from 0 to 1"):
            matcher_from(tree)


@pytest.mark.parametrize("at_least", [0, -1, 1.5])
def test_no_share_makes_every_reply_correct(at_least: float) -> None:
    for matcher in (TokenF1, Fuzzy, Similar):
        with pytest.raises(ValueError, match="at_least must be above 0"):
            matcher(at_least=at_least)
    none = {"at_least": 0}
    for tree in ({"f1": none}, {"fuzzy": none}, {"second": {"ask": [{"similar": none}]}}):
        with pytest.raises(ConfigError, match="at_least must be above 0"):
            matcher_from(tree)
    for tolerance in (-1, 1):
        with pytest.raises(ValueError, match="tolerance"):
            Numeric(tolerance)


def test_a_share_may_be_per_cent() -> None:
    assert matcher_from({"fuzzy": {"at_least": "80%"}}) == Fuzzy(0.8)


def test_a_long_reply_says_how_much_was_read() -> None:
    verdict = judged(Contains(), "x " * 500_000 + "Paris", "Paris")
    assert verdict.kind == "wrong"
    assert verdict.why == "no gold answer was found in the first 20,000 characters"
