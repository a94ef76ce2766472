"""WordNet embeddings and their variants, from a graph of words to vectors."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray
from scipy import sparse

from repline.algebra.principal_components import Matrix
from repline.errors import InputError
from repline.lexicons.word_graph import of_parts_of_speech, relation_matrix
from repline.lexicons.wordnet.subgraphs import Selection, induced, select_words
from repline.systems.wordnet_embeddings.model import Method, Steps, affinities, reduce, unit_rows

Graph = tuple[pa.Table, pa.Table]


@dataclass(frozen=True)
class Affinities:
    """The words of a graph, their affinities X [n, n], and counts of what they were made of."""

    words: list[str]
    matrix: Matrix
    totals: dict[str, int]


def word_affinities(
    graph: Graph,
    *,
    words: int | None = None,
    selection: Selection = "densest",
    selection_seed: int = 0,
    pos: list[str] | None = None,
    relations: list[str] | None = None,
    weights: dict[str, float] | None = None,
    expand_lexical: bool = True,
    binary: bool = False,
    alpha: float = 0.75,
    steps: Steps = "stochastic",
    pmi: bool = True,
    method: Method = "auto",
    keep: Sequence[str] = (),
    wordlist: Sequence[str] = (),
    threads: int = 1,
) -> Affinities:
    """Select the words, count their relations, and sum the walks between them.

    Args:
        graph: entries and edges (`repline.lexicons.word_graph`).
        words: n; None for all that are there.
        selection, selection_seed, wordlist, keep: which (`repline.lexicons.wordnet.subgraphs.select_words`).
        pos: the parts of speech whose words and relations are taken; None for all.
        relations, weights, expand_lexical, binary: `repline.lexicons.word_graph.relation_matrix`.
        alpha, steps, pmi, method, threads: `repline.systems.wordnet_embeddings.model.affinities`.

    Returns:
        with totals: words, entries, senses, related_pairs, affinities (cells of X that are not 0).

    Raises:
        InputError: as those functions say.
    """
    entries, edges = graph if pos is None else of_parts_of_speech(graph, pos)
    chosen = select_words(
        entries, edges, selection=selection, size=words, seed=selection_seed, wordlist=wordlist, keep=keep
    )
    entries, edges = induced(entries, edges, chosen)
    matrix = relation_matrix(
        edges, chosen, relations=relations, weights=weights, expand_lexical=expand_lexical, binary=binary
    )
    if not matrix.nnz:
        raise InputError(f"no two of the {len(chosen)} words of the graph are related; take more words or relations")
    found = affinities(matrix, alpha=alpha, steps=steps, pmi=pmi, method=method, threads=threads)
    totals = {
        "words": len(chosen),
        "entries": len(entries),
        "senses": pc.sum(entries["senses"]).as_py(),
        "related_pairs": matrix.nnz,
        "affinities": found.nnz if sparse.issparse(found) else int(np.count_nonzero(found)),
    }
    return Affinities(chosen, found, totals)


def fewer_components(knobs: Mapping[str, Any], default: Mapping[str, Any]) -> bool:
    """Whether a variant only has fewer principal components than the default: then they are its first ones."""
    own, most = knobs.get("dimensions"), default.get("dimensions")
    alike = {**knobs, "dimensions": None} == {**default, "dimensions": None}
    return own is not None and most is not None and own <= most and alike and knobs.get("reduction", "pca") == "pca"


def word_vectors(
    found: Affinities,
    *,
    dimensions: int | None = 850,
    unit_length: bool = True,
    centre: bool = True,
    reduction: Literal["pca", "autoencoder"] = "pca",
    optimizer: Literal["nadam", "adadelta"] = "nadam",
    epochs: int = 2,
    batch: int = 100,
    seed: int = 0,
    threads: int = 1,
) -> NDArray[np.float32]:
    """The vectors of these words [n, d], by principal axes (`reduce`) or by an autoencoder.

    Args:
        dimensions, unit_length, centre, seed, threads: `repline.systems.wordnet_embeddings.model.reduce`.
        optimizer, epochs, batch: `repline.systems.wordnet_embeddings.autoencoder.autoencode`.

    Raises:
        InputError: an autoencoder without a number of dimensions, or without rows of unit length.
    """
    if dimensions is not None and dimensions < 1:
        raise InputError(f"expected at least one dimension, found {dimensions}")
    if reduction == "pca":
        return reduce(
            found.matrix, dimensions=dimensions, unit_length=unit_length, centre=centre, seed=seed, threads=threads
        )
    if dimensions is None or not unit_length:
        raise InputError("an autoencoder needs a number of dimensions, and rows of unit length (values from 0 to 1)")
    import torch

    from repline.systems.wordnet_embeddings.autoencoder import autoencode

    torch.set_num_threads(threads)
    rows = unit_rows(found.matrix)
    return autoencode(rows, dimensions=dimensions, optimizer=optimizer, epochs=epochs, batch=batch, seed=seed)[0]
