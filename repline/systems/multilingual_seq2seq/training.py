"""Train one model on a prepared corpus.

With the similarity loss the weights of the epoch with the best retrieval on dev are kept. Without it retrieval is near
chance in every epoch and says nothing of them, so that the last is kept: the control learns as long as the others.
"""

import json
import shutil
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn

from repline.errors import InputError, shown
from repline.files import write_json
from repline.parameters import JsonObject
from repline.systems.multilingual_seq2seq.corpus import Data
from repline.systems.multilingual_seq2seq.encoding import embed
from repline.systems.multilingual_seq2seq.model import MultilingualEncoderDecoder, similarity_loss
from repline.systems.multilingual_seq2seq.pair_batches import pair_batches
from repline.systems.multilingual_seq2seq.retrieval import averages, translations_found
from repline.systems.multilingual_seq2seq.settings import Recipe
from repline.systems.multilingual_seq2seq.splits import part_of
from repline.systems.multilingual_seq2seq.vocabulary import PAD
from repline.training.fingerprint import fingerprint
from repline.training.fit import fit
from repline.training.optimizers.schedules import plateau
from repline.training.padded_rows import padded_rows
from repline.training.run import Run, first_weights, run
from repline.use.folders import describe

BATCHES_PER_TURN = 8  # of the training loop
TRIED = "weight_decays.json"  # in a model's folder: retrieval on dev by β, where several were tried
COMPARABLE_STEPS = 100  # over which both parts of the loss are compared


class JointLoss:
    """The loss L_NMT both ways + α L_sim + β ‖θ_enc‖².

    Args:
        pairs: of languages, by their numbers in a batch.
        similarity: α.
        weight_decay: β.
    """

    def __init__(self, pairs: Sequence[Sequence[str]], similarity: float, weight_decay: float = 0.0):
        self.pairs, self.similarity, self.weight_decay = pairs, similarity, weight_decay

    def __call__(
        self, model: MultilingualEncoderDecoder, batch: tuple[Tensor, ...]
    ) -> tuple[Tensor, int, dict[str, Tensor]]:
        """The loss of B sentence pairs, B, and the parts of the loss.

        Args:
            batch: number of the pair of languages [B], words [B, T], words [B, T'].
        """
        number, first, second = batch
        first_language, second_language = self.pairs[int(number[0])]
        vectors = model(stacked(first, second))
        source, target = vectors.split(len(first))
        forward_loss = model.translation_loss(source, second, second_language)
        translation = forward_loss + model.translation_loss(target, first, first_language)
        distance = similarity_loss(source, target)
        loss = translation + self.similarity * distance
        if self.weight_decay:
            loss = loss + self.weight_decay * sum(weight.square().sum() for weight in model.encoder_parameters)
        norm = vectors.norm(dim=1).mean()
        return loss, len(first), {"translation": translation, "similarity": distance, "norm": norm}


def stacked(first: Tensor, second: Tensor) -> Tensor:
    """Both sides as one batch: [B, T], [B, T'] -> [2B, max(T, T')]."""
    width = max(first.shape[1], second.shape[1])
    return torch.cat([nn.functional.pad(side, (0, width - side.shape[1])) for side in (first, second)])


def train(recipe: Recipe, data: Data, pairs: Sequence[Sequence[str]], this_run: Run) -> None:
    """Train one model and save it; of several β, that with the best retrieval on dev in the epoch that is kept.

    Args:
        pairs: of languages; each is learned both ways.

    Raises:
        InputError: a pair of languages without a text.
    """
    if not recipe.weight_decays:
        train_model(recipe, data, pairs, this_run)
        return
    folders = {
        beta: this_run.folder.with_name(f"{this_run.folder.name}-beta-{beta:g}") for beta in recipe.weight_decays
    }
    retrieval = {}
    for beta, folder in folders.items():
        tried = recipe.model_copy(update={"weight_decay": beta, "weight_decays": []})
        train_model(tried, data, pairs, replace(this_run, folder=folder))
        retrieval[beta] = kept_epoch(folder)["dev_retrieval"]
    best = max(retrieval, key=lambda beta: retrieval[beta])
    folders[best].rename(this_run.folder)
    for beta, folder in folders.items():
        if beta != best:
            shutil.rmtree(folder)
    write_json(this_run.folder / TRIED, {f"{beta:g}": share for beta, share in retrieval.items()})


def kept_epoch(folder: Path) -> dict[str, float]:
    """The record of the epoch whose weights a trained model has, and its number `epoch`."""
    history = json.loads((folder / "training.json").read_text(encoding="utf-8"))["history"]
    if not selects_epoch(folder):
        return history[-1]
    return max(history, key=lambda epoch: epoch["dev_retrieval"])  # the first of equally good ones


def selects_epoch(folder: Path) -> bool:
    """Whether a trained model has the weights of the epoch that was best on dev, and not those of the last."""
    return bool(json.loads((folder / "training.json").read_text(encoding="utf-8"))["settings"]["similarity"])


def train_model(recipe: Recipe, data: Data, pairs: Sequence[Sequence[str]], this_run: Run) -> None:
    """Train one model with its β, and save it."""
    sides = pair_tensors(data, pairs)
    dev = [texts.ids for name, texts in data.sets.items() if part_of(name) == ("own", "dev")]
    weight = recipe.similarity
    if recipe.weighed == "comparable":
        weight *= comparable_weight(recipe, data, pairs, sides, this_run)
    run(
        new_model(data, recipe, this_run.seed),
        JointLoss(pairs, weight, recipe.weight_decay),
        pair_batches(*sides, recipe.batch, seed=this_run.seed, bucketed=recipe.bucketed),
        recipe,
        this_run,
        data=(*sides, *(padded_rows(ids, PAD, np.int32) for by_language in dev for ids in by_language.values())),
        settings={"pairs": [list(pair) for pair in pairs]},
        records=lambda history: {"similarity_weight": weight},
        measure=lambda model: dev_retrieval(model, data),
        highest="dev_retrieval" if recipe.similarity else None,
        schedule=plateau(0.5, recipe.halve_after, monitor="dev_error") if recipe.halve_after else None,
        batches_per_turn=BATCHES_PER_TURN,
    )
    splitting = data.splitting
    tokens = {language: splitting.tokens.get(language) for language in data.languages}
    raw_input: JsonObject = {"tokens": tokens, "lower": splitting.lower, "longest": splitting.longest}
    describe(this_run.folder, "multilingual_seq2seq", "encoder", raw_input)


def comparable_weight(
    recipe: Recipe, data: Data, pairs: Sequence[Sequence[str]], sides: tuple[Tensor, Tensor, Tensor], this_run: Run
) -> float:
    """The ratio L_NMT / L_sim of the means over the first steps of a training without the similarity loss.

    Args:
        sides: see `pair_tensors`.
    """
    order = pair_batches(*sides, recipe.batch, seed=this_run.seed, bucketed=recipe.bucketed).sampler
    first_rows = torch.cat([rows for _, rows in zip(range(COMPARABLE_STEPS), order, strict=False)])
    numbers, first, second = (side[first_rows] for side in sides)
    model, loss, hardware = new_model(data, recipe, this_run.seed), JointLoss(pairs, 0.0), this_run.hardware_for(recipe)
    settings = recipe.record() | {
        "seed": this_run.seed,
        "pairs": [list(pair) for pair in pairs],
        "threads": this_run.threads,
    }
    mark = fingerprint(
        model,
        settings,
        (*first_weights(model), numbers, first, second),
        loss=loss,
        code_digest=this_run.code_digest,
        hardware=hardware,
    )
    losses = fit(
        model,
        loss,
        pair_batches(numbers, first, second, recipe.batch, seed=this_run.seed),
        epochs=1,
        learning_rate=recipe.learning_rate,
        gradient_clip=recipe.gradient_clip,
        seed=this_run.seed,
        checkpoints=this_run.checkpoint_folder(mark, "comparable"),
        threads=this_run.threads,
        hardware=hardware,
        checkpointing=this_run.checkpointing,
        name=f"{this_run.title}-comparable",
    )[-1]
    return losses["train_translation"] / losses["train_similarity"]


def new_model(data: Data, recipe: Recipe, seed: int) -> MultilingualEncoderDecoder:
    """A model with random weights."""
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
    for number, pair in enumerate(pairs):
        for language in pair:
            if language not in data.languages:
                raise InputError(f"pairs: no language {shown(language)}; there are {', '.join(data.languages)}")
        sides = data.learned(*pair)
        if not sides[0]:
            raise InputError(f"pairs: expected training text in both {pair[0]} and {pair[1]}, found none")
        numbers += [number] * len(sides[0])
        first += sides[0]
        second += sides[1]
    return (
        torch.tensor(numbers),
        torch.from_numpy(padded_rows(first, PAD, np.int32)),
        torch.from_numpy(padded_rows(second, PAD, np.int32)),
    )


def dev_retrieval(model: MultilingualEncoderDecoder, data: Data) -> dict[str, float]:
    """Accuracy of retrieval between languages, the mean over the dev sets, and 1 minus it (`dev_error`)."""
    accuracies = []
    for name, texts in data.sets.items():
        if part_of(name) == ("own", "dev"):
            rows = np.flatnonzero(texts.learned)
            vectors = {key: embed(model, [ids[row] for row in rows]) for key, ids in texts.ids.items()}
            shares = {
                source: {target: float(hits.mean()) for target, hits in row.items()}
                for source, row in translations_found(vectors).items()
            }
            across = averages(shares)["across"]
            if across is not None:
                accuracies.append(across)
    accuracy = float(np.mean(accuracies))
    return {"dev_retrieval": accuracy, "dev_error": 1 - accuracy}
