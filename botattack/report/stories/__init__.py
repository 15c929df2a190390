"""What each report says: figures in, a story of blocks out."""
