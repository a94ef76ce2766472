"""Train one model on the pairs of a corpus, and save its losses on the held-out pairs."""

from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn.functional import cross_entropy

from repline.errors import InputError
from repline.systems.rnn_cnn import encoder
from repline.systems.rnn_cnn.corpus import Corpus
from repline.systems.rnn_cnn.model import UNKNOWN, ContextModel
from repline.systems.rnn_cnn.settings import Recipe
from repline.training.batches import batches
from repline.training.fit import save_trained
from repline.training.run import Run, run

HELD_OUT = "held_out.npz"  # next to a model
HELD_OUT_BATCH = 64  # pairs
BATCHES_PER_TURN = 8  # of the training loop


class ContextLoss:
    """The mean of -log P(w) over the targets of a batch that are in the vocabulary, and their number.

    Args:
        corpus: a batch is numbers of its pairs [B].
        targets, source_words: of `Recipe`.
    """

    def __init__(self, corpus: Corpus, targets: int, source_words: int):
        self.stream = torch.from_numpy(np.array(corpus.stream))
        self.sentences = torch.from_numpy(np.array(corpus.sentences))
        self.targets, self.source_words = targets, source_words

    def __call__(self, model: ContextModel, batch: tuple[Tensor, ...]) -> tuple[Tensor, Tensor]:
        sources, lengths, targets = self.read(batch[0])
        total, count = model.losses(model(sources, lengths, targets), targets)
        count = count.clamp(min=1)
        return total / count, count

    def read(self, pairs: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Sentences [B, M], their lengths [B] and the words that follow [B, N] of pairs [B]."""
        if self.stream.device != pairs.device:
            self.stream, self.sentences = self.stream.to(pairs.device), self.sentences.to(pairs.device)
        starts, ends = self.sentences[pairs], self.sentences[pairs + 1]
        lengths = (ends - starts).clamp(max=self.source_words)
        positions = starts[:, None] + torch.arange(int(lengths.max()), device=pairs.device)
        sources = self.stream[
            positions.clamp(max=len(self.stream) - 1)
        ]  # the next sentence stands behind the end of each
        targets = self.stream[ends[:, None] + torch.arange(self.targets, device=pairs.device)]
        return sources.long(), lengths, targets.long()

    def lengths(self, pairs: Tensor) -> Tensor:
        """Number of words that are read of the sentence of each pair [B]."""
        return (self.sentences[pairs + 1] - self.sentences[pairs]).clamp(max=self.source_words)


def train(recipe: Recipe, corpus: Corpus, vectors: NDArray[np.float32], origin: str | Path, this_run: Run) -> None:
    """Train a model and save it as an encoder, with `held_out.npz`, the nats of each held-out pair's targets.

    Args:
        vectors: of the corpus's words, [V, d]; the model begins with them.
        origin: the folder of all pre-trained vectors, for words that the corpus lacks.

    Raises:
        InputError: too little text for a pair of either part.
    """
    torch.manual_seed(this_run.seed)
    model = ContextModel(
        corpus.words,
        vectors.shape[1],
        recipe.units,
        recipe.targets,
        recipe.pooling,
        recipe.decoder,
        recipe.feed,
        recipe.channels,
        recipe.decoder_units,
    )
    model.begin(torch.from_numpy(vectors))
    loss = ContextLoss(corpus, recipe.targets, recipe.source_words)
    pairs = _drawn(_pairs(corpus, recipe.targets, False), recipe.pairs, this_run.seed)
    held_out = _pairs(corpus, recipe.targets, True)
    if recipe.trained:
        run(
            model,
            loss,
            batches([pairs], recipe.batch, seed=this_run.seed, lengths=loss.lengths(pairs)),
            recipe,
            this_run,
            data=(loss.stream, loss.sentences, pairs),
            batches_per_turn=BATCHES_PER_TURN,
        )
    else:
        save_trained(model, this_run.folder, [], {"seed": this_run.seed} | recipe.record())
    np.savez(this_run.folder / HELD_OUT, allow_pickle=False, **held_out_nats(model, loss, held_out, this_run.seed))
    encoder.write(this_run.folder, vectors=origin, vocabulary=corpus.words, splitter=corpus.splitter)


@torch.no_grad()
def held_out_nats(model: ContextModel, loss: ContextLoss, pairs: Tensor, seed: int) -> dict[str, NDArray[np.float64]]:
    """Mean nats of each pair's targets that are in the vocabulary [P], nan where none is.

    Returns:
        "nats", and "swapped" with the sentence of another pair: the difference is what the sentence contributes.
    """
    torch.manual_seed(seed)
    model.eval()
    device = model.embedding.weight.device
    nats: dict[str, list[Tensor]] = {"nats": [], "swapped": []}
    for batch in _batches_of_two_or_more(pairs):
        sources, lengths, targets = loss.read(batch.to(device))
        vectors = model.sentence_vectors(model.embedding(sources), lengths)
        for kind, encoded in (("nats", vectors), ("swapped", vectors.roll(1, 0))):
            logits = model.logits(model.decoded(encoded, targets))  # [B, N, V]
            target_nats = cross_entropy(logits.mT, targets - 1, ignore_index=UNKNOWN - 1, reduction="none").double()
            nats[kind].append((target_nats.sum(1) / (targets != UNKNOWN).sum(1)).cpu())  # 0 / 0 is nan
    return {kind: torch.cat(parts).numpy() for kind, parts in nats.items()}


def _batches_of_two_or_more(pairs: Tensor) -> list[Tensor]:
    """Batches in order, whose sentences can be swapped: a last pair that would be alone joins the batch before."""
    batches = list(pairs.split(HELD_OUT_BATCH))
    if len(batches) > 1 and len(batches[-1]) == 1:
        batches[-2:] = [torch.cat(batches[-2:])]
    return batches


def _pairs(corpus: Corpus, targets: int, held_out: bool) -> Tensor:
    pairs = torch.from_numpy(corpus.pairs(targets, held_out))
    if len(pairs) < 2:
        part = "held-out part" if held_out else "training part"
        raise InputError(
            f"the {part} of the text has {len(pairs)} sentences with {targets} words of the same document behind them, "
            "and two are needed; take more text, longer documents, or fewer targets"
        )
    return pairs


def _drawn(pairs: Tensor, size: int | None, seed: int) -> Tensor:
    """A random sample of `size` pairs, in their original order; all of them for None."""
    if size is None or size >= len(pairs):
        return pairs
    generator = torch.Generator().manual_seed(seed)
    return pairs[torch.randperm(len(pairs), generator=generator)[:size].sort().values]
