"""Figures in words, on the terminal and in files."""
