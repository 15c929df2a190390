"""What a reply means: pure matchers and the guards around them."""
