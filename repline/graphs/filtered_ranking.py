"""Link prediction: the rank of the true entity among all entities by distance, raw and filtered, ties counted.

A query is a point q = h + r (tails) or q = t - r (heads), and its candidates are all entity vectors e by ‖q - e‖. One
compiled loop goes over blocks of entities, whose distances to a query lie in the first-level cache; no [queries, n]
matrix is ever made, so memory is that of the vectors and of the answers. Sums run over the dimensions in their order
for every entity alike, so that equal vectors tie exactly, and the result is the same on every processor.

Notation: n entities, m relations, d dimensions, Q queries.
"""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numba import njit
from numpy.typing import NDArray

from repline.caches.compiled_loops import ON_DISK
from repline.errors import InputError
from repline.graphs.recipes import Norm

Side = Literal["head", "tail"]
SIDES: tuple[Side, ...] = ("head", "tail")
BLOCK = 512  # entities whose distances to one query are computed at a time


@dataclass
class Ranks:
    """Counts of candidates ranked before the true entity and tied with it, [Q] each.

    Attributes:
        before, ties: among all entities (raw).
        known_before, known_ties: among the other entities that form a true triple, which the filter takes away.
    """

    before: NDArray[np.int64]
    ties: NDArray[np.int64]
    known_before: NDArray[np.int64]
    known_ties: NDArray[np.int64]

    def rank(self, filtered: bool = True, ties: Literal["mean", "optimistic", "pessimistic"] = "mean") -> NDArray:
        """Ranks from 1 [Q] float: 1 + before, plus half of the ties, none or all of them."""
        before, tied = self.before, self.ties
        if filtered:
            before, tied = before - self.known_before, tied - self.known_ties
        return 1.0 + before + {"mean": 0.5, "optimistic": 0.0, "pessimistic": 1.0}[ties] * tied


def rank_entities(
    entities: NDArray, relations: NDArray, triples: NDArray, true_triples: NDArray, side: Side, norm: Norm
) -> Ranks:
    """Rank the head or the tail of every triple among all entities.

    Args:
        entities: [n, d]; relations: [m, d] of the same float type.
        triples: [Q, 3], (head, relation, tail).
        true_triples: [K, 3], all triples that are true: those of training, validation and test.
        side: which end is to be predicted.
        norm: L1 or L2; squared ranks as L2.

    Raises:
        InputError: a vector that is not finite.
    """
    if not (np.isfinite(entities).all() and np.isfinite(relations).all()):
        raise InputError("a vector of an entity or relation is not finite, so nothing can be ranked; train it again")
    given_column, asked_column = (0, 2) if side == "tail" else (2, 0)
    shift = relations[triples[:, 1]] * (1 if side == "tail" else -1)
    queries = entities[triples[:, given_column]] + shift.astype(entities.dtype)  # [Q, d]
    starts, answers = _known_answers(triples, true_triples, given_column, asked_column, len(entities))
    columns = np.ascontiguousarray(entities.T)  # [d, n]
    truth = np.ascontiguousarray(triples[:, asked_column])
    counted = np.zeros((4, len(triples)), dtype=np.int64)
    _count(queries, columns, truth, starts, answers, norm == "L1", counted)
    return Ranks(*counted)


def _known_answers(
    triples: NDArray, true_triples: NDArray, given_column: int, asked_column: int, n: int
) -> tuple[NDArray, NDArray]:
    """All true answers to each query: those of query i are `answers[starts[i, 0] : starts[i, 1]]`."""
    key = true_triples[:, 1] * n + true_triples[:, given_column]
    order = np.lexsort((true_triples[:, asked_column], key))
    key, answers = key[order], true_triples[order, asked_column]
    query_keys = triples[:, 1] * n + triples[:, given_column]
    ends = [np.searchsorted(key, query_keys, where) for where in ("left", "right")]
    return np.stack(ends, axis=1), np.ascontiguousarray(answers)


@njit(cache=ON_DISK)
def _count(queries, columns, truth, starts, answers, absolute, counted):
    n, d = columns.shape[1], columns.shape[0]
    total = len(queries)
    true_distances = np.zeros(total, columns.dtype)
    buffer = np.zeros(1, columns.dtype)
    for i in range(total):
        true_distances[i] = _distance(queries[i], columns, truth[i], absolute, buffer)
    distances = np.zeros(BLOCK, columns.dtype)
    for start in range(0, n, BLOCK):
        size = min(BLOCK, n - start)
        for i in range(total):
            distances[:] = 0
            if absolute:
                for j in range(d):
                    q, row = queries[i, j], columns[j, start : start + size]
                    for k in range(size):
                        distances[k] += abs(q - row[k])
            else:
                for j in range(d):
                    q, row = queries[i, j], columns[j, start : start + size]
                    for k in range(size):
                        distances[k] += (q - row[k]) * (q - row[k])
            before, ties, mine = 0, 0, true_distances[i]
            for k in range(size):
                before += distances[k] < mine
                ties += distances[k] == mine
            counted[0, i] += before
            counted[1, i] += ties
    for i in range(total):
        counted[1, i] -= 1  # the true entity itself
        last = -1
        for index in range(starts[i, 0], starts[i, 1]):
            answer = answers[index]
            if answer == truth[i] or answer == last:
                continue
            last = answer
            distance = _distance(queries[i], columns, answer, absolute, buffer)
            counted[2, i] += distance < true_distances[i]
            counted[3, i] += distance == true_distances[i]


@njit(cache=ON_DISK)
def _distance(query, columns, entity, absolute, buffer):
    """The distance of one entity, summed in the same order and float type as in a block."""
    buffer[0] = 0
    for j in range(len(query)):
        gap = query[j] - columns[j, entity]
        buffer[0] += abs(gap) if absolute else gap * gap
    return buffer[0]
