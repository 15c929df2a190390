"""Language parts that are loaded: each from a package, a program or a folder that was fetched."""
