"""Train a probe on sentence vectors, keeping the weights of the epoch that was best on the dev part."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import torch
from torch import Tensor, nn
from torch.nn.functional import cross_entropy

from repline.parameters import Count, NotNegative, Positive
from repline.systems.usif.probe import SentenceProbe
from repline.training.batches import batches
from repline.training.fingerprint import fingerprint
from repline.training.fit import fit, save_trained
from repline.training.optimizers.adam import adam
from repline.training.settings import ANY, Hardware

TOGETHER = 8  # batches in a turn of the loop


def train_probe(
    inputs: Mapping[str, Sequence[Tensor]],
    targets: Mapping[str, Tensor],
    classes: Sequence[str],
    folder: str | Path,
    scratch: str | Path,
    *,
    name: str,
    hidden: Count,
    learning_rate: Positive,
    l2: NotNegative,
    batch: Count,
    epochs: Count,
    seed: int,
    threads: int = 1,
    hardware: Hardware = ANY,
) -> Path:
    """Train one probe and save it into `folder`, with its history in training.json.

    The loss is the cross-entropy with the target distribution, which differs from the Kullback-Leibler divergence by
    a constant alone; the penalty is (l2 / 2) Σ θ².

    Args:
        inputs: "train" and "dev" -> one tensor [N, d] for sentences, two for pairs.
        targets: "train" and "dev" -> distributions over the classes, [N, C].
        scratch: checkpoints go to a folder in it, named by everything the result depends on.
        name: of the run, unique in scratch.
        hidden, learning_rate, l2, batch, epochs: see params.yaml.
        threads, hardware: of `repline.training.fit`.

    Returns:
        the folder of this run's checkpoints, to be removed once the model is where it belongs.

    Source: Wieting et al. 2016, section 4.2.
    """
    torch.manual_seed(seed)
    model = SentenceProbe(inputs["train"][0].shape[1], classes, len(inputs["train"]) == 2, hidden)
    data = {part: (*inputs[part], targets[part]) for part in ("train", "dev")}
    settings = {"learning_rate": learning_rate, "l2": l2, "batch": batch, "epochs": epochs, "seed": seed}
    mark = fingerprint(model, settings | {"threads": threads}, (*data["train"], *data["dev"]), hardware=hardware)
    checkpoints = Path(scratch) / f"{name}-{seed}-{mark}"
    history = fit(
        model,
        probe_loss,
        batches(data["train"], batch, seed=seed),
        validation=batches(data["dev"], 1024, shuffle=False),
        patience=epochs,  # all epochs, then the weights of the best
        epochs=epochs,
        learning_rate=learning_rate,
        optimizer=lambda parameters, rate: adam(parameters, rate, weight_decay=l2),
        seed=seed,
        checkpoints=checkpoints,
        together=TOGETHER,
        threads=threads,
        hardware=hardware,
        name=f"{name}-{seed}",
    )
    save_trained(model, folder, history, settings | {"hidden": hidden})
    return checkpoints


def probe_loss(model: nn.Module, batch: tuple[Tensor, ...]) -> Tensor:
    """Mean cross-entropy. batch: ([B, d], [B, d] for pairs, target distributions [B, C])."""
    *inputs, target = batch
    return cross_entropy(model(*inputs), target)
