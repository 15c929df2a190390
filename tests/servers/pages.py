"""Small chat pages, served on loopback: each shows one trait of real ones."""

from __future__ import annotations

from tests.servers.http import Received, Server, replying, response

_STYLE = "<style>.typing{color:#888} .me{text-align:right} .gone{display:none}</style>"
_CHAT = """<div id=log></div><input id=box placeholder="Ask me"><button id=send>Send</button>
<script>
const log = document.querySelector('#log'), box = document.querySelector('#box');
const say = (who, text) => {
  const p = document.createElement('p'); p.className = who; p.textContent = text; log.append(p); return p;
};
const sleep = (ms) => new Promise((done) => setTimeout(done, ms));
const hear = (answer) => {
  const send = async () => {
    const text = box.value; if (!text) return; box.value = ''; say('me', text); await answer(text);
  };
  box.addEventListener('keydown', (event) => { if (event.key === 'Enter') send(); });
  document.querySelector('#send').addEventListener('click', send);
};
</script>"""


def chat(answer: str, *, head: str = "", body: str = "") -> str:
    """A page with a log, a box and a button. `answer` is the body of `async (text) => { … }`, which may use `say`,
    `sleep` and `log`."""
    return page(f"{body}{_CHAT}<script>hear(async (text) => {{ {answer} }});</script>", head)


def page(body: str, head: str = "") -> str:
    return f"<!doctype html><meta charset=utf-8>{_STYLE}{head}<body>{body}</body>"


ECHO = chat("await sleep(20); say('bot', 'You said ' + text);")
STREAM = chat(
    "const p = say('bot', ''); for (const word of ['one', 'two', 'three', 'four', 'five'])"
    " { await sleep(p.textContent && text.includes('slowly') ? 7000 : 350); p.textContent += word + ' '; }"
)
"""A word every 350 ms, or 7 s after the first one if the message says so."""
ENDLESS = chat(
    "const p = say('bot', ''); do { await sleep(50); p.textContent += 'on '; } while (!text.includes('end'));"
)
"""Says more and more, unless the message has an end."""
MEMORY = chat(
    "const n = 1 + Number(localStorage.n || 0); localStorage.n = n; document.cookie = 'n=' + n;"
    " await sleep(10); say('bot', 'message ' + n);",
    body="<script>addEventListener('load', () => {"
    " for (let i = 0; i < (localStorage.n || 0); i++) say('bot', 'old'); });</script>",
)
DEAF = page(
    _CHAT + "<script>let ready = false; hear(async (text) => {"
    " if (!ready) { log.lastChild.remove(); setTimeout(() => { ready = true; }, 300); return; }"
    " await sleep(10); say('bot', 'heard ' + text); });</script>"
)
LATE_LISTENER = page(
    _CHAT + "<script>box.addEventListener('keydown', () => setTimeout(() => "
    "hear(async (text) => { await sleep(10); say('bot', 'heard ' + text); })), {once: true});</script>"
)
"""Listens from just after the first message on, which stays in the box."""
MUTE = chat("log.lastChild.remove(); await sleep(20); say('bot', 'You said ' + text);")
STARS = chat(
    "if (text.includes('#')) log.lastChild.textContent = '***'; await sleep(20); say('bot', 'You said ' + text);"
)
GREETS = page(
    _CHAT + "<script>setTimeout(() => say('bot', 'Hello, I am a bot'), 700);"
    "box.addEventListener('keydown', async (event) => { if (event.key !== 'Enter') return; const text = box.value;"
    " box.value = ''; await sleep(2000); say('me', text); await sleep(300);"
    " say('bot', 'You said ' + text); });</script>"
)
GOES_ON = chat(
    "globalThis.n = 1 + (globalThis.n || 0); const p = say('bot', n + ': ' + text);"
    " globalThis.grow = () => { p.textContent += ' and on'; };"
    " globalThis.add = () => { say('bot', 'one more thing'); };"
)
"""Continues its last answer when a test calls `grow()`, and says more when it calls `add()`."""
DOUBLES = chat("globalThis.n = 1 + (globalThis.n || 0); say('me', text); await sleep(20); say('bot', n + ': ' + text);")
BUSY = chat(
    "const t = say('typing', 'typing'); const p = say('bot', '…'); await sleep(900);"
    " p.textContent = 'The answer to ' + text; await sleep(100); t.remove();"
)
DONE = chat(
    "const p = say('bot', 'thinking'); await sleep(700); p.textContent = 'ready: ' + text;"
    " const b = document.createElement('button'); b.className = 'copy'; b.textContent = 'Copy'; p.append(b);"
)
SHADOW = page(
    "<chat-bot></chat-bot><script>customElements.define('chat-bot', class extends HTMLElement { connectedCallback() {"
    " const root = this.attachShadow({mode: 'open'});"
    " root.innerHTML = '<div id=log></div><div id=box contenteditable></div>';"
    " const box = root.querySelector('#box');"
    " box.addEventListener('keydown', async (e) => { if (e.key !== 'Enter') return; e.preventDefault();"
    "  const text = box.textContent; box.textContent = '';"
    "  root.querySelector('#log').insertAdjacentHTML('beforeend', '<p class=me></p>');"
    "  root.querySelector('#log').lastChild.textContent = text;"
    "  const bot = document.createElement('bot-says'); bot.className = 'bot';"
    "  bot.attachShadow({mode: 'open'}).innerHTML = '<p>shadow <b>says</b></p><p class=note>12:00</p>';"
    "  root.querySelector('#log').append(bot); });"
    "} });</script>"
)
SHADOW_ECHO = SHADOW.replace("<p>shadow <b>says</b></p>", "<p>shadow <b>of</b> ' + text + '</p>")
DIALOG = chat(
    "alert('are you sure?'); say('bot', confirm('really?') ? 'yes' : 'no');",
    body="<div id=cookies><button onclick='cookies.remove()'>Accept all</button></div>",
)
LOGIN = page(
    "<form method=post action=/in><input name=user><input name=word type=password><button>Log in</button></form>"
)
WRONG = chat("say('robot', 'my class is robot');")
MOVES = chat("sessionStorage.q = text; location.href = '/moved';")
MOVED = page(
    "<div id=log></div><script>setTimeout(() => { log.innerHTML = '<p class=me></p><p class=bot></p>';"
    " log.children[0].textContent = sessionStorage.q; log.children[1].textContent = 'moved here'; }, 200);</script>"
)


def calls(*urls: str) -> str:
    """A page that asks other hosts in every way it knows, and a chat that still works."""
    first = urls[0]
    return chat(
        "say('bot', 'fine');",
        head=f"<link rel=stylesheet href='{first}/style.css'><link rel=preconnect href='{first}'>"
        f"<link rel=prefetch href='{first}/next'>",
        body="".join(f"<img src='{url}/pixel.png'><iframe src='{url}/frame'></iframe>" for url in urls)
        + "<img src='/redirect'>"
        + "<script>"
        + "".join(
            f"fetch('{url}/data', {{mode: 'no-cors'}}).catch(() => 0); navigator.sendBeacon('{url}/beacon', 'x');"
            f"try {{ new WebSocket('{url.replace('http', 'ws')}/socket'); }} catch {{}}"
            f"new EventSource('{url}/events');"
            for url in urls
        )
        + "navigator.serviceWorker?.register('/worker.js').catch(() => 0);</script>",
    )


def serving(**pages: str) -> Server:
    """Pages by name, `home` at the root; a page may also be bytes of a whole response."""

    def reply(request: Received) -> bytes:
        name = request.target.split("?")[0].strip("/") or "home"
        made = pages.get(name)
        if made is None:
            return response("none", status=404, kind="text/plain")
        if made.startswith("redirect "):
            return response("", status=302, location=made.removeprefix("redirect "))
        kind = "text/javascript" if name.endswith(".js") else "text/html"
        return response(made, kind=kind)

    return Server(replying(reply))


WIDGET = page(
    "<div role=dialog id=banner>We use cookies <button id=ok onclick='banner.remove()'>Accept</button></div>"
    "<input type=search placeholder='Search the site'><button id=chat-launcher>Chat with us</button>"
    "<div id=widget class=gone><div id=log></div><textarea id=box placeholder='Write a message'></textarea>"
    "<button id=send aria-label=Send>&#10148;</button></div><script>"
    "document.querySelector('#chat-launcher').onclick = () => widget.classList.remove('gone');"
    "const add = (who, text) => { const row = document.createElement('div'); row.className = 'row';"
    " const said = document.createElement('div'); said.className = who; said.textContent = text;"
    " row.append(said); log.append(row); };"
    "document.querySelector('#send').onclick = () => { const text = box.value; box.value = ''; add('customer', text);"
    " setTimeout(() => add('assistant', 'We have no page about ' + text), 300); };</script>"
)
