"""Other answers, names and numbers of the kind of the right ones."""
