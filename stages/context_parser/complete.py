"""data/models/context_parser/parsers/<name> -> data/models/context_parser/completions/<name>: every gap, every setting.

`python -m stages.context_parser.complete NAME`, for an entry of params.yaml:context_parser.corpora.
"""

from repline.systems.context_parser.completions import complete_folds, write_completions
from repline.systems.context_parser.settings import folds_of, read
from stages import run
from stages.argument import argument
from stages.context_parser.places import COMPLETIONS, PARSERS
from stages.counter import counter


def main() -> None:
    settings = read()
    name = argument("the name of a corpus", settings.corpora)
    folds = folds_of(settings.corpora[name])
    progress = counter("gaps", "candidates")
    rows = complete_folds(folds, PARSERS / name, settings.settings, settings.seed, progress)
    write_completions(COMPLETIONS / name, folds, rows)
    candidates, searched = (sum(row[column] for row in rows) for column in ("candidates", "searched"))
    print(
        f"{COMPLETIONS / name}: {sum(len(fold.test) for fold in folds):,} gaps in {len(settings.settings)} settings, "
        f"{candidates:,} candidates, trees of {searched:,} of them searched"
    )


if __name__ == "__main__":
    run(main)
