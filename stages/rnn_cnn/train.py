"""Train one variant on a corpus, once per seed: `python -m stages.rnn_cnn.train NAME`, one of `rnn_cnn.trainings`.

data/corpora/rnn_cnn/<corpus>, data/vectors -> data/models/rnn_cnn/<corpus>/<variant>/seed-<s>
"""

from repline.systems.rnn_cnn.corpus import read_corpus
from repline.systems.rnn_cnn.settings import load
from repline.systems.rnn_cnn.training import train
from repline.systems.rnn_cnn.vocabulary_expansion import first_vectors
from repline.vectors import store
from stages import run
from stages.argument import argument
from stages.folders import CORPORA, VECTORS
from stages.runs import trained_runs


def main() -> None:
    settings = load()
    training = settings.trainings[argument("the name of a training", settings.trainings)]
    corpus = read_corpus(CORPORA / "rnn_cnn" / training.corpus)
    origin = VECTORS / settings.vectors
    words, matrix = store.words_and_matrix(origin)
    vectors = first_vectors(corpus.words, {word: row for row, word in enumerate(words)}, matrix)
    with trained_runs("rnn_cnn", training.corpus, training.variant) as runs:
        for seed in settings.seeds:
            train(training.recipe, corpus, vectors, origin, runs.run(seed))


if __name__ == "__main__":
    run(main)
