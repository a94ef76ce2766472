"""Concept categorisation: clusters of word vectors compared with categories made by people."""

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from repline.evaluation.nested_measures import Metric
from repline.evaluation.word_vectors.embedding import Embedding

# metric and linkage, as the benchmark suite tries them
AGGLOMERATIVE = (
    ("euclidean", "ward"),
    ("cosine", "average"),
    ("cosine", "complete"),
    ("euclidean", "average"),
    ("euclidean", "complete"),
)


def categorization(
    embedding: Embedding, words: Sequence[str], categories: Sequence[str], *, seed: int = 0
) -> dict[str, Metric]:
    """Purity of the best of several clusterings into as many clusters as there are categories.

    Agglomerative clustering with five pairs of metric and linkage, and k-means with ten starts; the best counts, as in
    the benchmark suite of Jastrzębski et al. "Purity" leaves missing words out; "purity_penalised" gives them the mean
    vector of the vocabulary, as that suite does.

    Args:
        words, categories: [n] each; a word may stand in several categories.
        seed: of k-means.

    Returns:
        purity (None with fewer words than categories), purity_penalised (None if no word is known), clustering (the
        name of the best one for purity), purities {name: purity}, words, kept, categories, coverage = kept / words.

    Raises:
        ValueError: not one category for each word.

    Source: Jastrzębski, Leśniak & Czarnecki 2017, section 3; Almuhareb & Poesio 2005 for purity.
    """
    if len(words) != len(categories):
        raise ValueError(f"expected one category for each of {len(words)} words, found {len(categories)}")
    rows = embedding.rows(words)
    has_vector = rows >= 0
    word_count = int(has_vector.sum())
    labels = np.unique(np.asarray(categories, dtype=object), return_inverse=True)[1]
    vectors = embedding.vectors(rows)
    purities = _purities(vectors[has_vector], labels[has_vector], seed)
    best = max(purities, key=purities.__getitem__, default=None)
    penalised = purities if word_count == len(rows) else _purities(vectors, labels, seed) if word_count else {}
    return {
        "purity": None if best is None else purities[best],
        "purity_penalised": max(penalised.values(), default=None),
        "clustering": best,
        "purities": purities,
        "words": len(words),
        "kept": word_count,
        "categories": len(set(categories)),
        "coverage": word_count / len(words) if words else 0.0,
    }


def purity(categories: ArrayLike, clusters: ArrayLike) -> float:
    """The share of words that lie in a cluster whose commonest category is theirs.

        purity = 1/n sum_k max_c |cluster_k and category_c|

    Args:
        categories, clusters: [n] labels.

    Source: Zhao & Karypis 2001, "Criterion functions for document clustering".
    """
    categories = np.unique(np.asarray(categories), return_inverse=True)[1]
    clusters = np.unique(np.asarray(clusters), return_inverse=True)[1]
    if len(categories) != len(clusters) or not len(categories):
        raise ValueError(f"expected one cluster for each category, found {len(categories)} and {len(clusters)}")
    counts = np.zeros((clusters.max() + 1, categories.max() + 1), dtype=np.int64)
    np.add.at(counts, (clusters, categories), 1)
    return float(counts.max(axis=1).sum() / len(categories))


def _purities(vectors: NDArray, labels: NDArray, seed: int) -> dict[str, float]:
    number = len(np.unique(labels))
    if len(vectors) < 2 or number < 2 or len(vectors) < number:
        return {}
    return {name: purity(labels, clusters) for name, clusters in clusterings(vectors, number, seed)}


def clusterings(vectors: NDArray, number: int, seed: int) -> Iterator[tuple[str, NDArray]]:
    """Each clustering of vectors [n, d] into a number of clusters, by its name: the cluster of each vector [n]."""
    # here, for the import takes longer than most other tests of word vectors
    from sklearn.cluster import AgglomerativeClustering, KMeans

    directed = np.linalg.norm(vectors, axis=1).min() > 0
    for metric, linkage in AGGLOMERATIVE:
        if metric == "cosine" and not directed:
            continue  # a mean vector of zero has no direction
        model = AgglomerativeClustering(n_clusters=number, metric=metric, linkage=linkage)
        yield f"agglomerative, {metric}, {linkage}", model.fit_predict(vectors)
    yield "k-means", KMeans(n_clusters=number, n_init=10, random_state=seed).fit_predict(vectors)
