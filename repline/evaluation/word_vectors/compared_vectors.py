"""What several word vectors answer to the items of a test whose words they all know."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from repline.evaluation.leaderboards.shared_items import (
    SharedItems,
    correlation,
    mean_answer,
    notes_on_files,
    purity,
)
from repline.evaluation.replication.units import numbered_units, single_units
from repline.evaluation.word_vectors.analogy import solve
from repline.evaluation.word_vectors.categorization import clusterings
from repline.evaluation.word_vectors.categorization import purity as purity_of
from repline.evaluation.word_vectors.embedding import Embedding
from repline.evaluation.word_vectors.outliers import position
from repline.evaluation.word_vectors.recipes import Measuring
from repline.evaluation.word_vectors.semeval_relations import Relation
from repline.evaluation.word_vectors.similarity import pair_cosines
from repline.evaluation.word_vectors.suite import DEFAULTS, MEASURES, Test
from repline.evaluation.word_vectors.synonyms import is_nearest

Embeddings = Mapping[str, Embedding]
Groups = Sequence[tuple[Sequence[str], Sequence[str]]]
Pair = tuple[str, str]
UNSTABLE_CLUSTERS = (
    "No verdicts: resampled words do not say how far chance moves the clusters, and so the purity of vectors."
)


def compared(test: Test, items: tuple[Any, ...], embeddings: Embeddings, options: Measuring = DEFAULTS) -> SharedItems:
    """The answers of all vectors to one test.

    Units are pairs of words for similarity and relations; both pairs of an analogy; words for categories; the word that
    is asked for, for synonyms; groups for outliers. Differences of purity have no verdict: with the clusters as they
    are, resampled words told up to half of the pairs of equally good vectors apart in simulations.

    Args:
        items: as `repline.evaluation.word_vectors.suite.read` gives them.
        options: how analogies and categories are measured.
    """
    match test.task:
        case "similarity":
            return _similarity(test, embeddings, *items)
        case "analogy":
            return _analogy(test, embeddings, items[0], options.vocabulary)
        case "categorization":
            return _categorization(test, embeddings, options.seed, *items)
        case "relations":
            return _relations(test, embeddings, *items)
        case "synonyms":
            return _synonyms(test, embeddings, *items)
    return _outliers(test, embeddings, *items)


def _shared(
    test: Test,
    is_answered: Mapping[str, NDArray[np.bool_]],
    answer: Callable[[str, NDArray[np.bool_]], NDArray],
) -> tuple[NDArray[np.bool_], dict[str, Any]]:
    """Which items all vectors can answer [N], and what each test says alike."""
    is_shared = np.all(list(is_answered.values()), axis=0)
    return is_shared, {
        "test": test.name,
        "measure": MEASURES[test.task].title,
        "items": len(is_shared),
        "answered": {name: int(answers.sum()) for name, answers in is_answered.items()},
        "answers": {name: np.asarray(answer(name, is_shared))[None] for name in is_answered},
    }


def _has_words(embedding: Embedding, items: Sequence[Sequence[str]], limit: int | None = None) -> NDArray[np.bool_]:
    """Whether all words of each item are known, within the first `limit` of the vocabulary: [N]."""
    rows = [embedding.rows(words) for words in items]
    return np.array([bool(((row >= 0) & (row < (limit or len(embedding)))).all()) for row in rows], dtype=bool)


def _selected(items: Sequence[Any], is_shared: NDArray[np.bool_]) -> list[Any]:
    return [item for item, selected in zip(items, is_shared, strict=True) if selected]


def _similarity(test: Test, embeddings: Embeddings, pairs: Sequence[Pair], scores: Sequence[float]) -> SharedItems:
    measured = {name: pair_cosines(embedding, pairs) for name, embedding in embeddings.items()}
    is_shared, described = _shared(
        test,
        {name: is_known for name, (_, is_known) in measured.items()},
        lambda name, is_shared: measured[name][0][is_shared],
    )
    gold = np.asarray(scores, dtype=np.float64)[is_shared]
    unordered = ["\t".join(sorted(pair)) for pair in _selected(pairs, is_shared)]  # one that is there twice is one unit
    return SharedItems(**described, statistic=correlation(gold, by_rank=True), units=numbered_units(unordered))


def _of_shared_words(embeddings: Embeddings, vocabulary: int | None) -> Embeddings:
    """The vectors of the words that are among the first `vocabulary` of each: these alone may answer an analogy.

    With its own words each, the vectors of fewer words would have fewer wrong answers to choose from.
    """
    first = next(iter(embeddings.values()))
    words = list(dict.fromkeys(first.words[row] for row in first.forms[:vocabulary].tolist()))
    rows = [embedding.rows(words) for embedding in embeddings.values()]
    limits = [min(vocabulary or len(embedding), len(embedding)) for embedding in embeddings.values()]
    is_shared = np.all([(row >= 0) & (row < limit) for row, limit in zip(rows, limits, strict=True)], axis=0)
    if all(
        is_shared.sum() == limit == len(embedding) for limit, embedding in zip(limits, embeddings.values(), strict=True)
    ):
        return embeddings  # they have the same words, and need no copy
    words = _selected(words, is_shared)
    if not words:
        return {}
    return {
        name: type(embedding)(words, embedding.matrix[embedding.rows(words)], ignore_case=embedding.ignore_case)
        for name, embedding in embeddings.items()
    }


def _analogy(
    test: Test, embeddings: Embeddings, questions: Sequence[Sequence[str]], vocabulary: int | None
) -> SharedItems:
    among = _of_shared_words(embeddings, vocabulary)

    def is_correct(name: str, is_shared: NDArray[np.bool_]) -> NDArray:
        if not is_shared.any():
            return np.zeros(0, dtype=bool)
        embedding = among[name]
        asked = _selected(questions, is_shared)
        rows = embedding.rows(word for question in asked for word in question).reshape(-1, 4)
        answers = solve(embedding, rows[:, :3], vocabulary=None)[:, 0]
        return (answers >= 0) & (embedding.forms[answers] == rows[:, 3])

    is_answered = {name: _has_words(embedding, questions, vocabulary) for name, embedding in embeddings.items()}
    is_shared, described = _shared(test, is_answered, is_correct)
    numbers: dict[tuple[str, ...], int] = {}
    units = [
        [numbers.setdefault(tuple(question[start : start + 2]), len(numbers)) for start in (0, 2)]
        for question in _selected(questions, is_shared)
    ]
    return SharedItems(**described, statistic=mean_answer, units=np.array(units, dtype=np.int64).reshape(-1, 2))


def _categorization(
    test: Test, embeddings: Embeddings, seed: int, words: Sequence[str], categories: Sequence[str]
) -> SharedItems:
    numbers = np.unique(np.asarray(categories, dtype=str), return_inverse=True)[1]

    def best_clusters(name: str, is_shared: NDArray[np.bool_]) -> NDArray:
        """The clusters of the best clustering, as `categorization` chooses it."""
        gold = numbers[is_shared]
        if len(np.unique(gold)) < 2 or len(gold) < 2:
            return np.zeros(len(gold), dtype=np.int64)
        vectors = embeddings[name].vectors(embeddings[name].rows(_selected(words, is_shared)))
        clustered = [clusters for _, clusters in clusterings(vectors, len(np.unique(gold)), seed)]
        return max(clustered, key=lambda clusters: purity_of(gold, clusters))

    is_answered = {name: embedding.rows(words) >= 0 for name, embedding in embeddings.items()}
    is_shared, described = _shared(test, is_answered, best_clusters)
    return SharedItems(
        **described,
        statistic=purity(numbers[is_shared]),
        units=numbered_units(_selected(words, is_shared)),
        why_no_verdict=UNSTABLE_CLUSTERS,
    )


def _relations(test: Test, embeddings: Embeddings, relations: Mapping[str, Relation]) -> SharedItems:
    """The mean over relations of Spearman's correlation; prototypes are those that all vectors know."""
    prototypes = {
        name: [pair for pair in relation.prototypes if all(_has_words(e, [pair])[0] for e in embeddings.values())]
        for name, relation in relations.items()
    }
    pairs = [pair for relation in relations.values() for pair in relation.pairs]
    names = np.array([name for name, relation in relations.items() for _ in relation.pairs])
    scores = np.array([score for relation in relations.values() for score in relation.scores], dtype=np.float64)
    has_prototypes = np.array([bool(prototypes[name]) for name in names], dtype=bool)

    def typicality(name: str, is_shared: NDArray[np.bool_]) -> NDArray:
        if not is_shared.any():
            return np.zeros(0)
        embedding = embeddings[name]
        offsets = _offsets(embedding, _selected(pairs, is_shared))
        means = {relation: _offsets(embedding, prototypes[relation]).mean(axis=0) for relation in set(names[is_shared])}
        directions = np.stack([means[relation] for relation in names[is_shared]])
        lengths = np.linalg.norm(offsets, axis=1) * np.linalg.norm(directions, axis=1)
        products = (offsets * directions).sum(axis=1)
        return np.divide(products, lengths, out=np.zeros(len(offsets)), where=lengths > 0)

    is_answered = {name: _has_words(embedding, pairs) & has_prototypes for name, embedding in embeddings.items()}
    is_shared, described = _shared(test, is_answered, typicality)
    gold, files = scores[is_shared], names[is_shared]
    return SharedItems(
        **described,
        statistic=correlation(gold, by_rank=True, files=files),
        units=single_units(len(gold)),
        notes=notes_on_files(gold, files),
    )


def _offsets(embedding: Embedding, pairs: Sequence[Pair]) -> NDArray[np.floating]:
    first, second = (embedding.rows(pair[side] for pair in pairs) for side in (0, 1))
    return embedding.directions(first) - embedding.directions(second)


def _synonyms(test: Test, embeddings: Embeddings, questions: Sequence[Sequence[str]]) -> SharedItems:
    def is_correct(name: str, is_shared: NDArray[np.bool_]) -> NDArray:
        correct = []
        for question in _selected(questions, is_shared):
            rows = embeddings[name].rows(question)
            cosines = embeddings[name].cosines(np.full(len(rows) - 1, rows[0]), rows[1:])
            correct.append(is_nearest(cosines))
        return np.array(correct, dtype=bool)

    is_answered = {name: _has_words(embedding, questions) for name, embedding in embeddings.items()}
    is_shared, described = _shared(test, is_answered, is_correct)
    units = numbered_units([question[0] for question in _selected(questions, is_shared)])
    return SharedItems(**described, statistic=mean_answer, units=units)


def _outliers(test: Test, embeddings: Embeddings, groups: Groups) -> SharedItems:
    """The share of outliers detected, each among the words of its group that all vectors know."""
    members = [
        [word for word in words if all(embedding.rows([word])[0] >= 0 for embedding in embeddings.values())]
        for words, _ in groups
    ]
    questions = [(number, outlier) for number, (_, outliers) in enumerate(groups) for outlier in outliers]

    def is_detected(name: str, is_shared: NDArray[np.bool_]) -> NDArray:
        embedding = embeddings[name]
        detected = []
        for number, outlier in _selected(questions, is_shared):
            rows = embedding.rows([*members[number], outlier])
            detected.append(position(embedding.directions(rows)) == len(members[number]))
        return np.array(detected, dtype=bool)

    def can_answer(embedding: Embedding, inside: Sequence[Sequence[str]]) -> NDArray[np.bool_]:
        sizes = np.array([(embedding.rows(words) >= 0).sum() for words in inside])
        has_outlier = embedding.rows(outlier for _, outlier in questions) >= 0
        return has_outlier & (sizes[[number for number, _ in questions]] > 1)

    is_answered = {name: can_answer(embedding, members) for name, embedding in embeddings.items()}
    is_shared, described = _shared(test, is_answered, is_detected)
    words_of_groups = [words for words, _ in groups]
    described["answered"] = {name: int(can_answer(e, words_of_groups).sum()) for name, e in embeddings.items()}
    units = numbered_units([str(number) for number, _ in _selected(questions, is_shared)])
    return SharedItems(**described, statistic=mean_answer, units=units)
