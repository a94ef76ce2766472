"""A knowledge graph as a corpus folder: read, cleaned, split, its numbers scaled, written with a card."""

from pathlib import Path

import numpy as np

from repline.cards import Card
from repline.errors import InputError, shown
from repline.graphs import knowledge_graph
from repline.graphs.attribute_scaling import logarithmic, scale
from repline.graphs.geonames_graph import read_geonames
from repline.graphs.graph_files import read_graph
from repline.graphs.hold_out import candidates_of, hold_out_numbers, split_triples, unseen
from repline.graphs.knowledge_graph import KnowledgeGraph
from repline.graphs.recipes import GraphSettings
from repline.parameters import nearest
from repline.sources.card import read_source_card

GEONAMES = ("cities.json", "countries.json")


def build(folder: str | Path, settings: GraphSettings, section: str, data: str | Path = "data") -> Card:
    """Write the graph that the settings describe; return its card.

    Args:
        folder: replaces what was there.
        section: the name of the settings in params.yaml, for messages.
        data: the folder that `settings.place` is relative to.

    Raises:
        InputError: wrong files or names, or a held-out triple with an entity or relation that training does not know.
    """
    source = Path(data) / settings.place
    if not source.exists():
        raise InputError(f"{source}: there is no such folder; {section}.place names it")
    if all((source / name).is_file() for name in GEONAMES):
        graph = read_geonames(source, settings.minimum_population)
    else:
        graph = read_graph(source, settings.on_error, encoding=settings.encoding, head=settings.head)
    graph = graph.without_unused()
    _split(graph, settings, section)
    for name in settings.logarithms if settings.logarithms != "skewed" else []:
        _check_name(name, graph.attributes, f"{section}.logarithms: there is no attribute")
    graph = _covered(graph, settings)
    numbers = graph.numbers
    numbers.split = hold_out_numbers(numbers, settings.numbers_held_out, settings.numbers_seed)
    if settings.values == "scaled" and len(numbers):
        is_logarithmic = logarithmic(numbers, graph.attributes, settings.logarithms)
        if negative := [
            graph.attributes[attribute]
            for attribute in np.unique(numbers.attribute[numbers.value < 0])
            if is_logarithmic[attribute]
        ]:
            raise InputError(
                f"{section}.logarithms: {shown(negative[0])} has negative values, which have no logarithm; take it "
                "out of the list"
            )
        scale(graph, is_logarithmic)
    card = read_source_card(source)
    return knowledge_graph.save(
        folder,
        graph,
        description=f"A knowledge graph with numbers: {card.get('title', source.name)}",
        licence=card["licence"],
        sources=[{"name": file["name"], "sha256": file["sha256"]} for file in card["files"]],
        parameters=settings.model_dump(exclude={"encoding", "head", "unseen"})
        | settings.model_dump(include={"encoding", "head", "unseen"}, exclude_defaults=True),
    )


def _split(graph: KnowledgeGraph, settings: GraphSettings, section: str) -> None:
    split = settings.split
    if split is not None:
        for name in split.relations or []:
            _check_name(name, graph.relations, f"{section}.split.relations: there is no relation")
        graph.split = split_triples(
            graph.triples, candidates_of(graph, split.relations), split.held_out, split.validation, split.seed
        )
    if not len(graph.of("test")) or not len(graph.of("train")):
        part = "training" if len(graph.of("test")) else "test"
        if split is not None:
            raise InputError(
                f"{section}.split: held_out {split.held_out} of {len(graph.triples):,} triples leaves none for {part}; "
                "take more triples, or another share"
            )
        raise InputError(
            f"{section}: the files have no {part} triples; set {section}.split to split all triples at random"
        )


def _covered(graph: KnowledgeGraph, settings: GraphSettings) -> KnowledgeGraph:
    """Remove held-out triples with an entity or relation that is not in training, or raise, as the settings say."""
    is_uncovered = unseen(graph)
    if not is_uncovered.any():
        return graph
    first = graph.triples[np.argmax(is_uncovered)]
    names = graph.entities[first[0]], graph.relations[first[1]], graph.entities[first[2]]
    if settings.on_error == settings.unseen == "stop":
        raise InputError(
            f"{int(is_uncovered.sum())} triples of validation and test have an entity or relation that is in no "
            f"training triple, the first is {shown(names)}; leave them out by `unseen: drop`, or set `split`"
        )
    graph.notes.append(f"{int(is_uncovered.sum())} held-out triples with unseen entities or relations were left out")
    graph.triples, graph.split = graph.triples[~is_uncovered], graph.split[~is_uncovered]
    return graph.without_unused()


def _check_name(name: str, names: list[str], what: str) -> None:
    if name not in names:
        raise InputError(f"{what} {shown(name)}{nearest(name, names[:1000])}")
