"""One number for each word type and label, which is all that an additive network needs at inference.

    score_c(t_1 .. t_m) = 1/m sum_l score_c(t_l)

holds exactly for CE-Mix with any readout, for CE-Sup as a vector, and for the real network. So a text is classified by
m look-ups in a table of V numbers. With two labels the difference of a word's two scores is enough.
"""

from collections.abc import Iterable, Sequence
from itertools import chain

import numpy as np
import torch
from numpy.typing import NDArray

from repline.errors import InputError
from repline.systems.complex_embedding.model import BagOfStates


class CachedScores:
    """The scores of every word of an additive network, and its classifications of texts by them.

    Args:
        model: an additive network.

    Attributes:
        labels: names of the C labels.
        scores: float [V + 1, C]; row 0 belongs to all words that the network does not know.

    Raises:
        InputError: the network is not additive (CE-Sup on a density matrix).
    """

    def __init__(self, model: BagOfStates):
        if not model.additive:
            raise InputError(
                "complex_embedding: a superposition read by a density matrix is no sum over words, so there are no "
                "scores of words to keep; take a mixture, or the readout vector"
            )
        self.labels = model.labels
        self.scores: NDArray = model.word_scores().cpu().numpy()
        bias = getattr(model, "bias", None)
        self._bias = np.zeros(len(self.labels)) if bias is None else bias.detach().cpu().numpy()
        self._log_shares = model.log_shares
        self._margin = self.scores[:, -1] + self._bias[-1] - self.scores[:, 0] - self._bias[0]
        self._row = {word: row for row, word in enumerate(model.words, start=1)}

    def rows(self, texts: Iterable[Sequence[str]]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The rows of all words, one text after the other, and the number of words of each text; row 0 for no word."""
        texts = [text or [""] for text in texts]
        sizes = np.fromiter(map(len, texts), np.int64, len(texts))
        row_or_none = map(self._row.get, chain.from_iterable(texts))
        rows = np.fromiter((row or 0 for row in row_or_none), np.int64, int(sizes.sum()))
        return rows, sizes

    def means(self, rows: NDArray[np.int64], sizes: NDArray[np.int64]) -> NDArray:
        """Scores of texts without the bias [N, C]; rows, sizes: of the method `rows`."""
        return _means(self.scores[rows], sizes)

    def probabilities(self, texts: Iterable[Sequence[str]]) -> NDArray:
        """Probabilities of the labels [N, C], those of the network; texts: lists of words, read to the end."""
        scores = torch.from_numpy(self.means(*self.rows(texts)))
        return self._log_shares(scores).softmax(dim=1).detach().numpy()

    def classify(self, texts: Iterable[Sequence[str]]) -> NDArray[np.int64]:
        """Index of the most probable label of each text [N]; two labels need one number a word."""
        rows, sizes = self.rows(texts)
        if len(self.labels) == 2:
            return (_means(self._margin[rows], sizes) > 0).astype(np.int64)
        return (self.means(rows, sizes) + self._bias).argmax(axis=1)


def _means(values: NDArray, sizes: NDArray[np.int64]) -> NDArray:
    """Means over consecutive values, `sizes` of them each: [sum, ...] -> [N, ...]."""
    starts = np.cumsum(sizes) - sizes
    sums = np.add.reduceat(values, starts, axis=0) if len(sizes) else values[:0]
    return sums / sizes.reshape(-1, *(1 for _ in values.shape[1:]))
