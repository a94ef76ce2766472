"""Every configuration compared with the vectors before it: word similarity and two tests of antonyms."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from repline.evaluation.evaluations import Evaluation, Metrics
from repline.evaluation.nested_measures import Replicate
from repline.evaluation.replication.bootstrap import merge_replicates, side_by_side
from repline.evaluation.replication.weighted_draws import numbers, replicates, weights_of
from repline.evaluation.word_vectors.embedding import Embedding
from repline.evaluation.word_vectors.similarity import pair_cosines
from repline.systems.lexical_contrast.antonyms import Question, choices, linked, looked_up, option_cosines
from repline.systems.lexical_contrast.corpus import RELATED, SETS, Contrasts, Space
from repline.systems.lexical_contrast.settings import START, Settings
from repline.systems.lexical_contrast.space_scores import (
    Constrained,
    contrast_of,
    free_of,
    in_constraints,
    opposites_of,
    similarity_of,
)
from repline.vectors.normalisation import unit_length
from repline.vectors.store import load_matrix

Models = Mapping[str, Sequence[Path]]  # by configuration, the folder of each run's vectors
PAIRS_IN = "pairs_in"  # key of a test's numbers of pairs, next to those of the configurations


def measure_similarity(
    models: Models,
    space: Space,
    settings: Settings,
    tests: Mapping[str, tuple[Sequence[tuple[str, str]], Sequence[float]]],
) -> Evaluation:
    """Word similarity of the start and of every configuration, with and without the pairs that are constraints.

    Args:
        tests: pairs and scores, by name.

    Returns:
        By test and configuration; the replicates by configuration and test.
    """
    constrained = _constrained(space, settings)
    sets = {name: space.word_pairs(space.sets[name]) for name in SETS}
    metrics: Metrics = {
        test: {PAIRS_IN: {name: int(in_constraints(pairs, set_pairs).sum()) for name, set_pairs in sets.items()}}
        for test, (pairs, _) in tests.items()
    }
    items = {test: (pairs, np.asarray(scores), weights_of(len(pairs))) for test, (pairs, scores) in tests.items()}
    start = Embedding(space.words, space.matrix)
    repeated: list[Sequence[Replicate]] = []
    for name, embeddings in _embeddings(models, start):
        parts = {}
        for test, (pairs, scores, weights) in items.items():
            free = np.zeros(len(pairs), dtype=bool)  # nothing to compare the start with
            if name in constrained:
                free = ~in_constraints(pairs, constrained[name])
            runs = [similarity_of(embedding, pairs, scores, weights, free, start) for embedding in embeddings]
            has_vectors = pair_cosines(embeddings[0], pairs)[1]
            metrics[test][name] = numbers(runs) | {
                "runs": [float(run["spearman"][0]) for run in runs],
                "unconstrained_pairs": int((has_vectors & free).sum()),
                "kept": int(has_vectors.sum()),
                "pairs": len(pairs),
            }
            parts[test] = replicates(runs)
        repeated.append(side_by_side(**{name: side_by_side(**parts)}))
    return Evaluation(metrics, merge_replicates(*repeated))


def evaluate(
    models: Models,
    space: Space,
    settings: Settings,
    questions: Sequence[Question],
    contrasts: Contrasts,
    similarities: Iterable[Evaluation] = (),
    other_questions: Mapping[str, Sequence[Question]] = MappingProxyType({}),
) -> Evaluation:
    """Antonym questions and the distinction of antonyms from synonyms, for the start and every configuration.

    Args:
        similarities: what `measure_similarity` gave, for each source of tests; their numbers join those measured here.
        other_questions: of other sources, by name; their numbers stand under "questions".
    """
    sets = {name: space.word_pairs(space.sets[name]) for name in SETS}
    constrained = _constrained(space, settings)
    outside = np.setdiff1d(np.arange(len(space.words)), np.concatenate([space.sets[name] for name in SETS]))
    chance = {"opposites": 1 / len(questions[0].options), "related": 1 / RELATED} if questions else {}
    metrics: Metrics = {
        "constraints": {name: len(pairs) for name, pairs in space.sets.items()},
        "lookup": looked_up(questions, sets["ant"]),
        "chance": chance,
        "unconstrained_words": len(outside),
        "tests_in": _overlap(questions, contrasts, sets),
    }
    if other_questions:
        metrics["questions"] = {
            source: {"lookup": looked_up(source_questions, sets["ant"]), "chance": _chance(source_questions)}
            | {"pairs_in": _opposites_in(source_questions, sets)}
            for source, source_questions in other_questions.items()
        }
    start = Embedding(space.words, space.matrix)
    repeated: list[Sequence[Replicate]] = []
    for name, embeddings in _embeddings(models, start):
        antonymy = _antonymy(
            embeddings, start, questions, contrasts, constrained.get(name), Path(settings.contrast).name
        )
        other_scores = _other_questions(embeddings, start, other_questions, constrained.get(name))
        metrics[name] = (
            antonymy.metrics
            | other_scores.metrics
            | {
                "outside_moved": max(
                    _moved(embedding.matrix[outside], space.matrix[outside]) for embedding in embeddings
                ),
                "seeds": len(embeddings),
            }
        )
        repeated += [
            side_by_side(**{name: measured.replicates}) for measured in (antonymy, other_scores) if measured.metrics
        ]
    for similarity in similarities:
        for test, scores in similarity.metrics.items():
            metrics.setdefault(PAIRS_IN, {})[test] = scores[PAIRS_IN]
            for name in scores.keys() - {PAIRS_IN}:
                metrics[name][test] = scores[name]
        repeated.append(similarity.replicates)
    return Evaluation(metrics, merge_replicates(*repeated))


def _antonymy(
    embeddings: Sequence[Embedding],
    start: Embedding,
    questions: Sequence[Question],
    contrasts: Contrasts,
    constrained: Constrained | None,
    corpus: str,
) -> Evaluation:
    """The runs of one configuration on the tests of antonymy.

    Args:
        constrained: the pairs that the configuration was given; None for the start.
        corpus: the name of the labelled pairs.
    """
    free = free_of(questions, constrained)
    weights = {part: weights_of(len(test[0])) for part, (_, test) in contrasts.items()}
    question_weights = weights_of(len(questions), groups=linked(questions))
    runs = [
        {
            "opposites": opposites_of(embedding, questions, question_weights, free, start),
            "contrast": {
                corpus: {
                    part: contrast_of(embedding, pairs, weights[part], constrained, start)
                    for part, pairs in contrasts.items()
                }
            },
        }
        for embedding in embeddings
    ]
    metrics = numbers(runs)
    metrics["opposites"]["unconstrained_questions"] = int(free.sum())
    for part, (_, (pairs, _)) in contrasts.items():
        scores = metrics["contrast"][corpus][part]
        scores |= {"pairs": len(pairs), "kept": int(pair_cosines(embeddings[0], pairs)[1].sum())}
        if scores["unconstrained"] and constrained is not None:
            scores["unconstrained"]["pairs"] = int((~in_constraints(pairs, constrained)).sum())
    return Evaluation(metrics, replicates(runs))


def _other_questions(
    embeddings: Sequence[Embedding],
    start: Embedding,
    questions: Mapping[str, Sequence[Question]],
    constrained: Constrained | None,
) -> Evaluation:
    """The runs of one configuration on the questions of other sources; empty where there are none."""
    if not questions:
        return Evaluation({}, [])
    free = {source: free_of(source_questions, constrained) for source, source_questions in questions.items()}
    weights = {
        source: weights_of(len(source_questions), groups=linked(source_questions))
        for source, source_questions in questions.items()
    }
    runs = [
        {
            "questions": {
                source: opposites_of(embedding, source_questions, weights[source], free[source], start)
                for source, source_questions in questions.items()
            }
        }
        for embedding in embeddings
    ]
    metrics = numbers(runs)
    for source, source_questions in questions.items():
        answered = choices(option_cosines(embeddings[0], source_questions), source_questions)[1]
        metrics["questions"][source] |= {
            "questions": len(source_questions),
            "answered": int(answered.sum()),
            "unconstrained_questions": int(free[source].sum()),
        }
    return Evaluation(metrics, replicates(runs))


def _chance(questions: Sequence[Question]) -> float:
    """The mean share of the options that are right."""
    return sum(1 / len(question.options) for question in questions) / len(questions)


def _embeddings(models: Models, start: Embedding) -> Iterator[tuple[str, list[Embedding]]]:
    """The start, and for each configuration the vectors of its runs, one configuration in memory at a time."""
    yield START, [start]
    for name, folders in models.items():
        yield name, [start.with_matrix(load_matrix(folder)) for folder in folders]


def _constrained(space: Space, settings: Settings) -> dict[str, Constrained]:
    """The pairs of words that each configuration attracts or repels."""
    return {
        name: space.word_pairs(np.concatenate(space.pairs(configuration)))
        for name, configuration in settings.configurations.items()
    }


def _overlap(
    questions: Sequence[Question], contrasts: Contrasts, sets: Mapping[str, Constrained]
) -> dict[str, dict[str, int]]:
    """How many items of the tests of antonymy are constraints, by constraint set."""
    overlap = {"questions": _opposites_in(questions, sets)}
    return overlap | {part: _pairs_in(test[0], sets) for part, (_, test) in contrasts.items()}


def _opposites_in(questions: Sequence[Question], sets: Mapping[str, Constrained]) -> dict[str, int]:
    """How many questions ask for a pair that is a constraint, by constraint set."""
    return _pairs_in([(question.cue, question.options[question.answer]) for question in questions], sets)


def _pairs_in(pairs: Sequence[tuple[str, str]], sets: Mapping[str, Constrained]) -> dict[str, int]:
    """How many pairs there are, and how many of them each constraint set has."""
    in_sets = {name: int(in_constraints(pairs, set_pairs).sum()) for name, set_pairs in sets.items()}
    return {"pairs": len(pairs)} | in_sets


def _moved(vectors: NDArray, start: NDArray) -> float:
    """The largest change of a value, compared with the start as it is or scaled to unit length, whichever is nearer."""
    return float(min(np.abs(vectors - start).max(initial=0), np.abs(vectors - unit_length(start)).max(initial=0)))
