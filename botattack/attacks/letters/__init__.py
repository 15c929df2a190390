"""Attacks on letters: typing mistakes, look-alike and invisible characters, case and punctuation."""
