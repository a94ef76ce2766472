"""Train one model on a prepared corpus, keeping the weights of the epoch with the best retrieval on dev."""

from collections.abc import Sequence

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from repline.errors import InputError
from repline.systems.multilingual_seq2seq.corpus import Data
from repline.systems.multilingual_seq2seq.model import MultilingualEncoderDecoder, similarity_loss
from repline.systems.multilingual_seq2seq.pair_batches import cut, pair_batches
from repline.systems.multilingual_seq2seq.retrieval import averages, translations_found
from repline.systems.multilingual_seq2seq.settings import Recipe
from repline.systems.multilingual_seq2seq.splits import part_of
from repline.systems.multilingual_seq2seq.vocabulary import PAD
from repline.training.fingerprint import fingerprint
from repline.training.fit import fit
from repline.training.optimizers.schedules import plateau
from repline.training.padded_rows import padded_rows
from repline.training.run import Run, first_weights, run

AT_ONCE = 512  # sentences that are encoded together
BATCHES_PER_TURN = 8  # of the training loop
COMPARABLE_STEPS = 100  # over which both parts of the loss are compared


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


def train(recipe: Recipe, data: Data, pairs: Sequence[Sequence[str]], at: Run) -> None:
    """Train one model and save it.

    Args:
        pairs: of languages, of which each is learned both ways.

    Raises:
        InputError: a pair of languages without a text.
    """
    sides = pair_tensors(data, pairs)
    dev = [texts.ids for name, texts in data.sets.items() if part_of(name) == ("own", "dev")]
    weight = recipe.similarity
    if recipe.weighed == "comparable":
        weight *= comparable_weight(recipe, data, pairs, sides, at)
    run(
        new_model(data, recipe, at.seed),
        JointLoss(pairs, weight, recipe.weight_decay),
        pair_batches(*sides, recipe.batch, seed=at.seed, bucketed=recipe.bucketed),
        recipe,
        at,
        data=(*sides, *(padded_rows(ids, PAD, np.int32) for by_language in dev for ids in by_language.values())),
        settings={"pairs": [list(pair) for pair in pairs]},
        records=lambda history: {"similarity_weight": weight},
        measure=lambda model: dev_retrieval(model, data),
        highest="dev_retrieval",
        schedule=plateau(0.5, recipe.halve_after, monitor="dev_error") if recipe.halve_after else None,
        together=BATCHES_PER_TURN,
    )


def comparable_weight(
    recipe: Recipe, data: Data, pairs: Sequence[Sequence[str]], sides: tuple[Tensor, Tensor, Tensor], at: Run
) -> float:
    """L_NMT / L_sim, the means over the first steps of a training without the similarity loss.

    Args:
        sides: see `pair_tensors`.
    """
    order = pair_batches(*sides, recipe.batch, seed=at.seed, bucketed=recipe.bucketed).sampler
    first_rows = torch.cat([rows for _, rows in zip(range(COMPARABLE_STEPS), order, strict=False)])
    learned = [side[first_rows] for side in sides]
    model, loss, hardware = new_model(data, recipe, at.seed), JointLoss(pairs, 0.0), at.hardware_for(recipe)
    settings = recipe.record() | {"seed": at.seed, "pairs": [list(pair) for pair in pairs], "threads": at.threads}
    mark = fingerprint(model, settings, (*first_weights(model), *learned), loss=loss, hardware=hardware)
    losses = fit(
        model,
        loss,
        pair_batches(*learned, recipe.batch, seed=at.seed),
        epochs=1,
        learning_rate=recipe.learning_rate,
        gradient_clip=recipe.gradient_clip,
        seed=at.seed,
        checkpoints=at.checkpoint_folder(mark, "comparable"),
        threads=at.threads,
        hardware=hardware,
        checkpointing=at.checkpointing,
        name=f"{at.title}-comparable",
    )[-1]
    return losses["train_translation"] / losses["train_similarity"]


def new_model(data: Data, recipe: Recipe, seed: int) -> MultilingualEncoderDecoder:
    """An untrained model."""
    torch.manual_seed(seed)
    return MultilingualEncoderDecoder(
        data.words,
        data.rows,
        recipe.kind,
        recipe.dimensions,
        recipe.units,
        recipe.layers,
        recipe.pooling,
        recipe.dropout,
        recipe.own_words,
        recipe.deviation,
    )


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
    return (
        torch.tensor(numbers),
        torch.from_numpy(padded_rows(first, PAD, np.int32)),
        torch.from_numpy(padded_rows(second, PAD, np.int32)),
    )


@torch.no_grad()
def embed(model: MultilingualEncoderDecoder, sentences: Sequence[Sequence[int]]) -> NDArray[np.float32]:
    """h of each sentence [N, d]; those of similar length are encoded together."""
    was_training = model.training
    model.eval()
    device = model.embedding.weight.device
    order = np.argsort([len(sentence) for sentence in sentences], kind="stable")
    vectors = np.empty((len(sentences), model.size), np.float32)
    for start in range(0, len(order), AT_ONCE):
        rows = order[start : start + AT_ONCE]
        ids = cut(torch.from_numpy(padded_rows([sentences[row] for row in rows], PAD, np.int32)))
        vectors[rows] = model.encode(ids.to(device)).cpu().numpy()
    model.train(was_training)
    return vectors


def dev_retrieval(model: MultilingualEncoderDecoder, data: Data) -> dict[str, float]:
    """Mean accuracy of retrieval between languages, over the sets of dev; and what is missing to one."""
    accuracies = []
    for name, texts in data.sets.items():
        if part_of(name) == ("own", "dev"):
            rows = np.flatnonzero(texts.learned)
            vectors = {key: embed(model, [ids[row] for row in rows]) for key, ids in texts.ids.items()}
            right = translations_found(vectors)
            shares = {one: {other: float(hits.mean()) for other, hits in row.items()} for one, row in right.items()}
            accuracies.append(averages(shares)["across"])
    accuracy = float(np.mean(accuracies))
    return {"dev_retrieval": accuracy, "dev_error": 1 - accuracy}
