"""What is seen of a reply: small functions from a question, its gold answers and a reply to named numbers."""
