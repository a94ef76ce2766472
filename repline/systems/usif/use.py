"""uSIF on raw texts: `encode(texts)` and `similarity(a, b)`, with the common components of a fixed reference text.

The vector of a text depends on that text alone, not on the others of a call.
"""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from repline.errors import InputError, shown
from repline.systems.usif.encoder import VECTORS, read_arrays
from repline.systems.usif.model import COMPONENTS, CommonComponents, index_sentences, weighted_averages
from repline.systems.usif.random_walk import derive, usif_weights
from repline.systems.usif.settings import Normalization
from repline.systems.usif.similarity_words import similarity_words
from repline.use.folders import RAW_INPUT, Description
from repline.use.inputs import texts_of, whole_number
from repline.use.text_encoder import TextEncoder
from repline.vectors import store


class SentenceVectors(TextEncoder):
    """Weighted averages of word vectors, less the common components of a reference text.

    Texts are split by `similarity_words`: lower case, no punctuation.

    Args:
        vocabulary: V words; vectors: [V, d], may be memory-mapped.
        weights: u of each word, [V]; None for the plain average.
        components: the common components that are removed.
        normalization: of the dimensions over a text, see `weighted_averages`.
    """

    def __init__(
        self,
        vocabulary: Sequence[str],
        vectors: NDArray[np.floating],
        weights: NDArray[np.float64] | None,
        components: CommonComponents,
        normalization: Normalization = "divide",
    ):
        self.index = {word: row for row, word in enumerate(vocabulary)}
        self.matrix, self.weights, self.components = vectors, weights, components
        self.normalization = normalization
        self.dimensions = int(vectors.shape[1])

    @classmethod
    def of_texts(
        cls,
        texts: Sequence[str],
        vocabulary: Sequence[str],
        vectors: NDArray[np.floating],
        weights: NDArray[np.float64] | None,
        *,
        m: int = COMPONENTS,
        normalization: Normalization = "divide",
    ) -> "SentenceVectors":
        """An encoder of your own weights, which removes the common components of raw texts.

        Args:
            texts: the reference for the components, often the very texts that are encoded then.
            vocabulary, vectors, weights, normalization: of the encoder; `random_walk.usif_weights` computes the
                paper's weights from probabilities of words.
            m: how many components; 0 removes none.

        Raises:
            InputError: no text has a known word, m is larger than the dimension of the vectors, or there are not as
                many vectors and weights as words.
        """
        if not len(vocabulary) == len(vectors) == len(vectors if weights is None else weights):
            raise InputError(
                f"expected a vector and a weight for each of {len(vocabulary):,} words, found {len(vectors):,} vectors"
                + ("" if weights is None else f" and {len(weights):,} weights")
            )
        index = {word: row for row, word in enumerate(vocabulary)}
        rows, offsets = index_sentences(map(similarity_words, texts_of(texts, "of_texts")), index)
        averages = weighted_averages(rows, offsets, vectors, weights, normalization=normalization)
        components = CommonComponents.of(averages[np.diff(offsets) > 0], whole_number(m, "m", 0))
        return cls(vocabulary, vectors, weights, components, normalization)

    def _vectors(self, texts: Sequence[str]) -> tuple[np.ndarray, np.ndarray]:
        rows, offsets = index_sentences([similarity_words(text) for text in texts], self.index)
        averages = weighted_averages(rows, offsets, self.matrix, self.weights, normalization=self.normalization)
        return self.components.remove(averages, out=averages), np.diff(offsets)


def load(description: Description) -> SentenceVectors:
    """The encoder of a folder that `repline.systems.usif.encoder.write` wrote; InputError where a part is missing."""
    folder: Path = description.folder
    length = description.raw_input.get("length")
    if not isinstance(length, int):
        raise InputError(
            f"{folder / RAW_INPUT}: expected a whole number as length, found {shown(length)}; copy it again"
        )
    vocabulary, matrix = store.words_and_matrix(folder / VECTORS)
    arrays = read_arrays(folder)
    weights = usif_weights(arrays["probabilities"], derive(arrays["unigrams"], length).a)
    components = CommonComponents(arrays["directions"], arrays["singular_values"])
    return SentenceVectors(vocabulary, matrix, weights, components)
