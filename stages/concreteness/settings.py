"""The section `concreteness` of params.yaml, checked against what uses it."""

from dataclasses import dataclass
from typing import Any

from repline import parameters
from repline.systems.concreteness.regressors import support_vectors
from repline.systems.concreteness.training import train_networks

ELSEWHERE = ("shuffles", "taxonomy", "language", "lexicon")  # what only the stage of that name, or evaluate, reads


@dataclass(frozen=True, kw_only=True)
class Part:
    """A part of the rated words: at most `most` (None: all), judged by `methods`, once a seed."""

    most: int | None
    methods: list[str]
    seeds: list[int]


@dataclass(frozen=True, kw_only=True)
class Across:
    """Transfer into a second language; the fields are explained in params.yaml."""

    name: str
    source: str
    most: int | None
    vectors: str
    ratings: str
    dictionary: str
    pairs: list[int]
    frequent: int
    search: int
    dropout: float


@dataclass(frozen=True, kw_only=True)
class Settings:
    """The section `concreteness` of params.yaml; without what is read elsewhere."""

    vectors: str
    ratings: dict[str, str]  # name -> place in data/
    folds: int
    parts: dict[str, Part]
    svr: dict[str, Any]
    ffn: dict[str, Any]
    across: Across


def read() -> Settings:
    """The section `concreteness`; InputError for a name or a type that it should not have."""
    section = dict(parameters.section(parameters.read(), "concreteness"))
    at = "concreteness"
    parameters.bind(support_vectors, section["svr"], f"{at}.svr", given=("standardise_ratings",))
    parameters.bind(train_networks, section["ffn"], f"{at}.ffn", given=("seed", "threads", "name"))
    parts = {name: Part(**parameters.bind(Part, part, f"{at}.parts.{name}")) for name, part in section["parts"].items()}
    across = Across(**parameters.bind(Across, section["across"], f"{at}.across"))
    places = {item["name"]: item["place"] for item in section["ratings"]}
    given = {"parts": parts, "across": across, "ratings": places}
    rest = {key: value for key, value in section.items() if key not in (*given, *ELSEWHERE)}
    return Settings(**parameters.bind(Settings, rest, at, given=tuple(given)), **given)
