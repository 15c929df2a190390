"""Folds over events: figures, terminal, files."""
