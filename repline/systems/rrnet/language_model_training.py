"""Train RRNet as a language model, or its LSTM, with the loop that all language models share."""

from pathlib import Path
from typing import Unpack

import numpy as np
import torch
from numpy.typing import NDArray

from repline.corpora.language_modeling.corpus import LanguageModelingCorpus
from repline.evaluation.perplexity import perplexity
from repline.parameters import Count, NotNegative, Positive, Share, part
from repline.systems.rrnet.language_model import RRNetLanguageModel, Sizes
from repline.systems.rrnet.model import operation_shares
from repline.training.fingerprint import fingerprint
from repline.training.fit import save_trained
from repline.training.language_model_batches import IGNORED, contiguous
from repline.training.language_models import (
    language_modeling_loss,
    negative_log_likelihood,
    train_language_model,
)
from repline.training.optimizers.adam import adam
from repline.training.settings import Training, settings_of


class Recipe(Sizes, Training):
    """The parameters of `train_rrnet_language_model`, beside those of the model.

    vocabulary: the words that are kept; None for all.
    train_tokens, validation_tokens: the first of these streams; None for all.
    weight_decay, betas, epsilon: of Adam.
    decay, decay_patience, minimum_rate: of the learning rate, see `train_language_model`.
    batch, steps: rows of the stream, and words of a segment.
    """

    vocabulary: Count | None
    train_tokens: Count | None = None
    validation_tokens: Count | None = None
    weight_decay: NotNegative = 0.0
    betas: list[float]
    epsilon: Positive = 1e-8
    decay: Share | None = None
    decay_patience: Count = 5
    minimum_rate: NotNegative = 0.0
    steps: Count


def train_rrnet_language_model(
    corpus: str | Path,
    folder: str | Path,
    scratch: str | Path,
    *,
    name: str,
    seed: int,
    threads: int = 1,
    **knobs: Unpack[Recipe],
) -> Path:
    """Train one language model and save it into `folder`, with the history of its training.

    Args:
        corpus: a folder of `repline.corpora.language_modeling.corpus.build`.
        folder: replaces what was there.
        scratch: for checkpoints.
        name: of the variant, for messages.
        seed: of the weights, dropout and the operations that are drawn.
        threads: of `repline.training.fit`.

    Returns:
        The folder of checkpoints, for the caller to remove.

    Raises:
        InputError: the corpus is not there or has fewer words than asked for.
    """
    recipe = Recipe(**knobs)
    settings = {"seed": seed, "threads": threads} | settings_of(recipe)
    view = LanguageModelingCorpus.load(corpus, recipe.vocabulary)
    torch.manual_seed(seed)
    model = RRNetLanguageModel(view.words, **part(Sizes, recipe))
    ids, held = view.ids("train")[: recipe.train_tokens], view.ids("validation")[: recipe.validation_tokens]
    mark = fingerprint(model, settings, (ids, held), loss=language_modeling_loss, hardware=recipe.hardware)
    checkpoints = Path(scratch) / f"rrnet-language_model-{name}-{seed}-{mark}"
    history = train_language_model(
        model,
        contiguous(ids, recipe.batch, recipe.steps),
        contiguous(held, recipe.batch, recipe.steps),
        epochs=recipe.epochs,
        learning_rate=recipe.learning_rate,
        seed=seed,
        checkpoints=checkpoints,
        optimizer=lambda parameters, rate: adam(
            parameters, rate, betas=tuple(recipe.betas), eps=recipe.epsilon, weight_decay=recipe.weight_decay
        ),
        gradient_clip=recipe.gradient_clip,
        decay=recipe.decay,
        decay_patience=recipe.decay_patience,
        minimum_rate=recipe.minimum_rate,
        threads=threads,
        hardware=recipe.hardware,
        name=f"language model {name} seed {seed}",
    )
    save_trained(model, folder, history, settings)
    return checkpoints


def stream_perplexity(
    model: RRNetLanguageModel, view: LanguageModelingCorpus, split: str, *, batch: int, steps: int
) -> tuple[float, dict[str, float] | None, NDArray[np.float64]]:
    """Perplexity of a split, the state carried over the whole stream, and how often each operation was done.

    Args:
        model: of the same words as `view`.
        batch, steps: rows of the stream, and words of a segment.

    Returns:
        (perplexity, shares of split, merge and recur, or None for an LSTM, and [N, 2] the nats and the words of each
        row of each segment).
    """
    likelihood, done = negative_log_likelihood(model), []
    pieces: list[NDArray[np.float64]] = []

    def nats(segment):
        values = likelihood(segment)
        words = (segment[1] != IGNORED).sum(1).numpy()  # [B]
        rows = np.repeat(np.arange(len(words)), words)
        sums = np.bincount(rows, weights=values.cpu().double().numpy(), minlength=len(words))
        pieces.append(np.stack([sums, words], 1))
        if model.operations is not None:
            done.append(model.operations)
        return values

    measured = perplexity(nats, contiguous(view.ids(split), batch, steps))
    return measured, operation_shares(done) if done else None, np.concatenate(pieces)
