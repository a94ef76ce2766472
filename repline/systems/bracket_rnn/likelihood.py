"""Negative log-likelihood of bracketed text: of the words given the brackets, and of words and brackets."""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor
from torch.nn.functional import cross_entropy
from torch.utils.data import DataLoader

from repline.systems.bracket_rnn.awd_lstm import AWDLSTM
from repline.systems.bracket_rnn.model import BracketRNN
from repline.training.detached_state import detached
from repline.training.language_model_batches import IGNORED

PROBED = 20_000  # states that the probe of a model is fitted on, at most
BLOCK = 2048  # symbols whose logits are in memory at once


def bracket_likelihood(model: AWDLSTM, vocabulary: int) -> Callable[[tuple[Tensor, ...]], tuple[Tensor, Tensor]]:
    """The nats of words and of brackets, for `repline.evaluation.perplexity.likelihoods`.

    p(symbol) = p(kind) p(word | kind = word): the first kind of nats is -log p(word | a word comes next) of every word,
    the softmax over words alone, so that their perplexity is conditional on the brackets; the second is -log p(kind) of
    every symbol, word or bracket, which a model that has to predict brackets pays on top.

    Args:
        model: a Bracket-RNN; or an AWD-LSTM, to which only words come and the second kind is empty.
        vocabulary: V.

    Returns:
        batch of `stream_batches(..., predict=True)` -> (nats of the words [N], nats of the kinds [N + brackets]).
    """
    model.eval()
    carried: list[Any] = [None]

    @torch.inference_mode()
    def nats(batch: tuple[Tensor, ...]) -> tuple[Tensor, Tensor]:
        device = next(model.parameters()).device
        inputs, targets, mark = (part.to(device) for part in batch)
        fresh = mark.dtype != torch.bool or bool(mark) or carried[0] is None
        hidden, state = model(inputs, model.initial_state(len(inputs)) if fresh else carried[0])
        carried[0] = detached(state)
        counted = targets != IGNORED
        hidden, targets = hidden[counted], targets[counted]  # [N', d], [N']
        words, kinds = [], []
        for block_states, block_targets in zip(hidden.split(BLOCK), targets.split(BLOCK), strict=True):
            logits = model.decode(block_states)  # [n, V] or [n, V + 2]
            is_word = block_targets < vocabulary
            words.append(cross_entropy(logits[is_word, :vocabulary], block_targets[is_word], reduction="none"))
            if isinstance(model, BracketRNN):
                kind = torch.where(is_word, 0, block_targets - vocabulary + 1)
                kinds.append(-model.kinds(block_states, logits).gather(1, kind[:, None])[:, 0])
        return torch.cat(words), torch.cat(kinds) if kinds else hidden.new_empty(0)

    return nats


def fit_probe(model: BracketRNN, batches: DataLoader) -> None:
    """Fit only the layer that predicts whether a word, a `(` or a `)` follows, on the states of a trained model.

    The model was not trained to predict brackets; its probe makes it a joint model all the same, whose perplexity is an
    upper bound. Multinomial logistic regression, by L-BFGS, on the first states of the batches.
    """
    model.eval()
    states, kinds, state_count, carried = [], [], 0, None
    with torch.inference_mode():
        for batch in batches:
            inputs, targets, mark = (part.to(model.bias.device) for part in batch)
            fresh = mark.dtype != torch.bool or bool(mark)
            hidden, carried = model(inputs, model.initial_state(len(inputs)) if fresh else carried)
            counted = targets != IGNORED
            states.append(hidden[counted])
            kinds.append((targets[counted] - model.vocabulary + 1).clamp(min=0))
            state_count += len(states[-1])
            if state_count >= PROBED:
                break
    x, y = torch.cat(states).clone(), torch.cat(kinds)
    weights = torch.zeros_like(model.probe, requires_grad=True)
    search = torch.optim.LBFGS([weights], max_iter=50, line_search_fn="strong_wolfe")

    def loss() -> Tensor:
        search.zero_grad()
        value = cross_entropy(x @ weights[:, :-1].mT + weights[:, -1], y)
        value.backward()
        return value

    search.step(loss)
    model.probe.copy_(weights.detach())
