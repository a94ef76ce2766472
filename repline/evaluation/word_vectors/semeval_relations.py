"""SemEval-2012 task 2: how typical a pair of words is of a relation, against the ranking by people."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from repline.evaluation.correlation import spearman
from repline.evaluation.nested_measures import Metric
from repline.evaluation.word_vectors.embedding import Embedding


@dataclass(frozen=True)
class Relation:
    """One relation: a few typical pairs, and pairs with the typicality that people give them (larger: more typical)."""

    prototypes: Sequence[tuple[str, str]]
    pairs: Sequence[tuple[str, str]]
    scores: Sequence[float]


def semeval_relations(embedding: Embedding, relations: Mapping[str, Relation]) -> dict[str, Metric]:
    """Spearman's correlation between human and relational similarity, averaged over relations.

        score(x, y) = cos(x - y, p),   p = mean over the prototypes (l, r) of l - r, of unit vectors

    "Kept" leaves out pairs and prototypes with a missing word, and relations without any left; "penalised" gives a
    missing word the mean vector, and a relation that cannot be ranked the correlation 0.

    Returns:
        spearman, spearman_penalised, relations {name: spearman or None}, pairs, kept, coverage = kept / pairs.

    Source: Jurgens et al. 2012, "SemEval-2012 Task 2"; Mikolov, Yih & Zweig 2013, section 5, for offsets and cosine.
    """
    by_relation: dict[str, float | None] = {}
    penalised, pairs, pair_count = [], 0, 0
    for name, relation in relations.items():
        scores = np.asarray(relation.scores, dtype=np.float64)
        offsets, is_known = _offsets(embedding, relation.pairs)
        prototypes, usable = _offsets(embedding, relation.prototypes)
        pairs, pair_count = pairs + len(is_known), pair_count + int(is_known.sum())
        correlation = None
        if usable.any():
            correlation = spearman(_cosines(offsets[is_known], prototypes[usable].mean(axis=0)), scores[is_known])
        by_relation[name] = correlation
        penalised.append(spearman(_cosines(offsets, prototypes.mean(axis=0)), scores) or 0.0)
    ranked = [value for value in by_relation.values() if value is not None]
    return {
        "spearman": float(np.mean(ranked)) if ranked else None,
        "spearman_penalised": float(np.mean(penalised)) if ranked else None,
        "relations": by_relation,
        "pairs": pairs,
        "kept": pair_count,
        "coverage": pair_count / pairs if pairs else 0.0,
    }


def _offsets(embedding: Embedding, pairs: Sequence[tuple[str, str]]) -> tuple[NDArray, NDArray]:
    rows = np.stack([embedding.rows(pair[side] for pair in pairs) for side in (0, 1)])
    return embedding.directions(rows[0]) - embedding.directions(rows[1]), np.asarray((rows >= 0).all(axis=0))


def _cosines(offsets: NDArray, prototype: NDArray) -> NDArray:
    lengths = np.linalg.norm(offsets, axis=1) * np.linalg.norm(prototype)
    return np.divide(offsets @ prototype, lengths, out=np.zeros(len(offsets)), where=lengths > 0)
