"""Turn fastText of one language onto the other, once per seed: `python -m stages.cjc.train_aligned VARIANT`.

data/corpora/cjc, data/models/cjc/fasttext -> data/models/cjc/aligned/<variant>/seed-<s>
"""

from repline.systems.cjc.corpus import Data
from repline.systems.cjc.settings import load
from repline.systems.cjc.training import train_aligned
from repline.training.run import SEED_FOLDER
from stages import run
from stages.argument import argument
from stages.folders import CORPORA, MODELS
from stages.runs import trained_runs


def main() -> None:
    settings = load()
    variant = argument("the name of a variant", settings.aligned.variants)
    data = Data(CORPORA / "cjc")
    with trained_runs("cjc", "aligned", variant) as runs:
        for seed in settings.seeds:
            monolingual = MODELS / "cjc" / "fasttext" / f"{SEED_FOLDER}{seed}"
            train_aligned(settings.aligned.variants[variant], data, runs.run(seed), monolingual)


if __name__ == "__main__":
    run(main)
