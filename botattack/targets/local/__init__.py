"""Bots that are a Python callable."""
