"""Training of one model, from which two are kept: after a fixed number of epochs, and where it is best on dev."""

from pathlib import Path
from typing import Literal, Unpack

import numpy as np
import torch
from numpy.typing import NDArray
from safetensors.torch import load_file, save_file
from torch import Tensor, nn
from torch.nn.functional import cross_entropy

from repline.errors import InputError
from repline.files import new_file
from repline.layers.linear_cross_entropy import linear_cross_entropy
from repline.parameters import Count, Section, Share
from repline.systems.tpgn.corpus import IGNORED, Prepared, picture_features
from repline.systems.tpgn.model import TPGN, CaptionGenerator, CaptionLSTM, matched_units, parameter_count
from repline.training.batches import batches
from repline.training.fingerprint import fingerprint
from repline.training.fit import fit, save_trained
from repline.training.history import Record
from repline.training.settings import Training, settings_of
from repline.vectors.store import words_and_matrix

Regime = Literal["fixed", "stopped"]
REGIMES: tuple[Regime, ...] = ("fixed", "stopped")
TOGETHER = 8  # batches in a turn of the loop


class Network(Section):
    """Which network.

    Attributes:
        kind: tpgn or lstm.
        dimensions: d of the TPGN; of an LSTM, that of the TPGN whose number of parameters it has.
        output: free or tied, and sign: minus or plus, of the TPGN.
        start: what the vectors of words begin as: random numbers, or vectors from elsewhere, their mean taken away.
        frozen: whether vectors of words stay as they are.
    """

    kind: Literal["tpgn", "lstm"]
    dimensions: Count
    output: Literal["free", "tied"] = "free"
    sign: Literal["minus", "plus"] = "minus"
    start: Literal["random", "vectors"] = "random"
    frozen: bool = False


class Recipe(Training):
    """The parameters of `train_generator`.

    Attributes:
        embedding: numbers in a word's vector; those of vectors from elsewhere have their own.
        dropout: of `CaptionGenerator`.
        fixed_epochs: after which one model is kept.
        patience: epochs without a better loss on dev until training stops.
    """

    embedding: Count
    dropout: Share
    fixed_epochs: Count
    patience: Count


def train_generator(
    data: Prepared,
    folder: str | Path,
    scratch: str | Path,
    *,
    network: Network,
    vectors: str | Path,
    name: str,
    seed: int,
    threads: int = 1,
    **knobs: Unpack[Recipe],
) -> Path:
    """Train one network with Adam, and save it twice: `folder`/fixed and `folder`/stopped.

    Args:
        vectors: a folder of vectors, for a network that starts with them.
        scratch: checkpoints go to a folder in it, named by everything that the result depends on.
        name: of the model, unique in scratch.

    Returns:
        the folder of this run's checkpoints.

    Raises:
        InputError: vectors that cannot be read, or that know no word; training stopped before `fixed_epochs`.
    """
    recipe = Recipe(**knobs)
    torch.manual_seed(seed)
    model = build(network, data, vectors, recipe.embedding, recipe.dropout)
    sizes = {"words": len(data.vocabulary), "features": data.features.shape[1]}
    settings = {"seed": seed} | sizes | network.model_dump() | settings_of(recipe)
    weights = [value for _, value in sorted(model.state_dict().items())]
    ours, held = data.training, data.validation
    streams = (*weights, ours.words, ours.rows, held.words, held.rows, data.features)
    mark = fingerprint(model, settings | {"threads": threads}, streams, loss=CaptionLoss, hardware=recipe.hardware)
    checkpoints = Path(scratch) / f"tpgn-{name}-{seed}-{mark}"
    fixed = _AfterEpoch(model, recipe.fixed_epochs, checkpoints / "fixed.safetensors")
    history = fit(
        model,
        CaptionLoss(data.features),
        batches((ours.words, ours.rows), recipe.batch, seed=seed, lengths=ours.lengths),
        validation=batches((held.words, held.rows), 4 * recipe.batch, lengths=held.lengths, shuffle=False),
        epochs=recipe.epochs,
        learning_rate=recipe.learning_rate,
        gradient_clip=recipe.gradient_clip,
        patience=recipe.patience,
        until=fixed,
        seed=seed,
        checkpoints=checkpoints,
        together=TOGETHER,
        threads=threads,
        hardware=recipe.hardware,
        name=f"{name}-{seed}",
    )
    if len(history) < recipe.fixed_epochs:
        raise InputError(
            f"tpgn.{name}: training stopped after {len(history)} epochs, before the fixed {recipe.fixed_epochs}; raise "
            "patience or lower fixed_epochs"
        )
    save_trained(model, Path(folder) / "stopped", history, settings)
    model.load_state_dict(load_file(fixed.path))
    save_trained(model, Path(folder) / "fixed", history, settings)
    return checkpoints


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
    """-log p per word, of captions and the symbols of their ends, each word being told the right ones before it.

    Called with a model and a batch (words [B, L], rows [B]), it returns the mean and how many words it is over.

    Args:
        features: of all pictures [pictures, n].
    """

    def __init__(self, features: NDArray[np.float32]):
        self.features = features

    def __call__(self, model: nn.Module, batch: tuple[Tensor, ...]) -> tuple[Tensor, Tensor]:
        words, rows = batch
        shown = picture_features(self.features, rows.cpu()).to(words.device)
        hidden, _ = model(words[:, :-1].clamp(min=0), model.begin(shown))
        targets = words[:, 1:]
        counted = targets != IGNORED
        found = model.dropout(model.predictors(hidden[counted]))  # [words, outputs]
        weight, bias = model.softmax_layer()
        if found.device.type == "cpu":
            total = linear_cross_entropy(found, weight, bias, targets[counted])
        else:
            total = cross_entropy(nn.functional.linear(found, weight, bias), targets[counted], reduction="sum")
        number = counted.sum()
        return total / number.clamp(min=1), number


class _AfterEpoch:
    """Writes the weights after one epoch beside the checkpoints; it never ends the training.

    It is asked before the checkpoint of the epoch is written, so that where this is, the weights are too.
    """

    def __init__(self, model: nn.Module, epoch: int, path: Path):
        self.model, self.epoch, self.path = model, epoch, path

    def __call__(self, record: Record) -> bool:
        if record["epoch"] == self.epoch:
            with new_file(self.path) as partial:
                state = {name: value.detach().cpu().clone() for name, value in self.model.state_dict().items()}
                save_file(state, partial)
        return False


def _vectors(vocabulary: list[str], place: Path) -> Tensor:
    """The vectors of words less their mean [V, e]; zeros for words that `place` does not have."""
    names, matrix = words_and_matrix(place)
    index = {word: row for row, word in enumerate(names)}
    known = [number for number, word in enumerate(vocabulary) if word in index]
    if not known:
        raise InputError(f"{place}: there is a vector of none of the {len(vocabulary)} words of the captions")
    found = np.zeros((len(vocabulary), matrix.shape[1]), np.float32)
    found[known] = matrix[[index[vocabulary[number]] for number in known]]
    found[known] -= found[known].mean(0)
    return torch.from_numpy(found)
