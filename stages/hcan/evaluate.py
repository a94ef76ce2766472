"""data/models/hcan -> data/evaluation/hcan: metrics, claims, figures, plots, and pages of attention."""

from pathlib import Path

from repline.corpora.labelled.classified_texts import read_texts
from repline.evaluation.evaluations import Evaluation
from repline.files import new_folder
from repline.systems.hcan.attention_page import attention_page
from repline.systems.hcan.evaluation import SHOWN, evaluate
from repline.systems.hcan.settings import Settings, load
from repline.training.run import runs
from stages import run
from stages.classifier_figures import figures, plots
from stages.conclusion import conclude
from stages.folders import CORPORA, EVALUATION, MODELS

FOLDER = MODELS / "hcan"


def main() -> None:
    settings = load()
    with new_folder(EVALUATION / "hcan" / "attention") as pages:
        evaluation = Evaluation.side_by_side(
            {corpus: evaluate_corpus(corpus, settings, pages) for corpus in settings.corpora}
        )
    charts = figures(
        "hcan",
        "HCAN",
        evaluation,
        accuracy="Networks are means over their seeds. NB and LR are on TF-IDF of unigrams and bigrams.",
        lengths="Words of a document; the networks read the beginning of long ones alone.",
    )
    conclude("hcan", evaluation, charts, plots(evaluation.metrics))


def evaluate_corpus(corpus: str, settings: Settings, pages: Path) -> Evaluation:
    """Every network and linear peer on one corpus, and the page of attention of HCAN, if it is among them."""
    texts = read_texts(CORPORA / "classification" / settings.corpora[corpus].texts)
    networks = settings.networks_on(corpus)
    models = {network: runs(FOLDER / "networks" / corpus / network) for network in networks}
    linear: dict[str, Path] = {peer: FOLDER / "linear" / corpus / f"{peer}.npz" for peer in settings.linear.peers}
    if SHOWN in models:
        page = attention_page(models[SHOWN][0], corpus, texts, settings.shown)
        (pages / f"{corpus}.html").write_text(page, encoding="utf-8")
    return evaluate(networks, models, linear, texts, settings.corpora[corpus].edges, settings.learned)


if __name__ == "__main__":
    run(main)
