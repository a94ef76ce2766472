"""data/models/context_parser/parsers/<name> -> data/models/context_parser/completions/<name>: every gap, every setting.

`python -m stages.context_parser.complete NAME`, for an entry of params.yaml:context_parser.corpora.
"""

from repline.systems.context_parser.completions import complete_folds, write_completions
from repline.systems.context_parser.corpus import read_folds
from repline.systems.context_parser.settings import load
from stages import run
from stages.argument import argument
from stages.counter import counter
from stages.folders import MODELS


def main() -> None:
    settings = load()
    name = argument("the name of a corpus", settings.corpora)
    folds, models = read_folds(settings.corpora[name]), MODELS / "context_parser"
    progress = counter("gaps", "candidates")
    rows = complete_folds(folds, models / "parsers" / name, settings.settings, settings.seed, progress)
    write_completions(models / "completions" / name, folds, rows)
    candidates, searched = (sum(row[column] for row in rows) for column in ("candidates", "searched"))
    print(
        f"{models / 'completions' / name}: {sum(len(fold.test) for fold in folds):,} gaps in "
        f"{len(settings.settings)} settings, {candidates:,} candidates, trees of {searched:,} of them searched"
    )


if __name__ == "__main__":
    run(main)
