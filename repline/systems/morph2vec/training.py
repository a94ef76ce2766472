"""Train morph2vec: composed vectors should point where the words' vectors point."""

import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import cast

import numpy as np
import torch
from numpy.typing import NDArray
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
VALIDATION_BATCH = 1024
DEVELOPMENT_SEED = 1  # that of a space chooses what is held out


def vocabulary(segmented: Sequence[Sequence[Sequence[str]]]) -> list[str]:
    """The morphs of words' candidates, in the order of their first occurrence."""
    return list(dict.fromkeys(morph for many in segmented for candidate in many for morph in candidate))


def train(recipe: Recipe, words: Words, this_run: Run) -> None:
    """Train one model on the words of a space that are not held out.

        J = - mean cos(f(w), y_w) + (λ/2) Σ θ²

    Where there are development words, the weights of the epoch with their largest cosine are kept. A space too small to
    have some that are made of known morphs is trained for all epochs.

    Source: Üstün et al. 2018, eq. 4, with the minus sign that it lacks.
    """
    dev = development_rows(words, recipe.dev)
    rows = np.setdiff1d(np.flatnonzero(~words.held_out), dev)
    segmented = [words.candidates[row] for row in rows]
    morphs = vocabulary(segmented)
    keep = max(len(many) for many in segmented)
    segments = max(len(candidate) for many in segmented for candidate in many)
    number = morph_rows(morphs)
    ids, targets = torch.from_numpy(encode(segmented, number, keep, segments)), _directions(words, rows)
    dev_ids = encode([words.candidates[row] for row in dev], number, keep, segments)
    composable = np.flatnonzero(dev_ids[:, 0, 0] >= 0)
    validation = (torch.from_numpy(dev_ids[composable]), _directions(words, dev[composable])) if len(composable) else ()
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
        recipe if validation else recipe.model_copy(update={"patience": None}),
        this_run,
        data=(ids, targets, *validation),
        validation=batches(validation, VALIDATION_BATCH, shuffle=False) if validation else None,
        optimizer=lambda parameters, rate: torch.optim.Adam(
            parameters, rate, weight_decay=recipe.weight_decay, fused=True
        ),
        batches_per_turn=BATCHES_PER_TURN,
    )
    if words.folder is not None:
        describe_space(this_run.folder, words.folder)


def development_rows(words: Words, share: float) -> NDArray[np.int64]:
    """A share of the words with a split that are not held out, the same for every training on them, in order."""
    has_split = np.array([len(many) > 1 for many in words.candidates], dtype=bool)
    split = np.flatnonzero(has_split & ~words.held_out)
    chosen = np.random.default_rng(DEVELOPMENT_SEED).choice(split, size=round(share * len(split)), replace=False)
    return np.sort(chosen)


def _directions(words: Words, rows: NDArray[np.int64]) -> Tensor:
    """The vectors of words at unit length [N, d]."""
    vectors = torch.from_numpy(np.ascontiguousarray(words.vectors[rows], dtype=np.float32))
    return vectors / vectors.norm(dim=1, keepdim=True).clamp(min=1e-12)


def describe_space(model: Path, prepared: Path) -> None:
    """Copy into a model's folder what composes unseen words, and describe the folder."""
    for name in SPACE_FILES:
        if (prepared / name).exists():
            shutil.copyfile(prepared / name, model / name)
    parameters = read_card(prepared)["parameters"]
    raw_input = {name: parameters[name] for name in ("language", *KNOBS)}
    describe(model, "morph2vec", "composed_word_vectors", raw_input)


class CosineLoss:
    """The loss - mean cos(f, y) + penalty · mean |logit|; without the penalty outside of training.

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
        if self.penalty and model.training:
            loss = loss + self.penalty * composed.logits.abs().mean()
        return loss


def morph_rows(morphs: Sequence[str]) -> Mapping[str, int]:
    """The row of each morph in the table."""
    return {morph: row for row, morph in enumerate(morphs)}
