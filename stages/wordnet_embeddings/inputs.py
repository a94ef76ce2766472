"""Inputs of the stages of the WordNet embeddings: the tests, the lexicon, the list of frequent words."""

from pathlib import Path
from typing import Any

from repline.cards import read_card
from repline.evaluation.word_vectors import suite
from repline.evaluation.word_vectors.benchmark_files import read_pairs
from repline.lexicons import word_graph
from repline.lexicons.word_lists import read_word_list
from repline.lexicons.wordnet import storage as wordnet_files
from repline.parameters import arguments
from repline.sources.card import raw_files
from repline.systems.wordnet_embeddings.settings import Knobs, Settings
from repline.systems.wordnet_embeddings.training import Affinities, Graph, word_affinities

DATA = Path("data")
Pairs = tuple[list[tuple[str, str]], list[float]]


def tests(settings: Settings) -> dict[str, Pairs]:
    """The tests of word similarity in the sources of `benchmarks`, by name."""
    return {
        test.name: read_pairs(DATA / "raw" / source / test.files[0])
        for source in settings.benchmarks
        for test in suite.tests_of(source)
        if test.task == "similarity"
    }


def graph(settings: Settings) -> Graph:
    """The lexicon: a graph of words, a stored wordnet, or neighbour lists."""
    path = DATA / settings.lexicon
    if (path / "synsets.parquet").exists():
        return word_graph.word_graph(wordnet_files.load(path))
    return word_graph.read_graph(path)


def affinities(settings: Settings, tables: Graph, knobs: Knobs, threads: int) -> Affinities:
    """What `word_affinities` finds with these knobs, the kept words and the list of frequent words."""
    pairs = tests(settings)
    keep = [word for name in settings.keep for pair in pairs[name][0] for word in pair]
    options = arguments(knobs, of=word_affinities)
    by_list = options.get("selection") in ("frequency", "wordlist")
    wordlist = read_word_list(raw_files(DATA / settings.frequency)[0]) if by_list else ()
    return word_affinities(tables, keep=keep, wordlist=wordlist, threads=threads, **options)


def source(settings: Settings) -> dict[str, Any]:
    """The lexicon, for a card."""
    path = DATA / settings.lexicon
    return read_card(path) if (path / "card.json").exists() else {"name": settings.lexicon, "licence": "not stated"}
