"""The commands of `repline`."""

import json
import os
import subprocess
import sys
import warnings
from collections.abc import Iterator, Sequence
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, TextIO

import typer

import repline
from repline.cli import records
from repline.cli.evaluate import PASSED_ON
from repline.cli.evaluate import app as evaluate_app
from repline.cli.outputs import result_file, result_folder
from repline.cli.system_table import SYSTEMS
from repline.cli.train import app as train_app
from repline.cli.training_commands.training_options import OnError, account
from repline.cli.vector_commands import app as vectors_app
from repline.errors import InputError, Notice, in_one_line
from repline.extras import EXTRAS
from repline.parameters import Json
from repline.project_files import is_checkout
from repline.reading.wrong_records import LeftOut, WrongRecord
from repline.use.inputs import Usable
from repline.version import VERSION

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


class InputForm(StrEnum):
    """How the lines of the input are read."""

    json = "json"
    text = "text"


app.add_typer(train_app, name="train")
app.add_typer(vectors_app, name="vectors")
app.add_typer(evaluate_app, name="evaluate")
INTERRUPTED = 130  # the exit status of a program that Ctrl-C ended
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


def _show_version(asked: bool) -> None:
    if asked:
        typer.echo(VERSION)
        raise typer.Exit


@app.callback()
def repline_options(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version and exit."),
    ] = False,
) -> None:
    """Options of the command itself."""


@app.command()
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


@app.command()
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

    Of a line with several fields, as `repline predict` reads them, the first one is encoded.
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


@app.command()
def systems() -> None:
    """List the systems, and what is trained here."""
    for system in SYSTEMS:
        trained = sorted(Path("data/models", system.name).rglob("raw_input.json"))
        typer.echo(f"{system.name:24}{system.summary}")
        typer.echo(f"{'':24}{system.use}")
        if headline := _headline(system.name):
            typer.echo(f"{'':24}{headline}")
        if trained:
            typer.echo(f"{'':24}{trained[0].parent}" + (f" and {len(trained) - 1} more" if len(trained) > 1 else ""))


@app.command()
def extract(
    dump: Annotated[list[Path], typer.Argument(help="A dump of Wikipedia, or its parts in order.", show_default=False)],
    out: Annotated[
        Path,
        typer.Option(help="The folder of Parquet files to write.", show_default=False, callback=result_folder),
    ],
    language: Annotated[str, typer.Option(help="Code of the dump's language.")] = "en",
    on_error: Annotated[OnError, typer.Option(help="What to do at a broken page of the dump.")] = OnError.stop,
    processes: Annotated[int, typer.Option(min=1)] = 1,
) -> None:
    """Turn a Wikipedia dump into clean articles."""
    from repline.corpora.wikipedia.extraction import extract as extract_articles
    from repline.corpora.wikipedia.recipes import Extraction
    from repline.corpora.wikipedia.wikitext.templates import templates_line

    extraction = Extraction(language=language, on_error=on_error.value)
    card = extract_articles([*dump], out, extraction, processes=processes)
    counts = ", ".join(f"{count:,} {name}" for name, count in card["counts"].items())
    typer.echo(f"{out}: {counts}")
    for note in card["notes"]:
        typer.echo(f"note: {note}")
    typer.echo(templates_line(card["templates"]))


@app.command(context_settings=PASSED_ON, add_help_option=False)
def reproduce(context: typer.Context) -> None:
    """Run the stages that are not up to date.

    It works in a checkout of the project; all options are those of `python -m flows reproduce`.
    """
    _run_in_checkout(context, "flows", ["reproduce", *context.args])


@app.command(context_settings=PASSED_ON, add_help_option=False)
def report(context: typer.Context) -> None:
    """Write the page of the report.

    It works in a checkout of the project, and shows what has been evaluated by now.
    """
    _run_in_checkout(context, "stages.report", context.args or ["--page"])


@app.command()
def push(
    folder: Model,
    name: Annotated[str, typer.Argument(help="Name of the repository on the Hub, as user/model.", show_default=False)],
    private: Annotated[bool, typer.Option("--private", help="Make the repository visible to you alone.")] = False,
) -> None:
    """Copy a model to the Hugging Face Hub.

    The variables HF_TOKEN and HF_ENDPOINT say as whom, and where.
    """
    from huggingface_hub import HfApi
    from huggingface_hub.errors import HfHubHTTPError

    from repline.use.folders import read_description

    read_description(folder)
    hub = HfApi()
    # of httpx, or of what a release of the Hub's client takes for it
    connection_error: type[Exception] = HfHubHTTPError.__bases__[0]
    try:
        address = hub.create_repo(name, private=private, exist_ok=True)
        hub.upload_folder(folder_path=folder, repo_id=name, commit_message=f"Upload {folder.name}")
    except (HfHubHTTPError, connection_error, OSError, ValueError) as error:
        raise InputError(f"{name}: the upload to the Hub failed ({in_one_line(error)})") from None
    typer.echo(str(address))


def main() -> None:
    """Run the command; a mistake of the user is one line on the standard error, and the exit status 1."""
    show_warning = warnings.showwarning

    def show(
        message: Warning | str,
        category: type[Warning],
        filename: str,
        lineno: int,
        file: TextIO | None = None,
        line: str | None = None,
    ) -> None:
        if issubclass(category, Notice):
            typer.echo(f"repline: {message}", err=True)
        else:
            show_warning(message, category, filename, lineno, file, line)

    warnings.showwarning = show
    try:
        app()
    except (InputError, FloatingPointError) as error:  # the latter of a training that diverges
        sys.exit(f"repline: {error}")
    except ModuleNotFoundError as error:
        if error.name not in EXTRAS:
            raise
        sys.exit(f"repline: {error}")
    except BrokenPipeError:  # as of `repline predict ... | head`
        sys.stderr.close()
    except OSError as error:  # a full disk, a place where nothing may be written
        if error.strerror is None:
            raise
        _discard_output()
        sys.exit(f"repline: {error.filename or 'the output'}: {error.strerror}")
    except RuntimeError as error:
        if not _was_interrupted(error):
            raise
        sys.exit(INTERRUPTED)


def _discard_output() -> None:
    """Let what is still to be written to the standard output go nowhere, or it would fail again at the end."""
    if sys.stdout is not None:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _was_interrupted(error: BaseException) -> bool:
    """Whether an error came of Ctrl-C, as where it falls into the writing of a checkpoint."""
    before = error.__cause__ or error.__context__
    return before is not None and (isinstance(before, KeyboardInterrupt) or _was_interrupted(before))


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


def _headline(system: str) -> str:
    path = Path("results/small.json")
    if not (is_checkout(Path()) and path.exists()):
        return ""
    headline = json.loads(path.read_text(encoding="utf-8"))["systems"].get(system, {}).get("headline", {})
    low, high = headline.get("shown_interval") or ("", "")
    return f"{headline['shown']} ({low} to {high}) {headline['label']}" if headline.get("shown") else ""


def _run_in_checkout(context: typer.Context, module: str, arguments: list[str]) -> None:
    if is_checkout(Path()):
        sys.exit(subprocess.call([sys.executable, "-m", module, *arguments]))
    if {"--help", "-h"}.isdisjoint(arguments):
        raise InputError("this command runs in a checkout of the project, where dvc.yaml and stages/ are")
    typer.echo(context.get_help())


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
