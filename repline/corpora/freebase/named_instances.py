"""Names by types without a dump: the instances of a wordnet, and the countries and cities of GeoNames."""

from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from repline.cards import Card, card_or_files, write_card
from repline.corpora.entities.gazetteers import places
from repline.corpora.freebase.name_tables import PAIRS, normalised, write_name_tables
from repline.corpora.freebase.recipes import Instances
from repline.corpora.freebase.type_map import TYPES, WORDNET, read_type_map
from repline.files import new_folder
from repline.lexicons.wordnet import storage
from repline.lexicons.wordnet.instances import ancestors, classes
from repline.lexicons.wordnet.instances import instances as instances_of
from repline.lexicons.wordnet.synsets import WordNet

OF_PLACES = {"countries": ("/location", "/location/country"), "cities": ("/location", "/location/city")}


def write_instances(folder: str | Path, instances: Instances, data: str | Path = "data") -> Card:
    """Write the names of a wordnet's instances and of places with their types, as `name_tables` describes it.

    An instance has the type of every class above it that the map names. Lemmas of an instance that begin with no
    capital letter are no names.

    Args:
        folder: replaces what was there; it appears whole or not at all.
        instances: a wordnet and places, folders of `data`, and their types.

    Returns:
        The card.

    Raises:
        InputError: a file that cannot be read, a class that the wordnet has not, or no instance.
    """
    wordnet, geonames = Path(data) / instances.wordnet, Path(data) / instances.geonames
    net = storage.read(wordnet)
    mapped = read_type_map(instances.type_map, WORDNET, lambda entity: bool(classes(net, *entity.split(":"))))
    entities = list(_entities(net, mapped)) + [
        ([name], OF_PLACES[origin]) for origin, name, _ in places(geonames, instances.smallest_city)
    ]
    every = sorted({kind for _, types in entities for kind in types})
    origins = [card_or_files(source_folder) for source_folder in (wordnet, geonames)]
    with new_folder(folder) as partial:
        invisible: dict[str, int] = {}
        names = normalised(pa.array([name for lemmas, _ in entities for name in lemmas], pa.string()), invisible)
        types = pa.array([kind for _, kinds in entities for kind in kinds], pa.string())
        files = []
        for what, values, part in (("names", names, 0), ("types", types, 1)):
            rows = [number for number, entity in enumerate(entities) for _ in entity[part]]
            files.append(partial / f".{what}.parquet")
            pq.write_table(pa.table([pa.array(rows, pa.int64()), values], schema=PAIRS), files[-1])
        itself = pa.table({"source": every, "type": every}, schema=TYPES)
        counts = write_name_tables(partial, files[:1], files[1:], itself, scratch=partial)
        for file in files:
            file.unlink()
        return write_card(
            partial,
            name="Names of instances and places",
            description="Names in lower case, and how many instances or places of each type bear them",
            licence="; ".join(dict.fromkeys(str(origin["licence"]) for origin in origins)),
            sources=[{"corpus": origin} for origin in origins],
            parameters={"smallest_city": instances.smallest_city},
            counts={"entities": len(entities), "types": len(every)} | counts | invisible,
            tools=["duckdb", "pyarrow"],
        )


def _entities(wordnet: WordNet, type_map: pa.Table) -> Iterator[tuple[list[str], list[str]]]:
    """The names and the types of each instance that has both."""
    rows = type_map.to_pylist()
    roots = [(synset.id, row["type"]) for row in rows for synset in classes(wordnet, *row["source"].split(":"))]
    for synset in instances_of(wordnet):
        above = ancestors(wordnet, synset)
        types = sorted({kind for root, kind in roots if root in above})
        names = [lemma.replace("_", " ") for lemma in synset.lemmas if lemma[0].isupper()]
        if names and types:
            yield names, types
