"""Replies, inference, similarity and questions: every variant, chance, and a ranker by TF-IDF."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from repline.evaluation.evaluations import Evaluation, Metrics
from repline.evaluation.replication.bootstrap import merge_replicates, side_by_side
from repline.evaluation.replication.seed_means import mean_of_runs
from repline.systems.conversations.corpus import Inference, Turns, turn_numbers
from repline.systems.conversations.encoder import load
from repline.systems.conversations.measures import (
    correct_labels,
    mean_map,
    model_ranks,
    ranked_conversations,
    resampled_accuracy,
    resampled_map,
    resampled_responses,
    resampled_similarity,
    similarity_metrics,
    word_overlap_ranks,
)
from repline.systems.conversations.pair_tests import UNTUNED, Measured
from repline.systems.conversations.question_ranking import average_precisions, expected_in_random_order
from repline.systems.conversations.response_ranking import chance, precisions
from repline.systems.conversations.settings import Settings
from repline.training.convergence import not_converged


def evaluate(
    settings: Settings,
    turns: Turns,
    inference: Inference,
    groups: Sequence[str],
    models: Mapping[str, Sequence[Path]],
    measured: Mapping[str, Measured],
) -> Evaluation:
    """Metrics of every method: `responses`, `inference`, and `similarity` or `questions` of every test.

    Further keys of the metrics are `chance` and `counts`, by test the number of sentences without a known word.

    Args:
        turns: the reply of each test message is searched among theirs.
        groups: of each test pair of inference, of `repline.systems.conversations.corpus.inference_groups`.
        models: by variant, the folder of each seed's model.
        measured: by the name of a test in `settings.tests`, of `repline.systems.conversations.pair_similarities`.
    """
    parts = {
        variant: [evaluate_models(folders, settings, turns, inference, groups)] for variant, folders in models.items()
    }
    for test, similarities in measured.items():
        kind = settings.tests[test].kind
        methods = evaluate_questions(similarities) if kind == "questions" else evaluate_similarity(similarities)
        for method, evaluation in methods.items():
            named = Evaluation.side_by_side({kind: Evaluation.side_by_side({test: evaluation})})
            parts.setdefault(method, []).append(named)
    ranks = word_overlap_ranks(turns, candidates=settings.candidates, seed=settings.shuffle)
    parts.setdefault("tfidf", []).append(_responses([ranks], settings, turns))
    metrics: Metrics = {
        method: merge_replicates(*([evaluation.metrics] for evaluation in evaluations))[0]
        for method, evaluations in parts.items()
    }
    replicates = {
        method: merge_replicates(*(evaluation.replicates for evaluation in evaluations))
        for method, evaluations in parts.items()
    }
    metrics["chance"] = {"responses": chance(settings.candidates, len(turns.of_split("test")))}
    metrics["counts"] = {test: {"unknown": dict(similarities.unknown)} for test, similarities in measured.items()}
    trained = {variant: folders for variant, folders in models.items() if settings.variants[variant].task != "none"}
    unfinished = not_converged(trained, "validation_loss")
    return Evaluation(metrics, side_by_side(**replicates), not_converged=unfinished)


def evaluate_models(
    folders: Sequence[Path], settings: Settings, turns: Turns, inference: Inference, groups: Sequence[str]
) -> Evaluation:
    """Ranks of the true replies, and accuracy of inference, of the models of a variant."""
    ranks, correct = [], []
    for folder in folders:
        model = load(folder).model
        numbers = turn_numbers(turns, model.words)
        ranks.append(model_ranks(model, numbers, turns, candidates=settings.candidates, seed=settings.shuffle))
        if model.labels:
            correct.append(correct_labels(model, inference))
    responses = _responses(ranks, settings, turns)
    if not correct:
        return responses
    labels = inference.numbers("test")
    accuracy = {
        "accuracy": float(np.mean(correct)),
        "seeds": [float(seed_correct.mean()) for seed_correct in correct],
        "most_frequent": float(labels.bincount().max() / len(labels)),
    }
    return Evaluation(
        responses.metrics | {"inference": accuracy},
        merge_replicates(responses.replicates, side_by_side(inference=resampled_accuracy(correct, groups))),
    )


def evaluate_similarity(measured: Measured) -> dict[str, Evaluation]:
    """Correlations of every method's similarities with the scores of the pairs."""
    return {
        method: Evaluation(
            mean_of_runs([similarity_metrics(run, measured.gold, measured.groups) for run in runs]),
            resampled_similarity(runs, measured.gold, measured.groups),
        )
        for method, runs in measured.runs.items()
    }


def evaluate_questions(measured: Measured) -> dict[str, Evaluation]:
    """MAP of every encoder, of the file's order (a search engine's), of random order and of the best order."""
    good = {split: values > 0 for split, values in measured.gold.items()}
    groups = {split: names.tolist() for split, names in measured.groups.items()}

    def precision(scores: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
        return {split: average_precisions(groups[split], good[split], values) for split, values in scores.items()}

    runs = {method: [precision(run[UNTUNED]) for run in seed_runs] for method, seed_runs in measured.runs.items()}
    runs["search_engine"] = [precision({split: np.zeros(len(values)) for split, values in good.items()})]
    runs["best"] = [precision(measured.gold)]
    runs["random"] = [{split: expected_in_random_order(groups[split], good[split]) for split in good}]
    return {
        method: Evaluation(mean_of_runs(mean_map(seed_runs)), resampled_map(seed_runs))
        for method, seed_runs in runs.items()
    }


def _responses(runs: Sequence[Mapping[str, np.ndarray]], settings: Settings, turns: Turns) -> Evaluation:
    """P@N of ranks of the true replies, a mapping by source for each run."""
    means = mean_of_runs([{source: precisions(ranks) for source, ranks in run.items()} for run in runs])
    conversations = ranked_conversations(turns, candidates=settings.candidates, seed=settings.shuffle)
    return Evaluation({"responses": means}, side_by_side(responses=resampled_responses(runs, conversations)))
