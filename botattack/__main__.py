"""`python -m botattack`: the command line."""

from botattack.cli import main

if __name__ == "__main__":
    main()
