"""Reports as files and on the terminal."""
