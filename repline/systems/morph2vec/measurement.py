"""Measure words composed by the models of a space, and baselines: held-out words, gold morphs, words of tests."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from repline.evaluation.nested_measures import Array, Arrays, Metric
from repline.segmentation.morphology import Segmentation
from repline.segmentation.morphology.segmentation_files import Segmentations
from repline.systems.morph2vec import held_out
from repline.systems.morph2vec.baselines import NgramRidge, longest_prefix, longest_stem
from repline.systems.morph2vec.composition import Composition, compose, compose_any
from repline.systems.morph2vec.corpus import Words
from repline.systems.morph2vec.gold_segments import gold_candidates, split_words
from repline.systems.morph2vec.held_out import Nearness, nearness
from repline.systems.morph2vec.model import Morph2Vec
from repline.systems.morph2vec.settings import Ridge

Models = Mapping[str, Sequence[Morph2Vec]]  # by name, one for each seed
Measured = tuple[dict[str, Metric], Arrays]  # numbers, and replicates as arrays [R]


def held_out_words(space: Words, models: Models, ridge: Ridge) -> Measured:
    """Compare predictions of all methods with the vectors of held-out words that have known morphs.

    Methods: `mean`, the mean direction of the known words; `stem`, the longest first part among the candidates;
    `prefix`, the longest known beginning; `ridge`; and each model. With `_unseen`: the candidates are found without the
    word's own vector, and a word that has none gets the mean.

    Args:
        ridge: how `NgramRidge` is fitted.
    """
    vectors = np.asarray(space.vectors)
    rows = np.flatnonzero(space.held_out)
    training = np.flatnonzero(~space.held_out)
    candidates, blind = ([lists[row] for row in rows] for lists in (space.candidates, space.unseen))
    words = [space.words[row] for row in rows]
    index = {space.words[row]: int(row) for row in training}
    composed = {name: [compose(model, candidates) for model in runs] for name, runs in models.items()}
    usable = np.logical_and.reduce([run.is_known for runs in composed.values() for run in runs])
    mean = (vectors[training] / np.maximum(np.linalg.norm(vectors[training], axis=1, keepdims=True), 1e-12)).mean(0)

    def judged(predicted: NDArray, composable: NDArray[np.bool_]) -> Nearness:
        filled = np.where(composable[:, None], predicted, mean)
        return nearness(filled[usable], rows[usable], vectors)

    methods: dict[str, list[Nearness]] = {"mean": [judged(np.zeros((len(rows), len(mean))), np.zeros(len(rows), bool))]}
    stems = {
        "stem": longest_stem(candidates, index),
        "stem_unseen": longest_stem(blind, index),
        "prefix": longest_prefix(words, index),
    }
    for name, stem_rows in stems.items():
        methods[name] = [judged(vectors[stem_rows], stem_rows >= 0)]
    regression = NgramRidge([space.words[row] for row in training], vectors[training], ridge)
    methods["ridge"] = [judged(regression.predict(words), np.ones(len(rows), bool))]
    unseen = {name: [compose(model, blind) for model in runs] for name, runs in models.items()}
    for name in models:
        methods[name] = [judged(run.vectors, run.is_known) for run in composed[name]]
        methods[f"{name}_unseen"] = [judged(run.vectors, run.is_known) for run in unseen[name]]
    numbers: dict[str, Metric] = {name: held_out.scores(runs) for name, runs in methods.items()}
    counts = {"words": len(rows), "representable": int(usable.sum())}
    counts |= {f"{name}_found": int((runs[0].is_known & usable).sum()) for name, runs in unseen.items()}
    return numbers | counts, held_out.replicates(methods)


def gold_against_unsupervised(space: Words, models: Models, gold: Segmentations) -> Measured:
    """Held-out words composed of their gold morphs, of the candidates, and of those found without their vector.

    The words are those that gold cuts and whose morphs all models know.

    Returns:
        {model: {gold, unsupervised, unseen: scores}, words}.
    """
    rows = np.flatnonzero(space.held_out)
    gold_lists = gold_candidates(gold, [space.words[row] for row in rows])
    ways = {
        "gold": gold_lists,
        "unsupervised": [space.candidates[row] for row in rows],
        "unseen": [space.unseen[row] for row in rows],
    }
    composed = {
        name: {way: [compose(model, lists) for model in runs] for way, lists in ways.items()}
        for name, runs in models.items()
    }
    usable = split_words(gold_lists)
    for runs_by_way in composed.values():
        usable = np.logical_and.reduce([usable, *(run.is_known for runs in runs_by_way.values() for run in runs)])
    numbers: dict[str, Metric] = {"words": int(usable.sum())}
    if not usable.any():
        return numbers, {}
    repeated: dict[str, Array] = {}
    for name, runs_by_way in composed.items():
        methods = {
            way: [nearness(run.vectors[usable], rows[usable], space.vectors) for run in runs]
            for way, runs in runs_by_way.items()
        }
        numbers[name] = {way: held_out.scores(runs) for way, runs in methods.items()}
        repeated[name] = held_out.replicates(methods)
    return numbers, repeated


def attended_segmentations(space: Words, models: Models) -> dict[str, list[Segmentation]]:
    """The candidate with the largest weight of each held-out word, by each model of the first seed."""
    rows = np.flatnonzero(space.held_out)
    lists = [space.candidates[row] for row in rows]
    return {name: compose(runs[0], lists).segmentations for name, runs in models.items()}


def composed_words(
    space: Words,
    words: Sequence[str],
    models: Models,
    unseen: Callable[[str], Any],
    supervised: Callable[[str], Any] | None,
    tested: Sequence[str],
) -> dict[str, list[NDArray]]:
    """The vectors of words by each model, [W, d] for each seed, zeros where there is none.

    Args:
        words: W, those of the space among them.
        unseen: gives the candidates of a word outside the space.
        supervised: gives the segmentations of a tested word by a list; `<model>_supervised` has those words from it.
        tested: those words.
    """
    vectors: dict[str, list[NDArray]] = {}
    row_of_word = {word: row for row, word in enumerate(words)}
    tested_rows = [row_of_word[word] for word in tested]
    for name, runs in models.items():
        vectors[name] = [compose_any(model, words, space, unseen).vectors for model in runs]
        if supervised is None:
            continue
        vectors[f"{name}_supervised"] = []
        for model, matrix in zip(runs, vectors[name], strict=True):
            composed: Composition = compose(model, [supervised(word)[:1] for word in tested])
            replaced = matrix.copy()
            replaced[tested_rows] = composed.vectors
            vectors[f"{name}_supervised"].append(replaced)
    return vectors


def morph_vectors(models: Models, names: Sequence[str]) -> dict[str, list[NDArray]]:
    """The rows of some morphs in the tables of the models: [names, e] for each seed."""
    vectors: dict[str, list[NDArray]] = {}
    for name, runs in models.items():
        vectors[name] = []
        for model in runs:
            rows = {morph: row for row, morph in enumerate(model.morphs)}
            vectors[name].append(model.table.weight.detach().numpy()[[rows[morph] for morph in names]])
    return vectors
