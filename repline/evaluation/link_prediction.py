"""Models of knowledge graphs on test triples: `repline evaluate graph MODEL DATA`."""

import argparse
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol, get_args, runtime_checkable

import numpy as np
from numpy.typing import NDArray

import repline
from repline.errors import InputError
from repline.evaluation import json_option
from repline.evaluation.leaderboards import compare_options
from repline.evaluation.leaderboards.shared_items import SharedItems, mean_answer
from repline.evaluation.replication.units import single_units
from repline.graphs.graph_files import NO_TESTS, read_graph, repeated_tests
from repline.graphs.knowledge_graph import KnowledgeGraph
from repline.graphs.rank_measures import HITS
from repline.reading.wrong_records import ON_ERROR, OnError


@runtime_checkable
class LinkPredictor(Protocol):
    """What `repline.load` gives of the folder of a model of a knowledge graph."""

    entities: list[str]

    def link_measures(self, graph: KnowledgeGraph) -> tuple[dict[str, float], int]:
        """Filtered measures of the test triples, and how many of them have names that the model knows."""
        ...

    def link_ranks(self, graph: KnowledgeGraph, among: set[str]) -> NDArray[np.float64]:
        """The filtered ranks of head and tail of each test triple among some entities [Q, 2], NaN where unknown."""
        ...


def main(arguments: Sequence[str] | None = None, program: str = "repline evaluate graph") -> None:
    parser = argparse.ArgumentParser(
        prog=program,
        usage="%(prog)s [options] MODEL DATA\n       %(prog)s [options] DATA --compare MODEL MODEL ...",
        description="Evaluate a model of a knowledge graph on test triples: filtered mean rank, mean reciprocal rank, "
        "and hits among the first 1, 3 and 10. Every triple of the folder is taken for true.",
    )
    parser.add_argument("places", nargs="*", metavar="PLACE", help="the folder of a saved model; the folder of a graph")
    parser.add_argument("--on-error", choices=get_args(OnError), default="stop", help=ON_ERROR)
    json_option.add_option(parser)
    compare_options.add_options(parser, "folders of saved models")
    options = parser.parse_args(arguments)
    candidates = compare_options.candidates_of(options)
    if len(options.places) != (1 if candidates else 2):
        parser.error("expected MODEL and DATA, or DATA and --compare MODEL MODEL")
    with json_option.json_writer(options.json, options.places) as write:
        _evaluate(options, candidates, write)


def _evaluate(options: argparse.Namespace, candidates: Mapping[str, str], write: Callable[[Any], None]) -> None:
    *_, data = options.places
    if candidates:
        models = {name: _load(folder) for name, folder in candidates.items()}
        graph, repeated = _read(data, options.on_error)
        return compare_options.deliver(compared(graph, models, repeated), options, write)
    model, (graph, repeated) = _load(options.places[0]), _read(data, options.on_error)
    measures, count = model.link_measures(graph)
    total = len(graph.of("test")) + repeated
    if unknown := total - repeated - count:
        there = f"{unknown:,} test triples are not judged: the model does not know a name in each"
        there = "1 test triple is not judged: the model does not know a name in it" if unknown == 1 else there
        print(f"{data}: {there}", file=sys.stderr)
    write(measures | {"triples": count, "test_triples": total})
    print(f"test triples  {count:,} of {total:,}")
    for name, title in (("mr", "mean rank"), ("mrr", "MRR"), *((f"hits_{k}", f"hits@{k}") for k in HITS)):
        print(f"{title:14}{measures[name]:.4g}")


def compared(graph: KnowledgeGraph, models: dict[str, LinkPredictor], repeated: int = 0) -> list[SharedItems]:
    """The mean reciprocal rank and the hits of all models; units are triples, head and tail together.

    Entities are ranked among those that all models know, and a model cannot answer a triple with a name that it does
    not know.

    Args:
        repeated: test triples that are not judged, since another part has them, too; they count among all items.
    """
    among = set.intersection(*(set(model.entities) for model in models.values()))
    ranks = {name: model.link_ranks(graph, among) for name, model in models.items()}
    alone = {name: model.link_ranks(graph, set(model.entities)) for name, model in models.items()}
    is_shared = np.all([np.isfinite(rows).all(axis=1) for rows in ranks.values()], axis=0)
    measures = {"mean reciprocal rank": lambda rank: 1 / rank} | {
        f"hits@{k}": (lambda rank, k=k: (rank <= k).astype(np.float64)) for k in (HITS[0], HITS[-1])
    }
    return [
        SharedItems(
            test="test triples",
            measure=title,
            items=len(is_shared) + repeated,
            answered={name: int(np.isfinite(rows).all(axis=1).sum()) for name, rows in alone.items()},
            answers={name: measure(rows[is_shared]).mean(axis=1)[None] for name, rows in ranks.items()},
            statistic=mean_answer,
            units=single_units(int(is_shared.sum())),
        )
        for title, measure in measures.items()
    ]


def _read(data: str, on_error: OnError) -> tuple[KnowledgeGraph, int]:
    """The graph of a folder, and how many test triples another part has, too; what was left out is printed."""
    if Path(data).is_file():
        raise InputError(f"{data}: this is a file; name the folder of the graph that it lies in")
    graph = read_graph(data, on_error)
    repeated = repeated_tests(data, on_error)
    for note in graph.notes:
        print(f"{data}: {note}", file=sys.stderr)
    if repeated:
        there = f"{repeated:,} test triples are not judged: train or valid has them"
        there = "1 test triple is not judged: train or valid has it" if repeated == 1 else there
        print(f"{data}: {there}, too", file=sys.stderr)
    if not len(graph.of("test")):
        if repeated:
            raise InputError(f"{data}: train or valid has all test triples, too; none is left to judge")
        raise InputError(f"{data}: {NO_TESTS}")
    return graph, repeated


def _load(folder: str) -> LinkPredictor:
    model = repline.load(folder)
    if not isinstance(model, LinkPredictor):
        raise InputError(f"{folder}: expected a model of a knowledge graph, found another kind of model")
    return model
