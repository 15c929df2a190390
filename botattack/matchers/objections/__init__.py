"""What may be said against a gold answer that stands in a reply."""
