"""`repline evaluate`: vectors, encoders, classifiers and language models on tests, with tables of peers."""

import math
from collections.abc import Iterator, Sequence
from typing import Annotated, Any

import typer

import repline
from repline.cli import records
from repline.cli.training_commands.training_options import OnError, WrongRecords, account
from repline.errors import InputError, shown
from repline.evaluation import json_option
from repline.evaluation.replication.wilson_interval import wilson
from repline.reading.table_heads import head_columns, rows_below_head
from repline.reading.wrong_records import LeftOut, WrongRecord

app = typer.Typer(
    no_args_is_help=True, help="Evaluate vectors, an encoder, classifiers, a language model, or a model of a graph."
)
PASSED_ON = {"ignore_unknown_options": True, "allow_extra_args": True}
PAIR = ("prefix", "right", "wrong")
SAME_PROBABILITY = 1e-4  # nats: models compute in float32, whose rounding moves a log probability by about 1e-6


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
    json: Annotated[str | None, typer.Option(help=json_option.HELP, metavar="FILE", show_default=False)] = None,
    on_error: WrongRecords = OnError.stop,
) -> None:
    """A language model on pairs of continuations.

    Printed is how often it finds the right one more probable than the wrong one.
    """
    with json_option.json_writer(json, [file]) as write:
        write(_agreement(model, file, on_error))


def _agreement(model: str, file: str, on_error: OnError) -> dict[str, Any]:
    """How often a language model prefers the right word, which is printed, with the 95 % interval of this share."""
    usable = repline.load(model)
    if not hasattr(usable, "prefers"):
        raise InputError(
            f"{model}: expected a language model that compares words in context, found another kind of model"
        )
    with account(on_error) as left_out:
        pairs = list(_pairs(file, left_out))
    if not pairs:
        raise InputError(f"{file}: expected lines of prefix, right and wrong word, found none")
    preferences = [_preference(usable, pair) for pair in pairs]
    if any(map(math.isnan, preferences)):
        raise InputError(f"{model}: the model gives a word a probability that is not a number; train it again")
    is_level = [abs(value) < SAME_PROBABILITY for value in preferences]
    correct = sum(value > 0 and not level for value, level in zip(preferences, is_level, strict=True))
    low, high = wilson(correct, len(pairs))
    undecided = sum(is_level)
    print(f"right  {correct / len(pairs):.3f} ({low:.3f} to {high:.3f}), {correct:,} of {len(pairs):,}")
    if undecided:
        has = "1 pair has" if undecided == 1 else f"{undecided:,} pairs have"
        print(f"       {has} two equally probable words, as where the model knows neither; this counts as wrong")
    return {
        "accuracy": correct / len(pairs),
        "interval": [float(low), float(high)],
        "right": correct,
        "pairs": len(pairs),
        "equally_probable": undecided,
    }


@app.command(context_settings=PASSED_ON, add_help_option=False)
def graph(context: typer.Context) -> None:
    """A model of a knowledge graph on test triples."""
    from repline.evaluation.link_prediction import main

    main(context.args, context.command_path)


def _pairs(file: str, left_out: LeftOut) -> Iterator[dict[str, str]]:
    """The prefix and the words of each pair; one of an empty word, or of the same word twice, is wrong."""

    def columns_of(line: str) -> Sequence[int] | None:
        return head_columns("auto", line.split("\t"), [PAIR])

    with records.opened(file, left_out=left_out) as lines:
        rows = rows_below_head(file, lines, left_out, columns_of)
        for pair in records.read_records(rows, file, PAIR, left_out=left_out, otherwise=""):
            with left_out:
                yield _checked(file, pair)


def _checked(file: str, pair: records.Record) -> dict[str, str]:
    line = f"line {pair.line}"
    for name in PAIR[1:]:
        if not pair.values[name].strip():
            problem = f"the {name} word is empty"
            raise WrongRecord(file, line, f"{problem}; correct the line, or leave it out", problem)
    if pair.values["right"].strip() == pair.values["wrong"].strip():
        problem = "the right word and the wrong word are both"
        explained = f"{problem} {shown(pair.values['right'])}; correct the line, or leave it out"
        raise WrongRecord(file, line, explained, "the right word and the wrong word are the same")
    return pair.values


def _preference(usable: Any, pair: dict[str, str]) -> float:
    return float(usable.prefers(pair["prefix"], pair["right"], pair["wrong"]))
