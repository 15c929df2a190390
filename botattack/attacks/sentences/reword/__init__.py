"""A question in other words, from several sources."""
