"""Ranks of true entities by the vectors of TransEA: of a whole split, and what a training is judged by."""

import numpy as np

from repline.graphs.filtered_ranking import SIDES, Ranks, rank_entities
from repline.graphs.knowledge_graph import KnowledgeGraph
from repline.graphs.recipes import Norm
from repline.systems.transea.gradients import Tables
from repline.systems.transea.model import TransEA


def ranks_of(model: TransEA, graph: KnowledgeGraph, split: str) -> dict[str, Ranks]:
    """The ranks of the true heads and of the true tails of the triples of one split."""
    tables = model.tables()
    return {
        side: rank_entities(tables["entities"], tables["relations"], graph.of(split), graph.triples, side, model.norm)
        for side in SIDES
    }


def validation_mean_rank(tables: Tables, graph: KnowledgeGraph, norm: Norm, triples: int | None = None) -> float:
    """The filtered mean rank of validation triples, heads and tails; a true triple of the test is not filtered.

    Args:
        triples: rank this many, evenly spread over the split; None for all.
    """
    queries = graph.of("valid")
    if triples is not None and triples < len(queries):
        queries = queries[np.linspace(0, len(queries) - 1, triples).astype(np.int64)]
    seen = np.concatenate([graph.of("train"), graph.of("valid")])
    ranks = [rank_entities(tables.entities, tables.relations, queries, seen, side, norm).rank() for side in SIDES]
    return float(np.mean(ranks))
