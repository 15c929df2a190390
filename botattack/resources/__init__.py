"""What attacks need beside the code: language models and services asked as bots are, and files fetched for them."""
