"""data/models/lstm_memorization, data/corpora/middle_token -> data/evaluation/lstm_memorization: metrics, figures."""

from repline.systems.lstm_memorization.evaluation import evaluate
from repline.systems.lstm_memorization.settings import load
from repline.training.run import runs
from stages import run
from stages.conclusion import conclude
from stages.folders import CORPORA, MODELS
from stages.lstm_memorization import figures


def main() -> None:
    settings = load()
    models = {}
    for distribution in settings.distributions:
        for size in settings.sizes_of(distribution):
            for experiment in settings.experiments(distribution, size):
                folder = MODELS / "lstm_memorization" / distribution / experiment.name
                if folder.is_dir():  # lengths beyond the first unsolved one may be left out
                    models[experiment] = runs(folder)
    evaluation = evaluate(settings, CORPORA / "middle_token", models)
    metrics = evaluation.metrics
    conclude("lstm_memorization", evaluation, figures.figures(metrics), figures.plots(metrics))


if __name__ == "__main__":
    run(main)
