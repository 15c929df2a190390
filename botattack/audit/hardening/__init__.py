"""`botattack harden`: audits a bot, has it retrained on what broke, and audits it again."""
