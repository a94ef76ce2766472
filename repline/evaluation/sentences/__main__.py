"""Evaluate sentence encoders on every task: `python -m repline.evaluation.sentences my_module:encode`."""

import argparse
import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, get_args

from repline.errors import InputError
from repline.evaluation import json_option
from repline.evaluation.leaderboards import compare_options
from repline.evaluation.replication.fisher_interval import fisher
from repline.evaluation.replication.wilson_interval import at_least_wilson
from repline.evaluation.sentences import sentence_table
from repline.evaluation.sentences.compared_encoders import compared
from repline.evaluation.sentences.protocol import measure
from repline.evaluation.sentences.recipes import FOLDS, Protocol, RandomWeights
from repline.evaluation.sentences.sentence_cache import Encode, SentenceVectors, checked
from repline.evaluation.sentences.sentence_encoders import GivenVectors, house_system, load_encoder, untrained_encoder
from repline.evaluation.sentences.sentence_records import EncoderResult, SentenceTable, TaskResult
from repline.evaluation.sentences.sentence_tasks import Task, distinct_sentences
from repline.evaluation.sentences.task_answers import check_folds
from repline.evaluation.sentences.task_files import read_tasks
from repline.evaluation.sentences.tf_idf import TfIdfEncoder
from repline.evaluation.sentences.untrained import UNTRAINED
from repline.files import new_file, output_file
from repline.parameters import read as read_parameters
from repline.parameters import section
from repline.project_files import project_file
from repline.reading.wrong_records import ON_ERROR, LeftOut, OnError
from repline.sources.acquisition import acquire
from repline.sources.catalogue import find_source, load_sources
from repline.vectors import store
from repline.vectors.formats.readers import read

DATA = Path("data")
RAW, VECTORS = DATA / "raw", DATA / "vectors/glove-6b-50d"
VECTOR_CACHE = Path("data/scratch/sentence_vectors")
USIF, TF_IDF = "usif", "tf_idf"  # rows that are always there, beside the untrained ones
TRIED = 8  # sentences that each encoder is tried with, before any of them is judged
OFFLINE = ("sentence_tasks_made", "movie_review_sentences", "sentence_similarity_lee")
MIRROR = (
    *("sentence_classification", "sentiment_treebank", "question_classification", "paraphrases_mrpc"),
    *("sentence_similarity", "sentence_tasks_made"),
)


def main(arguments: Sequence[str] | None = None, program: str = "python -m repline.evaluation.sentences") -> None:
    options = _options(arguments, program)
    inputs = [*(options.tasks or ()), *([options.vectors] if options.vectors else [])]
    with json_option.json_writer(options.json, inputs) as write:
        _evaluate(options, write)


def _evaluate(options: argparse.Namespace, write: Callable[[Any], None]) -> None:
    left_out = LeftOut(options.on_error)
    with tempfile.TemporaryDirectory() as root:
        tasks = _tasks(options, Path(root), left_out)
        print("".join(f"{note}\n" for note in left_out.notes()), end="")
        if options.sentences:
            sentences = distinct_sentences(tasks)
            with new_file(options.sentences) as partial:
                partial.write_text("".join(f"{sentence}\n" for sentence in sentences), encoding="utf-8")
            print(f"{options.sentences}: {len(sentences):,} sentences; put {len(sentences):,} vectors next to them")
            return
        check_folds(tasks, options.folds)
        addresses = options.candidates or {name: name for name in options.encoders}
        encoders = {name: load_encoder(address) for name, address in addresses.items()}
        for name, encode in encoders.items():  # before the work for the first one, whose result would be lost
            _try(name, encode, tasks)
        if options.candidates:
            vectors = {name: _vectors(name, encode) for name, encode in encoders.items()}
            return compare_options.deliver(
                [compared(task, vectors, _protocol(options)) for task in tasks], options, write
            )
        always = iter(()) if options.alone else _always(options, Path(root))
        results = {name: _judge(name, encode, tasks, options) for name, encode in encoders.items()}
        notes: list[str] = []
        for name, encode in always:
            judged = [task for task in tasks if task.kind == "similarity"] if name == TF_IDF else tasks
            row = _judge(name, encode, judged, options, untrained=name in UNTRAINED, notes=notes)
            results |= {name: row} if row["tasks"] else {}
    if not results:
        raise InputError(notes[0])
    table = sentence_table.table(results)
    write(_with_marks(results, table))
    print(sentence_table.as_text(table))
    print("".join(f"{note}\n" for note in notes), end="")
    for name, result in results.items():
        if result.get("sentences_per_second"):
            print(f"{name}: {result['sentences_per_second']:,.0f} sentences a second")
    print(
        "\nx 100, ± half of the 95 % interval over resampled items, at least Wilson's (accuracy) or Fisher's (Pearson);"
    )
    if any(result["untrained"] for result in results.values()):
        print("* above the best untrained encoder there, in 97.5 % of the resamples or more.")
    if not (options.tasks or os.environ.get("REPLINE_MIRROR")):
        print("The tasks of SentEval are in the mirror: set REPLINE_MIRROR.")


def _options(arguments: Sequence[str] | None, program: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog=program,
        description="Evaluate sentence encoders by the protocol of SentEval, next to untrained ones, uSIF and TF-IDF.",
        epilog="Some tasks are made of installed packages; the others are taken from the mirror in REPLINE_MIRROR.",
    )
    parser.add_argument(
        "encoders", nargs="*", help="MODULE:FUNCTION, a folder of vectors or of a model, a name in data/models"
    )
    parser.add_argument("--tasks", nargs="+", metavar="PLACE", help="folders or files with tasks, instead of these")
    parser.add_argument("--on-error", choices=get_args(OnError), default="stop", help=ON_ERROR)
    parser.add_argument("--only", nargs="+", metavar="TASK", help="the names of tasks")
    parser.add_argument(
        "--house", action="store_true", help="also the trained encoders of params.yaml's sentence_suite"
    )
    parser.add_argument("--vectors", help=f"word vectors of the other rows (default: {VECTORS}, or GloVe's 50-d ones)")
    parser.add_argument("--dimensions", type=int, default=1024, help="of the random encoders (default: 1024)")
    parser.add_argument("--alone", action="store_true", help="without the untrained encoders, uSIF and TF-IDF")
    parser.add_argument(
        "--folds", type=int, default=FOLDS, help=f"of cross-validation, outer and inner (default: {FOLDS})"
    )
    parser.add_argument("--sentences", metavar="FILE", help="write the sentences of the tasks there, and stop")
    json_option.add_option(parser)
    compare_options.add_options(parser, "encoders, besides those before it")
    options = parser.parse_args(arguments)
    if options.folds < 2:
        raise InputError(f"--folds: expected at least 2, found {options.folds}")
    if options.house:
        options.encoders += _listed()
    options.encoders = list(dict.fromkeys(options.encoders))
    options.candidates = compare_options.candidates_of(options, options.encoders)
    if options.dimensions < 2 or options.dimensions % 2:
        raise InputError(f"--dimensions: expected an even number of at least 2, found {options.dimensions}")
    for name in ("vectors", "dimensions", "alone"):
        if options.candidates and getattr(options, name) != parser.get_default(name):
            raise InputError(f"--{name} is of the rows that --compare leaves out; leave it out, too")
    for name in ("vectors", "dimensions"):
        if options.alone and getattr(options, name) != parser.get_default(name):
            raise InputError(f"--{name} is of the rows that --alone leaves out; leave one of the two out")
    names = ("encoders", "candidates", "json", "house", "vectors", "dimensions", "alone", "folds")
    is_given = [(getattr(options, name) or None) != (parser.get_default(name) or None) for name in names]
    if options.sentences and any(is_given):
        raise InputError("--sentences writes the sentences of tasks and evaluates nothing; leave all but the tasks out")
    if options.sentences:
        output_file(options.sentences)
    if options.alone and not options.encoders:
        raise InputError("--alone leaves nothing to evaluate; name an encoder, as in my_module:encode")
    for name in () if options.alone or options.candidates else options.encoders:
        if name in (*UNTRAINED, USIF, TF_IDF):
            raise InputError(f"{name}: a row that is always there has this name; add --alone, or name it ./{name}")
    return options


def _listed() -> list[str]:
    """The folders of trained encoders that the section `sentence_suite` lists and that are there."""
    encoders = section(read_parameters(), "sentence_suite")["encoders"]
    folders = [DATA / encoder["folder"] for encoder in encoders.values() if "untrained" not in encoder]
    return [str(folder) for folder in folders if folder.is_dir()]


def _tasks(options: argparse.Namespace, root: Path, left_out: LeftOut) -> list[Task]:
    names = MIRROR if os.environ.get("REPLINE_MIRROR") else OFFLINE
    if options.tasks and len(options.tasks) > 1:
        for path in options.tasks:  # each of which has a task, or it would be passed over
            read_tasks([path], on_error=options.on_error)
    task_paths = options.tasks or [_acquired(name, root) for name in names]
    return read_tasks(task_paths, options.only, on_error=left_out)


def _try(name: str, encode: Encode, tasks: Sequence[Task]) -> None:
    """InputError where an encoder gives no vectors for the first sentences, or lacks given ones of any sentence."""
    if isinstance(encode, GivenVectors):
        for task in tasks:
            encode(list(task.sentences()))
    else:
        first = dict(islice(tasks[0].sentences().items(), TRIED))
        checked(name, encode(list(first)), first)


def _judge(
    name: str,
    encode: Encode,
    tasks: Sequence[Task],
    options: argparse.Namespace,
    *,
    untrained: bool = False,
    notes: list[str] | None = None,
) -> EncoderResult:
    """The results of an encoder.

    Args:
        notes: takes why a task is left out, where word vectors have too few words or dimensions for it. None: this is
            an InputError.
    """
    vectors, protocol = _vectors(name, encode), _protocol(options)
    results: dict[str, TaskResult] = {}
    for task in tasks:
        print(f"{name}: {task.name}", file=sys.stderr, flush=True)
        try:
            results[task.name] = measured = _widened(measure(task, vectors, protocol))
        except InputError as error:
            if notes is None:
                raise
            notes.append(f"{name} is left out of {error}")
            continue
        if zeros := measured["zero_vectors"]:
            have = "1 sentence has" if zeros == 1 else f"{zeros:,} sentences have"
            print(f"{name}: {task.name}: {have} a zero vector", file=sys.stderr, flush=True)
        if _is_undefined(measured):
            why = "of too few pairs, or of equal scores or cosines, it is undefined and counts as 0"
            print(f"{name}: {task.name}: no correlation: {why}", file=sys.stderr, flush=True)
    dimensions = next((result["dimensions"] for result in results.values()), 0)
    speed = vectors.made / vectors.seconds if vectors.seconds else None  # None where all vectors were kept
    return {"untrained": untrained, "dimensions": dimensions, "sentences_per_second": speed, "tasks": results}


def _widened(result: TaskResult) -> TaskResult:
    """The result with an interval of its accuracy at least as wide as Wilson's, or of a correlation as Fisher's.

    Resampled items alone say nothing of errors that a small test happens not to have, and of the correlation of ten
    pairs they give an interval that has the true one in nine of ten cases; of two pairs none is defined. A correlation
    that is undefined may be any. Means over several files stay as they are.
    """
    low, high = result["low"], result["high"]
    if result["measure"] == "accuracy":
        low, high = at_least_wilson(low, high, result["value"], result["items"])
    elif _is_undefined(result):
        low, high = -1.0, 1.0
    elif len(result.get("files", ())) <= 1:
        fisher_low, fisher_high = fisher(result["value"], result["items"])
        low, high = max(min(low, fisher_low), -1.0), min(max(high, fisher_high), 1.0)  # rounding passes 1
    return {**result, "low": low, "high": high}


def _is_undefined(result: TaskResult) -> bool:
    """Whether a result is a correlation that neither the items nor any resample of them have."""
    return result["measure"] != "accuracy" and not (result["value"] or any(result["replicates"]))


def _with_marks(results: Mapping[str, EncoderResult], table: SentenceTable) -> dict[str, Any]:
    """The results as the file of `--json` has them: `above_untrained` of each number is the star of the table."""
    tasks = [column["task"] for column in table["columns"]]
    marks = {
        row["encoder"]: {task: cell["above_untrained"] for task, cell in zip(tasks, row["cells"], strict=True) if cell}
        for row in table["rows"]
    }
    return {
        name: {
            **result,
            "tasks": {task: {**row, "above_untrained": marks[name][task]} for task, row in result["tasks"].items()},
        }
        for name, result in results.items()
    }


def _vectors(name: str, encode: Encode) -> SentenceVectors:
    return SentenceVectors(name, encode, VECTOR_CACHE if VECTOR_CACHE.parents[1].is_dir() else None)


def _protocol(options: argparse.Namespace) -> Protocol:
    return Protocol(folds=options.folds, inner_folds=options.folds)


def _always(options: argparse.Namespace, root: Path) -> Iterator[tuple[str, Encode]]:
    """The rows that are always there, on the same word vectors, which are read now; a row is made in its turn."""
    folder, counts = _word_vectors(options.vectors, root), _acquired("unigrams_wordfreq", root)
    store.words_and_matrix(folder)  # a damaged folder is named now

    def rows() -> Iterator[tuple[str, Encode]]:
        for kind in UNTRAINED:
            yield kind, untrained_encoder(kind, folder, RandomWeights(dimensions=options.dimensions))
        yield USIF, house_system(USIF, "the row of uSIF").from_counts(folder, counts)
        yield TF_IDF, TfIdfEncoder()

    return rows()


def _word_vectors(path: str | None, root: Path) -> Path:
    """A folder of word vectors, of any format that is known here."""
    if path is None and (VECTORS / store.VECTORS).exists():
        return VECTORS
    if path is not None and (Path(path) / store.VECTORS).exists():
        return Path(path)
    words, matrix = read(_acquired("glove_6b_50d", root) if path is None else path)
    store.save(root / "vectors", words, matrix)
    return root / "vectors"


def _acquired(name: str, root: Path) -> Path:
    """The files of a source, verified; those that lie in data/raw already are taken."""
    folder = root / name
    if (RAW / name).is_dir():
        shutil.copytree(RAW / name, folder)
    acquire(find_source(load_sources(project_file("sources.yaml")), name), folder, downloads=root / "downloads")
    return folder


if __name__ == "__main__":
    try:
        main()
    except InputError as error:
        sys.exit(f"repline.evaluation.sentences: {error}")
    except KeyboardInterrupt:
        sys.exit(130)
