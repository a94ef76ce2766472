"""The records of word vectors on tests: the results of one set of vectors, and the table of all."""

from typing import Literal, NotRequired, TypedDict

from repline.evaluation.nested_measures import Measures

Task = Literal["similarity", "analogy", "categorization", "relations", "synonyms", "outliers"]


class VectorsResult(TypedDict):
    """The results of one set of word vectors: for each test what `...word_vectors.suite.evaluate` returns."""

    words: int
    dimensions: int
    tests: dict[str, Measures]
    language: NotRequired[str]


class Column(TypedDict):
    """A test, and how it is measured."""

    test: str
    task: Task
    measure: str
    items: int


class Cell(TypedDict):
    """Word vectors on a test: the share of its items whose words are known is the coverage."""

    value: float | None
    penalised: float | None
    coverage: float | None


class Row(TypedDict):
    """Word vectors on all tests."""

    vectors: str
    words: int
    dimensions: int
    cells: list[Cell | None]


class SuiteTable(TypedDict):
    """All vectors x all tests; `languages` has the tables of other languages, where there are any."""

    columns: list[Column]
    rows: list[Row]
    languages: NotRequired[dict[str, "SuiteTable"]]
