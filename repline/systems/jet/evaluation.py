"""Evaluate spaces on nearest entities, pairs of names, disambiguation and analogies, with resampled items.

Every number is computed for many weights of the test items at once, [R]: the first row of weights counts each item
once and gives the number itself, the others are replicates (`repline.evaluation.replication.weighted_draws`).
"""

import json
import re
from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from repline.cards import read_card
from repline.errors import InputError
from repline.evaluation.evaluations import Evaluation, Metrics
from repline.evaluation.nested_measures import Array, Replicate
from repline.evaluation.replication.bootstrap import REPLICATES, side_by_side
from repline.evaluation.replication.mcnemar import mcnemar
from repline.evaluation.replication.seed_means import mean_of_runs
from repline.evaluation.replication.units import pair_units, weights_of_units
from repline.evaluation.replication.weighted_draws import (
    mean_of_draws,
    numbers,
    replicates,
    spearman_of_draws,
    weights_of,
)
from repline.evaluation.word_vectors.analogy import answer_ranks
from repline.evaluation.word_vectors.benchmark_files import read_analogies
from repline.evaluation.word_vectors.embedding import Embedding
from repline.reading.wrong_records import LeftOut
from repline.systems.jet import gold_mentions, terminology
from repline.systems.jet.corpus import Corpus, read
from repline.systems.jet.disambiguation import Instances, definition_vectors, hits_by_method
from repline.systems.jet.entity_pairs import EntityPairs, pair_scores, read_entity_pairs, shared
from repline.systems.jet.model import Space, load
from repline.systems.jet.neighbourhood import agreement, chance, nearest_entities, type_matrix
from repline.systems.jet.rater_agreement import rater_agreement
from repline.systems.jet.settings import Model, Settings
from repline.systems.jet.training import LOSSES, candidates_of
from repline.training.run_folders import SEED_FOLDER
from repline.vectors.store import words_and_matrix


class Tests(NamedTuple):
    """The tests that spaces are evaluated on.

    Attributes:
        pairs: scored pairs of names, by set.
        analogies: questions and the section of each.
        instances: a folder of links, or mentions with their gold entities.
        words: word vectors that are tested on the same pairs.
        left_out: wrong lines of these.
    """

    pairs: dict[str, EntityPairs]
    analogies: tuple[Sequence[Sequence[str]], Sequence[str]]
    instances: Path | list[tuple[str, str, str]]
    words: Space
    left_out: LeftOut


def read_tests(settings: Settings, data: str | Path = "data") -> Tests:
    """The tests that the settings name, paths in `data`; InputError if one is not there or malformed."""
    data = Path(data)
    files: list[Path] = []
    for source in dict.fromkeys(settings.pairs):
        path = data / source
        files += sorted(path.glob("*.[ct]sv")) if path.is_dir() else [path]
    left_out = LeftOut(settings.on_error)
    reading = settings.arguments(left_out)
    if not files:
        raise InputError(f"jet.pairs: expected a .csv or .tsv in {', '.join(settings.pairs)}, found none")
    pairs = {re.sub(r"\W", "_", path.stem.lower()): read_entity_pairs(path, **reading) for path in files}
    analogies = read_analogies(data / settings.analogies, **reading)
    links_or_table = data / settings.instances
    are_links = links_or_table.is_dir()
    instances = links_or_table if are_links else gold_mentions.read_mentions(links_or_table, **reading)
    return Tests(pairs, analogies, instances, Space(*words_and_matrix(data / settings.vectors)), left_out)


def evaluate(
    models: Mapping[str, Sequence[Path]],
    corpora: Mapping[str, Path],
    terminologies: Mapping[str, Path],
    tests: Tests,
    settings: Settings,
) -> Evaluation:
    """All models on all tests, and the sizes of terminologies and corpora.

    Args:
        models: by name, the folder of each run.
        corpora, terminologies: folders, by the names of the terminologies.
    """
    texts = {name: read(folder) for name, folder in corpora.items()}
    metrics: Metrics = {"terminologies": {}, "corpora": {}}
    for name, text in texts.items():
        metrics["terminologies"][name] = terminology.sizes(terminology.read(terminologies[name]))
        metrics["corpora"][name] = read_card(corpora[name])["counts"] | {"polysemy": polysemy_of(text)}
    word_vector_runs = [{"pairs": {name: pairs_of(tests.words, pairs) for name, pairs in tests.pairs.items()}}]
    metrics["word_vectors"] = numbers(word_vector_runs)
    rated = {name: pairs.ratings for name, pairs in tests.pairs.items() if pairs.ratings is not None}
    raters = [{name: rater_agreement(ratings) for name, ratings in rated.items()}]
    metrics |= {"raters": numbers(raters)} if rated else {}
    metrics |= {"tests": tests.left_out.counts()} if tests.left_out.counts() else {}
    repeated: dict[str, Sequence[Replicate]] = {"word_vectors": replicates(word_vector_runs)}
    repeated |= {"raters": replicates(raters)} if rated else {}
    for name, folders in models.items():
        text = texts[settings.models[name].terminology]
        evaluation = evaluate_model(settings.models[name], folders, text, tests, settings)
        metrics[name], repeated[name] = evaluation.metrics, evaluation.replicates
    return Evaluation(metrics, side_by_side(**repeated))


def evaluate_model(
    model: Model, folders: Sequence[Path], corpus: Corpus, tests: Tests, settings: Settings
) -> Evaluation:
    """The runs of one model on all tests; mentions are those that its first run with entities can tell apart.

    With permuted entities each run has its own candidates for a term, and so its own mentions.

    Args:
        folders: of the runs, `seed-<s>`.
    """
    runs, losses = [], []
    instances: Instances | None = None
    for folder in folders:
        seed = int(folder.name.removeprefix(SEED_FOLDER))
        space = load(folder, candidates_of(corpus, model.permuted, seed))
        if space.entity_vectors is not None and (instances is None or model.permuted):
            instances = _instances(tests.instances, space, settings)
        scores = _scores(space, corpus, tests, instances, settings.most_queries)
        losses.append(json.loads((folder / LOSSES).read_text(encoding="utf-8")))
        steps = [after - before for before, after in pairwise(losses[-1])]
        scores["largest_step"] = np.full(1 + REPLICATES, max(steps, default=np.nan))
        runs.append(scores | {"analogies": analogies_of(space, *tests.analogies)})
    return Evaluation(numbers(runs) | {"losses": mean_of_runs(losses), "runs": len(runs)}, replicates(runs))


def _scores(space: Space, corpus: Corpus, tests: Tests, instances: Instances | None, queries: int) -> dict[str, Array]:
    """All tests of one space that its vectors allow."""
    scores: dict[str, Array] = {"pairs": {name: pairs_of(space, pairs) for name, pairs in tests.pairs.items()}}
    if space.entity_vectors is None:
        return scores
    types = corpus.entities.column("types").to_pylist()
    if any(types):
        scores["neighbours"] = neighbours(space, types, queries=queries)
    definitions = gold_mentions.defined(space, corpus.entities.column("definition").to_pylist())
    for name, mentions in (("definitions", definitions), ("instances", instances)):
        if mentions is not None and len(mentions.terms):
            scores[name] = disambiguated(space, mentions, corpus.entities)
    return scores


def _instances(instances: Path | list[tuple[str, str, str]], space: Space, settings: Settings) -> Instances:
    if isinstance(instances, Path):
        return gold_mentions.linked(instances, space, context=settings.context, limit=settings.most_instances)
    return gold_mentions.tabled(instances, space)


def neighbours(space: Space, types: Sequence[Sequence[str]], *, queries: int, seed: int = 0) -> dict[str, Array]:
    """Share of entities whose nearest one has a type in common, of all and of those that share no term, and chance.

    Args:
        types: [E] of each entity.
        queries: number of entities at most, drawn at random if there are more; any entity may be the nearest.

    Returns:
        all, unrelated, chance, and the two shares in parts of chance: [1 + R] each.
    """
    matrix, number = type_matrix(types), len(types)
    query_rows = np.arange(number)
    if number > queries:
        query_rows = np.sort(np.random.default_rng(seed).choice(number, queries, replace=False))
    nearest_rows = nearest_entities(np.asarray(space.entity_vectors), space.entity_lists, query_rows)
    weights = weights_of(len(query_rows))
    by_chance = np.full(len(weights), chance(matrix))
    shares = {
        "all": mean_of_draws(agreement(matrix, query_rows, nearest_rows.nearest), weights),
        "unrelated": mean_of_draws(agreement(matrix, query_rows, nearest_rows.unrelated), weights),
    }
    times = {f"{name}_by_chance": share / by_chance for name, share in shares.items()}
    return shares | times | {"chance": by_chance}


def pairs_of(space: Space, pairs: EntityPairs) -> dict[str, Array]:
    """Spearman's correlation of each method, over the pairs that it knows, over those that all know, and how many.

    Returns:
        by method: rho, filtered, pairs, filtered_pairs, [1 + R] each.
    """
    weights = weights_of(len(pairs.scores))
    scores = pair_scores(pairs, space)
    all_have_vectors = shared({method: have_vectors for method, (_, have_vectors) in scores.items()})
    constant = np.ones(len(weights))
    return {
        method: {
            "rho": spearman_of_draws(values[have_vectors], pairs.scores[have_vectors], weights[:, have_vectors]),
            "filtered": spearman_of_draws(
                values[all_have_vectors], pairs.scores[all_have_vectors], weights[:, all_have_vectors]
            ),
            "pairs": constant * have_vectors.sum(),
            "filtered_pairs": constant * all_have_vectors.sum(),
        }
        for method, (values, have_vectors) in scores.items()
    }


def disambiguated(space: Space, instances: Instances, entities: pa.Table) -> dict[str, Array]:
    """Accuracy of each method, and p of McNemar's test against `entities`: [1 + R] each.

    A replicate draws terms and entities, with all of their instances: those of a term share their candidates, those of
    an entity its gloss, so that they are not independent.

    Args:
        entities: with definitions and neighbours; where there are none, the methods that need them are left out.
    """
    definitions = None
    texts = entities.column("definition").to_pylist()
    if any(texts):
        definitions = definition_vectors(space, texts, entities.column("neighbours").to_pylist())
    hits = hits_by_method(space, instances, definitions)
    weights = weights_of_units(
        pair_units([f"term {term}" for term in instances.terms], [f"entity {entity}" for entity in instances.gold])
    )
    constant = np.ones(len(weights))
    tested = {
        name: constant * mcnemar(is_right, hits["entities"]) for name, is_right in hits.items() if name != "chance"
    }
    return {
        **{name: mean_of_draws(is_right, weights) for name, is_right in hits.items()},
        "mcnemar": tested,
        "instances": constant * len(instances.terms),
        "terms": constant * len(np.unique(instances.terms)),
    }


def analogies_of(space: Space, questions: Sequence[Sequence[str]], sections: Sequence[str]) -> dict[str, Array]:
    """Accuracy by 3CosAdd of the words, by section, over the questions whose words are all known: [1 + R] each."""
    embedding = Embedding(space.words, np.asarray(space.word_vectors))
    rows = embedding.rows(word for question in questions for word in question).reshape(-1, 4)
    have_vectors = (rows >= 0).all(1)
    is_right = np.zeros(len(rows))
    is_right[have_vectors] = answer_ranks(embedding, rows[have_vectors]) == 1
    by_section: dict[str, Array] = {}
    for section in dict.fromkeys(sections):
        in_section = np.array([section_of_question == section for section_of_question in sections]) & have_vectors
        weights = weights_of(int(in_section.sum())) if in_section.any() else np.zeros((1 + REPLICATES, 0), np.int64)
        by_section[re.sub(r"\W", "_", section)] = {
            "accuracy": mean_of_draws(is_right[in_section], weights),
            "questions": np.ones(len(weights)) * in_section.sum(),
        }
    return by_section


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
