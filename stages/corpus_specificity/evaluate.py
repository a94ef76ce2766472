"""data/models/corpus_specificity -> data/evaluation/corpus_specificity: metrics, claims, plots, figures."""

from pathlib import Path
from typing import Any

from repline import parameters
from repline.cards import read_card
from repline.corpora import document_removal
from repline.evaluation import claims
from repline.evaluation.corpus_specificity import summarise
from repline.files import new_folder, write_json
from stages import run
from stages.corpus_specificity import figures, scores
from stages.corpus_specificity.inputs import DOCUMENTS, TESTS, word_tests

SCORES = Path("data/models/corpus_specificity")
VARIANTS = {"us": "lsa", "u": "lsa_without_singular_values", "raw": "weighted_counts", "skip-gram": "word2vec"}


def main() -> None:
    profile = parameters.section(parameters.read(), "profile")
    rows = scores.read(SCORES / "lsa.parquet") + scores.read(SCORES / "word2vec.parquet")
    metrics: dict[str, Any] = {"data": _data()}
    for variant, name in VARIANTS.items():
        of_variant = [row for row in rows if row["variant"] == variant]
        tests = sorted({row["test"] for row in of_variant})
        metrics[name] = {test: summarise([row for row in of_variant if row["test"] == test]) for test in tests}
    verdicts = claims.check(claims.read("stages/corpus_specificity/claims.yaml"), metrics, profile)
    with new_folder("data/evaluation/corpus_specificity") as folder:
        write_json(folder / "metrics.json", metrics)
        write_json(folder / "claims.json", verdicts)
        write_json(folder / "figures.json", figures.figures(metrics))
        for name, plot in figures.plots(metrics).items():
            write_json(folder / "plots" / f"{name}.json", plot)
    for claim in verdicts:
        measured = "" if claim["measured"] is None else f" [{claim['measured']:.4g}, expected {claim['expected']}]"
        print(f"{claim['verdict']:>8}  {claim['text']}{measured}")


def _data() -> dict[str, Any]:
    counts, chosen = read_card(DOCUMENTS)["counts"], read_card(TESTS)["counts"]
    inside = {
        f"documents_with_{name}": len(document_removal.domain(document_removal.carriers(DOCUMENTS, test.words)))
        for name, test in word_tests().items()
    }
    return {"documents": counts["documents"], "tokens": counts["tokens"]} | chosen | inside


if __name__ == "__main__":
    run(main)
