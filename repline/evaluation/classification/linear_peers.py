"""What a user would take otherwise, by scikit-learn: naive Bayes and logistic regression on TF-IDF of n-grams."""

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from repline.evaluation.classification.classified_texts import Texts
from repline.parameters import Count, Positive

LINEAR = ("naive_bayes", "lr_l1", "lr_l2")
Linear = Literal["naive_bayes", "lr_l1", "lr_l2"]


def linear_probabilities(
    texts: Texts,
    *,
    peers: Sequence[Linear] = LINEAR,
    minimum_documents: Count = 5,
    longest_ngram: Count = 2,
    l1: Positive = 1.0,
    l2: Positive = 10.0,
) -> dict[str, dict[str, NDArray[np.float32]]]:
    """By peer and part (dev, test), the probabilities of the labels [N, C]. Whole documents are read.

    Args:
        peers: naive_bayes; lr_l1 and lr_l2, logistic regression with a sum of absolute values or of squares.
        minimum_documents: n-grams in at least so many training documents count.
        longest_ngram: words of an n-gram, at most.
        l1, l2: C, the inverse of the regularisation's weight.

    Source: Gao et al. 2018, section 4.2 (unigrams and bigrams in five documents, C = 1).
    """
    from sklearn.feature_extraction.text import TfidfVectorizer

    def ngrams(words: Sequence[str]) -> list[str]:
        return [
            " ".join(words[start : start + size])
            for size in range(1, longest_ngram + 1)
            for start in range(len(words) - size + 1)
        ]

    weigh = TfidfVectorizer(analyzer=ngrams, min_df=min(minimum_documents, len(texts.ids["train"])))
    weighed = {"train": weigh.fit_transform(texts.flat("train"))}
    weighed |= {part: weigh.transform(texts.flat(part)) for part in ("dev", "test")}
    found = {}
    for name in peers:
        model = _model(name, l1, l2).fit(weighed["train"], texts.gold["train"])
        found[name] = {part: model.predict_proba(weighed[part]).astype(np.float32) for part in ("dev", "test")}
    return found


def _model(name: Linear, l1: float, l2: float) -> Any:
    from sklearn.linear_model import LogisticRegression
    from sklearn.multiclass import OneVsRestClassifier
    from sklearn.naive_bayes import MultinomialNB

    if name == "naive_bayes":
        return MultinomialNB()
    if name == "lr_l1":
        return OneVsRestClassifier(LogisticRegression(C=l1, l1_ratio=1.0, solver="liblinear", random_state=0))
    return LogisticRegression(C=l2, solver="lbfgs", max_iter=1000)
