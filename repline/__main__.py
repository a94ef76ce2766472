"""`python -m repline`, where the command `repline` is not installed."""

from repline.cli.app import main

if __name__ == "__main__":
    main()
