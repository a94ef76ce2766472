"""Textual similarity: correlation of the cosines of sentence vectors with people's scores, file by file."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from statistics import mean

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from repline.evaluation.correlation import pearson

TRAINING = ("train", "trial")  # files that tests are not scored on
YEARS = ("sts12", "sts13", "sts14", "sts15")


@dataclass(frozen=True)
class PairFile:
    """One file of a test: its pairs in order, [n], and people's scores of them."""

    test: str
    file: str
    first: list[list[str]]
    second: list[list[str]]
    scores: np.ndarray


def pair_files(pairs: pa.Table) -> list[PairFile]:
    """The files that tests are scored on, in the order of the table (`corpora.sentence_pairs.scored_pairs.PAIRS`)."""
    files = []
    for test, file in dict.fromkeys(zip(pairs["test"].to_pylist(), pairs["file"].to_pylist(), strict=True)):
        if file not in TRAINING:
            rows = pairs.filter((pc.field("test") == test) & (pc.field("file") == file))
            first, second = rows["tokens_a"].to_pylist(), rows["tokens_b"].to_pylist()
            files.append(PairFile(test, file, first, second, rows["score"].to_numpy()))
    return files


def cosines(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """The cosine of each pair of rows, 0 where one of them is zero: [N, d], [N, d] -> float64 [N]."""
    x, y = np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64)
    lengths = np.linalg.norm(x, axis=1) * np.linalg.norm(y, axis=1)
    return np.divide((x * y).sum(axis=1), lengths, out=np.zeros(len(x)), where=lengths > 0)


def file_correlations(
    files: Iterable[PairFile], similarities: Callable[[PairFile], np.ndarray]
) -> dict[str, dict[str, float | None]]:
    """Pearson's r x 100 of similarities with scores: test -> file -> r, None where all similarities are equal.

    Args:
        files: of `pair_files`.
        similarities: of a file's pairs, [n].

    Source: the evaluation of SemEval STS; Ethayarajh 2018, section 4.1.
    """
    result: dict[str, dict[str, float | None]] = {}
    for pairs in files:
        r = pearson(np.asarray(similarities(pairs), dtype=np.float64), pairs.scores, least=2)
        result.setdefault(pairs.test, {})[pairs.file] = None if r is None else 100 * r
    return result


def means_by_test(correlations: Mapping[str, Mapping[str, float | None]]) -> dict[str, float]:
    """One number a test: the unweighted mean over its files; dev and test of a benchmark stay apart.

    Returns:
        test -> r x 100, tests with a file that has none left out; `TEST_dev` and `TEST_test` where the files are
        called dev and test, TEST alone where there is but a test file; `mean_12_15` over the four years of STS where
        all are there.

    Source: Ethayarajh 2018, table 1 and 2.
    """
    means: dict[str, float] = {}
    for test, files in correlations.items():
        measured = {file: value for file, value in files.items() if value is not None}
        if measured.keys() != files.keys():
            continue
        if set(files) == {"dev", "test"}:
            means |= {f"{test}_{file}": value for file, value in measured.items()}
        else:
            means[test] = mean(measured.values())
    if all(year in means for year in YEARS):
        means["mean_12_15"] = mean(means[year] for year in YEARS)
    return means
