"""Splits of a knowledge graph: triples held out so that what is left still knows every entity and relation."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from repline.graphs.knowledge_graph import SPLITS, KnowledgeGraph, Numbers

TRAIN, VALID, TEST = range(len(SPLITS))


def split_triples(triples: NDArray, candidates: NDArray, share: float, validation: float, seed: int) -> NDArray:
    """Which split each triple belongs to: [S], indices of `SPLITS`.

    Candidates are taken in a random order until `share` of them are held out; one whose head, relation or tail would
    be left without a triple in training stays there.

    Args:
        triples: [S, 3] ids; all splits are forgotten.
        candidates: which triples may be held out, [S] bool.
        share: of the candidates, to hold out; validation: of the held-out triples, rounded.
    """
    entities, relations = np.bincount(triples[:, [0, 2]].ravel()), np.bincount(triples[:, 1])
    random = np.random.default_rng(seed)
    target, held = round(share * int(candidates.sum())), list[int]()
    for index in random.permutation(np.flatnonzero(candidates)).tolist():
        if len(held) == target:
            break
        head, relation, tail = triples[index]
        alone = 2 if head == tail else 1
        if entities[head] > alone and entities[tail] > alone and relations[relation] > 1:
            entities[head] -= 1
            entities[tail] -= 1
            relations[relation] -= 1
            held.append(index)
    split = np.full(len(triples), TRAIN, dtype=np.int64)
    split[held] = TEST
    split[random.permutation(np.array(held, dtype=np.int64))[: round(validation * len(held))]] = VALID
    return split


def hold_out_numbers(numbers: Numbers, share: float, seed: int) -> NDArray:
    """The split of each number [T]: `share` of each attribute's numbers are test, at least two stay in training."""
    random = np.random.default_rng(seed)
    split = np.full(len(numbers), TRAIN, dtype=np.int64)
    for attribute in np.unique(numbers.attribute):
        indices = np.flatnonzero(numbers.attribute == attribute)
        held = min(round(share * len(indices)), max(len(indices) - 2, 0))
        split[random.permutation(indices)[:held]] = TEST
    return split


def candidates_of(graph: KnowledgeGraph, relations: Sequence[str] | None) -> NDArray:
    """The triples whose relation is among these names [S]; all for None."""
    if relations is None:
        return np.ones(len(graph.triples), dtype=bool)
    relation_ids = [relation_id for relation_id, name in enumerate(graph.relations) if name in set(relations)]
    return np.isin(graph.triples[:, 1], relation_ids)


def unseen(graph: KnowledgeGraph) -> NDArray:
    """The triples of validation and test with an entity or relation that no triple of training has [S]."""
    train = graph.of("train")
    is_covered = np.isin(graph.triples[:, [0, 2]], train[:, [0, 2]]).all(1) & np.isin(graph.triples[:, 1], train[:, 1])
    return ~is_covered & (graph.split != TRAIN)
