"""Train TransE and TransEA: batches, corruption, epochs."""

import json
from pathlib import Path
from typing import Annotated, Literal, Unpack

import numpy as np
import torch
from numba import njit
from numpy.typing import NDArray
from pydantic import Field

from repline.files import write_json
from repline.graphs.attribute_scaling import shuffled
from repline.graphs.filtered_ranking import Norm
from repline.graphs.knowledge_graph import KnowledgeGraph, Numbers
from repline.parameters import Count, Positive, Section
from repline.systems.transea.gradients import NORMS, Tables, add_numbers, add_triples, step, unit_rows, zeros
from repline.systems.transea.model import AttributeNorm, TransEA, first_tables

TRIES = 10  # how often a corruption that is a known triple is drawn again


class Training(Section):
    """What a training takes, see params.yaml.

    Attributes:
        alpha: weight of the numbers; 0 is TransE.
        numbers: given; shuffled within each attribute; zero, as the authors' program reads them; or none, which leaves
            (1 - alpha) x L_R alone: TransE at (1 - alpha) times the learning rate. All but given are controls.
        batches: of an epoch; every triple is in one of them.
        passes: how often an epoch goes over the numbers; they are spread over its batches.
        relation_mean, attribute_mean: relations, and attributes with their biases, move by the mean of their gradients
            in a batch times this; null: by the sum, as entities do.
        unit_length: tables whose rows are brought to length 1 after every step.
        corruption: which end is replaced: either alike, or, by "bernoulli", the tail with probability
            hpt / (hpt + tph), of tails per head and heads per tail.
        avoid_known: draw a corruption again, up to 10 times, that is a triple of training.
    """

    dimensions: Count
    norm: Norm
    attribute_norm: AttributeNorm
    margin: Positive
    learning_rate: Positive
    alpha: Annotated[float, Field(ge=0, le=1)]
    epochs: Count
    batches: Count
    passes: Count
    relation_mean: Positive | None
    attribute_mean: Positive | None
    unit_length: list[Literal["entities", "relations", "attributes"]]
    corruption: Literal["uniform", "bernoulli"]
    avoid_known: bool
    numbers: Literal["given", "shuffled", "zero", "none"]


def train(graph: KnowledgeGraph, *, seed: int, **knobs: Unpack[Training]) -> tuple[TransEA, list[dict[str, float]]]:
    """Train on the triples and numbers of the split "train"; the same seed gives the same bits.

    Without numbers nothing of attributes is drawn or computed: alpha = 0 is TransE, bit for bit.

    Returns:
        the model, and the mean losses of a triple and of a number by epoch.

    Raises:
        FloatingPointError: a table is not finite any more.

    Source: Wu and Wang 2018; what the paper leaves unsaid is as in params.yaml.
    """
    settings = Training(**knobs)
    triples = graph.of("train")
    numbers = _numbers(graph, settings, seed)
    sizes = len(graph.entities), len(graph.relations), len(graph.attributes) if len(numbers) else 0
    tables = Tables(**first_tables(*sizes, settings.dimensions, seed))
    for name in settings.unit_length:
        unit_rows(getattr(tables, name))
    structure, order = np.random.default_rng([seed, 2]), np.random.default_rng([seed, 3])
    corrupt = Corruption(triples, len(graph.entities), settings.corruption, settings.avoid_known)
    history = []
    for epoch in range(1, settings.epochs + 1):
        mixed = triples[structure.permutation(len(triples))]
        places = [order.permutation(len(numbers)) for _ in range(settings.passes if len(numbers) else 0)]
        mixed_numbers = numbers.where(np.concatenate([np.zeros(0, np.int64), *places]))
        losses = run_epoch(tables, mixed, corrupt(mixed, structure), mixed_numbers, settings)
        history.append(
            {
                "epoch": epoch,
                "structure_loss": losses[0] / len(mixed),
                "attribute_loss": losses[1] / max(len(mixed_numbers), 1),
            }
        )
    if not all(np.isfinite(table).all() for table in tables):
        raise FloatingPointError("the training diverged: a vector is not finite; lower the learning rate")
    model = TransEA(*sizes, settings.dimensions, settings.norm)
    with torch.no_grad():
        for name, table in zip(Tables._fields, tables, strict=True):
            getattr(model, name).copy_(torch.from_numpy(table))
    return model, history


def train_into(folder: Path, graph: KnowledgeGraph, *, seed: int, **knobs: Unpack[Training]) -> list[dict[str, float]]:
    """Train, and write config.json, model.safetensors and training.json (settings and history); return the history."""
    model, history = train(graph, seed=seed, **knobs)
    model.save_pretrained(folder)
    settings = json.loads(json.dumps({"seed": seed, **knobs}))
    write_json(folder / "training.json", {"settings": settings, "history": history})
    return history


def run_epoch(
    tables: Tables, triples: NDArray, corrupted: NDArray, numbers: Numbers, settings: Training
) -> tuple[float, float]:
    """All batches of one epoch, in place; the sums of both losses over the epoch.

    Args:
        triples, corrupted: [S, 3], in the order of the batches.
    """
    one = tables.entities.dtype.type
    unit = np.array([name in settings.unit_length for name in ("entities", "relations", "attributes")])
    return _epoch(
        tables,
        *zeros(tables),
        triples,
        corrupted,
        *(numbers.entity, numbers.attribute, numbers.value.astype(one)),
        settings.batches,
        NORMS[settings.norm],
        settings.attribute_norm == "squared",
        one(settings.margin),
        one(1 - settings.alpha),
        one(settings.alpha),
        one(settings.learning_rate),
        one(settings.relation_mean or 0),
        one(settings.attribute_mean or 0),
        unit,
    )


@njit(cache=True)
def _epoch(
    tables, gradients, uses, triples, corrupted, entity, attribute, value, batches, norm, squared, margin, structure,
    alpha, rate, relation_mean, attribute_mean, unit,
):  # fmt: skip
    losses = np.zeros(2)
    for batch in range(batches):
        start, stop = batch * len(triples) // batches, (batch + 1) * len(triples) // batches
        losses[0] += add_triples(
            tables, gradients, uses, triples[start:stop], corrupted[start:stop], norm, margin, structure
        )
        start, stop = batch * len(value) // batches, (batch + 1) * len(value) // batches
        if stop > start:
            losses[1] += add_numbers(
                tables, gradients, uses, entity[start:stop], attribute[start:stop], value[start:stop], squared, alpha
            )
        step(tables, gradients, uses, rate, relation_mean, attribute_mean, unit)
    return losses[0], losses[1]


class Corruption:
    """Draws a corrupted triple for each: one end replaced by a random entity.

    Args:
        triples: [S, 3], of training.
        entities: n.
        side: see `Training.corruption`; avoid_known: see there.
    """

    def __init__(self, triples: NDArray, entities: int, side: str = "uniform", avoid_known: bool = False):
        self.entities, self.avoid_known = entities, avoid_known
        relations = int(triples[:, 1].max(initial=0)) + 1
        self.relations = relations
        self.tail_share = np.full(relations, 0.5)
        if side == "bernoulli":
            per_head, per_tail = (_per_side(triples, given, relations) for given in (0, 2))
            self.tail_share = per_tail / (per_head + per_tail)
        self.known = np.unique(self._key(triples)) if avoid_known else np.zeros(0, np.int64)

    def __call__(self, triples: NDArray, random: np.random.Generator) -> NDArray[np.int64]:
        """[B, 3] -> [B, 3]."""
        found = self._draw(triples, random)
        for _ in range(TRIES if self.avoid_known else 0):
            again = np.isin(self._key(found), self.known)
            if not again.any():
                break
            found[again] = self._draw(triples[again], random)
        return found

    def _draw(self, triples: NDArray, random: np.random.Generator) -> NDArray[np.int64]:
        found = triples.copy()
        column = np.where(random.random(len(triples)) < self.tail_share[triples[:, 1]], 2, 0)
        found[np.arange(len(found)), column] = random.integers(self.entities, size=len(found))
        return found

    def _key(self, triples: NDArray) -> NDArray[np.int64]:
        return (triples[:, 0] * self.relations + triples[:, 1]) * self.entities + triples[:, 2]


def _per_side(triples: NDArray, given: int, relations: int) -> NDArray[np.float64]:
    """Tails per head (given 0) or heads per tail (given 2) of each relation [m]; 1 for a relation without triples."""
    pairs = np.unique(triples[:, [1, given]], axis=0)
    groups = np.bincount(pairs[:, 0], minlength=relations)
    return np.bincount(triples[:, 1], minlength=relations).clip(1) / groups.clip(1)


def _numbers(graph: KnowledgeGraph, settings: Training, seed: int) -> Numbers:
    """The numbers that this training sees."""
    if not settings.alpha or settings.numbers == "none":
        return Numbers()
    found = graph.numbers.of("train")
    if settings.numbers == "zero":
        found.value = np.zeros(len(found))
    return shuffled(found, seed) if settings.numbers == "shuffled" else found
