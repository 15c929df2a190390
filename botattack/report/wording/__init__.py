"""Figures and findings in sentences: the same words in every report."""
