"""KNN-C: the pictures of a word are clustered, as its meanings might be, and the clusters vote as words do."""

from collections.abc import Sequence

import numpy as np
from numba import njit
from numpy.typing import NDArray
from scipy import sparse

from repline.caches.compiled_loops import ON_DISK
from repline.systems.image_lexicon.model import Matrix, Sets
from repline.systems.image_lexicon.nearest_votes import votes
from repline.systems.image_lexicon.settings import Side, Vote

STEPS = 100  # of one k-means at most
# what decides, one after the other: the smallest difference of two shares outweighs every cosine, and cosines of whole
# sets that differ by a ten-thousandth are further apart than scores that count as equal (`ALIKE` of the model's room)
VOTES, CLUSTERS, WHOLE = 1e6, 1e2, 1e-2


def clustered_scores(
    nearest: sparse.csr_array,
    source: Sets,
    target: Sets,
    *,
    cluster: Side,
    k: int,
    restarts: int,
    seed: int,
    vote: Vote = "count",
) -> NDArray[np.float64]:
    """Scores whose order is that of KNN-C [S, T].

    Each cluster of a source word is compared with each of a target word by how many of its pictures vote for it, then
    by the mean cosine; the best pair of clusters is what two words have. The paper says neither which side is clustered
    nor how clusters vote.

    Args:
        nearest: [P, Q], as `repline.systems.image_lexicon.model.match` gives it.
        cluster: which sides are clustered; the other side's sets stay whole.
        k: clusters of a set, or as many as it has pictures.
        vote: count the pictures that vote, or take their share of the cluster, which favours small clusters.

    Source: Hartmann & Søgaard 2018, section 3.1.
    """
    parts = [
        clusters(sets, k=k, restarts=restarts, seed=seed) if cluster in (side, "both") else (sets, np.arange(len(sets)))
        for sets, side in ((source, "source"), (target, "target"))
    ]
    (inner_source, source_clusters), (inner_target, target_clusters) = parts
    mean = inner_source.unit_means @ inner_target.unit_means.T
    picture_votes = votes(nearest, inner_source, inner_target)
    shares = picture_votes / inner_source.sizes[:, None] if vote == "share" else picture_votes
    scores = VOTES * shares + CLUSTERS * mean
    scores = np.maximum.reduceat(scores, np.flatnonzero(np.diff(source_clusters, prepend=-1)), axis=0)
    scores = np.maximum.reduceat(scores, np.flatnonzero(np.diff(target_clusters, prepend=-1)), axis=1)
    return scores + WHOLE * (source.unit_means @ target.unit_means.T)


def clusters(sets: Sets, *, k: int, restarts: int, seed: int) -> tuple[Sets, NDArray[np.int64]]:
    """Every set clustered by k-means on features of unit length: the clusters as sets, and the set of each one [C].

    The clusters of a set depend on its pictures and the seed alone, not on other sets: sets of one size begin alike.
    """
    beginnings: dict[int, NDArray[np.int64]] = {}
    for n in set(sets.sizes.tolist()):
        rng = np.random.default_rng([seed, n])
        beginnings[n] = np.stack([rng.permutation(n)[:k] for _ in range(restarts)])
    parts: list[NDArray[np.int64]] = []
    owners: list[int] = []
    for number, rows in enumerate(np.split(sets.rows, sets.starts[1:])):
        for part in _parts(sets.unit, rows, beginnings[len(rows)], k):
            parts.append(part)
            owners.append(number)
    return Sets.of(sets.features, parts), np.array(owners)


def _parts(unit: Matrix, rows: NDArray[np.int64], beginnings: NDArray[np.int64], k: int) -> Sequence[NDArray[np.int64]]:
    if len(rows) <= k:
        return [rows[[row]] for row in range(len(rows))]
    pictures = unit[rows].astype(np.float64)
    labels = gram_k_means(pictures @ pictures.T, beginnings)
    return [rows[labels == label] for label in range(k) if (labels == label).any()]


@njit(cache=ON_DISK)
def gram_k_means(gram: NDArray[np.float64], beginnings: NDArray[np.int64]) -> NDArray[np.int64]:
    """Lloyd's k-means of n points by their inner products alone, the best of several beginnings: labels [n].

        |x - centre|^2 = G_xx - 2 mean over j of G_xj + mean over j, l of G_jl,   j and l in the cluster

    Args:
        gram: [n, n], inner products.
        beginnings: [restarts, k], the points that are the first centres.
    """
    n, k = len(gram), beginnings.shape[1]
    best, smallest = np.zeros(n, np.int64), np.inf
    for beginning in beginnings:
        labels = np.full(n, -1, np.int64)
        distances = np.empty((n, k))
        for x in range(n):
            for c in range(k):
                centre = beginning[c]
                distances[x, c] = gram[x, x] - 2 * gram[x, centre] + gram[centre, centre]
        for _ in range(STEPS):
            changed, cost = False, 0.0
            for x in range(n):
                nearest = np.argmin(distances[x])
                cost += distances[x, nearest]
                changed |= nearest != labels[x]
                labels[x] = nearest
            if not changed:
                break
            for c in range(k):
                size, inside = 0, 0.0
                for j in range(n):
                    if labels[j] == c:
                        size += 1
                        for j2 in range(n):
                            if labels[j2] == c:
                                inside += gram[j, j2]
                for x in range(n):
                    across = 0.0
                    for j in range(n):
                        if labels[j] == c:
                            across += gram[x, j]
                    distances[x, c] = gram[x, x] - 2 * across / size + inside / size**2 if size else np.inf
        if cost < smallest - 1e-12:
            best, smallest = labels.copy(), cost
    return best
