"""data/corpora/cjc, data/models/cjc -> data/evaluation/cjc: metrics, claims, plots, figures."""

from pathlib import Path

from repline.cards import read_card
from repline.systems.cjc.corpus import Data
from repline.systems.cjc.evaluation import evaluate
from repline.systems.cjc.settings import load
from repline.training.run import runs
from stages import run
from stages.cjc import figures
from stages.conclusion import conclude
from stages.folders import CORPORA, MODELS


def main() -> None:
    settings = load()
    data = Data(CORPORA / "cjc")
    models = {
        method: {variant: runs(MODELS / "cjc" / method / variant) for variant in variants}
        for method, variants in settings.variants().items()
    }
    evaluation = evaluate(models, data, settings.analogy_pairs)
    metrics = evaluation.metrics
    metrics["data"] = read_card(data.folder)["counts"] | metrics["data"]
    metrics["characters"] = {Path(settings.characters).name: data.characters}
    conclude("cjc", evaluation, figures.figures(metrics), figures.plots(metrics))


if __name__ == "__main__":
    run(main)
