"""`repline train`: train a system on files of your own, without a checkout and without params.yaml."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, get_args

import typer

from repline.errors import InputError

if TYPE_CHECKING:
    from repline.corpora.labelled.classified_texts import Texts
    from repline.segmentation.recipes import Splitting
    from repline.training.run import Run

app = typer.Typer(no_args_is_help=True, help="Train a system on your own files; each one says what it reads.")
Data = Annotated[Path, typer.Option(help="The folder of your files.", show_default=False)]
Out = Annotated[Path, typer.Option(help="The folder of the model; it replaces what was there.", show_default=False)]
Table = Annotated[Path, typer.Option(help="A table of labels and texts.", show_default=False)]
SplittingName = Annotated[str, typer.Option("--splitting", help="Into sentences and words; see stages/labelled.")]
Sentences = Annotated[int, typer.Option(min=1, help="Of a text that are read.")]
Length = Annotated[int, typer.Option(min=1, help="Words of a sentence that are read.")]
Epochs = Annotated[int, typer.Option(min=1, help="Passes over the data.")]
LearningRate = Annotated[float, typer.Option(min=1e-9, help="Of the training.")]
Seed = Annotated[int, typer.Option(min=0, help="The same seed gives the same model.")]


@app.command()
def transea(
    data: Data,
    out: Out,
    dimensions: Annotated[int, typer.Option(min=1, help="Of the vectors.")] = 50,
    epochs: Epochs = 300,
    learning_rate: LearningRate = 0.01,
    seed: Seed = 0,
) -> None:
    """A knowledge graph with numbers: vectors of entities that predict links and numbers.

    DATA holds triples.tsv (head, relation, tail between tabs) and, if there are numbers, numbers.tsv (entity,
    attribute, value). Also read are train.tsv with test.tsv, and id files as OpenKE has them; all may be .gz. Numbers
    are scaled to 0 to 1 for the training, by their logarithm where a few are far larger than the others, and predicted
    in their own unit.
    """
    from repline.files import new_folder
    from repline.graphs.attribute_scaling import logarithmic, scale
    from repline.graphs.graph_files import read_graph
    from repline.systems.transea.settings import Recipe
    from repline.systems.transea.training import train
    from repline.training.run import Run

    if not data.is_dir():
        raise InputError(f"{data}: there is no such folder; expected one with triples.tsv")
    graph = read_graph(data).without_unused()
    if not len(graph.of("train")):
        raise InputError(f"{data}: there are no triples of training")
    for note in graph.notes:
        typer.echo(note, err=True)
    if len(graph.numbers):
        scale(graph, logarithmic(graph.numbers, graph.attributes, "skewed"))
    recipe = Recipe(dimensions=dimensions, epochs=epochs, learning_rate=learning_rate)
    with new_folder(out) as partial:
        train(recipe, graph, Run(partial, seed=seed, name=out.name))
    counts = (
        f"{len(graph.entities):,} entities, {len(graph.relations):,} relations, {len(graph.attributes):,} attributes"
    )
    typer.echo(f"{out}: {counts}")


@app.command()
def hcan(
    data: Table,
    out: Out,
    splitting: SplittingName = "marks",
    sentences: Sentences = 20,
    length: Length = 30,
    size: Annotated[int, typer.Option(min=2, help="Features of a word and of a sentence.")] = 64,
    heads: Annotated[int, typer.Option(min=1, help="Of the attention; they divide the size.")] = 4,
    epochs: Epochs = 10,
    learning_rate: LearningRate = 0.002,
    seed: Seed = 0,
) -> None:
    """A classifier of texts: convolutions and attention over words and sentences.

    DATA is a table: label, tab, text; or a head that names the columns label, text and part (train, dev, test). The
    epoch that is best on dev is kept, and the accuracy on the texts of test printed.
    """
    from repline.evaluation.classification.own_texts import read_own_texts
    from repline.systems.hcan.settings import HCAN, Recipe
    from repline.systems.hcan.training import train

    texts = read_own_texts(data, _splitting(splitting))
    recipe = Recipe(
        **_classifier_recipe(len(texts.ids["train"]), epochs, learning_rate, sentences, length),
        dimensions=size,
        size=size,
        heads=heads,
    )
    with _run(out, seed) as this_run:
        train(recipe, HCAN(kind="hcan"), texts, this_run)
    _print_test_accuracy(out, texts)


@app.command()
def lmtgru(
    data: Table,
    out: Out,
    splitting: SplittingName = "marks",
    sentences: Sentences = 5,
    length: Length = 30,
    units: Annotated[int, typer.Option(min=1, help="Of the recurrence.")] = 60,
    filters: Annotated[int, typer.Option(min=1, help="Of each width of the convolutions.")] = 50,
    epochs: Epochs = 10,
    learning_rate: LearningRate = 0.001,
    seed: Seed = 0,
) -> None:
    """A classifier of short texts: convolutions, and a recurrence whose units have timescales.

    DATA is a table as of `repline train hcan`.
    """
    from repline.evaluation.classification.own_texts import read_own_texts
    from repline.systems.lmtgru.settings import CNNLMTGRU, Recipe
    from repline.systems.lmtgru.training import train

    texts = read_own_texts(data, _splitting(splitting))
    recipe = Recipe(
        **_classifier_recipe(len(texts.ids["train"]), epochs, learning_rate, sentences, length),
        dimensions=units,
        units=units,
        filters=filters,
    )
    with _run(out, seed) as this_run:
        train(recipe, CNNLMTGRU(kind="lmtgru"), texts, this_run)
    _print_test_accuracy(out, texts)


def _classifier_recipe(texts: int, epochs: int, learning_rate: float, sentences: int, length: int) -> dict[str, Any]:
    """What the recipes of classifiers share; few texts make small batches and a large vocabulary."""
    return {
        "epochs": epochs,
        "learning_rate": learning_rate,
        "batch": max(4, min(32, texts // 20)),
        "sentences": sentences,
        "length": length,
        "minimum_count": 1 if texts < 1000 else 2,
    }


@contextmanager
def _run(out: Path, seed: int) -> Iterator["Run"]:
    """A run whose model appears whole in `out`; one that was killed goes on from its checkpoints."""
    from repline.files import new_folder
    from repline.training.run import Run

    checkpoints = out.with_name(f".{out.name}-checkpoints")
    with new_folder(out) as partial:
        yield Run(partial, seed=seed, name=out.name, scratch=checkpoints)
    shutil.rmtree(checkpoints, ignore_errors=True)


def _splitting(name: str) -> "Splitting":
    from repline.segmentation.recipes import Splitting

    for splitting in get_args(Splitting):
        if splitting == name:
            return splitting
    raise InputError(f"--splitting: expected one of {', '.join(get_args(Splitting))}, found {name!r}")


def _print_test_accuracy(out: Path, texts: "Texts") -> None:
    import numpy as np

    from repline.evaluation.classification.training import SCORES

    with np.load(out / SCORES) as scores:
        accuracy = float((scores["test"].argmax(axis=1) == texts.gold["test"]).mean())
    typer.echo(f"{out}: accuracy {accuracy:.3f} on {len(texts.gold['test']):,} texts of test")
