"""data/<source> -> data/models/context_parser/completions/<name>: the predictions that the authors ship.

`python -m stages.context_parser.authors NAME`, for an entry of params.yaml:context_parser.authors.
"""

from pathlib import Path

from repline.systems.context_parser.completions import shipped_folds, write_completions
from repline.systems.context_parser.settings import folds_of, read
from stages import run
from stages.argument import argument
from stages.context_parser.places import COMPLETIONS


def main() -> None:
    settings = read()
    name = argument("the name of shipped predictions", settings.authors)
    folds = folds_of(settings.authors[name])
    rows = shipped_folds(folds, Path("data") / settings.authors[name]["source"])
    write_completions(COMPLETIONS / name, folds, rows)
    print(f"{COMPLETIONS / name}: {len(rows):,} predictions in {len({row['setting'] for row in rows})} settings")


if __name__ == "__main__":
    run(main)
