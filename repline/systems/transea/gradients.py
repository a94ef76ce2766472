"""The gradient of a batch and a step along it, compiled: what `repline.systems.transea.model` says, by hand.

Rows that a batch does not touch cost nothing. Everything is summed in a fixed order, without reordering, so that the
same seed gives the same bits on every processor. Works in float32 and, for tests, float64.
"""

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from repline.caches.compiled_loops import ON_DISK

NORMS = {"L1": 1, "L2": 2, "squared": 3}


class Tables(NamedTuple):
    """Vectors, or their gradients: entities [n, d], relations [m, d], attributes [k, d], biases [k]."""

    entities: NDArray
    relations: NDArray
    attributes: NDArray
    biases: NDArray


class Uses(NamedTuple):
    """Counts of how often a batch has used each row: [n], [m], [k] int64."""

    entities: NDArray
    relations: NDArray
    attributes: NDArray


def zeros(tables: Tables) -> tuple[Tables, Uses]:
    """Gradients and uses before the first batch: all zero."""
    return (
        Tables(*(np.zeros_like(table) for table in tables)),
        Uses(*(np.zeros(len(table), dtype=np.int64) for table in tables[:3])),
    )


@njit(cache=ON_DISK)
def add_triples(tables, gradients, uses, triples, corrupted, norm, margin, weight):
    """Add the gradient of weight x L_R over a batch to `gradients`, count the rows used, return L_R (not weighted).

    Args:
        triples, corrupted: [B, 3] int64 with the same relations.
        norm: of `NORMS`.
        margin, weight: of the type of the tables.
    """
    entities, relations = tables.entities, tables.relations
    d = entities.shape[1]
    zero = margin - margin
    loss = 0.0
    gap, wrong_gap = np.empty(d, entities.dtype), np.empty(d, entities.dtype)
    for i in range(len(triples)):
        h, r, t = triples[i]
        h2, _, t2 = corrupted[i]
        true, wrong = zero, zero
        for j in range(d):
            gap[j] = entities[h, j] + relations[r, j] - entities[t, j]
            wrong_gap[j] = entities[h2, j] + relations[r, j] - entities[t2, j]
        if norm == 1:
            for j in range(d):
                true += abs(gap[j])
                wrong += abs(wrong_gap[j])
        else:
            for j in range(d):
                true += gap[j] * gap[j]
                wrong += wrong_gap[j] * wrong_gap[j]
            if norm == 2:
                true, wrong = np.sqrt(true), np.sqrt(wrong)
        hinge = margin + true - wrong
        if hinge <= 0:
            continue
        loss += hinge
        for j in range(d):  # element by element, as numba takes a second to compile an operation on whole arrays
            if norm == 1:
                gap[j], wrong_gap[j] = weight * np.sign(gap[j]), weight * np.sign(wrong_gap[j])
            elif norm == 2:
                if true > 0:
                    gap[j] /= true / weight
                if wrong > 0:
                    wrong_gap[j] /= wrong / weight
            else:
                gap[j] *= weight + weight
                wrong_gap[j] *= weight + weight
            gradients.entities[h, j] += gap[j]
            gradients.entities[t, j] -= gap[j]
            gradients.entities[h2, j] -= wrong_gap[j]
            gradients.entities[t2, j] += wrong_gap[j]
            gradients.relations[r, j] += gap[j] - wrong_gap[j]
        for e in (h, t, h2, t2):
            uses.entities[e] += 1
        uses.relations[r] += 1
    return loss


@njit(cache=ON_DISK)
def add_numbers(tables, gradients, uses, entity, attribute, value, squared, weight):
    """Add the gradient of weight x L_A over numbers [B] to `gradients`, count the rows used, return L_A."""
    d = tables.entities.shape[1]
    loss = 0.0
    for i in range(len(entity)):
        e, a = entity[i], attribute[i]
        rho = tables.biases[a] - value[i]
        for j in range(d):
            rho += tables.attributes[a, j] * tables.entities[e, j]
        if squared:
            loss += rho * rho
            slope = (weight + weight) * rho
        else:
            loss += abs(rho)
            slope = weight * np.sign(rho)
        for j in range(d):
            gradients.entities[e, j] += slope * tables.attributes[a, j]
            gradients.attributes[a, j] += slope * tables.entities[e, j]
        gradients.biases[a] += slope
        uses.entities[e] += 1
        uses.attributes[a] += 1
    return loss


@njit(cache=ON_DISK)
def step(tables, gradients, uses, rate, relation_mean, attribute_mean, unit):
    """Move every used row against its gradient, bring it to length 1 where `unit` says so, and forget the gradient.

    Args:
        rate: learning rate.
        relation_mean, attribute_mean: relations, and attributes with their biases, move by the mean of their gradients
            times this; 0 for the sum.
        unit: three flags: entities, relations, attributes.
    """
    _move(tables.entities, gradients.entities, uses.entities, rate, rate - rate, unit[0])
    _move(tables.relations, gradients.relations, uses.relations, rate, relation_mean, unit[1])
    for a in range(len(uses.attributes)):
        if uses.attributes[a]:
            scale = _scale(rate, attribute_mean, tables.biases.dtype.type(uses.attributes[a]))
            tables.biases[a] -= scale * gradients.biases[a]
            gradients.biases[a] = 0
    _move(tables.attributes, gradients.attributes, uses.attributes, rate, attribute_mean, unit[2])


@njit(cache=ON_DISK)
def unit_rows(table):
    """Bring all rows to length 1, in place."""
    for i in range(len(table)):
        _unit(table[i])


@njit(cache=ON_DISK)
def _move(table, gradient, uses, rate, mean, unit):
    for i in range(len(table)):
        if uses[i] == 0:
            continue
        scale = _scale(rate, mean, table.dtype.type(uses[i]))
        for j in range(table.shape[1]):
            table[i, j] -= scale * gradient[i, j]
            gradient[i, j] = 0
        uses[i] = 0
        if unit:
            _unit(table[i])


@njit(cache=ON_DISK)
def _scale(rate, mean, uses):
    return rate if mean == 0 else rate * mean / uses


@njit(cache=ON_DISK)
def _unit(row):
    total = 0.0
    for j in range(len(row)):
        total += row[j] * row[j]
    length = np.sqrt(total)
    if length > 0:
        for j in range(len(row)):
            row[j] = row[j] / length
