"""A run over several workers, on this machine or on a cluster."""
