"""Linear baselines by scikit-learn: naive Bayes, logistic regression and an SVM on TF-IDF of n-grams."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from repline.corpora.labelled.classified_texts import Texts
from repline.evaluation.classification.recipes import Linear, LinearPeers
from repline.files import new_folder


def train_linear(peers: LinearPeers, texts: Texts, folder: str | Path) -> None:
    """Write `<peer>.npz` into `folder`, which replaces what was there: the probabilities of dev and test."""
    with new_folder(folder) as partial:
        for peer, probabilities in linear_probabilities(peers, texts).items():
            np.savez(partial / f"{peer}.npz", allow_pickle=False, **probabilities)


def linear_probabilities(linear: LinearPeers, texts: Texts) -> dict[Linear, dict[str, NDArray[np.float32]]]:
    """By peer and part (dev, test), the probabilities of the labels [N, C]. Whole documents are read.

    A support vector machine has no probabilities: here they are a softmax of its margins, in the order of these and not
    calibrated.

    Source: Gao et al. 2018, section 4.2 (unigrams and bigrams in five documents, C = 1).
    """
    from sklearn.feature_extraction.text import TfidfVectorizer

    def ngrams(words: Sequence[str]) -> list[str]:
        return [
            " ".join(words[start : start + size])
            for size in range(1, linear.longest_ngram + 1)
            for start in range(len(words) - size + 1)
        ]

    weigh = TfidfVectorizer(analyzer=ngrams, min_df=min(linear.minimum_documents, len(texts.ids["train"])))
    weighed = {"train": weigh.fit_transform(texts.flat("train"))}
    weighed |= {part: weigh.transform(texts.flat(part)) for part in ("dev", "test")}
    probabilities = {}
    for peer in linear.peers:
        models = [model.fit(weighed["train"], texts.gold["train"]) for model in _models(peer, linear)]
        best = max(models, key=lambda model: model.score(weighed["dev"], texts.gold["dev"]))
        probabilities[peer] = {part: _probabilities(best, weighed[part]) for part in ("dev", "test")}
    return probabilities


def _models(peer: Linear, linear: LinearPeers) -> list[Any]:
    """The candidates for a peer; the one with the highest accuracy on dev is taken."""
    from sklearn.linear_model import LogisticRegression
    from sklearn.multiclass import OneVsRestClassifier
    from sklearn.naive_bayes import MultinomialNB
    from sklearn.svm import LinearSVC

    match peer:
        case "naive_bayes":
            return [MultinomialNB()]
        case "lr_l1":
            sparse = LogisticRegression(C=linear.l1, l1_ratio=1.0, solver="liblinear", random_state=0)
            return [OneVsRestClassifier(sparse)]
        case "lr_l2":
            return [LogisticRegression(C=c, solver="lbfgs", max_iter=1000) for c in sorted(linear.l2)]
        case "svm":
            return [LinearSVC(C=c, random_state=0) for c in sorted(linear.svm)]


def _probabilities(model: Any, features: Any) -> NDArray[np.float32]:
    """Probabilities of the labels [N, C]; of a model without probabilities, a softmax of its margins."""
    from scipy.special import softmax

    if hasattr(model, "predict_proba"):
        return model.predict_proba(features).astype(np.float32)
    margins = model.decision_function(features)
    margins = np.stack([-margins / 2, margins / 2], axis=1) if margins.ndim == 1 else margins
    return softmax(margins, axis=1).astype(np.float32)
