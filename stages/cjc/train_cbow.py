"""Train one variant of CBOW, once per seed: `python -m stages.cjc.train_cbow VARIANT`.

data/corpora/cjc -> data/models/cjc/cbow/<variant>/seed-<s>
"""

from repline.systems.cjc.corpus import Data
from repline.systems.cjc.settings import load
from repline.systems.cjc.training import train_cbow
from stages import run
from stages.argument import argument
from stages.folders import CORPORA
from stages.runs import trained_runs


def main() -> None:
    settings = load()
    variant = argument("the name of a variant", settings.cbow.variants)
    data = Data(CORPORA / "cjc")
    with trained_runs("cjc", "cbow", variant) as runs:
        for seed in settings.seeds:
            train_cbow(settings.cbow.variants[variant], data, runs.run(seed), settings.window)


if __name__ == "__main__":
    run(main)
