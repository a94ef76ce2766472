"""The two tests that vectors are scored on: categories of words, and questions for a synonym."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, TypedDict, cast

import numpy as np
from numpy.typing import NDArray

from repline.evaluation.word_vectors.benchmark_files import read_categories, read_synonyms
from repline.evaluation.word_vectors.embedding import Embedding
from repline.evaluation.word_vectors.synonyms import synonyms

CATEGORIES, SYNONYMS = "categories.csv", "synonyms.tsv"


class Scores(TypedDict):
    """How vectors do on a test; `permuted` is the score by chance, `items` has the score of each item."""

    score: float
    items: list[float]
    permuted: float


class WordTest(Protocol):
    """A test of word vectors: the words that it needs, and the scores of their vectors."""

    @property
    def words(self) -> list[str]:
        """The words of the test in alphabetical order."""
        ...

    def scores(self, words: Sequence[str], vectors: NDArray, seed: int) -> Scores: ...


@dataclass(frozen=True)
class Categories:
    """The semantic categorization test: the silhouette of the categories under the cosine distance.

    From -1 to 1: how near words are to their category, compared with the nearest other one, without any clustering. A
    vector of zeros is at distance 1 from all others, a word that is alone in its category scores 0.

    Attributes:
        groups: the words of each category, no word in two of them.

    Source: Rousseeuw 1987, "Silhouettes"; Altszyler, Sigman & Fernández Slezak 2018, eq. (2).
    """

    groups: tuple[tuple[str, ...], ...]

    @property
    def words(self) -> list[str]:
        """The words of the test in alphabetical order."""
        return sorted({word for group in self.groups for word in group})

    def scores(self, words: Sequence[str], vectors: NDArray, seed: int) -> Scores:
        """Scores of vectors, [n, d] for n words that include all of the test.

        Returns:
            score; items, the mean coefficient of each category, among all of them; permuted, the score when the words
            are dealt to the categories at random.
        """
        from sklearn.metrics import silhouette_samples  # a second of imports, which the other stages do without

        row = {word: number for number, word in enumerate(words)}
        rows = vectors[[row[word] for group in self.groups for word in group]]
        labels = np.repeat(np.arange(len(self.groups)), [len(group) for group in self.groups])
        coefficients = silhouette_samples(rows, labels, metric="cosine")
        permuted = np.random.default_rng(seed).permutation(labels)
        return {
            "score": float(coefficients.mean()),
            "items": [float(coefficients[labels == group].mean()) for group in range(len(self.groups))],
            "permuted": float(silhouette_samples(rows, permuted, metric="cosine").mean()),
        }


@dataclass(frozen=True)
class Questions:
    """The synonym test: the percentage of questions answered by the highest cosine; a tie is wrong.

    Attributes:
        groups: each question as (word, synonym, distractors...).
    """

    groups: tuple[tuple[str, ...], ...]

    @property
    def words(self) -> list[str]:
        """The words of the test in alphabetical order."""
        return sorted({word for group in self.groups for word in group})

    def scores(self, words: Sequence[str], vectors: NDArray, seed: int) -> Scores:
        """Scores of vectors; an item is a question, 100 or 0; `permuted` is the score of random directions."""

        def items(matrix: NDArray) -> list[float]:
            embedding = Embedding(words, matrix, ignore_case=False)
            return [
                100 * cast(float, synonyms(embedding, [question])["accuracy_penalised"]) for question in self.groups
            ]

        answers, drawn = items(vectors), items(np.random.default_rng(seed).normal(size=(len(words), 50)))
        return {"score": float(np.mean(answers)), "items": answers, "permuted": float(np.mean(drawn))}


def read_tests(folder: str | Path) -> dict[str, WordTest]:
    """Both tests of a folder that `rarest_test_items.write_tests` wrote, by name."""
    groups: dict[str, list[str]] = {}
    for word, name in zip(*read_categories(Path(folder) / CATEGORIES), strict=True):
        groups.setdefault(name, []).append(word)
    return {
        "categories": Categories(tuple(map(tuple, groups.values()))),
        "synonyms": Questions(tuple(read_synonyms(Path(folder) / SYNONYMS))),
    }
