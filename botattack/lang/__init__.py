"""Words of languages: data, not code. A folder is a language, and `text/languages.py` reads it."""
