"""Attacks: pure generators of variants, a module per family."""
