"""Train RRNet as a language model, or its LSTM, with the loop that all language models share."""

from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from repline.corpora.language_modeling.corpus import LanguageModelingCorpus
from repline.evaluation.perplexity import perplexity
from repline.systems.rrnet.language_model import RRNetLanguageModel
from repline.systems.rrnet.model import operation_shares
from repline.systems.rrnet.settings import LanguageModelRecipe
from repline.training.language_model_batches import IGNORED, contiguous
from repline.training.language_models import BATCHES_PER_TURN, language_modeling_loss, negative_log_likelihood
from repline.training.optimizers.adam import adam
from repline.training.optimizers.schedules import plateau
from repline.training.run import Run, run
from repline.use.corpus_spelling import CorpusSpelling
from repline.use.folders import describe


def train_rrnet_language_model(recipe: LanguageModelRecipe, corpus: str | Path, this_run: Run) -> None:
    """Train one language model, and save it with the history of its training.

    Args:
        corpus: a folder of `repline.corpora.language_modeling.corpus.build`.

    Raises:
        InputError: the corpus is not there or has fewer words than asked for.
    """
    view = LanguageModelingCorpus.load(corpus, recipe.vocabulary)
    torch.manual_seed(this_run.seed)
    model = RRNetLanguageModel(
        view.words,
        embedding=recipe.embedding,
        units=recipe.units,
        kind=recipe.kind,
        depth=recipe.depth,
        memory=recipe.memory,
        most=recipe.most,
        tied=recipe.tied,
        dropout_input=recipe.dropout_input,
        dropout_output=recipe.dropout_output,
        discount=recipe.discount,
        baseline=recipe.baseline,
        policy_weight=recipe.policy_weight,
        entropy_weight=recipe.entropy_weight,
        baseline_weight=recipe.baseline_weight,
    )
    ids, validation = view.ids("train")[: recipe.train_tokens], view.ids("validation")[: recipe.validation_tokens]
    beta_1, beta_2 = recipe.betas
    run(
        model,
        language_modeling_loss(),
        contiguous(ids, recipe.batch, recipe.steps),
        recipe,
        this_run,
        data=(ids, validation),
        settings={"threads": this_run.threads},
        validation=contiguous(validation, recipe.batch, recipe.steps),
        optimizer=lambda weights, rate: adam(
            weights, rate, betas=(beta_1, beta_2), eps=recipe.epsilon, weight_decay=recipe.weight_decay
        ),
        schedule=None if recipe.decay is None else plateau(recipe.decay, recipe.decay_patience, recipe.minimum_rate),
        batches_per_turn=BATCHES_PER_TURN,
    )
    text = CorpusSpelling.of_corpus(view.folder).record()
    describe(this_run.folder, "rrnet", "language_model", {"text": text})


def stream_perplexity(
    model: RRNetLanguageModel, view: LanguageModelingCorpus, split: str, *, batch: int, steps: int
) -> tuple[float, dict[str, float] | None, NDArray[np.float64]]:
    """Perplexity of a split, the state carried over the whole stream, and how often each operation was executed.

    Args:
        model: of the same words as `view`.
        batch, steps: rows of the stream, and words of a segment.

    Returns:
        (perplexity, shares of split, merge and recur, or None for an LSTM, and [N, 2] the nats and the words of each
        row of each segment).
    """
    likelihood, operations = negative_log_likelihood(model), list[Tensor]()
    pieces: list[NDArray[np.float64]] = []

    def nats(segment: tuple[Tensor, Tensor, Tensor]) -> Tensor:
        values = likelihood(segment)
        words = (segment[1] != IGNORED).sum(1).numpy()  # [B]
        rows = np.repeat(np.arange(len(words)), words)
        sums = np.bincount(rows, weights=values.cpu().double().numpy(), minlength=len(words))
        pieces.append(np.stack([sums, words], 1))
        if model.operations is not None:
            operations.append(model.operations)
        return values

    measured = perplexity(nats, contiguous(view.ids(split), batch, steps))
    return measured, operation_shares(operations) if operations else None, np.concatenate(pieces)
