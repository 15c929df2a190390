"""Proves where in a bot's replies its answer is, by comparing several of them."""
