"""`repline evaluate`: vectors, encoders, classifiers and language models on tests, with tables of peers."""

import math
from pathlib import Path
from typing import Annotated, Any

import typer

import repline
from repline.cli import records
from repline.errors import InputError
from repline.evaluation.replication.wilson_interval import wilson

app = typer.Typer(no_args_is_help=True, help="Evaluate vectors, an encoder, classifiers, or a language model.")
PASSED_ON = {"ignore_unknown_options": True, "allow_extra_args": True}


@app.command(context_settings=PASSED_ON, add_help_option=False)
def vectors(context: typer.Context) -> None:
    """Word vectors on tests of words."""
    from repline.evaluation.__main__ import main

    main(context.args)


@app.command(context_settings=PASSED_ON, add_help_option=False)
def encoder(context: typer.Context) -> None:
    """A sentence encoder on tasks of sentences."""
    from repline.evaluation.sentences.__main__ import main

    main(context.args)


@app.command(context_settings=PASSED_ON, add_help_option=False)
def classifier(context: typer.Context) -> None:
    """Classifiers on a table of your own."""
    from repline.evaluation.classification.__main__ import main

    main(context.args)


@app.command()
def agreement(
    model: Annotated[str, typer.Argument(help="The folder of a saved language model.", show_default=False)],
    file: Annotated[str, typer.Argument(help="Lines: prefix TAB right word TAB wrong word.")] = records.STANDARD,
) -> None:
    """A language model on pairs of continuations.

    Printed is how often it finds the right one more probable than the wrong one.
    """
    usable = repline.load(model)
    if not hasattr(usable, "prefers"):
        raise InputError(
            f"{model}: expected a language model that compares words in context, found another kind of model"
        )
    with records.opened(file) as lines:
        pairs = list(records.read_records(lines, file, ("prefix", "right", "wrong")))
    if not pairs:
        raise InputError(f"{file}: expected lines of prefix, right and wrong word, found none")
    preferences = [_preference(usable, pair) for pair in pairs]
    correct = sum(value > 0 for value in preferences)
    low, high = wilson(correct, len(pairs))
    undecided = sum(math.isclose(value, 0, abs_tol=1e-9) for value in preferences)
    typer.echo(f"right  {correct / len(pairs):.3f} ({low:.3f} to {high:.3f}), {correct:,} of {len(pairs):,}")
    if undecided:
        typer.echo(f"       {undecided:,} of them equally probable: the model does not know the words")


@app.command()
def graph(
    model: Annotated[str, typer.Argument(help="The folder of a saved model of a knowledge graph.", show_default=False)],
    data: Annotated[Path, typer.Argument(help="A folder with train.tsv and test.tsv.", show_default=False)],
) -> None:
    """A model of a knowledge graph on test triples.

    Printed are the filtered mean rank, the mean reciprocal rank and the hits among the first 1, 3 and 10; every triple
    of the folder is taken for true.
    """
    from repline.graphs.graph_files import read_graph

    usable = repline.load(model)
    if not hasattr(usable, "link_measures"):
        raise InputError(f"{model}: expected a model of a knowledge graph, found another kind of model")
    read = read_graph(data)
    measures, count = usable.link_measures(read)
    typer.echo(f"test triples  {count:,} of {len(read.of('test')):,}")
    for name, title in (("mr", "mean rank"), ("mrr", "MRR"), *((f"hits_{k}", f"hits@{k}") for k in (1, 3, 10))):
        typer.echo(f"{title:14}{measures[name]:.4g}")


def _preference(usable: Any, pair: dict[str, str]) -> float:
    return float(usable.prefers(pair["prefix"], pair["right"], pair["wrong"]))
