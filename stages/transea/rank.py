"""Link and attribute prediction on one graph: `python -m stages.transea.rank geonames`.

data/corpora/<graph>, data/models/transea/<graph> -> data/evaluation/transea/graphs/<graph>: scores.json (numbers, among
them those of the validation triples, by which knobs are to be chosen), relations.json (hits by relation),
replicates.parquet.
"""

import sys
from pathlib import Path
from typing import Any

import numpy as np

from repline.errors import InputError
from repline.evaluation.replication.bootstrap import side_by_side
from repline.evaluation.replication.replicate_files import write as write_replicates
from repline.evaluation.replication.weighted_draws import as_parts, mean_of_draws
from repline.files import new_folder, write_json
from repline.graphs import knowledge_graph
from repline.graphs.filtered_ranking import SIDES, Ranks
from repline.graphs.knowledge_graph import KnowledgeGraph, counts
from repline.pretrained import pretrained
from repline.systems.transea import evaluation
from repline.systems.transea.model import TransEA
from repline.systems.transea.settings import read
from stages import run
from stages.transea.train import MODELS

GRAPHS = Path("data/evaluation/transea/graphs")
MOST_RELATIONS = 40  # those with the most test triples are shown


def main() -> None:
    if len(sys.argv) != 2:
        raise InputError("expected the name of a graph of transea.graphs")
    name = sys.argv[1]
    _, variants = read(name)
    graph = knowledge_graph.load(Path("data/corpora") / name)
    weights = evaluation.weights_of(len(graph.of("test")))
    asked = evaluation.weights_of(len(graph.numbers.of("test")))
    scores: dict[str, Any] = {"graph": counts(graph)}
    known = evaluation.median_errors(graph, "train")
    medians = {
        "test_mae": mean_of_draws(evaluation.median_errors(graph, "test"), asked),
        "train_mae": np.full(len(asked), known.mean() if len(known) else np.nan),
    }
    scores["medians"] = evaluation.numbers_of_runs([medians])
    repeated = {"medians": as_parts({key: values[1:] for key, values in medians.items()})}
    relations: dict[str, Any] = {}
    for variant in variants:
        runs = []
        for model in _models(name, variant):
            ranks = evaluation.ranks_of(model, graph, "test")
            found = evaluation.link_prediction(ranks, graph, weights)
            found["valid"] = _validation(model, graph, len(weights))
            if len(model.biases):
                train = evaluation.errors(model, graph.numbers.of("train")).mean()
                test = evaluation.errors(model, graph.numbers.of("test"))
                found["train_mae"] = np.full(len(asked), train)
                found["test_mae"] = mean_of_draws(test, asked)
            runs.append(found)
            for relation, hits in _by_relation(ranks, graph).items():
                relations.setdefault(relation, {}).setdefault(variant, []).append(hits)
        scores[variant] = evaluation.numbers_of_runs(runs) | {
            "seeds": len(runs),
            "runs_mr": [float(one["filtered"]["all"]["mr"][0]) for one in runs],
        }
        repeated[variant] = evaluation.replicates_of_runs(runs)
        print(_line(variant, scores[variant]), flush=True)
    with new_folder(GRAPHS / name) as folder:
        write_json(folder / "scores.json", scores)
        write_json(folder / "relations.json", relations)
        write_replicates(folder / "replicates.parquet", side_by_side(**{name: side_by_side(**repeated)}))


def _models(graph: str, variant: str) -> list[TransEA]:
    runs = sorted((MODELS / graph / variant).glob("seed-*"), key=lambda one: int(one.name.removeprefix("seed-")))
    return [pretrained(TransEA, one) for one in runs]


def _validation(model: TransEA, graph: KnowledgeGraph, rows: int) -> dict[str, np.ndarray]:
    """Filtered mean rank and MRR of the validation triples, the same in every replicate; none without such triples."""
    if not len(graph.of("valid")):
        return {}
    every = np.concatenate([ranks.rank() for ranks in evaluation.ranks_of(model, graph, "valid").values()])
    return {"mr": np.full(rows, every.mean()), "mrr": np.full(rows, (1 / every).mean())}


def _by_relation(ranks: dict[str, Ranks], graph: KnowledgeGraph) -> dict[str, dict[str, float]]:
    """Filtered hits at 10 and mean rank, both sides, of the relations with the most test triples."""
    relation = graph.of("test")[:, 1]
    often = np.bincount(relation, minlength=len(graph.relations))
    found = {}
    for one in np.argsort(-often, kind="stable")[:MOST_RELATIONS].tolist():
        if often[one]:
            both = np.concatenate([ranks[side].rank()[relation == one] for side in SIDES])
            shares = {"hits_10": float((both <= 10).mean()), "mr": float(both.mean())}
            found[graph.relations[one]] = shares | {"triples": int(often[one])}
    return found


def _line(variant: str, scores: dict[str, Any]) -> str:
    both = scores["filtered"]["all"]
    line = f"{variant}: filtered MR {both['mr']:.1f}, MRR {both['mrr']:.3f}, hits at 10 {both['hits_10']:.3f}"
    if "test_mae" in scores:
        held = scores["test_mae"]
        line += f", error of numbers {scores['train_mae']:.3f}" + ("" if held is None else f", held out {held:.3f}")
    return line


if __name__ == "__main__":
    run(main)
