"""What is known of a run before anything is sent."""
