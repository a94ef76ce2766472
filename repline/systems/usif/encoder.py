"""uSIF as an encoder of sentences: word vectors, word counts, and the common components of the encoded sentences."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from repline.errors import InputError
from repline.evaluation.sentences.sentence_encoders import read_encoder, write_encoder
from repline.lexicons.unigrams import read_unigrams
from repline.segmentation.treebank import words
from repline.sources.card import raw_files
from repline.systems.usif.model import COMPONENTS, CommonComponents, index_sentences, weighted_averages
from repline.systems.usif.random_walk import derive, usif_weights, word_probabilities
from repline.vectors import store


class UsifEncoder:
    """n sentences -> [n, d]: their weighted averages less their own common components.

    Args:
        vocabulary: V words; vectors: [V, d]; probabilities: p(w) of each, [V].
        unigrams: p(w) of all counted words.
        length: n of the constants; None for the mean number of words of the sentences at hand.
        components: m.

    Source: Ethayarajh 2018, algorithm 1.
    """

    transductive = True  # the common components are computed from the sentences that are encoded

    def __init__(
        self,
        vocabulary: Sequence[str],
        vectors: NDArray[np.floating],
        probabilities: NDArray[np.float64],
        unigrams: NDArray[np.float64],
        *,
        length: int | None = None,
        components: int = COMPONENTS,
    ):
        self.index = {word: row for row, word in enumerate(vocabulary)}
        self.vectors, self.probabilities, self.unigrams = vectors, probabilities, unigrams
        self.length, self.components = length, components

    def __call__(self, sentences: Sequence[str]) -> NDArray[np.float32]:
        split = [words(sentence) for sentence in sentences]
        tokens = [[word if word in self.index else word.lower() for word in sentence] for sentence in split]
        length = self.length or max(1, round(sum(map(len, tokens)) / max(1, len(tokens))))
        a = derive(self.unigrams, length).a
        rows, offsets = index_sentences(tokens, self.index)
        weights = usif_weights(self.probabilities, a)
        averages = weighted_averages(rows, offsets, self.vectors, weights, empty=min(a, 2.0))
        m = min(self.components, len(sentences) - 1)
        return CommonComponents.of(averages, m).remove(averages, out=averages)


def write(
    folder: str | Path,
    *,
    vectors: str | Path,
    unigrams: str | Path,
    length: int | None = None,
    components: int = COMPONENTS,
) -> None:
    """Say in a folder what `load` needs.

    Args:
        vectors: a folder of word vectors; unigrams: a raw folder with one list of counts. Both stay where they are;
            their cards are copied, so that this folder changes when they do.
        length, components: of `UsifEncoder`.
    """
    cards = {str(part): (Path(part) / "card.json").read_text(encoding="utf-8") for part in (vectors, unigrams)
             if (Path(part) / "card.json").exists()}  # fmt: skip
    write_encoder(
        folder,
        "usif",
        vectors=str(vectors),
        unigrams=str(unigrams),
        length=length,
        components=components,
        cards=cards,
    )


def load(folder: Path) -> UsifEncoder:
    """The encoder that `write` described; InputError where what it needs is not there."""
    described = read_encoder(folder)
    try:
        vectors, unigrams = described["vectors"], described["unigrams"]
        options = {"length": described["length"], "components": described["components"]}
    except KeyError as error:
        raise InputError(f"{folder}/encoder.json: {error} is missing; make the encoder again") from None
    vocabulary, matrix = store.words_and_matrix(vectors)
    counted = read_unigrams(raw_files(unigrams)[0])
    counts = counted["count"].to_numpy()
    probabilities = word_probabilities(vocabulary, counted["word"].to_pylist(), counts)
    return UsifEncoder(vocabulary, matrix, probabilities, counts / counts.sum(), **options)
