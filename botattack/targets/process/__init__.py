"""Bots that are a program of their own."""
