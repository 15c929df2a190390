"""Two bots at play: MutualFriends, what is done to the talk, and the events of a game."""
