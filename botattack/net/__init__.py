"""The only door to the network, and the only import of httpx and aiohttp."""
