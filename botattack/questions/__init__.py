"""Readers of question sets."""
