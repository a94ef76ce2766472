"""Link prediction: the place of the true entity among all entities by distance, raw and filtered, ties counted.

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

from repline.errors import InputError
from repline.graphs.recipes import Norm

Side = Literal["head", "tail"]
SIDES: tuple[Side, ...] = ("head", "tail")
BLOCK = 512  # entities whose distances to one query are computed at a time


@dataclass
class Ranks:
    """How many other candidates are ranked before the true entity, and tied with it, [Q] each.

    Attributes:
        before, ties: of all entities (raw).
        known_before, known_ties: of the other entities that form a known triple, which the filter takes away.
    """

    before: NDArray[np.int64]
    ties: NDArray[np.int64]
    known_before: NDArray[np.int64]
    known_ties: NDArray[np.int64]

    def rank(self, filtered: bool = True, ties: Literal["mean", "optimistic", "pessimistic"] = "mean") -> NDArray:
        """Ranks from 1 [Q] float: 1 + before, plus half of the ties, none or all of them."""
        before, beside = self.before, self.ties
        if filtered:
            before, beside = before - self.known_before, beside - self.known_ties
        return 1.0 + before + {"mean": 0.5, "optimistic": 0.0, "pessimistic": 1.0}[ties] * beside


def rank_entities(
    entities: NDArray, relations: NDArray, triples: NDArray, known: NDArray, side: Side, norm: Norm
) -> Ranks:
    """Rank the head or the tail of every triple among all entities.

    Args:
        entities: [n, d]; relations: [m, d] of the same float type.
        triples: [Q, 3], (head, relation, tail).
        known: [K, 3], all triples that are true: those of training, validation and test.
        side: which end is asked for.
        norm: L1 or L2; squared ranks as L2.

    Raises:
        InputError: a vector that is not finite.
    """
    if not (np.isfinite(entities).all() and np.isfinite(relations).all()):
        raise InputError("a vector of an entity or relation is not finite, so nothing can be ranked; train it again")
    given, asked = (0, 2) if side == "tail" else (2, 0)
    shift = relations[triples[:, 1]] * (1 if side == "tail" else -1)
    queries = entities[triples[:, given]] + shift.astype(entities.dtype)  # [Q, d]
    starts, others = _known_answers(triples, known, given, asked, len(entities))
    columns = np.ascontiguousarray(entities.T)  # [d, n]
    truth = np.ascontiguousarray(triples[:, asked])
    counted = np.zeros((4, len(triples)), dtype=np.int64)
    _count(queries, columns, truth, starts, others, norm == "L1", counted)
    return Ranks(*counted)


def _known_answers(triples: NDArray, known: NDArray, given: int, asked: int, n: int) -> tuple[NDArray, NDArray]:
    """Known answers to every query other than its own: those of i are `others[starts[i, 0] : starts[i, 1]]`."""
    key = known[:, 1] * n + known[:, given]
    order = np.lexsort((known[:, asked], key))
    key, answers = key[order], known[order, asked]
    wanted = triples[:, 1] * n + triples[:, given]
    ends = [np.searchsorted(key, wanted, where) for where in ("left", "right")]
    return np.stack(ends, axis=1), np.ascontiguousarray(answers)


@njit(cache=True)
def _count(queries, columns, truth, starts, others, absolute, counted):
    n, d = columns.shape[1], columns.shape[0]
    total = len(queries)
    own = np.zeros(total, columns.dtype)
    one = np.zeros(1, columns.dtype)
    for i in range(total):
        own[i] = _distance(queries[i], columns, truth[i], absolute, one)
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
            before, ties, mine = 0, 0, own[i]
            for k in range(size):
                before += distances[k] < mine
                ties += distances[k] == mine
            counted[0, i] += before
            counted[1, i] += ties
    for i in range(total):
        counted[1, i] -= 1  # the true entity itself
        last = -1
        for place in range(starts[i, 0], starts[i, 1]):
            other = others[place]
            if other == truth[i] or other == last:
                continue
            last = other
            distance = _distance(queries[i], columns, other, absolute, one)
            counted[2, i] += distance < own[i]
            counted[3, i] += distance == own[i]


@njit(cache=True)
def _distance(query, columns, entity, absolute, one):
    """One distance by the same steps as in a block, in the type of the vectors."""
    one[0] = 0
    for j in range(len(query)):
        gap = query[j] - columns[j, entity]
        one[0] += abs(gap) if absolute else gap * gap
    return one[0]
