"""How fast a bot is asked, by one process or by several that share one pace."""
