"""A run over several workers of this machine."""
