"""Training sets made of the questions and variants of a recorded run."""
