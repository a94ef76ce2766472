"""Train one variant on one graph, once per seed: `python -m stages.transea.train geonames_transe`.

data/corpora/<graph> -> data/models/transea/<graph>/<variant>/seed-<s>
"""

from repline.graphs import knowledge_graph
from repline.systems.transea.settings import load
from repline.systems.transea.training import choose, train
from stages import run
from stages.argument import argument
from stages.folders import CORPORA
from stages.runs import trained_runs


def main() -> None:
    settings = load()
    training = settings.trainings[argument("the name of a training", settings.trainings)]
    graph = knowledge_graph.load(CORPORA / training.graph)
    seeds = settings.seeds_for(training.graph)
    chosen = choose(settings.recipe_for(training), graph, seeds[0])
    with trained_runs("transea", training.graph, training.variant) as runs:
        for seed in seeds:
            train(chosen.recipe, graph, runs.run(seed), chosen)


if __name__ == "__main__":
    run(main)
