"""Recordings judged again, in one process or in several."""
