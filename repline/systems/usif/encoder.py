"""uSIF as an encoder of sentences: word vectors, word counts, and the common components of the encoded sentences."""

import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import TypedDict, cast

import numpy as np
import pyarrow.parquet as pq
from numpy.typing import NDArray
from safetensors import SafetensorError
from safetensors.numpy import load_file, save_file

from repline.errors import InputError, in_one_line
from repline.evaluation.sentences.sentence_encoders import read_encoder, write_encoder
from repline.lexicons.unigrams import read_unigrams
from repline.sources.card import raw_files
from repline.systems.usif.model import COMPONENTS, CommonComponents, index_sentences, weighted_averages
from repline.systems.usif.random_walk import derive, usif_weights, word_probabilities
from repline.systems.usif.similarity_words import similarity_words
from repline.systems.usif.weighted_words import WeightedWords, mean_length
from repline.use.folders import describe
from repline.vectors import store

WEIGHTS, VECTORS = "weights.safetensors", "vectors"  # in the folder of an encoder


class UsifEncoder:
    """n sentences -> [n, d]: their weighted averages less their own common components.

    Sentences are split by `similarity_words`, without punctuation; one without a known word is the zero vector.

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
        tokens = [similarity_words(sentence) for sentence in sentences]
        length = self.length or max(1, round(sum(map(len, tokens)) / max(1, len(tokens))))
        a = derive(self.unigrams, length).a
        rows, offsets = index_sentences(tokens, self.index)
        weights = usif_weights(self.probabilities, a)
        averages = weighted_averages(rows, offsets, self.vectors, weights, empty=0.0)
        m = min(self.components, len(sentences) - 1)
        return CommonComponents.of(averages, m).remove(averages, out=averages)


def write(
    folder: str | Path,
    *,
    vectors: str | Path,
    corpus: str | Path,
    length: int | None = None,
    components: int = COMPONENTS,
) -> None:
    """Write a folder that encodes sentences by itself, from word vectors and a corpus; see `write_weighted`.

    Args:
        folder: there already.
        vectors: a folder of word vectors.
        corpus: a folder that `corpus.prepare` wrote. Its reference text, or its pairs where it has none, give the
            common components for raw input, and n where `length` is None.
        length, components: of `UsifEncoder`.
    """
    words = WeightedWords.read(vectors, corpus)
    text = pq.read_table(Path(corpus) / "reference.parquet")["tokens"].to_pylist()
    if not text:
        pairs = pq.read_table(Path(corpus) / "pairs.parquet")
        text = pairs["tokens_a"].to_pylist() + pairs["tokens_b"].to_pylist()
    write_weighted(folder, words, text, vectors=vectors, length=length, components=components)


def write_weighted(
    folder: str | Path,
    words: WeightedWords,
    text: Sequence[Sequence[str]],
    *,
    vectors: str | Path,
    length: int | None = None,
    components: int = COMPONENTS,
) -> None:
    """Write a folder that encodes sentences by itself: word vectors, probabilities of words, and common components.

    encoder.json         `length` and `components` of `UsifEncoder`
    raw_input.json       n of the constants and m for raw input, see `repline.systems.usif.use`
    weights.safetensors  `probabilities` [V] of the words with vectors, `unigrams` [C] of all counted words,
                         `directions` [m, d] and `singular_values` [m] of the common components of reference text
    vectors/             a copy of the word vectors

    Args:
        folder: there already.
        words: with their vectors and probabilities.
        text: reference text, lists of words; it gives the common components for raw input, and n where `length` is
            None.
        vectors: the folder that the vectors are in.
        length, components: of `UsifEncoder`.
    """
    n = length or mean_length(text)
    common = CommonComponents.of(words.averages("up", text, n), min(components, words.vectors.shape[1]))
    shutil.copytree(vectors, Path(folder) / VECTORS, copy_function=shutil.copyfile)
    arrays = {
        "probabilities": words.probabilities,
        "unigrams": words.unigrams,
        "directions": np.ascontiguousarray(common.directions),
        "singular_values": np.ascontiguousarray(common.singular_values),
    }
    save_file(arrays, Path(folder) / WEIGHTS)
    write_encoder(folder, "usif", length=length, components=components)
    describe(folder, "usif", "text_encoder", {"length": n, "words": "similarity_words"})


def from_counts(vectors: str | Path, unigrams: str | Path) -> UsifEncoder:
    """An encoder of a folder of word vectors, with the word counts of a raw folder."""
    vocabulary, matrix = store.words_and_matrix(vectors)
    counted = read_unigrams(raw_files(unigrams)[0])
    counts = counted["count"].to_numpy()
    probabilities = word_probabilities(vocabulary, counted["word"].to_pylist(), counts)
    return UsifEncoder(vocabulary, matrix, probabilities, counts / counts.sum())


def read_arrays(folder: Path) -> dict[str, NDArray[np.float64]]:
    """The arrays of weights.safetensors; InputError where the file is missing or damaged."""
    try:
        return load_file(folder / WEIGHTS)
    except (OSError, SafetensorError) as error:
        raise InputError(
            f"{folder / WEIGHTS}: this is no whole .safetensors file ({in_one_line(error)}); copy it again"
        ) from None


class Described(TypedDict):
    """The entries of encoder.json other than the system's name."""

    length: int | None
    components: int


def load(folder: Path) -> UsifEncoder:
    """The encoder that `write` described; InputError where a part of it is missing."""
    described = cast(Described, read_encoder(folder))
    try:
        length, components = described["length"], described["components"]
    except KeyError as error:
        raise InputError(f"{folder}/encoder.json: {error} is missing; make the encoder again") from None
    vocabulary, matrix = store.words_and_matrix(folder / VECTORS)
    arrays = read_arrays(folder)
    return UsifEncoder(
        vocabulary, matrix, arrays["probabilities"], arrays["unigrams"], length=length, components=components
    )
