"""A speaker who says something wrong first and corrects it."""
