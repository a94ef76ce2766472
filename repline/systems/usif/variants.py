"""The sentence vectors that are compared: uSIF, its baselines, and uSIF with one part removed or changed."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from scipy import sparse
from sklearn.feature_extraction.text import TfidfTransformer

from repline.systems.usif.model import CommonComponents, weighted_averages
from repline.systems.usif.random_walk import SIF_SMOOTHING, Constants, sif_weights, usif_weights
from repline.systems.usif.settings import Normalization, Removal, VariantName, Weighting


@dataclass(frozen=True)
class Variant:
    """One way to make sentence vectors; `title` is for people."""

    title: str
    weighting: Weighting
    normalization: Normalization
    removal: Removal


VARIANTS: Mapping[VariantName, Variant] = {
    "average": Variant("plain average", "none", "none", "none"),
    "tfidf": Variant("tf-idf average", "idf", "none", "none"),
    "sif": Variant("SIF weights", "sif", "none", "none"),
    "sif_wr": Variant("SIF + WR", "sif", "none", "first"),
    "sif_divide_wr": Variant("SIF + WR, normalised", "sif", "divide", "first"),
    "sif_p": Variant("SIF + P", "sif", "none", "piecewise"),
    "usif": Variant("uSIF weights", "usif", "none", "none"),
    "usif_wr": Variant("uSIF + WR", "usif", "none", "first"),
    "usif_divide": Variant("uSIF, normalised", "usif", "divide", "none"),
    "usif_divide_wr": Variant("uSIF + WR, normalised", "usif", "divide", "first"),
    "usif_p": Variant("uSIF + P, not normalised", "usif", "none", "piecewise"),
    "up": Variant("uSIF + P (UP)", "usif", "divide", "piecewise"),
    "up_multiply": Variant("UP, norms multiplied as printed", "usif", "multiply", "piecewise"),
    "up_unit": Variant("UP, words of length 1 instead", "usif", "unit", "piecewise"),
    "up_full": Variant("UP, all five components whole", "usif", "divide", "full"),
    "up_unweighted": Variant("UP without weights", "none", "divide", "piecewise"),
}


def variant_averages(
    variant: Variant,
    rows: np.ndarray,
    offsets: np.ndarray,
    vectors: np.ndarray,
    probabilities: np.ndarray,
    constants: Constants,
) -> np.ndarray:
    """Sentence vectors of a variant before removal, float32 [N, d].

    Args:
        rows, offsets: of `repline.systems.usif.model.index_sentences`.
        vectors: [V, d]; probabilities: p(w) of their words, [V].
        constants: of `repline.systems.usif.random_walk.derive`.
    """
    weights, empty = None, SIF_SMOOTHING
    if variant.weighting == "idf":
        weights = inverse_document_frequencies(rows, offsets, len(vectors))
    elif variant.weighting == "sif":
        weights = sif_weights(probabilities)
    elif variant.weighting == "usif":
        weights = usif_weights(probabilities, constants.a)
        empty = min(constants.a, 2.0)
    return weighted_averages(rows, offsets, vectors, weights, normalization=variant.normalization, empty=empty)


def variant_embeddings(
    variant: Variant, averages: np.ndarray, m: int, components: CommonComponents | None = None
) -> np.ndarray:
    """Sentence vectors of a variant: `averages` without `components`, or without m components of themselves. [N, d]"""
    if variant.removal == "none":
        return averages
    return (components or CommonComponents.of(averages, m)).remove(averages, variant.removal)


def inverse_document_frequencies(rows: np.ndarray, offsets: np.ndarray, vocabulary: int) -> np.ndarray:
    """ln((1 + N) / (1 + df)) + 1 of every word, with the sentences as documents: float64 [vocabulary].

    It is scikit-learn's smoothed idf; the paper's tf-idf baseline (Wieting et al. 2016) is not described further.
    """
    counts = sparse.csr_array((np.ones(len(rows)), rows, offsets), shape=(len(offsets) - 1, vocabulary), copy=True)
    counts.sum_duplicates()
    return TfidfTransformer().fit(counts).idf_
