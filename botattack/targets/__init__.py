"""Bots that can be asked: HTTP, browser, local."""
