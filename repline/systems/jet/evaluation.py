"""The tests of one space, as numbers and on resampled items: neighbours, pairs of names, disambiguation.

Every number is computed for many weights of the test items at once, [R]: the first row of weights counts each item
once and gives the number itself, the others are replicates (`repline.evaluation.replication.weighted_draws`).
"""

import re
from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from repline.evaluation.replication.bootstrap import REPLICATES
from repline.evaluation.replication.mcnemar import mcnemar
from repline.evaluation.replication.weighted_draws import mean_of_draws, spearman_of_draws, weights_of
from repline.evaluation.word_vectors.analogy import answer_ranks
from repline.evaluation.word_vectors.embedding import Embedding
from repline.systems.jet.corpus import Corpus
from repline.systems.jet.disambiguation import Instances, definition_vectors, right_answers
from repline.systems.jet.entity_pairs import EntityPairs, pair_scores, shared
from repline.systems.jet.model import Space
from repline.systems.jet.neighbourhood import agreement, chance, nearest_entities, type_matrix

Arrays = dict[str, Any]


def neighbours(space: Space, types: Sequence[Sequence[str]], *, queries: int, seed: int = 0) -> Arrays:
    """Share of entities whose nearest one has a type in common, of all and of those that share no term, and chance.

    Args:
        types: [E] of each entity.
        queries: how many entities are asked, drawn at random if there are more; the nearest may be any.

    Returns:
        all, unrelated, chance, and the two shares in parts of chance: [1 + R] each.
    """
    matrix, number = type_matrix(types), len(types)
    asked = np.arange(number)
    if number > queries:
        asked = np.sort(np.random.default_rng(seed).choice(number, queries, replace=False))
    found = nearest_entities(np.asarray(space.entity_vectors), space.candidates, asked)
    weights = weights_of(len(asked))
    by_chance = np.full(len(weights), chance(matrix))
    shares = {
        "all": mean_of_draws(agreement(matrix, asked, found.nearest), weights),
        "unrelated": mean_of_draws(agreement(matrix, asked, found.unrelated), weights),
    }
    times = {f"{name}_by_chance": share / by_chance for name, share in shares.items()}
    return shares | times | {"chance": by_chance}


def pairs_of(space: Space, pairs: EntityPairs) -> Arrays:
    """Spearman's correlation of each method, over the pairs that it knows, over those that all know, and how many.

    Returns:
        by method: rho, filtered, pairs, filtered_pairs, [1 + R] each.
    """
    weights = weights_of(len(pairs.scores))
    scores = pair_scores(pairs, space)
    both = shared({method: known for method, (_, known) in scores.items()})
    ones = np.ones(len(weights))
    return {
        method: {
            "rho": spearman_of_draws(values[known], pairs.scores[known], weights[:, known]),
            "filtered": spearman_of_draws(values[both], pairs.scores[both], weights[:, both]),
            "pairs": ones * known.sum(),
            "filtered_pairs": ones * both.sum(),
        }
        for method, (values, known) in scores.items()
    }


def disambiguated(space: Space, instances: Instances, entities: pa.Table) -> Arrays:
    """Accuracy of each method, and p of McNemar's test beside `entities`: [1 + R] each.

    Args:
        entities: with definitions and neighbours; where there are none, the methods that need them are left out.
    """
    definitions = None
    texts = entities.column("definition").to_pylist()
    if any(texts):
        definitions = definition_vectors(space, texts, entities.column("neighbours").to_pylist())
    found = right_answers(space, instances, definitions)
    weights = weights_of(len(instances.terms))
    ones = np.ones(len(weights))
    tested = {name: ones * mcnemar(right, found["entities"]) for name, right in found.items() if name != "chance"}
    return {
        **{name: mean_of_draws(right, weights) for name, right in found.items()},
        "mcnemar": tested,
        "instances": ones * len(instances.terms),
        "terms": ones * len(np.unique(instances.terms)),
    }


def analogies_of(space: Space, questions: Sequence[Sequence[str]], sections: Sequence[str]) -> Arrays:
    """Accuracy by 3CosAdd of the words, by section, over the questions whose words are all known: [1 + R] each."""
    embedding = Embedding(space.words, np.asarray(space.word_vectors))
    rows = embedding.rows(word for question in questions for word in question).reshape(-1, 4)
    known = (rows >= 0).all(1)
    right = np.zeros(len(rows))
    right[known] = answer_ranks(embedding, rows[known]) == 1
    found = {}
    for section in dict.fromkeys(sections):
        chosen = np.array([one == section for one in sections]) & known
        weights = weights_of(int(chosen.sum())) if chosen.any() else np.zeros((1 + REPLICATES, 0), np.int64)
        found[re.sub(r"\W", "_", section)] = {
            "accuracy": mean_of_draws(right[chosen], weights),
            "questions": np.ones(len(weights)) * chosen.sum(),
        }
    return found


def polysemy_of(corpus: Corpus) -> dict[str, float]:
    """Corpus polysemy of the entities (table 2): its mean, and the share of entities with at least 1, 2 and 10."""
    values: NDArray = corpus.entities.column("polysemy").to_numpy()
    sizes = np.diff(corpus.candidates()[0])
    return {
        "mean": float(values.mean()),
        **{f"at_least_{least}": float((values >= least).mean()) for least in (1, 2, 10)},
        "entities_a_term": float(sizes.mean()),
        "entities_a_mention": float(np.average(sizes, weights=corpus.terms.column("count").to_numpy())),
    }
