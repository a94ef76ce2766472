"""Which of the entities that a term may mean is meant, by the words around it.

        f(e) = cos(C, e) |P(C, e)| / |e| = (C . e) |C . e| / (|C| |e|^3),    C the mean of the word vectors around

where P is the projection on e. The authors' program leaves out the last division by |e|, so that longer vectors do
not lose by their length; the two rank candidates of different lengths differently.

Source: eq. (4).
"""

from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from repline.systems.jet.model import Space, cosine, means

BLOCK = 2048  # instances whose candidates are scored at a time


class Instances(NamedTuple):
    """Mentions of ambiguous terms whose meaning is known.

    Attributes:
        terms: [n] rows. gold: [n] rows of entities. contexts: [n] the words around, `names`: [n] the mention itself.
    """

    terms: NDArray[np.int64]
    gold: NDArray[np.int64]
    contexts: list[str]
    names: list[str]


def projection_score(contexts: NDArray, entities: NDArray, *, scale_free: bool = False) -> NDArray[np.float64]:
    """[...] of [..., d]: f of each entity in its context, 0 with a vector of zeros.

    Args:
        scale_free: the authors' program: |e| to the square in place of the cube.
    """
    contexts, entities = np.asarray(contexts, np.float64), np.asarray(entities, np.float64)
    dots = (contexts * entities).sum(-1)
    length = np.linalg.norm(entities, axis=-1)
    below = np.linalg.norm(contexts, axis=-1) * length ** (2 if scale_free else 3)
    return np.divide(dots * np.abs(dots), below, out=np.zeros_like(dots), where=below > 0)


def definition_vectors(space: Space, definitions: Sequence[str], neighbours: Sequence[Sequence[int]]) -> NDArray:
    """[E, d]: of each entity the mean word vector of the definitions of its neighbours in the hierarchy.

    Source: section 5.4.
    """
    definition_means, have_words = space.mean_words(definitions)
    owner = np.repeat(np.arange(len(neighbours)), [len(rows_near) for rows_near in neighbours])
    rows = np.array([row for rows_near in neighbours for row in rows_near], np.int64)
    return means(definition_means, rows[have_words[rows]], owner[have_words[rows]], len(neighbours))[0]


def right_answers(space: Space, instances: Instances, definitions: NDArray | None = None) -> dict[str, NDArray]:
    """Whether each method is right about each instance, [n]; chance has the probability of a random candidate.

        entities, entities_program     f as in the paper and as in the authors' program
        mentions, mentions_program     times the cosine of e with the mention's words; the program: times f of them
        definitions, both, oracle      f of the definitions, the sum with `entities`, and either of the two right
        majority                       the meaning most frequent among the other instances of the term

    Ties go to the first candidate. The context is the mean vector of its known words.
    """
    contexts, _ = space.mean_words(instances.contexts)
    mention_vectors, _ = space.mean_words(instances.names)
    methods = ["entities", "entities_program", "mentions", "mentions_program"]
    methods += ["definitions", "both"] if definitions is not None else []
    right_by_method: dict[str, Any] = {
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
            right_by_method[name][block] = rows[_first_best(values, owner, sizes)] == gold
        right_by_method["chance"][block] = 1 / sizes
    if definitions is not None:
        right_by_method["oracle"] = np.maximum(right_by_method["entities"], right_by_method["definitions"])
    return right_by_method


def _counts(instances: Instances) -> dict[tuple[int, int], int]:
    """How often a term means an entity: (term, entity) -> instances."""
    return Counter(zip(instances.terms.tolist(), instances.gold.tolist(), strict=True))


def _first_best(values: NDArray, owner: NDArray[np.int64], sizes: NDArray[np.int64]) -> NDArray[np.int64]:
    """[n]: the place of the highest of each owner's values, of equal ones the first.

    Args:
        values: [m], those of one owner after the other; owner: [m]; sizes: [n], how many each has, at least one.
    """
    starts = np.cumsum(sizes) - sizes
    best = np.flatnonzero(values == np.maximum.reduceat(values, starts)[owner])
    return best[np.searchsorted(owner[best], np.arange(len(sizes)))]
