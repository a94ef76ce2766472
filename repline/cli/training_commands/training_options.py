"""What the commands of `repline train` share: options, and a run that leaves a whole model or nothing."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, get_args

import typer

from repline.errors import InputError

if TYPE_CHECKING:
    from repline.segmentation.recipes import Splitting
    from repline.training.run import Run

Data = Annotated[Path, typer.Option(help="The folder of your files.", show_default=False)]
Out = Annotated[Path, typer.Option(help="The folder of the model; it replaces what was there.", show_default=False)]
Table = Annotated[Path, typer.Option(help="A table of labels and texts.", show_default=False)]
SplittingName = Annotated[str, typer.Option("--splitting", help="Into sentences and words; see stages/labelled.")]
Sentences = Annotated[int, typer.Option(min=1, help="Of a text that are read.")]
Length = Annotated[int, typer.Option(min=1, help="Words of a sentence that are read.")]
Epochs = Annotated[int, typer.Option(min=1, help="Passes over the data.")]
LearningRate = Annotated[float, typer.Option(min=1e-9, help="Of the training.")]
Seed = Annotated[int, typer.Option(min=0, help="The same seed gives the same model.")]


@contextmanager
def training_run(out: Path, seed: int) -> Iterator["Run"]:
    """A run whose model appears whole in `out`; one that was killed goes on from its checkpoints."""
    from repline.files import new_folder
    from repline.training.run import Run

    checkpoints = out.with_name(f".{out.name}-checkpoints")
    with new_folder(out) as partial:
        yield Run(partial, seed=seed, name=out.name, scratch=checkpoints)
    shutil.rmtree(checkpoints, ignore_errors=True)


def splitting_named(name: str) -> "Splitting":
    """The splitting of this name; InputError where there is none."""
    from repline.segmentation.recipes import Splitting

    for splitting in get_args(Splitting):
        if splitting == name:
            return splitting
    raise InputError(f"--splitting: expected one of {', '.join(get_args(Splitting))}, found {name!r}")
