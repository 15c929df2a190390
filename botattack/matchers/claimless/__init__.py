"""Replies that answer nothing: they decline, fall back, ask back, send on or only remark."""
