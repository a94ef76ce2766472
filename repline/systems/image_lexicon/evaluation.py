"""Measures of ranks: MRR and P@k by part of speech and language, dispersion, baselines; on resampled words.

Every number is an array [1 + R]: first of the words as they are, then of each replicate's draw of them. An item is a
word of the source language with its part of speech; all languages and methods have the same draws, so that
differences are paired. Means over languages give each language the same weight.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from repline.evaluation.evaluations import Evaluation, Metrics
from repline.evaluation.nested_measures import Array, Arrays, Replicate
from repline.evaluation.replication.bootstrap import side_by_side
from repline.evaluation.replication.weighted_draws import (
    mean_of_draws,
    numbers,
    replicates,
    spearman_of_draws,
    weights_of,
)
from repline.lexicons.wordnet.synsets import WordNet
from repline.systems.image_lexicon.image_words import POS, WordList
from repline.systems.image_lexicon.polysemy import mean_senses, senses
from repline.systems.image_lexicon.set_counts import Extreme, extremes, list_counts, set_sizes, usable_counts
from repline.systems.image_lexicon.settings import Settings
from repline.systems.image_lexicon.translation import METHODS, SINGLE, TranslatedRun, read_run

GROUPS = ("all", *POS.values())
Values = dict[str, NDArray[np.float64]]


def evaluate(folders: Mapping[str, Path], settings: Settings, wordnet: WordNet, version: str) -> Evaluation:
    """All runs: translation, dispersion, and what explains it; counts of lists, words and senses.

    Args:
        folders: of each run, as `repline.systems.image_lexicon.translation.write_run` wrote it.
        wordnet: whose synsets are counted; version: its name in the metrics.

    Returns:
        with the details `extremes`: by run, the words whose pictures vary least and most.
    """
    metrics: Metrics = {"runs": {}, "lists": {}, "senses": {version: {}}}
    repeated: dict[str, Sequence[Replicate]] = {}
    extreme_words: dict[str, list[Extreme]] = {}
    for name, folder in folders.items():
        run = read_run(folder)
        scores = run_scores(run, wordnet)
        metrics["runs"][name] = numbers([scores]) | {
            "usable": usable_counts(run.translations),
            "pictures": set_sizes(run.dispersions),
            "twins": run.twins,
        }
        repeated[name] = replicates([scores])
        first = next(iter(run.lists.values()))
        extreme_words[name] = extremes(run.dispersions, run.lists, first.source)
        label = Path(settings.runs[name].lists).name
        if label not in metrics["lists"]:
            metrics["lists"][label] = list_counts(run.lists)
            metrics["senses"][version][label] = mean_senses(
                wordnet, [(entry.source, entry.pos) for entry in first.entries]
            )
    repeats = side_by_side(runs=side_by_side(**repeated))
    return Evaluation(metrics, repeats, {"extremes": extreme_words})


def run_scores(run: TranslatedRun, wordnet: WordNet) -> dict[str, Array]:
    """The scores of one run that are resampled, as arrays [1 + R]: of translations, dispersion, and explanations."""
    items = Items(run.lists)
    counts = senses(wordnet, {word for word, _ in items.number})
    source = next(iter(run.lists.values())).source
    return {
        **translation_scores(run.translations, items),
        "dispersion": dispersion_scores(run.dispersions, run.lists, items),
        "explained": explanations(run.translations, run.dispersions, counts, source, items),
    }


def rank_measures(better: NDArray, tied: NDArray) -> Values:
    """What each rank contributes: `mrr`, `p1`, `p10`, and the same with ties in favour of the gold word.

        rank = 1 + better + (tied - 1) / 2,   optimistic: 1 + better

    Args:
        better, tied: [n], candidates that score higher, and alike (the gold word among them).
    """
    measures: Values = {}
    for name, rank in (("", 1 + better + (tied - 1) / 2), ("_optimistic", 1.0 + better)):
        measures |= {
            f"mrr{name}": 1 / rank,
            f"p1{name}": (rank <= 1).astype(np.float64),
            f"p10{name}": (rank <= 10).astype(np.float64),
        }
    return measures


class Items:
    """The words of the source language, each with a part of speech, and how often each counts.

    weights: [1 + R, I].
    """

    def __init__(self, lists: Mapping[str, WordList]) -> None:
        entries = dict.fromkeys(
            (entry.source, entry.pos) for word_list in lists.values() for entry in word_list.entries
        )
        self.number = {entry: number for number, entry in enumerate(entries)}
        self.weights = weights_of(len(entries))

    def of(self, words: Sequence[tuple[str, str]]) -> NDArray[np.int64]:
        """The numbers of some words with their parts of speech [n]."""
        return np.array([self.number[word] for word in words], dtype=np.int64)

    def grouped(self, values: NDArray, words: Sequence[tuple[str, str]]) -> Values:
        """The mean of the values [n] of some words, over all of them and by part of speech: [1 + R] each."""
        weights, pos = self.weights[:, self.of(words)], np.array([word[1] for word in words])
        measured = ~np.isnan(values)
        rows_of_group = {group: measured & ((group == "all") | (pos == group)) for group in GROUPS}
        return {group: mean_of_draws(values[rows], weights[:, rows]) for group, rows in rows_of_group.items()}


def translation_scores(translations: pa.Table, items: Items) -> dict[str, Array]:
    """Measures of translation by language, method and part of speech, and their mean over languages.

    Returns:
        `languages` -> language -> method -> group -> measure; `methods` -> method -> group -> measure; `different`,
        measures of words whose translation is spelled otherwise; `baselines`: identical spelling, and chance.
    """
    columns = {name: np.array(translations[name].to_pylist()) for name in translations.column_names}
    languages = list(dict.fromkeys(columns["language"].tolist()))
    by_language: dict[str, dict[str, Array]] = {}
    different_words: dict[str, dict[str, Array]] = {}
    baselines: dict[str, dict[str, Array]] = {}
    for language in languages:
        in_language = columns["language"] == language
        by_language[language], different_words[language] = {}, {}
        for method in METHODS:
            rows = np.flatnonzero(in_language & (columns["method"] == method))
            values = rank_measures(columns["better"][rows], columns["tied"][rows])
            if method in SINGLE:  # the order below its first answer means nothing
                values = {
                    name: measure_values for name, measure_values in values.items() if name in ("p1", "p1_optimistic")
                }
            words = list(zip(columns["source"][rows].tolist(), columns["pos"][rows].tolist(), strict=True))
            by_language[language][method] = _by_group(values, words, items)
            spelled_otherwise = np.flatnonzero(columns["source"][rows] != columns["target"][rows])
            different = {name: measure_values[spelled_otherwise] for name, measure_values in values.items()}
            different_words[language][method] = _by_group(different, [words[row] for row in spelled_otherwise], items)
        same = (columns["source"][rows] == columns["target"][rows]) * 1.0
        candidates = int(columns["candidates"][rows[0]])
        chance = {"p1": 1 / candidates, "p10": min(10, candidates) / candidates}
        chance |= {"mrr": float((1 / np.arange(1, candidates + 1)).mean())}
        baselines[language] = {
            "identical": {"p1": items.grouped(same, words)["all"]},
            "chance": {name: np.full(len(items.weights), value) for name, value in chance.items()},
        }
    return {
        "languages": by_language,
        "different": mean_over(different_words),
        "baselines": mean_over(baselines),
        "methods": mean_over(by_language),
    }


def dispersion_scores(dispersions: pa.Table, lists: Mapping[str, WordList], items: Items) -> dict[str, Array]:
    """Mean dispersion by part of speech: of each language, `source` of the source language, `mean` of all."""
    source = next(iter(lists.values())).source
    rows = zip(*(dispersions[name].to_pylist() for name in ("language", "word", "dispersion")), strict=True)
    dispersion_of = {(language, word): np.nan if value is None else value for language, word, value in rows}
    by_language = {}
    for language in (source, *lists):
        word_list = next(iter(lists.values())) if language == source else lists[language]
        entries = [(entry, entry.source if language == source else entry.target) for entry in word_list.entries]
        measured = [
            (entry, dispersion_of[language, word]) for entry, word in entries if (language, word) in dispersion_of
        ]
        values = np.array([value for _, value in measured])
        by_language[language] = items.grouped(values, [(entry.source, entry.pos) for entry, _ in measured])
    return {"languages": by_language, "source": by_language[source], "mean": mean_over(by_language)}


def explanations(
    translations: pa.Table, dispersions: pa.Table, senses: Mapping[str, int], source: str, items: Items
) -> dict[str, NDArray[np.float64]]:
    """Spearman's rho of a word's reciprocal rank by AVGMAX with what might explain it, the mean over languages.

    dispersion: of the source word's pictures; pictures: how many it has; senses: its synsets.
    """
    source_words = [
        {"word": row["word"], "dispersion": row["dispersion"], "pictures": row["pictures"]}
        for row in dispersions.to_pylist()
        if row["language"] == source
    ]
    facts_of = {row["word"]: row for row in source_words}
    rows = [row for row in translations.to_pylist() if row["method"] == "avgmax"]
    correlations: dict[str, list[NDArray]] = {"dispersion": [], "pictures": [], "senses": []}
    for language in dict.fromkeys(row["language"] for row in rows):
        measured_rows = [
            row for row in rows if row["language"] == language and facts_of[row["source"]]["dispersion"] is not None
        ]
        weights = items.weights[:, items.of([(row["source"], row["pos"]) for row in measured_rows])]
        reciprocal = np.array([1 / (1 + row["better"] + (row["tied"] - 1) / 2) for row in measured_rows])
        for name, values in correlations.items():
            reason = [
                senses[row["source"]] if name == "senses" else facts_of[row["source"]][name] for row in measured_rows
            ]
            values.append(spearman_of_draws(reciprocal, np.array(reason, dtype=np.float64), weights))
    return {name: np.mean(values, axis=0) for name, values in correlations.items()}


def mean_over(parts: Arrays) -> Any:
    """The mean of equally nested arrays, over the values of a mapping; NaN only where all are."""
    arrays: list[Any] = list(parts.values())
    if isinstance(arrays[0], Mapping):
        return {
            key: mean_over({name: part[key] for name, part in zip(parts, arrays, strict=True)}) for key in arrays[0]
        }
    stacked = np.stack(arrays)
    measured = ~np.isnan(stacked)
    total = measured.sum(0)
    sums = np.where(measured, stacked, 0.0).sum(0)
    return np.divide(sums, total, out=np.full(sums.shape, np.nan), where=total > 0)


def _by_group(values: Values, words: Sequence[tuple[str, str]], items: Items) -> dict[str, Values]:
    """group -> measure -> [1 + R]."""
    by_measure = {name: items.grouped(value, words) for name, value in values.items()}
    return {group: {name: by_measure[name][group] for name in values} for group in GROUPS}
