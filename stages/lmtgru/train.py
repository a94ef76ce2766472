"""Train one network on one corpus, once per fold and seed: `python -m stages.lmtgru.train chat_made_cnn_lmtgru`.

data/corpora/classification/<texts> -> data/models/lmtgru/networks/<corpus>/<network>/<fold>/seed-<s>
"""

from repline.corpora.labelled.classified_texts import read_texts
from repline.systems.lmtgru.folds import folds_of
from repline.systems.lmtgru.settings import load
from repline.systems.lmtgru.training import train
from stages import run
from stages.argument import argument
from stages.folders import CORPORA
from stages.runs import trained_runs


def main() -> None:
    settings = load()
    training = settings.trainings[argument("the name of a training", settings.trainings)]
    corpus, network = settings.corpora[training.corpus], settings.networks[training.network]
    texts = read_texts(CORPORA / "classification" / training.texts)
    with trained_runs("lmtgru", "networks", training.corpus, training.network) as runs:
        for fold, parts in folds_of(texts, corpus.folds).items():
            for seed in settings.seeds(training):
                train(corpus.recipe, network, parts, runs.run(seed, fold))


if __name__ == "__main__":
    run(main)
