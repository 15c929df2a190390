"""The version of botattack, in a module of its own so that any floor may name it."""

__version__ = "0.1.0"
