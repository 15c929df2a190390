"""Replies to yes/no questions: what they say and what follows from them."""
