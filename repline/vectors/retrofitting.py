"""Retrofitting: pull every word of a lexicon towards the mean of its neighbours.

Notation: V words, d dimensions, N(i) the neighbours of word i, q the vectors, q^ the original ones. A lexicon is an
array of directed edges (i, j), "j is in N(i)", as rows of the matrix.

    q_i <- (alpha |N(i)| q^_i + sum_{j in N(i)} q_j) / (alpha |N(i)| + |N(i)|)         in place, word by word

The published program visits one word at a time. Words that are not neighbours can be updated together without any
difference: a word waits only for those of its neighbours that come before it. `_waves` sorts the words so, and a sweep
over 70,000 words is some fifty sparse products instead of 70,000 short loops, with the same result.

Source: Faruqui, Dodge, Jauhar, Dyer, Hovy and Smith 2015, "Retrofitting Word Vectors to Semantic Lexicons", eq. (1).
"""

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse

from repline.vectors.recipes import Retrofitting
from repline.vectors.word_pairs import float_matrix, known_pair_rows

AS_PUBLISHED = Retrofitting()


def retrofit(matrix: NDArray, edges: NDArray, recipe: Retrofitting = AS_PUBLISHED) -> NDArray:
    """The vectors after some sweeps over the words that have neighbours, in the order of the rows.

    At the fixed point q_i = (alpha q^_i + mean_{j in N(i)} q_j) / (alpha + 1). A sweep brings every word at least
    1 / (1 + alpha) nearer to it, in the largest coordinate: 40 sweeps end at the precision of float64 for alpha = 1.

    Args:
        matrix: [V, d] float; read only.
        edges: [E, 2] int, rows (word, neighbour); repeated edges and edges of a word to itself count once and never.
        recipe: how many sweeps, and alpha.

    Returns:
        [V, d] of the type of `matrix`, computed in float64; words without neighbours are exactly as they were.

    Raises:
        ValueError: edges of a wrong shape or outside the matrix.

    Source: Faruqui et al. 2015, section 2, with alpha_i = |N(i)| and beta_ij = 1 as in the authors' program.
    """
    edges = distinct_edges(edges, len(matrix))
    result = np.array(matrix)
    if not len(edges) or not recipe.sweeps:
        return result
    heads, word = np.unique(edges[:, 0], return_inverse=True)  # [H]; [E] index of the edge's word among the heads
    degree = np.bincount(word)  # [H], |N(i)|
    head_index = np.full(len(matrix), -1)
    head_index[heads] = np.arange(len(heads))
    inner = head_index[edges[:, 1]] >= 0  # the neighbour is itself a head: its vector moves
    moving = _adjacency(word[inner], head_index[edges[inner, 1]], len(heads), len(heads))  # [H, H]
    outside, still = np.unique(edges[~inner, 1], return_inverse=True)
    waves = _waves(moving)
    order = np.concatenate(waves)  # wave by wave, so that each is a slice of what follows
    moving = moving[order][:, order]
    pull = recipe.alpha * degree[:, None] * _rows(matrix, heads)  # [H, d], what never changes in the numerator
    pull += _adjacency(word[~inner], still, len(heads), len(outside)) @ _rows(matrix, outside)
    scale = 1 / ((recipe.alpha + 1) * degree[order, None])  # [H, 1]
    pull = pull[order] * scale
    moving = (sparse.diags_array(scale[:, 0]) @ moving).tocsr()
    vectors = _rows(matrix, heads[order])  # [H, d]
    stops = np.cumsum([len(wave) for wave in waves]).tolist()
    steps = [(slice(start, stop), moving[start:stop]) for start, stop in zip([0, *stops[:-1]], stops, strict=True)]
    for _ in range(recipe.sweeps):
        for wave, neighbours in steps:
            np.add(neighbours @ vectors, pull[wave], out=vectors[wave])
    result[heads[order]] = vectors
    return result


def retrofit_words(
    words: Sequence[str], matrix: ArrayLike, pairs: Iterable[tuple[str, str]], recipe: Retrofitting = AS_PUBLISHED
) -> NDArray:
    """Retrofit anybody's vectors to anybody's lexicon: every word is pulled towards the words it is paired with.

    Args:
        words: [V], the word of each row.
        matrix: [V, d], an array or a list of lists; read only. The published program scales vectors to unit length
            first, see `repline.vectors.normalisation.unit_length`.
        pairs: of words that are neighbours, in either order; pairs with an unknown word are left out.
        recipe: how many sweeps, and alpha.

    Returns:
        [V, d] of the type of `matrix`, float64 for whole numbers; words without a pair are exactly as they were.

    Raises:
        InputError: words and vectors do not fit, a vector is not finite, an item of `pairs` is no pair of words, or no
            pair has two known words.
    """
    matrix = float_matrix(words, matrix, "retrofitting")
    rows = known_pair_rows(words, pairs, "lexicon")
    return retrofit(matrix, np.concatenate([rows, rows[:, ::-1]]), recipe)


def distinct_edges(edges: NDArray, words: int) -> NDArray[np.int64]:
    """The edges sorted by word and neighbour, each once, without those of a word to itself: [E', 2].

    Raises:
        ValueError: no [E, 2] array of whole numbers, or an edge outside 0..words-1.
    """
    edges = np.asarray(edges)
    if edges.size == 0:
        return np.empty((0, 2), np.int64)
    if edges.ndim != 2 or edges.shape[1] != 2 or not np.issubdtype(edges.dtype, np.integer):
        raise ValueError(f"edges should be an [E, 2] array of rows of the matrix, found {edges.dtype} {edges.shape}")
    if edges.min() < 0 or edges.max() >= words:
        raise ValueError(f"an edge names row {edges.max() if edges.max() >= words else edges.min()} of {words}")
    edges = edges.astype(np.int64, copy=False)
    keys = np.sort(edges[:, 0] * words + edges[:, 1])  # numpy.unique hashes, which is slower here
    keys = keys[np.append(True, keys[1:] != keys[:-1])]
    both = np.stack(np.divmod(keys, words), axis=1)
    return both[both[:, 0] != both[:, 1]]


def _adjacency(rows: NDArray, columns: NDArray, height: int, width: int) -> sparse.csr_array:
    return sparse.csr_array((np.ones(len(rows)), (rows, columns)), shape=(height, width))


def _rows(matrix: NDArray, rows: NDArray) -> NDArray[np.float64]:
    return np.asarray(matrix[rows], dtype=np.float64)


def _waves(moving: sparse.csr_array) -> list[NDArray]:
    """Words in groups: no two of a group are neighbours, and every neighbour in an earlier row is in an earlier group.

    Both directions of an edge bind: the earlier word of a pair must still read the old vector of the later one.
    """
    before = sparse.tril(moving + moving.T, -1, format="csr")
    starts, neighbours = before.indptr.tolist(), before.indices.tolist()
    wave = [0] * before.shape[0]
    for word in range(len(wave)):
        last = -1
        for neighbour in neighbours[starts[word] : starts[word + 1]]:
            if wave[neighbour] > last:
                last = wave[neighbour]
        wave[word] = last + 1
    numbers = np.array(wave)
    order = np.argsort(numbers, kind="stable")
    return np.split(order, np.cumsum(np.bincount(numbers))[:-1])
