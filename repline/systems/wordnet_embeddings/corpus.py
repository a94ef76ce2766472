"""The inputs of the variants and of their evaluation: a lexical graph, the words of tests, vectors of text."""

from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np

from repline.cards import Card, read_card
from repline.errors import InputError, shown
from repline.evaluation.word_vectors import suite
from repline.evaluation.word_vectors.embedding import Embedding
from repline.lexicons.word_lists import read_word_list
from repline.parameters import nearest
from repline.reading.wrong_records import LeftOut
from repline.sources.card import raw_files
from repline.systems.wordnet_embeddings.settings import Recipe, Settings
from repline.vectors import store

Pairs = tuple[Sequence[tuple[str, str]], Sequence[float]]


def similarity_tests(settings: Settings, data: str | Path = "data") -> dict[str, Pairs]:
    """The tests of word similarity in the sources of `benchmarks`: pairs and scores, by the names of their metrics."""
    raw = Path(data) / "raw"
    return {name: test for source in settings.benchmarks for name, test in suite.similarity_tests(source, raw).items()}


def words_of(tests: Iterable[Pairs]) -> list[str]:
    """The words of some tests, each once."""
    return list(dict.fromkeys(word for pairs, _ in tests for pair in pairs for word in pair))


def kept_words(settings: Settings, data: str | Path = "data") -> list[str]:
    """The words of the tests in `settings.keep`, which are in every graph.

    Raises:
        InputError: no source of `settings.benchmarks` has such a test.
    """
    metrics = {test.name: test.metric for source in settings.benchmarks for test in suite.tests_of(source)}
    for name in settings.keep:
        if name not in metrics:
            raise InputError(f"params.yaml: wordnet_embeddings.keep has no test {shown(name)}{nearest(name, metrics)}")
    tests = similarity_tests(settings, data)
    return [word for name in settings.keep for pair in tests[metrics[name]][0] for word in pair]


def frequent_words(
    recipe: Recipe, settings: Settings, data: str | Path = "data", left_out: LeftOut | None = None
) -> Sequence[str]:
    """The list of frequent words where a recipe selects by it; none where it does not."""
    if recipe.selection not in ("frequency", "wordlist"):
        return ()
    return read_word_list(raw_files(Path(data) / settings.frequency)[0], **settings.arguments(left_out))


def lexicon_card(settings: Settings, data: str | Path = "data") -> Card:
    """The card of the lexicon; of one without, its place and the licence "not stated"."""
    path = Path(data) / settings.lexicon
    return read_card(path) if (path / "card.json").exists() else {"name": settings.lexicon, "licence": "not stated"}


def write_baseline(folder: str | Path, vectors: str | Path, words: Sequence[str]) -> int:
    """Write the vectors of some words alone; returns how many of the words have one.

    Args:
        folder: replaces what was there.
        vectors: a folder of `repline.vectors.store`.
    """
    embedding, card = Embedding(*store.words_and_matrix(vectors)), read_card(vectors)
    rows = rows_of(embedding, words)
    store.save(
        folder,
        [embedding.words[row] for row in rows],
        np.asarray(embedding.matrix[rows]),
        description="Vectors of text, for the words of the tests alone",
        licence=card["licence"],
        sources=[card],
        totals={"vectors": len(embedding)},
    )
    return len(rows)


def rows_of(embedding: Embedding, words: Sequence[str]) -> list[int]:
    """The rows of those words that have a vector, in ascending order."""
    rows = embedding.rows(words)
    return sorted(set(rows[rows >= 0].tolist()))
