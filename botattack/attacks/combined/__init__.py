"""Attacks made of other attacks."""
