"""A passage that leads by the same steps to another answer."""
