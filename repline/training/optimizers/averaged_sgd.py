"""SGD that can start to average its iterates at any step: the optimiser of AWD-LSTM.

    theta_{k+1} = theta_k - lr (g_k + decay theta_k)
    average     = mean of theta over all steps since averaging began

Source: Merity, Keskar & Socher 2018, "Regularizing and Optimizing LSTM Language Models", section 4.
"""

from collections.abc import Callable, Iterable

import torch
from torch import Tensor, nn


class AveragedSGD(torch.optim.SGD):
    """Plain SGD until `start_averaging`; from then on it also keeps the mean of its weights.

    `repline.training.fit` validates with the mean, and returns it, while training goes on from the weights themselves.
    """

    def __init__(self, parameters: Iterable[nn.Parameter], learning_rate: float, weight_decay: float = 0.0) -> None:
        super().__init__(parameters, learning_rate, weight_decay=weight_decay)

    @property
    def averaging(self) -> bool:
        """Whether the mean of the weights is being taken."""
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
    def step(self, closure: Callable[[], Tensor] | None = None) -> Tensor | None:  # type: ignore[override]
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
