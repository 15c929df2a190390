"""Names of plug-ins and where they live; each is imported on first use.

Third parties add their own by entry points of the groups `botattack.attacks`, `botattack.plays`, `botattack.matchers`,
`botattack.opinions`, `botattack.targets`, `botattack.readers`, `botattack.reports` and `botattack.parts`, in the same
`module:attr` form; and languages by `botattack.languages`, each as the package that holds its YAML files.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from functools import cache, lru_cache
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from botattack import protocols
from botattack.errors import BotattackError, nearest

BUILT_IN: dict[str, dict[str, str]] = {
    "attacks": {
        "unanswerable": "botattack.attacks.passages.unanswerable:Unanswerable",
        "add-doc": "botattack.attacks.passages.add_doc:AddDoc",
        "counterfactual": "botattack.attacks.passages.counterfactual:Counterfactual",
        "distractor": "botattack.attacks.passages.distractor:Distractor",
        "injection": "botattack.attacks.passages.injection:Injection",
        "order": "botattack.attacks.passages.order:Order",
        "add-any": "botattack.attacks.passages.add_any:AddAny",
        "add-sent": "botattack.attacks.passages.add_sent:AddSent",
        "reasoning-chain": "botattack.attacks.passages.reasoning_chain.attack:ReasoningChain",
        "at": "botattack.attacks.combined.at:At",
        "case": "botattack.attacks.letters.surface:Case",
        "chain": "botattack.attacks.combined.chain:Chain",
        "confuse-entity": "botattack.attacks.words.entities:ConfuseEntity",
        "contraction": "botattack.attacks.words.everyday:Contraction",
        "delete-function-word": "botattack.attacks.words.function_words:DeleteFunctionWord",
        "disfluency": "botattack.attacks.sentences.disfluency:Disfluency",
        "dpaeg": "botattack.attacks.letters.dpaeg:Dpaeg",
        "reword": "botattack.attacks.sentences.reword.attack:Reword",
        "restate": "botattack.attacks.sentences.restate:Restate",
        "grammar-errors": "botattack.attacks.words.grammar_errors:GrammarErrors",
        "are-you-sure": "botattack.attacks.turns.are_you_sure:AreYouSure",
        "ellipsis": "botattack.attacks.turns.ellipsis:Elliptic",
        "false-premise": "botattack.attacks.turns.false_premise:FalsePremise",
        "leading": "botattack.attacks.turns.leading:Leading",
        "memory": "botattack.attacks.turns.memory:Memory",
        "sharded": "botattack.attacks.turns.sharded:Sharded",
        "topic-shift": "botattack.attacks.turns.topic_shift:TopicShift",
        "carry-over": "botattack.attacks.turns.carry_over:CarryOver",
        "contrast-set": "botattack.attacks.words.contrast_set:ContrastSet",
        "antonym": "botattack.attacks.words.antonym:Antonym",
        "all-should-not-change": "botattack.attacks.combined.all_should_not_change:AllShouldNotChange",
        "drop-stopwords": "botattack.attacks.words.function_words:DropStopwords",
        "filler": "botattack.attacks.words.everyday:Filler",
        "homoglyph": "botattack.attacks.letters.invisible:Homoglyph",
        "homophone": "botattack.attacks.words.everyday:Homophone",
        "insert-function-word": "botattack.attacks.words.function_words:InsertFunctionWord",
        "invisible": "botattack.attacks.letters.invisible:Invisible",
        "negate": "botattack.attacks.words.negate:Negate",
        "noise": "botattack.attacks.letters.characters:Noise",
        "punctuation": "botattack.attacks.letters.surface:Punctuation",
        "random-characters": "botattack.attacks.letters.characters:RandomCharacters",
        "random-input": "botattack.attacks.words.entities:RandomInput",
        "random-input-keep-entities": "botattack.attacks.words.entities:RandomInputKeepEntities",
        "reorder": "botattack.attacks.sentences.word_order:Reorder",
        "substitute-function-word": "botattack.attacks.words.function_words:SubstituteFunctionWord",
        "swap-words": "botattack.attacks.sentences.word_order:SwapWords",
        "unchanged": "botattack.attacks.unchanged:Unchanged",
    },
    "plays": {
        "are-you-sure": "botattack.attacks.turns.are_you_sure:Doubting",
        "mutual-friends": "botattack.games.game:MutualFriends",
    },
    "matchers": {
        "exact": "botattack.matchers.lexical:Exact",
        "contains": "botattack.matchers.lexical:Contains",
        "regex": "botattack.matchers.lexical:Regex",
        "f1": "botattack.matchers.lexical:TokenF1",
        "fuzzy": "botattack.matchers.lexical:Fuzzy",
        "em": "botattack.matchers.forms:ExactMatch",
        "numeric": "botattack.matchers.value_matchers:Numeric",
        "date": "botattack.matchers.value_matchers:DateMatch",
        "list": "botattack.matchers.lexical:Listed",
        "learned": "botattack.matchers.learned:Learned",
        "logical-form": "botattack.matchers.forms:LogicalForm",
    },
    "opinions": {
        "judge": "botattack.matchers.combine:LlmJudge",
        "similar": "botattack.matchers.combine:Similar",
    },
    "targets": {
        "browser": "botattack.targets.browser.browser_kind:Browser",
        "http": "botattack.targets.http.http_kind:Http",
        "local": "botattack.targets.local.local_kind:Local",
        "openai": "botattack.targets.http.openai:OpenAI",
        "process": "botattack.targets.process.process_kind:Process",
        "websocket": "botattack.targets.http.websocket:WebSocket",
    },
    "readers": {
        "jsonl": "botattack.questions.lines:read_jsonl",
        "json": "botattack.questions.documents:read_json",
        "csv": "botattack.questions.lines:read_csv",
        "tsv": "botattack.questions.lines:read_tsv",
        "yaml": "botattack.questions.documents:read_yaml",
        "webquestions": "botattack.questions.documents:read_webquestions",
        "webquestionssp": "botattack.questions.documents:read_webquestionssp",
        "curatedtrec": "botattack.questions.lines:read_curatedtrec",
        "wikimovies": "botattack.questions.lines:read_wikimovies",
        "squad": "botattack.questions.documents:read_squad",
        "hotpotqa": "botattack.questions.documents:read_hotpotqa",
        "txt": "botattack.questions.lines:read_txt",
        "markdown": "botattack.questions.lines:read_markdown",
        "xlsx": "botattack.questions.workbooks:read_xlsx",
        "faqpage": "botattack.questions.documents:read_faqpage",
        "openai-chat": "botattack.questions.chats:read_openai_chat",
        "langfuse": "botattack.questions.chats:read_langfuse",
        "langsmith": "botattack.questions.chats:read_langsmith",
    },
    "reports": {
        "json": "botattack.report.writers.text_files:JSON",
        "markdown": "botattack.report.writers.text_files:MARKDOWN",
        "junit": "botattack.report.writers.junit:REPORT",
        "csv": "botattack.report.writers.csv_file:REPORT",
        "html": "botattack.report.writers.html:REPORT",
    },
    "parts": {
        "parse": "botattack.text.parts.parse:load",
        "dictionary": "botattack.text.parts.dictionary:load",
        "lemmas": "botattack.text.parts.dictionary:load_lemmas",
        "speller": "botattack.text.parts.speller:load",
        "typos": "botattack.text.parts.typos:load",
        "thesaurus": "botattack.text.parts.thesaurus:load",
        "inflection": "botattack.text.parts.inflection:load",
        "paraphrases": "botattack.text.parts.paraphrases:load",
        "grammar-errors": "botattack.text.parts.grammar_errors:load",
        "neighbours": "botattack.text.parts.near_words:load",
        "similar": "botattack.text.parts.similarity:load",
        "grammar": "botattack.text.parts.grammar:load",
        "translate": "botattack.resources.asked:load_translator",
        "judge": "botattack.resources.judge_service:load",
        "paraphrase": "botattack.resources.asked:load_paraphraser",
    },
    "languages": dict.fromkeys(("en", "de", "fa", "fr", "es"), "botattack.lang"),
}

GONE: Mapping[str, str] = {
    "substitute-word": "neighbours",
    "paraphrase-lexicon": "lexicon",
    "back-translation": "translation",
    "paraphrase": "model",
}
"""Attacks that are sources of `reword` now."""

_BASES: Mapping[str, type[Any]] = {
    "attacks": protocols.Attack,
    "plays": protocols.Play,
    "matchers": protocols.Matcher,
    "opinions": protocols.Opinion,
    "targets": protocols.TargetKind,
}


class UnknownName(BotattackError):
    """A name that no plug-in has."""


class BrokenPlugin(BotattackError):
    """A plug-in of a third party that cannot be imported."""


@lru_cache(1)
def _plugged_in(_: tuple[str, ...]) -> Any:
    """What the packages on a path register, for all groups at once: reading it takes 20 ms."""
    return entry_points()


@cache
def names(group: str) -> dict[str, str]:
    """Every known name of a group, built-in and third-party, with its `module:attr`."""
    third_party = {point.name: point.value for point in _plugged_in(tuple(sys.path)).select(group=f"botattack.{group}")}
    return {**third_party, **BUILT_IN[group]}


def meant(group: str, name: str) -> str:
    """The hint for a name that a group does not have."""
    if group == "attacks" and name in GONE:
        return f"it is a source of `reword` now: {{reword: {{sources: [{GONE[name]}]}}}}"
    return nearest(name, names(group))


def find(group: str, name: str) -> Any:
    """The object registered under a name; raises UnknownName with the nearest valid one, or BrokenPlugin for a third
    party's that cannot be imported or is not what `protocols` asks of its group."""
    known = names(group)
    if name not in known:
        raise UnknownName(f"no {group.removesuffix('s')} is called {name!r}; {meant(group, name)}")
    try:
        found = EntryPoint(name, known[name], group).load()
    except Exception as error:  # a third party's may fail in any way while it is imported
        if name in BUILT_IN[group]:
            raise
        raise BrokenPlugin(f"the {group.removesuffix('s')} {name!r} cannot be loaded: {error}") from error
    if fault := _fault(group, found):
        raise BrokenPlugin(f"the {group.removesuffix('s')} {name!r} ({known[name]}) cannot be used: {fault}")
    return found


def _fault(group: str, found: object) -> str:
    """Why an object is not what its group wants; empty if it is."""
    if group in ("readers", "parts"):
        return "" if callable(found) else "it is not callable"
    if group == "reports":
        return "" if isinstance(found, protocols.Report) else "it is not a botattack.protocols.Report"
    base = _BASES[group]
    if not (isinstance(found, type) and issubclass(found, base)):
        return f"it does not subclass botattack.protocols.{base.__name__}"
    plug: Any = found
    missing = ", ".join(f"{method}()" for method in sorted(plug.__abstractmethods__))
    return f"it does not implement {missing}; see botattack.protocols.{base.__name__}" if missing else ""
