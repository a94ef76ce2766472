"""Train one model, keep the epoch whose loss on dev is the lowest, and write what it says of test."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal, Unpack

import pyarrow as pa
import pyarrow.parquet as pq
import torch
from torch import Tensor

from repline.parameters import Count, Share
from repline.systems.srl_seq2seq.baselines import shuffled_labels
from repline.systems.srl_seq2seq.corpus import Data, Instance
from repline.systems.srl_seq2seq.decoding import Decoding, decode
from repline.systems.srl_seq2seq.model import NOTHING, RoleSeq2Seq, sequence_loss
from repline.systems.srl_seq2seq.numbering import numbers
from repline.systems.srl_seq2seq.tagger import RoleTagger, tag_loss, tagged
from repline.training.batches import batches
from repline.training.fingerprint import fingerprint
from repline.training.fit import fit, save_trained
from repline.training.settings import Training, settings_of

OUTPUTS = "outputs.parquet"  # beside a model: decoding, instance, tokens
PLAIN = "plain"  # the decoding that every model has
TOGETHER = 8  # batches in a turn of the loop


class Recipe(Training):
    """The parameters of `train_model`.

    Attributes:
        kind: copying, attention (which only generates), or a tagger.
        labels: the true ones, or dealt out anew among the spans of train and dev.
        embedding: size of vectors that begin at random; pretrained ones have their own.
        units: of each direction. layers: of the encoder. dropout: as of the model.
        decodings: by name, further ways to write; none for a tagger.
    """

    kind: Literal["copying", "attention", "tagger"] = "copying"
    labels: Literal["true", "shuffled"] = "true"
    embedding: Count = 100
    units: Count = 256
    layers: Count = 1
    dropout: Share = 0.0
    decodings: Mapping[str, Decoding] = {}


def train_model(
    data: Data,
    folder: str | Path,
    scratch: str | Path,
    *,
    name: str,
    seed: int,
    threads: int = 1,
    **knobs: Unpack[Recipe],
) -> Path:
    """Train, and save the model and its outputs on test, `outputs.parquet`.

    Args:
        scratch: checkpoints go to a folder in it, named by everything that the result depends on.
        name: of the run, unique in scratch.

    Returns:
        the folder of this run's checkpoints.
    """
    recipe = Recipe(**knobs)
    torch.manual_seed(seed)
    model = _model(data, recipe)
    if data.vectors is not None:
        model.begin(torch.from_numpy(data.vectors))
    learned = {split: data.instances[split] for split in ("train", "dev")}
    if recipe.labels == "shuffled":
        learned = {split: shuffled_labels(those, seed) for split, those in learned.items()}
    train, dev = (_tensors(model, those) for those in learned.values())
    loss = tag_loss if recipe.kind == "tagger" else sequence_loss
    settings = {"seed": seed} | settings_of(recipe)
    weights = [value for _, value in sorted(model.state_dict().items())]
    mark = fingerprint(
        model, settings | {"threads": threads}, (*weights, *train, *dev), loss=loss, hardware=recipe.hardware
    )
    checkpoints = Path(scratch) / f"srl_seq2seq-{name}-{seed}-{mark}"
    measured = -1 if recipe.kind != "tagger" else 0  # a target is longer than its source, tags are not
    history = fit(
        model,
        loss,
        batches(train, recipe.batch, seed=seed, lengths=(train[measured] != NOTHING).sum(1)),
        validation=batches(dev, recipe.batch, lengths=(dev[measured] != NOTHING).sum(1), shuffle=False),
        patience=recipe.epochs,  # never stops early, keeps the best epoch
        epochs=recipe.epochs,
        learning_rate=recipe.learning_rate,
        gradient_clip=recipe.gradient_clip,
        seed=seed,
        checkpoints=checkpoints,
        together=TOGETHER,
        threads=threads,
        hardware=recipe.hardware,
        name=f"{name}-{seed}",
    )
    save_trained(model, folder, history, settings)
    test = data.instances["test"]
    if recipe.kind == "tagger":
        outputs = {PLAIN: tagged(model, test)}
    else:
        how = {PLAIN: Decoding(), **recipe.decodings}
        sources = [one.source for one in test]
        outputs = {way: decode(model, sources, **one.model_dump()) for way, one in how.items()}
    _write_outputs(Path(folder) / OUTPUTS, outputs)
    return checkpoints


def read_outputs(folder: str | Path) -> dict[str, list[list[str]]]:
    """By decoding, the tokens that a trained model writes for each test instance."""
    table = pq.read_table(Path(folder) / OUTPUTS).to_pydict()
    found: dict[str, list[list[str]]] = {}
    for way, tokens in zip(table["decoding"], table["tokens"], strict=True):
        found.setdefault(way, []).append(tokens)
    return found


def _model(data: Data, recipe: Recipe) -> RoleSeq2Seq | RoleTagger:
    size = recipe.embedding if data.vectors is None else data.vectors.shape[1]
    sizes: tuple[Any, ...] = (data.labels, data.words, size, recipe.units, recipe.layers)
    if recipe.kind == "tagger":
        return RoleTagger(*sizes, recipe.dropout)
    return RoleSeq2Seq(*sizes, recipe.kind == "copying", recipe.dropout)


def _tensors(model: RoleSeq2Seq | RoleTagger, instances: list[Instance]) -> tuple[Tensor, Tensor]:
    if isinstance(model, RoleTagger):
        return model.numbers(instances)
    return numbers(model, [(one.source, one.target) for one in instances])[:2]


def _write_outputs(path: Path, outputs: Mapping[str, list[list[str]]]) -> None:
    columns = {
        "decoding": [way for way, those in outputs.items() for _ in those],
        "tokens": [tokens for those in outputs.values() for tokens in those],
    }
    schema = pa.schema([("decoding", pa.string()), ("tokens", pa.list_(pa.string()))])
    pq.write_table(pa.table(columns, schema=schema), path, compression="zstd")
