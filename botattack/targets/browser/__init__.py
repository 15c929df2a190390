"""Bots on web pages, asked through a browser."""
