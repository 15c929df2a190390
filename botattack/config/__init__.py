"""YAML with positions: target and campaign files."""
