"""Bots that come with botattack, asked through the kind `local`."""
