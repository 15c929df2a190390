"""Which browser is used, how it is started, and what keeps it to the hosts a target file names."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from botattack.addresses import is_here
from botattack.environment import environment
from botattack.errors import MissingPart, Unreachable, nearest_path
from botattack.options import Executable, JsonObject
from botattack.targets.browser.page_options import PageOptions

if TYPE_CHECKING:
    import playwright.async_api as pw

DISABLED = (
    "WebUIOmniboxPopup,WebUIOmniboxAimPopup,WebUIOmniboxFullPopup,AvoidUnnecessaryBeforeUnloadCheckSync,HttpsUpgrades,"
    "DestroyProfileOnBrowserClose,HttpsFirstBalancedModeAutoEnable,LensOverlay,MediaRouter,PaintHolding,AimEnabled,"
    "ThirdPartyStoragePartitioning,AvoidCorsURLLoaderRestartOnRedirect,TcpPortRandomizationWin,OptimizationHints,"
    "NetworkTimeServiceQuerying,PreconnectToSearch,msForceBrowserSignIn,msEdgeUpdateLaunchServicesPreferredVersion"
)
"""Features of Chromium that are turned off. It heeds the last such list alone, so those that Playwright names are
repeated here. The first three draw the suggestions of the address bar, which nobody sees, in a process of their own for
each context: more than half of what a context costs (`benchmarks/README.md`)."""
ARGUMENTS = (
    f"--disable-features={DISABLED}",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--disable-dev-shm-usage",
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
)
UNPROXIED = (
    "for (const name of ['RTCPeerConnection', 'webkitRTCPeerConnection', 'WebTransport']) delete globalThis[name];"
)
"""Takes from a page what sends datagrams, which neither name resolution nor a proxy stops. Chromium has a flag for it,
but that was renamed once without a word, and a browser that runs elsewhere was started without it."""
UNLAUNCHED = r"""{
const launches = frame => frame.localName === 'iframe'
  && /^(?!(https?|data|blob|about|javascript):)[a-z][a-z\d+.-]*:/i.test(frame.getAttribute('src') ?? '');
const within = node => [node, ...(node.querySelectorAll?.('iframe') ?? [])];
new MutationObserver(changes => changes
  .flatMap(change => change.type === 'attributes' ? [change.target] : [...change.addedNodes].flatMap(within))
  .filter(launches).forEach(frame => frame.remove())
).observe(document, { childList: true, subtree: true, attributes: true, attributeFilter: ['src'] });
}"""
"""Removes frames that would open another program, such as a telephone: Chromium asks whether it may, in a window that
nobody sees, and takes no key or click until someone answers. Giving the frame another address comes too late."""
SYSTEM = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "microsoft-edge", "msedge")
"""Programs that speak Chromium's protocol, best first. The headless shell costs half as much, but heeds no policy of
WebRTC: it kept to the walls by `UNPROXIED` alone."""
_ON_MACOS = (
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
)


def system_browser(which: Any = shutil.which) -> str:
    """The system's Chromium, Chrome or Edge; an empty text if there is none."""
    named = next((found for name in SYSTEM if (found := which(name))), "")
    return named or next((place for place in _ON_MACOS if Path(place).is_file()), "")


def program(own: str, wanted: Executable | None = None, folder: Path = Path()) -> str:
    """The browser's program: the one that a target file in `folder` wants, else Playwright's `own`, else the system's.

    Raises MissingPart.
    """
    if wanted is not None:
        if (path := wanted.seen_from(folder)).is_file():
            return str(path)
        hint = nearest_path(path) or "leave connect.executable out to have one looked for"
        raise MissingPart(f"there is no browser at {path}; {hint}")
    for found in (own, system_browser()):
        if found and Path(found).is_file():
            return found
    ways = "python3 -m playwright install --with-deps chromium, or with the installer of the system"
    raise MissingPart(f"no Chromium or Chrome is installed; install one with {ways}")


def is_root() -> bool:
    return os.geteuid() == 0


def launch_options(options: PageOptions, walls: Walls, headless: bool = True) -> JsonObject:
    """What Playwright's launch is given, but for the program."""
    return {
        "headless": headless,
        # On Ctrl-C a run lets what is on its way come back, but Playwright would close the browser at once.
        "handle_sigint": False,
        "handle_sigterm": False,
        "timeout": 30_000,
        "env": environment({}, screen=True),
        # As root, Chromium refuses to start with its sandbox.
        "chromium_sandbox": options.sandbox and not is_root(),
        "args": [*ARGUMENTS, f"--host-resolver-rules={walls.rules}"],
    }


async def start(
    playwright: pw.Playwright, options: PageOptions, walls: Walls, *, headless: bool, folder: Path
) -> pw.Browser:
    """A browser, launched here; `folder` is that of the target file. Raises MissingPart or Unreachable."""
    from playwright.async_api import Error

    kind = playwright.chromium
    path = program(kind.executable_path, options.executable, folder)
    try:
        return await kind.launch(executable_path=path, **launch_options(options, walls, headless))
    except Error as error:
        sentence, place = "the browser does not start", "connect.browser"
        raise Unreachable(sentence, said=brief(error), delivered=False, place=place) from error


def brief(error: Exception) -> str:
    """The first line of Playwright's message, without the call it names."""
    return re.sub(r"^[A-Z]\w+\.\w+: ", "", str(error).strip().partition("\n")[0])


class Walls:
    """What a page may load: the origins of the pages that are opened, and the hosts the file lists.

    The browser itself gets no address for any other host and port (one that runs elsewhere gets a proxy for them that
    is none), every request to one is aborted before it leaves, pages have no peer connections, and service workers,
    which could ask unseen, are blocked.
    """

    def __init__(self, urls: Iterable[str], hosts: Iterable[str], *, here: bool = False) -> None:
        """`here` keeps the pages themselves to this machine, whatever address their names have by then; what
        they load from `hosts` may lie elsewhere. Raises ValueError if a URL is none."""
        from botattack.net.hosts import Hosts

        urls = list(urls)
        self._here = {_host_and_port(entry) for entry in Hosts.of(urls, ()).entries} if here else set()
        self._entries = sorted(Hosts.of(urls, hosts).entries)
        allowed = "|".join(map(_pattern, self._entries))
        self.foreign = re.compile(rf"^(?!(?:{allowed})(?:[/?#]|$)|(?:data|blob|about|chrome|devtools):)")
        """Matches the URLs that may not be loaded; understood by Python and by JavaScript."""

    @property
    def named(self) -> list[str]:
        """Each host, or host and port, that may be asked."""
        return list(dict.fromkeys(map(_host_and_port, self._entries)))

    @property
    def rules(self) -> str:
        """Chromium's rules of name resolution: the first that fits a host, or a host and port, decides."""
        return ",".join([*(f"MAP {name} {self._stands_for(name)}" for name in self.named), "MAP * ~NOTFOUND"])

    def _stands_for(self, name: str) -> str:
        host, _, port = name.rpartition(":")
        return name if name not in self._here or is_here(host.strip("[]")) else f"127.0.0.1:{port}"

    def allow(self, url: str) -> bool:
        return self.foreign.match(url) is None


_DEFAULT = {"http": "80", "https": "443"}


def _pattern(entry: str) -> str:
    """A regular expression for the start of the URLs of an origin, or of a bare host."""
    scheme, _, rest = entry.rpartition("://")
    if not scheme:
        return rf"(?:https?|wss?)://{re.escape(entry)}(?::\d+)?"
    host, _, port = rest.rpartition(":")
    schemes = "(?:http|ws)" if scheme == "http" else "(?:https|wss)"
    optional = "?" if port == _DEFAULT[scheme] else ""
    return rf"{schemes}://{re.escape(_bracketed(host))}(?::{port}){optional}"


def _host_and_port(entry: str) -> str:
    scheme, _, rest = entry.rpartition("://")
    if not scheme:
        return entry
    host, _, port = rest.rpartition(":")
    return f"{_bracketed(host)}:{port}"


def _bracketed(host: str) -> str:
    return f"[{host}]" if ":" in host and not host.startswith("[") else host
