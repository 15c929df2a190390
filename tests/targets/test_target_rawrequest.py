"""Whole requests in a file: what is wrong with one is told in a sentence."""

from __future__ import annotations

from pathlib import Path

import pytest

from botattack.errors import ConfigError
from botattack.options import File
from botattack.targets.http.raw_request import read_raw
from botattack.targets.messages.calls import Request, read_headers, read_url


def read(folder: Path, content: bytes) -> Request:
    (folder / "chat.http").write_bytes(content)
    own = read_headers({"x-own": "1"})
    return read_raw(Request(read_url("http://127.0.0.1:1/"), headers=own, raw=File("chat.http")), folder)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "does not start with a request line"),
        (b"POST /chat FTP/1\n", "does not start with a request line"),
        (b"POST /chat HTTP/1.1\nno header\n", "line 2 is not a header"),
        (b"POST /chat HTTP/1.1\ncontent-type: application/json\n\n{x", "its body is not JSON"),
        (b"PSOT /chat HTTP/1.1\n", "expected an HTTP method"),
        (b"\xff\xfe", "is not UTF-8"),
    ],
)
def test_what_is_wrong_is_one_sentence(content: bytes, said: str, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=said) as caught:
        read(tmp_path, content)
    assert len(caught.value.problems) == 1


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="cannot be read: No such file"):
        read_raw(Request(read_url("http://127.0.0.1:1/"), raw=File("none.http")), tmp_path)


def test_only_the_host_of_the_target_file_counts(tmp_path: Path) -> None:
    request = read(
        tmp_path, b"POST http://elsewhere.example/chat?a=1 HTTP/1.1\nHost: elsewhere.example\nX-Own: 2\n\nhi"
    )
    assert request.url.source == "http://127.0.0.1:1/chat?a=1"
    assert request.headers is not None
    assert request.headers.source == {"x-own": "1"}
    assert request.text is not None
    assert request.text.source == "hi"


@pytest.mark.parametrize("body", ["a=1&b=", "a=1&b"])
def test_a_form_is_read_structurally(body: str, tmp_path: Path) -> None:
    kind = "content-type: application/x-www-form-urlencoded"
    request = read(tmp_path, f"POST / HTTP/1.1\n{kind}\n\n{body}\n".encode())
    assert request.form is not None
    assert request.form.source == {"a": "1", "b": ""}
