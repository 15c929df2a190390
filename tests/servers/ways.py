"""A page that tries every way out of a browser that we know of, each towards a port of its own.

A way counts as open once anything, a connection or a datagram, comes to its port: what it carries does not matter.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from functools import partial
from urllib.parse import parse_qsl, unquote

from tests.servers.http import Received, Server, replying, response

ELSEWHERE = "127.0.0.2"
"""This machine, too, but no host that any file names."""
_FRAME = "add(`<iframe srcdoc='{}'></iframe>`)"
_STYLE = "add(`<style>{}</style><p class=w>x</p>`)"
_PEER = "peer(window, {})"
_CANDIDATE = "candidate:1 1 {} 2130706431 ${{h}} ${{p}} typ host{}"

WAYS = {
    # what scripts ask for
    "fetch": "fetch(u, {mode: 'no-cors'})",
    "fetch with a body": "fetch(u, {method: 'POST', body: 'x', mode: 'no-cors'})",
    "fetch that outlives the page": "fetch(u, {keepalive: true, method: 'POST', body: 'x', mode: 'no-cors'})",
    "fetch later": "fetchLater(u, {activateAfter: 0})",
    "XMLHttpRequest": "const x = new XMLHttpRequest(); x.open('GET', u); x.send()",
    "beacon": "navigator.sendBeacon(u, 'x')",
    "EventSource": "new EventSource(u)",
    "WebSocket": "new WebSocket('ws' + u.slice(4))",
    "WebSocketStream": "new WebSocketStream('ws' + u.slice(4))",
    "redirected fetch": "fetch('/to/' + h + ':' + p, {mode: 'no-cors'})",
    "import": "import(u)",
    "FontFace": "new FontFace('f', `url(${u})`).load()",
    "new Image": "new Image().src = u",
    "new Audio": "new Audio(u).load()",
    "paint worklet": "CSS.paintWorklet.addModule(u)",
    "audio worklet": "new AudioContext().audioWorklet.addModule(u)",
    "shared storage worklet": "sharedStorage.createWorklet(u, {dataOrigin: 'script-origin'})",
    "payment manifest": "new PaymentRequest([{supportedMethods: u}], {total: {label: 'x', amount: {currency: 'EUR',"
    " value: '1'}}}).canMakePayment()",
    "federated login": "navigator.credentials.get({identity: {providers: [{configURL: u + 'c.json', clientId: '1'}]}})",
    "remote playback": "const v = document.createElement('video'); v.src = u; v.load()",
    # workers
    "worker": "new Worker(script(`fetch('${u}', {mode: 'no-cors'})`))",
    "WebSocket of a worker": "new Worker(script(`new WebSocket('ws${u.slice(4)}')`))",
    "EventSource of a worker": "new Worker(script(`new EventSource('${u}')`))",
    "script of a worker": "new Worker(script(`importScripts('${u}')`))",
    "module of a worker": "new Worker(script(`import '${u}'`), {type: 'module'})",
    "worker of a worker": "new Worker(script(`new Worker(URL.createObjectURL(new Blob(["
    "\"fetch('${u}', {mode: 'no-cors'})\"])))`))",
    "shared worker": "new SharedWorker(script(`fetch('${u}', {mode: 'no-cors'})`))",
    "service worker": "navigator.serviceWorker.register('/worker.js?' + h + ':' + p)",
    # WebRTC and QUIC
    "STUN": _PEER.format("{urls: `stun:${h}:${p}`}"),
    "TURN over UDP": _PEER.format("{urls: `turn:${h}:${p}?transport=udp`, username: 'x', credential: 'x'}"),
    "TURN over TCP": _PEER.format("{urls: `turn:${h}:${p}?transport=tcp`, username: 'x', credential: 'x'}"),
    "TURN over TLS": _PEER.format("{urls: `turns:${h}:${p}?transport=tcp`, username: 'x', credential: 'x'}"),
    "data channel over UDP": f"channel(window, `{_CANDIDATE.format('udp', '')}`)",
    "data channel over TCP": f"channel(window, `{_CANDIDATE.format('tcp', ' tcptype passive')}`)",
    "STUN by the old name": "peer({RTCPeerConnection: webkitRTCPeerConnection}, {urls: `stun:${h}:${p}`})",
    "STUN of an empty frame": "peer(add('<iframe></iframe>').contentWindow, {urls: `stun:${h}:${p}`})",
    "STUN of a frame that opens": "peer(add('<iframe src=/blank></iframe>').contentWindow, {urls: `stun:${h}:${p}`})",
    "STUN of a frame": "late(add('<iframe src=/blank></iframe>'), (w) => peer(w, {urls: `stun:${h}:${p}`}))",
    "STUN of a sandboxed frame": "late(add('<iframe sandbox=\"allow-same-origin\" srcdoc=x></iframe>'),"
    " (w) => peer(w, {urls: `stun:${h}:${p}`}))",
    "STUN of a window": "peer(open('about:blank'), {urls: `stun:${h}:${p}`})",
    "STUN of a window that opens": "peer(open('/blank'), {urls: `stun:${h}:${p}`})",
    "STUN of a frame's script": "add(`<iframe src=/stun?${h}:${p}></iframe>`)",
    "STUN of an object's script": "add(`<object data=/stun?${h}:${p}></object>`)",
    "STUN of another origin": "add(`<iframe src=http://localhost:${location.port}/stun?${h}:${p}></iframe>`)",
    "STUN of a window's script": "open(`/stun?${h}:${p}`, '_blank', 'noopener')",
    "STUN of a page made ahead": "rules({prerender: [{urls: [`/stun?${h}:${p}`], eagerness: 'immediate'}]})",
    "WebTransport": "new WebTransport('https' + u.slice(4))",
    "WebTransport of a worker": "new Worker(script(`new WebTransport('https${u.slice(4)}')`))",
    # what documents load
    "image": "add(`<img src=${u}>`)",
    "image set": "add(`<img srcset='${u} 2x, ${u} 1x'>`)",
    "picture": "add(`<picture><source srcset=${u}><img></picture>`)",
    "button with an image": "add(`<input type=image src=${u}>`)",
    "background": "add(`<table background=${u}><tr><td>x</table>`)",
    "script": "add(`<script src=${u}></script>`)",
    "module": "add(`<script type=module src=${u}></script>`)",
    "import map": "add(`<script type=module>import '${u}'</script>`)",
    "video": "add(`<video src=${u} preload=auto></video>`)",
    "poster": "add(`<video poster=${u}></video>`)",
    "audio": "add(`<audio preload=auto><source src=${u}></audio>`)",
    "subtitles": "add(`<video crossorigin src=/blank><track default kind=subtitles src=${u}></video>`)"
    ".firstChild.track.mode = 'showing'",
    "object": "add(`<object data=${u}></object>`)",
    "embed": "add(`<embed src=${u}>`)",
    "frame": "add(`<iframe src=${u}></iframe>`)",
    "frame of a frameset": _FRAME.format("<frameset><frame src=${u}></frameset>"),
    "fenced frame": "const f = document.createElement('fencedframe'); document.body.append(f);"
    " f.config = new FencedFrameConfig(u)",
    "frame of data": 'add(`<iframe src="data:text/html,<img src=${u}>"></iframe>`)',
    "frame of a blob": "add(`<iframe src=${URL.createObjectURL(new Blob([`<img src=${u}>`], {type: 'text/html'}))}>`)",
    "redirected image": "add(`<img src=/to/${h}:${p}>`)",
    "redirected frame": "add(`<iframe src=/to/${h}:${p}></iframe>`)",
    "SVG image": "add(`<svg><image href=${u} width=9 height=9 /></svg>`)",
    "SVG use": "add(`<svg><use href='${u}#x' /></svg>`)",
    "SVG filter": "add(`<svg><filter id=q><feImage href=${u} /></filter>"
    "<rect width=9 height=9 filter=url(#q) /></svg>`)",
    "XSLT": "add(`<iframe src='/sheet/${h}:${p}'></iframe>`)",
    "MathML link": "add(`<math href=${u}><mi>x</mi></math>`).dispatchEvent(new MouseEvent('click', {bubbles: true}))",
    # style sheets
    "style sheet": "add(`<link rel=stylesheet href=${u}>`)",
    "CSS @import": _STYLE.format("@import url(${u});"),
    "CSS background": _STYLE.format(".w { background: url(${u}) }"),
    "CSS border": _STYLE.format(".w { border: 9px solid; border-image-source: url(${u}) }"),
    "CSS list": _STYLE.format(".w { display: list-item; list-style: url(${u}) }"),
    "CSS content": _STYLE.format(".w::before { content: url(${u}) }"),
    "CSS mask": _STYLE.format(".w { mask-image: url(${u}) }"),
    "CSS shape": _STYLE.format(".w { float: left; shape-outside: url(${u}) }"),
    "CSS image set": _STYLE.format(".w { background: image-set('${u}' 1x) }"),
    "CSS variable": _STYLE.format(".w { --v: url(${u}); background: var(--v) }"),
    "CSS font": _STYLE.format("@font-face { font-family: w; src: url(${u}) } .w { font-family: w }"),
    "CSS of SVG": _STYLE.format(".w { filter: url(${u}#x) }"),
    # hints and links
    "preload": "add(`<link rel=preload as=script href=${u}>`)",
    "module preload": "add(`<link rel=modulepreload href=${u}>`)",
    "prefetch": "add(`<link rel=prefetch href=${u}>`)",
    "preconnect": "add(`<link rel=preconnect href=${u}>`)",
    "DNS prefetch": "add(`<link rel=dns-prefetch href=${u}>`)",
    "prerender": "add(`<link rel=prerender href=${u}>`)",
    "rules to prefetch": "rules({prefetch: [{urls: [u], eagerness: 'immediate'}]})",
    "rules to prerender": "rules({prerender: [{urls: [u], eagerness: 'immediate'}]})",
    "icon": "document.head.append(Object.assign(document.createElement('link'), {rel: 'icon', href: u}))",
    "manifest": "document.head.append(Object.assign(document.createElement('link'), {rel: 'manifest', href: u}))",
    "ping": "add(`<a href=#x ping=${u}>x</a>`).click()",
    "attribution": "add(`<img attributionsrc=${u} src=/blank>`)",
    "preload by a header": "add(`<iframe src='/header/${h}:${p}?link=<${u}>; rel=preload; as=script'></iframe>`)",
    "preconnect by a header": "add(`<iframe src='/header/${h}:${p}?link=<${u}>; rel=preconnect'></iframe>`)",
    "refresh by a header": "add(`<iframe src='/header/${h}:${p}?refresh=0; url=${u}'></iframe>`)",
    "report of CSP": "add(`<iframe src=\"/header/?content-security-policy=img-src 'none'; "
    'report-uri ${u}"></iframe>`)',
    "report to an endpoint": "add(`<iframe src=\"/header/?content-security-policy=img-src 'none'; report-to x"
    '&reporting-endpoints=x=%22${u}%22"></iframe>`)',
    # going elsewhere
    "link": "add(`<a href=${u} target=_blank>x</a>`).click()",
    "window": "open(u)",
    "window without opener": "open(u, '_blank', 'noopener')",
    "script of a window": "open('about:blank').eval(`fetch('${u}', {mode: 'no-cors'})`)",
    "redirected window": "open('/to/' + h + ':' + p)",
    "form": "add(`<form action=${u} target=_blank><input name=q value=x></form>`).submit()",
    "posted form": "add(`<form method=post action=${u} target=_blank><input name=q value=x></form>`).submit()",
    "location of a frame": "add('<iframe></iframe>').contentWindow.location = u",
    "script URL of a frame": "add(`<iframe src=\"javascript:fetch('${u}', {mode: 'no-cors'})\"></iframe>`)",
    "meta refresh": _FRAME.format('<meta http-equiv=refresh content="0; url=${u}">'),
    "base": _FRAME.format("<base href=${u}><img src=x>"),
    "location": "open('about:blank').location = u",
}
_HELP = """
const add = (html) => {
  const box = document.createElement('div');
  document.body.append(box);
  box.append(document.createRange().createContextualFragment(html));
  return box.firstElementChild;
};
const script = (text) => '/script?' + encodeURIComponent(text);
const late = (one, then) => one.addEventListener('load', () => then(one.contentWindow), {once: true});
const peer = (w, server) => {
  const one = new w.RTCPeerConnection({iceServers: [server]});
  one.createDataChannel('x');
  one.setLocalDescription();
  kept.push(one);
};
const channel = async (w, candidate) => {
  const one = new w.RTCPeerConnection();
  one.createDataChannel('x');
  await one.setLocalDescription();
  kept.push(one);
  const print = Array(32).fill('AB').join(':');
  await one.setRemoteDescription({type: 'answer', sdp: ['v=0', 'o=- 1 1 IN IP4 0.0.0.0', 's=-', 't=0 0',
    'm=application 9 UDP/DTLS/SCTP webrtc-datachannel', 'c=IN IP4 0.0.0.0', 'a=mid:0', 'a=ice-ufrag:abcd',
    'a=ice-pwd:abcdefghijklmnopqrstuvwx', 'a=fingerprint:sha-256 ' + print, 'a=setup:passive',
    'a=sctp-port:5000', ''].join('\\r\\n')});
  await one.addIceCandidate({candidate, sdpMid: '0'});
};
const rules = (said) => document.head.append(
  Object.assign(document.createElement('script'), {type: 'speculationrules', textContent: JSON.stringify(said)}));
const attempt = (way, h, p) => way(`http://${h}:${p}/`, h, p).catch(() => 0);
const kept = [];
"""
_STUN = (
    "const one = new RTCPeerConnection({iceServers: [{urls: 'stun:%s'}]}); one.createDataChannel('x');"
    " one.setLocalDescription();"
)
_NAMES = f"""<!doctype html><meta charset=utf-8><body><input id=box>
<link rel=dns-prefetch href=http://hint.ways.test><link rel=preconnect href=http://early.ways.test>
<iframe src=http://frame.ways.test/></iframe>
<script>const waits = [fetch('http://fetch.ways.test/').catch(() => 0),
  new Promise((end) => document.body.append(Object.assign(new Image(), {{onerror: end, src: 'http://image.ways.test/'}})))];
try {{ {_STUN % "stun.ways.test:3478"}
  waits.push(new Promise((end) => one.onicegatheringstatechange = () => one.iceGatheringState == 'complete' && end()));
}} catch {{}} open('http://window.ways.test/');
Promise.all(waits).then(() => fetch('/tried'));</script>"""
_PAGE = "<!doctype html><meta charset=utf-8><body><input id=box><script src=/ways.js></script>"


class Ways:
    """A port for each way, TCP and UDP, and the page that tries them. `came` has those at which anything
    came; `tried` is set once a page has tried all."""

    def __init__(self, stack: AsyncExitStack) -> None:
        self._stack = stack
        self.ports: dict[str, int] = {}
        self.came: set[str] = set()
        self.tried = asyncio.Event()
        self._waiting: list[tuple[int, set[str], asyncio.Event]] = []

    async def reached(self, most: int, names: set[str]) -> None:
        """Returns once something has come by so many ways, and by these."""
        event = asyncio.Event()
        self._waiting.append((most, names, event))
        self.note("")
        await event.wait()

    def note(self, name: str) -> None:
        self.came |= {name} - {""}
        for most, names, event in self._waiting:
            if len(self.came) >= most and names <= self.came:
                event.set()

    async def serve(self) -> str:
        """The URL of the page."""
        return (await self._stack.enter_async_context(Server(replying(self._reply)))).url

    def _reply(self, request: Received) -> bytes:
        path, _, query = request.target.partition("?")
        kind, _, host = path.strip("/").partition("/")
        if kind == "tried":
            self.tried.set()
        if kind == "ways.js":
            return response(self._script(), kind="text/javascript")
        if kind == "to":
            return response("", status=302, location=f"http://{host}/")
        text, of = _text(kind, host, query)
        return response(text, kind=of, **dict(parse_qsl(query) if kind == "header" else ()))

    def _script(self) -> str:
        """Tries all ways, then says so."""
        tries = "".join(
            f"attempt(async (u, h, p) => {{ {code}; }}, '{ELSEWHERE}', {self.ports[name]});\n"
            for name, code in WAYS.items()
        )
        return f"{_HELP}{tries}fetch('/tried');"


class _Datagrams(asyncio.DatagramProtocol):
    def __init__(self, heard: Callable[[], None]) -> None:
        self._heard = heard

    def datagram_received(self, data: bytes, addr: object) -> None:
        self._heard()


@asynccontextmanager
async def listening() -> AsyncIterator[Ways]:
    """Ways that lead to open ports."""
    async with AsyncExitStack() as stack:
        ways = Ways(stack)
        for name in WAYS:
            ways.ports[name] = await _listen(stack, partial(ways.note, name))
        yield ways


async def _listen(stack: AsyncExitStack, heard: Callable[[], None]) -> int:
    """The port, of this stack's, of which all that comes is heard."""

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        heard()
        writer.write(response("", access_control_allow_origin="*", connection="close"))
        writer.close()

    loop = asyncio.get_running_loop()
    for _ in range(20):
        server = await asyncio.start_server(answer, ELSEWHERE, 0)
        stack.callback(server.close)
        port = int(server.sockets[0].getsockname()[1])
        # Another program may have the datagrams of this port.
        with suppress(OSError):
            transport, _ = await loop.create_datagram_endpoint(lambda: _Datagrams(heard), local_addr=(ELSEWHERE, port))
            stack.callback(transport.close)
            return port
    raise OSError(f"no port of {ELSEWHERE} is free for both kinds of messages")


def _text(kind: str, host: str, query: str) -> tuple[str, str]:
    """What the page's own server answers, and its kind."""
    sheet = f'<?xml version="1.0"?><?xml-stylesheet type="text/css" href="http://{host}/"?><x>x</x>'
    return {
        "": (_PAGE, "text/html"),
        "names": (_NAMES, "text/html"),
        "script": (unquote(query), "text/javascript"),
        "worker.js": (f"oninstall = () => fetch('http://{query}/')", "text/javascript"),
        "stun": (f"<script>{_STUN % query}</script>", "text/html"),
        "sheet": (sheet, "text/xml"),
        "header": ("<img src=/blank>", "text/html"),
    }.get(kind, ("", "text/html"))
