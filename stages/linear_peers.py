"""The linear peers of a system of classifiers on one of its corpora: naive Bayes and logistic regression on TF-IDF."""

from typing import Any

from repline.corpora.labelled.classified_texts import read_texts
from repline.evaluation.classification.linear_peers import train_linear
from repline.evaluation.classification.recipes import Comparison
from stages.argument import argument
from stages.folders import CORPORA, MODELS


def train_peers(system: str, settings: Comparison[Any, Any, Any]) -> None:
    """Train the peers on the corpus that the stage was called with, and save their probabilities of dev and test.

    data/corpora/classification/<texts> -> data/models/<system>/linear/<corpus>/<peer>.npz

    Args:
        system: whose models they are compared with.
        settings: the system's section of params.yaml.
    """
    corpus = argument("the name of a corpus", settings.corpora)
    texts = read_texts(CORPORA / "classification" / settings.corpora[corpus].texts)
    train_linear(settings.linear, texts, MODELS / system / "linear" / corpus)
