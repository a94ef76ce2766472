"""Linear baselines by scikit-learn: naive Bayes and logistic regression on TF-IDF of n-grams."""

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
        model = _model(peer, linear).fit(weighed["train"], texts.gold["train"])
        probabilities[peer] = {part: model.predict_proba(weighed[part]).astype(np.float32) for part in ("dev", "test")}
    return probabilities


def _model(peer: Linear, linear: LinearPeers) -> Any:
    from sklearn.linear_model import LogisticRegression
    from sklearn.multiclass import OneVsRestClassifier
    from sklearn.naive_bayes import MultinomialNB

    if peer == "naive_bayes":
        return MultinomialNB()
    if peer == "lr_l1":
        return OneVsRestClassifier(LogisticRegression(C=linear.l1, l1_ratio=1.0, solver="liblinear", random_state=0))
    return LogisticRegression(C=linear.l2, solver="lbfgs", max_iter=1000)
