"""Mean average precision and precision at k of the forms of a morpheme as each other's nearest neighbours."""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from repline.evaluation.nested_measures import Array, Arrays, Metric
from repline.evaluation.replication.weighted_draws import draws, mean_of_drawn_runs, mean_of_draws

CHANCE = 20  # random orders


def average_precision(neighbours: Sequence[str], forms: frozenset[str] | set[str]) -> float:
    """AP@k of a form's neighbours, k the number of its other forms.

        AP@k = (1/k) Σ_{r ≤ k} [neighbour r is a form] precision@r

    >>> average_precision(["y", "q"], {"y", "z"}), average_precision(["q", "y"], {"y", "z"})
    (0.5, 0.25)

    Args:
        neighbours: the nearest first; those after k do not count.
        forms: the k other forms of the morpheme.
    """
    total, hits = 0.0, 0
    for rank, neighbour in enumerate(neighbours[: len(forms)], start=1):
        if neighbour in forms:
            hits += 1
            total += hits / rank
    return total / len(forms)


def clusters(
    sets: Mapping[str, Sequence[str]], names: Sequence[str], runs: Sequence[NDArray]
) -> tuple[NDArray, NDArray]:
    """AP@k and precision@k of each set in each run, the means over its forms: [runs, sets] each.

    Args:
        sets: forms by label, two or more of each among the names; see `present`.
        names: M morphs, those that may be neighbours.
        runs: their vectors [M, e], one matrix a run.
    """
    rows = {name: row for row, name in enumerate(names)}
    precise, share = np.zeros((len(runs), len(sets))), np.zeros((len(runs), len(sets)))
    for run, vectors in enumerate(runs):
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
        unit = np.divide(vectors, lengths, out=np.zeros(vectors.shape), where=lengths > 0)
        for column, forms in enumerate(sets.values()):
            form_hits = []
            for form in forms:
                near = unit @ unit[rows[form]]
                near[rows[form]] = -np.inf
                other_forms = set(forms) - {form}
                nearest = [names[row] for row in _highest(near, len(other_forms))]
                precision = len(other_forms & set(nearest)) / len(other_forms)
                form_hits.append((average_precision(nearest, other_forms), precision))
            precise[run, column], share[run, column] = np.mean(form_hits, axis=0)
    return precise, share


def present(sets: Mapping[str, Sequence[str]], names: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """Reduce sets to the forms that are among the names, and drop sets with fewer than two of them."""
    names_set = set(names)
    present_forms = {label: tuple(form for form in forms if form in names_set) for label, forms in sets.items()}
    return {label: forms for label, forms in present_forms.items() if len(forms) > 1}


def allomorph_test(
    sets: Mapping[str, Sequence[str]], names: Sequence[str], methods: Mapping[str, Sequence[NDArray]]
) -> tuple[dict[str, Metric], Arrays]:
    """Mean average precision and precision at k of each method, and by chance, over the sets that the names have.

    Returns:
        {method: {map, precision}, chance: {map}, sets, forms, names} and replicates over drawn sets and runs, arrays
        [R]; the draws of chance are no runs, and all count in each.
    """
    present_sets = present(sets, names)
    numbers: dict[str, Metric] = {
        "sets": len(present_sets),
        "forms": sum(map(len, present_sets.values())),
        "names": len(names),
    }
    repeated: dict[str, Array] = {}
    if not present_sets:
        return numbers, repeated
    weights = draws(len(present_sets))
    rng = np.random.default_rng(0)
    by_chance = [rng.normal(size=(len(names), 8)) for _ in range(CHANCE)]
    for name, runs in {**methods, "chance": by_chance}.items():
        measured = dict(zip(("map", "precision"), clusters(present_sets, names, runs), strict=True))
        numbers[name] = {measure: float(values.mean(0).mean()) for measure, values in measured.items()}
        repeated[name] = {
            measure: mean_of_draws(values.mean(0), weights)
            if runs is by_chance
            else mean_of_drawn_runs([mean_of_draws(run_values, weights) for run_values in values])
            for measure, values in measured.items()
        }
    return numbers, repeated


def neighbours(names: Sequence[str], vectors: NDArray, forms: Sequence[str], k: int) -> dict[str, list[str]]:
    """The k nearest morphs of each form; forms that are not among the names are left out."""
    rows = {name: row for row, name in enumerate(names)}
    unit = vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-12)
    nearest = {}
    for form in forms:
        if form in rows:
            near = unit @ unit[rows[form]]
            near[rows[form]] = -np.inf
            nearest[form] = [names[row] for row in _highest(near, k)]
    return nearest


def _highest(values: NDArray, k: int) -> NDArray[np.int64]:
    """The indices of the k highest values, the highest first."""
    indices = np.argpartition(-values, min(k, len(values) - 1))[:k]
    return indices[np.argsort(-values[indices], kind="stable")]
