"""The records of sentence encoders on tasks: the result of one on a task and on all, and the table of all."""

from typing import NotRequired, TypedDict


class TaskResult(TypedDict, total=False):
    """An encoder on one task, see `repline.evaluation.sentences.protocol.measure`. Not all tasks have all keys."""

    kind: str
    measure: str
    value: float
    low: float
    high: float
    replicates: list[float]
    items: int
    dimensions: int
    zero_vectors: int
    penalties: list[float]
    f1: float
    spearman: float
    pearson_of_angles: float
    pearson_by_pairs: float
    spearman_by_pairs: float
    further_replicates: dict[str, list[float]]
    files: dict[str, "FileResult"]


class FileResult(TypedDict):
    """The correlations on one file of a task of similarity."""

    pearson: float
    pearson_of_angles: float
    spearman: float
    pairs: int


class EncoderResult(TypedDict):
    """The results of one encoder; `untrained` says whether it is untrained."""

    untrained: bool
    dimensions: int
    tasks: dict[str, TaskResult]
    sentences_per_second: NotRequired[float | None]


class Column(TypedDict):
    """A task, and how it is measured."""

    task: str
    kind: str
    measure: str
    items: int


class Cell(TypedDict):
    """An encoder on a task, see `repline.evaluation.sentences.sentence_table.table`."""

    value: float
    low: float
    high: float
    above_untrained: bool | None
    spearman: NotRequired[float]


class Row(TypedDict):
    """An encoder on all tasks."""

    encoder: str
    untrained: bool
    dimensions: int
    cells: list[Cell | None]


class SentenceTable(TypedDict):
    """All encoders x all tasks."""

    columns: list[Column]
    rows: list[Row]
