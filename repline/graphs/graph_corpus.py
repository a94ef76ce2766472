"""A knowledge graph as a corpus folder: read, cleaned, split, its numbers scaled, written with a card."""

from pathlib import Path
from typing import Any

import numpy as np

from repline.cards import card_or_files
from repline.errors import InputError
from repline.graphs import knowledge_graph
from repline.graphs.attribute_scaling import logarithmic, unit_range
from repline.graphs.geonames_graph import read_geonames
from repline.graphs.graph_files import read_graph
from repline.graphs.hold_out import candidates_of, hold_out_numbers, split_triples, unseen
from repline.graphs.knowledge_graph import KnowledgeGraph
from repline.graphs.recipes import GraphSettings
from repline.parameters import nearest

GEONAMES = ("cities.json", "countries.json")


def build(folder: str | Path, settings: GraphSettings, at: str, data: str | Path = "data") -> dict[str, Any]:
    """Write the graph that the settings describe; return its card.

    Args:
        at: the section's name, for messages.
        data: where `settings.place` lies.

    Raises:
        InputError: wrong files or names, or a held-out triple with an entity or relation that training does not know.
    """
    place = Path(data) / settings.place
    if not place.exists():
        raise InputError(f"{place}: there is no such folder; {at}.place names it")
    if all((place / name).is_file() for name in GEONAMES):
        graph = read_geonames(place, settings.minimum_population)
    else:
        graph = read_graph(place, settings.on_error)
    graph = graph.without_unused()
    _split(graph, settings, at)
    for name in settings.logarithms if settings.logarithms != "skewed" else []:
        _known(name, graph.attributes, f"{at}.logarithms: there is no attribute")
    graph = _covered(graph, settings)
    numbers = graph.numbers
    numbers.split = hold_out_numbers(numbers, settings.numbers_held_out, settings.numbers_seed)
    if settings.values == "scaled" and len(numbers):
        chosen = logarithmic(numbers, graph.attributes, settings.logarithms)
        if negative := [
            graph.attributes[one] for one in np.unique(numbers.attribute[numbers.value < 0]) if chosen[one]
        ]:
            raise InputError(f"{at}.logarithms: {negative[0]} has negative values, which have no logarithm here")
        numbers.value = unit_range(numbers, chosen)
    card = card_or_files(place)
    return knowledge_graph.save(
        folder,
        graph,
        description=f"A knowledge graph with numbers: {card.get('title', place.name)}",
        licence=card["licence"],
        sources=[{"name": file["name"], "sha256": file["sha256"]} for file in card["files"]],
        parameters=settings.model_dump(),
    )


def _split(graph: KnowledgeGraph, settings: GraphSettings, at: str) -> None:
    split = settings.split
    if split is not None:
        for name in split.relations or []:
            _known(name, graph.relations, f"{at}.split.relations: there is no relation")
        graph.split = split_triples(
            graph.triples, candidates_of(graph, split.relations), split.held_out, split.validation, split.seed
        )
    if not len(graph.of("test")) or not len(graph.of("train")):
        raise InputError(
            f"{at}: the files have no {'training' if len(graph.of('test')) else 'test'} triples; "
            f"{at}.split says how to split all triples anew"
        )


def _covered(graph: KnowledgeGraph, settings: GraphSettings) -> KnowledgeGraph:
    """The graph without held-out triples that training does not cover; where there are some, `on_error` decides."""
    strange = unseen(graph)
    if not strange.any():
        return graph
    first = graph.triples[np.argmax(strange)]
    names = graph.entities[first[0]], graph.relations[first[1]], graph.entities[first[2]]
    if settings.on_error == "stop":
        raise InputError(
            f"{int(strange.sum())} triples of validation and test have an entity or relation that is in no training "
            f"triple, the first is {names}; leave them out by `on_error: salvage`, or split anew"
        )
    graph.notes.append(f"{int(strange.sum())} held-out triples with unseen entities or relations were left out")
    graph.triples, graph.split = graph.triples[~strange], graph.split[~strange]
    return graph.without_unused()


def _known(name: str, names: list[str], what: str) -> None:
    if name not in names:
        raise InputError(f"{what} {name!r}{nearest(name, names[:1000])}")
