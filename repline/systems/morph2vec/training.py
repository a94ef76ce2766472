"""Train morph2vec to point where the words' own vectors point."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Unpack

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn.functional import cosine_similarity

from repline.parameters import Count, NotNegative, Share
from repline.systems.morph2vec.corpus import encode
from repline.systems.morph2vec.model import Encoder, Mixing, Morph2Vec
from repline.training.batches import batches
from repline.training.fingerprint import fingerprint
from repline.training.fit import fit, save_trained
from repline.training.settings import Training, settings_of

TOGETHER = 8  # batches that one turn of the training loop takes


class Recipe(Training):
    """The parameters of a training besides its data.

    embedding: dimensions of a morph; units: of each LSTM; encoder, mixing, dropout: see `Morph2Vec`. weight_decay: λ
    of (λ/2) Σ θ². logit_penalty: of the mean absolute logit of the attention, as in the authors' program.
    """

    embedding: Count
    units: Count
    encoder: Encoder
    mixing: Mixing
    dropout: Share
    weight_decay: NotNegative
    logit_penalty: NotNegative


def vocabulary(segmented: Sequence[Sequence[Sequence[str]]]) -> list[str]:
    """The morphs of some words' candidates, in the order in which they are met."""
    return list(dict.fromkeys(morph for many in segmented for one in many for morph in one))


def train_morph2vec(
    segmented: Sequence[Sequence[Sequence[str]]],
    targets: NDArray,
    folder: str | Path,
    scratch: str | Path,
    *,
    name: str,
    seed: int,
    threads: int = 1,
    **knobs: Unpack[Recipe],
) -> Path:
    """Train one model and save it into `folder`, with its history in training.json.

        J = - mean cos(f(w), y_w) + (λ/2) Σ θ²

    Args:
        segmented: the candidates of N words, with at least one each.
        targets: y, [N, d].
        scratch: checkpoints go to a folder in it, named by everything the result depends on.
        name: of the run, unique in scratch.

    Returns:
        the folder of this run's checkpoints, to be removed once the model is where it belongs.

    Source: Üstün et al. 2018, eq. 4, with the minus sign that it lacks.
    """
    recipe = Recipe(**knobs)
    settings: dict[str, Any] = settings_of(recipe) | {"seed": seed}
    morphs = vocabulary(segmented)
    keep = max(len(many) for many in segmented)
    segments = max(len(one) for many in segmented for one in many)
    ids = torch.from_numpy(encode(segmented, numbered(morphs), keep, segments))
    unit = torch.from_numpy(np.ascontiguousarray(targets, dtype=np.float32))
    unit = unit / unit.norm(dim=1, keepdim=True).clamp(min=1e-12)
    torch.manual_seed(seed)
    shape = {key: getattr(recipe, key) for key in ("embedding", "units", "encoder", "mixing", "dropout")}
    model = Morph2Vec(morphs, unit.shape[1], **shape)
    loss = CosineLoss(recipe.logit_penalty)
    data = (ids, unit)
    mark = fingerprint(model, settings | {"threads": threads}, data, loss=CosineLoss, hardware=recipe.hardware)
    checkpoints = Path(scratch) / f"morph2vec-{name}-{seed}-{mark}"
    history = fit(
        model,
        loss,
        batches(data, recipe.batch, seed=seed),
        epochs=recipe.epochs,
        learning_rate=recipe.learning_rate,
        optimizer=lambda parameters, rate: torch.optim.Adam(
            parameters, rate, weight_decay=recipe.weight_decay, fused=True
        ),
        gradient_clip=recipe.gradient_clip,
        together=TOGETHER,
        seed=seed,
        checkpoints=checkpoints,
        threads=threads,
        hardware=recipe.hardware,
        name=f"morph2vec-{name}-{seed}",
    )
    save_trained(model, folder, history, settings)
    return checkpoints


class CosineLoss:
    """- mean cos(f, y) + penalty · mean |logit|.

    Args:
        penalty: of the logits of the attention.
    """

    def __init__(self, penalty: float = 0.0):
        self.penalty = penalty

    def __call__(self, model: nn.Module, batch: tuple[Tensor, ...]) -> Tensor:
        """batch: (candidates [B, S, T], targets [B, d])."""
        candidates, targets = batch
        found = model.compose(candidates)
        loss = -cosine_similarity(found.vectors, targets, dim=1).mean()
        return loss + self.penalty * found.logits.abs().mean() if self.penalty else loss


def numbered(morphs: Sequence[str]) -> Mapping[str, int]:
    """Morph -> its row in the table."""
    return {morph: row for row, morph in enumerate(morphs)}
