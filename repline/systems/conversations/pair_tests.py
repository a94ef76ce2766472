"""Pairs that encoders are judged on: sentences with a score of similarity, and older questions with a new one.

Similarities are stored with the pairs' scores, so that every number can be computed again on other draws of the pairs.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from repline.corpora.sentence_pairs.pair_corpus import SPLITS, read_pair_corpus
from repline.errors import InputError
from repline.files import new_file
from repline.systems.conversations.corpus import split_words
from repline.systems.conversations.question_ranking import GOOD
from repline.systems.conversations.response_ranking import WordOverlap
from repline.systems.conversations.settings import Kind, Tuning
from repline.systems.conversations.tuning import angles, tune

UNTUNED, TUNED = "untuned", "tuned"
Vectors = dict[
    str, tuple[NDArray[np.floating], NDArray[np.floating]]
]  # by split, of the first and the second sentences


@dataclass(frozen=True)
class PairTest:
    """The pairs of a test, by split.

    Attributes:
        first, second: the sentences of each pair as tokens.
        gold: scores; for questions 1 for a good older question, else 0.
        groups: genres, or the new question that a pair belongs to; "" for none.
        origins: corpus, split and id of each pair, for error messages.
    """

    first: dict[str, list[list[str]]]
    second: dict[str, list[list[str]]]
    gold: dict[str, NDArray[np.float64]]
    groups: dict[str, NDArray[np.str_]]
    origins: dict[str, list[str]]


def read_pair_test(folder: str | Path, kind: Kind) -> PairTest:
    """Read the pairs of a corpus of sentence pairs as a test of this kind.

    Raises:
        InputError: there is no corpus, it has no pair in test (of questions: in dev), or a pair without a score (of
            questions: a label), naming the pair.
    """
    needed = {"similarity": "test", "questions": "dev"}[kind]
    column = {"similarity": "score", "questions": "label"}[kind]
    test = PairTest({}, {}, {}, {}, {})
    for split in SPLITS:
        try:
            table = read_pair_corpus(folder, split)
        except InputError:
            if split == needed or not any(Path(folder).glob("part-*.parquet")):
                raise
            continue
        test.origins[split] = [f"{folder}: {split}, pair or line {name}" for name in table["pair_id"].to_pylist()]
        values = table[column].to_pylist()
        if None in values:
            raise InputError(f"{test.origins[split][values.index(None)]}: expected a {column}, found none")
        test.gold[split] = np.array([value in GOOD for value in values] if kind == "questions" else values, np.float64)
        test.groups[split] = np.array(table["group"].to_pylist(), np.str_)
        for side, name in ((test.first, "text_a"), (test.second, "text_b")):
            side[split] = [split_words(text) for text in table[name].to_pylist()]
    return test


def unknown(test: PairTest, vocabulary: Mapping[str, int]) -> dict[str, int]:
    """Number of sentences without a known word, by split; InputError for an empty sentence, naming the pair."""
    counts = {}
    for split, origins in test.origins.items():
        both = test.first[split] + test.second[split]
        for pair, sentence in zip([*origins, *origins], both, strict=True):
            if not sentence:
                raise InputError(f"{pair}: a sentence is empty")
        counts[split] = sum(not any(token in vocabulary for token in sentence) for sentence in both)
    return counts


def vectors_of(test: PairTest, encode: Any) -> Vectors:
    """Vectors of all sentences; encode: tokens of n sentences -> [n, m]."""
    return {split: (encode(test.first[split]), encode(test.second[split])) for split in test.origins}


def similarities(test: PairTest, vectors: Vectors, tuning: Tuning | None = None) -> dict[str, dict[str, NDArray]]:
    """The similarity sim of all pairs, untuned, and tuned on train where there is a train and a dev.

    Args:
        vectors: of `vectors_of`.
        tuning: settings of the matrix; the pairs of train are then not measured. None for no tuning.

    Returns:
        By tuning and split, the similarity of each pair.
    """
    measured = [split for split in vectors if tuning is None or split != "train"]
    by_tuning = {UNTUNED: {split: angles(*vectors[split]) for split in measured}}
    if tuning is not None and {"train", "dev"} <= vectors.keys():
        matrix = tune(*vectors["train"], test.gold["train"], (*vectors["dev"], test.gold["dev"]), tuning)
        by_tuning[TUNED] = {split: angles(*(side @ matrix.T for side in vectors[split])) for split in measured}
    return by_tuning


def word_overlap(test: PairTest, tuning: Tuning | None = None) -> dict[str, dict[str, NDArray]]:
    """Similarities by TF-IDF vectors, with document frequencies of the test's own sentences."""
    ranker = WordOverlap(
        [sentence for side in (test.first, test.second) for split in test.origins for sentence in side[split]]
    )
    by_split = {}
    for split in [split for split in test.origins if tuning is None or split != "train"]:
        first, second = (ranker.vectors.transform(side[split]) for side in (test.first, test.second))
        by_split[split] = -np.arccos(np.asarray(first.multiply(second).sum(1))[:, 0].clip(-1, 1))
    return {UNTUNED: by_split}


def averaged(sentences: Sequence[Sequence[str]], row_of: Mapping[str, int], matrix: NDArray) -> NDArray[np.float32]:
    """The mean of the vectors of each sentence's words [n, d]; zeros where no word has one."""
    means = np.zeros((len(sentences), matrix.shape[1]), np.float32)
    for row, sentence in enumerate(sentences):
        if rows := [row_of[token] for token in sentence if token in row_of]:
            means[row] = matrix[rows].mean(0)
    return means


@dataclass(frozen=True)
class Measured:
    """Similarities of the pairs of a test by every method.

    Attributes:
        gold, groups: of `PairTest`, by split.
        unknown: number of sentences without a known word, by split.
        runs: by method, the `similarities` of each seed.
    """

    gold: Mapping[str, NDArray[np.float64]]
    groups: Mapping[str, NDArray[np.str_]]
    unknown: Mapping[str, int]
    runs: Mapping[str, Sequence[Mapping[str, Mapping[str, NDArray]]]]


def write_measured(path: str | Path, measured: Measured) -> None:
    """Write what was measured to one .npz."""
    arrays: dict[str, NDArray] = {f"gold/{split}": values for split, values in measured.gold.items()}
    arrays |= {f"groups/{split}": values for split, values in measured.groups.items()}
    arrays |= {f"unknown/{split}": np.array(count) for split, count in measured.unknown.items()}
    for name, seed_runs in measured.runs.items():
        for seed, by_tuning in enumerate(seed_runs):
            for tuning, splits in by_tuning.items():
                arrays |= {f"runs/{name}/{seed}/{tuning}/{split}": values for split, values in splits.items()}
    with new_file(path) as partial, open(partial, "wb") as file:
        np.savez(file, allow_pickle=False, **arrays)


def read_measured(path: str | Path) -> Measured:
    """Read the file of `write_measured`; InputError where it is missing."""
    gold: dict[str, NDArray[np.float64]] = {}
    groups: dict[str, NDArray[np.str_]] = {}
    unknown: dict[str, int] = {}
    runs: dict[str, list[dict[str, dict[str, NDArray]]]] = {}
    try:
        with np.load(path, allow_pickle=False) as arrays:
            for key, values in arrays.items():
                part, *rest = key.split("/")
                if part == "runs":
                    name, seed, tuning, split = rest
                    seed_runs = runs.setdefault(name, [])
                    seed_runs += [{} for _ in range(int(seed) + 1 - len(seed_runs))]
                    seed_runs[int(seed)].setdefault(tuning, {})[split] = values
                elif part == "unknown":
                    unknown[rest[0]] = int(values)
                else:
                    (gold if part == "gold" else groups)[rest[0]] = values
    except FileNotFoundError:
        raise InputError(f"{path}: there is no such file; run `dvc repro` for it") from None
    return Measured(gold, groups, unknown, runs)
