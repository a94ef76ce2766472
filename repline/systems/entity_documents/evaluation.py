"""How good probabilities of labels are: F1 at 0.5 and at the thresholds that are best on dev, on resampled documents.

Every number is an array [1 + R]: first of the test documents as they are, then of each replicate's draw of them. The
thresholds are those of dev throughout.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from repline.errors import InputError
from repline.evaluation.evaluations import Evaluation
from repline.evaluation.multi_label import best_thresholds, multi_label_f1
from repline.evaluation.replication.weighted_draws import numbers, replicates, weights_of
from repline.systems.entity_documents.corpus import read_data
from repline.systems.entity_documents.name_vectors import VECTORS, nearest
from repline.systems.entity_documents.settings import Settings
from repline.systems.entity_documents.training import SCORES
from repline.training.run import runs
from repline.vectors.store import words_and_matrix

Scores = Mapping[str, NDArray[np.float64]]


def evaluate(corpus: Path, networks: Path, linear: Path, settings: Settings) -> Evaluation:
    """F1 of all networks (`cnn`) and of the linear classifiers, by task and by variant or way of writing names.

    Replicates draw the test documents, the same ones for all, and the seeds. `nearest` of the details has rows with
    `names`, `word` and `nearest`, the words that vectors of the documents have next to those of `shown`.

    Args:
        corpus: the folder of the documents.
        networks: a folder with <variant>/<task>/seed-<s>, and <variant>/vectors where they are of the documents.
        linear: a folder with <task>/<mode>.npz.
        settings: whose variants, modes of `linear` and words are looked at.

    Raises:
        InputError: documents, scores or vectors that cannot be read.
    """
    results: dict[str, dict[str, dict[str, Evaluation]]] = {"cnn": {}, "linear": {}}
    for variant, recipe in settings.variants.items():
        documents = read_data(corpus, recipe.mode)
        for task, gold in documents.gold.items():
            scores = [folder / SCORES for folder in runs(networks / variant / task)]
            results["cnn"].setdefault(task, {})[variant] = evaluate_scores(scores, gold)
    for mode in settings.linear.modes:
        documents = read_data(corpus, mode)
        for task, gold in documents.gold.items():
            name = mode.replace("-", "_").replace("+", "_")
            results["linear"].setdefault(task, {})[name] = evaluate_scores([linear / task / f"{mode}.npz"], gold)
    kinds = {
        kind: Evaluation.side_by_side({task: Evaluation.side_by_side(parts) for task, parts in tasks.items()})
        for kind, tasks in results.items()
    }
    evaluation = Evaluation.side_by_side(kinds)
    return Evaluation(evaluation.metrics, evaluation.replicates, {"nearest": nearest_rows(networks, settings)})


def evaluate_scores(scores: Sequence[Path], gold: Mapping[str, NDArray]) -> Evaluation:
    """F1 of several runs, each with its file of scores."""
    weights = weights_of(len(gold["test"]))
    results = [classification(read_scores(path), gold, weights) for path in scores]
    return Evaluation(numbers(results), replicates(results))


def nearest_rows(networks: Path, settings: Settings) -> list[dict[str, str]]:
    """The nearest words of `shown`, in every way of writing names that knows them."""
    folders = {
        (recipe.mode, recipe.vectors): networks / variant / VECTORS
        for variant, recipe in settings.variants.items()
        if recipe.vectors in ("train", "all")
    }
    rows = []
    for (mode, _), folder in sorted(folders.items()):
        words, matrix = words_and_matrix(folder)
        for word in settings.shown:
            for form in (word, f"{word}_NE"):
                if near := nearest(words, matrix, form):
                    rows.append({"names": mode, "word": form, "nearest": ", ".join(near)})
    return rows


def classification(scores: Scores, gold: Mapping[str, NDArray], weights: NDArray) -> dict[str, dict[str, NDArray]]:
    """`half` and `tuned`, each with `micro` and `macro`.

    Args:
        scores: of dev and test, [N, C].
        gold: the same, bool.
        weights: [1 + R, N] of the test documents.
    """
    thresholds = best_thresholds(scores["dev"], gold["dev"])
    return {
        name: multi_label_f1(gold["test"], scores["test"] >= theta, weights)
        for name, theta in (("half", 0.5), ("tuned", thresholds))
    }


def read_scores(path: str | Path) -> dict[str, NDArray[np.float64]]:
    """The probabilities of dev and test that a training wrote; InputError where they are not there."""
    try:
        with np.load(path, allow_pickle=False) as scores:
            return {part: scores[part].astype(np.float64) for part in ("dev", "test")}
    except (OSError, ValueError, KeyError) as error:
        raise InputError(f"{path}: the scores cannot be read ({error}); train again") from None
