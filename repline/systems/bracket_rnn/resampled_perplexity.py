"""Perplexities of bracketed text on resampled sentences: the replicates of the evaluation.

The likelihood of every sentence is measured once. A replicate draws the models (seeds) and the sentences, the same
sentences for models that read brackets and for those that do not, so that their differences are paired.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from repline.evaluation.nested_measures import Replicate
from repline.evaluation.perplexity import RowLikelihoods, row_likelihoods
from repline.evaluation.replication.bootstrap import REPLICATES, bootstrap, merge_replicates
from repline.systems.bracket_rnn.awd_lstm import AWDLSTM
from repline.systems.bracket_rnn.corpus import BracketedCorpus
from repline.systems.bracket_rnn.likelihood import bracket_likelihood
from repline.systems.bracket_rnn.model import BracketRNN
from repline.systems.bracket_rnn.training import stream_batches
from repline.training.language_model_batches import IGNORED

Splits = Mapping[str, tuple[RowLikelihoods, RowLikelihoods]]  # of each split: of its words, of words and brackets


def text_likelihoods(
    model: AWDLSTM | BracketRNN, text: BracketedCorpus, split: str, batch: int, steps: int | None = None
) -> tuple[RowLikelihoods, RowLikelihoods]:
    """Likelihoods of words given the brackets, and of the kinds of all symbols; rows are sentences, in their order.

    In a stream (with `steps`) a row is what one row of the batch reads from its first to its last sentence.
    A model that reads no brackets has no kinds: their counts are 0.

    Args:
        batch, steps: of the training.
    """
    loader = stream_batches(text, split, batch, steps, predict=True, shuffle=False)
    reads_brackets = isinstance(model, BracketRNN)

    def is_counted(batch_of_text: tuple[Any, ...]) -> tuple[Any, ...]:
        targets = batch_of_text[1]
        counted = targets != IGNORED
        return counted & (targets < len(text)), counted & reads_brackets

    likelihoods = row_likelihoods(bracket_likelihood(model, len(text)), loader, is_counted)
    words, kinds = (_of_sentences(rows, text, split, batch, steps) for rows in likelihoods)
    return words, kinds


def perplexity_replicates(runs: Sequence[Splits], replicates: int = REPLICATES) -> list[Replicate]:
    """{split: {perplexity, joint}} of resampled runs on resampled sentences, as in the metrics."""
    parts = []
    for split in runs[0]:
        runs_of_split = [run[split] for run in runs]
        resampled = bootstrap(_perplexities, runs_of_split, len(runs_of_split[0][0].nats), replicates)
        parts.append([{split: replicate} for replicate in resampled])
    return merge_replicates(*parts)


def _perplexities(run: tuple[RowLikelihoods, RowLikelihoods], sentences: NDArray) -> dict[str, float]:
    words, kinds = (rows.total(sentences) for rows in run)
    return {"perplexity": words.perplexity, "joint": words.jointly(kinds).perplexity}


def _of_sentences(
    rows: RowLikelihoods, text: BracketedCorpus, split: str, batch: int, steps: int | None
) -> RowLikelihoods:
    """Rows as the batches have them (sentences by their length, or segments of a stream) in the order of the corpus."""
    if steps is not None:
        return RowLikelihoods(*(part.reshape(-1, batch).sum(0) for part in (rows.nats, rows.words)))
    order = np.diff(text.sentences(split)).argsort(kind="stable")
    back = np.empty_like(order)
    back[order] = np.arange(len(order))
    return RowLikelihoods(rows.nats[back], rows.words[back])
