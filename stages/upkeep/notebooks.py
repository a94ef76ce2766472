"""Run the notebooks, or remove their outputs: `python -m stages.upkeep.notebooks [--run] [NOTEBOOK ...]`."""

import argparse
import sys
import tempfile
from pathlib import Path

from repline.errors import InputError
from repline.report.documentation import notebooks

FOLDER = Path("notebooks")


def main(arguments: list[str]) -> int:
    """Strip notebooks of outputs; with --run run them and print what each cell does. Returns 0."""
    parser = argparse.ArgumentParser(prog="python -m stages.upkeep.notebooks", description=__doc__)
    parser.add_argument("notebooks", nargs="*", type=Path, help="default: all of notebooks/")
    parser.add_argument("--run", action="store_true", help="run them, each in an empty folder, and print their outputs")
    options = parser.parse_args(arguments)
    for path in options.notebooks:
        if not path.is_file():
            parser.error(f"{path}: there is no such notebook; name one as {FOLDER}/word-vectors.ipynb")
    for path in options.notebooks or sorted(FOLDER.glob("*.ipynb")):
        if notebooks.strip(path):
            print(f"{path}: outputs removed")
        if options.run:
            with tempfile.TemporaryDirectory() as folder:
                outputs = notebooks.run(path, Path(folder))
            print(f"{path}: {len(outputs)} cells ran")
            for output in outputs:
                print(output.text + (f"[a figure, {len(output.html)} characters]" if output.html else ""))
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except InputError as error:
        sys.exit(f"stages.upkeep.notebooks: {error}")
