"""People read a run: what they are shown, and what they said."""
