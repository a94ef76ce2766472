"""data/models/urn, data/corpora/{dyck,agreement} -> data/evaluation/urn: metrics, claims, plots, figures."""

from repline.evaluation.claims import published
from repline.evaluation.evaluations import Evaluation
from repline.systems.urn import dyck
from repline.systems.urn.agreement.examples import read_examples, read_vocabulary
from repline.systems.urn.evaluation import evaluate_agreement, evaluate_dyck
from repline.systems.urn.settings import load
from repline.training.run import runs
from stages import run
from stages.conclusion import conclude
from stages.folders import CORPORA, MODELS
from stages.urn import figures


def main() -> None:
    settings = load()
    brackets, verbs = settings.dyck.variants, settings.agreement.variants
    tables = published.read("stages/urn/published.yaml")
    words = [row.item for row in tables.table("effects-of-words").rows]
    nouns = [noun for row in tables.table("distances-of-nouns").rows for noun in (row.item, row.column) if noun]
    dyck_evaluation = evaluate_dyck(
        brackets,
        {variant: runs(MODELS / "urn" / f"dyck-{variant}") for variant in brackets},
        dyck.read(CORPORA / "dyck", "train"),
        dyck.read(CORPORA / "dyck", "test"),
    )
    agreement_evaluation = evaluate_agreement(
        verbs,
        {variant: runs(MODELS / "urn" / f"agreement-{variant}") for variant in verbs},
        read_examples(CORPORA / "agreement", "train"),
        read_examples(CORPORA / "agreement", "test"),
        read_vocabulary(CORPORA / "agreement"),
        words,
        nouns,
    )
    evaluation = Evaluation.side_by_side({"dyck": dyck_evaluation, "agreement": agreement_evaluation})
    conclude("urn", evaluation, figures.figures(evaluation.metrics), figures.plots(evaluation.metrics))


if __name__ == "__main__":
    run(main)
