"""Train a network on a corpus, with RMSprop: timescales have a separate learning rate and stay at 1 or above."""

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

import torch
from torch import nn

from repline.corpora.labelled.classified_texts import Texts
from repline.evaluation.classification.description import describe_network
from repline.evaluation.classification.peer_networks import PEERS
from repline.evaluation.classification.training import train_network
from repline.layers.document_network import DocumentNetwork
from repline.systems.lmtgru.model import CNNLMTGRU
from repline.systems.lmtgru.recurrence import FASTEST
from repline.systems.lmtgru.settings import Network, Recipe
from repline.training.run import Run

KINDS: dict[str, type[DocumentNetwork]] = {"lmtgru": CNNLMTGRU, **PEERS}


def train(recipe: Recipe, network: Network, texts: Texts, this_run: Run) -> None:
    """Train one network, and save it with the probabilities of dev and test.

    Raises:
        InputError: timescales below 1, or units that their groups cannot share evenly.
    """
    sizes = {"units": recipe.units, "filters": recipe.filters} if network.kind == "lmtgru" else {}
    train_network(
        recipe,
        texts,
        this_run,
        build=KINDS[network.kind],
        settings=sizes | network.arguments(),
        optimizer=partial(TimescaleRMSprop, decay=recipe.beta2),
    )
    describe_network(this_run.folder, "lmtgru", network.kind, texts)


class TimescaleRMSprop(torch.optim.RMSprop):
    """RMSprop; parameters with an attribute `learning_rate` are timescales.

        v <- decay v + (1 - decay) g^2,  w <- w - rate g / (sqrt(v) + 1e-8);  after the step tau <- max(tau, 1)

    The projection is outside the graph: at 1 a timescale still has a gradient, and a later one moves it up again.

    Args:
        parameters: of a model; those without a gradient are left alone.
        learning_rate: of all parameters but timescales.
        decay: of the squares.

    Source: Moirangthem and Lee 2018, section 4.2 (decay 0.9, rates 0.001 and 0.00001).
    """

    def __init__(self, parameters: Iterable[nn.Parameter], learning_rate: float, decay: float = 0.9):
        parameters = list(parameters)
        groups: list[dict[str, Any]] = [
            {"params": [weight for weight in parameters if not hasattr(weight, "learning_rate")]},
            *({"params": [tau], "lr": tau.learning_rate} for tau in parameters if hasattr(tau, "learning_rate")),
        ]
        super().__init__(groups, lr=learning_rate, alpha=decay)

    @torch.no_grad()
    def step(self, closure: Callable[[], float] | None = None) -> float | None:  # type: ignore[override]  # as RMSprop
        """One step of RMSprop, after which every timescale is 1 or more."""
        loss = super().step(closure)
        for group in self.param_groups[1:]:
            for timescale in group["params"]:
                timescale.clamp_(min=FASTEST)
        return loss
