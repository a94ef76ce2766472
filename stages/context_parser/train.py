"""data/<corpus> -> data/models/context_parser/parsers/<name>: parsers of every fold, and one that saw all scenes.

`python -m stages.context_parser.train NAME`, for an entry of params.yaml:context_parser.corpora.
"""

from repline.files import new_folder
from repline.systems.context_parser.corpus import read_folds
from repline.systems.context_parser.settings import load
from repline.systems.context_parser.training import train
from stages import run
from stages.argument import argument
from stages.counter import counter
from stages.folders import MODELS


def main() -> None:
    settings = load()
    name = argument("the name of a corpus", settings.corpora)
    folds = read_folds(settings.corpora[name])
    folder = MODELS / "context_parser" / "parsers" / name
    with new_folder(folder) as partial:
        train(settings.parser, folds, partial, progress=counter("sentences", "updates"))
    print(f"{folder}: {len(folds)} folds, {len(folds[0].train):,} sentences in the first")


if __name__ == "__main__":
    run(main)
