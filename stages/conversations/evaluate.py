"""data/models/conversations, what tests measured -> data/evaluation/conversations: metrics, claims, figures, plots."""

from pathlib import Path
from typing import Any

import numpy as np

from repline.cards import read_card
from repline.evaluation.replication.bootstrap import side_by_side, together
from repline.evaluation.replication.seed_means import mean_of_runs
from repline.systems.conversations.corpus import Inference, Turns, read_inference, read_turns, turn_numbers
from repline.systems.conversations.encoder import load
from repline.systems.conversations.evaluation import (
    inferred_right,
    mean_map,
    model_ranks,
    resampled_accuracy,
    resampled_map,
    resampled_responses,
    resampled_similarity,
    similarity_metrics,
    word_overlap_ranks,
)
from repline.systems.conversations.pair_tests import UNTUNED, Measured, read_measured
from repline.systems.conversations.question_ranking import average_precisions, expected_in_random_order
from repline.systems.conversations.response_ranking import chance, precisions
from repline.systems.conversations.settings import Settings, read
from stages import run
from stages.conclusion import conclude
from stages.conversations.figures import figures, plots
from stages.conversations.places import CORPORA, MEASURED, MODELS

Part = tuple[dict[str, Any], list[dict[str, Any]]]  # metrics and replicates


def main() -> None:
    settings = read()
    turns = read_turns({name: CORPORA / name for name in settings.sources})
    inference = read_inference(Path("data") / settings.inference)
    parts: dict[str, list[Part]] = {name: [_of_models(settings, name, turns, inference)] for name in settings.variants}
    counts: dict[str, Any] = {name: read_card(CORPORA / name)["counts"] for name in settings.sources}
    for name, test in settings.tests.items():
        measured = read_measured(MEASURED / f"{name}.npz")
        counts[name] = {"unknown": {split: int(count) for split, count in measured.unknown.items()}}
        found = _questions(measured) if test.kind == "questions" else _similarity(measured)
        for method, (metrics, repeated) in found.items():
            again = side_by_side(**{test.kind: side_by_side(**{name: repeated})})
            parts.setdefault(method, []).append(({test.kind: {name: metrics}}, again))
    ranks = word_overlap_ranks(turns, candidates=settings.candidates, seed=settings.shuffle)
    words = {"responses": {name: precisions(values) for name, values in ranks.items()}}
    parts.setdefault("tfidf", []).append((words, side_by_side(responses=resampled_responses([ranks]))))
    metrics = {method: together(*([one] for one, _ in found))[0] for method, found in parts.items()}
    repeated = side_by_side(**{method: together(*(again for _, again in found)) for method, found in parts.items()})
    metrics["chance"] = {"responses": chance(settings.candidates)}
    metrics["counts"] = counts
    conclude("conversations", metrics, figures(metrics), plots(metrics), repeated)


def _of_models(settings: Settings, variant: str, turns: Turns, inference: Inference) -> Part:
    """What needs the models themselves: replies, and the labels of inference."""
    runs, right = [], []
    for seed in settings.seeds:
        model = load(MODELS / variant / f"seed-{seed}").model
        numbers = turn_numbers(turns, model.words)
        runs.append(model_ranks(model, numbers, turns, candidates=settings.candidates, seed=settings.shuffle))
        if model.labels:
            right.append(inferred_right(model, inference))
    metrics = {"responses": mean_of_runs([{name: precisions(ranks) for name, ranks in run.items()} for run in runs])}
    repeated = {"responses": resampled_responses(runs)}
    if right:
        labels = inference.numbers("test")
        metrics["inference"] = {
            "accuracy": float(np.mean(right)),
            "seeds": [float(one.mean()) for one in right],
            "most_frequent": float(labels.bincount().max() / len(labels)),
        }
        repeated["inference"] = resampled_accuracy(right)
    return metrics, side_by_side(**repeated)


def _similarity(measured: Measured) -> dict[str, Part]:
    return {
        method: (
            mean_of_runs([similarity_metrics(one, measured.gold, measured.groups) for one in runs]),
            resampled_similarity(runs, measured.gold, measured.groups),
        )
        for method, runs in measured.runs.items()
    }


def _questions(measured: Measured) -> dict[str, Part]:
    """MAP of every encoder, of the order of the file (a search engine's), of a random one and the best there is."""
    good = {split: values > 0 for split, values in measured.gold.items()}
    runs = {
        method: [
            {
                split: average_precisions(measured.groups[split], good[split], values)
                for split, values in one[UNTUNED].items()
            }
            for one in of_seeds
        ]
        for method, of_seeds in measured.runs.items()
    }
    flat = {split: np.zeros(len(values)) for split, values in good.items()}
    for method, orders in (("search_engine", flat), ("best", measured.gold)):
        runs[method] = [
            {split: average_precisions(measured.groups[split], good[split], orders[split]) for split in good}
        ]
    runs["random"] = [{split: expected_in_random_order(measured.groups[split], good[split]) for split in good}]
    return {method: (mean_of_runs(mean_map(found)), resampled_map(found)) for method, found in runs.items()}


if __name__ == "__main__":
    run(main)
