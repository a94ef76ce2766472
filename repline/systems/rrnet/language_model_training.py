"""Train RRNet as a language model, or its LSTM, with the loop that all language models share."""

from pathlib import Path
from typing import Literal

import numpy as np
import torch
from numpy.typing import NDArray

from repline.corpora.language_modeling.corpus import LanguageModelingCorpus
from repline.evaluation.perplexity import perplexity
from repline.systems.rrnet.language_model import RRNetLanguageModel
from repline.systems.rrnet.model import operation_shares
from repline.training.fit import fingerprint, save_trained
from repline.training.language_model_batches import IGNORED, contiguous
from repline.training.language_models import negative_log_likelihood, train_language_model


def train_rrnet_language_model(
    corpus: str | Path,
    folder: str | Path,
    scratch: str | Path,
    *,
    name: str,
    seed: int,
    kind: Literal["learned", "recur", "lstm"],
    vocabulary: int | None,
    train_tokens: int | None = None,
    validation_tokens: int | None = None,
    embedding: int,
    units: int,
    depth: int = 2,
    most: int = 0,
    memory: Literal["merge", "carry"] = "carry",
    tied: bool = False,
    dropout_input: float,
    dropout_output: float,
    baseline: Literal["mean", "value"] = "value",
    discount: float = 0.95,
    policy_weight: float = 1.0,
    entropy_weight: float = 0.02,
    baseline_weight: float = 0.1,
    learning_rate: float,
    weight_decay: float = 0.0,
    betas: list[float],
    epsilon: float = 1e-8,
    decay: float | None = None,
    decay_patience: int = 5,
    minimum_rate: float = 0.0,
    batch: int,
    steps: int,
    epochs: int,
    gradient_clip: float | None,
    threads: int = 1,
    accelerator: str = "auto",
    devices: int = 1,
    strategy: str = "auto",
) -> Path:
    """Train one language model and save it into `folder`, with the history of its training.

    Args:
        corpus: a folder of `repline.corpora.language_modeling.corpus.build`.
        folder: replaces what was there.
        scratch: for checkpoints.
        name: of the variant, for messages.
        seed: of the weights, dropout and the operations that are drawn.
        vocabulary: the words that are kept; None for all.
        train_tokens, validation_tokens: the first of these streams; None for all.
        kind, embedding, units, depth, most, memory, tied, dropout_input, dropout_output, baseline, discount,
            policy_weight, entropy_weight, baseline_weight: of `rrnet.language_model.RRNetLanguageModel`.
        learning_rate, weight_decay, betas, epsilon: of Adam.
        decay, decay_patience, minimum_rate: of the learning rate, see `train_language_model`.
        batch, steps: rows of the stream, and words of a segment.
        epochs, gradient_clip, threads, accelerator, devices, strategy: of `repline.training.fit`.

    Returns:
        The folder of checkpoints, for the caller to remove.

    Raises:
        InputError: the corpus is not there or has fewer words than asked for.
    """
    settings = {key: value for key, value in locals().items() if key not in ("corpus", "folder", "scratch", "name")}
    view = LanguageModelingCorpus.load(corpus, vocabulary)
    torch.manual_seed(seed)
    model = RRNetLanguageModel(
        view.words,
        embedding,
        units,
        kind,
        depth,
        memory,
        most,
        tied,
        dropout_input,
        dropout_output,
        baseline,
        discount,
        policy_weight,
        entropy_weight,
        baseline_weight,
    )
    ids, held = view.ids("train")[:train_tokens], view.ids("validation")[:validation_tokens]
    mark = fingerprint(model, settings, [torch.from_numpy(each.astype("int32")) for each in (ids, held)])
    checkpoints = Path(scratch) / f"rrnet-language_model-{name}-{seed}-{mark}"
    history = train_language_model(
        model,
        contiguous(ids, batch, steps),
        contiguous(held, batch, steps),
        epochs=epochs,
        learning_rate=learning_rate,
        seed=seed,
        checkpoints=checkpoints,
        optimizer=lambda parameters, rate: torch.optim.Adam(
            parameters, rate, betas=tuple(betas), eps=epsilon, weight_decay=weight_decay
        ),
        gradient_clip=gradient_clip,
        decay=decay,
        decay_patience=decay_patience,
        minimum_rate=minimum_rate,
        threads=threads,
        accelerator=accelerator,
        devices=devices,
        strategy=strategy,
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
