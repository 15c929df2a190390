"""How a message is filled in and how an answer is read, the same for every kind of bot."""
