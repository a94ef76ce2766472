"""What networks and linear classifiers reach on a corpus, and where the timescales of a network went.

Numbers are arrays [1 + R], as of `repline.evaluation.classification.classification_measures`.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError, safe_open

from repline.corpora.labelled.classified_texts import Texts
from repline.errors import InputError
from repline.evaluation.classification import scored_runs
from repline.evaluation.classification.scored_runs import of_run
from repline.evaluation.classification.training import SCORES

TIMESCALES = "recurrence.timescales"


def of_network(folder: str | Path, texts: Texts, weights: NDArray, edges: Sequence[int]) -> dict[str, Any]:
    """The measures of one trained network; with `timescales`, its `fastest` and `slowest`, where it has any.

    Raises:
        InputError: the folder holds no trained network.
    """
    folder = Path(folder)
    found = of_run(folder / SCORES, texts, weights, edges)
    try:
        with safe_open(folder / "model.safetensors", framework="np") as tensors:
            values = tensors.get_tensor(TIMESCALES) if TIMESCALES in set(tensors.keys()) else None
    except (OSError, SafetensorError) as error:
        raise InputError(f"{folder}: this is no trained network ({error}); train it again") from None
    if values is None:
        return found
    ends = {"fastest": values.min(), "slowest": values.max()}
    return found | {"timescales": {name: np.full(len(weights), float(value)) for name, value in ends.items()}}


def counts(texts: Texts) -> dict[str, Any]:
    """Those of `scored_runs.counts`, and the mean `words` of a text."""
    sizes = [len(words) for part in texts.sentences for words in texts.flat(part)]
    return {**scored_runs.counts(texts), "words": float(np.mean(sizes))}
