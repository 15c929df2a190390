"""What a reply means: pure matchers, and the judge that learned from readers."""
