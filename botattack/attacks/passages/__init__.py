"""Attacks on words: function words, entities, synonyms, opposites, everyday forms."""
