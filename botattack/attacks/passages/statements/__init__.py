"""A question and an answer made into a statement that can be read."""
