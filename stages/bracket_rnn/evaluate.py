"""data/models/bracket_rnn, data/corpora -> data/evaluation/bracket_rnn: metrics, claims, plots, figures."""

from repline.systems.bracket_rnn.evaluation import evaluate
from repline.systems.bracket_rnn.settings import load
from repline.training.run import runs
from stages import run
from stages.bracket_rnn import figures
from stages.conclusion import conclude
from stages.folders import CORPORA, DATA, MODELS


def main() -> None:
    settings = load()
    models = {name: runs(MODELS / "bracket_rnn" / name) for name in settings.runs}
    evaluation = evaluate(settings, models, DATA / settings.corpus, CORPORA / "optional_constituents")
    conclude("bracket_rnn", evaluation, figures.figures(evaluation.metrics), figures.plots(evaluation.metrics))


if __name__ == "__main__":
    run(main)
