"""data/{corpora,models,evaluation} of supervised_unsupervised -> metrics, claims, figures, plots.

`python -m stages.supervised_unsupervised.evaluate`
"""

import json

from repline.cards import read_card
from repline.errors import InputError
from repline.evaluation.evaluations import Evaluation
from repline.systems.supervised_unsupervised.corpus import read_data
from repline.systems.supervised_unsupervised.evaluation import evaluate
from repline.systems.supervised_unsupervised.settings import COUNTS, Settings, load
from repline.training.run import runs
from stages import run
from stages.conclusion import conclude
from stages.folders import CORPORA, EVALUATION, MODELS
from stages.supervised_unsupervised.figures import figures, plots


def main() -> None:
    settings = load()
    evaluation = Evaluation.side_by_side({corpus: evaluate_corpus(corpus, settings) for corpus in settings.corpora})
    conclude("supervised_unsupervised", evaluation, figures(evaluation.metrics), plots(evaluation.metrics))


def evaluate_corpus(corpus: str, settings: Settings) -> Evaluation:
    """Every variant on one corpus, whose counts are among the metrics."""
    folder = CORPORA / "supervised_unsupervised" / corpus
    path = EVALUATION / "supervised_unsupervised/transfer" / f"{corpus}.json"
    if not path.is_file():
        raise InputError(f"{path}: there is no such file; run `dvc repro` for it")
    evaluation = evaluate(
        {variant: runs(MODELS / "supervised_unsupervised" / corpus / variant) for variant in settings.variants},
        read_data(folder),
        json.loads(path.read_text(encoding="utf-8")),
    )
    evaluation.metrics[COUNTS] = read_card(folder)["counts"]
    return evaluation


if __name__ == "__main__":
    run(main)
