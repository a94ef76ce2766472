"""data/models/complex_embedding -> data/evaluation/complex_embedding: metrics, claims, figures, plots."""

from pathlib import Path

from repline.corpora.labelled.classified_texts import read_texts
from repline.evaluation.evaluations import Evaluation
from repline.systems.complex_embedding.evaluation import evaluate
from repline.systems.complex_embedding.settings import Settings, load
from repline.training.run import runs
from stages import run
from stages.complex_embedding import figures
from stages.conclusion import conclude
from stages.folders import CORPORA, MODELS

FOLDER = MODELS / "complex_embedding"


def main() -> None:
    settings = load()
    evaluation = Evaluation.side_by_side({corpus: evaluate_corpus(corpus, settings) for corpus in settings.corpora})
    charts, rows = figures.figures(evaluation.metrics), figures.plots(evaluation.metrics)
    conclude("complex_embedding", evaluation, charts, rows)


def evaluate_corpus(corpus: str, settings: Settings) -> Evaluation:
    """Every network and linear peer on one corpus."""
    texts = read_texts(CORPORA / "classification" / settings.corpora[corpus].texts)
    networks = settings.networks_on(corpus)
    models = {network: runs(FOLDER / "networks" / corpus / network) for network in networks}
    linear: dict[str, Path] = {peer: FOLDER / "linear" / corpus / f"{peer}.npz" for peer in settings.linear.peers}
    return evaluate(networks, models, linear, texts, settings.corpora[corpus].edges)


if __name__ == "__main__":
    run(main)
