"""data/models/concreteness -> data/evaluation/concreteness: metrics, claims, plots, figures."""

from repline.evaluation.evaluations import Evaluation
from repline.systems.concreteness.evaluation import evaluate_across, evaluate_coefficients, evaluate_within
from repline.systems.concreteness.settings import load
from repline.training.run import runs
from stages import run
from stages.conclusion import conclude
from stages.concreteness import figures
from stages.folders import MODELS

FOLDER = MODELS / "concreteness"


def main() -> None:
    settings = load()
    within, coefficients = {}, {}
    for name in settings.ratings:
        parts = {part: runs(FOLDER / "within" / name / part) for part in settings.parts}
        within[name] = evaluate_within(parts, settings.shuffles)
        coefficients[name] = evaluate_coefficients(FOLDER / "coefficients" / f"{name}.json")
    (folder,) = runs(FOLDER / "across")
    across = {settings.across.name: evaluate_across(folder, settings.shuffles)}
    kinds = {"within": within, "across": across, "spread": coefficients}
    evaluation = Evaluation.side_by_side({kind: Evaluation.side_by_side(parts) for kind, parts in kinds.items()})
    charts, rows = figures.figures(evaluation.metrics), figures.plots(evaluation.metrics)
    conclude("concreteness", evaluation, charts, rows)


if __name__ == "__main__":
    run(main)
