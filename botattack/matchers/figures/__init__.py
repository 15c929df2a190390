"""Numbers, units, dates and times as people write them, and what they come to."""
