"""The runs of a training stage: a folder for each seed, checkpoints that outlive a kill, and what they run on."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from repline.files import new_folder
from repline.training.recipes import load_checkpointing, load_hardware
from repline.training.run import SEED_FOLDER, Run, remove_checkpoints
from stages import threads
from stages.code_digest import code_digest
from stages.folders import MODELS


@contextmanager
def trained_runs(system: str, *names: str) -> Iterator["Runs"]:
    """The runs of data/models/<system>/<names>, which appears whole when all are trained; then checkpoints go.

    After an error or a kill the checkpoints stay, and the next run of the stage goes on from them.

    Raises:
        InputError: a mistake in the sections `hardware` or `checkpoints`.
    """
    with new_folder(MODELS.joinpath(system, *names)) as partial:
        runs = Runs(partial, "-".join((system, *names)))
        yield runs
    remove_checkpoints(runs.checkpoints)


class Runs:
    """Runs of one stage, made by `trained_runs`.

    Attributes:
        folder: of all runs, under its temporary name.
        name: of the stage's model, in the names of checkpoints and in progress lines.
        checkpoints: the folders that the runs so far keep theirs in.
    """

    def __init__(self, folder: Path, name: str):
        self.folder, self.name, self.checkpoints = folder, name, list[Path]()
        self._hardware, self._checkpointing = load_hardware(), load_checkpointing()
        self._code_digest = code_digest()

    def run(self, seed: int, *parts: str) -> Run:
        """The run of one seed, whose model goes into <parts>/seed-<s>."""
        return Run(
            folder=self.folder.joinpath(*parts, f"{SEED_FOLDER}{seed}"),
            seed=seed,
            name="-".join((self.name, *parts)),
            threads=threads(),
            hardware=self._hardware,
            checkpointing=self._checkpointing,
            checkpoints=self.checkpoints,
            code_digest=self._code_digest,
        )
