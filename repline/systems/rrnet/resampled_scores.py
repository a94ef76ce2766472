"""Replicates of what RRNet's models show: their runs and the test items resampled.

The items are expressions, pairs of formulas, or pieces of text as long as a segment, in which words hang together.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from repline.evaluation.nested_measures import Metric, Replicate
from repline.evaluation.replication.bootstrap import bootstrap


def accuracies_by_length(correct: Sequence[NDArray[np.bool_]], lengths: NDArray[np.integer]) -> list[Replicate]:
    """{"accuracy_by_length": [share of right answers at length 0, 1, ..., None where no item was drawn]}.

    Args:
        correct: of each run, whether its answers to the N items are right.
        lengths: [N].
    """
    groups = int(lengths.max()) + 1

    def measure(is_correct: NDArray[np.bool_], items: NDArray[np.integer]) -> dict[str, Metric]:
        drawn = lengths[items]
        trials = np.bincount(drawn, minlength=groups)
        successes = np.bincount(drawn, weights=is_correct[items], minlength=groups)
        counts = zip(successes.tolist(), trials.tolist(), strict=True)
        return {"accuracy_by_length": [success / trial if trial else None for success, trial in counts]}

    return bootstrap(measure, correct, len(lengths))


def accuracies(correct: Sequence[NDArray[np.bool_]], name: str) -> list[Replicate]:
    """{name: share of right answers}; `correct` as in `accuracies_by_length`."""
    return bootstrap(lambda is_correct, items: {name: float(is_correct[items].mean())}, correct, len(correct[0]))


def perplexities(pieces: Sequence[NDArray[np.float64]]) -> list[Replicate]:
    """{"perplexity": exp(nats / words)}, the mean over runs.

    Args:
        pieces: of each run, [N, 2] the nats and the words of each piece of the text.
    """

    def measure(run: NDArray[np.float64], items: NDArray[np.integer]) -> dict[str, float]:
        nats, words = run[items].sum(0)
        return {"perplexity": float(np.exp(nats / words))}

    return bootstrap(measure, pieces, len(pieces[0]))
