"""The commands of `repline`."""

import itertools
import sys
from collections.abc import Iterator
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

import repline
from repline.cli import records
from repline.errors import InputError

app = typer.Typer(
    name="repline",
    help="Models of published representation-learning systems: use what is trained, train on your own data, evaluate.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


class Form(StrEnum):
    """How answers are written."""

    json = "json"
    tsv = "tsv"


Model = Annotated[Path, typer.Argument(help="The folder of a saved model, or of word vectors.", show_default=False)]
Input = Annotated[str, typer.Argument(help="A text file, a line an item, or JSON lines; - is the standard input.")]
Batch = Annotated[int, typer.Option(min=1, help="Items in memory at a time.")]


@app.command()
def predict(
    model: Model,
    file: Input = records.STANDARD,
    form: Annotated[Form, typer.Option("--form", help="JSON lines, or a table with a head line.")] = Form.json,
    batch: Batch = 64,
) -> None:
    """Answer each line of a file: a label, a vector, a translation, whatever the model gives.

    A model with several inputs takes them separated by tabs (premise TAB hypothesis), or as JSON objects.
    """
    usable = repline.load(model)
    write = records.write_json_lines if form is Form.json else records.write_table
    with records.opened(file) as lines:
        inputs = records.read_records(lines, file, usable.fields, usable.optional_fields)
        write(_answers(usable, _with_progress(inputs, file), batch), sys.stdout)


@app.command()
def encode(
    model: Model,
    file: Input,
    out: Annotated[Path, typer.Argument(help="The .npy file to write: float32, a row a line.", show_default=False)],
    batch: Batch = 256,
) -> None:
    """Write the vectors of the lines of a file as a NumPy array."""
    import numpy as np

    from repline.files import new_file

    usable = repline.load(model)
    vectors_of = getattr(usable, "encode", None) or getattr(usable, "vectors", None)
    if vectors_of is None:
        raise InputError(f"{model}: this model gives no vectors; `repline predict` gives its answers")
    with records.opened(file) as lines:
        texts = (next(iter(record.values())) for record in records.read_records(lines, file, usable.fields[:1]))
        parts = [vectors_of(part) for part in _batches(_with_progress(texts, file), batch)]
    matrix = np.concatenate(parts) if parts else np.zeros((0, usable.dimensions), np.float32)
    with new_file(out) as partial, open(partial, "wb") as output:
        np.save(output, matrix)
    typer.echo(f"{out}: {matrix.shape[0]:,} vectors of {matrix.shape[1]} dimensions", err=True)


def main() -> None:
    """Run the command; a mistake of the user is one line on the standard error, and the exit status 1."""
    try:
        app()
    except InputError as error:
        sys.exit(f"repline: {error}")
    except BrokenPipeError:  # as of `repline predict ... | head`
        sys.stderr.close()


def _answers(usable: Any, inputs: Iterator[dict[str, str]], batch: int) -> Iterator[dict[str, Any]]:
    for rows in _batches(inputs, batch):
        for row, answer in zip(rows, usable.answers(rows), strict=True):
            yield row | answer


def _batches(items: Iterator[Any], size: int) -> Iterator[list[Any]]:
    while part := list(itertools.islice(items, size)):
        yield part


def _with_progress(items: Iterator[Any], file: str) -> Iterator[Any]:
    if not sys.stderr.isatty() or file == records.STANDARD:
        return items
    from tqdm import tqdm

    return iter(tqdm(items, total=records.total_lines(file), unit=" lines"))
