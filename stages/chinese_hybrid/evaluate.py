"""data/models/chinese_hybrid, data/raw -> data/evaluation/chinese_hybrid: metrics, claims, figures."""

from repline.cards import language_of, read_card
from repline.systems.chinese_hybrid.evaluation import evaluate
from repline.systems.chinese_hybrid.settings import load
from repline.training.run import runs
from stages import run
from stages.chinese_hybrid import figures
from stages.conclusion import conclude
from stages.folders import CORPORA, DATA, MODELS


def main() -> None:
    settings = load()
    card = read_card(CORPORA / "chinese_hybrid")
    models = {name: runs(MODELS / "chinese_hybrid" / name) for name in settings.models}
    benchmarks = [DATA / "raw" / source for source in settings.benchmarks]
    evaluation = evaluate(models, benchmarks, language_of(card) or "zh", settings.word)
    metrics, names = evaluation.metrics, list(models)
    metrics["corpus"] = card["counts"]
    drawn = figures.figures(metrics, names, (settings.word, evaluation.details["nearest"]))
    conclude("chinese_hybrid", evaluation, drawn, figures.plots(metrics, names))


if __name__ == "__main__":
    run(main)
