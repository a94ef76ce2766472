"""What the stages that measure sentence vectors read, and the files of scores that they write."""

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from repline.errors import InputError
from repline.evaluation.sentences import task_files
from repline.evaluation.sentences.sentence_tasks import Task
from repline.files import write_json
from repline.systems.rnn_cnn.evaluation import Scores
from repline.systems.rnn_cnn.settings import Settings
from repline.vectors import store
from stages.folders import DATA, EVALUATION, VECTORS


def read_tasks(settings: Settings, corpus: str) -> list[Task]:
    """The tasks that models of this corpus are measured on."""
    sources = [DATA / source for source in dict.fromkeys(settings.evaluation.sources)]
    return task_files.read_tasks(sources, settings.corpora[corpus].tasks)


def read_vectors(settings: Settings) -> tuple[Sequence[str], NDArray[np.floating]]:
    """The words that models begin with, and their vectors [V', d]."""
    return store.words_and_matrix(VECTORS / settings.vectors)


def write(corpus: str, method: str, scores: Sequence[Scores]) -> None:
    """Write the scores of a method, one for each seed, and print them."""
    write_json(_path(corpus, method), list(scores))
    for seed in scores:
        print(f"{method}: " + ", ".join(f"{task} {100 * score['value']:.1f}" for task, score in seed.items()))


def read(corpus: str, method: str) -> list[Scores]:
    """Read them again. Raises InputError where they are not there."""
    path = _path(corpus, method)
    if not path.is_file():
        raise InputError(f"{path}: {method} is not measured on the tasks of {corpus} yet; run `dvc repro` for it")
    scores: list[Scores] = json.loads(path.read_text(encoding="utf-8"))
    return scores


def _path(corpus: str, method: str) -> Path:
    return EVALUATION / "rnn_cnn/scores" / corpus / f"{method}.json"
