"""data/<corpus> -> data/models/context_parser/parsers/<name>: parsers of every fold, and one that saw all scenes.

`python -m stages.context_parser.train NAME`, for an entry of params.yaml:context_parser.corpora.
"""

from repline.files import new_folder
from repline.systems.context_parser.settings import UNI, folds_of, read
from repline.systems.context_parser.training import train
from stages import run
from stages.argument import argument
from stages.context_parser.places import PARSERS
from stages.counter import counter


def main() -> None:
    settings = read()
    name = argument("the name of a corpus", settings.corpora)
    folds = folds_of(settings.corpora[name])
    # every sentence once, in the order in which the folds bring them
    everything = list(dict.fromkeys(one for fold in folds for one in fold.train))
    with new_folder(PARSERS / name) as partial:
        for number, fold in enumerate(folds, start=1):
            for kind in ("context", UNI):
                parser = train(fold.train, context=kind == "context", **settings.parser)
                parser.save(partial / f"fold-{number}" / kind)
        parser = train(everything, **settings.parser, progress=counter("sentences", "updates"))
        parser.save(partial / "all")
    print(
        f"{PARSERS / name}: {len(folds)} folds, {len(folds[0].train):,} sentences in the first; "
        f"{len(everything):,} for `all`, {len(parser.keys):,} features"
    )


if __name__ == "__main__":
    run(main)
