"""The only door to the network, and the only import of httpx and aiohttp."""

from botattack.net.client import Client
from botattack.net.hosts import Hosts, Tls
from botattack.net.messages import Call, Cookies
from botattack.net.response import Response
from botattack.net.socket import Socket

__all__ = ["Call", "Client", "Cookies", "Hosts", "Response", "Socket", "Tls"]
