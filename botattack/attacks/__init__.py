"""Attacks: pure generators of variants. A room for each level of text, `building` for what they share."""
