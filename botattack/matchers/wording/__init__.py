"""The same said in other words: roots, synonyms, other names, opposites."""
