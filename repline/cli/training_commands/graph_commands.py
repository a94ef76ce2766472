"""`repline train` for knowledge graphs."""

from typing import Annotated

import typer

from repline.cli.training_commands.training_options import (
    Data,
    Epochs,
    LearningRate,
    OnError,
    Out,
    Seed,
    WrongRecords,
)
from repline.errors import InputError


def transea(
    data: Data,
    out: Out,
    dimensions: Annotated[int, typer.Option(min=1, help="Number of dimensions of the vectors.")] = 50,
    epochs: Epochs = 300,
    learning_rate: LearningRate = 0.01,
    seed: Seed = 0,
    on_error: WrongRecords = OnError.stop,
) -> None:
    """A knowledge graph with numbers: vectors of entities that predict links and numbers.

    DATA holds triples.tsv (head, relation, tail between tabs) and, if there are numbers, numbers.tsv (entity,
    attribute, value). Also read are train.tsv with test.tsv, and id files as OpenKE has them; all may be .gz. Numbers
    are scaled to 0 to 1 for the training, by their logarithm where a few are far larger than the others, and predicted
    in their own unit.
    """
    from repline.graphs.attribute_scaling import logarithmic, scale
    from repline.graphs.graph_files import read_graph
    from repline.systems.transea.settings import Recipe
    from repline.systems.transea.training import train
    from repline.training.training_run import training_run

    if not data.is_dir():
        raise InputError(f"{data}: there is no such folder; expected one with triples.tsv")
    graph = read_graph(data, on_error.value).without_unused()
    if not len(graph.of("train")):
        raise InputError(f"{data}: expected triples to train on, found none")
    for note in graph.notes:
        typer.echo(note, err=True)
    if len(graph.numbers):
        scale(graph, logarithmic(graph.numbers, graph.attributes, "skewed"))
    recipe = Recipe(dimensions=dimensions, epochs=epochs, learning_rate=learning_rate)
    with training_run(out, seed) as this_run:
        train(recipe, graph, this_run)
    counts = (
        f"{len(graph.entities):,} entities, {len(graph.relations):,} relations, {len(graph.attributes):,} attributes"
    )
    typer.echo(f"{out}: {counts}")
