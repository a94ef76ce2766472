"""One thin `fit` over PyTorch Lightning: seeds, device, threads, progress, early stopping, exact resume."""

import hashlib
import inspect
import itertools
import json
import logging
import shutil
import signal
import sys
import time
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytorch_lightning as lightning
import torch
from pytorch_lightning.callbacks import Callback, EarlyStopping, ModelCheckpoint, TQDMProgressBar
from pytorch_lightning.plugins.io import TorchCheckpointIO
from torch import Tensor, nn
from torch.optim import Optimizer
from torch.optim.lr_scheduler import ReduceLROnPlateau
from torch.utils.data import DataLoader

from repline.files import new_file

Loss = Callable[[nn.Module, tuple[Tensor, ...]], Tensor]
Record = dict[str, float]
CHECKPOINT = "checkpoint.ckpt"


def fit(
    model: nn.Module,
    loss: Loss,
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
    schedule: Callable[[Optimizer], ReduceLROnPlateau] | None = None,
    measure: Callable[[nn.Module], Record] | None = None,
    until: Callable[[Record], bool] | None = None,
    together: int = 1,
    threads: int = 1,
    accelerator: str = "auto",
    devices: int | str = 1,
    strategy: str = "auto",
    name: str = "",
) -> list[Record]:
    """Train `model` in place, and return its history.

    A checkpoint is written after every epoch. When `checkpoints` holds one, training goes on from it and ends with
    the same weights, bit for bit, as an undisturbed run on the same machine: batches and dropout depend on the seed
    and the epoch alone. The folder stays until the caller, having saved the model, removes it (`shutil.rmtree`).

    Args:
        model: trained in place.
        loss: (model, batch) -> scalar, the mean over the batch.
        training, validation: as made by `repline.training.batches`.
        epochs: passes over the training data, at most.
        learning_rate: passed to the optimiser.
        checkpoints: a folder for this run alone; put `fingerprint(...)` in its name.
        patience: epochs without a better validation loss before training stops; the weights of the best epoch are
            kept then. None: all epochs, weights of the last.
        optimizer: (parameters, learning rate) -> optimiser; Adam by default.
        gradient_clip: largest norm of the gradient; None for no clipping.
        schedule: optimiser -> schedule of its learning rate, stepped with the validation loss after every epoch.
        measure: further numbers of an epoch for its record (`validation_loss` may be among them), from the model as
            it is after the epoch, without gradients and dropout.
        until: training stops after the first epoch of whose record this is true.
        together: batches that one turn of Lightning's loop takes, each with its own update: the same training, cheaper
            where a step takes no longer than a turn (about half a millisecond). With several processes it is 1.
        threads: of the CPU, per process.
        accelerator, devices, strategy: as Lightning names them ("cpu", 2, "ddp").
        name: shown in progress lines.

    Returns:
        One record per epoch: `epoch`, `train_loss`, `validation_loss` where there is validation data, what `measure`
        gives, and with a schedule `learning_rate`, that of the epoch.

    Raises:
        ValueError: patience without validation data, a schedule without a validation loss.
        FloatingPointError: the loss of an epoch is not finite.
        KeyboardInterrupt: Ctrl-C; the next run goes on from the last checkpoint.
    """
    if patience is not None and validation is None:
        raise ValueError("early stopping needs validation data")
    if schedule is not None and validation is None and measure is None:
        raise ValueError("a schedule needs validation data, or a measure that gives the validation loss")
    if devices not in (1, "1"):
        together = 1  # the processes exchange gradients inside Lightning's own step
    torch.set_num_threads(threads)
    torch.utils.deterministic.fill_uninitialized_memory = False  # a debugging aid that costs a third of the time
    checkpoints = Path(checkpoints)
    terminal = sys.stderr.isatty()
    progress = None if terminal else _EpochLines(name, epochs)
    last = ModelCheckpoint(checkpoints, CHECKPOINT.removesuffix(".ckpt"), save_top_k=1, enable_version_counter=False)
    callbacks: list[Callback] = [last] + ([TQDMProgressBar()] if terminal else [])
    best = None
    if patience is not None:
        best = ModelCheckpoint(checkpoints, "best", monitor="validation_loss", enable_version_counter=False)
        callbacks += [best, EarlyStopping("validation_loss", patience=patience)]
    with _quiet():
        trainer = lightning.Trainer(
            max_epochs=epochs,
            accelerator=accelerator,
            devices=devices,
            strategy=strategy,
            callbacks=callbacks,
            gradient_clip_val=gradient_clip if together == 1 else None,
            deterministic="warn",
            use_distributed_sampler=False,
            num_sanity_val_steps=0,
            logger=False,
            enable_model_summary=False,
            enable_progress_bar=terminal,
            default_root_dir=checkpoints,
            plugins=[_WholeCheckpoints()],
        )
        objective = _Objective(model, loss, learning_rate, optimizer, schedule, measure, until, seed, progress)
        if together > 1:
            objective.automatic_optimization, objective.gradient_clip = False, gradient_clip
            training = _Together(training, together)
        resume = _readable(checkpoints / CHECKPOINT)
        on_interrupt = signal.getsignal(signal.SIGINT)
        try:
            trainer.fit(objective, training, validation, ckpt_path=resume, weights_only=True)
        except SystemExit:
            if not trainer.interrupted:
                raise
            signal.signal(signal.SIGINT, on_interrupt)
            raise KeyboardInterrupt from None  # which Lightning turned into an exit
    if best is not None and best.best_model_path:
        objective.load_state_dict(torch.load(best.best_model_path, weights_only=True)["state_dict"])
    model.eval()
    return objective.history


def fingerprint(model: nn.Module, settings: Mapping[str, Any], data: Iterable[Tensor] = ()) -> str:
    """16 hex digits that change with the model's code and shapes, the settings and the data.

    A checkpoint folder named by it is never resumed by a run with other parameters.
    """
    digest = hashlib.sha256(json.dumps(settings, sort_keys=True, default=str).encode())
    digest.update(Path(inspect.getfile(type(model))).read_bytes())
    digest.update(repr([(key, tuple(value.shape)) for key, value in model.state_dict().items()]).encode())
    for tensor in data:
        digest.update(tensor.contiguous().numpy().tobytes())
    return digest.hexdigest()[:16]


class _Objective(lightning.LightningModule):
    def __init__(
        self,
        model: nn.Module,
        loss: Loss,
        learning_rate: float,
        optimizer: Callable[[Iterable[nn.Parameter], float], Optimizer] | None,
        schedule: Callable[[Optimizer], ReduceLROnPlateau] | None,
        measure: Callable[[nn.Module], Record] | None,
        until: Callable[[Record], bool] | None,
        seed: int,
        progress: Callable[[Record], None] | None,
    ):
        super().__init__()
        self.model, self.loss, self.learning_rate, self.optimizer = model, loss, learning_rate, optimizer
        self.schedule, self.measure, self.until = schedule, measure, until
        self.seed, self.progress = seed, progress
        self.history: list[Record] = []
        self.gradient_clip: float | None = None
        self._sums: dict[str, list[Tensor]] = {"train": [], "validation": []}
        self._scheduler: ReduceLROnPlateau | None = None
        self._scheduler_state: dict[str, Any] | None = None

    def configure_optimizers(self) -> Optimizer:
        optimizer = (self.optimizer or torch.optim.Adam)(self.model.parameters(), self.learning_rate)
        if self.schedule is not None:  # stepped here: Lightning would do so after the checkpoint of the epoch
            self._scheduler = self.schedule(optimizer)
            if self._scheduler_state is not None:
                self._scheduler.load_state_dict(self._scheduler_state)
        return optimizer

    def on_train_start(self) -> None:
        if self.until is not None and self.history and self.until(self.history[-1]):
            self.trainer.should_stop = True  # it ended so, and was killed before its model was saved

    def on_train_epoch_start(self) -> None:
        torch.manual_seed((self.seed * 1_000_003 + self.current_epoch) * 131 + self.global_rank)

    def training_step(self, batch: tuple[Tensor, ...] | list[tuple[Tensor, ...]], _: int) -> Tensor | None:
        if not self.automatic_optimization:
            return self._steps(batch)
        loss = self.loss(self.model, batch)
        self._sums["train"].append(loss.detach())
        return loss

    def _steps(self, batches: list[tuple[Tensor, ...]]) -> None:
        counted = self.optimizers()  # a step by it moves Lightning's counter, without which no checkpoint is written
        for number, batch in enumerate(batches, 1):
            counted.optimizer.zero_grad()
            loss = self.loss(self.model, batch)
            loss.backward()
            if self.gradient_clip is not None:
                nn.utils.clip_grad_norm_(self.model.parameters(), self.gradient_clip)
            (counted if number == len(batches) else counted.optimizer).step()
            self._sums["train"].append(loss.detach())

    def validation_step(self, batch: tuple[Tensor, ...], _: int) -> None:
        loss = self.loss(self.model, batch).detach()
        self._sums["validation"].append(loss)
        self.log("validation_loss", loss, batch_size=len(batch[0]), sync_dist=True)

    def on_train_epoch_end(self) -> None:
        record = {"epoch": self.current_epoch + 1}
        for part, losses in self._sums.items():
            if losses:
                record[f"{part}_loss"] = float(torch.stack(losses).mean())
                losses.clear()
        if self.measure is not None:
            record |= self._measured()
        if not all(map(_finite, record.values())):
            raise FloatingPointError(
                f"the loss of epoch {record['epoch']} is not finite: {record}; lower the learning rate"
            )
        if self._scheduler is not None:
            record["learning_rate"] = self._scheduler.optimizer.param_groups[0]["lr"]
            self._scheduler.step(record["validation_loss"])
        self.history.append(record)
        if self.until is not None and self.until(record):
            self.trainer.should_stop = True
        if self.progress is not None and self.trainer.is_global_zero:
            self.progress(record)

    def on_save_checkpoint(self, checkpoint: dict[str, Any]) -> None:
        checkpoint["history"] = self.history
        if self._scheduler is not None:
            checkpoint["schedule"] = self._scheduler.state_dict()

    def on_load_checkpoint(self, checkpoint: dict[str, Any]) -> None:
        self.history = list(checkpoint["history"])
        self._scheduler_state = checkpoint.get("schedule")

    def _measured(self) -> Record:
        self.model.eval()
        with torch.no_grad():
            measured = self.measure(self.model)
        self.model.train()
        return measured


class _Together:
    """A loader's batches in lists of `size`, the last of an epoch being shorter."""

    def __init__(self, loader: DataLoader, size: int):
        self.loader, self.size, self.sampler = loader, size, loader.sampler  # whose epoch Lightning sets

    def __len__(self) -> int:
        return -(-len(self.loader) // self.size)

    def __iter__(self) -> Iterator[list[tuple[Tensor, ...]]]:
        batches = iter(self.loader)
        while group := list(itertools.islice(batches, self.size)):
            yield group


class _WholeCheckpoints(TorchCheckpointIO):
    """Lightning writes to the system's temporary folder and moves: a copy, when that is on another disk."""

    def save_checkpoint(
        self, checkpoint: dict[str, Any], path: str | Path, storage_options: dict[str, Any] | None = None
    ) -> None:
        with new_file(path) as partial, open(partial, "wb") as file:
            torch.save(checkpoint, file)


class _EpochLines:
    """A line every few seconds, for logs."""

    def __init__(self, name: str, epochs: int, every: float = 5.0):
        self.name, self.epochs, self.every, self.shown = name, epochs, every, time.monotonic()

    def __call__(self, record: Record) -> None:
        now = time.monotonic()
        if now - self.shown >= self.every or record["epoch"] == self.epochs:
            self.shown = now
            losses = ", ".join(f"{key} {value:.4f}" for key, value in record.items() if key != "epoch")
            print(f"{self.name} epoch {record['epoch']}/{self.epochs}: {losses}", flush=True)


def _finite(value: float) -> bool:
    return value == value and abs(value) != float("inf")


def _readable(checkpoint: Path) -> Path | None:
    """The checkpoint, if there is a whole one; a broken one is removed and training starts again."""
    if not checkpoint.exists():
        return None
    try:
        torch.load(checkpoint, weights_only=True, map_location="cpu")
    except Exception as error:
        print(f"{checkpoint} cannot be read ({type(error).__name__}); training starts again", file=sys.stderr)
        shutil.rmtree(checkpoint.parent)
        return None
    return checkpoint


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

    def __exit__(self, *raised: object) -> None:
        self.filters.__exit__(*raised)
        for logger, level in zip(self.loggers, self.levels, strict=True):
            logger.setLevel(level)
