"""Align two vector spaces: maps learned from word pairs, and word pairs found without a dictionary.

Notation: A [V_a, d_a] is mapped onto B [V_b, d_b] by W [d_a, d_b]: a -> a W. Rows are of unit length. A pair is a row
of A and a row of B that mean the same.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import svd

from repline.algebra.unit_rows import unit_rows
from repline.errors import InputError

Pairs = NDArray[np.int64]
BLOCK = 1024  # rows of a similarity matrix at a time
MAX_WHOLE = 1 << 24  # entries of the largest similarity matrix that is held in memory at once


def orthogonal_map(a: NDArray, b: NDArray) -> NDArray[np.float64]:
    """The orthogonal map that brings paired vectors nearest to each other.

        W = argmin ||A W - B||_F  with  W^T W = I:   W = U V^T,   U S V^T = svd(A^T B)

    Args:
        a: [n, d_a], row i pairs with row i of b.
        b: [n, d_b], d_b at most d_a for W^T W = I; else W W^T = I.

    Returns:
        [d_a, d_b]

    Raises:
        InputError: no pair, or not as many rows in both.

    Source: Smith et al. 2017, section 2.2 (there for square W); Schönemann 1966.
    """
    _check(a, b)
    u, _, vt = svd(np.asarray(a, np.float64).T @ np.asarray(b, np.float64), full_matrices=False)
    return u @ vt


def least_squares_map(a: NDArray, b: NDArray, penalty: float = 1.0) -> NDArray[np.float64]:
    """The linear map of least squares, which may stretch: W = (A^T A + penalty I)^-1 A^T B.

    Args:
        a: [n, d_a], row i pairs with row i of b.
        b: [n, d_b].
        penalty: of the squared entries of W, > 0 where pairs are few.

    Returns:
        [d_a, d_b]

    Raises:
        InputError: no pair, or not as many rows in both.

    Source: Mikolov, Le & Sutskever 2013, eq. 3.
    """
    _check(a, b)
    from sklearn.linear_model import Ridge  # a second of imports

    model = Ridge(alpha=penalty, fit_intercept=False, solver="cholesky")
    return model.fit(np.asarray(a, np.float64), np.asarray(b, np.float64)).coef_.reshape(b.shape[1], a.shape[1]).T


def mean_similarity(queries: NDArray, keys: NDArray, neighbours: int) -> NDArray[np.float64]:
    """r(x): the mean cosine of each query with its nearest keys, [n]. Both sides are of unit length."""
    k = min(neighbours, len(keys))
    means = np.empty(len(queries))
    for start in range(0, len(queries), BLOCK):
        cosines = queries[start : start + BLOCK] @ keys.T
        means[start : start + BLOCK] = np.partition(cosines, -k, axis=1)[:, -k:].mean(axis=1)
    return means


def csls_nearest(queries: NDArray, keys: NDArray, neighbours: int = 10) -> tuple[Pairs, NDArray[np.float64]]:
    """The nearest key of each query by CSLS, which penalises hubs.

        CSLS(x, y) = 2 cos(x, y) - r(x) - r(y),   r the mean cosine with the k nearest of the other side

    Args:
        queries: [n, d] of unit length.
        keys: [m, d] of unit length.
        neighbours: k.

    Returns:
        (row of keys [n], its CSLS [n]).

    Source: Conneau et al. 2017, eq. 3.
    """
    query_similarity = mean_similarity(queries, keys, neighbours)
    key_similarity = mean_similarity(keys, queries, neighbours)
    rows, values = np.empty(len(queries), np.int64), np.empty(len(queries))
    for start in range(0, len(queries), BLOCK):
        scores = 2 * (queries[start : start + BLOCK] @ keys.T) - key_similarity
        rows[start : start + BLOCK] = scores.argmax(axis=1)
        values[start : start + BLOCK] = scores.max(axis=1)
    return rows, values - query_similarity


def mutual_pairs(a: NDArray, b: NDArray, neighbours: int = 10) -> Pairs:
    """Mutual nearest neighbours by CSLS: pairs of rows [n, 2] of a and b, both [V, d] of unit length in one space."""
    if len(a) * len(b) > MAX_WHOLE:
        forth, back = csls_nearest(a, b, neighbours)[0], csls_nearest(b, a, neighbours)[0]
    else:  # both ways from one matrix of cosines
        cosines = a @ b.T
        sides = (cosines, len(b)), (np.ascontiguousarray(cosines.T), len(a))
        a_similarity, b_similarity = (
            np.partition(side, -min(neighbours, n), axis=1)[:, -min(neighbours, n) :].mean(axis=1) for side, n in sides
        )
        forth, back = (2 * cosines - b_similarity).argmax(axis=1), (2 * cosines - a_similarity[:, None]).argmax(axis=0)
    rows = np.flatnonzero(back[forth] == np.arange(len(a)))
    return np.stack([rows, forth[rows]], axis=1)


def identical_strings(a: Sequence[str], b: Sequence[str]) -> Pairs:
    """Pairs of words that both languages spell alike (numbers, names): a dictionary that costs nothing, [n, 2].

    Source: Smith et al. 2017, section 2.5.
    """
    rows = {word: row for row, word in enumerate(b)}
    pairs = [(row, rows[word]) for row, word in enumerate(a) if word in rows]
    return np.array(pairs, dtype=np.int64).reshape(-1, 2)


def similarity_profiles(a: NDArray, b: NDArray) -> Pairs:
    """A first dictionary without supervision: pairs of words whose similarities to all words are distributed alike.

    M_a = sqrt(A A^T), each row sorted, is the same for a word and its translation where the two spaces differ by a
    rotation alone.

    Args:
        a, b: [V, d_a], [V, d_b] of unit length, the same number of frequent words of each language.

    Returns:
        [n, 2] mutual nearest neighbours of the profiles.

    Source: Artetxe, Labaka & Agirre 2018, section 3.2.
    """
    if len(a) != len(b):
        raise InputError(f"expected the same number of words of both languages, found {len(a)} and {len(b)}")
    return mutual_pairs(_profiles(a), _profiles(b))


def refine(
    a: NDArray,
    b: NDArray,
    pairs: Pairs,
    *,
    iterations: int = 30,
    neighbours: int = 10,
    share: float = 1.0,
    growth: float = 2.0,
    patience: int = 3,
    seed: int = 0,
) -> tuple[NDArray[np.float64], Pairs]:
    """Self-learning: a map from the dictionary, a new dictionary from the map, until neither improves.

    Args:
        a, b: [V_a, d_a], [V_b, d_b] of unit length, the frequent words of each language.
        pairs: [n, 2] to start from, which may be few or noisy.
        iterations: largest number of iterations.
        neighbours: k of CSLS.
        share: of the induced pairs that a map is learned from; below 1 they are sampled at random, which helps the
            search out of the poor optima that a noisy start leads into.
        growth: factor by which `share` grows whenever more than `patience` iterations bring no better mean cosine.
        patience: see growth; at share = 1 it ends the search.
        seed: of the samples.

    Returns:
        (W [d_a, d_b] from the best pairs, the best pairs [n, 2]: those with the highest sum of cosines).

    Source: Artetxe, Labaka & Agirre 2018, sections 3.3-3.4; Conneau et al. 2017, section 2.2 for share = 1.
    """
    random = np.random.default_rng(seed)
    best_pairs, best_objective, waited = pairs, -np.inf, 0
    for _ in range(iterations):
        sample = pairs[random.random(len(pairs)) < share] if share < 1 else pairs
        sample = sample if len(sample) else pairs
        w = orthogonal_map(a[sample[:, 0]], b[sample[:, 1]])
        mapped = unit_rows(a @ w)
        pairs = mutual_pairs(mapped, b, neighbours)
        if not len(pairs):
            raise InputError("no pair of words is left; start from a better dictionary, or use more words")
        objective = _objective(mapped, b, pairs)
        if objective > best_objective + 1e-6:
            best_pairs, best_objective, waited = pairs, objective, 0
        else:
            waited += 1
        if waited > patience:
            if share >= 1:
                break
            share, waited = min(1.0, share * growth), 0
    return orthogonal_map(a[best_pairs[:, 0]], b[best_pairs[:, 1]]), best_pairs


def unsupervised_map(
    a: NDArray, b: NDArray, *, shares: Sequence[float] = (1.0, 0.5, 0.2), seed: int = 0
) -> tuple[NDArray[np.float64], Pairs]:
    """Learn a map without a dictionary: `similarity_profiles`, then `refine` once for each share; the best result.

    Only a few per cent of the first pairs are right, and self-learning may end far from a translation. Such a search
    ends with a low mean cosine of its pairs, so the search with the highest mean cosine is returned.

    Args:
        a, b: [V, d_a], [V, d_b] of unit length: the same number of frequent words of each language, most frequent
            first.
        shares: `share` of `refine`, one search each.
        seed: of the samples that `refine` draws.

    Returns:
        W [d_a, d_b] and the pairs [n, 2], see `refine`.

    Source: Artetxe, Labaka & Agirre 2018, section 3; the restarts are ours.
    """
    pairs = similarity_profiles(a, b)
    searches = [refine(a, b, pairs, share=share, seed=seed) for share in shares]
    return max(searches, key=lambda search: _objective(unit_rows(a @ search[0]), b, search[1]))


def precision_at_1(mapped: NDArray, b: NDArray, pairs: Pairs, neighbours: int = 10) -> float:
    """The share of words whose nearest by CSLS is one of their translations.

    Args:
        mapped: [V_a, d] and b: [V_b, d], both of unit length.
        pairs: [n, 2]; a word of A may have several.
    """
    gold: dict[int, set[int]] = {}
    for row, translation in pairs.tolist():
        gold.setdefault(row, set()).add(translation)
    rows = np.array(list(gold))
    b_similarity = mean_similarity(b, mapped, neighbours)
    answers = np.concatenate(
        [
            (2 * (mapped[rows[start : start + BLOCK]] @ b.T) - b_similarity).argmax(axis=1)
            for start in range(0, len(rows), BLOCK)
        ]
    )
    return float(np.mean([answer in gold[row] for row, answer in zip(rows.tolist(), answers.tolist(), strict=True)]))


def _objective(mapped: NDArray, b: NDArray, pairs: Pairs) -> float:
    """The sum of the cosines of the pairs over the number of words of A, so that few pairs give a low value."""
    return float(np.einsum("nd,nd->n", mapped[pairs[:, 0]], b[pairs[:, 1]]).sum() / len(mapped))


def _profiles(side: NDArray) -> NDArray:
    u, s, _ = svd(side, full_matrices=False)
    profile = np.sort((u * s) @ u.T, axis=1)  # the square root of A A^T
    profile = unit_rows(profile)
    return unit_rows(profile - profile.mean(axis=0))


def _check(a: NDArray, b: NDArray) -> None:
    if len(a) != len(b) or not len(a):
        raise InputError(
            f"expected pairs of vectors, as many rows on both sides and at least one, found {len(a)} and {len(b)}"
        )
