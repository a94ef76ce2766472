"""data/models/image_lexicon -> data/evaluation/image_lexicon: metrics, claims, figures, plots."""

from repline.cards import card_or_files
from repline.lexicons.wordnet import storage
from repline.systems.image_lexicon.evaluation import evaluate
from repline.systems.image_lexicon.settings import load
from stages import run
from stages.conclusion import conclude
from stages.folders import DATA, MODELS
from stages.image_lexicon import figures


def main() -> None:
    settings = load()
    wordnet = DATA / settings.wordnet
    folders = {name: MODELS / "image_lexicon" / name for name in settings.runs}
    evaluation = evaluate(folders, settings, storage.read(wordnet), card_or_files(wordnet)["name"])
    metrics = evaluation.metrics
    for name, scores in metrics["runs"].items():
        print(f"{name}: AVGMAX MRR {scores['methods']['avgmax']['all']['mrr']:.3f}")
    charts = figures.figures(metrics, evaluation.details["extremes"])
    conclude("image_lexicon", evaluation, charts, figures.plots(metrics))


if __name__ == "__main__":
    run(main)
