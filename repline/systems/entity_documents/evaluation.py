"""F1 of probabilities of labels at 0.5 and at the thresholds that are best on dev, on resampled documents.

Every number is an array [1 + R]: first of the test documents as they are, then of each replicate's draw of them. The
thresholds are those of dev throughout.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from repline.errors import InputError, in_one_line
from repline.evaluation.evaluations import Evaluation
from repline.evaluation.multi_label import best_thresholds, multi_label_f1
from repline.evaluation.replication.weighted_draws import numbers, replicates, weights_of
from repline.systems.entity_documents.corpus import read_data
from repline.systems.entity_documents.name_vectors import VECTORS, nearest
from repline.systems.entity_documents.settings import Settings
from repline.systems.entity_documents.training import SCORES
from repline.training.convergence import not_converged
from repline.training.run import runs
from repline.vectors.store import words_and_matrix

Scores = Mapping[str, NDArray[np.float64]]


def evaluate(corpus: Path, networks: Path, linear: Path, settings: Settings) -> Evaluation:
    """F1 of all networks (`cnn`, `shuffled`) and of linear classifiers, by task and by variant or way of writing names.

    Replicates draw the test documents, the same ones for all, and the seeds. `nearest` of the details has the rows of
    `nearest_rows`.

    Args:
        corpus: the folder of the documents.
        networks: a folder with `<variant>/<task>/seed-<s>`, and `<variant>/vectors` where they are of the documents.
        linear: a folder with `<task>/<mode>.npz`.
        settings: the variants, the modes of `linear`, and the words whose neighbours are shown.

    Raises:
        InputError: documents, scores or vectors cannot be read.
    """
    results: dict[str, dict[str, dict[str, Evaluation]]] = {"cnn": {}, "linear": {}, "shuffled": {}}
    folders: dict[str, Sequence[Path]] = {}
    for variant, recipe in settings.variants.items():
        documents = read_data(corpus, recipe.mode)
        for task, gold in documents.gold.items():
            folders[f"cnn.{task}.{variant}"] = runs(networks / variant / task)
            scores = [folder / SCORES for folder in folders[f"cnn.{task}.{variant}"]]
            results["cnn"].setdefault(task, {})[variant] = evaluate_scores(scores, gold)
            results["shuffled"].setdefault(task, {})[variant] = evaluate_shuffled_scores(scores, gold)
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
    details = {"nearest": nearest_rows(networks, settings)}
    return Evaluation(evaluation.metrics, evaluation.replicates, details, not_converged(folders))


def evaluate_scores(scores: Sequence[Path], gold: Mapping[str, NDArray]) -> Evaluation:
    """F1 of several runs with replicates; scores: the file of each run; gold: by part, bool [N, C]."""
    weights = weights_of(len(gold["test"]))
    results = [classification(read_scores(path), gold, weights) for path in scores]
    return Evaluation(numbers(results), replicates(results))


def evaluate_shuffled_scores(scores: Sequence[Path], gold: Mapping[str, NDArray]) -> Evaluation:
    """A control: the F1 of several runs whose probabilities are those of other test documents, drawn at random."""
    generator = np.random.default_rng(0)
    read = [read_scores(path) for path in scores]
    shuffled = [
        {"dev": probabilities["dev"], "test": generator.permutation(probabilities["test"])} for probabilities in read
    ]
    once = np.ones((1, len(gold["test"])))
    return Evaluation(numbers([classification(probabilities, gold, once) for probabilities in shuffled]))


def nearest_rows(networks: Path, settings: Settings) -> list[dict[str, str]]:
    """The nearest words of each word in `settings.shown`, by way of writing names: `names`, `word`, `nearest`."""
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
    """Micro- and macro-F1 on test at the threshold 0.5 (`half`) and at the best thresholds of dev (`tuned`).

    Args:
        scores: probabilities of dev and test, [N, C].
        gold: labels of dev and test, bool [N, C].
        weights: [1 + R, N] of the test documents.
    """
    thresholds = best_thresholds(scores["dev"], gold["dev"])
    return {
        name: multi_label_f1(gold["test"], scores["test"] >= theta, weights)
        for name, theta in (("half", 0.5), ("tuned", thresholds))
    }


def read_scores(path: str | Path) -> dict[str, NDArray[np.float64]]:
    """Read the probabilities of dev and test that a training wrote; InputError where they are missing."""
    try:
        with np.load(path, allow_pickle=False) as scores:
            return {part: scores[part].astype(np.float64) for part in ("dev", "test")}
    except (OSError, ValueError, KeyError) as error:
        raise InputError(f"{path}: the scores cannot be read ({in_one_line(error)}); train again") from None
