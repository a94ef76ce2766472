"""The linear peer, by scikit-learn: TF-IDF and one logistic regression for each label."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from repline.systems.entity_documents.corpus import Documents
from repline.systems.entity_documents.settings import Linear


def linear_scores(documents: Documents, task: str, recipe: Linear) -> dict[str, NDArray[np.float32]]:
    """The probabilities of the labels for the documents of dev and test, [N, C] each.

    Args:
        documents: in one way of writing names; the whole of each is read.
    """
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.linear_model import LogisticRegression
    from sklearn.multiclass import OneVsRestClassifier

    weigh = TfidfVectorizer(analyzer=_itself, sublinear_tf=True, min_df=recipe.minimum_documents)
    inputs = weigh.fit_transform(documents.tokens["train"])
    regression = LogisticRegression(C=recipe.inverse_regularisation, solver="liblinear", random_state=0)
    model = OneVsRestClassifier(regression).fit(inputs, documents.gold[task]["train"].astype(int))
    return {
        part: model.predict_proba(weigh.transform(documents.tokens[part])).astype(np.float32)
        for part in ("dev", "test")
    }


def _itself(tokens: Sequence[str]) -> Sequence[str]:
    return tokens
