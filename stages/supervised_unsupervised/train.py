"""Train one variant on a corpus, once per seed: `python -m stages.supervised_unsupervised.train CORPUS VARIANT`.

data/corpora/supervised_unsupervised/<corpus> -> data/models/supervised_unsupervised/<corpus>/<variant>/seed-<s>
"""

from repline.systems.supervised_unsupervised.corpus import read_data
from repline.systems.supervised_unsupervised.settings import load
from repline.systems.supervised_unsupervised.training import train
from stages import run
from stages.argument import arguments
from stages.folders import CORPORA, DATA
from stages.runs import trained_runs


def main() -> None:
    settings = load()
    name, variant = arguments({"a corpus": settings.corpora, "a variant": settings.variants})
    data, corpus = read_data(CORPORA / "supervised_unsupervised" / name), settings.corpora[name]
    with trained_runs("supervised_unsupervised", name, variant) as runs:
        for seed in settings.seeds_for(variant):
            train(settings.variants[variant], data, DATA / corpus.vectors, corpus, runs.run(seed))


if __name__ == "__main__":
    run(main)
