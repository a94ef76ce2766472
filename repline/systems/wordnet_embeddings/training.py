"""WordNet embeddings and their variants, from a graph of words to vectors."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TypedDict

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from repline.algebra.principal_components import Matrix
from repline.cards import Card
from repline.errors import InputError
from repline.evaluation.word_vectors.embedding import Embedding
from repline.lexicons.vocabulary_edges import graph_tables
from repline.lexicons.word_graph import of_parts_of_speech, relation_matrix
from repline.lexicons.wordnet.subgraphs import induced, select_words
from repline.parameters import JsonObject
from repline.reading.wrong_records import LeftOut
from repline.systems.wordnet_embeddings import corpus
from repline.systems.wordnet_embeddings.model import affinities, reduce, unit_rows
from repline.systems.wordnet_embeddings.settings import Graph, Recipe, Settings
from repline.use.word_space import describe_vectors
from repline.vectors import store

Tables = tuple[pa.Table, pa.Table]  # entries and edges, see `repline.lexicons.word_graph`


@dataclass(frozen=True)
class Affinities:
    """The words of a graph, their affinities X [n, n], counts of what they were made of, and what was left out."""

    words: list[str]
    matrix: Matrix
    totals: dict[str, int]
    notes: list[str] = field(default_factory=list)


def graph_affinities(recipe: Recipe, settings: Settings, data: str | Path = "data", *, threads: int = 1) -> Affinities:
    """The affinities of a recipe in the lexicon, with the kept words of the tests, see `word_affinities`."""
    left_out = LeftOut(settings.on_error)
    keep, wordlist = corpus.kept_words(settings, data), corpus.frequent_words(recipe, settings, data, left_out)
    tables = graph_tables(Path(data) / settings.lexicon, **settings.arguments(left_out))
    graph = word_affinities(tables, recipe, keep=keep, wordlist=wordlist, threads=threads)
    return replace(graph, totals=graph.totals | left_out.counts(), notes=left_out.notes())


def word_affinities(
    tables: Tables,
    recipe: Graph,
    *,
    keep: Sequence[str] = (),
    wordlist: Sequence[str] = (),
    threads: int = 1,
) -> Affinities:
    """Select the words, count their relations, and sum the walks between them.

    Args:
        recipe: which words and relations, and the walks.
        keep, wordlist: of `repline.lexicons.wordnet.subgraphs.select_words`.
        threads: of `repline.systems.wordnet_embeddings.model.affinities`.

    Returns:
        with totals: words, entries, senses, related_pairs, affinities (cells of X that are not 0).

    Raises:
        InputError: see `select_words`, `relation_matrix` and `affinities`; or no two of the words are related.
    """
    entries, edges = tables if recipe.pos is None else of_parts_of_speech(tables, recipe.pos)
    words = select_words(
        entries,
        edges,
        selection=recipe.selection,
        size=recipe.words,
        seed=recipe.selection_seed,
        wordlist=wordlist,
        keep=keep,
    )
    entries, edges = induced(entries, edges, words)
    related = recipe.model_dump(include={"relations", "weights", "expand_lexical", "binary"})
    relations = relation_matrix(edges, words, **related)
    if not relations.nnz:
        raise InputError(f"no two of the {len(words)} words of the graph are related; take more words or relations")
    matrix = affinities(relations, recipe, threads=threads)
    totals = {
        "words": len(words),
        "entries": len(entries),
        "senses": pc.sum(entries["senses"]).as_py(),
        "related_pairs": relations.nnz,
        "affinities": int(np.count_nonzero(matrix)) if isinstance(matrix, np.ndarray) else matrix.nnz,
    }
    return Affinities(words, matrix, totals)


def word_vectors(affinities: Affinities, recipe: Recipe, *, threads: int = 1) -> NDArray[np.float32]:
    """The vectors of these words [n, d], by principal axes (`reduce`) or by an autoencoder."""
    if recipe.reduction == "pca":
        return reduce(affinities.matrix, recipe, threads=threads)
    import torch

    from repline.systems.wordnet_embeddings.autoencoder import autoencode

    torch.set_num_threads(threads)
    return autoencode(unit_rows(affinities.matrix), recipe)[0]


def train(
    folder: str | Path, affinities: Affinities, settings: Settings, data: str | Path = "data", *, threads: int = 1
) -> tuple[int, int]:
    """Write the vectors of the default graph, and return how many words and dimensions they have.

    Args:
        folder: replaces what was there.
        affinities: those of the default graph.
        data: where the lexicon lies, for the card.
    """
    vectors = word_vectors(affinities, settings.default, threads=threads)
    card = _card_fields(settings.default, settings, affinities, data)
    description = "Word vectors from a lexical graph: decayed walks, positive PMI, principal components"
    store.save(folder, affinities.words, vectors, description=description, totals=affinities.totals, **card)
    describe_vectors(folder, "wordnet_embeddings", blank="_")
    return vectors.shape


def train_variant(
    folder: str | Path,
    name: str,
    settings: Settings,
    default: Affinities,
    default_vectors: str | Path,
    data: str | Path = "data",
    *,
    threads: int = 1,
) -> tuple[int, int]:
    """Write the vectors of one variant for the words of the tests alone; returns how many words and dimensions it has.

    What a variant shares with the default graph is taken from there: its affinities, or, where it only has fewer
    principal components, the first columns of its vectors.

    Args:
        folder: replaces what was there.
        name: of one of `settings.variants`.
        default: the affinities of the default graph.
        default_vectors: the folder of its vectors.
        data: where lexicon and tests lie.
    """
    recipe = settings.variants[name]
    shared = recipe.has_affinities_of(settings.default)
    affinities = default if shared else graph_affinities(recipe, settings, data, threads=threads)
    if recipe.has_fewer_components_than(settings.default):
        vectors = np.ascontiguousarray(store.load_matrix(default_vectors)[:, : recipe.dimensions])
    else:
        vectors = word_vectors(affinities, recipe, threads=threads)
    tests = corpus.similarity_tests(settings, data)
    rows = corpus.rows_of(Embedding(affinities.words, vectors), corpus.words_of(tests.values()))
    store.save(
        folder,
        [affinities.words[row] for row in rows],
        vectors[rows],
        description="A variant of the WordNet embeddings, for the words of the tests alone",
        totals={f"graph_{key}": value for key, value in affinities.totals.items()},
        **_card_fields(recipe, settings, affinities, data),
    )
    describe_vectors(folder, "wordnet_embeddings", blank="_")
    return vectors.shape


class CardFields(TypedDict):
    """The fields that the cards of all vectors have in common."""

    licence: str
    sources: list[Card]
    parameters: JsonObject
    notes: list[str]
    tools: list[str]


def _card_fields(recipe: Recipe, settings: Settings, affinities: Affinities, data: str | Path) -> CardFields:
    """The fields that the cards of all vectors have in common."""
    card = corpus.lexicon_card(settings, data)
    return {
        "licence": card["licence"],
        "sources": [card],
        "parameters": recipe.model_dump(exclude_unset=True) | {"keep": settings.keep} | settings.reading(),
        "notes": affinities.notes,
        "tools": ["scipy"],
    }
