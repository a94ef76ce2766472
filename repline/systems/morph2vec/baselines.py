"""Baselines: the vector of a word's stem, and a ridge regression on character n-grams."""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from repline.segmentation.morphology import Segmentation
from repline.systems.morph2vec.settings import Ridge

ITERATIONS = 500  # of conjugate gradients, at most
TOLERANCE = 1e-5  # of the residual, as a share of the first one


def longest_stem(segmented: Sequence[Sequence[Segmentation]], rows: Mapping[str, int]) -> NDArray[np.int64]:
    """The row of each word's longest stem among its candidates [N], -1 where no stem has a vector.

    The stem of a candidate is the word without its last morph.
    """
    stem_rows = np.full(len(segmented), -1, dtype=np.int64)
    for row, many in enumerate(segmented):
        stems = ("".join(morphs[:-1]) for morphs in many if len(morphs) > 1)
        stems_with_vector = [stem for stem in stems if stem in rows]
        if stems_with_vector:
            stem_rows[row] = rows[max(stems_with_vector, key=len)]
    return stem_rows


def longest_prefix(words: Sequence[str], rows: Mapping[str, int], shortest: int = 2) -> NDArray[np.int64]:
    """The row of each word's longest prefix that has a vector, whatever it means [N]; -1 where none has."""
    prefix_rows = np.full(len(words), -1, dtype=np.int64)
    for row, word in enumerate(words):
        ends = (end for end in range(len(word) - 1, shortest - 1, -1) if word[:end] in rows)
        end = next(ends, None)
        if end is not None:
            prefix_rows[row] = rows[word[:end]]
    return prefix_rows


class NgramRidge:
    """Vectors of words by a ridge regression on their character n-grams, in closed form.

        W = argmin ‖X W - Y‖² + λ ‖W‖²,   X [N, G] the unit rows of n-gram counts of `<word>`

    Args:
        words, vectors: N words and Y [N, d], whose rows are taken at length one.
        recipe: characters of an n-gram, the word's ends `<` and `>` among them; words that an n-gram has to occur in;
            λ, the penalty.

    Source: Bojanowski et al. 2017 for the n-grams; the regression in place of Pinter et al. 2017's network is ours.
    """

    def __init__(self, words: Sequence[str], vectors: NDArray, recipe: Ridge):
        self.lengths = range(recipe.shortest, recipe.longest + 1)
        counts: dict[str, int] = {}
        for word in words:
            for gram in dict.fromkeys(self._grams(word)):  # keep their order: sums over the columns depend on it
                counts[gram] = counts.get(gram, 0) + 1
        frequent = (gram for gram, count in counts.items() if count >= recipe.least)
        self.columns = {gram: column for column, gram in enumerate(frequent)}
        grams = self.features(words)
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
        unit = np.divide(vectors, lengths, out=np.zeros(vectors.shape), where=lengths > 0)
        self.weights = _ridge(grams, unit, recipe.penalty)  # [G, d]

    def features(self, words: Sequence[str]) -> sparse.csr_matrix:
        """The features X [N, G] of words: unit rows of n-gram counts."""
        rows, columns = [], []
        for row, word in enumerate(words):
            grams = [self.columns[gram] for gram in self._grams(word) if gram in self.columns]
            rows += [row] * len(grams)
            columns += grams
        matrix = sparse.csr_matrix((np.ones(len(rows)), (rows, columns)), (len(words), len(self.columns)))
        norms = np.sqrt(matrix.multiply(matrix).sum(1)).A1
        return sparse.diags(np.divide(1, norms, out=np.zeros(len(norms)), where=norms > 0)) @ matrix

    def predict(self, words: Sequence[str]) -> NDArray[np.float64]:
        """Predicted vectors [N, d], zeros for a word without a known n-gram."""
        return self.features(words) @ self.weights

    def _grams(self, word: str) -> list[str]:
        marked = f"<{word}>"
        return [marked[start : start + size] for size in self.lengths for start in range(len(marked) - size + 1)]


def _ridge(features: sparse.csr_matrix, targets: NDArray, penalty: float) -> NDArray[np.float64]:
    """Solve the normal equations by conjugate gradients, all columns of the targets at once: [G, d].

    In single precision, which is three times as fast: the products wait for memory.
    """
    features, targets = features.astype(np.float32), targets.astype(np.float32)
    weights = np.zeros((features.shape[1], targets.shape[1]), np.float32)
    residual = features.T @ targets
    direction, size = residual.copy(), np.square(residual).sum(0)
    first = size.copy()
    for _ in range(ITERATIONS):
        step = features.T @ (features @ direction) + penalty * direction
        length = np.divide(size, (direction * step).sum(0), out=np.zeros_like(size), where=size > 0)
        weights += length * direction
        residual -= length * step
        new = np.square(residual).sum(0)
        if (new <= TOLERANCE**2 * first).all():
            break
        direction = residual + np.divide(new, size, out=np.zeros_like(new), where=size > 0) * direction
        size = new
    return weights.astype(np.float64)
