"""Train TransE and TransEA: batches, corruption, epochs."""

from typing import NamedTuple

import numpy as np
import torch
from numba import njit
from numpy.typing import NDArray

from repline.caches.compiled_loops import ON_DISK
from repline.errors import InputError
from repline.files import write_json
from repline.graphs.attribute_scaling import shuffled
from repline.graphs.knowledge_graph import KnowledgeGraph, Numbers
from repline.parameters import JsonObject
from repline.pretrained import save_model
from repline.systems.transea.gradients import NORMS, Tables, add_numbers, add_triples, step, unit_rows, zeros
from repline.systems.transea.model import TransEA, first_tables
from repline.systems.transea.ranking import validation_mean_rank
from repline.systems.transea.settings import TABLES, Recipe
from repline.training.history import History, Record
from repline.training.run import Run
from repline.use.folders import describe
from repline.vectors import denormals

TRIES = 10  # how often a corruption that is a known triple is drawn again


class Candidate(NamedTuple):
    """The result of one choice of a grid: its lowest mean rank of the validation triples, and after which epoch."""

    learning_rate: float
    alpha: float
    mean_rank: float
    epoch: int


class Chosen(NamedTuple):
    """The recipe of a grid that was chosen, all that were tried, and what the chosen one trained, by `fitted`.

    Attributes:
        trained: the seed that the grid was tried with, the model and the history; None where there was no grid.
    """

    recipe: Recipe
    tried: list[Candidate]
    trained: tuple[int, TransEA, History] | None


def choose(recipe: Recipe, graph: KnowledgeGraph, seed: int) -> Chosen:
    """The candidate of the recipe's grid with the lowest mean rank of the validation triples.

    Raises:
        InputError: there is something to choose, and the graph has no validation triples.
    """
    candidates = recipe.candidates()
    if len(candidates) == 1:
        return Chosen(candidates[0], [], None)
    if recipe.check_every is None or not len(graph.of("valid")):
        missing = "check_every is null; set it" if recipe.check_every is None else "the graph has none; hold out more"
        raise InputError(
            f"transea: a grid is chosen by validation triples, but {missing}, or give the variant a learning_rate and "
            "an alpha in place of its grid"
        )
    tried: list[Candidate] = []
    chosen = None
    for candidate in candidates:
        model, history = fitted(candidate, graph, seed)
        best = best_check(history)
        rank, epoch = best["validation_mean_rank"], int(best["epoch"])
        if chosen is None or rank < min(row.mean_rank for row in tried):
            chosen = candidate, (seed, model, history)
        tried.append(Candidate(candidate.learning_rate, candidate.alpha, rank, epoch))
    assert chosen is not None
    return Chosen(chosen[0], tried, chosen[1])


def best_check(history: History) -> Record:
    """The first epoch of a training whose validation triples had the lowest mean rank; the last one without checks."""
    checks = [record for record in history if "validation_mean_rank" in record]
    return min(checks, key=lambda record: record["validation_mean_rank"]) if checks else history[-1]


def train(recipe: Recipe, graph: KnowledgeGraph, this_run: Run, chosen: Chosen | None = None) -> None:
    """Train as in `fitted`, and write the model, training.json (settings and history), and the names of the graph.

    The names and the scales of the numbers are what `repline.systems.transea.use` needs.

    Args:
        chosen: the grid that the recipe was chosen from, see `choose`; it is written down, too, and the seed that it
            was tried with is not trained again.
    """
    if chosen is not None and chosen.trained is not None and chosen.trained[0] == this_run.seed:
        _, model, history = chosen.trained
    else:
        model, history = fitted(recipe, graph, this_run.seed)
    tried = chosen.tried if chosen is not None else []
    save_model(model, this_run.folder)
    settings = {"seed": this_run.seed} | recipe.model_dump()
    record = {"settings": settings, "history": history, "tried": [candidate._asdict() for candidate in tried]}
    write_json(this_run.folder / "training.json", record)
    has_numbers = len(model.biases) > 0
    names: JsonObject = {
        "entities": graph.entities,
        "relations": graph.relations,
        "attributes": graph.attributes if has_numbers else [],
        "scales": {name: scale.record() for name, scale in graph.scales.items()} if has_numbers else {},
    }
    describe(this_run.folder, "transea", "knowledge_graph", names)
    last = history[-1]
    print(
        f"{this_run.title}: loss of a triple {last['structure_loss']:.4f}, "
        f"error of a number {last['attribute_loss']:.4f}",
        flush=True,
    )


@denormals.as_zero()
def fitted(recipe: Recipe, graph: KnowledgeGraph, seed: int = 0) -> tuple[TransEA, History]:
    """A model of the triples and numbers of the split "train"; the same seed gives the same bits.

    Without numbers nothing of attributes is drawn or computed: alpha = 0 is TransE, bit for bit.

    Returns:
        the model, and the mean losses of a triple and of a number by epoch, with the mean rank of the validation
        triples where it was checked.

    Raises:
        FloatingPointError: a table is not finite any more.

    Source: Wu and Wang 2018; what the paper leaves unsaid is as in params.yaml.
    """
    triples = graph.of("train")
    numbers = _numbers(graph, recipe, seed)
    sizes = len(graph.entities), len(graph.relations), len(graph.attributes) if len(numbers) else 0
    tables = Tables(**first_tables(*sizes, recipe.dimensions, seed))
    for name in recipe.unit_length:
        unit_rows(getattr(tables, name))
    structure, order = np.random.default_rng([seed, 2]), np.random.default_rng([seed, 3])
    corrupt = Corruption(triples, len(graph.entities), recipe.corruption, recipe.avoid_known)
    history: History = []
    stop = EarlyStop(recipe, graph)
    for epoch in range(1, recipe.epochs + 1):
        mixed = triples[structure.permutation(len(triples))]
        number_orders = [order.permutation(len(numbers)) for _ in range(recipe.passes if len(numbers) else 0)]
        mixed_numbers = numbers.where(np.concatenate([np.zeros(0, np.int64), *number_orders]))
        losses = run_epoch(tables, mixed, corrupt(mixed, structure), mixed_numbers, recipe)
        record: Record = {
            "epoch": epoch,
            "structure_loss": losses[0] / len(mixed),
            "attribute_loss": losses[1] / max(len(mixed_numbers), 1),
        }
        history.append(record | stop.check(tables, epoch))
        if stop.is_due:
            break
    tables = stop.best or tables
    if not all(np.isfinite(table).all() for table in tables):
        raise FloatingPointError("the training diverged: a vector is not finite; lower the learning rate")
    model = TransEA(*sizes, recipe.dimensions, recipe.norm)
    with torch.no_grad():
        for field, table in zip(Tables._fields, tables, strict=True):
            getattr(model, field).copy_(torch.from_numpy(table))
    return model, history


def run_epoch(
    tables: Tables, triples: NDArray, corrupted: NDArray, numbers: Numbers, recipe: Recipe
) -> tuple[float, float]:
    """Run all batches of one epoch, changing the tables in place; returns the sums of both losses.

    Args:
        triples, corrupted: [S, 3], in the order of the batches.
    """
    number = tables.entities.dtype.type
    unit = np.array([table in recipe.unit_length for table in TABLES])
    return _epoch(
        tables,
        *zeros(tables),
        triples,
        corrupted,
        *(numbers.entity, numbers.attribute, numbers.value.astype(number)),
        recipe.batches,
        NORMS[recipe.norm],
        recipe.attribute_norm == "squared",
        number(recipe.margin),
        number(1 - recipe.alpha),
        number(recipe.alpha),
        number(recipe.learning_rate),
        number(recipe.relation_mean or 0),
        number(recipe.attribute_mean or 0),
        unit,
    )


@njit(cache=ON_DISK)
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


class EarlyStop:
    """Ranks validation triples every few epochs, and keeps the vectors that rank them best.

    Args:
        recipe: its `check_every`, `check_triples` and `patience`.
        graph: without validation triples nothing is checked.

    Attributes:
        best: the vectors of the best check; None before the first.
        is_due: whether the mean rank has not fallen for `patience` checks.
    """

    def __init__(self, recipe: Recipe, graph: KnowledgeGraph):
        self.recipe, self.graph = recipe, graph
        self.best: Tables | None = None
        self.is_due = False
        self._lowest, self._checks_since = np.inf, 0
        self._every = recipe.check_every if len(graph.of("valid")) else None

    def check(self, tables: Tables, epoch: int) -> Record:
        """The mean rank after this epoch, for the history; nothing where no check is due."""
        if self._every is None or (epoch % self._every and epoch != self.recipe.epochs):
            return {}
        if not all(np.isfinite(table).all() for table in tables):
            self.is_due = True  # `fitted` says that the training diverged
            self.best = None
            return {}
        mean_rank = validation_mean_rank(tables, self.graph, self.recipe.norm, self.recipe.check_triples)
        self._checks_since += 1
        if mean_rank < self._lowest:
            self._lowest, self._checks_since = mean_rank, 0
            self.best = Tables(*(table.copy() for table in tables))
        self.is_due = self._checks_since >= self.recipe.patience
        return {"validation_mean_rank": mean_rank}


class Corruption:
    """Draws a corrupted triple for each: one end replaced by a random entity.

    Args:
        triples: [S, 3], of training.
        entities: n.
        side: see `Recipe.corruption`; avoid_known: see there.
    """

    def __init__(self, triples: NDArray, entities: int, side: str = "uniform", avoid_known: bool = False):
        self.entities, self.avoid_known = entities, avoid_known
        relations = int(triples[:, 1].max(initial=0)) + 1
        self.relations = relations
        self.tail_share = np.full(relations, 0.5)
        if side == "bernoulli":
            per_head, per_tail = (_per_side(triples, side, relations) for side in (0, 2))
            self.tail_share = per_tail / (per_head + per_tail)
        self.known = np.unique(self._key(triples)) if avoid_known else np.zeros(0, np.int64)

    def __call__(self, triples: NDArray, random: np.random.Generator) -> NDArray[np.int64]:
        """A corruption of each triple: [B, 3] -> [B, 3]."""
        corrupted = self._draw(triples, random)
        for _ in range(TRIES if self.avoid_known else 0):
            again = self._is_known(corrupted)
            if not again.any():
                break
            corrupted[again] = self._draw(triples[again], random)
        return corrupted

    def _draw(self, triples: NDArray, random: np.random.Generator) -> NDArray[np.int64]:
        corrupted = triples.copy()
        column = np.where(random.random(len(triples)) < self.tail_share[triples[:, 1]], 2, 0)
        corrupted[np.arange(len(triples)), column] = random.integers(self.entities, size=len(triples))
        return corrupted

    def _is_known(self, triples: NDArray) -> NDArray[np.bool_]:
        keys = self._key(triples)
        positions = np.searchsorted(self.known, keys)  # several times as fast as np.isin, which sorts them anew
        return self.known.take(positions, mode="clip") == keys

    def _key(self, triples: NDArray) -> NDArray[np.int64]:
        return (triples[:, 0] * self.relations + triples[:, 1]) * self.entities + triples[:, 2]


def _per_side(triples: NDArray, side: int, relations: int) -> NDArray[np.float64]:
    """Tails per head (side 0) or heads per tail (side 2) of each relation [m]; 1 for a relation without triples."""
    pairs = np.unique(triples[:, [1, side]], axis=0)
    groups = np.bincount(pairs[:, 0], minlength=relations)
    return np.bincount(triples[:, 1], minlength=relations).clip(1) / groups.clip(1)


def _numbers(graph: KnowledgeGraph, recipe: Recipe, seed: int) -> Numbers:
    """The training numbers as the recipe has them: as they are, shuffled, or zero; none for TransE."""
    if not recipe.alpha:
        return Numbers()
    numbers = graph.numbers.of("train")
    if recipe.numbers == "zero":
        numbers.value = np.zeros(len(numbers))
    return shuffled(numbers, seed) if recipe.numbers == "shuffled" else numbers
