"""Train one model on a prepared corpus, keeping the weights of the epoch with the best retrieval on dev."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal, Unpack

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from repline.errors import InputError
from repline.layers.sentence_pooling import Pooling
from repline.parameters import Count, NotNegative, Positive, Share
from repline.systems.multilingual_seq2seq.corpus import Data, padded
from repline.systems.multilingual_seq2seq.model import Kind, MultilingualEncoderDecoder, similarity_loss
from repline.systems.multilingual_seq2seq.pair_batches import cut, pair_batches
from repline.systems.multilingual_seq2seq.retrieval import averages, translations_found
from repline.systems.multilingual_seq2seq.splits import part_of
from repline.training.fingerprint import fingerprint
from repline.training.fit import fit, save_trained
from repline.training.optimizers.schedules import plateau
from repline.training.settings import Training, settings_of

AT_ONCE = 512  # sentences that are encoded together
TOGETHER = 8  # batches in a turn of the loop
COMPARABLE_STEPS = 100  # after which both parts of the loss are compared


class Recipe(Training):
    """The parameters of `train_model`.

    Attributes:
        similarity: α, the weight of the distance between a sentence and its translation; in parts of
            L_NMT / L_sim after 100 steps without it, where `weighed` is comparable.
        weight_decay: β, the weight of ‖θ_enc‖².
        kind, dimensions, units, layers, pooling, dropout, own_words, deviation: of `MultilingualEncoderDecoder`.
        halve_after: the learning rate is halved after so many epochs without better retrieval on dev; None: never.
        bucketed: sentences of similar length share a batch.
        seeds: only so many of the corpus's; None for all.
    """

    kind: Kind = "lstm"
    similarity: NotNegative = 0.0
    weighed: Literal["as it is", "comparable"] = "as it is"
    weight_decay: NotNegative = 0.0
    dimensions: Count
    units: Count = 512
    layers: Count = 2
    pooling: Pooling = "mean"
    dropout: Share = 0.1
    own_words: bool = True
    deviation: Positive = 0.1
    halve_after: Count | None = None
    bucketed: bool = True
    seeds: Count | None = None


class JointLoss:
    """L_NMT both ways + α L_sim + β ‖θ_enc‖².

    Args:
        pairs: of languages, by their numbers in a batch.
        similarity: α.
        weight_decay: β.
    """

    def __init__(self, pairs: Sequence[Sequence[str]], similarity: float, weight_decay: float = 0.0):
        self.pairs, self.similarity, self.weight_decay = pairs, similarity, weight_decay

    def __call__(self, model: nn.Module, batch: tuple[Tensor, ...]) -> tuple[Tensor, int, dict[str, Tensor]]:
        """The loss of pairs (number of the languages [B], words [B, T], words [B, T']), how many, and its parts."""
        number, first, second = batch
        one, other = self.pairs[int(number[0])]
        vectors = model(stacked(first, second))
        source, target = vectors.split(len(first))
        translation = model.translation_loss(source, second, other) + model.translation_loss(target, first, one)
        distance = similarity_loss(source, target)
        loss = translation + self.similarity * distance
        if self.weight_decay:
            loss = loss + self.weight_decay * sum(weight.square().sum() for weight in model.encoder_parameters)
        norm = vectors.norm(dim=1).mean()
        return loss, len(first), {"translation": translation, "similarity": distance, "norm": norm}


def stacked(first: Tensor, second: Tensor) -> Tensor:
    """Both sides as one batch: [B, T], [B, T'] -> [2B, max(T, T')]."""
    width = max(first.shape[1], second.shape[1])
    return torch.cat([nn.functional.pad(one, (0, width - one.shape[1])) for one in (first, second)])


def train_model(
    data: Data,
    folder: str | Path,
    scratch: str | Path,
    *,
    pairs: Sequence[Sequence[str]],
    name: str,
    seed: int,
    threads: int = 1,
    **knobs: Unpack[Recipe],
) -> Path:
    """Train, and save the model.

    Args:
        pairs: of languages, of which each is learned both ways.
        scratch: checkpoints go to a folder in it, named by everything that the result depends on.
        name: of the run, unique in scratch.

    Returns:
        the folder of this run's checkpoints.

    Raises:
        InputError: a pair of languages without a text.
    """
    recipe = Recipe(**knobs)
    sides = pair_tensors(data, pairs)
    model = new_model(data, recipe, seed)
    settings = {"seed": seed, "pairs": [list(pair) for pair in pairs]} | settings_of(recipe)
    dev = {name: texts.ids for name, texts in data.sets.items() if part_of(name) == ("own", "dev")}
    mark = fingerprint(
        model,
        settings | {"threads": threads},
        (*sides, *(torch.from_numpy(padded(ids)) for own in dev.values() for ids in own.values())),
        loss=JointLoss,
        hardware=recipe.hardware,
    )
    checkpoints = Path(scratch) / f"multilingual_seq2seq-{name}-{seed}-{mark}"
    loader = pair_batches(*sides, recipe.batch, seed=seed, bucketed=recipe.bucketed)
    shared: dict[str, Any] = {"learning_rate": recipe.learning_rate, "gradient_clip": recipe.gradient_clip}
    shared |= {"seed": seed, "threads": threads, "hardware": recipe.hardware}
    weight = recipe.similarity
    if recipe.weighed == "comparable":
        some = torch.cat([rows for _, rows in zip(range(COMPARABLE_STEPS), loader.sampler, strict=False)])
        first_steps = pair_batches(*(side[some] for side in sides), recipe.batch, seed=seed)
        parts = fit(
            model, JointLoss(pairs, 0.0), first_steps, epochs=1, checkpoints=checkpoints / "comparable", **shared
        )[-1]
        weight *= parts["train_translation"] / parts["train_similarity"]
        model = new_model(data, recipe, seed)
    history = fit(
        model,
        JointLoss(pairs, weight, recipe.weight_decay),
        loader,
        epochs=recipe.epochs,
        measure=lambda model: dev_retrieval(model, data),
        highest="dev_retrieval",
        schedule=plateau(0.5, recipe.halve_after, monitor="dev_error") if recipe.halve_after else None,
        checkpoints=checkpoints / "joint",
        together=TOGETHER,
        name=f"{name}-{seed}",
        **shared,
    )
    save_trained(model, folder, history, settings, similarity_weight=weight)
    return checkpoints


def new_model(data: Data, recipe: Recipe, seed: int) -> MultilingualEncoderDecoder:
    """An untrained model."""
    torch.manual_seed(seed)
    shape = ("kind", "dimensions", "units", "layers", "pooling", "dropout", "own_words", "deviation")
    return MultilingualEncoderDecoder(data.words, data.rows, **{key: getattr(recipe, key) for key in shape})


def pair_tensors(data: Data, pairs: Sequence[Sequence[str]]) -> tuple[Tensor, Tensor, Tensor]:
    """The number of the pair of languages of each pair of texts [N], and both sides, int32 [N, T] and [N, T']."""
    numbers, first, second = [], [], []
    for number, (one, other) in enumerate(pairs):
        for language in (one, other):
            if language not in data.languages:
                raise InputError(f"pairs: no language {language!r}; there are {', '.join(data.languages)}")
        sides = data.learned(one, other)
        if not sides[0]:
            raise InputError(f"pairs: no training text in both {one} and {other}")
        numbers += [number] * len(sides[0])
        first += sides[0]
        second += sides[1]
    return torch.tensor(numbers), torch.from_numpy(padded(first)), torch.from_numpy(padded(second))


@torch.no_grad()
def embed(model: MultilingualEncoderDecoder, sentences: Sequence[Sequence[int]]) -> NDArray[np.float32]:
    """h of each sentence [N, d]; those of similar length are encoded together."""
    was_training = model.training
    model.eval()
    device = model.embedding.weight.device
    order = np.argsort([len(one) for one in sentences], kind="stable")
    found = np.empty((len(sentences), model.size), np.float32)
    for start in range(0, len(order), AT_ONCE):
        rows = order[start : start + AT_ONCE]
        ids = cut(torch.from_numpy(padded([sentences[row] for row in rows])))
        found[rows] = model.encode(ids.to(device)).cpu().numpy()
    model.train(was_training)
    return found


def dev_retrieval(model: MultilingualEncoderDecoder, data: Data) -> dict[str, float]:
    """Mean accuracy of retrieval between languages, over the sets of dev; and what is missing to one."""
    found = []
    for name, texts in data.sets.items():
        if part_of(name) == ("own", "dev"):
            rows = np.flatnonzero(texts.learned)
            vectors = {key: embed(model, [ids[row] for row in rows]) for key, ids in texts.ids.items()}
            right = translations_found(vectors)
            shares = {one: {other: float(own.mean()) for other, own in row.items()} for one, row in right.items()}
            found.append(averages(shares)["across"])
    accuracy = float(np.mean(found))
    return {"dev_retrieval": accuracy, "dev_error": 1 - accuracy}
