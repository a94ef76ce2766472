"""A knowledge graph: entities, relations and attributes with names; triples and numbers with splits; as Parquet.

Notation: n entities, m relations, k attributes; a triple is (head, relation, tail), a number (entity, attribute,
value). On disk: {entities,relations,attributes}.parquet (name, in the order of the ids), triples.parquet (head,
relation, tail, split), numbers.parquet (entity, attribute, value, split), scales.json (by attribute, see `Scale`; where
values are scaled) and card.json.
"""

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from repline.cards import Card, Source, write_card
from repline.errors import InputError
from repline.files import new_folder, write_json
from repline.parameters import Json, JsonObject

SPLITS = ("train", "valid", "test")
PARTS = ("entities", "relations", "attributes")
SCALES = "scales.json"


@dataclass
class Numbers:
    """Numeric attributes of entities, [T] each.

    Attributes:
        entity, attribute: int64 ids.
        value: float64.
        split: int64, an index of `SPLITS`; train or test.
    """

    entity: NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, np.int64))
    attribute: NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, np.int64))
    value: NDArray[np.float64] = field(default_factory=lambda: np.zeros(0))
    split: NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, np.int64))

    def __len__(self) -> int:
        return len(self.value)

    def of(self, split: str) -> "Numbers":
        """Select the values of one split."""
        return self.where(self.split == SPLITS.index(split))

    def where(self, selection: NDArray) -> "Numbers":
        """Select values by a mask [T], or in the order of indices."""
        return Numbers(self.entity[selection], self.attribute[selection], self.value[selection], self.split[selection])


class Scale(NamedTuple):
    """How the numbers of an attribute were scaled to 0 to 1, by the training values.

    Attributes:
        minimum, maximum: of the training values as they were before.
        logarithm: whether log(offset + value) was scaled, not the value itself.
        unit: of the values, as "km2"; "" where the source names none.
        offset: 1; or 0 for positive values, so that none at or below 0 is predicted.
    """

    minimum: float
    maximum: float
    logarithm: bool = False
    unit: str = ""
    offset: float = 1.0

    def original(self, scaled: NDArray) -> NDArray[np.float64]:
        """Scaled values in their unit: f^-1(min f + scaled (max f - min f)), f(v) = log(offset + v) or v."""
        logarithm, exponential = (math.log1p, np.expm1) if self.offset else (math.log, np.exp)
        low, high = (logarithm(end) if self.logarithm else end for end in (self.minimum, self.maximum))
        values = low + np.asarray(scaled, np.float64) * (high - low)
        return exponential(values) if self.logarithm else values

    def record(self) -> dict[str, Json]:
        """The fields as JSON; the offset only where it is not 1."""
        fields: dict[str, Json] = self._asdict()
        return fields if self.offset != 1 else {name: value for name, value in fields.items() if name != "offset"}


@dataclass
class KnowledgeGraph:
    """Names by id, triples int64 [S, 3] of ids, the split of each [S] (an index of `SPLITS`), and numbers.

    Attributes:
        notes: what a reader must know, for the card.
        scales: of the numbers, by the name of the attribute; empty where numbers are as they were given.
        units: of the numbers, by the name of the attribute, where the source names them.
    """

    entities: list[str]
    relations: list[str]
    triples: NDArray[np.int64]
    split: NDArray[np.int64]
    attributes: list[str] = field(default_factory=list)
    numbers: Numbers = field(default_factory=Numbers)
    notes: list[str] = field(default_factory=list)
    scales: dict[str, Scale] = field(default_factory=dict)
    units: dict[str, str] = field(default_factory=dict)

    def of(self, split: str) -> NDArray[np.int64]:
        """The triples of one split [s, 3]."""
        return self.triples[self.split == SPLITS.index(split)]

    def without_unused(self) -> "KnowledgeGraph":
        """A graph without entities and relations that are in no triple, and without numbers of such entities."""
        entities, relations = np.unique(self.triples[:, [0, 2]]), np.unique(self.triples[:, 1])
        numbers = self.numbers.where(np.isin(self.numbers.entity, entities))
        attributes = np.unique(numbers.attribute)
        numbers.entity = np.searchsorted(entities, numbers.entity)
        numbers.attribute = np.searchsorted(attributes, numbers.attribute)
        ends = np.searchsorted(entities, self.triples[:, [0, 2]])
        return KnowledgeGraph(
            [self.entities[entity] for entity in entities],
            [self.relations[relation] for relation in relations],
            np.stack([ends[:, 0], np.searchsorted(relations, self.triples[:, 1]), ends[:, 1]], axis=1),
            self.split,
            [self.attributes[attribute] for attribute in attributes],
            numbers,
            self.notes,
            self.scales,
            self.units,
        )


def counts(graph: KnowledgeGraph) -> dict[str, int]:
    """The counts of entities, relations, attributes, triples and numbers, as they stand in the card."""
    totals = {part: len(getattr(graph, part)) for part in PARTS}
    totals |= {"triples": len(graph.triples), "numbers": len(graph.numbers)}
    totals |= {f"triples_{name}": int((graph.split == index).sum()) for index, name in enumerate(SPLITS)}
    return totals | {"numbers_test": len(graph.numbers.of("test"))}


def save(
    folder: str | Path,
    graph: KnowledgeGraph,
    *,
    description: str,
    licence: str,
    sources: Sequence[Source],
    parameters: JsonObject,
) -> Card:
    """Write a graph with its card, all or nothing; return the card."""
    numbers, names = graph.numbers, pa.array(SPLITS)
    tables = {part: pa.table({"name": pa.array(getattr(graph, part), pa.string())}) for part in PARTS}
    columns = {name: pa.array(graph.triples[:, column], pa.int32()) for column, name in enumerate(_TRIPLE)}
    tables["triples"] = pa.table(columns | {"split": names.take(pa.array(graph.split))})
    tables["numbers"] = pa.table(
        {
            "entity": pa.array(numbers.entity, pa.int32()),
            "attribute": pa.array(numbers.attribute, pa.int32()),
            "value": pa.array(numbers.value, pa.float64()),
            "split": names.take(pa.array(numbers.split)),
        }
    )
    with new_folder(folder) as partial:
        for name, table in tables.items():
            pq.write_table(table, partial / f"{name}.parquet", compression="zstd")
        if graph.scales:
            write_json(partial / SCALES, {name: scale.record() for name, scale in graph.scales.items()})
        return write_card(
            partial,
            name=Path(folder).name,
            description=description,
            licence=licence,
            sources=sources,
            parameters=parameters,
            counts=counts(graph),
            tools=("numpy", "pyarrow"),
            notes=graph.notes,
        )


def load(folder: str | Path) -> KnowledgeGraph:
    """Read a graph that `save` wrote; InputError if there is none."""
    folder = Path(folder)
    if not (folder / "triples.parquet").is_file():
        raise InputError(f"{folder}: there is no knowledge graph; run `dvc repro stages/knowledge_graphs/dvc.yaml`")
    names = {part: pq.read_table(folder / f"{part}.parquet")["name"].to_pylist() for part in PARTS}
    triples, numbers = (pq.read_table(folder / f"{name}.parquet") for name in ("triples", "numbers"))
    scales = json.loads((folder / SCALES).read_text(encoding="utf-8")) if (folder / SCALES).exists() else {}
    return KnowledgeGraph(
        names["entities"],
        names["relations"],
        np.stack([triples[name].to_numpy().astype(np.int64) for name in _TRIPLE], axis=1),
        _split_numbers(triples["split"]),
        names["attributes"],
        Numbers(
            numbers["entity"].to_numpy().astype(np.int64),
            numbers["attribute"].to_numpy().astype(np.int64),
            numbers["value"].to_numpy(),
            _split_numbers(numbers["split"]),
        ),
        scales={name: Scale(**scale) for name, scale in scales.items()},
    )


_TRIPLE = ("head", "relation", "tail")


def _split_numbers(column: pa.ChunkedArray) -> NDArray[np.int64]:
    index = {name: position for position, name in enumerate(SPLITS)}
    return np.array([index[name] for name in column.to_pylist()], dtype=np.int64)
