"""One thin `fit` over PyTorch Lightning: seeds, device, threads, progress, early stopping, exact resume."""

import hashlib
import inspect
import json
import logging
import shutil
import signal
import sys
import time
import warnings
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

import pytorch_lightning as lightning
import torch
from pytorch_lightning.callbacks import Callback, EarlyStopping, ModelCheckpoint, TQDMProgressBar
from pytorch_lightning.plugins.io import TorchCheckpointIO
from torch import Tensor, nn
from torch.optim import Optimizer
from torch.utils.data import DataLoader

from repline.files import new_file

Loss = Callable[[nn.Module, tuple[Tensor, ...]], Tensor | tuple[Any, ...]]
Record = dict[str, float]
History = list[Record]
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
    schedule: Callable[[Optimizer, History], None] | None = None,
    measure: Callable[[nn.Module], Record] | None = None,
    until: Callable[[Record], bool] | None = None,
    step_scale: Callable[[tuple[Tensor, ...]], float] | None = None,
    threads: int = 1,
    accelerator: str = "auto",
    devices: int | str = 1,
    strategy: str = "auto",
    name: str = "",
) -> History:
    """Train `model` in place, and return its history.

    A checkpoint is written after every epoch. When `checkpoints` holds one, training goes on from it and ends with
    the same weights, bit for bit, as an undisturbed run on the same machine: batches and dropout depend on the seed
    and the epoch alone. The folder stays until the caller, having saved the model, removes it (`shutil.rmtree`).

    Args:
        model: trained in place.
        loss: (model, batch) -> scalar, the mean over the batch; or (scalar, weight) where batches do not count the
            same, as when the mean is over tokens and the weight is their number (also among processes); or
            (scalar, weight, {name: scalar}) with more means to write into the history.
        training, validation: as made by `repline.training.batches`.
        epochs: passes over the training data, at most.
        learning_rate: passed to the optimiser.
        checkpoints: a folder for this run alone; put `fingerprint(...)` in its name.
        patience: epochs without a better validation loss before training stops; the weights of the best epoch are
            kept then. None: all epochs, weights of the last.
        optimizer: (parameters, learning rate) -> optimiser; Adam by default. One with `evaluated()` (see
            `repline.training.averaged_sgd`) is validated, and its model returned, with other weights than it trains.
        gradient_clip: largest norm of the gradient; None for no clipping.
        schedule: called with the optimiser and the history after every epoch; it may change the learning rate of the
            parameter groups (`repline.training.schedules`). It is to depend on its arguments alone, so that a resumed
            run does the same.
        measure: further numbers of an epoch for its record (`validation_loss` may be among them), from the model as
            it is after the epoch, without gradients and dropout.
        until: training stops after the first epoch of whose record this is true.
        step_scale: (batch) -> a factor for the learning rate of this one step.
        threads: of the CPU, per process.
        accelerator, devices, strategy: as Lightning names them ("cpu", 2, "ddp").
        name: shown in progress lines.

    Returns:
        One record per epoch: `epoch`, `train_loss`, `validation_loss` where there is validation data, with those of
        the loss's own names (`train_<name>`, `validation_<name>`), what `measure` gives, and with a schedule
        `learning_rate`, that of the epoch.

    Raises:
        ValueError: patience or a schedule without a validation loss.
        FloatingPointError: the loss of an epoch is not finite.
        KeyboardInterrupt: Ctrl-C; the next run goes on from the last checkpoint.
    """
    if patience is not None and validation is None:
        raise ValueError("early stopping needs validation data")
    if schedule is not None and validation is None and measure is None:
        raise ValueError("a schedule needs validation data, or a measure that gives the validation loss")
    torch.set_num_threads(threads)
    torch.utils.deterministic.fill_uninitialized_memory = False  # a debugging aid that costs a third of the time
    checkpoints = Path(checkpoints)
    terminal = sys.stderr.isatty()
    objective = _Objective(model, loss, learning_rate, optimizer, seed, None if terminal else _EpochLines(name, epochs))
    objective.schedule, objective.step_scale = schedule, step_scale
    objective.measure, objective.until = measure, until
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
            gradient_clip_val=gradient_clip,
            deterministic="warn",
            use_distributed_sampler=False,
            num_sanity_val_steps=0,
            logger=False,
            enable_model_summary=False,
            enable_progress_bar=terminal,
            default_root_dir=checkpoints,
            plugins=[_WholeCheckpoints()],
        )
        resume, done = _readable(checkpoints / CHECKPOINT)
        if done and hasattr(training.sampler, "set_epoch"):
            training.sampler.set_epoch(done)  # Lightning does, but after it has asked for the first batch
        on_interrupt = signal.getsignal(signal.SIGINT)
        try:
            trainer.fit(objective, training, validation, ckpt_path=resume, weights_only=True)
        except SystemExit:
            if not trainer.interrupted:
                raise
            signal.signal(signal.SIGINT, on_interrupt)
            raise KeyboardInterrupt from None  # which Lightning turned into an exit
    kept = best.best_model_path if best is not None else None
    if kept or objective.averaged():
        checkpoint = torch.load(kept or checkpoints / CHECKPOINT, weights_only=True, map_location="cpu")
        objective.load_state_dict(checkpoint.get("evaluated", checkpoint["state_dict"]))
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
        seed: int,
        progress: Callable[[dict[str, float]], None] | None,
    ):
        super().__init__()
        self.model, self.loss, self.learning_rate, self.optimizer = model, loss, learning_rate, optimizer
        self.seed, self.progress = seed, progress
        self.schedule: Callable[[Optimizer, History], None] | None = None
        self.measure: Callable[[nn.Module], Record] | None = None
        self.until: Callable[[Record], bool] | None = None
        self.step_scale: Callable[[tuple[Tensor, ...]], float] | None = None
        self.history: History = []
        self._losses: dict[str, list[Tensor]] = {"train": [], "validation": []}  # of batches without weights
        self._sums: dict[str, dict[str, Tensor]] = {"train": {}, "validation": {}}  # over those that have them
        self._validated: dict[str, float] = {}
        self._scale = 1.0

    def configure_optimizers(self) -> Optimizer:
        make = self.optimizer or torch.optim.Adam
        return make(self.model.parameters(), self.learning_rate)

    def on_train_epoch_start(self) -> None:
        torch.manual_seed((self.seed * 1_000_003 + self.current_epoch) * 131 + self.global_rank)

    def on_train_start(self) -> None:
        waits = [callback for callback in self.trainer.callbacks if isinstance(callback, EarlyStopping)]
        ended = any(callback.wait_count >= callback.patience for callback in waits)
        if ended or (self.history and self._reached()):  # killed after the last epoch of a run that ends early
            self.trainer.should_stop = True

    def on_train_batch_start(self, batch: tuple[Tensor, ...], _: int) -> None:
        if self.step_scale is not None:
            self._scale = self.step_scale(batch)

    def optimizer_step(self, epoch, batch_idx, optimizer, optimizer_closure=None) -> None:
        rates = [group["lr"] for group in optimizer.param_groups]
        for group in optimizer.param_groups:
            group["lr"] *= self._scale
        super().optimizer_step(epoch, batch_idx, optimizer, optimizer_closure)
        for group, rate in zip(optimizer.param_groups, rates, strict=True):
            group["lr"] = rate

    def training_step(self, batch: tuple[Tensor, ...], _: int) -> Tensor:
        loss = self.loss(self.model, batch)
        if isinstance(loss, Tensor):
            self._losses["train"].append(loss.detach())
            return loss
        self._add("train", *loss)
        loss, weight = loss[:2]
        if self.trainer.world_size == 1:
            return loss
        everywhere = self.trainer.strategy.reduce(torch.as_tensor(weight, device=loss.device).double(), reduce_op="sum")
        return loss * (weight * self.trainer.world_size / everywhere)

    def validation_step(self, batch: tuple[Tensor, ...], _: int) -> None:
        loss = self.loss(self.model, batch)
        if isinstance(loss, Tensor):
            loss = loss.detach()
            self._losses["validation"].append(loss)
            self.log("validation_loss", loss, batch_size=len(batch[0]), sync_dist=True)
        else:
            self._add("validation", *loss)

    def on_validation_start(self) -> None:
        self._swap()

    def on_validation_epoch_end(self) -> None:
        self._validated = self._means("validation")
        if not self._losses["validation"]:
            self.log("validation_loss", torch.tensor(self._validated["validation_loss"], dtype=torch.float64))

    def on_validation_end(self) -> None:
        self._swap()

    def on_train_epoch_end(self) -> None:
        record = {"epoch": self.current_epoch + 1} | self._means("train") | self._validated
        if self.measure is not None:
            record |= self._measured()
        if not all(map(_finite, record.values())):
            raise FloatingPointError(
                f"the loss of epoch {record['epoch']} is not finite: {record}; lower the learning rate"
            )
        if self.schedule is not None:
            record["learning_rate"] = self.trainer.optimizers[0].param_groups[0]["lr"]
        self.history.append(record)
        if self.schedule is not None:
            self.schedule(self.trainer.optimizers[0], self.history)
        if self._reached():
            self.trainer.should_stop = True
        if self.progress is not None and self.trainer.is_global_zero:
            self.progress(record)

    def on_save_checkpoint(self, checkpoint: dict[str, Any]) -> None:
        checkpoint["history"] = self.history
        if self.averaged():
            self._swap()
            checkpoint["evaluated"] = {key: value.detach().clone() for key, value in self.state_dict().items()}
            self._swap()

    def on_load_checkpoint(self, checkpoint: dict[str, Any]) -> None:
        self.history = list(checkpoint["history"])

    def averaged(self) -> bool:
        """Whether the weights to evaluate are others than those in training."""
        return bool(getattr(self.trainer.optimizers[0], "averaging", False))

    def _reached(self) -> bool:
        return self.until is not None and self.until(self.history[-1])

    def _measured(self) -> Record:
        self._swap()
        self.model.eval()
        with torch.no_grad():
            measured = self.measure(self.model)
        self.model.train()
        self._swap()
        return measured

    def _swap(self) -> None:
        if self.averaged():
            self.trainer.optimizers[0].swap()

    def _add(self, part: str, loss: Tensor, weight: float | Tensor, more: Mapping[str, Tensor] | None = None) -> None:
        sums = self._sums[part]
        for name, value in ({"weight": 1.0, "loss": loss.detach()} | dict(more or {})).items():
            value = torch.as_tensor(value, device=loss.device).detach().double() * weight
            sums[name] = sums[name] + value if name in sums else value

    def _means(self, part: str) -> dict[str, float]:
        """The means of an epoch: over batches, or, where these have weights, over all that they weigh."""
        losses, sums = self._losses[part], self._sums[part]
        if losses:
            means = {f"{part}_loss": float(torch.stack(losses).mean())}
            losses.clear()
            return means
        sums = {name: self.trainer.strategy.reduce(value, reduce_op="sum") for name, value in sums.items()}
        weight = sums.pop("weight", None)
        self._sums[part] = {}
        return {f"{part}_{name}": float(value / weight) for name, value in sums.items()}


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

    def __call__(self, record: dict[str, float]) -> None:
        now = time.monotonic()
        if now - self.shown >= self.every or record["epoch"] == self.epochs:
            self.shown = now
            losses = ", ".join(f"{key} {value:.4f}" for key, value in record.items() if key != "epoch")
            print(f"{self.name} epoch {record['epoch']}/{self.epochs}: {losses}", flush=True)


def _finite(value: float) -> bool:
    return value == value and abs(value) != float("inf")


def _readable(checkpoint: Path) -> tuple[Path | None, int]:
    """The checkpoint and its epochs, if there is a whole one; a broken one is removed and training starts again."""
    if not checkpoint.exists():
        return None, 0
    try:
        done = len(torch.load(checkpoint, weights_only=True, map_location="cpu")["history"])
    except Exception as error:
        print(f"{checkpoint} cannot be read ({type(error).__name__}); training starts again", file=sys.stderr)
        shutil.rmtree(checkpoint.parent)
        return None, 0
    return checkpoint, done


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
