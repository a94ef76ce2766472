"""A network of entity_documents on raw English documents: `classify(texts)` gives several labels each."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import ClassVar, overload

import numpy as np

from repline.corpora.entities.gazetteers import FILE
from repline.errors import InputError
from repline.parameters import Json
from repline.pretrained import pretrained
from repline.systems.entity_documents.model import DocumentClassifier
from repline.systems.entity_documents.raw_documents import RawDocuments
from repline.use.folders import RAW_INPUT, Description
from repline.use.inputs import in_batches, one_or_all, texts_of


@dataclass(frozen=True)
class DocumentLabels:
    """The answer to one document.

    Attributes:
        labels: those whose probability reaches their threshold, the most probable one first; there may be none.
        probabilities: of all labels, the most probable one first.
        known_words: tokens of what is read that the model has a vector of. With 0 there are no labels, and the
            probabilities are the share of training documents with each label.
    """

    labels: list[str]
    probabilities: dict[str, float]
    known_words: int


class RawDocumentClassifier:
    """Labels of raw documents; the first `longest` tokens of each are read.

    Args:
        network: in evaluation mode.
        documents: reads raw documents as those of training.
        longest: tokens.
        thresholds: of each label [C], of `repline.evaluation.multi_label.careful_thresholds`.
        shares: of training documents with each label [C].
    """

    fields: ClassVar[tuple[str, ...]] = ("text",)
    optional_fields: ClassVar[tuple[str, ...]] = ()

    def __init__(
        self,
        network: DocumentClassifier,
        documents: RawDocuments,
        longest: int,
        thresholds: Sequence[float],
        shares: Sequence[float],
    ):
        self.network, self.documents, self.longest = network, documents, longest
        self.labels, self._words = network.labels, frozenset(network.words)
        self.thresholds, self.shares = np.asarray(thresholds, np.float64), np.asarray(shares, np.float64)

    @overload
    def classify(self, texts: str, batch: int = 64) -> DocumentLabels: ...
    @overload
    def classify(self, texts: list[str], batch: int = 64) -> list[DocumentLabels]: ...
    def classify(self, texts: str | Sequence[str], batch: int = 64) -> DocumentLabels | list[DocumentLabels]:
        """The labels of a raw document, or of each of a list of documents.

        Args:
            texts: English documents of any length and any number, paragraphs between empty lines.
            batch: documents that are in memory as tokens at a time.

        Raises:
            InputError: `texts` is neither a text nor a list of texts.
            ModuleNotFoundError: spaCy or its English model is not installed; the extra `corpora` brings it.
        """
        answers: list[DocumentLabels] = []
        for part in in_batches(texts_of(texts, "classify"), batch):
            tokens = self.documents.tokens(part)
            known_words = [sum(token in self._words for token in document[: self.longest]) for document in tokens]
            numbers = self.network.numbers(tokens, self.longest)
            probabilities = self.network.probabilities(numbers).double().numpy()
            answers += map(self._labels, probabilities, known_words)
        return one_or_all(texts, answers)

    def answers(self, rows: Sequence[Mapping[str, str]]) -> list[dict[str, Json]]:
        """The labels of each row's text."""
        return [asdict(answer) for answer in self.classify([row["text"] for row in rows])]

    def _labels(self, probabilities: np.ndarray, known_words: int) -> DocumentLabels:
        chances = probabilities if known_words else self.shares
        order = np.argsort(-chances, kind="stable")
        labels = [self.labels[label] for label in order if known_words and chances[label] >= self.thresholds[label]]
        return DocumentLabels(labels, {self.labels[label]: float(chances[label]) for label in order}, known_words)


def load(description: Description) -> RawDocumentClassifier:
    """The classifier of a folder that `training.train` wrote; InputError where a part is missing or damaged."""
    folder, values = description.folder, description.raw_input
    network = pretrained(DocumentClassifier, folder)
    try:
        mode, rules, base, longest, thresholds, shares = (
            values[key] for key in ("mode", "rules", "base", "longest", "thresholds", "shares")
        )
    except KeyError as error:
        raise InputError(f"{folder / RAW_INPUT}: {error} is missing; copy the folder again") from None
    if len(thresholds) != len(network.labels) or len(shares) != len(network.labels):
        raise InputError(
            f"{folder / RAW_INPUT}: expected thresholds and shares of {len(network.labels)} labels; copy it again"
        )
    gazetteers = [folder / FILE] if (folder / FILE).exists() else []
    return RawDocumentClassifier(network, RawDocuments(mode, rules, base, gazetteers), longest, thresholds, shares)
