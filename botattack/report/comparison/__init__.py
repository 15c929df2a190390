"""Two or more runs compared: what newly breaks, and whether that is more than chance."""
