"""Every variant and seed on a corpus: `python -m stages.rnn_cnn.train NAME`.

data/corpora/rnn_cnn/<corpus>, data/vectors -> data/models/rnn_cnn/<corpus>/<variant>/seed-<s>
"""

from pathlib import Path

from repline.systems.rnn_cnn.corpus import read_corpus
from repline.systems.rnn_cnn.settings import read, recipes
from repline.systems.rnn_cnn.training import train_model
from repline.systems.rnn_cnn.vocabulary_expansion import first_vectors
from repline.vectors import store
from stages import run
from stages.argument import argument
from stages.rnn_cnn.places import CORPORA, MODELS
from stages.seeds import models


def main() -> None:
    settings = read()
    name = argument("the name of a corpus", settings.corpora)
    corpus = read_corpus(CORPORA / name)
    origin = Path("data/vectors") / settings.vectors
    words, matrix = store.words_and_matrix(origin)
    vectors = first_vectors(corpus.words, {word: row for row, word in enumerate(words)}, matrix)
    data = corpus, vectors, origin
    with models(MODELS / name) as made:
        for variant, knobs in recipes(settings, name).items():
            made.train(train_model, *data, seeds=settings.seeds, into=variant, name=f"{name}-{variant}", **knobs)


if __name__ == "__main__":
    run(main)
