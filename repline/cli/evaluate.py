"""`repline evaluate`: vectors, encoders, classifiers and language models on tests, with tables of peers."""

import math
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

    main(context.args, context.command_path)


@app.command(context_settings=PASSED_ON, add_help_option=False)
def encoder(context: typer.Context) -> None:
    """A sentence encoder on tasks of sentences."""
    from repline.evaluation.sentences.__main__ import main

    main(context.args, context.command_path)


@app.command(context_settings=PASSED_ON, add_help_option=False)
def classifier(context: typer.Context) -> None:
    """Classifiers on a table of your own."""
    from repline.evaluation.classification.__main__ import main

    main(context.args, context.command_path)


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
        pairs = [pair.values for pair in records.read_records(lines, file, ("prefix", "right", "wrong"))]
    if not pairs:
        raise InputError(f"{file}: expected lines of prefix, right and wrong word, found none")
    preferences = [_preference(usable, pair) for pair in pairs]
    is_level = [math.isclose(value, 0, abs_tol=1e-9) for value in preferences]  # rounding decides nothing
    correct = sum(value > 0 and not level for value, level in zip(preferences, is_level, strict=True))
    low, high = wilson(correct, len(pairs))
    undecided = sum(is_level)
    typer.echo(f"right  {correct / len(pairs):.3f} ({low:.3f} to {high:.3f}), {correct:,} of {len(pairs):,}")
    if undecided:
        typer.echo(f"       {undecided:,} of them equally probable: the model does not know the words")


@app.command(context_settings=PASSED_ON, add_help_option=False)
def graph(context: typer.Context) -> None:
    """A model of a knowledge graph on test triples."""
    from repline.evaluation.link_prediction import main

    main(context.args, context.command_path)


def _preference(usable: Any, pair: dict[str, str]) -> float:
    return float(usable.prefers(pair["prefix"], pair["right"], pair["wrong"]))
