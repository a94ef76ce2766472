"""The commands of `repline`."""

import gc
import json
import os
import subprocess
import sys
import warnings
from contextlib import suppress
from pathlib import Path
from typing import Annotated, TextIO

import typer

from repline.cli.evaluate import PASSED_ON
from repline.cli.evaluate import app as evaluate_app
from repline.cli.outputs import result_folder
from repline.cli.predictions import Model, encode, predict
from repline.cli.system_table import SYSTEMS
from repline.cli.train import app as train_app
from repline.cli.training_commands.training_options import OnError
from repline.cli.vector_commands import app as vectors_app
from repline.errors import InputError, Notice, in_one_line
from repline.extras import EXTRAS
from repline.project_files import is_checkout
from repline.version import VERSION


def _with_hyphens(name: str) -> str:
    """An option, or a name that it chooses, in one spelling: attract_repel is attract-repel."""
    return name.replace("_", "-")


app = typer.Typer(
    name="repline",
    help="Models of published representation-learning systems: use what is trained, train on your own data, evaluate.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"token_normalize_func": _with_hyphens},
)
app.command()(predict)
app.command()(encode)
app.add_typer(train_app, name="train")
app.add_typer(vectors_app, name="vectors")
app.add_typer(evaluate_app, name="evaluate")
INTERRUPTED = 130  # the exit status of a program that Ctrl-C ended


def _show_version(show: bool) -> None:
    if show:
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
def systems() -> None:
    """List the systems, and what is trained here."""
    folders_by_system = _trained_folders()
    for system in SYSTEMS:
        trained = folders_by_system.get(system.name, [])
        typer.echo(f"{system.name:24}{system.summary}")
        typer.echo(f"{'':24}{system.use}")
        if headline := _headline(system.name):
            typer.echo(f"{'':24}{headline}")
        if trained:
            typer.echo(f"{'':24}{trained[0]}" + (f" and {len(trained) - 1} more" if len(trained) > 1 else ""))


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


@app.command()
def report(context: typer.Context) -> None:
    """Write the page of the report, data/report/index.html.

    It works in a checkout of the project, and shows what has been evaluated by now.
    """
    _run_in_checkout(context, "stages.report", ["--page"])


@app.command()
def push(
    folder: Model,
    name: Annotated[str, typer.Argument(help="Name of the repository on the Hub, as user/model.", show_default=False)],
    private: Annotated[bool, typer.Option("--private", help="Make the repository visible to you alone.")] = False,
) -> None:
    """Copy a model or word vectors to the Hugging Face Hub.

    The variables HF_TOKEN and HF_ENDPOINT say as whom, and where.
    """
    from huggingface_hub import HfApi
    from huggingface_hub.errors import HfHubHTTPError

    from repline.use.folders import read_description
    from repline.use.loading import holds_vectors
    from repline.vectors import store

    if holds_vectors(folder):
        store.words_and_matrix(folder)
    else:
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
    gc.set_threshold(20_000, 50, 50)  # what commands import is no garbage; looking for it is a quarter of their start
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


def _trained_folders() -> dict[str, list[Path]]:
    """The folders of the models in data/models by their system; those that cannot be read are left out."""
    from repline.use.folders import RAW_INPUT, read_description

    by_system: dict[str, list[Path]] = {}
    for folder in sorted(path.parent for path in Path("data/models").rglob(RAW_INPUT)):
        with suppress(InputError):
            by_system.setdefault(read_description(folder).system, []).append(folder)
    return by_system


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
