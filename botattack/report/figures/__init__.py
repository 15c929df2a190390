"""Folds from events to figures, findings and gates. Nothing here writes or prints."""
