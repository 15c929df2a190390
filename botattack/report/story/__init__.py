"""Reports as stories: figures become blocks once, and every medium draws the same blocks."""
