"""An entry of params.yaml:vectors.imports -> data/vectors/<name>: `python -m stages.vectors.convert NAME`."""

import sys
from pathlib import Path

from repline.errors import InputError
from repline.parameters import Section, arguments, check, nearest, signature
from repline.vectors.conversion import convert
from stages import run
from stages.vectors.settings import read


class Source(Section):
    """Where some vectors lie: a file or folder, relative to the project or absolute."""

    path: str


def main() -> None:
    if len(sys.argv) != 2:
        raise InputError("expected one name of params.yaml:vectors.imports: python -m stages.vectors.convert NAME")
    name = sys.argv[1]
    imports = read().imports
    if name not in imports:
        raise InputError(f"params.yaml: vectors.imports has no entry of the name {name!r}{nearest(name, imports)}")
    chosen = check(signature(convert, base=Source), imports[name], f"vectors.imports.{name}")
    if not Path(chosen.path).exists():
        raise InputError(f"params.yaml: vectors.imports.{name}: there is no file or folder {chosen.path}")
    counts = convert(chosen.path, Path("data/vectors") / name, **arguments(chosen, of=convert))["counts"]
    print(f"data/vectors/{name}: {counts['words']:,} words, {counts['dimensions']} dimensions")


if __name__ == "__main__":
    run(main)
