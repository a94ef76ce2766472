"""The one training loop of language models: truncated back-propagation with a carried state, over `fit`.

A language model is a torch module with these methods:

    initial_state(batch: int) -> State          zeros, on the model's device
    model(inputs [B, T], state) -> (hidden [B, T, d], State)
    decode(hidden [..., d]) -> logits [..., V]
    output() -> (W [V, d], b [V] or None)       optional: what decode does, W h + b, which spares the logits in training
    penalty() -> scalar                         optional: added to the loss in training, asked after decode

A State is as `repline.training.detached_state` says, its tensors having B rows. Words to be predicted are
numbers 0..V-1, places with the target -100 are not counted, and losses are nats per word.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Protocol, cast

import torch
from torch import Tensor, nn
from torch.nn.functional import cross_entropy
from torch.optim import Optimizer
from torch.utils.data import DataLoader

from repline.layers.linear_cross_entropy import linear_cross_entropy
from repline.training.detached_state import State, detached
from repline.training.history import History
from repline.training.language_model_batches import IGNORED
from repline.training.optimizers.adam import adam
from repline.training.optimizers.averaged_sgd import AveragedSGD
from repline.training.optimizers.schedules import Schedule, non_monotone, plateau
from repline.training.recipes import LanguageModelRecipe
from repline.training.run import Run, run

BATCHES_PER_TURN = 8  # batches in a turn of the loop
LOGITS = 1 << 24  # numbers in a block of logits, when likelihoods are only measured

Batch = tuple[Tensor, Tensor, Tensor]


class LanguageModel(Protocol):
    """The interface of a model that this loop trains, see the module; `output` and `penalty` are optional."""

    training: bool

    def __call__(self, inputs: Tensor, state: State) -> tuple[Tensor, State]:
        """Inputs [B, T] and a state -> hidden [B, T, d] and the state after them."""
        ...

    def initial_state(self, batch: int) -> State:
        """A state of zeros for `batch` rows, on the model's device."""
        ...

    def decode(self, hidden: Tensor) -> Tensor:
        """Hidden [..., d] -> logits [..., V]."""
        ...


def run_language_model(
    model: nn.Module,
    training: DataLoader,
    validation: DataLoader | None,
    recipe: LanguageModelRecipe,
    this_run: Run,
    *,
    full_steps: int | None = None,
    **options: Any,
) -> History:
    """Train a language model as a recipe says, and save it with the record of its training.

    The state is carried inside an epoch only, and is reset where a batch says that it is the first; a checkpoint
    inside an epoch holds it.

    Args:
        model: as the head of this module says; trained in place.
        training, validation: from `repline.training.language_model_batches`. Contiguous batches (whose third part is
            a bool) carry the state, sentence batches (lengths) begin with a new one each.
        this_run: the seed and the folders.
        full_steps: T of `contiguous(..., random_steps=True)`: a segment of length t is trained at t / T of the rate.
        options: further arguments of `repline.training.run.run` (data, settings, records) and of
            `repline.training.fit.fit`; an `optimizer` or a `schedule` takes the place of those of the recipe.

    Returns:
        One record per epoch: `epoch`; `train_loss`, in nats per word with the penalty, and `train_nll` without it, both
        with dropout; `validation_loss` in nats per word, exact over all words of the validation data; with a schedule
        `learning_rate`.

    Raises:
        ValueError: a schedule without validation data, an unknown optimiser.
        FloatingPointError: the loss of an epoch is not finite.
    """
    schedules = _schedules(
        recipe.optimizer, recipe.decay, recipe.decay_patience, recipe.minimum_rate, recipe.non_monotone_window
    )
    settings = {
        "validation": validation,
        "patience": recipe.patience,
        "optimizer": _optimizer(recipe.optimizer, recipe.weight_decay),
        "schedule": _all_of(schedules),
        "batches_per_turn": BATCHES_PER_TURN if full_steps is None else 1,
        "step_scale": None if full_steps is None else lambda batch: batch[0].shape[1] / full_steps,
    }
    return run(model, language_modeling_loss(), training, recipe, this_run, **settings | options)


def _schedules(
    optimizer: str, decay: float | None, decay_patience: int, minimum_rate: float, window: int
) -> list[Schedule]:
    schedules = [plateau(decay, decay_patience, minimum_rate)] if decay else []
    return [*schedules, non_monotone(window)] if optimizer == "nt-asgd" else schedules


def _all_of(schedules: Sequence[Schedule]) -> Schedule | None:
    def scheduled(optimizer: Optimizer, history: History) -> None:
        for schedule in schedules:
            schedule(optimizer, history)

    return scheduled if schedules else None


def language_modeling_loss() -> Callable[[Any, Batch], tuple[Tensor, Tensor, Mapping[str, Tensor]]]:
    """A loss for `repline.training.fit`, which carries the state from batch to batch.

    Returns:
        (model, batch) -> (mean loss in nats per word, number of words, {"nll": the same without penalty}).
    """
    return _CarryingLoss()


class _CarryingLoss:
    def __init__(self) -> None:
        self._carried = _Carried()

    def __call__(self, model: LanguageModel, batch: Batch) -> tuple[Tensor, Tensor, Mapping[str, Tensor]]:
        inputs, targets, mark = batch
        hidden, state = model(inputs, self._carried.before(model, inputs, mark))
        self._carried.after(model, state)
        counted = targets != IGNORED
        total = total_nats(model, hidden[counted], targets[counted])
        words = counted.sum()
        nll = total / words.clamp(min=1)  # a process may get a batch of padding alone
        if not model.training:
            return nll, words, {}
        return nll + model.penalty() if hasattr(model, "penalty") else nll, words, {"nll": nll}

    def state_dict(self) -> dict[str, State]:
        """The state that the next batch of training begins with, if one came before."""
        return {"training": self._carried.states[True]} if True in self._carried.states else {}

    def load_state_dict(self, saved: Mapping[str, State]) -> None:
        """Take back what `state_dict` gave."""
        if "training" in saved:
            self._carried.states[True] = saved["training"]


def total_nats(model: LanguageModel, hidden: Tensor, targets: Tensor) -> Tensor:
    """-log p summed over words: hidden [N, d], targets [N] -> scalar; without logits in memory where that is faster."""
    if hasattr(model, "output") and hidden.device.type == "cpu":
        weight, bias = model.output()
        return linear_cross_entropy(hidden, weight, bias, targets)
    return cross_entropy(model.decode(hidden), targets, reduction="sum")


def negative_log_likelihood(model: nn.Module) -> Callable[[Batch], Tensor]:
    """A function from the batches of a loader, in their order, to the nats of every word that is to be predicted.

    The model is put into evaluation mode, and the state carried as in training; logits are made in blocks.

    Returns:
        batch -> [N], for `repline.evaluation.perplexity`; the words come in the order of the batch, row by row.
    """
    carried, language_model = _Carried(), cast(LanguageModel, model.eval())

    @torch.inference_mode()
    def nats(batch: Batch) -> Tensor:
        device = next(model.parameters()).device
        inputs, targets, mark = (part.to(device) for part in batch)
        hidden, state = language_model(inputs, carried.before(language_model, inputs, mark))
        carried.after(language_model, state)
        counted = targets != IGNORED
        hidden, targets = hidden[counted], targets[counted]  # [N, d], [N]
        losses, start, size = [hidden.new_empty(0)], 0, 1
        while start < len(targets):
            logits = language_model.decode(hidden[start : start + size])
            losses.append(cross_entropy(logits, targets[start : start + size], reduction="none"))
            start, size = start + size, max(1, LOGITS // logits.shape[-1])
        return torch.cat(losses)

    return nats


class _Carried:
    """The state from one batch to the next; validation, which comes in between, has one of its own."""

    def __init__(self) -> None:
        self.states: dict[bool, State] = {}

    def before(self, model: LanguageModel, inputs: Tensor, mark: Tensor) -> State:
        carries = mark.dtype == torch.bool
        if not carries or bool(mark) or model.training not in self.states:
            return model.initial_state(len(inputs))
        return self.states[model.training]

    def after(self, model: LanguageModel, state: State) -> None:
        self.states[model.training] = detached(state)


def _optimizer(
    named: str | Callable[[Iterable[nn.Parameter], float], Optimizer], weight_decay: float
) -> Callable[[Iterable[nn.Parameter], float], Optimizer]:
    makers: dict[str, Callable[..., Optimizer]] = {
        "adam": adam,
        "sgd": torch.optim.SGD,
        "nt-asgd": AveragedSGD,
    }
    if callable(named):
        return named
    if named not in makers:
        raise ValueError(f"expected one of {', '.join(makers)} as the optimiser, found {named!r}")
    return lambda parameters, rate: makers[named](
        [parameter for parameter in parameters if parameter.requires_grad], rate, weight_decay=weight_decay
    )
