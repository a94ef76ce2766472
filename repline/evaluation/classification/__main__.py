"""Compare classifiers on a table of your own: `python -m repline.evaluation.classification mine.tsv`."""

import argparse
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypedDict, get_args

import numpy as np

from repline.corpora.labelled.classified_texts import Texts
from repline.corpora.labelled.collections.labelled_tsv import read_table
from repline.errors import InputError
from repline.evaluation import json_option
from repline.evaluation.classification.classification_measures import classified, confusion, read_probabilities
from repline.evaluation.classification.compared_classifiers import (
    MACRO_F1,
    LabelScores,
    compared,
    note_on_labels,
    saved_classifier,
    saved_scores,
    shared_labels,
)
from repline.evaluation.classification.linear_peers import linear_probabilities
from repline.evaluation.classification.own_texts import read_own_texts
from repline.evaluation.classification.peer_networks import PEERS
from repline.evaluation.classification.recipes import LINEAR, LinearPeers, Recipe
from repline.evaluation.classification.training import SCORES, train_network
from repline.evaluation.leaderboards import compare_options
from repline.evaluation.nested_measures import Array
from repline.evaluation.replication.intervals import COVERED
from repline.evaluation.replication.standard_error import standard_error
from repline.evaluation.replication.weighted_draws import numbers, replicates, weights_of
from repline.evaluation.replication.wilson_interval import at_least_wilson
from repline.reading.wrong_records import ON_ERROR, OnError
from repline.segmentation.recipes import Splitting
from repline.training.recipes import CPU
from repline.training.run import Run
from repline.use.text_classifier import TextClassifier

SMALL = 200  # texts to learn from; below it n-grams of a single text count too
SIZE = "texts, or a share of all, where the table does not name them"
DRAWN = ("dev", "test")  # parts that are drawn where the table does not name them
OF_NETWORKS = ("seeds", "epochs", "sentences", "length")
MEASURES = ("accuracy", MACRO_F1, "calibration error", "nats")


def main(arguments: Sequence[str] | None = None, program: str = "python -m repline.evaluation.classification") -> None:
    parser = argparse.ArgumentParser(
        prog=program,
        description="Train classifiers on a table of labels and texts, and compare them on held-out texts.",
        epilog="A line is label, tab, text; or a head names the columns label, text and part (train, dev, test); "
        'or, in a file called .jsonl, an object {"label": ..., "text": ...}, with "part" or without.',
    )
    parser.add_argument("table", help="tab-separated, or JSON lines; also compressed")
    parser.add_argument("--on-error", choices=get_args(OnError), default="stop", help=ON_ERROR)
    parser.add_argument("--models", nargs="+", choices=(*LINEAR, *PEERS), help="classifiers (default: all)")
    parser.add_argument(
        "--splitting", choices=get_args(Splitting), default="marks", help="into sentences and words (default: marks)"
    )
    parser.add_argument("--dev", type=_size, default=0.1, help=f"{SIZE} (default: 0.1)")
    parser.add_argument("--test", type=_size, default=0.2, help=f"{SIZE} (default: 0.2)")
    parser.add_argument("--seeds", type=int, default=2, help="trainings of each network (default: 2)")
    parser.add_argument(
        "--epochs", type=int, default=10, help="of a network; the best one on dev is kept (default: 10)"
    )
    parser.add_argument("--sentences", type=int, default=20, help="that networks read of a text (default: 20)")
    parser.add_argument("--length", type=int, default=30, help="words that networks read of a sentence (default: 30)")
    json_option.add_option(parser)
    compare_options.add_options(
        parser, f"folders of saved classifiers, or {', '.join((*LINEAR, *PEERS))}, trained here"
    )
    options = parser.parse_args(arguments)
    candidates = compare_options.candidates_of(options, options.models or ())
    models = candidates.values() if candidates else options.models or PEERS
    for name in OF_NETWORKS:
        if getattr(options, name) < 1:
            raise InputError(f"--{name}: expected at least 1, found {getattr(options, name)}")
        if getattr(options, name) != parser.get_default(name) and not set(models) & set(PEERS):
            raise InputError(
                f"--{name} is of networks that are trained here; name one of {', '.join(PEERS)}, or leave it out"
            )
    options.sized = [part for part in DRAWN if getattr(options, part) != parser.get_default(part)]
    with json_option.json_writer(options.json, [options.table]) as write:
        _evaluate(options, candidates, write)


def _evaluate(options: argparse.Namespace, candidates: Mapping[str, str], write: Callable[[Any], None]) -> None:
    saved = _saved(candidates)  # before the table, which may be long
    if options.sized:
        named = {row.part for row in read_table(options.table, on_error=options.on_error)}
        if part := next((part for part in options.sized if part in named), None):
            raise InputError(f"--{part}: {options.table} names its {part} texts itself; leave the option out")
    texts = read_own_texts(options.table, options.splitting, options.dev, options.test, on_error=options.on_error)
    if candidates:
        scores = _scores(texts, candidates, saved, options)
        return compare_options.deliver(compared(texts, scores), options, write)
    report = _measured(texts, options)
    write(report)
    _show(report)
    print("".join(f"{note}\n" for note in note_on_labels(texts.gold["test"], len(texts.labels))), end="")


class Result(TypedDict):
    """What one classifier reaches: the means of its runs, and of the first one the confusion matrix [C, C]."""

    accuracy: float
    micro_f1: float
    macro_f1: float
    ece: float
    nll: float
    interval: list[float]  # of the accuracy, 95 %
    confusion: list[list[int]]
    runs: int


class Report(TypedDict):
    """What every classifier reaches."""

    labels: list[str]
    models: dict[str, Result]


def _measured(texts: Texts, options: argparse.Namespace) -> Report:
    gold = texts.gold["test"]
    weights = weights_of(len(gold))
    report: Report = {"labels": texts.labels, "models": {}}
    models = list(dict.fromkeys(options.models or [*LINEAR, *PEERS]))
    for name, scores in _runs(texts, models, options).items():
        measured = [classified(run, gold, weights) for run in scores]
        report["models"][name] = numbers(measured) | {
            "interval": _accuracy_interval(measured, len(gold)),
            "confusion": confusion(scores[0], gold).tolist(),
            "runs": len(scores),
        }
    return report


def _accuracy_interval(measured: Sequence[Mapping[str, Array]], documents: int) -> list[float]:
    """The 95 % interval of the accuracy over resampled runs and documents, at least as wide as Wilson's.

    Over several runs it is at least as wide as Student's, too.
    Resampled documents alone say nothing of errors that a small test happens not to have, and a few runs little of
    their spread.
    """
    accuracy = numbers(measured)["accuracy"]
    resampled = np.array([row["accuracy"] for row in replicates(measured)])
    low, high = np.percentile(resampled, COVERED)
    low, high = at_least_wilson(float(low), float(high), accuracy, documents)
    half = 0.0
    if len(measured) > 1 and documents > 1:
        run_accuracies = np.array([np.asarray(run["accuracy"])[0] for run in measured])
        half = standard_error(resampled, [run_accuracies], documents).half_interval()
    return [float(max(min(low, accuracy - half), 0.0)), float(min(max(high, accuracy + half), 1.0))]


def _saved(candidates: Mapping[str, str]) -> dict[str, TextClassifier]:
    """The saved classifiers among the candidates, by folder; the others are trained here."""
    folders = [path for path in candidates.values() if path not in (*LINEAR, *PEERS)]
    for path in folders:
        if not Path(path).is_dir():
            raise InputError(
                f"--compare: expected the folder of a saved classifier or {', '.join((*LINEAR, *PEERS))}, found {path}"
            )
    return {path: saved_classifier(path) for path in folders}


def _scores(
    texts: Texts, candidates: Mapping[str, str], saved: Mapping[str, TextClassifier], options: argparse.Namespace
) -> dict[str, LabelScores]:
    shared_labels(
        texts.labels,
        {name: saved[path].labels if path in saved else texts.labels for name, path in candidates.items()},
    )
    runs = _runs(texts, [name for name in candidates.values() if name in (*LINEAR, *PEERS)], options)
    text_of_line = {str(row.line): row.text for row in read_table(options.table, on_error=options.on_error)}
    raw_texts = [text_of_line[line] for line in texts.ids["test"]]
    return {
        name: LabelScores(texts.labels, np.stack(runs[path])) if path in runs else saved_scores(saved[path], raw_texts)
        for name, path in candidates.items()
    }


def _runs(texts: Texts, models: Sequence[str], options: argparse.Namespace) -> dict[str, list[np.ndarray]]:
    """The probabilities of the test documents, of each run of each model."""
    linear = [name for name in models if name in LINEAR]
    least = 2 if len(texts.ids["train"]) >= SMALL else 1
    runs = {
        str(name): [scores["test"].astype(np.float64)]
        for name, scores in linear_probabilities(LinearPeers(peers=linear, minimum_documents=least), texts).items()
    }
    with tempfile.TemporaryDirectory() as scratch:
        for name in (name for name in models if name in PEERS):
            print(f"{name}: training", file=sys.stderr, flush=True)
            runs[name] = [_trained(texts, name, seed, options, Path(scratch)) for seed in range(options.seeds)]
    return runs


def _trained(texts: Texts, name: str, seed: int, options: argparse.Namespace, scratch: Path) -> np.ndarray:
    recipe = Recipe(
        dimensions=50,
        minimum_count=2,
        sentences=options.sentences,
        length=options.length,
        epochs=options.epochs,
        batch=32,
        learning_rate=0.002,
        gradient_clip=5.0,
        hardware=CPU,
    )
    folder = scratch / f"{name}-{seed}"
    train_network(recipe, texts, Run(folder, seed, name, scratch), build=PEERS[name])
    return read_probabilities(folder / SCORES)["test"]


def _show(report: Report) -> None:
    print("\n" + " ".join(f"{head:>18}" for head in ("", *MEASURES, "95 % of accuracy")))
    for name, row in report["models"].items():
        low, high = row["interval"]
        measures = (row["accuracy"], row["macro_f1"], row["ece"], row["nll"])
        cells = [f"{name:>18}", *(f"{value:>18.3f}" for value in measures), f"{low:>9.3f} to {high:.3f}"]
        print(" ".join(cells))


def _size(text: str) -> int | float:
    """A number of texts, or a share."""
    try:
        size = float(text) if "." in text else int(text)
    except ValueError:
        size = 0
    if not (0 < size < 1 or (isinstance(size, int) and size >= 1)):
        raise argparse.ArgumentTypeError(f"expected a number of texts, or a share like 0.1, found {text}")
    return size


if __name__ == "__main__":
    try:
        main()
    except InputError as error:
        sys.exit(f"repline.evaluation.classification: {error}")
    except KeyboardInterrupt:
        sys.exit(130)
