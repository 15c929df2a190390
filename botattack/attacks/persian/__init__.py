"""Persian questions altered, fake answers, and both as statements."""
