"""The commands `repline predict` and `repline encode`: a model on the lines of a file."""

import sys
from collections.abc import Iterator, Sequence
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

import repline
from repline.cli import records
from repline.cli.outputs import result_file
from repline.cli.training_commands.training_options import OnError, account
from repline.errors import InputError
from repline.parameters import Json
from repline.reading.wrong_records import LeftOut, WrongRecord
from repline.use.inputs import Usable


class Form(StrEnum):
    """How answers are written."""

    json = "json"
    tsv = "tsv"


class InputForm(StrEnum):
    """How the lines of the input are read."""

    json = "json"
    text = "text"


Model = Annotated[Path, typer.Argument(help="The folder of a saved model, or of word vectors.", show_default=False)]
Input = Annotated[str, typer.Argument(help="A text file, a line an item, or JSON lines; - is the standard input.")]
LineForm = Annotated[
    InputForm | None,
    typer.Option(
        "--input",
        help="Form of the lines of the input.",
        show_default='json where the first filled line begins with {"',
    ),
]
Batch = Annotated[int, typer.Option(min=1, help="Number of items in memory at a time.")]
Encoding = Annotated[str, typer.Option(help="Encoding of the input, as cp1252; a byte order mark comes first.")]


def predict(
    model: Model,
    file: Input = records.STANDARD,
    form: Annotated[
        Form, typer.Option("--form", help="Form of the answers: JSON lines, or a table with a head line.")
    ] = Form.json,
    input_form: LineForm = None,
    batch: Batch = 64,
    encoding: Encoding = "utf-8",
    on_error: Annotated[
        OnError,
        typer.Option(
            "--on-error", help="What to do at a line that cannot be answered: stop, or salvage the others and say so."
        ),
    ] = OnError.stop,
) -> None:
    """Answer each line of a file.

    The answer is what the model gives: a label, a vector, a translation. A model with several inputs takes them
    separated by tabs (premise TAB hypothesis), or as JSON objects. Lines are JSON where the first filled one begins as
    an object with a key, {"; --input says it otherwise.
    """
    usable = repline.load(model)
    with account(on_error) as left_out, records.opened(file, encoding, left_out) as lines:
        inputs = records.read_records(lines, file, usable.fields, usable.optional_fields, input_form, left_out)
        answers = _answers(usable, _with_progress(inputs, file), batch, file, left_out)
        if form is Form.json:
            records.write_json_lines(answers, records.standard_output())
        else:
            records.write_table(answers, records.standard_output(), [*usable.fields, *usable.optional_fields])


def encode(
    model: Model,
    file: Input,
    out: Annotated[
        Path,
        typer.Argument(help="The .npy file to write: float32, a row a line.", show_default=False, callback=result_file),
    ],
    input_form: LineForm = None,
    batch: Batch = 256,
    encoding: Encoding = "utf-8",
) -> None:
    """Write vectors of lines as a NumPy array.

    Of a line with several fields, as `repline predict` reads them, the first one is encoded. A word without a vector,
    or a text without one, has zeros, and a line says how many there are.
    """
    import numpy as np

    from repline.files import new_file

    usable = repline.load(model)
    vectors_of = getattr(usable, "encode", None) or getattr(usable, "vectors", None)
    if vectors_of is None:
        raise InputError(f"{model}: this model gives no vectors; `repline predict` gives its answers")
    with records.opened(file, encoding) as lines:
        not_encoded = (*usable.fields[1:], *usable.optional_fields)  # fields that a line may have
        inputs = records.read_records(lines, file, usable.fields[:1], not_encoded, input_form)
        texts = (record.values[usable.fields[0]] for record in inputs)
        parts = [vectors_of(part) for part in _batches(_with_progress(texts, file), batch)]
    matrix = np.concatenate(parts) if parts else np.zeros((0, usable.dimensions), np.float32)
    with new_file(out) as partial, open(partial, "wb") as output:
        np.save(output, matrix)
    typer.echo(f"{out}: {matrix.shape[0]:,} vectors of {matrix.shape[1]} dimensions", err=True)
    if zeros := int((~matrix.any(axis=1)).sum()):
        typer.echo(f"{out}: {zeros:,} of them {'is' if zeros == 1 else 'are'} zero, as of what is not known", err=True)


def _answers(
    usable: Usable, inputs: Iterator[records.Record], batch: int, file: str, left_out: LeftOut
) -> Iterator[dict[str, Json]]:
    for part in _batches(inputs, batch):
        rows = [record.values for record in part]
        try:
            answers = usable.answers(rows)
        except InputError:
            yield from _one_by_one(usable, part, file, left_out)
        else:
            yield from (row | answer for row, answer in zip(rows, answers, strict=True))


def _one_by_one(
    usable: Usable, part: Sequence[records.Record], file: str, left_out: LeftOut
) -> Iterator[dict[str, Json]]:
    """The answers of the lines that have one; the account takes the others, or its error names the first."""
    for record in part:
        try:
            (answer,) = usable.answers([record.values])
        except InputError as error:
            left_out.add(WrongRecord(file, f"line {record.line}", str(error)))
        else:
            yield record.values | answer


def _batches(items: Iterator[Any], size: int) -> Iterator[list[Any]]:
    part = []
    try:
        for item in items:
            part.append(item)
            if len(part) == size:
                yield part
                part = []
    except InputError:  # of a line: those before it come first
        if part:
            yield part
        raise
    if part:
        yield part


def _with_progress(items: Iterator[Any], file: str) -> Iterator[Any]:
    if not sys.stderr.isatty() or file == records.STANDARD:
        yield from items
        return
    with typer.progressbar(items, length=records.total_lines(file), file=sys.stderr) as shown:
        yield from shown
