"""data/models/srl_seq2seq -> data/evaluation/srl_seq2seq: metrics, claims, figures, plots."""

from repline.cards import read_card
from repline.evaluation.evaluations import Evaluation
from repline.systems.srl_seq2seq.corpus import read_data
from repline.systems.srl_seq2seq.evaluation import evaluate
from repline.systems.srl_seq2seq.settings import Settings, load
from repline.training.run import runs
from stages import run
from stages.conclusion import conclude
from stages.folders import CORPORA, MODELS
from stages.srl_seq2seq import figures


def main() -> None:
    settings = load()
    evaluation = Evaluation.side_by_side({corpus: evaluate_corpus(corpus, settings) for corpus in settings.corpora})
    confusions = {corpus: details["confusion"] for corpus, details in evaluation.details.items()}
    charts, rows = figures.figures(evaluation.metrics, confusions), figures.plots(evaluation.metrics, confusions)
    conclude("srl_seq2seq", evaluation, charts, rows)


def evaluate_corpus(corpus: str, settings: Settings) -> Evaluation:
    """Every variant on one corpus, whose counts are among the metrics."""
    folder = CORPORA / "srl_seq2seq" / corpus
    models = {variant: runs(MODELS / "srl_seq2seq" / corpus / variant) for variant in settings.variants}
    evaluation = evaluate(read_data(folder), models, settings.analyses[corpus])
    for name, measures in evaluation.metrics.items():
        if name != "baselines":
            same, low, high = measures["same_length"], measures["f1_min"], measures["f1_max"]
            print(f"{corpus}, {name}: as long as the source {same:.1f} %, F1 {low:.1f} to {high:.1f}", flush=True)
    evaluation.metrics["data"] = read_card(folder)["counts"]
    return evaluation


if __name__ == "__main__":
    run(main)
