"""The trainings of a stage, one for each seed, into `seed-<s>` folders of one output."""

import shutil
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from repline.files import new_folder
from repline.training.settings import hardware
from stages import threads

SCRATCH = "data/scratch"


@contextmanager
def models(folder: str | Path) -> Iterator["Models"]:
    """Yield a `Models` for `folder`, which appears whole when all seeds are trained; then checkpoints are removed.

    After an error or a kill the checkpoints stay, and the next run resumes from them.
    """
    with new_folder(folder) as partial:
        made = Models(partial)
        yield made
    for scratch in made.checkpoints:
        shutil.rmtree(scratch, ignore_errors=True)


class Models:
    """Made by `models`.

    Attributes:
        folder: of the models, under its temporary name.
        checkpoints: the folders that the trainings so far keep theirs in.
    """

    def __init__(self, folder: Path):
        self.folder, self.checkpoints = folder, list[Path]()

    def train(
        self, train: Callable[..., Path], /, *data: Any, seeds: Iterable[int], into: str = "", **settings: Any
    ) -> None:
        """Train once per seed, into `folder`/`into`/seed-<s>.

        Args:
            train: called with the data, the folder of the model, the scratch folder, and by their names the seed, the
                threads, the hardware and the settings; it returns the folder of its checkpoints.
            settings: of the training; `hardware` among them is what differs from the section `hardware`.

        Raises:
            InputError: a mistake in the section `hardware`, or what `train` says.
        """
        settings["hardware"] = hardware(settings.get("hardware"))
        for seed in seeds:
            model = self.folder / into / f"seed-{seed}"
            self.checkpoints.append(train(*data, model, SCRATCH, seed=seed, threads=threads(), **settings))
