"""Disambiguate a term: score the entities that it may mean by the words around it.

        f(e) = cos(C, e) |P(C, e)| / |e| = (C . e) |C . e| / (|C| |e|^3),    C the mean of the word vectors around

where P is the projection on e. The authors' program leaves out the last division by |e|, so that longer vectors do
not lose by their length; the two rank candidates of different lengths differently.

Source: eq. (4).
"""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from repline.errors import InputError
from repline.systems.jet.model import Space, cosine, means

CONTEXT = 12  # tokens on either side of a mention
BLOCK = 2048  # instances whose candidates are scored at a time


class Instances(NamedTuple):
    """Mentions of ambiguous terms whose meaning is known.

    Attributes:
        terms: rows of terms [n]. gold: rows of entities [n]. contexts: words around each mention [n]. names: the
            mentions themselves [n].
    """

    terms: NDArray[np.int64]
    gold: NDArray[np.int64]
    contexts: list[str]
    names: list[str]


def projection_score(contexts: NDArray, entities: NDArray, *, scale_free: bool = False) -> NDArray[np.float64]:
    """The score f of each entity in its context: [..., d] -> [...]; 0 with a vector of zeros.

    Args:
        scale_free: the authors' program: |e| to the square in place of the cube.
    """
    contexts, entities = np.asarray(contexts, np.float64), np.asarray(entities, np.float64)
    dots = (contexts * entities).sum(-1)
    length = np.linalg.norm(entities, axis=-1)
    below = np.linalg.norm(contexts, axis=-1) * length ** (2 if scale_free else 3)
    return np.divide(dots * np.abs(dots), below, out=np.zeros_like(dots), where=below > 0)


def definition_vectors(space: Space, definitions: Sequence[str], neighbours: Sequence[Sequence[int]]) -> NDArray:
    """For each entity the mean word vector of the definitions of its neighbours in the hierarchy [E, d].

    Source: section 5.4.
    """
    definition_means, have_words = space.mean_words(definitions)
    owner = np.repeat(np.arange(len(neighbours)), [len(rows_near) for rows_near in neighbours])
    rows = np.array([row for rows_near in neighbours for row in rows_near], np.int64)
    return means(definition_means, rows[have_words[rows]], owner[have_words[rows]], len(neighbours))[0]


def hits_by_method(space: Space, instances: Instances, definitions: NDArray | None = None) -> dict[str, NDArray]:
    """Whether each method selects the gold entity of each instance [n]; `chance`: the probability of a random choice.

        entities, entities_program     f as in the paper and as in the authors' program
        mentions, mentions_program     times the cosine of e with the mention's words; the program: times f of them
        definitions, both, oracle      f of the definitions, the sum with `entities`, and either of the two right
        majority                       the meaning most frequent among the other instances of the term

    Ties go to the first candidate. The context is the mean vector of its known words.

    Raises:
        InputError: the space has no entities.
    """
    if space.entity_vectors is None:
        raise InputError("the model has no vectors of entities: train it with `entities: true`")
    contexts, _ = space.mean_words(instances.contexts)
    mention_vectors, _ = space.mean_words(instances.names)
    methods = ["entities", "entities_program", "mentions", "mentions_program"]
    methods += ["definitions", "both"] if definitions is not None else []
    hits: dict[str, NDArray[np.float64]] = {
        name: np.zeros(len(instances.terms)) for name in [*methods, "chance", "majority"]
    }
    count_of_pair = _counts(instances)
    for start in range(0, len(instances.terms), BLOCK):
        block = slice(start, start + BLOCK)
        terms, gold = instances.terms[block], instances.gold[block]
        meanings = [space.meanings(term) for term in terms.tolist()]
        sizes = np.array([len(rows_of_term) for rows_of_term in meanings])
        rows, owner = np.concatenate(meanings), np.repeat(np.arange(len(terms)), sizes)  # of all candidates [m]
        context, mention = contexts[block][owner], mention_vectors[block][owner]
        vectors = np.asarray(space.entity_vectors[rows], np.float64)
        scores = {
            "entities": projection_score(context, vectors),
            "entities_program": projection_score(context, vectors, scale_free=True),
        }
        scores["mentions"] = scores["entities"] * cosine(mention, vectors)
        scores["mentions_program"] = scores["entities_program"] * projection_score(mention, vectors, scale_free=True)
        if definitions is not None:
            scores["definitions"] = projection_score(context, definitions[rows])
            scores["both"] = scores["entities"] + scores["definitions"]
        pairs = zip(terms[owner].tolist(), rows.tolist(), strict=True)
        scores["majority"] = np.array([count_of_pair.get(pair, 0) for pair in pairs]) - (rows == gold[owner])
        for name, values in scores.items():
            hits[name][block] = rows[_first_best(values, owner, sizes)] == gold
        hits["chance"][block] = 1 / sizes
    if definitions is not None:
        hits["oracle"] = np.maximum(hits["entities"], hits["definitions"])
    return hits


def _counts(instances: Instances) -> dict[tuple[int, int], int]:
    """Count the instances of each pair (term, gold entity)."""
    return Counter(zip(instances.terms.tolist(), instances.gold.tolist(), strict=True))


def _first_best(values: NDArray, owner: NDArray[np.int64], sizes: NDArray[np.int64]) -> NDArray[np.int64]:
    """The index of the highest of each owner's values [n], the first of equal ones.

    Args:
        values: [m], grouped by owner; owner: [m]; sizes: values of each owner [n], at least one.
    """
    starts = np.cumsum(sizes) - sizes
    best = np.flatnonzero(values == np.maximum.reduceat(values, starts)[owner])
    return best[np.searchsorted(owner[best], np.arange(len(sizes)))]
