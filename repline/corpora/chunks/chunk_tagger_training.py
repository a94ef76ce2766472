"""Learn a chunk tagger: the likelihood of the gold paths under a linear-chain conditional random field.

    loss = log sum_y exp score(y) - score(gold)        per sentence

by sparse Adam over shuffled batches; in training a share of what is seen is left out (dropout), and the weights kept
are the mean over the last half of the epochs.

Source: Lafferty, McCallum & Pereira 2001; Sutton, Sindelar & McCallum 2006 for leaving out features.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from repline.corpora.chunks.chunk_tagger import ChunkTagger, Ids, Lists, known_symbols
from repline.errors import InputError

SORTED = 20  # batches among which sentences are ordered by length


def train(
    tokens: Lists,
    tags: Lists | None,
    chunks: Lists,
    *,
    minimum_count: int = 2,
    dropout: float = 0.3,
    learning_rate: float = 0.02,
    batch: int = 32,
    epochs: int = 6,
    seed: int = 0,
    progress: Callable[[int, float], None] | None = None,
) -> ChunkTagger:
    """Learn from sentences with chunks.

    Args:
        tokens, tags, chunks: equally long lists of equally long sentences; tags None for words alone.
        minimum_count: what is seen more rarely around a place gets no weight.
        dropout: the share of what is seen that is left out.
        learning_rate, batch, epochs: of Adam.
        progress: called with the epoch and its mean loss per sentence.

    Raises:
        InputError: no sentence, or sentences and their tags or chunks that differ in length.
    """
    for name, other in (("tags", tags), ("chunks", chunks)):
        if other is not None and list(map(len, tokens)) != list(map(len, other)):
            raise InputError(f"a chunk tagger needs as many {name} as words in each sentence; the two differ")
    kept = [number for number, sentence in enumerate(tokens) if len(sentence)]
    if not kept:
        raise InputError("there is no sentence with chunks to train a chunk tagger on")
    tokens, chunks = [tokens[number] for number in kept], [chunks[number] for number in kept]
    tags = None if tags is None else [tags[number] for number in kept]
    kinds = sorted({tag for sentence in chunks for tag in sentence})
    made = ChunkTagger(known_symbols(tokens, tags), kinds, [], np.zeros((0, len(kinds)), np.float32))
    for values in made.templates(tokens, tags):
        keys, counts = np.unique(values, return_counts=True)
        made.keys.append(keys[counts >= minimum_count])
    numbers = {tag: number for number, tag in enumerate(kinds)}
    gold = np.array([numbers[tag] for sentence in chunks for tag in sentence])
    made.weights = _learn(made, tokens, tags, gold, dropout, learning_rate, batch, epochs, seed, progress)
    return made


def _learn(
    made: ChunkTagger,
    tokens: Lists,
    tags: Lists | None,
    gold: Ids,
    dropout: float,
    learning_rate: float,
    batch: int,
    epochs: int,
    seed: int,
    progress: Callable[[int, float], None] | None,
) -> NDArray[np.float32]:
    import torch
    from torch.nn.functional import embedding_bag

    kinds, seen = len(made.chunks), made.seen(tokens, tags)
    lengths = np.array([len(sentence) for sentence in tokens])
    starts = np.cumsum(lengths) - lengths
    columns, rows = torch.from_numpy(seen.indices.astype(np.int64)), seen.indptr
    tag_ids, golden = torch.from_numpy(made.tag_ids(tokens, tags)), torch.from_numpy(gold)
    own = torch.zeros(seen.shape[1], kinds, requires_grad=True)
    steps = torch.zeros(kinds + 1, made.tag_count, kinds, requires_grad=True)  # T
    constant = torch.zeros(kinds, requires_grad=True)
    optimizers = [
        torch.optim.SparseAdam([own], learning_rate),
        torch.optim.Adam([steps, constant], learning_rate),
    ]
    random, generator = np.random.default_rng(seed), torch.Generator().manual_seed(seed)
    mean, counted = torch.zeros(seen.shape[1] + (kinds + 1) * made.tag_count + 1, kinds), 0
    for epoch in range(epochs):
        total = 0.0
        for sentences in _batches(lengths, batch, random):
            size = lengths[sentences]
            places = np.concatenate([np.arange(starts[row], starts[row] + lengths[row]) for row in sentences])
            there = torch.cat([columns[rows[starts[row]] : rows[starts[row] + lengths[row]]] for row in sentences])
            offsets = np.cumsum(np.diff(rows)[places]) - np.diff(rows)[places]
            kept = (torch.rand(len(there), generator=generator) >= dropout).float() / (1 - dropout)
            scores = constant + embedding_bag(  # E [N, K]
                there, own, torch.from_numpy(offsets), mode="sum", sparse=True, per_sample_weights=kept
            )
            loss = _loss(scores, steps, golden[places], tag_ids[places], size) / len(sentences)
            for optimizer in optimizers:
                optimizer.zero_grad()
            loss.backward()
            for optimizer in optimizers:
                optimizer.step()
            total += float(loss.detach()) * len(sentences)
        if epoch >= epochs // 2:
            weights = torch.cat([own, steps.flatten(0, 1), constant[None]]).detach()
            counted += 1
            mean += (weights - mean) / counted
        if progress:
            progress(epoch + 1, total / len(lengths))
    return mean.numpy()


def _loss(scores, steps, gold, tag_ids, size: NDArray[np.int64]):
    """Minus the log-likelihood of the paths of sentences, the longest first, whose places follow each other."""
    import torch

    kinds = scores.shape[1]
    first = np.cumsum(size) - size
    before = gold.roll(1)
    before[first] = kinds
    right = scores[torch.arange(len(gold)), gold].sum() + steps[before, tag_ids, gold].sum()
    alpha = scores[first] + steps[kinds, tag_ids[first]]  # [B, K]
    for place in range(1, int(size.max())):
        going = int((size > place).sum())
        at = first[:going] + place
        step = steps[:kinds, tag_ids[at]].transpose(0, 1)  # [B, K, K]
        alpha = torch.cat([torch.logsumexp(alpha[:going, :, None] + step, 1) + scores[at], alpha[going:]])
    return torch.logsumexp(alpha, 1).sum() - right


def _batches(lengths: Ids, size: int, random: np.random.Generator) -> list[Ids]:
    """Rows of similar length together, the longest first in each batch, in random order."""
    order, found = random.permutation(len(lengths)), []
    for start in range(0, len(order), size * SORTED):
        near = order[start : start + size * SORTED]
        near = near[np.argsort(-lengths[near], kind="stable")]
        found += [near[row : row + size] for row in range(0, len(near), size)]
    return [found[row] for row in random.permutation(len(found))]
