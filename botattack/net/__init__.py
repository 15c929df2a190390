"""The only door to the network, and the only import of httpx and aiohttp."""

import sys

# Wherever rich and pygments are installed, httpx loads them for a command line of its own: 30 ms for nothing.
sys.modules.setdefault("httpx._main", None)  # type: ignore[arg-type]
