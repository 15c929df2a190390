"""Numbers, measures, money, dates and times of day that a text says, read to be compared as values."""
