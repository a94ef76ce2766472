"""Compare candidate segmentations with gold ones: precision, recall and F1 of cuts, and gold candidates of words."""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from repline.evaluation.nested_measures import Arrays, Metric
from repline.evaluation.replication.weighted_draws import draws
from repline.segmentation.morphology import Segmentation
from repline.segmentation.morphology.boundaries import best_of, boundary_counts, boundary_f1
from repline.segmentation.morphology.segmentation_files import Segmentations
from repline.systems.morph2vec.corpus import Words


def cut_quality(
    gold: Segmentations, space: Words, selected: Mapping[str, Sequence[Segmentation]]
) -> tuple[dict[str, Metric], Arrays]:
    """Precision, recall and F1 of cuts of the held-out words that gold has.

    The methods: `first`, the best candidate by cosines; `unseen`, the same without the word's own vector; `best`, what
    a perfect choice among the candidates would reach; and each of `selected`.

    Args:
        selected: by the name of a method, a segmentation of each held-out word, empty where there is none.

    Returns:
        {method: {precision, recall, f1}, words} and the replicates, arrays [R].
    """
    rows = np.flatnonzero(space.held_out)
    words = [space.words[row] for row in rows]
    options = {space.words[row]: space.candidates[row] for row in rows}
    methods = {
        "first": {word: many[0] for word, many in options.items()},
        "unseen": {space.words[row]: next(iter(space.unseen[row]), (space.words[row],)) for row in rows},
        "best": best_of(gold, options),
    }
    for name, segmentations in selected.items():
        methods[name] = {word: morphs or (word,) for word, morphs in zip(words, segmentations, strict=True)}
    shared = {word: gold[word] for word in words if word in gold}
    counts = {name: boundary_counts(shared, cuts) for name, cuts in methods.items()}
    numbers: dict[str, Metric] = {name: boundary_f1(counted) for name, counted in counts.items()}
    weights = draws(len(shared)) if shared else np.zeros((0, 0), dtype=np.int64)
    repeated = {name: boundary_f1(counted, weights) for name, counted in counts.items()} if shared else {}
    return numbers | {"words": len(shared)}, repeated


def gold_candidates(gold: Segmentations, words: Sequence[str]) -> list[list[Segmentation]]:
    """The first gold segmentation of each word as its only candidate; none for a word that gold lacks."""
    return [gold[word][:1] if word in gold else [] for word in words]


def split_words(segmentations: Sequence[Sequence[Segmentation]]) -> NDArray[np.bool_]:
    """Whether the first segmentation of each word has a cut [n]."""
    return np.array([bool(many) and len(many[0]) > 1 for many in segmentations], dtype=bool)
