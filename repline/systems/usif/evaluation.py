"""Textual similarity of every variant, accuracy of the probes, and the constants that follow from the counts."""

import warnings
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq

from repline.evaluation.evaluations import Evaluation
from repline.evaluation.nested_measures import Measures, Metric, Replicate
from repline.evaluation.replication.bootstrap import merge_replicates, side_by_side
from repline.evaluation.sentence_similarity import PairFile, cosines, file_correlations, means_by_test, pair_files
from repline.systems.usif.model import CommonComponents, index_sentences
from repline.systems.usif.probe_accuracy import evaluate_task
from repline.systems.usif.probe_tasks import read_tasks
from repline.systems.usif.random_walk import angular_score, derive
from repline.systems.usif.resampled_similarity import drawn_pairs, resampled_correlations
from repline.systems.usif.settings import Settings, VariantName
from repline.systems.usif.variants import VARIANTS, variant_embeddings
from repline.systems.usif.weighted_words import WeightedWords, mean_length
from repline.training.run import runs

PUBLISHED_DIMENSIONS = 300  # of all vectors in the paper's tables
PUBLISHED_LENGTH = 11  # words in a sentence of the STS tests
UNRELATED, REPEATED = ((2.0, 0.0), (0.0, 2.0)), ((1.0, 1.0), (1.0, 1.0))  # the words of two sentences, eq. 4 with k = 1
SIMILARITY, FILES, ELSEWHERE = "similarity", "files", "elsewhere"


def evaluate(settings: Settings, corpus: Path, words: WeightedWords, models: Path) -> Evaluation:
    """Similarity of every variant, accuracy of the probes, constants and coverage, with replicates.

    `similarity`, `files` and `elsewhere` are of `evaluate_similarity`, `probes` of
    `repline.systems.usif.probe_accuracy.evaluate_task`, each under the kind of the vectors; `published` repeats them
    where the vectors have as many dimensions as the paper's.

    Args:
        corpus: a folder that `corpus.prepare` wrote.
        models: the folder of the runs, `<variant>/<task>/seed-<s>`.
    """
    files = pair_files(pq.read_table(corpus / "pairs.parquet"))
    reference = pq.read_table(corpus / "reference.parquet")["tokens"].to_pylist()
    sentences = [sentence for pairs in files for sentence in pairs.first + pairs.second]
    length = settings.length or mean_length(sentences)
    similarity = evaluate_similarity(files, reference, words, length, settings.components)
    probes = Evaluation.side_by_side({
        task.name: evaluate_task(
            task,
            words,
            {variant: runs(models / variant / task.name) for variant in settings.probes.variants},
            settings.components,
        )
        for task in read_tasks(corpus, settings.length)
    })  # fmt: skip
    unigrams, pairs = Path(settings.unigrams).name, Path(settings.pairs).name
    coverage = coverage_of(sentences, words) | {
        "pairs": sum(len(file.scores) for file in files),
        "files": len(files),
        "dimensions": words.vectors.shape[1],
    }
    metrics = _of_kind(settings.kind, similarity.metrics | {"probes": probes.metrics}) | {
        "constants": constants(words.unigrams, length),
        "constants_11": {unigrams: constants(words.unigrams, PUBLISHED_LENGTH)},
        "data": coverage,
        "angular_score": {"unrelated": sentence_score(UNRELATED), "repeated": sentence_score(REPEATED)},
        "words_per_sentence": {pairs: coverage["words_per_sentence"]},
    }
    replicates = [
        _of_kind(settings.kind, row)
        for row in merge_replicates(similarity.replicates, side_by_side(probes=probes.replicates))
    ]
    for part in (metrics, *replicates):
        if coverage["dimensions"] == PUBLISHED_DIMENSIONS:
            part["published"] = {key: part[key] for key in (SIMILARITY, FILES, "probes") if key in part}
    return Evaluation(metrics, replicates)


def evaluate_similarity(
    files: Sequence[PairFile], reference: Sequence[Sequence[str]], words: WeightedWords, length: int, m: int
) -> Evaluation:
    """r x 100 of every variant: `similarity` by test, `files` by file, with the components of the file itself;
    `elsewhere` by test, with those of other text.

    Replicates are drawn pairs (`repline.systems.usif.resampled_similarity`).

    Args:
        reference: sentences of other text; where there are none, `elsewhere` stays empty.
        length: n of the constants.
        m: common components.
    """
    draws = [drawn_pairs(pairs, number) for number, pairs in enumerate(files)]
    metrics: dict[str, dict[str, Metric]] = {SIMILARITY: {}, FILES: {}, ELSEWHERE: {}}
    replicates: list[Replicate] = []
    for variant in VARIANTS:
        averages = [words.averages(variant, pairs.first + pairs.second, length) for pairs in files]
        components: dict[str, CommonComponents | None] = {SIMILARITY: None}
        if reference:
            components[ELSEWHERE] = CommonComponents.of(words.averages(variant, reference, length), m)
        for where, removed in components.items():
            similarities = [
                _cosines(variant, pairs, file_averages, m, removed)
                for pairs, file_averages in zip(files, averages, strict=True)
            ]
            by_file = file_correlations(files, _in_turn(similarities))
            metrics[where][variant] = means_by_test(by_file)
            resampled = resampled_correlations(files, similarities, draws)
            rows: dict[str, list[Any]] = {where: [means_by_test(correlations) for correlations in resampled]}
            if where == SIMILARITY:
                metrics[FILES][variant] = by_file
                rows[FILES] = resampled
            named: list[Replicate] = [
                {key: {variant: value} for key, value in row.items()} for row in side_by_side(**rows)
            ]
            replicates = merge_replicates(replicates, named)
    return Evaluation(metrics, replicates)


def constants(unigrams: np.ndarray, length: int) -> dict[str, float | None]:
    """The constants of `repline.systems.usif.random_walk.derive`, None in place of infinite ones."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the weights are made from the same constants and warn already
        values = asdict(derive(unigrams, length))
    return {name: value if np.isfinite(value) else None for name, value in values.items()}


def sentence_score(words: Sequence[Sequence[float]]) -> float:
    """`angular_score` of a sentence whose discourse vector is the mean of its words [n, d]."""
    return angular_score(np.mean(words, axis=0), np.asarray(words))


def coverage_of(sentences: Sequence[Sequence[str]], words: WeightedWords) -> dict[str, float]:
    """How many sentences there are, how long they are, and what share of their words has no vector."""
    rows, offsets = index_sentences(sentences, words.index)
    lengths = np.diff(offsets)
    return {
        "sentences": len(sentences),
        "words_per_sentence": float(lengths.mean()),
        "words_without_vector": 1 - len(rows) / max(1, sum(map(len, sentences))),
        "sentences_without_words": int((lengths == 0).sum()),
    }


def _cosines(
    variant: VariantName, pairs: PairFile, averages: np.ndarray, m: int, components: CommonComponents | None
) -> np.ndarray:
    vectors = variant_embeddings(VARIANTS[variant], averages, m, components)
    return cosines(vectors[: len(pairs.first)], vectors[len(pairs.first) :])


def _in_turn(values: Iterable[np.ndarray]) -> Callable[[PairFile], np.ndarray]:
    """Precomputed similarities as a function, to be called once for each file in the order of the files."""
    remaining = iter(values)
    return lambda pairs: next(remaining)


def _of_kind(kind: str, part: Measures) -> dict[str, Metric]:
    return {key: {kind: values} for key, values in part.items()}
