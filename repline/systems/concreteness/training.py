"""Train the feed-forward networks that predict ratings from word vectors."""

import shutil
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from repline.systems.concreteness.regressors import RatingNetworks
from repline.training.batches import batches
from repline.training.fingerprint import fingerprint
from repline.training.fit import fit
from repline.training.settings import CPU

TOGETHER = 16  # batches in a turn of the loop


def train_networks(
    x: NDArray,
    ratings: Sequence[NDArray],
    rows: Sequence[NDArray],
    scratch: str | Path,
    *,
    dropout: float = 0.5,
    epochs: int = 50,
    batch: int = 32,
    learning_rate: float = 0.001,
    seed: int = 0,
    threads: int = 1,
    name: str = "ratings",
) -> RatingNetworks:
    """Fit one network per list of rows, all at once, by Adam on the mean squared error of the standardised ratings.

    There is no early stopping. Lists of rows should be of nearly one length: an epoch lasts as long as the longest,
    and the batches of a shorter one hold fewer of its words.

    Args:
        x: [N, d] vectors.
        ratings: of each network, [N]; only those of its rows are read.
        rows: of each network, the words that it is trained on.
        scratch: checkpoints go to a folder in it, named by everything that the result depends on, and are removed.
        dropout: see RatingNetworks.
        epochs, batch: 50 and 32 in the paper.
        learning_rate: of Adam; the optimiser is not stated in the paper.
        name: of the run.

    Returns:
        the trained networks, in eval mode.

    Source: Ljubešić, Fišer & Peti-Stantić 2018, section 4.1.
    """
    table = torch.as_tensor(np.array(x, np.float32))  # [N, d]
    gold = torch.as_tensor(np.stack(ratings, axis=1).astype(np.float32))  # [N, E]
    torch.manual_seed(seed)
    model = RatingNetworks(x.shape[1], dropout, len(rows))
    longest = max(map(len, rows))
    chosen = torch.zeros(longest, len(rows), dtype=torch.int64)
    there = torch.zeros(longest, len(rows))
    for member, own in enumerate(rows):
        own = torch.as_tensor(np.asarray(own))
        model.standardise_by(member, table[own], gold[own, member])
        chosen[: len(own), member], there[: len(own), member] = own, 1
    settings = {"dropout": dropout, "epochs": epochs, "batch": batch, "learning_rate": learning_rate, "seed": seed}
    mark = fingerprint(model, settings | {"threads": threads}, (table, gold.nan_to_num(), chosen, there), hardware=CPU)
    checkpoints = Path(scratch) / f"{name}-{mark}"
    members = torch.arange(len(rows))

    def loss(model: nn.Module, batch: tuple[Tensor, ...]) -> Tensor:
        own, weight = batch  # [B, E]
        y = gold[own, members].where(weight > 0, 0)
        errors = (model(table[own]) - model.standardised(y)).square() * weight
        return (errors.sum(0) / weight.sum(0).clamp(min=1)).sum()  # each network has its own mean

    fit(
        model,
        loss,
        batches((chosen, there), batch, seed=seed),
        epochs=epochs,
        learning_rate=learning_rate,
        optimizer=lambda parameters, rate: torch.optim.Adam(parameters, rate, fused=True),
        seed=seed,
        checkpoints=checkpoints,
        together=TOGETHER,
        threads=threads,
        hardware=CPU,
        name=name,
    )
    shutil.rmtree(checkpoints, ignore_errors=True)
    return model.eval()
