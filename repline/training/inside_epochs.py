"""Checkpoints inside an epoch: when they are written, and what they hold apart from weights and optimiser.

At the end of an epoch nothing is under way. Inside it there are the batches that are done, the state of the random
numbers, the losses so far, and what the loss carries from batch to batch: of every process its own.
"""

import time
from pathlib import Path
from typing import Any, TypedDict

import pytorch_lightning as lightning
import torch
from pytorch_lightning.callbacks import Callback
from torch import Tensor

from repline.training.detached_state import moved
from repline.training.history import Loss

Losses = dict[str, list[tuple[Tensor, int]]]
Sums = dict[str, dict[str, Tensor]]


class CheckpointsInside(Callback):
    """Writes a checkpoint at the first end of a turn that is `minutes` or `steps` after the last one.

    Lightning's own callback looks at the clock only where a turn is one batch.

    Args:
        path: of the checkpoint, which the epoch's end replaces.
        minutes, steps: of `repline.training.recipes.Checkpointing`; steps are batches.
        batches_per_turn: batches in a turn.
    """

    def __init__(self, path: Path, minutes: float | None, steps: int | None, batches_per_turn: int):
        self.path, self.minutes, self.steps, self.batches_per_turn = path, minutes, steps, batches_per_turn
        self.batches_done, self.began = 0, time.monotonic()

    def on_train_start(self, trainer: lightning.Trainer, module: lightning.LightningModule) -> None:
        self.batches_done, self.began = 0, time.monotonic()

    def on_train_batch_end(self, trainer: lightning.Trainer, module: lightning.LightningModule, *_: Any) -> None:
        self.batches_done += self.batches_per_turn
        if trainer.fit_loop.epoch_loop.batch_progress.is_last_batch:
            return  # the epoch's own checkpoint comes next, after validation
        due = self.steps is not None and self.batches_done >= self.steps
        if self.minutes is not None:  # the clocks of several processes differ
            due = trainer.strategy.broadcast(due or time.monotonic() - self.began >= 60 * self.minutes)
        if due:
            trainer.save_checkpoint(self.path)

    def on_save_checkpoint(self, trainer: lightning.Trainer, module: lightning.LightningModule, _: Any) -> None:
        self.batches_done, self.began = 0, time.monotonic()


class UnderWay(TypedDict):
    """What a process is in the middle of, as a checkpoint inside an epoch holds it."""

    together: int
    batches: int
    random: Tensor
    random_of_device: Tensor | None
    losses: Tensor | None
    rows: list[int]
    sums: dict[str, Tensor]
    loss: Any


def under_way(
    trainer: lightning.Trainer, batches_per_turn: int, loss: Loss[Any], losses: Losses, sums: Sums
) -> list[UnderWay]:
    """The state of each process inside an epoch, in their order; all processes call it. Tensors are on the CPU.

    Args:
        batches_per_turn: batches in a turn.
        loss: if it has a `state_dict`, that is saved.
        losses, sums: of the epoch's training batches so far, as `Objective` keeps them.
    """
    device = trainer.strategy.root_device
    train = losses["train"]
    mine: UnderWay = {
        "together": batches_per_turn,
        "batches": batches_per_turn * trainer.fit_loop.epoch_loop.batch_progress.current.ready,
        "random": torch.get_rng_state(),
        "random_of_device": torch.cuda.get_rng_state(device) if device.type == "cuda" else None,
        "losses": torch.stack([value for value, _ in train]).cpu() if train else None,
        "rows": [rows for _, rows in train],
        "sums": moved(dict(sums["train"]), "cpu"),
        "loss": moved(loss.state_dict(), "cpu") if hasattr(loss, "state_dict") else None,
    }
    if trainer.world_size == 1:
        return [mine]
    everyone: list[Any] = [None] * trainer.world_size
    torch.distributed.all_gather_object(everyone, mine)
    return everyone


def go_on(trainer: lightning.Trainer, mine: UnderWay, loss: Loss[Any], losses: Losses, sums: Sums) -> None:
    """Put one of what `under_way` returned back, in place; the batches are for the loader to leave out."""
    device = trainer.strategy.root_device
    if mine["losses"] is not None:
        losses["train"] = list(zip(mine["losses"].to(device), mine["rows"], strict=True))
    sums["train"] = moved(mine["sums"], device)
    if mine["loss"] is not None:
        carrying: Any = loss
        carrying.load_state_dict(moved(mine["loss"], device))
    if mine["random_of_device"] is not None and device.type == "cuda":
        torch.cuda.set_rng_state(mine["random_of_device"], device)
    torch.set_rng_state(mine["random"])
