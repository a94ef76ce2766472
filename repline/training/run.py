"""One training from recipe to saved model: its fingerprint, checkpoints, `fit`, and the record next to the model."""

import shutil
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn
from torch.utils.data import DataLoader

from repline.errors import InputError
from repline.files import another_process
from repline.parameters import JsonObject
from repline.training.fingerprint import fingerprint
from repline.training.fit import fit, save_trained
from repline.training.history import History, Loss, Model
from repline.training.recipes import AFTER_EPOCHS, ANY, Checkpointing, Hardware, Recipe, overlaid_hardware
from repline.training.run_folders import SEED_FOLDER as SEED_FOLDER
from repline.training.run_folders import runs as runs

SCRATCH = Path("data/scratch")


@dataclass
class Run:
    """One training of a recipe: its seed, where the model is saved, and what it runs on.

    Attributes:
        folder: of the saved model; replaces what was there.
        seed: of weights, batches and dropout.
        name: unique among the runs that share `scratch`; it is in the names of checkpoints and in progress lines.
        scratch: checkpoints go to a folder in it, named by everything that the result depends on.
        threads: of the CPU, per process.
        hardware: what a recipe does not set for itself.
        checkpointing: how often inside an epoch.
        checkpoints: the folders of this run's checkpoints. They are to be removed once the model is where it belongs.
        code_digest: of all code that the training can reach; None: it is looked up, see `fingerprint`.
    """

    folder: Path
    seed: int = 0
    name: str = "training"
    scratch: Path = SCRATCH
    threads: int = 1
    hardware: Hardware = ANY
    checkpointing: Checkpointing = AFTER_EPOCHS
    checkpoints: list[Path] = field(default_factory=list)
    code_digest: str | None = None

    @property
    def title(self) -> str:
        """The run in progress lines."""
        return f"{self.name}-{self.seed}"

    def checkpoint_folder(self, mark: str, part: str = "") -> Path:
        """A folder for the checkpoints of one `fit`, added to `checkpoints`.

        Args:
            mark: its `fingerprint`.
            part: of a run that calls `fit` several times.
        """
        folder = Path(self.scratch) / "-".join(filter(None, (self.title, part, mark)))
        self.checkpoints.append(folder)
        return folder

    def hardware_for(self, recipe: Recipe) -> Hardware:
        """The device and processes that a recipe is trained on here."""
        return overlaid_hardware(self.hardware, recipe.hardware)


def run(
    model: Model,
    loss: Loss[Model],
    training: DataLoader,
    recipe: Recipe,
    this_run: Run,
    *,
    data: Iterable[Any] = (),
    settings: JsonObject | None = None,
    records: Callable[[History], JsonObject] | None = None,
    train: Callable[..., History] = fit,
    saved: nn.Module | None = None,
    **fitting: Any,
) -> History:
    """Train `model` as a recipe says, and save it with the record of its training.

    A run that was killed goes on from its last checkpoint. A change of the recipe, the settings, the data or the code
    starts a new one.

    Args:
        model: trained in place.
        loss: as of `repline.training.fit.fit`.
        training: batches, as made by `repline.training.batches`.
        recipe: how long, how fast, on what.
        this_run: the seed and the folders.
        data: tensors and arrays that the result depends on; the weights that training begins with are added.
        settings: what the result depends on apart from seed, recipe and data; recorded in training.json.
        records: the history -> further entries of training.json.
        train: what trains; it takes what `fit` takes.
        saved: the part of `model` that is saved; None for all of it.
        fitting: further arguments of `train`, as `validation`, `measure` or `batches_per_turn`.

    Returns:
        One record per epoch, see `repline.training.fit.fit`.

    Raises:
        FloatingPointError: the loss of an epoch is not finite.
        InputError: the recipe has a patience, but nothing is measured on a development part.
        KeyboardInterrupt: Ctrl-C; the next run goes on from the last checkpoint.
    """
    record = {"seed": this_run.seed} | dict(settings or {}) | recipe.record()
    hardware = this_run.hardware_for(recipe)
    mark = fingerprint(
        model,
        record | {"threads": this_run.threads},
        (*first_weights(model), *data),
        loss=loss,
        others=[train, type(training.sampler), training.collate_fn, *filter(callable, fitting.values())],
        code_digest=this_run.code_digest,
        hardware=hardware,
    )
    if recipe.patience is not None:
        if fitting.get("validation") is None and fitting.get("highest") is None:
            raise InputError(f"{this_run.name}: this training has no development part, so it takes no patience")
        fitting["patience"] = recipe.patience
    history = train(
        model,
        loss,
        training,
        epochs=recipe.epochs,
        learning_rate=recipe.learning_rate,
        gradient_clip=recipe.gradient_clip,
        seed=this_run.seed,
        checkpoints=this_run.checkpoint_folder(mark),
        threads=this_run.threads,
        hardware=hardware,
        checkpointing=this_run.checkpointing,
        name=this_run.title,
        **fitting,
    )
    save_trained(
        model if saved is None else saved, this_run.folder, history, record, **(records(history) if records else {})
    )
    return history


def first_weights(model: nn.Module) -> list[Tensor]:
    """The weights of a model in the order of their names, for a fingerprint."""
    return [value for _, value in sorted(model.state_dict().items())]


def remove_checkpoints(folders: Iterable[Path]) -> None:
    """Remove folders of checkpoints: the first of several processes does, when all have come here."""
    if torch.distributed.is_available() and torch.distributed.is_initialized():
        torch.distributed.barrier()
    if not another_process():
        for folder in folders:
            shutil.rmtree(folder, ignore_errors=True)
