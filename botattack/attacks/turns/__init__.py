"""Attacks that go on after the answer, turn by turn."""
