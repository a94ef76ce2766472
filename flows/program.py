"""The name of the program that runs."""

import sys
from pathlib import Path


def program() -> str:
    """What this program is called: `dvc-parallel`, where it is installed."""
    name = Path(sys.argv[0]).name
    return "python -m flows" if name == "__main__.py" else name
