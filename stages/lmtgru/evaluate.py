"""data/models/lmtgru -> data/evaluation/lmtgru: metrics, claims, figures, plots."""

from pathlib import Path

from repline.corpora.labelled.classified_texts import read_texts
from repline.evaluation.evaluations import Evaluation
from repline.systems.lmtgru.evaluation import evaluate
from repline.systems.lmtgru.folds import folds_of
from repline.systems.lmtgru.settings import Settings, load
from repline.training.run import runs
from stages import run
from stages.classifier_figures import figures, plots
from stages.conclusion import conclude
from stages.folders import CORPORA, MODELS

FOLDER = MODELS / "lmtgru"


def main() -> None:
    settings = load()
    evaluation = Evaluation.side_by_side({corpus: evaluate_corpus(corpus, settings) for corpus in settings.corpora})
    charts = figures(
        "lmtgru",
        "CNN-LMTGRU",
        evaluation,
        accuracy="Networks are means over their seeds and folds. NB and LR are on TF-IDF of n-grams.",
        lengths="Words of a text (the paper's figure 4, which has no numbers).",
    )
    conclude("lmtgru", evaluation, charts, plots(evaluation.metrics))


def evaluate_corpus(corpus: str, settings: Settings) -> Evaluation:
    """Every network and linear peer on all folds of one corpus."""
    texts = read_texts(CORPORA / "classification" / settings.corpora[corpus].texts)
    folds = folds_of(texts, settings.corpora[corpus].folds)
    networks, linear = FOLDER / "networks" / corpus, FOLDER / "linear" / corpus
    models = {
        network: {fold: runs(networks / network / fold) for fold in folds} for network in settings.networks_on(corpus)
    }
    peers: dict[str, dict[str, Path]] = {
        peer: {fold: linear / fold / f"{peer}.npz" for fold in folds} for peer in settings.linear.peers
    }
    return evaluate(models, peers, folds, settings.corpora[corpus].edges)


if __name__ == "__main__":
    run(main)
