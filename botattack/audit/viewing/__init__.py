"""A page on this machine to look at recordings, and to mark and settle what they found."""
