"""Train one variant of GloVe, once per seed: `python -m stages.cjc.train_glove VARIANT`.

data/corpora/cjc -> data/models/cjc/glove/<variant>/seed-<s>
"""

from repline.systems.cjc.corpus import Data
from repline.systems.cjc.settings import load
from repline.systems.cjc.training import train_glove
from stages import run
from stages.argument import argument
from stages.folders import CORPORA
from stages.runs import trained_runs


def main() -> None:
    settings = load()
    variant = argument("the name of a variant", settings.glove.variants)
    data = Data(CORPORA / "cjc")
    with trained_runs("cjc", "glove", variant) as runs:
        for seed in settings.seeds:
            train_glove(settings.glove.variants[variant], data, runs.run(seed))


if __name__ == "__main__":
    run(main)
