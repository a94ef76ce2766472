"""`repline train` for knowledge graphs."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from repline.cli.training_commands.training_options import (
    Data,
    Epochs,
    LearningRate,
    OnError,
    Out,
    Seed,
    WrongRecords,
    check_folder,
)
from repline.errors import InputError, shown
from repline.parameters import nearest

if TYPE_CHECKING:
    from repline.graphs.knowledge_graph import KnowledgeGraph


def transea(
    data: Data,
    out: Out,
    dimensions: Annotated[int, typer.Option(min=1, help="Number of dimensions of the vectors.")] = 50,
    logarithms: Annotated[
        list[str] | None,
        typer.Option(
            "--logarithm",
            help="Attribute of positive values whose logarithm is learned; may be repeated.",
            show_default="those with a value over 100 times the median",
        ),
    ] = None,
    epochs: Epochs = 300,
    learning_rate: LearningRate = 0.01,
    seed: Seed = 0,
    on_error: WrongRecords = OnError.stop,
) -> None:
    """A knowledge graph with numbers: vectors of entities that predict links and numbers.

    DATA holds triples.tsv (head, relation, tail between tabs) and, if there are numbers, numbers.tsv (entity,
    attribute, value). Also read are train.tsv with test.tsv, and id files as OpenKE has them; all may be .gz.
    Quotation marks around a name are no part of it, nor are angle brackets around an attribute. Numbers
    are scaled to 0 to 1 for the training, and predicted in their own unit. Where some positive values are far larger
    than others, as populations, name the attribute in --logarithm: else small values may be predicted below zero.
    """
    from repline.graphs.attribute_scaling import logarithmic, scale
    from repline.graphs.graph_files import read_graph
    from repline.systems.transea.settings import Recipe
    from repline.systems.transea.training import train
    from repline.training.training_run import training_run

    check_folder(data, "triples.tsv")
    graph = read_graph(data, on_error.value).without_unused()
    if not len(graph.of("train")):
        raise InputError(f"{data}: expected triples to train on, found none")
    for note in graph.notes:
        typer.echo(note, err=True)
    for name in logarithms or ():
        _check_positive(graph, name, data)
    is_named = logarithmic(graph.numbers, graph.attributes, logarithms or [])
    if len(graph.numbers):
        scale(graph, is_named | logarithmic(graph.numbers, graph.attributes, "skewed"), is_named)
    recipe = Recipe(dimensions=dimensions, epochs=epochs, learning_rate=learning_rate)
    with training_run(out, seed) as this_run:
        train(recipe, graph, this_run)
    counts = (
        f"{len(graph.entities):,} entities, {len(graph.relations):,} relations, {len(graph.attributes):,} attributes"
    )
    typer.echo(f"{out}: {counts}")


def _check_positive(graph: "KnowledgeGraph", name: str, data: Path) -> None:
    """InputError where there is no attribute of this name, or one of its values is not positive."""
    if name not in graph.attributes:
        raise InputError(f"--logarithm: {data} has no attribute {shown(name)}{nearest(name, graph.attributes)}")
    least = graph.numbers.value[graph.numbers.attribute == graph.attributes.index(name)].min()
    if least <= 0:
        raise InputError(f"--logarithm: expected positive values of {shown(name)}, found {least:g} in {data}")
