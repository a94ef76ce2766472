"""SGD that begins to average its iterates when it is told to: the optimiser of AWD-LSTM.

    theta_{k+1} = theta_k - lr (g_k + decay theta_k)
    average     = mean of theta over all steps since averaging began

Source: Merity, Keskar & Socher 2018, "Regularizing and Optimizing LSTM Language Models", section 4.
"""

from collections.abc import Callable, Iterable, Sequence

import torch
from torch import Tensor, nn


class AveragedSGD(torch.optim.SGD):
    """Plain SGD until `start_averaging`, then SGD beside the mean of the weights that it reaches.

    `repline.training.fit` validates with the mean, and returns it, while training goes on from the weights themselves.
    """

    def __init__(self, parameters: Iterable[nn.Parameter], learning_rate: float, weight_decay: float = 0.0) -> None:
        super().__init__(parameters, learning_rate, weight_decay=weight_decay)

    @property
    def averaging(self) -> bool:
        """Whether it averages."""
        return "averaged_steps" in self.param_groups[0]

    def start_averaging(self) -> None:
        """Begin with the weights as they are now; a second call does nothing."""
        if self.averaging:
            return
        for group in self.param_groups:
            group["averaged_steps"] = 1
            for parameter in group["params"]:
                self.state[parameter]["average"] = parameter.detach().clone()

    @torch.no_grad()
    def step(self, closure: Callable[[], Tensor] | None = None) -> Tensor | None:
        """One step, after which the mean includes the new weights."""
        loss = super().step(closure)
        if self.averaging:
            for group in self.param_groups:
                group["averaged_steps"] += 1
                for parameter in group["params"]:
                    average = self.state[parameter]["average"]
                    average.add_(parameter - average, alpha=1 / group["averaged_steps"])
        return loss

    @torch.no_grad()
    def swap(self) -> None:
        """Exchange the weights and their mean; a second call puts them back."""
        for group in self.param_groups:
            for parameter in group["params"]:
                weights = parameter.clone()
                parameter.copy_(self.state[parameter]["average"])
                self.state[parameter]["average"].copy_(weights)


def non_monotone(window: int = 5) -> Callable[[torch.optim.Optimizer, Sequence[dict[str, float]]], None]:
    """A schedule for `AveragedSGD`: average once the validation loss is above one of more than `window` epochs before.

    Source: Merity, Keskar & Socher 2018, algorithm 1, with a check every epoch.
    """

    def schedule(optimizer: torch.optim.Optimizer, history: Sequence[dict[str, float]]) -> None:
        *before, last = [record["validation_loss"] for record in history]
        if len(before) > window and last > min(before[:-window]):
            optimizer.start_averaging()

    return schedule


def plateau(
    factor: float, patience: int = 1, minimum: float = 0.0, monitor: str = "validation_loss"
) -> Callable[[torch.optim.Optimizer, Sequence[dict[str, float]]], None]:
    """A schedule that multiplies the learning rate by `factor` after every `patience` epochs without a better loss.

    Args:
        patience: 1 reacts to the first epoch that is not the best so far.
        minimum: the learning rate does not fall below it.
        monitor: which number of the history; less is better.
    """

    def schedule(optimizer: torch.optim.Optimizer, history: Sequence[dict[str, float]]) -> None:
        best, waited = float("inf"), 0
        for record in history:
            if waited == patience:
                waited = 0
            if record[monitor] < best:
                best, waited = record[monitor], 0
            else:
                waited += 1
        if waited == patience:
            for group in optimizer.param_groups:
                group["lr"] = max(group["lr"] * factor, minimum)

    return schedule
