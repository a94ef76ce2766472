"""Train morph2vec: composed vectors should point where the words' vectors point."""

import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import cast

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn.functional import cosine_similarity

from repline.cards import read_card
from repline.systems.morph2vec.corpus import KNOBS, SPACE_FILES, Words, encode
from repline.systems.morph2vec.model import Morph2Vec
from repline.systems.morph2vec.settings import Recipe
from repline.training.batches import batches
from repline.training.run import Run, run
from repline.use.folders import describe

BATCHES_PER_TURN = 8  # of the training loop


def vocabulary(segmented: Sequence[Sequence[Sequence[str]]]) -> list[str]:
    """The morphs of words' candidates, in the order of their first occurrence."""
    return list(dict.fromkeys(morph for many in segmented for candidate in many for morph in candidate))


def train(recipe: Recipe, words: Words, this_run: Run) -> None:
    """Train one model on the words of a space that are not held out.

        J = - mean cos(f(w), y_w) + (λ/2) Σ θ²

    Source: Üstün et al. 2018, eq. 4, with the minus sign that it lacks.
    """
    rows = np.flatnonzero(~words.held_out)
    segmented = [words.candidates[row] for row in rows]
    morphs = vocabulary(segmented)
    keep = max(len(many) for many in segmented)
    segments = max(len(candidate) for many in segmented for candidate in many)
    ids = torch.from_numpy(encode(segmented, numbered(morphs), keep, segments))  # [N, S, T]
    targets = torch.from_numpy(np.ascontiguousarray(words.vectors[rows], dtype=np.float32))  # [N, d]
    targets = targets / targets.norm(dim=1, keepdim=True).clamp(min=1e-12)
    torch.manual_seed(this_run.seed)
    model = Morph2Vec(
        morphs,
        targets.shape[1],
        embedding=recipe.embedding,
        units=recipe.units,
        encoder=recipe.encoder,
        mixing=recipe.mixing,
        dropout=recipe.dropout,
    )
    run(
        model,
        CosineLoss(recipe.logit_penalty),
        batches((ids, targets), recipe.batch, seed=this_run.seed),
        recipe,
        this_run,
        data=(ids, targets),
        optimizer=lambda parameters, rate: torch.optim.Adam(
            parameters, rate, weight_decay=recipe.weight_decay, fused=True
        ),
        batches_per_turn=BATCHES_PER_TURN,
    )
    if words.folder is not None:
        describe_space(this_run.folder, words.folder)


def describe_space(model: Path, prepared: Path) -> None:
    """Copy into a model's folder what composes unseen words, and describe the folder."""
    for name in SPACE_FILES:
        if (prepared / name).exists():
            shutil.copyfile(prepared / name, model / name)
    parameters = read_card(prepared)["parameters"]
    raw_input = {name: parameters[name] for name in ("language", *KNOBS)}
    describe(model, "morph2vec", "composed_word_vectors", raw_input)


class CosineLoss:
    """The loss - mean cos(f, y) + penalty · mean |logit|.

    Args:
        penalty: of the logits of the attention.
    """

    def __init__(self, penalty: float = 0.0):
        self.penalty = penalty

    def __call__(self, model: nn.Module, batch: tuple[Tensor, ...]) -> Tensor:
        """The loss of a batch: candidates [B, S, T], targets [B, d]."""
        candidates, targets = batch
        composed = cast(Morph2Vec, model).compose(candidates)
        loss = -cosine_similarity(composed.vectors, targets, dim=1).mean()
        return loss + self.penalty * composed.logits.abs().mean() if self.penalty else loss


def numbered(morphs: Sequence[str]) -> Mapping[str, int]:
    """The row of each morph in the table."""
    return {morph: row for row, morph in enumerate(morphs)}
