"""Train one model and save it twice: after a fixed number of epochs, and after the epoch that is best on dev."""

from pathlib import Path
from typing import Literal

import numpy as np
import torch
from numpy.typing import NDArray
from safetensors.torch import load_file, save_file
from torch import Tensor, nn
from torch.nn.functional import cross_entropy

from repline.errors import InputError
from repline.files import new_file
from repline.layers.linear_cross_entropy import linear_cross_entropy
from repline.systems.tpgn.corpus import IGNORED, Prepared, picture_features
from repline.systems.tpgn.model import TPGN, CaptionGenerator, CaptionLSTM, matched_units, parameter_count
from repline.systems.tpgn.settings import Network, Recipe
from repline.training.batches import batches
from repline.training.fingerprint import fingerprint
from repline.training.fit import fit, save_trained
from repline.training.history import Record
from repline.training.run import Run, first_weights
from repline.use.folders import describe
from repline.vectors.store import words_and_matrix

Regime = Literal["fixed", "stopped"]
REGIMES: tuple[Regime, ...] = ("fixed", "stopped")
BATCHES_PER_TURN = 8  # of the training loop


def train(recipe: Recipe, network: Network, data: Prepared, vectors: str | Path, this_run: Run) -> None:
    """Train one network with Adam, and save it twice: `this_run.folder`/fixed and `this_run.folder`/stopped.

    Args:
        vectors: a folder of vectors, for a network that starts with them.

    Raises:
        InputError: vectors that cannot be read, or that know no word; training stopped before `fixed_epochs`.
    """
    torch.manual_seed(this_run.seed)
    model = build(network, data, vectors, recipe.embedding, recipe.dropout)
    sizes = {"words": len(data.vocabulary), "features": data.features.shape[1]}
    settings = {"seed": this_run.seed} | sizes | network.model_dump() | recipe.record()
    ours, held = data.training, data.validation
    streams = (*first_weights(model), ours.words, ours.rows, held.words, held.rows, data.features)
    hardware = this_run.hardware_for(recipe)
    mark = fingerprint(
        model,
        settings | {"threads": this_run.threads},
        streams,
        loss=CaptionLoss,
        others=[_AfterEpoch],
        code_digest=this_run.code_digest,
        hardware=hardware,
    )
    checkpoints = this_run.checkpoint_folder(mark)
    fixed = _AfterEpoch(model, recipe.fixed_epochs, checkpoints / "fixed.safetensors")
    history = fit(
        model,
        CaptionLoss(data.features),
        batches((ours.words, ours.rows), recipe.batch, seed=this_run.seed, lengths=ours.lengths, padded=(0,)),
        validation=batches((held.words, held.rows), 4 * recipe.batch, lengths=held.lengths, padded=(0,), shuffle=False),
        epochs=recipe.epochs,
        learning_rate=recipe.learning_rate,
        gradient_clip=recipe.gradient_clip,
        patience=recipe.patience,
        until=fixed,
        seed=this_run.seed,
        checkpoints=checkpoints,
        batches_per_turn=BATCHES_PER_TURN,
        threads=this_run.threads,
        hardware=hardware,
        checkpointing=this_run.checkpointing,
        name=this_run.title,
    )
    if len(history) < recipe.fixed_epochs:
        raise InputError(
            f"{this_run.name}: training stopped after {len(history)} epochs, before the fixed {recipe.fixed_epochs}; "
            "raise patience or lower fixed_epochs"
        )
    save_trained(model, this_run.folder / "stopped", history, settings)
    model.load_state_dict(load_file(fixed.path))
    save_trained(model, this_run.folder / "fixed", history, settings)
    captions = data.parts["train"]
    raw_input = {"vocabulary": data.vocabulary, "counted": captions.counted, "tags": list(captions.tags)}
    for regime in REGIMES:
        describe(this_run.folder / regime, "tpgn", network.kind, raw_input | {"longest": data.longest})


def build(network: Network, data: Prepared, vectors: str | Path, embedding: int, dropout: float) -> CaptionGenerator:
    """A network with random weights, for the words and features of `data`.

    Raises:
        InputError: vectors that cannot be read, or that know no word.
    """
    start = _vectors(data.vocabulary, Path(vectors)) if network.start == "vectors" else None
    size = len(data.vocabulary), data.features.shape[1], embedding if start is None else start.shape[1]
    model: CaptionGenerator = TPGN(*size, network.dimensions, network.output, network.sign, dropout)
    model.embedding.weight.requires_grad_(not network.frozen)
    if network.kind == "lstm":
        model = CaptionLSTM(*size, matched_units(parameter_count(model), *size, network.frozen), dropout)
        model.embedding.weight.requires_grad_(not network.frozen)
    if start is not None:
        with torch.no_grad():
            model.embedding.weight.copy_(start)
    model.mean.copy_(data.mean)
    return model


class CaptionLoss:
    """The loss -log p per word of captions and their end symbols, each word given the true words before it.

    Called with a model and a batch (words [B, L], rows [B]), it returns the mean and the number of words.

    Args:
        features: of all pictures [pictures, n].
    """

    def __init__(self, features: NDArray[np.float32]):
        self.features = features

    def __call__(self, model: CaptionGenerator, batch: tuple[Tensor, ...]) -> tuple[Tensor, Tensor]:
        words, rows = batch
        shown = picture_features(self.features, rows.cpu()).to(words.device)
        hidden, _ = model(words[:, :-1].clamp(min=0), model.begin(shown))
        targets = words[:, 1:]
        counted = targets != IGNORED
        inputs = model.dropout(model.predictors(hidden[counted]))  # [words, outputs]
        weight, bias = model.softmax_layer()
        if inputs.device.type == "cpu":
            total = linear_cross_entropy(inputs, weight, bias, targets[counted])
        else:
            total = cross_entropy(nn.functional.linear(inputs, weight, bias), targets[counted], reduction="sum")
        number = counted.sum()
        return total / number.clamp(min=1), number


class _AfterEpoch:
    """Write the weights after one epoch next to the checkpoints; never end the training.

    It is called before the checkpoint of the epoch is written, so the weights exist wherever the checkpoint does.
    """

    def __init__(self, model: nn.Module, epoch: int, path: Path):
        self.model, self.epoch, self.path = model, epoch, path

    def __call__(self, record: Record) -> bool:
        if record["epoch"] == self.epoch:
            with new_file(self.path) as partial:
                state = {name: value.detach().cpu().clone() for name, value in self.model.state_dict().items()}
                save_file(state, partial)
        return False


def _vectors(vocabulary: list[str], folder: Path) -> Tensor:
    """Vectors of words minus their mean [V, e]; zeros for words that `folder` does not have."""
    names, matrix = words_and_matrix(folder)
    index = {word: row for row, word in enumerate(names)}
    known_numbers = [number for number, word in enumerate(vocabulary) if word in index]
    if not known_numbers:
        raise InputError(
            f"{folder}: none of the {len(vocabulary)} words of the captions has a vector; take vectors of their "
            "language"
        )
    vectors = np.zeros((len(vocabulary), matrix.shape[1]), np.float32)
    vectors[known_numbers] = matrix[[index[vocabulary[number]] for number in known_numbers]]
    vectors[known_numbers] -= vectors[known_numbers].mean(0)
    return torch.from_numpy(vectors)
