"""Training steps and composition of morph2vec over real candidates, compared with padding to 10 candidates of 4."""

import os
from functools import partial

os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np
import torch
from torch import Tensor, nn

from benchmarks.timing import line, paired
from repline.systems.morph2vec.model import Morph2Vec
from repline.systems.morph2vec.training import CosineLoss

MORPHS, WORDS, BATCH = 20_000, 4_096, 128
KEEP, SEGMENTS = 10, 4  # of the authors' program
PAPER = {"dimensions": 300, "embedding": 75, "units": 300}
GOAL = 5


class Padded(nn.Module):
    """Morph2Vec as the authors write it: every word has 10 candidates of 4 morphs, the unused ones masked."""

    def __init__(self, model: Morph2Vec, units: int):
        super().__init__()
        self.table, self.projection, self.attention = model.table, model.projection, model.attention
        self.lstm = nn.LSTM(model.table.embedding_dim, units, batch_first=True, bidirectional=True)

    def compose(self, candidates: Tensor) -> "Padded":
        words, keep, segments = candidates.shape
        ids = candidates.reshape(-1, segments)
        real = ids >= 0
        states, _ = self.lstm(self.table(ids.clamp(min=0)))  # [B S, T, 2u]
        ahead, back = states.chunk(2, dim=2)
        last = (real.sum(1) - 1).clamp(min=0)
        ends = torch.cat([ahead[torch.arange(len(ids)), last], back[:, 0]], dim=1)
        vectors = self.projection(ends).view(words, keep, -1)
        logits = self.attention(vectors).masked_fill(~real.view(words, keep, segments)[:, :, 0], -torch.inf)
        self.vectors = (logits.softmax(1)[:, :, None] * vectors).sum(1)
        return self


def main() -> None:
    torch.set_num_threads(1)
    torch.manual_seed(0)
    candidates = _candidates(np.random.default_rng(0))
    real = float((candidates[:, :, 0] >= 0).sum(1).float().mean())
    print(f"one thread, {WORDS} words of {real:.1f} candidates on average")
    print(f"{'':<72} {'repline':>13} {'peer':>13} {'ratio':>8}")
    targets = torch.randn(WORDS, PAPER["dimensions"])
    model = Morph2Vec([str(number) for number in range(MORPHS)], **PAPER)
    peer = Padded(model, PAPER["units"])
    ours, theirs = paired(partial(_steps, model, candidates, targets), partial(_steps, peer, candidates, targets), 3)
    line(f"{8 * BATCH} words trained on, sizes of the paper: against padding to 10 x 4", ours, theirs, GOAL)
    print(f"  {8 * BATCH / ours:,.0f} words a second here, {8 * BATCH / theirs:,.0f} padded")
    with torch.inference_mode():
        ours, theirs = paired(lambda: model.compose(candidates), lambda: peer.compose(candidates), 3)
    line(f"{WORDS} words composed: against padding to 10 x 4", ours, theirs, GOAL)


def _steps(model: nn.Module, candidates: Tensor, targets: Tensor) -> None:
    """Forward, backward and the gradients of the weights, without the optimiser, which both sides share."""
    loss = CosineLoss()
    for start in range(0, 8 * BATCH, BATCH):
        rows = slice(start, start + BATCH)
        model.zero_grad()
        loss(model, (candidates[rows], targets[rows])).backward()


def _candidates(rng: np.random.Generator) -> Tensor:
    """Words as in GloVe's first 20,000: two thirds without a split, the others with up to nine."""
    ids = np.full((WORDS, KEEP, SEGMENTS), -1)
    rank = np.minimum(rng.zipf(1.3, size=ids.shape), MORPHS) - 1
    for word in range(WORDS):
        splits = 0 if rng.random() < 0.65 else min(KEEP - 1, rng.geometric(0.5))
        for candidate in range(splits):
            length = 2 + min(SEGMENTS - 2, rng.geometric(0.7) - 1)
            ids[word, candidate, :length] = rank[word, candidate, :length]
            ids[word, candidate, 0] = word  # the stem
        ids[word, splits, 0] = MORPHS - 1 - word  # the word itself
    return torch.from_numpy(ids)


if __name__ == "__main__":
    main()
