"""Every variant on one graph: `python -m stages.transea.train geonames`.

data/corpora/<graph> -> data/models/transea/<graph>/<variant>/seed-<s>
"""

import sys
from pathlib import Path

from repline.errors import InputError
from repline.files import new_folder
from repline.graphs import knowledge_graph
from repline.parameters import arguments
from repline.systems.transea.settings import read
from repline.systems.transea.training import train_into
from stages import run

MODELS = Path("data/models/transea")


def main() -> None:
    if len(sys.argv) != 2:
        raise InputError("expected the name of a graph of transea.graphs")
    name = sys.argv[1]
    seeds, variants = read(name)
    graph = knowledge_graph.load(Path("data/corpora") / name)
    with new_folder(MODELS / name) as folder:
        for variant, training in variants.items():
            for seed in seeds:
                last = train_into(folder / variant / f"seed-{seed}", graph, seed=seed, **arguments(training))[-1]
                print(
                    f"{variant}, seed {seed}: loss of a triple {last['structure_loss']:.4f}, "
                    f"error of a number {last['attribute_loss']:.4f}",
                    flush=True,
                )


if __name__ == "__main__":
    run(main)
