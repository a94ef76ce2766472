"""What a trained model predicts, as numbers and on resampled test items: links by rank, attributes by error.

Every number is computed for many weights of the test items at once, [R]: the first row counts each item once and gives
the number itself, the others are replicates. Runs (seeds) are drawn, too.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from repline.evaluation.replication.bootstrap import REPLICATES
from repline.evaluation.replication.weighted_draws import as_parts, draws, mean_of_drawn_runs, mean_of_draws
from repline.graphs.filtered_ranking import SIDES, Ranks, rank_entities
from repline.graphs.knowledge_graph import KnowledgeGraph, Numbers
from repline.graphs.rank_measures import CATEGORIES, means, measures_of_ranks, relation_categories
from repline.systems.transea.model import TransEA


def weights_of(items: int, replicates: int = REPLICATES) -> NDArray[np.int64]:
    """[1 + R, items]: once everything as it is, then what each replicate draws."""
    if not items:
        return np.ones((1 + replicates, 0), dtype=np.int64)
    return np.concatenate([np.ones((1, items), dtype=np.int64), draws(items, replicates)])


def ranks_of(model: TransEA, graph: KnowledgeGraph, split: str) -> dict[str, Ranks]:
    """The ranks of the triples of one split, asked for their heads and for their tails."""
    tables = model.tables()
    return {
        side: rank_entities(tables["entities"], tables["relations"], graph.of(split), graph.triples, side, model.norm)
        for side in SIDES
    }


def link_prediction(ranks: Mapping[str, Ranks], graph: KnowledgeGraph, weights: NDArray) -> dict[str, Any]:
    """All measures of the test triples: raw and filtered by side, filtered by category; [R] each.

    Args:
        ranks: by side, of the test triples.
        weights: [R, Q].
    """
    by_side = {side: measures_of_ranks(ranks[side]) for side in SIDES}
    found = means(by_side, weights)
    category = relation_categories(graph.triples, len(graph.relations))[graph.of("test")[:, 1]]
    found["categories"] = {
        name: {
            side: {
                measure: mean_of_draws(by_side[side]["filtered"][measure], weights * (category == place))
                for measure in ("hits_10", "paper_hits_10", "mr")
            }
            for side in SIDES
        }
        for place, name in enumerate(CATEGORIES)
    }
    return found


def errors(model: TransEA, numbers: Numbers) -> NDArray[np.float64]:
    """|ρ| of each number [T]."""
    with torch.inference_mode():
        predicted = model.predict(torch.from_numpy(numbers.entity), torch.from_numpy(numbers.attribute))
    return np.abs(predicted.numpy().astype(float) - numbers.value)


def median_errors(graph: KnowledgeGraph, split: str) -> NDArray[np.float64]:
    """The errors [T] of the median of each attribute's numbers in training."""
    train, asked = graph.numbers.of("train"), graph.numbers.of(split)
    medians = np.zeros(len(graph.attributes))
    for attribute in np.unique(train.attribute):
        medians[attribute] = np.median(train.value[train.attribute == attribute])
    return np.abs(medians[asked.attribute] - asked.value)


def numbers_of_runs(runs: Sequence[Any]) -> Any:
    """The means over runs of what the first weights gave: arrays [1 + R] become numbers, or None."""
    if isinstance(runs[0], Mapping):
        return {name: numbers_of_runs([run[name] for run in runs]) for name in runs[0]}
    mean = float(np.mean([run[0] for run in runs]))
    return None if np.isnan(mean) else mean


def replicates_of_runs(runs: Sequence[Any]) -> list[dict[str, Any]]:
    """The same of the other weights, with the runs drawn anew in every replicate."""
    return as_parts(_drawn(runs))


def _drawn(runs: Sequence[Any]) -> Any:
    if isinstance(runs[0], Mapping):
        return {name: _drawn([run[name] for run in runs]) for name in runs[0]}
    return mean_of_drawn_runs([run[1:] for run in runs])
