"""Train a probe on sentence vectors, keeping the weights of the epoch that was best on the dev part."""

from collections.abc import Mapping, Sequence

import torch
from torch import Tensor, nn
from torch.nn.functional import cross_entropy

from repline.systems.usif.probe import SentenceProbe
from repline.systems.usif.settings import Recipe
from repline.training.batches import batches
from repline.training.optimizers.adam import adam
from repline.training.run import Run, run

BATCHES_PER_TURN = 8  # of the training loop
DEV_BATCH = 1024  # sentences or pairs


def train(
    recipe: Recipe,
    inputs: Mapping[str, Sequence[Tensor]],
    targets: Mapping[str, Tensor],
    classes: Sequence[str],
    this_run: Run,
) -> None:
    """Train one probe and save it.

    The loss is the cross-entropy with the target distribution, which differs from the Kullback-Leibler divergence by
    a constant alone; the penalty is (l2 / 2) Σ θ².

    Args:
        inputs: "train" and "dev" -> one tensor [N, d] for sentences, two for pairs.
        targets: "train" and "dev" -> distributions over the classes, [N, C].

    Source: Wieting et al. 2016, section 4.2.
    """
    torch.manual_seed(this_run.seed)
    model = SentenceProbe(inputs["train"][0].shape[1], classes, len(inputs["train"]) == 2, recipe.hidden)
    data = {part: (*inputs[part], targets[part]) for part in ("train", "dev")}
    run(
        model,
        probe_loss,
        batches(data["train"], recipe.batch, seed=this_run.seed),
        recipe,
        this_run,
        data=(*data["train"], *data["dev"]),
        validation=batches(data["dev"], DEV_BATCH, shuffle=False),
        patience=recipe.epochs,  # all epochs, then the weights of the best
        optimizer=lambda parameters, rate: adam(parameters, rate, weight_decay=recipe.l2),
        batches_per_turn=BATCHES_PER_TURN,
    )


def probe_loss(model: nn.Module, batch: tuple[Tensor, ...]) -> Tensor:
    """Mean cross-entropy. batch: ([B, d], [B, d] for pairs, target distributions [B, C])."""
    *inputs, target = batch
    return cross_entropy(model(*inputs), target)
