"""Measure the predictions of all variants on one graph: `python -m stages.transea.measure_graph geonames`.

data/corpora/<graph>, data/models/transea/<graph> -> data/evaluation/transea/graphs/<graph>: scores.json,
relations.json (hits by relation), replicates.parquet.
"""

from repline.evaluation.evaluations import Metrics
from repline.evaluation.replication.replicate_files import write as write_replicates
from repline.files import new_folder, write_json
from repline.graphs import knowledge_graph
from repline.systems.transea.evaluation import evaluate
from repline.systems.transea.settings import load
from repline.training.run import runs
from stages import run
from stages.argument import argument
from stages.folders import CORPORA, EVALUATION, MODELS


def main() -> None:
    settings = load()
    name = argument("the name of a graph", settings.graphs)
    models = {variant: runs(MODELS / "transea" / name / variant) for variant in settings.variants_on(name)}
    evaluation = evaluate(knowledge_graph.load(CORPORA / name), models)
    with new_folder(EVALUATION / "transea" / "graphs" / name) as folder:
        write_json(folder / "scores.json", evaluation.metrics)
        write_json(folder / "relations.json", evaluation.details["relations"])
        write_replicates(folder / "replicates.parquet", evaluation.replicates)
    for variant in models:
        print(f"{variant}: {_line(evaluation.metrics[variant])}")


def _line(scores: Metrics) -> str:
    both = scores["filtered"]["all"]
    line = f"filtered MR {both['mr']:.1f}, MRR {both['mrr']:.3f}, hits at 10 {both['hits_10']:.3f}"
    if "test_mae" in scores:
        held_out = scores["test_mae"]
        line += f", error of numbers {scores['train_mae']:.3f}"
        line += "" if held_out is None else f", held out {held_out:.3f}"
    return line


if __name__ == "__main__":
    run(main)
