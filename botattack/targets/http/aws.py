"""What Amazon's services want: requests that are signed (SigV4), and replies in frames of their own."""

from __future__ import annotations

import re
from collections import namedtuple
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any
from urllib.parse import urlsplit

from msgspec.structs import replace as with_

from botattack.errors import BrokenReply, MissingPart, RequestRefused
from botattack.options import BadValue, Read, shown
from botattack.targets.http.streams import StreamPiece, pack
from botattack.version import pip_install

if TYPE_CHECKING:
    from botattack.net.messages import Call

_HOST = re.compile(r"(?:.*\.)?([a-z0-9-]+)\.([a-z]{2}(?:-[a-z]+)+-\d+)\.(?:amazonaws\.com(?:\.cn)?|api\.aws|on\.aws)")
_SIGNED_AS = {"runtime-v2-lex": "lex", "models-v2-lex": "lex", "lambda-url": "lambda"}
_Keys = namedtuple("_Keys", ("access_key", "secret_key", "token"))


def _part(value: object) -> str:
    if isinstance(value, str) and re.fullmatch(r"[a-z0-9-]+", value):
        return value
    raise BadValue(f"expected a name as in Amazon's URLs, found {shown(value)}", hint="write it like us-east-1 or lex")


Part = Annotated[str, Read(_part, {"type": "string", "pattern": "^[a-z0-9-]+$"})]


@dataclass(frozen=True)
class Scope:
    """What a signature is for."""

    region: str
    service: str

    def of(self, url: str) -> Scope:
        """With what the host tells; raises RequestRefused if that is not all."""
        told = _HOST.fullmatch(urlsplit(url).hostname or "")
        service, region = told.groups() if told else ("", "")
        service = _SIGNED_AS.get(service, "bedrock" if service.startswith("bedrock") else service)
        scope = Scope(self.region or region, self.service or service)
        if scope.region and scope.service:
            return scope
        sentence = "this host does not tell the region and the service to sign for; add region and service"
        raise RequestRefused(sentence, delivered=False, place="connect.auth.aws")


def signer(scope: Scope) -> Callable[[Call, str, str, str], Call]:
    """Signs a call, given both keys and the session's token. Raises MissingPart."""
    try:
        from botocore.auth import SigV4Auth
        from botocore.awsrequest import AWSRequest
    except ModuleNotFoundError:
        raise MissingPart(f"signing requests for AWS needs botocore: {pip_install('aws')}") from None
    from yarl import URL

    def sign(call: Call, key: str, secret: str, token: str) -> Call:
        url = str(URL(call.url))  # as aiohttp will write it
        request = AWSRequest(call.method, url, dict(call.headers), call.body)
        where = scope.of(url)
        SigV4Auth(_Keys(key, secret, token or None), where.service, where.region).add_auth(request)
        return with_(call, url=url, headers=tuple((name.lower(), value) for name, value in request.headers.items()))

    return sign


class Frames:
    """Reads a body of Amazon's event streams as lines, a piece each."""

    def __init__(self) -> None:
        try:
            from botocore.eventstream import EventStreamBuffer, ParserError
        except ModuleNotFoundError:
            raise MissingPart(f"streams of AWS need botocore: {pip_install('aws')}") from None
        self._buffer, self._damaged = EventStreamBuffer(), ParserError

    def __call__(self, data: bytes) -> str:
        self._buffer.add_data(data)
        try:
            return "".join(pack([_piece(frame)]) + "\n" for frame in self._buffer)
        except self._damaged as error:
            raise BrokenReply(f"the reply is no event stream of AWS: {error}", delivered=True) from None


def _piece(frame: Any) -> StreamPiece:
    name = frame.headers.get(":event-type") or frame.headers.get(":exception-type") or ""
    return StreamPiece(frame.payload.decode(errors="replace"), name)
