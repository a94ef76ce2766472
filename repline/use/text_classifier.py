"""Classifiers of raw texts: `classify(texts)` gives a label with its probability."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, ClassVar, overload

import numpy as np

from repline.parameters import Json
from repline.use.inputs import in_batches, one_or_all, texts_of


@dataclass(frozen=True)
class Classification:
    """The answer to one text.

    Attributes:
        label: the most probable one.
        probability: of the label.
        probabilities: of all labels, the most probable one first.
        known_words: words of the text that the model knows. With 0 the answer does not depend on the text: it is the
            share of each label in training.
    """

    label: str
    probability: float
    probabilities: dict[str, float]
    known_words: int


class TextClassifier(ABC):
    """A classifier whose children say how raw texts become probabilities.

    Attributes:
        labels: names of the C labels.
        shares: the share of each label in training [C], the answer to a text without a known word.
    """

    fields: ClassVar[tuple[str, ...]] = ("text",)
    optional_fields: ClassVar[tuple[str, ...]] = ()

    def __init__(self, labels: Sequence[str], shares: Sequence[float]):
        self.labels, self.shares = list(labels), np.asarray(shares, dtype=np.float64)

    @abstractmethod
    def _probabilities(self, texts: Sequence[str]) -> tuple[np.ndarray, np.ndarray]:
        """Raw texts, one or more -> the probability of each label [n, C], and how many words of each are known [n]."""

    def probabilities(self, texts: str | Sequence[str]) -> tuple[np.ndarray, np.ndarray]:
        """The probability of each label [n, C] of a raw text (n is 1) or of a list, and how many words are known [n].

        The row of a text without a known word is what the model makes of it; `classify` answers the shares of training.

        Raises:
            InputError: `texts` is neither a text nor a list of texts.
        """
        if not (checked := texts_of(texts, "probabilities")):
            return np.zeros((0, len(self.labels))), np.zeros(0, np.int64)
        return self._probabilities(checked)

    @overload  # a str is a sequence of str, too
    def classify(self, texts: str, batch: int = 64) -> Classification: ...  # type: ignore[overload-overlap]
    @overload
    def classify(self, texts: Sequence[str], batch: int = 64) -> list[Classification]: ...
    def classify(self, texts: str | Sequence[str], batch: int = 64) -> Classification | list[Classification]:
        """The label of a raw text, or of each of a list of texts.

        Args:
            texts: of any length and any number; they are split as in training.
            batch: texts that are in memory as numbers at a time.

        Raises:
            InputError: `texts` is neither a text nor a list of texts.
        """
        answers: list[Classification] = []
        for part in in_batches(texts_of(texts, "classify"), batch):
            answers += map(self._classification, *self._probabilities(part))
        return one_or_all(texts, answers)

    def answers(self, rows: Sequence[Mapping[str, str]]) -> list[dict[str, Json]]:
        """The classification of each row's text."""
        return [asdict(answer) for answer in self.classify([row["text"] for row in rows])]

    def _classification(self, probabilities: np.ndarray, known_words: Any) -> Classification:
        chances = probabilities if known_words else self.shares
        order = np.argsort(-chances, kind="stable")
        by_label = {self.labels[label]: float(chances[label]) for label in order}
        label = self.labels[order[0]]
        return Classification(label, by_label[label], by_label, int(known_words))
