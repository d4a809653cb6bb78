"""``python -m logca`` is the command line."""

from logca.cli import main

if __name__ == "__main__":
    main()
