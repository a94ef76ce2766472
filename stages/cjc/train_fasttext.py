"""Train fastText on each language alone, once per seed: data/corpora/cjc -> data/models/cjc/fasttext/seed-<s>."""

from repline.systems.cjc.corpus import Data
from repline.systems.cjc.settings import load
from repline.systems.cjc.training import train_fasttext
from stages import run
from stages.folders import CORPORA
from stages.runs import trained_runs


def main() -> None:
    settings = load()
    data = Data(CORPORA / "cjc")
    with trained_runs("cjc", "fasttext") as runs:
        for seed in settings.seeds:
            train_fasttext(settings.aligned.fasttext, data, runs.run(seed))


if __name__ == "__main__":
    run(main)
