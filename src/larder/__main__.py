"""`python -m larder` is the command line."""

from larder.cli import main

if __name__ == "__main__":
    main()
