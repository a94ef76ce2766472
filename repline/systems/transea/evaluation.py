"""Link prediction by rank and attribute prediction by error, also on resampled test items.

Every number is computed for many weights of the test items at once, [R]: the first row counts each item once and gives
the number itself, the others are replicates. Runs (seeds) are drawn, too.
"""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, TypedDict

import numpy as np
import torch
from numpy.typing import NDArray

from repline.evaluation.evaluations import Evaluation, Metrics
from repline.evaluation.nested_measures import Metric
from repline.evaluation.replication.bootstrap import side_by_side
from repline.evaluation.replication.units import pair_units, weights_of_units
from repline.evaluation.replication.weighted_draws import as_parts, mean_of_draws, numbers, replicates, weights_of
from repline.graphs.filtered_ranking import SIDES, Ranks
from repline.graphs.knowledge_graph import KnowledgeGraph, Numbers, counts
from repline.graphs.rank_measures import CATEGORIES, BySide, means, measures_of_ranks, relation_categories
from repline.pretrained import pretrained
from repline.systems.transea.model import TransEA
from repline.systems.transea.ranking import ranks_of
from repline.systems.transea.training import best_check

MAX_SHOWN_RELATIONS = 40  # those with the most test triples


def evaluate(graph: KnowledgeGraph, models: Mapping[str, Sequence[Path]]) -> Evaluation:
    """Ranks of links and errors of numbers of every variant on one graph, next to the medians of the attributes.

    A replicate draws entities, with their test triples: triples that share an entity are not independent.

    Args:
        models: by variant, the folder of each seed's model.

    Returns:
        metrics: `graph`, its counts; `medians`; and by variant the measures of `link_prediction`, those of the
        validation triples (`valid`, by which knobs are to be chosen), errors and seeds. Details: `relations`, by
        relation and variant what `relation_scores` gives of each seed.

    Raises:
        InputError: a folder holds no model.
    """
    weights = weights_of_units(pair_units(*graph.of("test")[:, [0, 2]].T.astype(str).tolist()))
    number_weights = weights_of(len(graph.numbers.of("test")))
    medians = median_scores(graph, number_weights)
    metrics: Metrics = {"graph": counts(graph), "medians": numbers([medians])}
    replicates_by_name = {"medians": as_parts({name: values[1:] for name, values in medians.items()})}
    relations: dict[str, dict[str, list[Any]]] = {}
    for variant, folders in models.items():
        runs, mean_ranks = list[Mapping[str, object]](), list[float]()
        for folder in folders:
            model = pretrained(TransEA, folder)
            ranks = ranks_of(model, graph, "test")
            link_scores = link_prediction(ranks, graph, weights)
            valid = validation_scores(model, graph, len(weights))
            runs.append({**link_scores, "valid": valid, **number_scores(model, graph, number_weights)})
            mean_ranks.append(float(link_scores["filtered"]["all"]["mr"][0]))
            for relation, scores in relation_scores(ranks, graph).items():
                relations.setdefault(relation, {}).setdefault(variant, []).append(scores)
        metrics[variant] = numbers(runs) | {
            "seeds": len(runs),
            "runs_mr": mean_ranks,
            "training": training_metrics(folders),
        }
        replicates_by_name[variant] = replicates(runs)
    return Evaluation(metrics, side_by_side(**replicates_by_name), {"relations": relations})


def training_metrics(folders: Sequence[Path]) -> dict[str, Metric]:
    """The rate and the alpha that were chosen, the best and the last epoch of each run, and whether all stopped.

    Returns:
        `unfinished`: how many runs had the best ranks of the validation triples last, and might have gone on.
    """
    records = [json.loads((folder / "training.json").read_text(encoding="utf-8")) for folder in folders]
    settings, histories = records[0]["settings"], [record["history"] for record in records]
    best = [int(best_check(history)["epoch"]) for history in histories]
    epochs = [int(history[-1]["epoch"]) for history in histories]
    checked = "validation_mean_rank" in histories[0][-1]
    return {
        "learning_rate": settings["learning_rate"],
        "alpha": settings["alpha"],
        "best_epochs": best,
        "epochs": epochs,
        "unfinished": sum(first == last for first, last in zip(best, epochs, strict=True)) if checked else 0,
        "tried": records[0]["tried"],
    }


class LinkPrediction(TypedDict):
    """Measures of predicted links: raw and filtered, and filtered by the category of the relation."""

    raw: BySide
    filtered: BySide
    categories: dict[str, BySide]


def link_prediction(ranks: Mapping[str, Ranks], graph: KnowledgeGraph, weights: NDArray) -> LinkPrediction:
    """All measures of the test triples: raw and filtered by side, filtered by category; [R] each.

    Args:
        ranks: by side, of the test triples.
        weights: [R, Q].
    """
    by_side = {side: measures_of_ranks(ranks[side]) for side in SIDES}
    measures = means(by_side, weights)
    category = relation_categories(graph.triples, len(graph.relations))[graph.of("test")[:, 1]]
    categories: dict[str, BySide] = {
        name: {
            side: {
                measure: mean_of_draws(by_side[side]["filtered"][measure], weights * (category == number))
                for measure in ("hits_10", "paper_hits_10", "mr")
            }
            for side in SIDES
        }
        for number, name in enumerate(CATEGORIES)
    }
    return {"raw": measures["raw"], "filtered": measures["filtered"], "categories": categories}


def errors(model: TransEA, numbers: Numbers) -> NDArray[np.float64]:
    """The absolute error |ρ| of each number [T]."""
    with torch.inference_mode():
        predicted = model.predict(torch.from_numpy(numbers.entity), torch.from_numpy(numbers.attribute))
    return np.abs(predicted.numpy().astype(float) - numbers.value)


def median_errors(graph: KnowledgeGraph, split: str) -> NDArray[np.float64]:
    """The errors [T] of the median of each attribute's numbers in training."""
    train, numbers = graph.numbers.of("train"), graph.numbers.of(split)
    medians = np.zeros(len(graph.attributes))
    for attribute in np.unique(train.attribute):
        medians[attribute] = np.median(train.value[train.attribute == attribute])
    return np.abs(medians[numbers.attribute] - numbers.value)


def validation_scores(model: TransEA, graph: KnowledgeGraph, rows: int) -> dict[str, NDArray[np.float64]]:
    """Filtered mean rank and MRR of the validation triples, the same in every replicate; none without such triples."""
    if not len(graph.of("valid")):
        return {}
    both = np.concatenate([ranks.rank() for ranks in ranks_of(model, graph, "valid").values()])
    return {"mr": np.full(rows, both.mean()), "mrr": np.full(rows, (1 / both).mean())}


def number_scores(model: TransEA, graph: KnowledgeGraph, weights: NDArray) -> dict[str, NDArray[np.float64]]:
    """Mean errors of the numbers of training and test: [R] each; none for a model without attributes."""
    if not len(model.biases):
        return {}
    train, test = (errors(model, graph.numbers.of(split)) for split in ("train", "test"))
    return {"train_mae": np.full(len(weights), train.mean()), "test_mae": mean_of_draws(test, weights)}


def median_scores(graph: KnowledgeGraph, weights: NDArray) -> dict[str, NDArray[np.float64]]:
    """Mean errors of the median of each attribute: [R] each, NaN without numbers."""
    train = median_errors(graph, "train")
    return {
        "test_mae": mean_of_draws(median_errors(graph, "test"), weights),
        "train_mae": np.full(len(weights), train.mean() if len(train) else np.nan),
    }


def relation_scores(ranks: Mapping[str, Ranks], graph: KnowledgeGraph) -> dict[str, dict[str, float]]:
    """Filtered hits at 10 and mean rank, both sides, of the relations with the most test triples, by name."""
    relation = graph.of("test")[:, 1]
    triples = np.bincount(relation, minlength=len(graph.relations))
    scores = {}
    for number in np.argsort(-triples, kind="stable")[:MAX_SHOWN_RELATIONS].tolist():
        if triples[number]:
            both = np.concatenate([ranks[side].rank()[relation == number] for side in SIDES])
            shares = {"hits_10": float((both <= 10).mean()), "mr": float(both.mean())}
            scores[graph.relations[number]] = shares | {"triples": int(triples[number])}
    return scores
