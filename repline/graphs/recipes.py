"""Settings of knowledge graphs: the typed sections of params.yaml that say how a graph is read, split and scaled."""

from typing import Annotated, Any, Literal

from pydantic import Field, field_validator

from repline.parameters import Count, Section, Share
from repline.reading.settings import Head
from repline.reading.wrong_records import OnError

Norm = Literal["L1", "L2", "squared"]  # of a distance
MINIMUM_POPULATION = 300_000  # of a city of GeoNames


class Split(Section):
    """How a graph is split, in place of the splits of its files.

    Attributes:
        held_out: share of the triples that go to validation and test, as far as their entities stay covered.
        validation: share of these that go to validation.
        relations: names of the relations whose triples may be held out; None for all.
        seed: of the order in which triples are tried.
    """

    held_out: Annotated[float, Field(gt=0, lt=1)]
    validation: Annotated[float, Field(ge=0, lt=1)]
    relations: list[str] | None = None
    seed: int


class GraphSettings(Section):
    """One graph of the section `knowledge_graphs`.

    Attributes:
        place: a folder of data/ with files as in `repline.graphs.graph_files`, or the tables of GeoNames.
        split: how to split the triples; null for the splits of the files.
        values: scaled to 0 to 1 by attribute, or given, as they are.
        logarithms: attributes whose logarithm is scaled, by name; or skewed.
        numbers_held_out: share of each attribute's numbers that training does not see.
        numbers_seed: which they are.
        on_error: stop; or salvage: leave out wrong lines, and test triples with unseen entities; the card says so.
        encoding: of files without a byte order mark.
        head: whether tables of triples and numbers begin with the names of their columns.
        unseen: stop at a validation or test triple with an entity or relation that training lacks; or drop: leave such
            triples out, while a wrong line still ends the reading.
        minimum_population: of a city of GeoNames.
    """

    place: str
    split: Split | None = None
    values: Literal["scaled", "given"] = "scaled"
    logarithms: list[str] | Literal["skewed"] = Field(default_factory=list)
    numbers_held_out: Share = 0.0
    numbers_seed: int = 0
    on_error: OnError = "stop"
    encoding: str = "utf-8"
    head: Head = "auto"
    unseen: Literal["stop", "drop"] = "stop"
    minimum_population: Count = MINIMUM_POPULATION

    @field_validator("split", mode="before")
    @classmethod
    def _no_mapping(cls, value: Any) -> Any:
        return value or None  # {}: a profile may take the split of params.yaml away
