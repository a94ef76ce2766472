"""An entry of params.yaml:vectors.imports -> data/vectors/<name>: `python -m stages.vectors.convert NAME`."""

from pathlib import Path

from repline.errors import InputError
from repline.reading.wrong_records import LeftOut
from repline.vectors.conversion import convert
from stages import run
from stages.argument import arguments
from stages.folders import VECTORS
from stages.vectors.settings import load


def main() -> None:
    imports = load().imports
    (name,) = arguments({"an entry of vectors.imports": imports})
    source = imports[name]
    if not Path(source.path).exists():
        raise InputError(f"params.yaml: vectors.imports.{name}: there is no file or folder {source.path}")
    left_out = LeftOut(source.on_error)
    card = convert(source.path, VECTORS / name, duplicates=source.duplicates, limit=source.limit, on_error=left_out)
    print(f"{VECTORS / name}: {card['counts']['words']:,} words, {card['counts']['dimensions']} dimensions")
    for note in left_out.notes():
        print(note)


if __name__ == "__main__":
    run(main)
