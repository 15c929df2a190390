"""Bots asked over HTTP and WebSocket."""
