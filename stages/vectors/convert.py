"""An entry of params.yaml:vectors.imports -> data/vectors/<name>: `python -m stages.vectors.convert NAME`."""

import sys
from pathlib import Path
from typing import Any

from repline.errors import InputError
from repline.parameters import bind, nearest, read, section
from repline.vectors.conversion import convert
from stages import run


def main() -> None:
    if len(sys.argv) != 2:
        raise InputError("expected one name of params.yaml:vectors.imports: python -m stages.vectors.convert NAME")
    name = sys.argv[1]
    entry = _entry(section(read(), "vectors").get("imports"), name)
    path = entry.pop("path", None)
    if not isinstance(path, str) or not path:
        raise InputError(f"params.yaml: vectors.imports: {name}: path should be a file or folder, found {path!r}")
    if not Path(path).exists():
        raise InputError(f"params.yaml: vectors.imports: {name}: there is no file or folder {path}")
    parameters = bind(convert, entry, f"vectors.imports.{name}")
    counts = convert(path, Path("data/vectors") / name, **parameters)["counts"]
    print(f"data/vectors/{name}: {counts['words']:,} words, {counts['dimensions']} dimensions")


def _entry(imports: Any, name: str) -> dict[str, Any]:
    entries = imports if isinstance(imports, list) else []
    named = {entry.get("name"): entry for entry in entries if isinstance(entry, dict)}
    if name not in named:
        raise InputError(f"params.yaml: vectors.imports has no entry of the name {name!r}{nearest(name, named)}")
    return {key: value for key, value in named[name].items() if key != "name"}


if __name__ == "__main__":
    run(main)
