"""Whether vectors of chunks cluster by role: hit rate among neighbours, purity of clusters.

Source: "Towards Decomposed Linguistic Representation with Holographic Reduced Representation" (anonymous, 2018),
section 4.4 and appendix C (Tables 5 and 6).
"""

from collections import Counter
from collections.abc import Sequence
from typing import TypedDict

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.cluster import KMeans

from repline.evaluation.word_vectors.categorization import purity

NEIGHBOURS = (1, 5, 10, 25)
BLOCK = 1024  # rows of the table of cosines in memory at once


def hit_rates(vectors: NDArray, roles: ArrayLike, neighbours: Sequence[int] = NEIGHBOURS) -> dict[str, float]:
    """hit_rate_at_k: the share of a chunk's k nearest others, by cosine, that have its role; the mean over all chunks.

    Args:
        vectors: [n, d]; a vector of zeros has cosine 0 with all.
        roles: [n] labels.
        neighbours: numbers k, each below n.

    Raises:
        ValueError: there are no k other chunks.
    """
    labels = np.unique(np.asarray(roles), return_inverse=True)[1]
    largest = max(neighbours)
    if len(labels) <= largest:
        raise ValueError(f"the {largest} nearest of others need {largest + 1} chunks, found {len(labels)}")
    directions = _directions(vectors)
    hits = np.empty((len(labels), largest))
    for start in range(0, len(labels), BLOCK):
        cosines = directions[start : start + BLOCK] @ directions.T
        rows = np.arange(len(cosines))
        cosines[rows, rows + start] = -np.inf  # not itself
        near = np.argpartition(-cosines, largest - 1, axis=1)[:, :largest]
        order = np.argsort(-np.take_along_axis(cosines, near, 1), axis=1, kind="stable")
        near = np.take_along_axis(near, order, 1)
        hits[start : start + len(cosines)] = labels[near] == labels[start : start + len(cosines), None]
    return {f"hit_rate_at_{k}": float(hits[:, :k].mean()) for k in neighbours}


def role_purity(vectors: NDArray, roles: ArrayLike, *, clusters: int = 4, seed: int = 0) -> float:
    """Purity against the roles of a k-means clustering.

    Args:
        vectors: [n, d].
        roles: [n] labels.
        clusters: of k-means with one start, as scikit-learn's defaults are.
        seed: of k-means.
    """
    return purity(roles, KMeans(clusters, random_state=seed).fit_predict(vectors))


class Cluster(TypedDict):
    """A cluster: its commonest label, its size, and the label's share of it."""

    label: str
    size: int
    share: float


def cluster_table(vectors: NDArray, labels: Sequence[str], *, clusters: int = 5, seed: int = 0) -> list[Cluster]:
    """The commonest label of each cluster, the cluster's size, and the label's share of it; the largest first.

    Args:
        vectors: [n, d].
        labels: [n].
    """
    members = KMeans(min(clusters, len(vectors)), random_state=seed).fit_predict(vectors)
    table: list[Cluster] = []
    for cluster in np.unique(members):
        counts = Counter(label for label, member in zip(labels, members, strict=True) if member == cluster)
        label, count = min(counts.items(), key=lambda item: (-item[1], item[0]))
        table.append({"label": label, "size": sum(counts.values()), "share": count / sum(counts.values())})
    return sorted(table, key=lambda row: (-row["size"], row["label"]))


def _directions(vectors: NDArray) -> NDArray:
    vectors = np.asarray(vectors, dtype=np.float32)
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.divide(vectors, lengths, out=np.zeros_like(vectors), where=lengths > 0)
