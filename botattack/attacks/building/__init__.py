"""What attacks are built from: edits, candidates, guards on meaning, searches. No attack lives here."""
