"""data/models/jet, data/corpora/jet, tests of data/ -> data/evaluation/jet: metrics, claims, figures."""

from repline.systems.jet.evaluation import evaluate, read_tests
from repline.systems.jet.settings import load
from repline.training.run_folders import runs
from stages import run
from stages.conclusion import conclude
from stages.folders import CORPORA, LEXICONS, MODELS
from stages.jet import figures


def main() -> None:
    settings = load()
    models = {name: runs(MODELS / "jet" / name) for name in settings.models}
    corpora = {name: CORPORA / "jet" / name for name in settings.terminologies}
    terminologies = {name: LEXICONS / "jet" / name for name in settings.terminologies}
    tests = read_tests(settings)
    print("".join(f"{note}\n" for note in tests.left_out.notes()), end="")
    evaluation = evaluate(models, corpora, terminologies, tests, settings)
    metrics, names = evaluation.metrics, list(models)
    for name in names:
        print(f"{name}: {figures.summary(metrics[name])}")
    conclude("jet", evaluation, figures.figures(metrics, names), figures.plots(metrics, names))


if __name__ == "__main__":
    run(main)
