"""data/models/corpus_specificity -> data/evaluation/corpus_specificity: metrics, claims, plots, figures."""

from pathlib import Path
from typing import Any

from repline.cards import read_card
from repline.evaluation.replication.bootstrap import side_by_side
from repline.systems.corpus_specificity import document_removal
from repline.systems.corpus_specificity.evaluation import resample, summarise
from stages import run
from stages.conclusion import conclude
from stages.corpus_specificity import figures, scores
from stages.corpus_specificity.tests import DOCUMENTS, TESTS, word_tests

SCORES = Path("data/models/corpus_specificity")
VARIANTS = {"us": "lsa", "u": "lsa_without_singular_values", "raw": "weighted_counts", "skip-gram": "word2vec"}


def main() -> None:
    rows = scores.read(SCORES / "lsa.parquet") + scores.read(SCORES / "word2vec.parquet")
    metrics: dict[str, Any] = {"data": _data()}
    repeated: dict[str, list[dict[str, Any]]] = {}
    for variant, name in VARIANTS.items():
        of_variant = [row for row in rows if row["variant"] == variant]
        tests = sorted({row["test"] for row in of_variant})
        by_test = {test: [row for row in of_variant if row["test"] == test] for test in tests}
        metrics[name] = {test: summarise(own) for test, own in by_test.items()}
        repeated[name] = side_by_side(**{test: resample(own) for test, own in by_test.items()})
    rows_of_charts = figures.figures(metrics), figures.plots(metrics)
    conclude("corpus_specificity", metrics, *rows_of_charts, side_by_side(**repeated))


def _data() -> dict[str, Any]:
    counts, chosen = read_card(DOCUMENTS)["counts"], read_card(TESTS)["counts"]
    inside = {
        f"documents_with_{name}": len(document_removal.domain(document_removal.carriers(DOCUMENTS, test.words)))
        for name, test in word_tests().items()
    }
    return {"documents": counts["documents"], "tokens": counts["tokens"]} | chosen | inside


if __name__ == "__main__":
    run(main)
