"""Scores on disk, one row per training and test, and the lines that report them as they are made."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypedDict

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from repline.errors import InputError, in_one_line
from repline.files import new_file
from repline.systems.corpus_specificity.document_removal import Subcorpus
from repline.systems.corpus_specificity.word_tests import Scores

SKIP_GRAM, EQUAL_UPDATES = "skip-gram", "skip-gram, equal updates"  # variants of word2vec
SCHEMA = pa.schema(
    [(name, pa.string()) for name in ("test", "variant", "method")]
    + [(name, pa.int64()) for name in ("size", "sample", "k", "documents", "tokens")]
    + [(name, pa.float64()) for name in ("score", "permuted")]
    + [("items", pa.list_(pa.float64()))]  # the score of each category or question
)


class ScoreRow(TypedDict):
    """The score of vectors of one subcorpus on one test, with the columns of `SCHEMA`."""

    test: str
    variant: str
    method: str
    size: int
    sample: int
    k: int
    documents: int
    tokens: int
    score: float
    permuted: float
    items: list[float]


Progress = Callable[[ScoreRow], None]


def score_row(test: str, variant: str, part: Subcorpus, k: int, scores: Scores, tokens: int) -> ScoreRow:
    """The row of one training and one test."""
    return {
        "test": test,
        "variant": variant,
        "method": part.method,
        "size": part.size,
        "sample": part.sample,
        "k": k,
        "documents": len(part.documents),
        "tokens": tokens,
        **scores,
    }


def best_dimensions(rows: Sequence[ScoreRow], variant: str) -> int | None:
    """The k of a variant with the best mean score on the whole corpus; None where the rows have no such variant.

    Args:
        rows: of `lsa_scores` or `word2vec_scores`; the scores of the test of the first row count.
        variant: "us" or "skip-gram".
    """
    scores: dict[int, list[float]] = {}
    for row in rows:
        if row["variant"] == variant and row["method"] == "full" and row["test"] == rows[0]["test"]:
            scores.setdefault(row["k"], []).append(row["score"])
    return max(sorted(scores), key=lambda k: float(np.mean(scores[k]))) if scores else None


def write_scores(path: Path, rows: Sequence[ScoreRow]) -> None:
    """Write rows of `lsa_scores` or `word2vec_scores`."""
    with new_file(path) as partial:
        pq.write_table(pa.Table.from_pylist(list(rows), schema=SCHEMA), partial, compression="zstd")


def read_scores(path: Path) -> list[ScoreRow]:
    """The rows of a file; InputError where it has none."""
    try:
        return pq.read_table(path, schema=SCHEMA).to_pylist()
    except (OSError, pa.ArrowException) as error:
        raise InputError(f"{path}: these are no scores ({in_one_line(error)}); run `dvc repro`") from None


def print_score(row: ScoreRow) -> None:
    """Print one row as a line of progress."""
    print(
        f"{row['test']}, {row['method']}, {row['size']:,} documents, sample {row['sample']}, "
        f"{row['variant']}, k = {row['k']}: {row['score']:.3f}",
        flush=True,
    )
