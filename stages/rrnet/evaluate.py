"""data/models/rrnet and the corpora of the three tasks -> data/evaluation/rrnet: metrics, claims, plots, figures."""

from collections.abc import Iterable
from pathlib import Path

from repline.evaluation.evaluations import Evaluation
from repline.systems.rrnet.evaluation import evaluate_expressions, evaluate_language_models, evaluate_relations
from repline.systems.rrnet.settings import load
from repline.training.run import runs
from stages import run
from stages.conclusion import conclude
from stages.folders import CORPORA, DATA, MODELS
from stages.rrnet import figures


def main() -> None:
    settings = load()
    expressions, relations = settings.expressions.variants, settings.relations.variants
    language_models = settings.language_model.variants
    evaluation = Evaluation.side_by_side(
        {
            "expressions": evaluate_expressions(
                expressions,
                _runs("expressions", expressions),
                CORPORA / "math_expressions",
                settings.corpora.math_expressions.lengths,
            ),
            "relations": evaluate_relations(relations, _runs("relations", relations), CORPORA / "propositional_logic"),
            "language_model": evaluate_language_models(
                language_models, _runs("language_model", language_models), DATA / settings.language_model.corpus
            ),
        }
    )
    conclude("rrnet", evaluation, figures.figures(evaluation.metrics), figures.plots(evaluation.metrics))


def _runs(task: str, variants: Iterable[str]) -> dict[str, list[Path]]:
    return {variant: runs(MODELS / "rrnet" / f"{task}-{variant}") for variant in variants}


if __name__ == "__main__":
    run(main)
