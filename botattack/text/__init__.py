"""Language: pure parts (tokens, spelling, word lists) and adapters that meet Needs."""
