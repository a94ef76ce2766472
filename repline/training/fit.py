"""One thin `fit` over PyTorch Lightning: seeds, device, threads, progress, early stopping, exact resume."""

import itertools
import logging
import shutil
import signal
import sys
import time
import warnings
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor, nn
from torch.optim import Optimizer
from torch.utils.data import DataLoader

from repline.errors import InputError, in_one_line
from repline.files import another_process, new_folder, write_json
from repline.parameters import JsonObject
from repline.pretrained import save_model
from repline.training.batches import Rest
from repline.training.half_precision import supported_kernels
from repline.training.history import History, Loss, Model, Record
from repline.training.recipes import AFTER_EPOCHS, ANY, Checkpointing, Hardware

if TYPE_CHECKING:
    from pytorch_lightning import Trainer

CHECKPOINT = "checkpoint.ckpt"


def fit(
    model: Model,
    loss: Loss[Model],
    training: DataLoader,
    *,
    epochs: int,
    learning_rate: float,
    seed: int,
    checkpoints: str | Path,
    validation: DataLoader | None = None,
    patience: int | None = None,
    optimizer: Callable[[Iterable[nn.Parameter], float], Optimizer] | None = None,
    gradient_clip: float | None = None,
    schedule: Callable[[Optimizer, History], None] | None = None,
    measure: Callable[[Model], Record] | None = None,
    until: Callable[[Record], bool] | None = None,
    highest: str | None = None,
    step_scale: Callable[[tuple[Tensor, ...]], float] | None = None,
    batches_per_turn: int = 1,
    threads: int = 1,
    hardware: Hardware = ANY,
    checkpointing: Checkpointing = AFTER_EPOCHS,
    name: str = "",
) -> History:
    """Train `model` in place, and return its history.

    A checkpoint is written after every epoch, and inside epochs as `checkpointing` says. When `checkpoints` holds one,
    training goes on from it and ends with the same weights, bit for bit, as an undisturbed run on the same machine:
    batches and dropout depend on the seed, the epoch and the place in it alone. The folder stays until the caller,
    having saved the model, removes it (`shutil.rmtree`).

    Args:
        model: trained in place.
        loss: (model, batch) -> scalar, the mean over the batch; or (scalar, weight) where batches do not count the
            same, as when the mean is over tokens and the weight is their number (also among processes); or
            (scalar, weight, {name: scalar}) with more means to write into the history. One that carries something from
            batch to batch has `state_dict` and `load_state_dict` (`repline.training.detached_state`).
        training, validation: as made by `repline.training.batches`.
        epochs: passes over the training data, at most.
        learning_rate: passed to the optimiser.
        checkpoints: a folder for this run alone; put `fingerprint(...)` in its name.
        patience: epochs without a better validation loss, or a higher number `highest`, before training stops; the
            weights of the best epoch are kept then. None: all epochs, weights of the last.
        optimizer: (parameters, learning rate) -> optimiser; Adam by default. One with `evaluated()` (see
            `repline.training.optimizers.averaged_sgd`) is validated, and its model returned, with other weights than
            it trains.
        gradient_clip: largest norm of the gradient; None for no clipping.
        schedule: called with the optimiser and the history after every epoch; it may change the learning rate of the
            parameter groups (`repline.training.optimizers.schedules`). It is to depend on its arguments alone, so that
            a resumed run does the same.
        measure: further numbers of an epoch for its record (`validation_loss` may be among them), from the model as
            it is after the epoch, without gradients and dropout.
        until: training stops after the first epoch of whose record this is true.
        highest: a number that `measure` gives; the weights of the epoch where it is highest are kept, the first of
            equal ones. None: as with `patience`.
        step_scale: (batch) -> a factor for the learning rate of this one step.
        batches_per_turn: batches that one turn of Lightning's loop takes, each with its own update: the same training,
            cheaper where a step takes little longer than a turn, about half a millisecond. With several processes
            it is 1.
        threads: of the CPU, per process.
        hardware: devices, precision and the like; the section `hardware` of params.yaml.
        checkpointing: how often a checkpoint is written inside an epoch; it changes no result.
        name: shown in progress lines.

    Returns:
        One record per epoch: `epoch`, `train_loss`, `validation_loss` where there is validation data, with those of
        the loss's own names (`train_<name>`, `validation_<name>`), what `measure` gives, and with a schedule
        `learning_rate`, that of the epoch.

    Raises:
        ValueError: patience without a number to watch, a schedule without a validation loss, or a `step_scale` for
            batches taken together.
        InputError: this machine has no such hardware.
        FloatingPointError: the loss of an epoch is not finite.
        KeyboardInterrupt: Ctrl-C; the next run goes on from the last checkpoint.
    """
    # two thirds of what a training imports: stages that only read its settings or its models do without
    from pytorch_lightning.callbacks import Callback, EarlyStopping, ModelCheckpoint, TQDMProgressBar

    from repline.training.inside_epochs import CheckpointsInside
    from repline.training.objective import Objective, WholeCheckpoints

    if patience is not None and validation is None and highest is None:
        raise ValueError("early stopping needs validation data, or a number that is to be the highest")
    if schedule is not None and validation is None and measure is None:
        raise ValueError("a schedule needs validation data, or a measure that gives the validation loss")
    if batches_per_turn > 1 and step_scale is not None:
        raise ValueError("batches taken together have no learning rates of their own")
    if hardware.devices not in (1, "1"):
        batches_per_turn = 1  # the processes exchange gradients inside Lightning's own step
    torch.set_num_threads(threads)
    torch.set_float32_matmul_precision("high" if hardware.tf32 else "highest")
    torch.backends.cudnn.allow_tf32 = hardware.tf32
    torch.utils.deterministic.fill_uninitialized_memory = False  # type: ignore[attr-defined]  # a debugging aid that costs a third of the time
    checkpoints = Path(checkpoints)
    terminal = sys.stderr.isatty()
    objective = Objective(model, loss, learning_rate, optimizer, seed, None if terminal else _EpochLines(name, epochs))
    objective.schedule, objective.step_scale = schedule, step_scale
    objective.measure, objective.until, objective.highest = measure, until, highest
    resume, epochs_done, batches_done = _readable(checkpoints / CHECKPOINT)
    if epochs_done and hasattr(training.sampler, "set_epoch"):
        training.sampler.set_epoch(epochs_done)  # Lightning does, but after it has asked for the first batch
    loader: Any = Rest(training, batches_done) if batches_done else training
    if batches_per_turn > 1:
        objective.automatic_optimization, objective.gradient_clip = False, gradient_clip
        objective.batches_per_turn = batches_per_turn
        loader = _Turns(loader, batches_per_turn)
    last = ModelCheckpoint(checkpoints, CHECKPOINT.removesuffix(".ckpt"), save_top_k=1, enable_version_counter=False)
    callbacks: list[Callback] = [TQDMProgressBar()] if terminal else []
    best = None
    monitor, mode = (highest, "max") if highest else ("validation_loss", "min")
    if patience is not None:
        callbacks += [EarlyStopping(monitor, patience=patience, mode=mode)]
    if patience is not None or highest is not None:
        best = ModelCheckpoint(checkpoints, "best", monitor=monitor, mode=mode, enable_version_counter=False)
        callbacks += [best]
    if checkpointing != AFTER_EPOCHS:
        often = checkpointing.minutes, checkpointing.steps
        callbacks += [CheckpointsInside(checkpoints / CHECKPOINT, *often, batches_per_turn)]
    callbacks += [last]  # which holds what the others know of the epoch
    with _quiet():
        trainer = _trainer(
            hardware,
            max_epochs=epochs,
            callbacks=callbacks,
            gradient_clip_val=gradient_clip if batches_per_turn == 1 else None,
            use_distributed_sampler=False,
            num_sanity_val_steps=0,
            logger=False,
            enable_model_summary=False,
            enable_progress_bar=terminal,
            default_root_dir=checkpoints,
            plugins=[WholeCheckpoints()],
        )
        on_interrupt = signal.getsignal(signal.SIGINT)
        model.train()  # Lightning trains a model in the mode it finds it in, and without dropout after an evaluation
        if hardware.compile:
            model.compile()
        try:
            with supported_kernels(hardware.precision, trainer.strategy.root_device):
                trainer.fit(objective, loader, validation, ckpt_path=resume, weights_only=True)
        except SystemExit:
            if not trainer.interrupted:
                raise
            signal.signal(signal.SIGINT, on_interrupt)
            raise KeyboardInterrupt from None  # which Lightning turned into an exit
        finally:
            model._compiled_call_impl = None  # evaluation runs the model as it is written
    best_checkpoint = best.best_model_path if best is not None else None
    if best_checkpoint or objective.averaged():
        checkpoint = torch.load(best_checkpoint or checkpoints / CHECKPOINT, weights_only=True, map_location="cpu")
        objective.load_state_dict(checkpoint.get("evaluated", checkpoint["state_dict"]))
    trainer.strategy.barrier()  # the caller may remove the checkpoints as soon as the last process has read them
    model.eval()
    return objective.history


def save_trained(model: nn.Module, folder: str | Path, history: History, settings: JsonObject, **more: Any) -> None:
    """Write a model with the record of its training: config.json, model.safetensors, training.json.

    Args:
        folder: replaces what was there.
        history: of `fit`.
        settings: what the training depended on.
        more: further entries of training.json, apart from `history`, `settings` and `parameters`, their number.
    """
    with new_folder(folder) as partial:
        save_model(model, partial)
        record = {"history": history, "settings": dict(settings)} | more
        record["parameters"] = sum(parameter.numel() for parameter in model.parameters())
        write_json(partial / "training.json", record)


class _Turns:
    """A loader's batches in lists of `size`, the last of an epoch being shorter."""

    def __init__(self, loader: DataLoader, size: int):
        self.loader, self.size, self.sampler = loader, size, loader.sampler  # whose epoch Lightning sets

    def __len__(self) -> int:
        return -(-len(self.loader) // self.size)

    def __iter__(self) -> Iterator[list[tuple[Tensor, ...]]]:
        batches = iter(self.loader)
        while group := list(itertools.islice(batches, self.size)):
            yield group


class _EpochLines:
    """A line every few seconds, for logs."""

    def __init__(self, name: str, epochs: int, every: float = 5.0):
        self.name, self.epochs, self.every, self.shown = name, epochs, every, time.monotonic()

    def __call__(self, record: dict[str, float]) -> None:
        now = time.monotonic()
        if now - self.shown >= self.every or record["epoch"] == self.epochs:
            self.shown = now
            losses = ", ".join(f"{key} {value:.4f}" for key, value in record.items() if key != "epoch")
            if not another_process():
                print(f"{self.name} epoch {record['epoch']}/{self.epochs}: {losses}", flush=True)


def _readable(checkpoint: Path) -> tuple[Path | None, int, int]:
    """The checkpoint, its epochs, and the batches of the epoch that it is inside of, if there is a whole one.

    A broken one is removed, and training starts again.
    """
    if not checkpoint.exists():
        return None, 0, 0
    try:
        saved = torch.load(checkpoint, weights_only=True, map_location="cpu")
        epochs_done, batches = len(saved["history"]), saved["under_way"][0]["batches"] if "under_way" in saved else 0
    except Exception as error:
        print(f"{checkpoint} cannot be read ({type(error).__name__}); training starts again", file=sys.stderr)
        shutil.rmtree(checkpoint.parent)
        return None, 0, 0
    return checkpoint, epochs_done, batches


def _trainer(hardware: Hardware, **options: Any) -> "Trainer":
    """A trainer of Lightning on what `hardware` names; InputError where this machine does not have it."""
    from pytorch_lightning import Trainer
    from pytorch_lightning.strategies import DDPStrategy
    from pytorch_lightning.utilities.exceptions import MisconfigurationException

    try:
        trainer = Trainer(
            accelerator=hardware.accelerator,
            devices=hardware.devices,
            strategy=hardware.strategy,
            precision=hardware.precision,
            deterministic="warn" if hardware.deterministic else False,
            **options,
        )
    except (MisconfigurationException, ModuleNotFoundError, ValueError) as error:
        named = f"accelerator {hardware.accelerator}, devices {hardware.devices}, strategy {hardware.strategy}"
        raise InputError(
            f"hardware: {named}: this machine cannot do so ({in_one_line(error)}); accelerator auto takes what there is"
        ) from None
    if isinstance(trainer.strategy, DDPStrategy):  # also what "auto" chose
        # a share of a batch may need fewer weights, as one without brackets does
        trainer.strategy._ddp_kwargs.setdefault("find_unused_parameters", True)
    return trainer


class _quiet:
    """Lightning's advertisements and its advice about worker processes say nothing about this run."""

    def __enter__(self) -> None:
        self.loggers = [
            logging.getLogger(name) for name in ("pytorch_lightning", "lightning.pytorch", "lightning_fabric")
        ]
        self.levels = [logger.level for logger in self.loggers]
        for logger in self.loggers:
            logger.setLevel(logging.ERROR)
        self.filters = warnings.catch_warnings()
        self.filters.__enter__()
        warnings.filterwarnings("ignore", module="pytorch_lightning|lightning_fabric|torch")

    def __exit__(self, *raised: Any) -> None:
        self.filters.__exit__(*raised)
        for logger, level in zip(self.loggers, self.levels, strict=True):
            logger.setLevel(level)
