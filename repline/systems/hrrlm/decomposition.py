"""How well two spaces of the same words separate form from meaning: the AUC of finding related pairs by cosine.

Verb pairs such as (make, making), (give, giving) lie in a table of two columns. Two of its words can be related as

    syntactic   they stand in one column (make, give)       the same form
    semantic    they stand in one row (make, making)        the same verb

A space is scored by the area under the ROC curve with which the cosine of two words tells related pairs from others.

Source: "Towards Decomposed Linguistic Representation with Holographic Reduced Representation" (anonymous, 2018),
section 4.3 (Table 4, Figure 3).
"""

from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.stats import rankdata
from sklearn.metrics import roc_auc_score, roc_curve

from repline.evaluation.nested_measures import Metric
from repline.evaluation.word_vectors.embedding import Embedding

CATEGORIES = ("plural-verbs", "past-tense", "present-participle")
Truth = Literal["syntactic", "semantic"]
TRUTHS: tuple[Truth, ...] = ("syntactic", "semantic")
Pairs = Sequence[tuple[str, str]]


def verb_pairs(
    questions: Sequence[Sequence[str]], sections: Sequence[str], categories: Sequence[str] = CATEGORIES
) -> dict[str, list[tuple[str, str]]]:
    """The distinct pairs (a, b) and (c, d) of the questions of each category, in their order.

    Args:
        questions, sections: as from `repline.evaluation.word_vectors.benchmark_files.read_analogies`.
        categories: ends of the sections' names (past-tense of gram7-past-tense).

    Raises:
        ValueError: no question of some category.
    """
    pairs_by_category = {}
    for category in categories:
        pairs: dict[tuple[str, str], None] = {}
        for (a, b, c, d), section in zip(questions, sections, strict=True):
            if section.endswith(category):
                pairs |= {(a, b): None, (c, d): None}
        if not pairs:
            raise ValueError(f"no question belongs to {category}")
        pairs_by_category[category] = list(pairs)
    return pairs_by_category


def decomposition(embedding: Embedding, pairs: Mapping[str, Pairs]) -> dict[str, Metric]:
    """The AUC of both relations, by category and averaged over the categories.

    Only pairs with both words in the vocabulary count, so that both truths are about the same words.

    Args:
        pairs: {category: pairs}, as from `verb_pairs`.

    Returns:
        syntactic, semantic: means over the categories (None if one of them keeps fewer than two pairs); categories:
        {category: {syntactic, semantic, pairs}}.
    """
    categories = {}
    for category, named in pairs.items():
        known_pairs, cosines, truths = _scored(embedding, named)
        areas = {truth: float(roc_auc_score(truths[truth], cosines)) if known_pairs > 1 else None for truth in TRUTHS}
        categories[category] = areas | {"pairs": known_pairs}
    means: dict[str, Metric] = {}
    for truth in TRUTHS:
        measured = [area for areas in categories.values() if (area := areas[truth]) is not None]
        means[truth] = float(np.mean(measured)) if len(measured) == len(categories) else None
    return means | {"categories": categories}


class PairSpace(NamedTuple):
    """The known pairs of one category in one space: cosines of all their words, whatever pairs are drawn of them.

    Attributes:
        words: int [K, 2], which word stands where.
        cosines: [2K, 2K], of the words row by row.
    """

    words: NDArray[np.int64]
    cosines: NDArray[np.floating]


def pair_space(embedding: Embedding, pairs: Pairs) -> PairSpace:
    """The pairs with both words in the vocabulary."""
    words = _known(embedding, pairs)
    directions = embedding.directions(words.reshape(-1)) if len(words) else np.zeros((0, 1))
    return PairSpace(words, directions @ directions.T)


def resampled_areas(space: PairSpace, pair_indices: NDArray[np.integer]) -> dict[str, float | None]:
    """The AUC of both relations on the pairs of these indices [K], repeated ones among them.

    A pair that was drawn twice is two rows of one verb; a word is not compared with itself. None where no two positions
    are related, or all are.
    """
    # row 0 column 0, row 0 column 1, row 1 column 0, ...
    positions = (2 * np.asarray(pair_indices)[:, None] + np.arange(2)).reshape(-1)
    first, second = np.triu_indices(len(positions), 1)
    words = space.words.reshape(-1)[positions]
    different = words[first] != words[second]
    first, second = positions[first[different]], positions[second[different]]
    ranks = rankdata(space.cosines[first, second])
    truths = {"syntactic": first % 2 == second % 2, "semantic": first // 2 == second // 2}
    return {truth: _area(ranks, related) for truth, related in truths.items()}


def _area(ranks: NDArray, related: NDArray) -> float | None:
    """The AUC of Mann and Whitney: the share of related over unrelated pairs that rank higher, ties counting half."""
    positive = int(related.sum())
    negative = len(related) - positive
    if not positive or not negative:
        return None
    return float((ranks[related].sum() - positive * (positive + 1) / 2) / (positive * negative))


def roc(embedding: Embedding, pairs: Pairs, truth: Truth) -> tuple[list[float], list[float]]:
    """False and true positive rates of one category, from threshold to threshold.

    Raises:
        ValueError: fewer than two pairs are in the vocabulary.
    """
    known_pairs, cosines, truths = _scored(embedding, pairs)
    if known_pairs < 2:
        raise ValueError(f"a ROC curve needs two pairs of words, found {known_pairs}")
    false, true, _ = roc_curve(truths[truth], cosines)
    return false.tolist(), true.tolist()


def _scored(embedding: Embedding, pairs: Pairs) -> tuple[int, NDArray, dict[Truth, NDArray]]:
    """How many pairs are known; of any two of their places that hold different words: cosine, and both truths."""
    rows = _known(embedding, pairs)
    words = rows.reshape(-1)  # row 0 column 0, row 0 column 1, row 1 column 0, ...
    first, second = np.triu_indices(len(words), 1)
    different = words[first] != words[second]
    first, second = first[different], second[different]
    directions = embedding.directions(words) if len(words) else np.zeros((0, 1))
    cosines = np.einsum("nd,nd->n", directions[first], directions[second])
    return len(rows), cosines, {"syntactic": first % 2 == second % 2, "semantic": first // 2 == second // 2}


def _known(embedding: Embedding, pairs: Pairs) -> NDArray:
    """The rows [K, 2] in the vocabulary of the pairs that are wholly there."""
    rows = embedding.rows(word for pair in pairs for word in pair).reshape(-1, 2)
    return rows[(rows >= 0).all(1)]
