"""Train one variant on a corpus, once per seed: `python -m stages.definition_nli.train CORPUS VARIANT`.

data/corpora/definition_nli/<corpus> -> data/models/definition_nli/<corpus>/<variant>/seed-<s>
"""

from repline.systems.definition_nli.corpus import read_data
from repline.systems.definition_nli.settings import load
from repline.systems.definition_nli.training import train
from stages import run
from stages.argument import arguments
from stages.folders import CORPORA
from stages.runs import trained_runs


def main() -> None:
    settings = load()
    corpus, variant = arguments({"a corpus": settings.corpora, "a variant": settings.variants})
    data = read_data(CORPORA / "definition_nli" / corpus)
    with trained_runs("definition_nli", corpus, variant) as runs:
        for seed in settings.seeds:
            train(settings.variants[variant], data, runs.run(seed))


if __name__ == "__main__":
    run(main)
