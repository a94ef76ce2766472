"""Evaluate word vectors on every test: `python -m repline.evaluation VECTORS [VECTORS...]`."""

import argparse
import os
import shutil
import sys
import tempfile
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, get_args

from repline.errors import InputError, shown
from repline.evaluation import json_option
from repline.evaluation.leaderboards import compare_options
from repline.evaluation.word_vectors import suite, suite_table
from repline.evaluation.word_vectors.compared_vectors import compared
from repline.evaluation.word_vectors.embedding import Embedding, TurkishEmbedding
from repline.evaluation.word_vectors.own_tests import TASKS, OwnTask, read_own
from repline.evaluation.word_vectors.recipes import Measuring
from repline.evaluation.word_vectors.suite_records import VectorsResult
from repline.project_files import project_file
from repline.reading.wrong_records import ON_ERROR, LeftOut, OnError
from repline.sources.acquisition import acquire
from repline.sources.catalogue import find_source, load_sources
from repline.vectors.formats.readers import Duplicates, read

RAW = Path("data/raw")
VOCABULARY = suite.DEFAULTS.vocabulary
OFFLINE = {"en": ("word_benchmarks", "word_benchmarks_made"), "zh": ("word_benchmarks_zh_made",)}


def main(arguments: Sequence[str] | None = None, program: str = "python -m repline.evaluation") -> None:
    parser = argparse.ArgumentParser(
        prog=program,
        description="Evaluate word vectors of any format on tests of similarity, analogy, categories and relations.",
        epilog="Five tests come with the packages; the others are taken from the folder or URL in REPLINE_MIRROR.",
    )
    parser.add_argument("vectors", nargs="*", help="a file, a folder, or a name under data/vectors")
    parser.add_argument(
        "--language", choices=suite.LANGUAGES, help="of the vectors (default: en; of --sources, tests in all languages)"
    )
    parser.add_argument("--sources", nargs="+", choices=suite.SOURCES, help="where the tests come from")
    parser.add_argument(
        "--tests", nargs="+", action="extend", default=[], metavar="FILE", help="tests of your own, instead of these"
    )
    parser.add_argument("--task", choices=TASKS, help="what your tests are, where their header does not say it")
    parser.add_argument("--on-error", choices=get_args(OnError), default="stop", help=ON_ERROR)
    parser.add_argument(
        "--duplicates",
        choices=get_args(Duplicates),
        default="stop",
        help="at a word that occurs twice (default: stop)",
    )
    parser.add_argument(
        "--vocabulary",
        type=int,
        default=VOCABULARY,
        help=f"first words that may answer an analogy (default: {VOCABULARY})",
    )
    parser.add_argument("--keep-case", action="store_true", help="take words that differ in case for different ones")
    json_option.add_option(parser)
    compare_options.add_options(parser, "vectors, besides those before it")
    options = parser.parse_args(arguments)
    candidates = compare_options.candidates_of(options, options.vectors)
    if not (candidates or options.vectors):
        parser.error("expected vectors: a file, a folder, or a name under data/vectors")
    if options.vocabulary < 1:
        raise InputError(f"--vocabulary: expected at least 1 word, found {options.vocabulary}")
    if options.task and not options.tests:
        raise InputError("--task says what the files of --tests are; name some, as in --tests my-pairs.csv")
    inputs = [*options.vectors, *candidates.values(), *options.tests]
    with json_option.json_writer(options.json, inputs) as write, warnings.catch_warnings():
        # words without a vector all have the mean one, which is no mistake of the user's
        warnings.filterwarnings("ignore", message="Number of distinct clusters")
        _evaluate(options, candidates, write)


def _evaluate(options: argparse.Namespace, candidates: Mapping[str, str], write: Callable[[Any], None]) -> None:
    paths = list(dict.fromkeys(options.vectors))
    left_out = LeftOut(options.on_error)
    own_tests = _own(options.tests, options.task, left_out)
    language = options.language or ("" if options.sources else "en")
    sources = options.sources or (() if own_tests else _sources(language))
    if options.vocabulary != VOCABULARY:
        tests_in_sources = [test for name in sources for test in suite.tests_of(name, language or None)]
        if all(test.task != "analogy" for test in [*(test for test, _ in own_tests), *tests_in_sources]):
            raise InputError("--vocabulary is of tests of analogies, and no chosen test is one; leave it out")
    for path in candidates.values() or paths:  # before the work for the first, whose result would be lost
        read(path, limit=1, on_error=options.on_error, duplicates=options.duplicates)
    results: dict[str, VectorsResult] = {}
    with _folders(sources) as folders:
        tests = [
            (test, suite.read(test, folder))
            for name, folder in folders.items()
            for test in suite.tests_of(name, language or None)
        ]
        measuring = Measuring(vocabulary=options.vocabulary)
        if candidates:
            embeddings = {name: _read(path, options, left_out) for name, path in candidates.items()}
            shared = [compared(test, items, embeddings, measuring) for test, items in [*own_tests, *tests]]
            print("".join(f"{note}\n" for note in left_out.notes()), end="")
            return compare_options.deliver(shared, options, write)
        for name, path in zip(_names(paths), paths, strict=True):
            # no name holds the vectors here: they are gone before the next ones are read
            results[name] = _measured(path, _read(path, options, left_out), [*own_tests, *tests], measuring)
    write(results)
    print(suite_table.as_text(suite_table.table(results, [*(test for test, _ in own_tests), *suite.TESTS])))
    print("".join(f"\n{note}" for note in left_out.notes()))
    print("The first number leaves out pairs and questions with a missing word; the penalised one counts them.")
    if not (options.sources or own_tests or os.environ.get("REPLINE_MIRROR")):
        print("More tests are in the mirror: set REPLINE_MIRROR.")


def _measured(
    path: str, embedding: Embedding, tests: Sequence[tuple[suite.Test, tuple[Any, ...]]], measuring: Measuring
) -> VectorsResult:
    result: VectorsResult = {"words": len(embedding), "dimensions": int(embedding.matrix.shape[1]), "tests": {}}
    for test, items in tests:
        print(f"{path}: {test.name}", file=sys.stderr, flush=True)
        result["tests"][test.name] = suite.measure(embedding, test.task, items, measuring)
    return result


def _read(path: str, options: argparse.Namespace, left_out: LeftOut) -> Embedding:
    print(f"{path}: reading", file=sys.stderr, flush=True)
    words, matrix = read(path, on_error=left_out, duplicates=options.duplicates)
    kind = TurkishEmbedding if options.language == "tr" else Embedding
    return kind(words, matrix, ignore_case=not options.keep_case)


def _own(paths: Sequence[str], task: OwnTask | None, left_out: LeftOut) -> list[tuple[suite.Test, tuple[Any, ...]]]:
    """The tests in these files, each under the name of its file."""
    tests = [read_own(path, task, on_error=left_out) for path in paths]
    names = [test.name for test, _ in tests]
    for name in names:
        if names.count(name) > 1 or name in {test.name for test in suite.TESTS}:
            raise InputError(f"--tests: there is another test named {shown(name)}; rename the file")
    return tests


def _sources(language: str) -> Sequence[str]:
    """Collections with tests in the language: all of them with a mirror, else those that come with the packages."""
    sources = suite.sources_of(language) if os.environ.get("REPLINE_MIRROR") else OFFLINE.get(language, ())
    if not sources:
        raise InputError(
            f"--language {language}: no test comes with the packages; the mirror has some: set REPLINE_MIRROR"
        )
    return sources


@contextmanager
def _folders(names: Sequence[str]) -> Iterator[dict[str, Path]]:
    """The files of each source, verified, in a folder that is gone afterwards."""
    sources = load_sources(project_file("sources.yaml"))
    with tempfile.TemporaryDirectory() as root:
        folders = {name: Path(root) / name for name in names}
        for name, folder in folders.items():
            if (RAW / name).is_dir():  # then what is right there is kept
                shutil.copytree(RAW / name, folder)
            acquire(find_source(sources, name), folder, downloads=Path(root) / "downloads")
        yield folders


def _names(paths: Sequence[str]) -> list[str]:
    """The last part of each path where they differ in it, else the paths."""
    names = [Path(path).name or path for path in paths]
    return names if len(set(names)) == len(names) else list(paths)


if __name__ == "__main__":
    try:
        main()
    except InputError as error:
        sys.exit(f"repline.evaluation: {error}")
    except KeyboardInterrupt:
        sys.exit(130)
