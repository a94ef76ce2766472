"""The section `wordnet_embeddings` of params.yaml, and what its stages read."""

import inspect
from pathlib import Path
from typing import Any

from repline import parameters
from repline.cards import read_card
from repline.errors import InputError
from repline.evaluation.word_vectors import suite
from repline.evaluation.word_vectors.benchmark_files import read_pairs
from repline.lexicons import word_graph
from repline.lexicons.word_lists import read_word_list
from repline.lexicons.wordnet import storage as wordnet_files
from repline.sources.card import raw_files
from repline.systems.wordnet_embeddings.training import Affinities, Graph, word_affinities, word_vectors

DATA = Path("data")
_GIVEN = ("keep", "wordlist", "threads")
_PARTS = {"affinities": word_affinities, "vectors": word_vectors}
Pairs = tuple[list[tuple[str, str]], list[float]]


def check(values: dict[str, Any]) -> tuple[dict[str, Any], dict[str, dict[str, dict[str, Any]]]]:
    """The section's own settings, and for "default" and every variant the arguments of both functions that make it.

    Raises:
        InputError: any mistake in the section.
    """
    section = parameters.section(values, "wordnet_embeddings")
    own = inspect.signature(_settings).parameters
    settings = {key: value for key, value in section.items() if key in own}
    settings = parameters.bind(_settings, settings, "wordnet_embeddings")
    base = {key: value for key, value in section.items() if key not in own}
    variants = {"default": _arguments(base, "wordnet_embeddings")}
    for number, variant in enumerate(settings["variants"]):
        at = f"wordnet_embeddings.variants[{number}]"
        name = variant.get("name") if isinstance(variant, dict) else None
        if not isinstance(name, str) or not name.isidentifier() or name in variants or name == "baseline":
            raise InputError(f"params.yaml: {at} should be a mapping with a new name like no_pmi, found {variant!r}")
        changed = {key: value for key, value in variant.items() if key != "name"}
        variants[name] = _arguments(base | changed, at)
    if not 1 <= len(settings["benchmarks"]) <= 2:
        raise InputError(
            "params.yaml: wordnet_embeddings.benchmarks should be one or two folders of data/raw (the stages depend on "
            f"the first and the last), found {len(settings['benchmarks'])}"
        )
    known = [test.name for source in settings["benchmarks"] for test in suite.tests_of(source)]
    for name in settings["keep"]:
        if name not in known:
            raise InputError(f"params.yaml: wordnet_embeddings.keep: no test {name!r}{parameters.nearest(name, known)}")
    return settings, variants


def tests(settings: dict[str, Any]) -> dict[str, Pairs]:
    """The tests of word similarity in the sources of `benchmarks`, by name."""
    return {
        test.name: read_pairs(DATA / "raw" / source / test.files[0])
        for source in settings["benchmarks"]
        for test in suite.tests_of(source)
        if test.task == "similarity"
    }


def graph(settings: dict[str, Any]) -> Graph:
    """The lexicon: a graph of words, a stored wordnet, or neighbour lists."""
    path = DATA / settings["lexicon"]
    if (path / "synsets.parquet").exists():
        return word_graph.word_graph(wordnet_files.load(path))
    return word_graph.read_graph(path)


def affinities(settings: dict[str, Any], tables: Graph, arguments: dict[str, Any], threads: int) -> Affinities:
    """What `word_affinities` finds with these arguments, the kept words and the list of frequent words."""
    pairs = tests(settings)
    keep = [word for name in settings["keep"] for pair in pairs[name][0] for word in pair]
    by_list = arguments.get("selection") in ("frequency", "wordlist")
    wordlist = read_word_list(raw_files(DATA / settings["frequency"])[0]) if by_list else ()
    return word_affinities(tables, keep=keep, wordlist=wordlist, threads=threads, **arguments)


def source(settings: dict[str, Any]) -> dict[str, Any]:
    """The lexicon, for a card."""
    path = DATA / settings["lexicon"]
    return read_card(path) if (path / "card.json").exists() else {"name": settings["lexicon"], "licence": "not stated"}


def _arguments(values: dict[str, Any], at: str) -> dict[str, dict[str, Any]]:
    signatures = {part: set(inspect.signature(function).parameters) - {*_GIVEN} for part, function in _PARTS.items()}
    known = sorted(set.union(*signatures.values()) - {"graph", "found"})
    for name in values:
        if name not in known:
            raise InputError(f"params.yaml: unknown parameter '{at}.{name}'{parameters.nearest(name, known)}")
    return {
        part: parameters.bind(
            function, {key: value for key, value in values.items() if key in signatures[part]}, at, given=_GIVEN
        )
        for part, function in _PARTS.items()
    }


def _settings(
    *, lexicon: str, benchmarks: list[str], keep: list[str], frequency: str, baseline: str, variants: list[dict]
) -> None:
    """The schema of what is not passed on."""
