"""The Lightning module of `repline.training.fit`: a model with its loss, and the means of each epoch."""

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

import pytorch_lightning as lightning
import torch
from pytorch_lightning.callbacks import EarlyStopping
from pytorch_lightning.plugins.io import TorchCheckpointIO
from torch import Tensor, nn
from torch.optim import Optimizer

from repline.errors import InputError
from repline.files import new_file
from repline.training.history import History, Loss, Record
from repline.training.inside_epochs import UnderWay, go_on, under_way
from repline.training.optimizers.adam import adam


class Objective(lightning.LightningModule):
    """One model in training. Further actions of an epoch are attributes, None where not wanted."""

    def __init__(
        self,
        model: nn.Module,
        loss: Loss[Any],
        learning_rate: float,
        optimizer: Callable[[Iterable[nn.Parameter], float], Optimizer] | None,
        seed: int,
        progress: Callable[[dict[str, float]], None] | None,
    ):
        super().__init__()
        self.model, self.loss, self.learning_rate, self.optimizer = model, loss, learning_rate, optimizer
        self.seed, self.progress = seed, progress
        self.schedule: Callable[[Optimizer, History], None] | None = None
        self.measure: Callable[[Any], Record] | None = None
        self.until: Callable[[Record], bool] | None = None
        self.highest: str | None = None
        self.step_scale: Callable[[tuple[Tensor, ...]], float] | None = None
        self.gradient_clip: float | None = None
        self.batches_per_turn = 1
        self.history: History = []
        # of batches without weights, and how many rows each has here
        self._losses: dict[str, list[tuple[Tensor, int]]] = {"train": [], "validation": []}
        self._sums: dict[str, dict[str, Tensor]] = {"train": {}, "validation": {}}  # over those that have them
        self._validated: dict[str, float] = {}
        self._scale = 1.0
        self._under_way: UnderWay | None = None  # in this process, as a checkpoint inside an epoch holds it

    def configure_optimizers(self) -> Optimizer:
        make = self.optimizer or adam
        return make(self.model.parameters(), self.learning_rate)

    def on_train_epoch_start(self) -> None:
        torch.manual_seed((self.seed * 1_000_003 + self.current_epoch) * 131 + self.global_rank)

    def on_train_start(self) -> None:
        waits = [callback for callback in self.trainer.early_stopping_callbacks if isinstance(callback, EarlyStopping)]
        ended = any(callback.wait_count >= callback.patience for callback in waits)
        if ended or (self.history and self._reached()):  # killed after the last epoch of a run that ends early
            self.trainer.should_stop = True
        if self._under_way is not None:
            go_on(self.trainer, self._under_way, self.loss, self._losses, self._sums)
            self._under_way = None

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

    def training_step(self, batch: Any, _: int) -> Tensor | None:
        if self.automatic_optimization:
            return self._training_loss(batch)
        self._steps(batch)
        return None

    def _steps(self, batches: list[tuple[Tensor, ...]]) -> None:
        # a step by it moves Lightning's counter, without which no checkpoint is written
        counted: Any = self.optimizers()
        for number, batch in enumerate(batches, 1):
            counted.optimizer.zero_grad()
            self._training_loss(batch).backward()
            if self.gradient_clip is not None:
                nn.utils.clip_grad_norm_(self.model.parameters(), self.gradient_clip)
            (counted if number == len(batches) else counted.optimizer).step()

    def _training_loss(self, batch: tuple[Tensor, ...]) -> Tensor:
        loss = self.loss(self.model, batch)
        if isinstance(loss, Tensor):
            weight: float | Tensor = len(batch[0])
            self._losses["train"].append((loss.detach(), len(batch[0])))
        else:
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
            self._losses["validation"].append((loss, len(batch[0])))
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
        if self.highest is not None:
            self.log(self.highest, torch.tensor(record[self.highest], dtype=torch.float64))
        if self.schedule is not None:
            self.schedule(self.trainer.optimizers[0], self.history)
        if self._reached():
            self.trainer.should_stop = True
        if self.progress is not None and self.trainer.is_global_zero:
            self.progress(record)

    def on_save_checkpoint(self, checkpoint: dict[str, Any]) -> None:
        checkpoint["history"] = self.history
        if len(self.history) == self.current_epoch:  # the epoch has no record yet
            checkpoint["under_way"] = under_way(
                self.trainer, self.batches_per_turn, self.loss, self._losses, self._sums
            )
        if self.averaged():
            self._swap()
            checkpoint["evaluated"] = {key: value.detach().clone() for key, value in self.state_dict().items()}
            self._swap()

    def on_load_checkpoint(self, checkpoint: dict[str, Any]) -> None:
        self.history = list(checkpoint["history"])
        if everyone := checkpoint.get("under_way"):
            processes, batches_per_turn = len(everyone), everyone[0]["together"]
            if (processes, batches_per_turn) != (self.trainer.world_size, self.batches_per_turn):
                raise InputError(
                    f"{self.trainer.default_root_dir}: a run of {processes} x {batches_per_turn} "
                    "(processes x batches a turn) stopped inside an epoch, and this one has "
                    f"{self.trainer.world_size} x {self.batches_per_turn}; "
                    "train with as many, or remove the folder"
                )
            self._under_way = everyone[self.global_rank]

    def averaged(self) -> bool:
        """Whether evaluation uses the averaged weights instead of those in training."""
        return bool(getattr(self.trainer.optimizers[0], "averaging", False))

    def _reached(self) -> bool:
        return self.until is not None and self.until(self.history[-1])

    def _measured(self) -> Record:
        self._swap()
        self.model.eval()
        with torch.no_grad():
            measured = self.measure(self.model) if self.measure else {}
        self.model.train()
        self._swap()
        return measured

    def _swap(self) -> None:
        if self.averaged():
            optimizer: Any = self.trainer.optimizers[0]
            optimizer.swap()

    def _add(
        self, part: str, loss: Tensor, weight: float | Tensor, further_means: Mapping[str, Tensor] | None = None
    ) -> None:
        sums = self._sums[part]
        for name, value in ({"weight": 1.0, "loss": loss.detach()} | dict(further_means or {})).items():
            value = torch.as_tensor(value, device=loss.device).detach().double() * weight
            sums[name] = sums[name] + value if name in sums else value

    def _means(self, part: str) -> dict[str, float]:
        """The means of an epoch: over batches, or, where these have weights, over all that they weigh.

        A batch that several processes share has the mean over its rows. Batches of validation count by their rows, as
        Lightning counts them where it looks for the best epoch.
        """
        losses, sums = self._losses[part], self._sums[part]
        if losses:
            means = torch.stack([loss for loss, _ in losses])
            rows = torch.tensor([rows for _, rows in losses], dtype=torch.float64, device=means.device)
            if self.trainer.world_size > 1:
                total, rows = (self.trainer.strategy.reduce(value, reduce_op="sum") for value in (means * rows, rows))
                means = total / rows
            losses.clear()
            mean = means.mean() if part == "train" else (means.double() * rows).sum() / rows.sum()
            return {f"{part}_loss": float(mean)}
        sums = {name: self.trainer.strategy.reduce(value, reduce_op="sum") for name, value in sums.items()}
        weight = sums.pop("weight", torch.ones(()))
        self._sums[part] = {}
        return {f"{part}_{name}": float(value / weight) for name, value in sums.items()}


class WholeCheckpoints(TorchCheckpointIO):
    """Checkpoints that are written whole, and that are read from wherever their folder lies now.

    Lightning writes to the system's temporary folder and moves: a copy, when that is on another disk. And its
    `ModelCheckpoint` forgets the best epoch so far where the folder was renamed since.
    """

    def save_checkpoint(
        self, checkpoint: dict[str, Any], path: str | Path, storage_options: dict[str, Any] | None = None
    ) -> None:
        with new_file(path) as partial, open(partial, "wb") as file:
            torch.save(checkpoint, file)

    def load_checkpoint(self, path: str | Path, *options: Any, **more: Any) -> dict[str, Any]:
        checkpoint = super().load_checkpoint(path, *options, **more)
        folder = Path(path).parent.resolve()
        callbacks = checkpoint.get("callbacks", {})
        checkpoint["callbacks"] = {
            key: _in_folder(state, folder) if "dirpath" in state else state for key, state in callbacks.items()
        }
        return checkpoint


def _in_folder(state: dict[str, Any], folder: Path) -> dict[str, Any]:
    """The state of a `ModelCheckpoint` whose files lie in `folder` now."""

    def moved(path: str) -> str:
        return str(folder / Path(path).name) if path else path

    paths = {name: moved(path) for name, path in state.items() if name.endswith("_path")}
    best = {moved(path): score for path, score in state["best_k_models"].items()}
    return {**state, **paths, "best_k_models": best, "dirpath": str(folder)}


def _finite(value: float) -> bool:
    return value == value and abs(value) != float("inf")
