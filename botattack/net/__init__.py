"""The only door to the network, and the only import of httpx and aiohttp."""

from botattack.net.client import Call, Client, Cookies, Response
from botattack.net.hosts import Hosts, Tls

__all__ = ["Call", "Client", "Cookies", "Hosts", "Response", "Tls"]
