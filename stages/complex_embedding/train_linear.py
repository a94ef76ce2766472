"""Naive Bayes and logistic regression on TF-IDF, the peers: `python -m stages.complex_embedding.train_linear reviews`.

data/corpora/classification/<texts> -> data/models/complex_embedding/linear/<corpus>/<peer>.npz
"""

from repline.corpora.labelled.classified_texts import read_texts
from repline.evaluation.classification.linear_peers import train_linear
from repline.systems.complex_embedding.settings import load
from stages import run
from stages.argument import argument
from stages.folders import CORPORA, MODELS


def main() -> None:
    settings = load()
    corpus = argument("the name of a corpus", settings.corpora)
    texts = read_texts(CORPORA / "classification" / settings.corpora[corpus].texts)
    train_linear(settings.linear, texts, MODELS / "complex_embedding" / "linear" / corpus)


if __name__ == "__main__":
    run(main)
