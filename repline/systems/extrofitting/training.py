"""Fit a lexicon into vectors by every method, save the results, and read them again."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from repline.cards import read_card, source_of
from repline.errors import InputError
from repline.files import new_folder, write_json
from repline.lexicons.vocabulary_edges import listed_words, vocabulary_edges
from repline.parameters import Json
from repline.reading.settings import TableReading
from repline.reading.wrong_records import LeftOut
from repline.systems.extrofitting.model import depends_on_pairs, extrofit, notebook_labels
from repline.systems.extrofitting.settings import Settings
from repline.use.word_space import describe_vectors
from repline.vectors import store
from repline.vectors.retrofitting import retrofit

EXTROFITTING, RETROFITTING = "extrofitting", "retrofitting"
METHODS = {
    EXTROFITTING: "Vectors whitened by the covariance within the synonym classes of a lexicon",
    "edges": "Vectors whitened by the covariance of the differences of neighbours in a lexicon",
    RETROFITTING: "Vectors pulled towards the mean of their neighbours in a lexicon",
}
EDGES, COUNTS = "edges.parquet", "counts.json"  # in the folder of a lexicon


class Fitted(NamedTuple):
    """The vectors of one lexicon.

    Attributes:
        words: [V].
        vectors: [V, d] by method; "base" are those before.
        edges: [E, 2], neighbours as rows of the vectors.
        listed: how many of the words the lexicon lists.
    """

    words: list[str]
    vectors: dict[str, NDArray]
    edges: NDArray[np.int64]
    listed: int


def train(
    lexicon: str,
    start: str | Path,
    settings: Settings,
    folder: str | Path,
    data: str | Path = "data",
    methods: Iterable[str] = tuple(METHODS),
    *,
    plain_pairs: bool = False,
) -> None:
    """Fit one lexicon into one table of vectors by several methods, into a folder each; their edges next to them.

    Args:
        lexicon: the name of one of `settings.lexicons`.
        start: a folder that `repline.systems.extrofitting.corpus.write_start` wrote.
        folder: replaces what was there.
        data: where the lexicon lies.
        methods: some of `METHODS`.
        plain_pairs: the lexicon may be no more than pairs of words, so retrofitting moves both words of a pair, not
            only the word whose neighbour the other one is, and notebook classes that no pairing changes are refused.

    Raises:
        InputError: no two words of the vectors are neighbours, they make no classes, or the lexicon cannot be read.
    """
    source, plain = settings.lexicons[lexicon], settings.plain_words
    path = Path(data) / source.place
    words, matrix = store.words_and_matrix(start)
    left_out = LeftOut(source.on_error)
    reading = TableReading(on_error=left_out, encoding=source.encoding)
    any_case = source.any_case
    edges = vocabulary_edges(path, words, relations=source.relations, plain=plain, any_case=any_case, **reading)
    salvaged, notes = left_out.counts(), left_out.notes()
    columns = [pa.array(edges[:, side]) for side in (0, 1)]
    shared = settings.model_dump(include={"words", "plain_words", "orders", "retrofitting"})
    with new_folder(folder) as partial:
        pq.write_table(pa.table(columns, names=["row", "neighbour"]), partial / EDGES, compression="zstd")
        write_json(partial / COUNTS, {"heads": listed_words(path, words, plain=plain, any_case=any_case, **reading)})
        for method in methods:
            store.save(
                partial / method,
                words,
                _fitted(method, matrix, edges, settings, path, plain_pairs),
                name=public_name(lexicon, method),
                description=METHODS[method],
                licence="that of the vectors, and of the lexicon",
                sources=[*read_card(start)["sources"], source_of(source.place, data)],
                parameters={"method": method, "lexicon": _described(lexicon, settings)} | shared,
                totals={"edges": len(edges)} | salvaged,
                notes=notes,
                tools=["scipy"],
            )
            describe_vectors(partial / method, "extrofitting")


def read(folder: str | Path, start: str | Path) -> Fitted:
    """The vectors that `train` wrote into `folder`, and those that it started from."""
    folder = Path(folder)
    words, matrix = store.words_and_matrix(start)
    table = pq.read_table(folder / EDGES)
    edges = np.stack([table["row"].to_numpy(), table["neighbour"].to_numpy()], axis=1)
    listed = json.loads((folder / COUNTS).read_text(encoding="utf-8"))["heads"]
    return Fitted(
        words, {"base": matrix} | {method: store.load_matrix(folder / method) for method in METHODS}, edges, listed
    )


def public_name(lexicon: str, method: str) -> str:
    """The folder of data/vectors for the vectors of one lexicon and method."""
    return f"extrofitting-{lexicon}" + ("" if method == EXTROFITTING else f"-{method}")


def _fitted(
    method: str, matrix: NDArray, edges: NDArray, settings: Settings, lexicon: Path, plain_pairs: bool
) -> NDArray:
    if method == RETROFITTING:
        both = np.concatenate([edges, edges[:, ::-1]]) if plain_pairs else edges
        return retrofit(matrix, both, settings.retrofitting)
    try:
        if plain_pairs and method == EXTROFITTING:
            _check_classes(notebook_labels(edges, len(matrix), settings.orders[0]), lexicon)
        return extrofit(matrix, edges, labels="edges" if method == "edges" else "notebook", seed=settings.orders[0])
    except ValueError as error:
        raise InputError(f"{lexicon}: {error}; the method edges or retrofitting may do") from None


def _check_classes(labels: NDArray, lexicon: Path) -> None:
    if not depends_on_pairs(labels):
        raise InputError(
            f"{lexicon}: the notebook's classes are the words that are neighbours of the same word, and here no class "
            "has two, so it would not matter which words are paired; take the method edges or retrofitting"
        )


def _described(lexicon: str, settings: Settings) -> dict[str, Json]:
    return {"name": lexicon} | settings.lexicons[lexicon].model_dump(exclude_unset=True)
