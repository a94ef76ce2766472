"""InferSent on raw texts: `classify(pairs)` of a premise and a hypothesis, `encode(texts)` and `similarity(a, b)`."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, ClassVar, overload

import numpy as np
import torch

from repline.errors import InputError
from repline.parameters import Json
from repline.pretrained import pretrained
from repline.systems.supervised_unsupervised.encoder import MaximumOfStates
from repline.systems.supervised_unsupervised.model import InferSent
from repline.use.folders import RAW_INPUT, Description
from repline.use.inputs import in_batches, is_pair, one_or_all, pairs_of
from repline.use.stored_vectors import FOLDER, vectors_by_word
from repline.use.text_classifier import Classification
from repline.use.text_encoder import TextEncoder
from repline.vectors import store


class InferenceModel(TextEncoder):
    """Sentence vectors, and the label of a pair of sentences.

    Args:
        encoder: of the model.
        shares: the share of each label in training [C], the answer to a pair with a side without a known word.
    """

    fields: ClassVar[tuple[str, ...]] = ("premise", "hypothesis")

    def __init__(self, encoder: MaximumOfStates, shares: Sequence[float]):
        self.encoder, self.shares = encoder, np.asarray(shares, dtype=np.float64)
        self.labels = encoder.model.labels
        self.dimensions = encoder.model.size

    def use_vectors(self, folder: str | Path) -> None:
        """Read all words from a folder of word vectors from now on.

        It should have the vectors that the model was trained with, of which its own folder has the frequent ones alone.

        Raises:
            InputError: there are no vectors, or they have other dimensions than those of training.
        """
        self.encoder.index, self.encoder.vectors = vectors_by_word(folder, self.encoder.model.dimensions)

    def _vectors(self, texts: Sequence[str]) -> tuple[np.ndarray, np.ndarray]:
        rows = self.encoder.rows(texts)
        return self.encoder.encode_rows(rows), np.array([len(row) for row in rows])

    @overload
    def classify(self, pairs: tuple[str, str], batch: int = 64) -> Classification: ...
    @overload
    def classify(self, pairs: list[tuple[str, str]], batch: int = 64) -> list[Classification]: ...
    def classify(
        self, pairs: tuple[str, str] | Sequence[tuple[str, str]], batch: int = 64
    ) -> Classification | list[Classification]:
        """The label of a pair of a premise and a hypothesis, or of each of a list of pairs.

        Args:
            pairs: raw texts of any length and any number of pairs.
            batch: pairs that are in memory as numbers at a time.

        Returns:
            `known_words` counts those of the side that has fewer. With 0 the answer does not depend on the pair: it is
            the share of each label in training.

        Raises:
            InputError: `pairs` is neither a pair of texts nor a list of pairs.
        """
        answers: list[Classification] = []
        for part in in_batches(pairs_of(pairs, "classify", ("premise", "hypothesis")), batch):
            vectors, known_words = self._vectors([text for side in zip(*part, strict=True) for text in side])
            with torch.inference_mode():
                logits = self.encoder.model(*torch.from_numpy(vectors).chunk(2))
            probabilities = logits.double().softmax(dim=1).numpy()
            fewest = known_words.reshape(2, -1).min(axis=0)
            answers += map(self._classification, np.where(fewest[:, None] > 0, probabilities, self.shares), fewest)
        return one_or_all(pairs, answers, is_pair)

    def answers(self, rows: Sequence[Mapping[str, str]]) -> list[dict[str, Json]]:
        """The classification of each row's premise and hypothesis."""
        pairs = [(row["premise"], row["hypothesis"]) for row in rows]
        return [asdict(answer) for answer in self.classify(pairs)]

    def _classification(self, probabilities: np.ndarray, known_words: Any) -> Classification:
        order = np.argsort(-probabilities, kind="stable")
        by_label = {self.labels[label]: float(probabilities[label]) for label in order}
        label = self.labels[order[0]]
        return Classification(label, by_label[label], by_label, int(known_words))


def load(description: Description) -> InferenceModel:
    """The model of a folder that `training.train` wrote; InputError where a part is missing or damaged."""
    folder, raw_input = description.folder, description.raw_input
    try:
        lower_case, spread, shares = (raw_input[key] for key in ("lower_case", "spread", "shares"))
    except KeyError as error:
        raise InputError(f"{folder / RAW_INPUT}: {error} is missing; copy the folder again") from None
    words, matrix = store.words_and_matrix(folder / FOLDER)
    index = {word: row for row, word in enumerate(words)}
    model = pretrained(InferSent, folder)
    return InferenceModel(MaximumOfStates(model, index, matrix, lower_case=lower_case, spread=spread), shares)
