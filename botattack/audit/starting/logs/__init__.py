"""Questions out of logs of real conversations, without what is personal."""
