"""KNN: each picture of a word votes for the words that have its nearest picture."""

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from repline.systems.image_lexicon.model import Sets


def votes(nearest: sparse.csr_array, source: Sets, target: Sets) -> NDArray[np.int64]:
    """How many pictures of each source set have their nearest picture in each target set [S, T].

    A picture that is in several target sets counts for each of them, and so do pictures that are equally near.

    Args:
        nearest: [P, Q], as `repline.systems.image_lexicon.model.match` gives it.
    """
    picture_votes = nearest[source.rows].astype(np.int64) @ _members(target).T  # [entries of the source, T]
    picture_votes.data[:] = 1
    bounds = np.append(source.starts, len(source.rows))
    sums = sparse.csr_array((np.ones(len(source.rows), np.int64), np.arange(len(source.rows)), bounds))
    return (sums @ picture_votes).toarray()


def nearest_scores(nearest: sparse.csr_array, source: Sets, target: Sets) -> NDArray[np.float64]:
    """Scores whose order is that of KNN [S, T]: by votes, and among equal ones by the mean cosine of all pairs.

    Source: Hartmann & Søgaard 2018, section 3.1.
    """
    mean = source.unit_means @ target.unit_means.T  # -1 to 1, so less than what a vote adds
    return 4.0 * votes(nearest, source, target) + mean


def _members(sets: Sets) -> sparse.csr_array:
    """Which pictures each of W sets has [W, P]."""
    ends = np.append(sets.starts, len(sets.rows))
    return sparse.csr_array((np.ones(len(sets.rows), np.int64), sets.rows, ends), shape=(len(sets), len(sets.features)))
