"""Seals: whether a recording is still what it was when its run ended."""
