"""A trained classifier of names that takes raw names: `repline.load(folder).types(names)`."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import ClassVar, overload

import numpy as np
import torch

from repline.errors import InputError
from repline.evaluation.word_vectors.embedding import Embedding
from repline.parameters import Json
from repline.pretrained import pretrained
from repline.systems.name_typing.model import CLASSIFIERS
from repline.use.folders import RAW_INPUT, Description
from repline.use.inputs import in_batches, one_or_all, probability, texts_of
from repline.vectors.store import words_and_matrix


@dataclass(frozen=True)
class NameTypes:
    """The answer to one name.

    Attributes:
        types: those above the threshold, the most probable one first; none for a name without a vector.
        probabilities: of all types, the most probable one first; the share of each type in training where the name
            has no vector.
        has_vector: whether the name has a vector.
    """

    types: list[str]
    probabilities: dict[str, float]
    has_vector: bool


class NameTyper:
    """A classifier with the word vectors of its space.

    Args:
        model: vectors [B, d] -> log-odds [B, T].
        embedding: the words that have a vector; case does not matter, as in training.
        labels: names of the T types.
        shares: of the types in training [T].
        threshold: a type of a larger probability is an answer; tuned on dev.
    """

    fields: ClassVar[tuple[str, ...]] = ("name",)
    optional_fields: ClassVar[tuple[str, ...]] = ()

    def __init__(
        self,
        model: torch.nn.Module,
        embedding: Embedding,
        labels: Sequence[str],
        shares: Sequence[float],
        threshold: float,
    ):
        self.model, self.embedding, self.labels, self.threshold = model, embedding, list(labels), threshold
        self.shares = np.asarray(shares, dtype=np.float64)

    @overload  # a str is a sequence of str, too
    def types(self, names: str, threshold: float | None = None, batch: int = 1024) -> NameTypes: ...  # type: ignore[overload-overlap]
    @overload
    def types(self, names: Sequence[str], threshold: float | None = None, batch: int = 1024) -> list[NameTypes]: ...
    def types(
        self, names: str | Sequence[str], threshold: float | None = None, batch: int = 1024
    ) -> NameTypes | list[NameTypes]:
        """The types of a name, or of each of a list of names.

        Args:
            names: of any number; a name of several words is one word of the space with _ between them, if any.
            threshold: a probability, in place of the tuned one; the paper has 0.5.
            batch: names that are in memory as numbers at a time.

        Raises:
            InputError: `names` is neither a name nor a list of names, or `threshold` is not between 0 and 1.
        """
        limit = self.threshold if threshold is None else probability(threshold, "threshold")
        answers: list[NameTypes] = []
        for part in in_batches(texts_of(names, "types"), batch):
            probabilities, has_vector = self._probabilities(part)
            answers += [
                self._answer(row, bool(is_known), limit)
                for row, is_known in zip(probabilities, has_vector, strict=True)
            ]
        return one_or_all(names, answers)

    def probabilities(self, names: str | Sequence[str]) -> tuple[np.ndarray, np.ndarray]:
        """The probability of each type [n, T] of a name (n is 1) or of a list, and which have a vector, bool [n].

        Raises:
            InputError: `names` is neither a name nor a list of names.
        """
        return self._probabilities(texts_of(names, "probabilities"))

    def _probabilities(self, names: Sequence[str]) -> tuple[np.ndarray, np.ndarray]:
        rows = self.embedding.rows(["_".join(name.split()) for name in names])
        has_vector = rows >= 0
        probabilities = np.tile(self.shares, (len(names), 1))
        if has_vector.any():
            vectors = torch.from_numpy(np.array(self.embedding.matrix[rows[has_vector]], dtype=np.float32))
            with torch.inference_mode():
                probabilities[has_vector] = self.model(vectors).sigmoid().numpy()
        return probabilities, has_vector

    def answers(self, rows: Sequence[Mapping[str, str]]) -> list[dict[str, Json]]:
        """The types of each row's name."""
        return [asdict(answer) for answer in self.types([row["name"] for row in rows])]

    def _answer(self, probabilities: np.ndarray, has_vector: bool, limit: float) -> NameTypes:
        order = np.argsort(-probabilities, kind="stable")
        types = [self.labels[number] for number in order if has_vector and probabilities[number] > limit]
        return NameTypes(types, {self.labels[number]: float(probabilities[number]) for number in order}, has_vector)


def load(description: Description) -> NameTyper:
    """The classifier of a folder; InputError where it is damaged."""
    values, path = description.raw_input, description.folder / RAW_INPUT
    classifier, types, shares = (values.get(key) for key in ("classifier", "types", "shares"))
    if classifier not in CLASSIFIERS or not isinstance(types, list) or not isinstance(shares, list):
        raise InputError(f"{path}: expected classifier, types, shares and threshold; train the model again")
    if len(types) != len(shares) or not isinstance(values.get("threshold"), float):
        raise InputError(f"{path}: expected a share for each of {len(types)} types, and a threshold; copy it again")
    model = pretrained(CLASSIFIERS[classifier], description.folder)
    words, matrix = words_and_matrix(description.folder)
    return NameTyper(model, Embedding(words, matrix), types, shares, values["threshold"])
