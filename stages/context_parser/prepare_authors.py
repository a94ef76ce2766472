"""data/<source> -> data/models/context_parser/completions/<name>: the predictions that the authors ship.

`python -m stages.context_parser.prepare_authors NAME`, for an entry of params.yaml:context_parser.authors.
"""

from repline.systems.context_parser.completions import shipped_folds, write_completions
from repline.systems.context_parser.corpus import read_folds
from repline.systems.context_parser.settings import load
from stages import run
from stages.argument import argument
from stages.folders import DATA, MODELS


def main() -> None:
    authors = load().authors
    name = argument("the name of shipped predictions", authors)
    folds = read_folds(authors[name])
    rows = shipped_folds(folds, DATA / authors[name].source)
    folder = MODELS / "context_parser" / "completions" / name
    write_completions(folder, folds, rows)
    print(f"{folder}: {len(rows):,} predictions in {len({row['setting'] for row in rows})} settings")


if __name__ == "__main__":
    run(main)
