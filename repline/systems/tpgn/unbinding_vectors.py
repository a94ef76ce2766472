"""Measures of how well the vectors from which words were predicted tell the words' parts of speech and positions.

Each measure takes weights [1 + R, P] of the pictures and gives an array [1 + R]: first of the captions as they are,
then of resampled ones. What is learned (a readout, clusters) is learned once, from other captions.

Source: Huang et al. 2017, section 5.3; the linear readout is ours.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray
from sklearn.cluster import KMeans

Values = NDArray[np.float64]

CLASSES = ("noun", "determiner", "adjective", "verb", "preposition", "pronoun", "adverb", "other")
TAGS = {  # first letters of Penn Treebank tags, the longer ones first: their class
    **{"PRP": "pronoun", "WP": "pronoun", "WDT": "pronoun", "EX": "pronoun"},
    **{"NN": "noun", "JJ": "adjective", "VB": "verb", "MD": "verb", "RB": "adverb", "WRB": "adverb"},
    **{"DT": "determiner", "PDT": "determiner", "IN": "preposition", "TO": "preposition", "CC": "preposition"},
    **{"RP": "preposition"},
}
NOMINAL = ("nouns", "pronouns", "indefinite_articles", "definite_articles", "adjectives")
VERBAL = ("verbs", "prepositions_conjunctions", "adverbs")
CATEGORIES = (*NOMINAL, *VERBAL)  # of the paper's Table 2
_PLURAL = {name: f"{name}s" for name in ("noun", "pronoun", "adjective", "verb", "adverb")}
ARTICLES = {"a": "indefinite_articles", "an": "indefinite_articles", "the": "definite_articles"}
NONE = -1  # no category
RIDGE = 1e-3  # of the readout, relative to the mean square of a number


@dataclass(frozen=True)
class Words:
    """Words of captions, one after another.

    Attributes:
        vectors: [W, m].
        picture: [W], which caption each is in, from 0.
        position: [W] in its caption, from 1.
        part_of_speech: [W], in CLASSES.
        category: [W], in CATEGORIES, or NONE.
    """

    vectors: NDArray[np.float32]
    picture: NDArray[np.int64]
    position: NDArray[np.int64]
    part_of_speech: NDArray[np.int64]
    category: NDArray[np.int64]


def tagged_words(
    captions: Sequence[Sequence[str]],
    vectors: NDArray[np.float32],
    tagger: Callable[[Sequence[Sequence[str]]], Iterable[tuple]],
) -> Words:
    """The words of captions with their vectors and their tags.

    Args:
        vectors: [W, m], caption by caption.
        tagger: as `repline.corpora.annotation.parsed`; it is called once with the distinct captions.
    """
    distinct_captions = sorted({tuple(caption) for caption in captions if caption})
    tags = {
        caption: annotation[1] for caption, annotation in zip(distinct_captions, tagger(distinct_captions), strict=True)
    }
    rows = [
        (picture, position, class_of(tag), category_of(word, tag))
        for picture, caption in enumerate(captions)
        for position, (word, tag) in enumerate(zip(caption, tags.get(tuple(caption), ()), strict=True), start=1)
    ]
    return Words(vectors, *np.array(rows, np.int64).reshape(-1, 4).T)


@cache
def class_of(tag: str) -> int:
    """The index in CLASSES of a Penn Treebank tag."""
    fitting = [name for start, name in TAGS.items() if tag.startswith(start)]
    return CLASSES.index(fitting[0] if fitting else "other")


@cache
def category_of(word: str, tag: str) -> int:
    """The index in CATEGORIES of a word; NONE for determiners that are no articles, and for what is in no category."""
    name = CLASSES[class_of(tag)]
    category = ARTICLES.get(word, "") if name == "determiner" else _PLURAL.get(name, "")
    category = "prepositions_conjunctions" if name == "preposition" else category
    return CATEGORIES.index(category) if category else NONE


def linear_readout(words: Words, weights: NDArray) -> dict[str, Values]:
    """Accuracy of a linear map from vectors to classes (`linear`) and of the most frequent class (`majority`).

    The map is of least squares from vectors to classes, learned on the captions with even numbers and tried on the
    others. Both are NaN where one of these halves has no words.
    """
    learn = words.picture % 2 == 0
    if learn.all() or not learn.any():
        return {name: np.full(len(weights), np.nan) for name in ("linear", "majority")}
    inputs = np.concatenate([words.vectors.astype(np.float64), np.ones((len(learn), 1))], 1)
    one_hot_classes = np.eye(len(CLASSES))[words.part_of_speech]
    training_inputs = inputs[learn]
    square = training_inputs.T @ training_inputs
    square[np.diag_indices(len(square))] += RIDGE * np.trace(square) / len(square)
    predicted = (inputs @ np.linalg.solve(square, training_inputs.T @ one_hot_classes[learn])).argmax(1)
    commonest = np.bincount(words.part_of_speech[learn]).argmax()
    word_weights = weights[:, words.picture[~learn]]
    hits_by_method = {"linear": predicted == words.part_of_speech, "majority": words.part_of_speech == commonest}
    return {
        name: word_weights @ hits[~learn] / np.maximum(word_weights.sum(1), 1) for name, hits in hits_by_method.items()
    }


def clusters(learned: NDArray[np.float32], vectors: NDArray[np.float32], number: int, seed: int = 0) -> NDArray:
    """The nearest of `number` centroids of K-means on `learned` [N, m], for each vector: [W].

    There are no more centroids than different rows of `learned`; without rows all vectors are in cluster 0.
    """
    number = min(number, len(np.unique(learned, axis=0)))
    if not number or not len(vectors):
        return np.zeros(len(vectors), np.int64)
    means = KMeans(number, n_init=4, random_state=seed).fit(learned.astype(np.float64))
    return means.predict(vectors.astype(np.float64))


def purity(words: Words, cluster: NDArray, weights: NDArray) -> Values:
    """The share of words that are of their cluster's commonest class."""
    counts = _counted(words, weights, cluster, words.part_of_speech, len(CLASSES))  # [1 + R, K, classes]
    return counts.max(2).sum(1) / np.maximum(counts.sum((1, 2)), 1)


def conformity(words: Words, cluster: NDArray, weights: NDArray) -> dict[str, Values]:
    """Share of each category's words that are in the cluster of its side, for two clusters; `all`: of all words.

    Nouns and what belongs to them are one side, verbs and the like the other. Which cluster is which is decided once,
    so that more words conform. The first word of a caption is left out. A category without words is NaN.

    Source: Huang et al. 2017, Table 2.
    """
    later = (words.position > 1) & (words.category != NONE)
    counts = _counted(words, weights, cluster, words.category, len(CATEGORIES), later, clusters=2)
    nominal = np.arange(len(CATEGORIES)) < len(NOMINAL)
    sides = np.where(nominal, counts[:, 1], counts[:, 0])  # [1 + R, categories]: cluster 1 is that of nouns
    if 2 * sides[0].sum() < counts[0].sum():
        sides = counts.sum(1) - sides
    totals = counts.sum(1)
    with np.errstate(invalid="ignore"):
        shares = sides / totals
        return {name: shares[:, column] for column, name in enumerate(CATEGORIES)} | {
            "all": sides.sum(1) / totals.sum(1)
        }


def position_clusters(words: Words, cluster: NDArray, weights: NDArray, least: float = 0.01) -> dict[str, Values]:
    """The largest share that words at position 1 (`first`), or 2 (`second`), have in some cluster.

    Args:
        least: share of all words that a cluster must have to count.

    Source: Huang et al. 2017, Table 3, clusters 2 and 3.
    """
    position_group = np.minimum(words.position, 3) - 1
    counts = _counted(words, weights, cluster, position_group, 3)  # [1 + R, K, 3]
    sizes = counts.sum(2)
    large = sizes >= least * sizes.sum(1, keepdims=True)
    shares = np.where(large[:, :, None], counts / np.maximum(sizes, 1)[:, :, None], 0.0).max(1)
    return {"first": shares[:, 0], "second": shares[:, 1]}


def cluster_table(words: Words, cluster: NDArray) -> list[list[float]]:
    """Shares of the classes in each cluster, followed by those of positions 1 and 2: K lists."""
    rows = []
    for number in range(int(cluster.max(initial=0)) + 1):
        inside = cluster == number
        size = max(int(inside.sum()), 1)
        shares = np.bincount(words.part_of_speech[inside], minlength=len(CLASSES)) / size
        rows.append(
            [*shares.tolist(), *(float((words.position[inside] == position).sum() / size) for position in (1, 2))]
        )
    return rows


def _counted(
    words: Words,
    weights: NDArray,
    cluster: NDArray,
    kind: NDArray,
    kinds: int,
    selected: NDArray | None = None,
    clusters: int | None = None,
) -> NDArray:
    """Weighted counts of words by cluster and kind: [1 + R, K, kinds]."""
    selected = np.ones(len(cluster), bool) if selected is None else selected
    number = clusters or int(cluster.max(initial=0)) + 1
    cells = np.zeros((weights.shape[1], number * kinds))
    np.add.at(cells, (words.picture[selected], cluster[selected] * kinds + kind[selected]), 1)
    return (weights @ cells).reshape(len(weights), number, kinds)
