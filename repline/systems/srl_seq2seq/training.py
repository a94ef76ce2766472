"""Train one model, keep the epoch whose loss on dev is the lowest, and write its outputs on test."""

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import torch
from torch import Tensor, nn

from repline.errors import InputError
from repline.systems.srl_seq2seq.baselines import shuffled_labels
from repline.systems.srl_seq2seq.corpus import Data, Instance
from repline.systems.srl_seq2seq.decoding import decode
from repline.systems.srl_seq2seq.model import NOTHING, RoleSeq2Seq, sequence_loss
from repline.systems.srl_seq2seq.numbering import numbers
from repline.systems.srl_seq2seq.settings import Decoding, Recipe
from repline.systems.srl_seq2seq.tagger import RoleTagger, tag_loss, tagged
from repline.training.batches import batches
from repline.training.run import Run, run
from repline.use.folders import describe

OUTPUTS = "outputs.parquet"  # in a model's folder: decoding, tokens
LANGUAGE = "en"  # whose rules split raw sentences; corpora of roles come split into words
PLAIN = "plain"  # the decoding that every model has
BATCHES_PER_TURN = 8  # of the training loop


def train(recipe: Recipe, data: Data, this_run: Run) -> None:
    """Train one model and save it with its outputs on test, `outputs.parquet`."""
    torch.manual_seed(this_run.seed)
    model = _model(data, recipe)
    if data.vectors is not None:
        model.begin(torch.from_numpy(data.vectors))
    learned = {split: data.instances[split] for split in ("train", "dev")}
    if recipe.labels == "shuffled":
        learned = {split: shuffled_labels(instances, this_run.seed) for split, instances in learned.items()}
    train, dev = (_tensors(model, instances) for instances in learned.values())
    measured = -1 if recipe.kind != "tagger" else 0  # a target is longer than its source, tags are not
    run(
        model,
        role_loss,
        batches(
            train,
            recipe.batch,
            seed=this_run.seed,
            lengths=(train[measured] != NOTHING).sum(1),
            padded=range(len(train)),
        ),
        recipe,
        this_run,
        data=(*train, *dev),
        validation=batches(
            dev,
            recipe.batch,
            lengths=(dev[measured] != NOTHING).sum(1),
            padded=range(len(dev)),
            shuffle=False,
        ),
        patience=recipe.epochs,  # unless the recipe has one: never stops early, keeps the best epoch
        batches_per_turn=BATCHES_PER_TURN,
    )
    test = data.instances["test"]
    if isinstance(model, RoleTagger):
        outputs = {PLAIN: tagged(model, test)}
    else:
        decodings = {PLAIN: Decoding(), **recipe.decodings}
        sources = [instance.source for instance in test]
        outputs = {name: decode(model, sources, **how.model_dump()) for name, how in decodings.items()}
    _write_outputs(this_run.folder / OUTPUTS, outputs)
    raw_input = {
        "language": LANGUAGE,
        "predicates": frequent_predicates(data.instances["train"]),
        "constrained": "next" if recipe.kind == "copying" else "mass",  # "mass" suits a model that cannot copy
    }
    describe(this_run.folder, "srl_seq2seq", "tagger" if recipe.kind == "tagger" else "seq2seq", raw_input)


def frequent_predicates(instances: Sequence[Instance], share: float = 0.5) -> list[str]:
    """Words, in lower case, that are predicates in at least this share of their occurrences, in alphabetical order."""
    positions: dict[str, set[int]] = {}
    words: dict[str, list[str]] = {}
    for instance in instances:
        words[instance.sentence] = [token.lower() for token in instance.tokens]
        positions.setdefault(instance.sentence, set()).update(
            [] if instance.predicate is None else [instance.predicate]
        )
    occurrences = Counter(word for sentence in words.values() for word in sentence)
    predicates = Counter(
        words[sentence][position]
        for sentence, sentence_positions in positions.items()
        for position in sentence_positions
    )
    return sorted(word for word, count in predicates.items() if count >= share * occurrences[word])


def role_loss(model: nn.Module, batch: tuple[Tensor, ...]) -> Tensor | tuple[Tensor, int]:
    """The loss of either kind of model; see `tag_loss` and `sequence_loss`."""
    if isinstance(model, RoleTagger):
        return tag_loss(model, batch)
    assert isinstance(model, RoleSeq2Seq)
    return sequence_loss(model, batch)


def read_outputs(folder: str | Path) -> dict[str, list[list[str]]]:
    """The tokens that a trained model wrote for each test instance, by decoding; InputError where there are none."""
    path = Path(folder) / OUTPUTS
    if not path.is_file():
        raise InputError(f"{path}: there is no such file; train the model again")
    table = pq.read_table(path).to_pydict()
    outputs: dict[str, list[list[str]]] = {}
    for way, tokens in zip(table["decoding"], table["tokens"], strict=True):
        outputs.setdefault(way, []).append(tokens)
    return outputs


def _model(data: Data, recipe: Recipe) -> RoleSeq2Seq | RoleTagger:
    size = recipe.embedding if data.vectors is None else data.vectors.shape[1]
    if recipe.kind == "tagger":
        return RoleTagger(data.labels, data.words, size, recipe.units, recipe.layers, recipe.dropout)
    copying = recipe.kind == "copying"
    return RoleSeq2Seq(data.labels, data.words, size, recipe.units, recipe.layers, copying, recipe.dropout)


def _tensors(model: RoleSeq2Seq | RoleTagger, instances: list[Instance]) -> tuple[Tensor, Tensor]:
    if isinstance(model, RoleTagger):
        return model.numbers(instances)
    return numbers(model, [(instance.source, instance.target) for instance in instances])[:2]


def _write_outputs(path: Path, outputs: Mapping[str, list[list[str]]]) -> None:
    columns = {
        "decoding": [way for way, instances_tokens in outputs.items() for _ in instances_tokens],
        "tokens": [tokens for instances_tokens in outputs.values() for tokens in instances_tokens],
    }
    schema = pa.schema([("decoding", pa.string()), ("tokens", pa.list_(pa.string()))])
    pq.write_table(pa.table(columns, schema=schema), path, compression="zstd")
