"""Documents as vectors of their pieces, and a classifier that learns in one language and is used in another.

A document is cut into the texts that it consists of, at the marks . ! ? or into windows of 128 words that begin every
64; its vector is the mean or the maximum of those of its pieces.

Source: Yu, Li & Oguz 2018, section 4.3.
"""

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from repline.systems.multilingual_seq2seq.corpus import Data, Texts
from repline.systems.multilingual_seq2seq.settings import PARTS, Cut, Gather
from repline.systems.multilingual_seq2seq.splits import part_of

MARKS = frozenset(".!?。！？")
WINDOW, STRIDE = 128, 64
Embed = Callable[[Sequence[Sequence[int]]], NDArray[np.float32]]  # sentences to vectors [N, d]


class Documents(NamedTuple):
    """The documents of one part in one language: the texts of each, as word numbers, and its label."""

    texts: list[list[list[int]]]
    labels: list[str]


def labelled_documents(data: Data) -> dict[str, dict[str, dict[str, Documents]]]:
    """Labelled documents by collection, part and language; `own` is the corpus itself, the others further tests."""
    collections: dict[str, dict[str, dict[str, Documents]]] = {}
    for name, texts in data.sets.items():
        if (collection_and_part := part_of(name)) and all(texts.labels):
            collection, part = collection_and_part
            by_language = collections.setdefault(collection, {}).setdefault(part, {})
            for language, documents in _documents(texts).items():
                before = by_language.get(language, Documents([], []))
                by_language[language] = Documents(before.texts + documents.texts, before.labels + documents.labels)
    whole = {collection: parts for collection, parts in collections.items() if set(parts) == set(PARTS)}
    return {collection: _shared(parts) for collection, parts in whole.items()}


def _shared(parts: Mapping[str, Mapping[str, Documents]]) -> dict[str, dict[str, Documents]]:
    """Keep only the languages that every part has."""
    languages = [language for language in parts["train"] if all(language in documents for documents in parts.values())]
    return {part: {language: parts[part][language] for language in languages} for part in PARTS}


def _documents(texts: Texts) -> dict[str, Documents]:
    by_document: dict[str, list[int]] = {}
    for row, document in enumerate(texts.documents):
        by_document.setdefault(document, []).append(row)
    labels = [str(texts.labels[rows[0]]) for rows in by_document.values()]
    return {
        language: Documents([[ids[row] for row in rows] for rows in by_document.values()], labels)
        for language, ids in texts.ids.items()
    }


def pieces(texts: Sequence[list[int]], cut: Cut, marks: frozenset[int] | set[int]) -> list[list[int]]:
    """The pieces of a document, without empty ones; `marks` are the numbers of the marks that end one."""
    if cut == "texts":
        return [text for text in texts if text]
    words = [word for text in texts for word in text]
    if cut == "windows":
        return [words[start : start + WINDOW] for start in window_starts(len(words))]
    ends = [position + 1 for position, word in enumerate(words) if word in marks]
    bounds = [0, *ends] if ends and ends[-1] == len(words) else [0, *ends, len(words)]
    return [words[start:end] for start, end in pairwise(bounds) if end > start]


def window_starts(words: int, window: int = WINDOW, stride: int = STRIDE) -> list[int]:
    """Where windows begin; the first that reaches the end is the last, and may be shorter."""
    return list(range(0, max(words - window, 0) + stride, stride)) if words else []


class CutDocuments:
    """The labelled documents of a corpus in pieces: each cut is made once, for all encoders.

    Attributes:
        collections: of `labelled_documents`.
    """

    def __init__(self, data: Data):
        self.collections = labelled_documents(data)
        self._marks = {number for number, word in enumerate(data.words) if word in MARKS}
        self._pieces: dict[tuple[str, str, str, Cut], list[list[list[int]]]] = {}

    def pieces(self, collection: str, part: str, language: str, cut: Cut) -> list[list[list[int]]]:
        """The pieces of each document."""
        key = (collection, part, language, cut)
        if key not in self._pieces:
            documents = self.collections[collection][part][language]
            self._pieces[key] = [pieces(texts, cut, self._marks) for texts in documents.texts]
        return self._pieces[key]


def document_vectors(
    pieces_of: Sequence[Sequence[Sequence[int]]], gathers: Sequence[Gather], embed: Embed
) -> dict[Gather, NDArray[np.float32]]:
    """Vectors of documents [N, d], by the way in which the vectors of their pieces are combined.

    Args:
        pieces_of: of each document, at least one piece.
    """
    vectors = embed([piece for document in pieces_of for piece in document])
    starts = np.cumsum([0, *(len(document) for document in pieces_of)])[:-1]
    sizes = np.array([len(document) for document in pieces_of], np.float32)[:, None]
    ways = {
        "mean": lambda: np.add.reduceat(vectors, starts) / sizes,
        "max": lambda: np.maximum.reduceat(vectors, starts),
    }
    return {gather: ways[gather]() for gather in gathers}


class Classified(NamedTuple):
    """Whether each of N test documents is labelled right, by the languages of training and of test.

    zero_shot: regularised as is best on dev of the language of training; targeted: of test; one_out: learned from all
    languages but that of test, regularised on dev of the first one of them.
    """

    zero_shot: dict[str, dict[str, NDArray[np.bool_]]]
    targeted: dict[str, dict[str, NDArray[np.bool_]]]
    one_out: dict[str, NDArray[np.bool_]]


def classify(
    vectors: Mapping[str, Mapping[str, NDArray[np.floating]]],
    labels: Mapping[str, Mapping[str, Sequence[str]]],
    penalties: Sequence[float],
) -> Classified:
    """Logistic regressions on vectors standardised by the training documents.

    Args:
        vectors: by part (train, dev, test) and language, [N, d].
        labels: likewise, [N].
        penalties: C of scikit-learn, the inverse of the regularisation's weight; of equally good ones the first.
    """
    languages = list(vectors["train"])
    zero_shot: dict[str, dict[str, NDArray[np.bool_]]] = {}
    targeted: dict[str, dict[str, NDArray[np.bool_]]] = {}
    for source in languages:
        models = _models([vectors["train"][source]], [labels["train"][source]], penalties)
        hits = {
            part: {
                language: [model(rows) == np.array(labels[part][language]) for model in models]
                for language, rows in vectors[part].items()
            }
            for part in ("dev", "test")
        }
        best = _best(hits["dev"][source])
        zero_shot[source] = {target: hits["test"][target][best] for target in languages}
        targeted[source] = {target: hits["test"][target][_best(hits["dev"][target])] for target in languages}
    one_out = {}
    for target in languages if len(languages) > 2 else []:
        sources = [language for language in languages if language != target]
        rows, classes = [vectors["train"][key] for key in sources], [labels["train"][key] for key in sources]
        models = _models(rows, classes, penalties)
        tuned = sources[0]
        dev = [model(vectors["dev"][tuned]) == np.array(labels["dev"][tuned]) for model in models]
        one_out[target] = models[_best(dev)](vectors["test"][target]) == np.array(labels["test"][target])
    return Classified(zero_shot, targeted, one_out)


def _models(
    rows: Sequence[NDArray[np.floating]], labels: Sequence[Sequence[str]], penalties: Sequence[float]
) -> list[Callable[[NDArray[np.floating]], NDArray]]:
    from sklearn.linear_model import LogisticRegression

    inputs = np.concatenate(rows).astype(np.float64)
    targets = np.concatenate([np.array(language_labels) for language_labels in labels])
    mean, deviation = inputs.mean(0), inputs.std(0)
    deviation[deviation == 0] = 1.0
    standard = (inputs - mean) / deviation

    def fitted(penalty: float) -> Callable[[NDArray[np.floating]], NDArray]:
        model = LogisticRegression(C=penalty, max_iter=300).fit(standard, targets)
        return lambda queries: model.predict((queries - mean) / deviation)

    return [fitted(penalty) for penalty in penalties]


def _best(hits_of_models: Sequence[NDArray[np.bool_]]) -> int:
    """The index of the model with the highest accuracy, the first of equal ones."""
    return int(np.argmax([hits.mean() for hits in hits_of_models]))
